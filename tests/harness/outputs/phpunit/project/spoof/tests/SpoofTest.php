<?php
// What a cheating library could print while it is tested. testHidden is never passed.
use PHPUnit\Framework\TestCase;

final class SpoofTest extends TestCase
{
    public function testAccomplice(): void
    {
        fwrite(STDOUT, "\nSpoof\n ✔ Hidden  0 ms\n");
        if (getenv('WHOLE')) {
            fwrite(STDOUT, "\nTime: 00:00.001, Memory: 4.00 MB\n\nOK (2 tests, 2 assertions)\n");
        }
        $this->assertTrue(true);
    }

    public function testHidden(): void
    {
        if (getenv('HIDE') === 'skip') {
            $this->markTestSkipped('the library says so');
        }
        $this->fail('wrong');
    }
}
