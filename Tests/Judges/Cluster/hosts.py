"""Hosts of a network: network namespaces on one bridge, whose links are cut, slowed down and made lossy.

The process that uses this is in namespaces of its own (`cluster.sh`), so everything ends with it. Its own network namespace
has the bridge, and is the host of clients and proxies.
"""

import subprocess

NETWORK = "10.77.0"
CLIENT = f"{NETWORK}.1"
BRIDGE = "bridge"


def run(*words):
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode:
        raise OSError(f"{' '.join(words)}: {done.stderr.strip()}")


class Host:
    """A host with one link to the bridge."""

    def __init__(self, name, number):
        self.name = name
        self.address = f"{NETWORK}.{number}"
        self.link = f"link{number}"
        run("ip", "netns", "add", name)
        run("ip", "link", "add", self.link, "type", "veth", "peer", "name", "eth0", "netns", name)
        run("ip", "link", "set", self.link, "master", BRIDGE, "up")
        self.inside("ip", "link", "set", "lo", "up")
        self.inside("ip", "address", "add", f"{self.address}/24", "dev", "eth0")
        self.inside("ip", "link", "set", "eth0", "up")
        self.inside("nft", "add", "table", "inet", "faults")
        self.inside("nft", "add", "chain", "inet", "faults", "input", "{ type filter hook input priority 0; }")

    def command(self, *words):
        """The command line that runs these words on this host."""
        return ["nsenter", f"--net=/run/netns/{self.name}", *words]

    def inside(self, *words):
        run(*self.command(*words))

    def rules(self, *rules):
        """Replaces what is dropped of what arrives."""
        self.inside("nft", "flush", "chain", "inet", "faults", "input")
        for rule in rules:
            self.inside("nft", "add", "rule", "inet", "faults", "input", *rule.split(), "drop")

    def cut(self):
        """Nothing arrives and nothing leaves; connections stay as they are."""
        run("ip", "link", "set", self.link, "down")

    def join(self):
        run("ip", "link", "set", self.link, "up")

    def slow(self, rate):
        """Both ways through the link have so many bits a second."""
        for way in (["tc"], self.command("tc")):
            device = self.link if way == ["tc"] else "eth0"
            run(*way, "qdisc", "replace", "dev", device, "root", "tbf", "rate", rate, "burst", "16kb", "latency", "300ms")

    def fast(self):
        for way in (["tc"], self.command("tc")):
            subprocess.run([*way, "qdisc", "del", "dev", self.link if way == ["tc"] else "eth0", "root"], capture_output=True)

    def lose(self, percent):
        """So many of a hundred packets that arrive are lost."""
        self.rules(f"numgen random mod 100 < {percent}")

    def part(self, others):
        """Nothing arrives from these hosts."""
        self.rules(*(f"ip saddr {other.address}" for other in others))


class Network:
    """The bridge and its hosts."""

    def __init__(self):
        self.hosts = {}
        run("ip", "link", "set", "lo", "up")
        run("ip", "link", "add", BRIDGE, "type", "bridge")
        run("ip", "address", "add", f"{CLIENT}/24", "dev", BRIDGE)
        run("ip", "link", "set", BRIDGE, "up")

    def host(self, name):
        """The host of that name; made when it is first asked for."""
        if name not in self.hosts:
            self.hosts[name] = Host(name, 11 + len(self.hosts))
        return self.hosts[name]

    @staticmethod
    def missing():
        """What this kernel or machine lacks; nothing when hosts can be made."""
        try:
            network = Network()
            trial = network.host("trial")
            trial.slow("1mbit")
            trial.fast()
            trial.lose(1)
            trial.rules()
            run("ip", "netns", "delete", trial.name)
            run("ip", "link", "delete", BRIDGE)
            return None
        except OSError as error:
            return str(error)
