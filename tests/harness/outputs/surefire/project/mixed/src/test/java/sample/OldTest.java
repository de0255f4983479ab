package sample;

import static org.junit.Assert.*;

import org.junit.Ignore;
import org.junit.Test;

public class OldTest {
    @Test
    public void passes() {}

    @Test
    public void fails() {
        fail("as told");
    }

    @Test
    @Ignore("not today")
    public void isIgnored() {}
}
