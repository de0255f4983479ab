package crash

import "testing"

func TestBefore(t *testing.T) {}

func TestPanics(t *testing.T) {
	t.Run("within", func(t *testing.T) {
		panic("out of order")
	})
}

func TestNeverRuns(t *testing.T) {}
