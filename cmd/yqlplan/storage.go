package main

import (
	"fmt"
	"net/url"
	"os"
	"strings"

	"github.com/yqlplan/yqlplan/projection/store"
)

// storage are the flags that say where objects are listed. Without one nothing outside the process is touched.
type storage struct {
	Objects string `xor:"storage" placeholder:"FILE" help:"A recorded listing that stands for the storage: one object key a line, or a JSON array of strings."`
	Store   string `xor:"storage" placeholder:"URL" help:"List objects there: a directory or file:///directory."`
}

// open gives what the flags name, or nil.
func (s storage) open() (store.Lister, error) {
	switch {
	case s.Objects == "-":
		return nil, usageError{fmt.Errorf("--objects: - isn't allowed here, name a file")}
	case s.Objects != "":
		return openKeys(s.Objects)
	case s.Store != "":
		return openStore(s.Store)
	}
	return nil, nil
}

func openKeys(name string) (store.Lister, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("--objects %s: %w", name, cause(err))
	}
	defer f.Close()
	keys, err := store.ReadKeys(f)
	if err != nil {
		return nil, fmt.Errorf("--objects %s: %w", name, cause(err))
	}
	return keys, nil
}

func openStore(address string) (store.Lister, error) {
	dir := address
	if scheme, _, ok := strings.Cut(address, "://"); ok {
		u, err := url.Parse(address)
		switch {
		case err != nil:
			return nil, usageError{fmt.Errorf("--store %s: not a URL", address)}
		case scheme != "file":
			return nil, usageError{fmt.Errorf("--store %s: %s:// isn't supported; list a directory, or give a recorded listing with --objects", address, scheme)}
		case u.Host != "" && u.Host != "localhost":
			return nil, usageError{fmt.Errorf("--store %s: a file URL has three slashes: file:///%s%s", address, u.Host, u.Path)}
		}
		dir = u.Path
	}
	info, err := os.Stat(dir)
	switch {
	case err != nil:
		return nil, fmt.Errorf("--store %s: %w", address, cause(err))
	case !info.IsDir():
		return nil, fmt.Errorf("--store %s: not a directory", address)
	}
	return store.FS{Files: os.DirFS(dir)}, nil
}
