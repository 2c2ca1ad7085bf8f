"""Ranks in network namespaces of their own (Debian: iproute2), each with a line to a switch in one more."""
import os
import shutil
import subprocess

PORT = 29511


class Skipped(Exception):
    pass


def quietly(*words):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False)


def setup(*words):
    done = quietly(*words)
    if done.returncode != 0:
        raise Skipped(f"{' '.join(map(str, words))}: {done.stderr.strip()}")


class Network:
    """A namespace for each rank, each with a line to a switch."""

    def __init__(self, ranks):
        self.prefix = f"dshn{os.getpid()}"
        self.ranks = ranks
        self.made = []

    def __enter__(self):
        if shutil.which("ip") is None or shutil.which("tc") is None:
            raise Skipped("there is no ip or no tc (Debian: iproute2)")
        try:
            self.make()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for name in self.made:
            quietly("ip", "netns", "delete", name)

    def space(self, rank):
        return f"{self.prefix}-{rank}"

    def add(self, name):
        setup("ip", "netns", "add", name)
        self.made.append(name)
        setup("ip", "-n", name, "link", "set", "lo", "up")

    def make(self):
        switch = f"{self.prefix}-switch"
        self.add(switch)
        setup("ip", "-n", switch, "link", "add", "bridge0", "type", "bridge")
        setup("ip", "-n", switch, "link", "set", "bridge0", "up")
        for rank in range(self.ranks):
            self.add(self.space(rank))
            setup("ip", "-n", self.space(rank), "link", "add", "line", "type", "veth", "peer", "name", f"rank{rank}", "netns",
                  switch)
            setup("ip", "-n", switch, "link", "set", f"rank{rank}", "master", "bridge0", "up")
            setup("ip", "-n", self.space(rank), "address", "add", f"10.77.0.{rank + 1}/24", "dev", "line")
            setup("ip", "-n", self.space(rank), "link", "set", "line", "up")

    def start(self, rank, *words, folder=None):
        """A process of that rank, told its place as torchrun tells it."""
        place = {"RANK": str(rank), "WORLD_SIZE": str(self.ranks), "MASTER_ADDR": "10.77.0.1", "MASTER_PORT": str(PORT)}
        return subprocess.Popen(["ip", "netns", "exec", self.space(rank), *map(str, words)], cwd=folder,
                                env={**os.environ, **place}, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                text=True)

    def cut(self, rank):
        """Takes down the switch's end of a line: nobody is told."""
        setup("ip", "-n", f"{self.prefix}-switch", "link", "set", f"rank{rank}", "down")

    def mend(self, rank):
        setup("ip", "-n", f"{self.prefix}-switch", "link", "set", f"rank{rank}", "up")

    def slow_down(self, milliseconds, megabits):
        """A bucket of tokens limits a line; delay needs netem."""
        burst = max(65536, int(megabits * 1e6 / 8 / 100))
        how = (["netem", "delay", f"{milliseconds}ms", "rate", f"{megabits}mbit", "limit", 100000] if milliseconds > 0 else
               ["tbf", "rate", f"{megabits}mbit", "burst", burst, "limit", 100 * burst])
        for rank in range(self.ranks):
            quietly("tc", "-n", self.space(rank), "qdisc", "delete", "dev", "line", "root")
            setup("tc", "-n", self.space(rank), "qdisc", "add", "dev", "line", "root", *how)

    def carried(self):
        """Bytes that all ranks have sent, with what TCP adds."""
        return sum(int(quietly("ip", "netns", "exec", self.space(rank), "cat", "/sys/class/net/line/statistics/tx_bytes")
                       .stdout or 0) for rank in range(self.ranks))
