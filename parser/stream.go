package parser

import (
	"github.com/alecthomas/participle/v2/lexer"
)

// room is a stream whose tokens are written over by those of one statement after the other. participle makes streams by
// appending token after token to nothing, which would take more memory than all else that parsing does.
type room struct {
	stream *lexer.PeekingLexer
	tokens []lexer.Token // of the stream
	used   int           // so many of them
}

const roomSize = 512 // tokens, of 64 bytes

func newRoom() *room {
	blank := empty(roomSize)
	lex, _ := lexer.Upgrade(&blank) // empty doesn't fail
	return &room{stream: lex, tokens: lex.Range(0, roomSize)}
}

// empty yields so many tokens without a content.
type empty int

func (e *empty) Next() (lexer.Token, error) {
	if *e == 0 {
		return lexer.EOFToken(lexer.Position{}), nil
	}
	*e--
	return lexer.Token{}, nil
}

// stream reads the tokens of a statement. It is valid until the next.
func (s *scanner) stream() (*parser, error) {
	if s.room == nil {
		s.room, _ = s.d.grammar().rooms.Get().(*room)
	}
	if s.room == nil {
		s.room = newRoom()
	}
	lex, err := s.room.fill(s)
	if err != nil {
		return nil, err
	}
	pair(lex.Range(0, lexer.RawCursor(s.count)))
	return &parser{lex, s.d}, nil
}

// leave gives the room back. Nothing holds on to tokens once statements are trees.
func (s *scanner) leave() {
	if r := s.room; r != nil {
		clear(r.tokens[:r.used]) // they hold on to the text
		r.used, s.room = 0, nil
		s.d.grammar().rooms.Put(r)
	}
}

// fill puts the tokens of a statement into the room. The stream is another one where they don't fit.
func (r *room) fill(s *scanner) (*lexer.PeekingLexer, error) {
	for i := range r.tokens {
		t, err := s.Next()
		if err != nil {
			return nil, err
		}
		r.tokens[i], r.used = t, max(r.used, i+1)
		if t.EOF() {
			r.stream.LoadCheckpoint(lexer.Checkpoint{})
			return r.stream, nil
		}
	}
	return lexer.Upgrade(&overfull{r.tokens, s})
}

// overfull yields tokens that were read before, and then those that follow.
type overfull struct {
	read []lexer.Token
	rest lexer.Lexer
}

func (o *overfull) Next() (lexer.Token, error) {
	if len(o.read) == 0 {
		return o.rest.Next()
	}
	t := o.read[0]
	o.read = o.read[1:]
	return t, nil
}

// pair notes with each opening bracket which token closes it, in the column, so that looking ahead doesn't walk through
// what is nested time and again. The kinds of brackets aren't compared: Doris writes half-open ranges as [(1), (2)).
func pair(tokens []lexer.Token) {
	var open [maxDepth]int // the scanner lets no more through
	n := 0
	for i := range tokens {
		t := &tokens[i]
		if t.Type != tokPunct || len(t.Value) != 1 {
			continue
		}
		switch classes[t.Value[0]] {
		case bracketOpen:
			open[n] = i
			n++
		case bracketClose:
			if n > 0 {
				n--
				tokens[open[n]].Pos.Column = i
			}
		}
	}
}
