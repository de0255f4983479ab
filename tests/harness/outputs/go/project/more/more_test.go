package more

import "testing"

func TestPasses(t *testing.T) {}
