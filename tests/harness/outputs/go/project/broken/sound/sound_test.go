package sound

import "testing"

func TestSound(t *testing.T) {}
