package projection

import (
	"context"
	"io"
	"math"
	"math/big"

	"github.com/yqlplan/yqlplan/pruning"
)

// WritePaths writes the paths of units first … first+n-1 (n nil: all), each followed by sep. They are those of [Walk],
// in its order. Where paths come from a template, lines are kept in blocks of which only changed bytes are written
// anew, so that a path costs little more than copying it.
func WritePaths(ctx context.Context, w io.Writer, l *Layout, d pruning.Diagram, c Check, first, n *big.Int, sep byte) error {
	return newPathWriter(ctx, w, l, c, sep).run(d, first, n)
}

func newPathWriter(ctx context.Context, w io.Writer, l *Layout, c Check, sep byte) *pathWriter {
	p := &pathWriter{walker: newWalker(ctx, l, c), out: w, sep: sep, left: math.MaxUint64}
	p.sizes = blockSizes{lines: 4096, worth: 8, bytes: 8 << 20}
	return p
}

const (
	longestLine = 4 << 10 // that blocks are made of: object stores have keys of up to 1024 bytes
	directly    = 8 << 10 // bytes that are written at once, not through the buffer
	buffered    = 64 << 10
)

// pathWriter writes the lines of a walk.
type pathWriter struct {
	*walker
	out    io.Writer
	sep    byte
	left   uint64 // lines still to be written
	buf    []byte // not written yet
	blocks map[group][]*block
	held   int // bytes in blocks
	sizes  blockSizes
}

// run writes n lines from the first-th on.
func (p *pathWriter) run(d pruning.Diagram, first, n *big.Int) error {
	if n != nil && n.IsUint64() {
		p.left = n.Uint64()
	}
	if p.left == 0 || n != nil && n.Sign() < 0 {
		return nil
	}
	if p.plain() {
		p.unit.split()
		if p.unit.layout.Template.longest(p.unit.Axes) <= longestLine {
			p.subtree, p.blocks = p.branch, make(map[group][]*block)
		}
	}
	p.yield = p.line
	if err := p.start(d, first); err != nil {
		return err
	}
	return p.flush()
}

// line writes the path of one unit.
func (p *pathWriter) line(u *Unit, _ error) bool {
	if p.buf = append(u.AppendPath(p.buf), p.sep); len(p.buf) >= buffered && !p.flushed() {
		return false
	}
	p.left--
	return p.left > 0
}

// write writes the lines of a block, but for those to be skipped, and not more than are wanted.
func (p *pathWriter) write(b *block) bool {
	from, to := 0, len(b.ends)-1
	if p.skip != nil {
		from = int(p.skip.Uint64())
		p.skip = nil
	}
	if uint64(to-from) > p.left {
		to = from + int(p.left)
	}
	p.left -= uint64(to - from)
	p.reached++
	if !p.put(b.lines[b.ends[from]:b.ends[to]]) {
		return false
	}
	if p.steps += uint(to - from); p.steps >= poll {
		p.steps = 0
		if err := p.ctx.Err(); err != nil {
			return p.fail(err)
		}
	}
	return p.left > 0
}

func (p *pathWriter) put(lines []byte) bool {
	if len(p.buf)+len(lines) > buffered && !p.flushed() {
		return false
	}
	if len(lines) < directly {
		p.buf = append(p.buf, lines...)
		return true
	}
	if !p.flushed() {
		return false
	}
	_, err := p.out.Write(lines)
	return err == nil || p.fail(err)
}

func (p *pathWriter) flushed() bool {
	err := p.flush()
	return err == nil || p.fail(err)
}

func (p *pathWriter) flush() error {
	if len(p.buf) == 0 {
		return nil
	}
	_, err := p.out.Write(p.buf)
	p.buf = p.buf[:0]
	return err
}
