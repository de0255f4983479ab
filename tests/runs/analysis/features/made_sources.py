"""Source files with functions and classes, in Python and in JavaScript."""

from __future__ import annotations

TIDE = '''import math

LEVEL = 3


class Table:
    """Tides."""

    @property
    def high(self):
        level = self.base + 2
        return level

    def low(self):
        return min(self.levels)


def moon(day):
    return math.sin(day)
'''


CLOCK = """export class Clock {
  tick(now) {
    if (now > this.last) {
      this.last = now;
    }
  }

  stop() {
    return false;
  }
}

const start = (zone) => {
  return new Clock(zone);
};

int main(void)
{
  return run(0);
}
"""
