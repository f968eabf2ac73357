package store_test

import (
	"context"
	"fmt"
	"log"
	"testing/fstest"

	"github.com/yqlplan/yqlplan/projection/store"
)

func ExampleKeys() {
	keys := store.NewKeys([]string{"logs/y=2024/a", "logs/y=2025/a", "logs/y=2025/b", "logs/readme"})
	var meter store.Meter
	for e, err := range keys.List(meter.Context(context.Background()), "logs/", false) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(e.Key)
	}
	fmt.Println(meter.Requests(), "request")
	// Output:
	// logs/readme
	// logs/y=2024/
	// logs/y=2025/
	// 1 request
}

func ExampleFS() {
	files := store.FS{Files: fstest.MapFS{"logs/y=2024/a": {Data: []byte("12345")}, "logs/y=2025/b": {Data: []byte("123")}}}
	for e, err := range files.List(context.Background(), "logs/", true) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(e.Key, e.Size)
	}
	end := make([]byte, 2)
	if err := files.ReadAt(context.Background(), "logs/y=2024/a", end, 3); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s\n", end)
	// Output:
	// logs/y=2024/a 5
	// logs/y=2025/b 3
	// 45
}
