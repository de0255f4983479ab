// Every verdict that JUnit knows, names that are hard to read, and output in between.
package sample;

import static org.junit.jupiter.api.Assertions.*;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.stream.Stream;
import org.junit.jupiter.api.*;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SumsTest {
    @Test
    void passes() {
        System.out.println("printed by the test itself");
        System.err.print("half a line");
    }

    @Test
    void fails() {
        assertEquals(1, 2, "first line\n[         9 tests successful      ]");
    }

    @Test
    void breaks() {
        throw new IllegalStateException("out of order");
    }

    @Test
    @Disabled("not today [X]")
    void isDisabled() {}

    @Test
    void isAborted() {
        assumeTrue(false, "not here");
    }

    @Test
    @DisplayName("says it in other words: [OK] (100 %) ✔ tür 日本")
    void otherwise() {}

    @ParameterizedTest
    @ValueSource(strings = {"a b", "[x]: y", "tür › 日本", "", "bad"})
    void names(String name) {
        assertNotEquals("bad", name);
    }

    @RepeatedTest(2)
    void again() {}

    @TestFactory
    Stream<DynamicTest> made() {
        return Stream.of("one", "two").map(name -> DynamicTest.dynamicTest("is " + name, () -> assertEquals("one", name)));
    }

    @Nested
    class BelowZero {
        @Test
        void deep() {}
    }
}
