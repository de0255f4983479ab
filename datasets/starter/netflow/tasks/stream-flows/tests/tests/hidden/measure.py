"""measure.py CPU_SECONDS COMMAND...: runs it, its output thrown away; prints exit status, CPU seconds, peak KiB.

A small process of its own, because a child's peak memory is never less than that of the process that started it.
"""

import os
import resource
import subprocess
import sys

limit = int(sys.argv[1])
resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
child = subprocess.Popen(sys.argv[2:], stdout=subprocess.DEVNULL)
_, status, usage = os.wait4(child.pid, 0)
print(os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime, usage.ru_maxrss)
