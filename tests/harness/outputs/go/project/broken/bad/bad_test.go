package bad

import "testing"

func TestNeverCompiled(t *testing.T) {
	return 1
}
