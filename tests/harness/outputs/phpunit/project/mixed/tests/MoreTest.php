<?php
namespace Deep\Down;

use PHPUnit\Framework\TestCase;

final class MoreTest extends TestCase
{
    protected function setUp(): void
    {
        if ($this->getName() === 'testHasNoSetUp') {
            throw new \RuntimeException('no set-up');
        }
    }

    public function testPasses(): void
    {
        $this->assertTrue(true);
    }

    public function testHasNoSetUp(): void
    {
        $this->assertTrue(true);
    }
}
