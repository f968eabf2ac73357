package s3store

import (
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/credentials/ssocreds"
	"github.com/aws/smithy-go"
)

const noCredentialsInURL = "a URL can't hold credentials"
const keysAdvice = "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or choose a --profile"

// CheckEndpoint says what is wrong with the URL of a server.
func CheckEndpoint(endpoint string) error {
	u, err := url.Parse(endpoint)
	switch {
	case err == nil && u.User != nil, err != nil && strings.Contains(endpoint, "@"):
		return &Error{What: noCredentialsInURL, Advice: keysAdvice}
	case err != nil, u.Scheme != "http" && u.Scheme != "https", u.Host == "", u.RawQuery != "", u.Fragment != "":
		return &Error{What: fmt.Sprintf("%q isn't the URL of a server", endpoint), Advice: "write a URL such as http://localhost:9000"}
	}
	return nil
}

// configError says what is wrong with the configuration, without what stands in it.
func (s *Store) configError(err error) error {
	var profile config.SharedConfigProfileNotExistError
	var load config.SharedConfigLoadError
	var role config.SharedConfigAssumeRoleError
	e := &Error{What: "the configuration of AWS can't be used", Advice: "check the variables AWS_… and the files in ~/.aws", Err: err}
	switch {
	case errors.As(err, &profile):
		e.What = fmt.Sprintf("there is no profile %s in the configuration of AWS", profile.Profile)
		e.Advice = "aws configure list-profiles shows those that there are"
	case errors.As(err, &load):
		e.What = fmt.Sprintf("the file %s can't be read", load.Filename)
		e.Advice = "check its form: [profile NAME], then KEY = VALUE"
	case errors.As(err, &role):
		e.What = fmt.Sprintf("profile %s takes on a role in a way that isn't complete", role.Profile)
		e.Advice = "check its source_profile and role_arn"
	}
	return e
}

// credentialsError is why a request can't be signed.
type credentialsError struct{ error }

func (e *credentialsError) Unwrap() error { return e.error }

// unsigned says why a request can't be signed. What programs that give credentials have written isn't repeated.
func (s *Store) unsigned(e *Error, err error) {
	var operation *smithy.OperationError
	var api smithy.APIError
	e.What = "there are no credentials that can be used"
	e.Advice = keysAdvice + ", or give --anonymous where the bucket is public"
	switch {
	case errors.As(err, new(*ssocreds.InvalidTokenError)):
		e.What = "the sign-in of the profile has expired"
		e.Advice = "sign in again: aws sso login"
		if s.Profile != "" {
			e.Advice += " --profile " + s.Profile
		}
	case errors.As(err, &operation) && operation.Service() == "STS" && errors.As(err, &api):
		e.What = fmt.Sprintf("the role can't be taken on (%s)", api.ErrorCode())
		e.Advice = "check role_arn and source_profile in ~/.aws/config"
	}
}
