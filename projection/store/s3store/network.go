package s3store

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"
	"syscall"
)

// unreached says why there was no answer, or none that can be read.
func (s *Store) unreached(e *Error, err error) {
	var dns *net.DNSError
	var timeout interface{ Timeout() bool }
	host, check := hostOf(err), "check the connection"
	if s.Endpoint != "" {
		check = "check --endpoint " + s.Endpoint
	}
	switch {
	case errors.As(err, &dns):
		e.What = fmt.Sprintf("the host %s can't be looked up", dns.Name)
		if dns.IsNotFound {
			e.What = fmt.Sprintf("there is no host %s", dns.Name)
		}
		e.Advice = check
		if s.Endpoint != "" && strings.HasPrefix(dns.Name, s.Bucket+".") {
			e.Advice += "; give --path-style where buckets aren't hosts"
		}
	case errors.As(err, &timeout) && timeout.Timeout():
		e.What = fmt.Sprintf("%s gives no answer within %s%s", host, s.Timeout, tries(err))
		e.Advice = check + ", or try again later"
	case errors.Is(err, syscall.ECONNREFUSED):
		e.What = fmt.Sprintf("%s refuses the connection", host)
		e.Advice = check
	case errors.As(err, new(*tls.CertificateVerificationError)):
		e.What = fmt.Sprintf("the certificate of %s can't be trusted", host)
		e.Advice = "name the file of the authority's certificate in AWS_CA_BUNDLE"
	case errors.Is(err, errNoListing), statusOf(err) == "200":
		e.What = "what answers doesn't speak the protocol of S3, or was cut short"
		e.Advice = check
	case statusOf(err) != "":
		e.What = "the server refuses (" + statusOf(err) + ")"
		e.Advice = check
	default:
		e.What = fmt.Sprintf("the connection to %s broke%s", host, tries(err))
		e.Advice = check + ", or try again later"
	}
}

// hostOf is the host that was asked.
func hostOf(err error) string {
	var asked *url.Error
	if errors.As(err, &asked) {
		if u, err := url.Parse(asked.URL); err == nil {
			return u.Host
		}
	}
	return "the server"
}
