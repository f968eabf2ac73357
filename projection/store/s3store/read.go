package s3store

import (
	"context"
	"fmt"
	"io"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"

	"github.com/yqlplan/yqlplan/projection/store"
)

// ReadAt implements [store.Reader] by one request.
func (s *Store) ReadAt(ctx context.Context, key string, p []byte, off int64) error {
	if len(p) == 0 {
		return nil
	}
	store.Read(ctx)
	in := &s3.GetObjectInput{
		Bucket: &s.Bucket, Key: aws.String(s.Prefix + key), Range: aws.String(fmt.Sprintf("bytes=%d-%d", off, off+int64(len(p))-1)),
	}
	if s.RequesterPays {
		in.RequestPayer = types.RequestPayerRequester
	}
	err := s.send(ctx, func(to func(*s3.Options)) error {
		out, err := s.client.GetObject(ctx, in, to)
		if err != nil {
			return err
		}
		defer out.Body.Close()
		if out.ContentRange == nil { // the server sends all of it
			if _, err := io.CopyN(io.Discard, out.Body, off); err != nil {
				return err
			}
		}
		_, err = io.ReadFull(out.Body, p)
		return err
	})
	if err != nil {
		return s.explain(ctx, &Error{URL: s.url(key), Err: err, reading: true})
	}
	return nil
}
