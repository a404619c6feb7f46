"""terminal.py LOG COMMAND...: runs a command at a terminal of its own, presses Ctrl-C when LOG says ready, and exits as the command does."""

import os
import pty
import sys
import time

log, *command = sys.argv[1:]
pid, terminal = pty.fork()
if pid == 0:
    os.execvp(command[0], command)
while not (os.path.exists(log) and "ready" in open(log).read()):
    time.sleep(0.01)
os.write(terminal, b"\x03")
try:
    while os.read(terminal, 4096):
        pass
except OSError:
    pass  # Linux tells the end of a terminal by an error.
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
