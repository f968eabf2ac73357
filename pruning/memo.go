package pruning

const maxMemo = 1 << 17 // entries

// memo remembers results of operations on nodes. It forgets; then the work is done again.
type memo struct {
	entries []memoEntry
	stored  int    // since it last grew
	epoch   uint32 // entries of other epochs don't count
	serial  int32
}

type memoEntry struct {
	tag     uint32 // operation and epoch
	a, b, r int32
}

func (m *memo) tag(o op) uint32 { return m.epoch<<8 | uint32(o) }

func memoSlot(tag uint32, a, b int32, size int) uint64 {
	return mix(uint64(tag)<<32^uint64(a), uint64(b)<<16) & uint64(size-1)
}

func (m *memo) recall(o op, a, b int32) (r int32, ok bool) {
	if len(m.entries) == 0 {
		return 0, false
	}
	tag := m.tag(o)
	e := &m.entries[memoSlot(tag, a, b, len(m.entries))]
	return e.r, e.a == a && e.b == b && e.tag == tag
}

func (m *memo) remember(o op, a, b, r int32) {
	if m.stored >= len(m.entries) && len(m.entries) < maxMemo {
		old := m.entries
		m.entries = make([]memoEntry, max(2*len(old), 32))
		for _, e := range old {
			if e.a|e.b != 0 {
				m.entries[memoSlot(e.tag, e.a, e.b, len(m.entries))] = e
			}
		}
		m.stored = 0
	}
	tag := m.tag(o)
	m.entries[memoSlot(tag, a, b, len(m.entries))] = memoEntry{tag, a, b, r}
	m.stored++
}

// forgetAll makes all entries void, as they name nodes that are gone.
func (m *memo) forgetAll() {
	if m.epoch++; m.epoch == 1<<24 {
		m.epoch = 0
		clear(m.entries)
	}
}

// nextSerial numbers calls whose entries hold for that call alone.
func (m *memo) nextSerial() int32 {
	if m.serial++; m.serial < 0 {
		m.serial = 1
		m.forgetAll()
	}
	return m.serial
}
