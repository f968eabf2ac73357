package parquet

import (
	"context"
	"encoding/binary"
	"errors"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"github.com/yqlplan/yqlplan/projection/store"
)

// file is a Parquet file of columns without rows. Its footer is followed by so many bytes that are no columns.
func file(t testing.TB, more int, columns ...element) []byte {
	t.Helper()
	root := element{Name: "root", Children: null(int32(top(columns)))}
	footer, err := thrift.Marshal(new(thrift.CompactProtocol), struct {
		Version int32     `thrift:"1,required"`
		Schema  []element `thrift:"2,required"`
		Rows    int64     `thrift:"3,required"`
		By      string    `thrift:"6,optional"`
	}{2, append([]element{root}, columns...), 0, strings.Repeat("x", more)})
	if err != nil {
		t.Fatal(err)
	}
	return ended(footer)
}

func ended(footer []byte) []byte {
	data := append([]byte("PAR1"), footer...)
	return append(binary.LittleEndian.AppendUint32(data, uint32(len(footer))), "PAR1"...)
}

func null[T any](v T) thrift.Null[T] { return thrift.Null[T]{V: v, Valid: true} }

// top counts the columns that aren't below others.
func top(elements []element) (n int) {
	for ok := true; ok && len(elements) > 0; n++ {
		elements, ok = behind(elements)
	}
	return n
}

func leaf(name string, t format.Type) element { return element{Name: name, Type: null(t)} }

func (e element) as(c deprecated.ConvertedType) element { e.ConvertedType = null(c); return e }

func (e element) like(l format.LogicalTypeValue) element { e.LogicalType.Value = l; return e }

func (e element) of(children int) element {
	e.Type, e.Children = thrift.Null[format.Type]{}, null(int32(children))
	return e
}

var decimal = element{Name: "de", Type: null(format.Int64), ConvertedType: null(deprecated.Decimal), Precision: null(int32(10)), Scale: null(int32(2))}

func columns(t testing.TB, data []byte) ([]store.Column, int64, error) {
	t.Helper()
	var meter store.Meter
	files := store.FS{Files: fstest.MapFS{"a.parquet": {Data: data}}}
	got, err := Columns(meter.Context(t.Context()), files, store.Entry{Key: "a.parquet", Size: int64(len(data))})
	return got, meter.Reads(), err
}

func TestColumns(t *testing.T) {
	elements := []element{
		leaf("id", format.Int64), leaf("name", format.ByteArray).as(deprecated.UTF8), decimal,
		leaf("s", 0).of(2), leaf("a", format.Int32), leaf("deep", 0).of(1), leaf("b", format.Boolean),
		leaf("l", 0).of(1).as(deprecated.List), leaf("list", 0).of(1), leaf("element", format.Double),
		leaf("u", format.FixedLenByteArray).like(&format.UUIDType{}),
		leaf("ts", format.Int64).like(&format.TimestampType{Unit: format.TimeUnit{Value: &format.MicroSeconds{}}}),
		leaf("tz", format.Int64).like(&format.TimestampType{IsAdjustedToUTC: true, Unit: format.TimeUnit{Value: &format.MicroSeconds{}}}),
		leaf("odd", format.ByteArray).like(&format.StringType{}), leaf("raw", format.ByteArray), leaf("day", format.Int32).as(deprecated.Date),
		{Name: "many", Type: null(format.Int32), Repetition: null(format.Repeated)},
	}
	const want = "id BIGINT; name VARCHAR; de DECIMAL(10,2); s STRUCT; l LIST; u UUID; ts TIMESTAMP; tz TIMESTAMP WITH TIME ZONE; odd ; raw BLOB; day DATE; many LIST"
	for more, reads := range map[int]int64{0: 1, tail: 2} {
		got, n, err := columns(t, file(t, more, elements...))
		var texts []string
		for _, c := range got {
			texts = append(texts, c.Name+" "+c.Type)
		}
		if text := strings.Join(texts, "; "); err != nil || text != want || n != reads {
			t.Errorf("%d reads, want %d (%v):\n%s", n, reads, err, text)
		}
	}
}

func TestBroken(t *testing.T) {
	good := file(t, 0, leaf("id", format.Int64))
	wide := leaf("s", 0).of(1 << 30)
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"empty":     {nil, "too short"},
		"text":      {[]byte(strings.Repeat("a,b\n", 9)), "doesn't end as Parquet files do"},
		"encrypted": {append(good[:len(good)-4:len(good)-4], "PARE"...), "encrypted"},
		"too long":  {append(binary.LittleEndian.AppendUint32(good[:len(good)-8:len(good)-8], 1<<30), "PAR1"...), "longer than the file"},
		"cut":       {ended(good[4 : len(good)-12]), "broken"},
		"no tree":   {file(t, 0, wide), "no tree"},
		"long list": {ended([]byte{0x29, 0xfc, 0xff, 0xff, 0xff, 0x07}), errLong.Error()},
		"deep":      {ended([]byte(strings.Repeat("\x1c", 1<<16))), errDeep.Error()},
		"lists":     {ended([]byte(strings.Repeat("\x19", 1<<16))), errDeep.Error()},
	} {
		_, _, err := columns(t, c.data)
		if e := (*Error)(nil); !errors.As(err, &e) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

func FuzzColumns(f *testing.F) {
	f.Add(file(f, 0, leaf("id", format.Int64), decimal)[4:])
	f.Fuzz(func(t *testing.T, footer []byte) { columns(t, ended(footer)) })
}

func TestRooted(t *testing.T) {
	data := file(t, 0, leaf("id", format.Int64))
	entry := store.Entry{Key: "s3://b/a", Size: int64(len(data))}
	for _, c := range []struct {
		inner store.Lister
		want  error
	}{
		{store.FS{Files: fstest.MapFS{"a": {Data: data}}}, nil},
		{store.NewKeys([]string{"a"}), errors.ErrUnsupported},
	} {
		if _, err := Columns(context.Background(), store.Rooted{Lister: c.inner, Root: "s3://b/"}, entry); !errors.Is(err, c.want) {
			t.Errorf("%v, want %v", err, c.want)
		}
	}
}
