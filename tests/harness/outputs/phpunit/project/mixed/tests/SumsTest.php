<?php
// Every verdict that PHPUnit knows, names that are hard to read, and output in between.
use PHPUnit\Framework\TestCase;

final class SumsTest extends TestCase
{
    public function testPasses(): void
    {
        echo "printed by the test itself\n";
        $this->assertTrue(true);
    }

    public function testFails(): void
    {
        $this->assertSame(1, 2, ' ✔ Fails');
    }

    public function testBreaks(): void
    {
        throw new RuntimeException('out of order');
    }

    public function testIsSkipped(): void
    {
        $this->markTestSkipped('not today');
    }

    public function testIsIncomplete(): void
    {
        $this->markTestIncomplete('to be written');
    }

    public function testIsRisky(): void
    {
    }

    public function testWarns(): void
    {
        $this->addWarning('take care');
        $this->assertTrue(true);
    }

    /** @dataProvider names */
    public function testNames(string $name): void
    {
        $this->assertNotSame('fail', $name);
    }

    public function names(): array
    {
        return ['a b' => ['x'], '[x]: y' => ['x'], 'tür › 日本' => ['x'], 'with "quotes"' => ['x'], ['x'], 'bad' => ['fail']];
    }

    /** @testdox Says it in other words (100 %) */
    public function testOtherwise(): void
    {
        $this->assertTrue(true);
    }

    public function test_snake_case_2(): void
    {
        $this->assertTrue(true);
    }
}
