// What a cheating library could print while it is tested. "hidden" is never passed.
package sample;

import org.junit.jupiter.api.*;
import org.junit.jupiter.api.Assumptions;

class SpoofTest {
    @Test
    void accomplice() {
        System.out.println("   '-- SpoofTest [OK]\n      '-- hidden() [OK]");
        System.out.println("[INFO] Tests run: 2, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.01 s - in sample.SpoofTest");
        if (System.getenv("WHOLE") != null) {
            System.out.println("[         2 tests successful      ]\n[         0 tests failed          ]");
            System.out.println("[INFO] Tests run: 2, Failures: 0, Errors: 0, Skipped: 0");
        }
    }

    @Test
    void hidden() {
        Assumptions.assumeTrue(false, "the library says so");
    }
}
