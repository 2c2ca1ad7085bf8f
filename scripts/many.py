"""The program many times over, by way of dshn_many (tests/cli/many.cpp): a request is a fork, not a start."""
import json
import os
import subprocess

# One thread: a process that is forked has no others, and many are run side by side.
ALONE = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1",
         "DSHN_NUM_THREADS": "1"}


class Many:
    """One such process; one request at a time."""

    def __init__(self, many):
        self.process = subprocess.Popen([many], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=ALONE, text=True)

    def run(self, words, **request):
        """What came of it: status, timed_out, out, err, and where it came to its end calls and happened."""
        self.process.stdin.write(json.dumps({"words": [str(word) for word in words], **request}) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit("dshn_many ended by itself")
        return json.loads(line)

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def says_one_line(done):
    return done["err"].endswith("\n") and done["err"].count("\n") == 1
