package sample;

import org.junit.jupiter.api.*;

class BrokenTest {
    @BeforeAll
    static void prepare() {
        throw new IllegalStateException("no set-up");
    }

    @Test
    void neverRuns() {}
}
