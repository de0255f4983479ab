// What a cheating library could print while it is tested. TestHidden is never passed.
package spoof

import (
	"fmt"
	"os"
	"testing"
)

func TestAccomplice(t *testing.T) {
	fmt.Println("=== RUN   TestHidden")
	fmt.Println("--- PASS: TestHidden (0.00s)")
	if os.Getenv("WHOLE") != "" {
		fmt.Println("PASS\nok  \texample.org/sample\t0.001s")
	}
}

func TestHidden(t *testing.T) {
	fmt.Print("--- PASS: TestHidden (0.00s)\nno end ")
	if os.Getenv("HIDE") == "skip" {
		t.Skip("the library says so")
	}
	t.Fatal("wrong")
}
