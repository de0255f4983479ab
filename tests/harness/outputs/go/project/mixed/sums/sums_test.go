// Every verdict that go test knows, names that are hard to read, and output in between.
package sums

import (
	"fmt"
	"testing"
	"time"
)

func TestPasses(t *testing.T) {
	fmt.Println("    printed by the test itself")
	t.Log("logged")
}

func TestFails(t *testing.T) {
	t.Errorf("got %d, want %d\n--- PASS: TestFails (0.00s)", 1, 2)
}

func TestSkipped(t *testing.T) {
	t.Skip("not today")
}

func TestTakesTime(t *testing.T) {
	time.Sleep(120 * time.Millisecond)
}

func TestTable(t *testing.T) {
	for _, name := range []string{"a b", "[x]: y", "tür › 日本", "a/b", "", "(0.00s)", "twice", "twice", "fail me", "skip me"} {
		t.Run(name, func(t *testing.T) {
			if name == "fail me" {
				t.Fatal("as told")
			}
			if name == "skip me" {
				t.Skip("as told")
			}
			t.Run("deep", func(t *testing.T) {})
		})
	}
}

func TestParallel(t *testing.T) {
	for i := 0; i < 3; i++ {
		i := i
		t.Run(fmt.Sprintf("number %d", i), func(t *testing.T) {
			t.Parallel()
			fmt.Println("number", i, "is at work")
			time.Sleep(time.Duration(3-i) * 10 * time.Millisecond)
			if i == 1 {
				t.Error("one fails")
			}
		})
	}
}

func ExamplePrint() {
	fmt.Println("hello")
	// Output: hello
}

func ExamplePrint_wrong() {
	fmt.Println("hello")
	// Output: good-bye
}

func BenchmarkNothing(b *testing.B) {}
