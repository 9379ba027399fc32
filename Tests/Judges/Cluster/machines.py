"""A deployment on several hosts: three brokers, PostgreSQL, each worker, and the recorder on a host of its own."""

import os
import signal
import struct
import subprocess
import time

from confluent_kafka import ElectionType, KafkaException
from confluent_kafka.admin import AdminClient, ConfigResource

import history
import kafka
from breakable import STAGES, Deployment, Process
from hosts import CLIENT, Network
from judging import Program, expect, until
from ledger import Ledger
from pipeline import ROOT
from proxy import Proxy


class Proxies:
    """A proxy for each broker; a fault affects all of them."""

    def __init__(self, network, seed):
        self.all = [
            Proxy(port, kafka.PROXIED, seed=seed, listen=CLIENT, broker=network.host(f"broker-{number}").address)
            for number, port in kafka.PROXIES.items()
        ]
        self.listening = self.all[-1].listening

    def __getattr__(self, name):
        def each(*arguments):
            for proxy in self.all:
                getattr(proxy, name)(*arguments)

        return each

    held = property(lambda self: sum(proxy.held for proxy in self.all))
    lost = property(lambda self: sum(proxy.lost for proxy in self.all))


class Worker(Process):
    """A process of intentd on its host, with a clock that can be set wrong."""

    def __init__(self, deployment, name, words, brokers, data):
        self.host = deployment.network.host(name)
        self.data = data
        self.clock = deployment.directory / f"{name}.clock"
        self.set_clock(0)
        super().__init__(deployment, name, words, brokers)

    def set_clock(self, seconds):
        """Sets it fast or slow, at once."""
        with open(self.clock, "r+b" if self.clock.exists() else "wb") as file:
            file.write(struct.pack("<q", seconds))

    def start(self):
        command = self.host.command(*self.deployment.words(*self.words, brokers=self.brokers, data=self.data))
        environment = os.environ | {"LD_PRELOAD": self.deployment.options.clock, "CLOCK_FILE": str(self.clock)}
        # SIGXFSZ stays ignored, as Python has it: a write beyond the limit fails, as on a full disk.
        self.running = Program(
            command, stdout=self.log, stderr=self.log, stdin=subprocess.DEVNULL, cwd=ROOT, restore_signals=False, env=environment
        )


class Machines(Deployment):
    """The hosts, what runs on them, and the means to break both."""

    faults = {
        "kill resolve": 7, "kill confirm": 7, "kill handle": 7, "kill record": 5, "kill broker": 6, "kill ledger": 5,
        "stop resolve": 2, "stop confirm": 2, "stop handle": 2, "stop record": 1, "stop broker": 3,
        "more workers": 3, "fewer workers": 4,
        "slow network": 2, "cut network": 3, "silent network": 2, "held commits": 5,
        "off worker": 6, "off broker": 5, "off record": 2, "off ledger": 3, "apart broker": 4,
        "thin worker": 3, "thin broker": 3, "thin ledger": 2, "lossy worker": 4, "lossy broker": 3, "lossy ledger": 3,
        "clock worker": 8, "elect leaders": 4,
        "restart ledger": 3, "cut ledger": 4, "locked ledger": 3, "locked records": 2,
    }  # fmt: skip
    settings = """\
prompts:
  timeout: 20m
"""

    def __init__(self, options):
        self.network = Network()
        self.ledger = Ledger(self.network.host("ledger"))
        os.environ["INTENTD_LEDGER"] = self.ledger.address
        self.brokers = []
        options.brokers = ",".join(f"{self.network.host(f'broker-{number}').address}:{kafka.PORT}" for number in kafka.PROXIES)
        options.kill_broker = None
        super().__init__(options)

    def make_proxy(self):
        return Proxies(self.network, self.options.seed)

    def words(self, *words, brokers, data=None, configuration=None):
        options = ["--data", str(data or self.directory), "--config", str(configuration or self.configuration)]
        options += ["--prefix", self.prefix]
        if self.options.definitions:
            options += ["--definitions", self.options.definitions]
        return [self.options.intentd, *words, *options, "--brokers", brokers]

    def command(self, *words, definitions=True):
        return [*super().command(*words, definitions=definitions), "--config", str(self.configuration)]

    @property
    def store(self):
        return self.ledger.address

    def effects(self):
        """What the ledger has, by the store's own count."""
        return history.read_server(self.store)["effects"]

    def fill_store(self):
        """The gym's intents begin with nothing."""

    def begin(self):
        self.brokers = kafka.start(self, self.options.kafka, self.network)
        self.admin = AdminClient({"bootstrap.servers": self.address, "log_level": 2})

        def knows_all(broker):
            try:
                admin = AdminClient({"bootstrap.servers": f"{broker.host.address}:{kafka.PORT}", "log_level": 2})
                return len(admin.list_topics(timeout=2).brokers) == len(self.brokers)
            except KafkaException:
                return False

        # The defaults for topics follow from the brokers that one of them knows.
        until(lambda: all(map(knows_all, self.brokers)), 300, "not all brokers know each other")
        self.begin_working()

    def create_topics(self):
        """With the defaults: their replication has to be safe by itself."""
        super().create_topics()
        topics = self.admin.list_topics(timeout=10).topics
        copies = {len(partition.replicas) for name, topic in topics.items() if name.startswith(self.prefix)
                  for partition in topic.partitions.values()}  # fmt: skip
        expect(copies == {3}, f"topics have {copies} copies")
        topic = ConfigResource(ConfigResource.Type.TOPIC, self.topic("requests"))
        needed = self.admin.describe_configs([topic])[topic].result()["min.insync.replicas"]
        expect((needed.value, needed.is_default) == ("2", False), f"a write needs {needed.value} copies")

    def add(self, role):
        """Starts one more, on the host of its name; every second one connects to the brokers through the proxies."""
        number = len(self.members[role])
        proxied = ",".join(f"{CLIENT}:{port}" for port in kafka.PROXIES.values())
        name = f"{role}-{number}"
        data = self.directory
        words = ["work", role, "--name", name]
        if role in STAGES:
            data = self.directory / name
            data.mkdir(mode=0o700, exist_ok=True)
            words.append("--scripted")
        brokers = proxied if number % 2 else self.address
        self.members[role].append(Worker(self, name, words, brokers, data))

    @property
    def servers(self):
        return self.brokers

    # Faults

    def someone(self, role):
        """A worker of the role, or of any; a broker only while the others are well: two of three have to be."""
        if role == "ledger":
            return None if self.ledger.is_stopped else self.ledger
        if role == "worker":
            role = self.random.choice(STAGES)
        if role != "broker":
            return super().someone(role)
        well = [one for one in self.brokers if not one.is_stopped and one.is_back]
        return self.random.choice(well) if len(well) == len(self.brokers) else None

    def kill(self, what):
        process = self.someone(what)
        if process is self.ledger:
            return self.away(self.ledger.crash)
        if process:
            process.kill(self.random.choice([0, 0, 1, 3, 15]))
        return process

    def restart(self, what):
        """PostgreSQL leaves in order and comes back."""
        return self.someone(what) and self.away(self.ledger.stop)

    def away(self, stop):
        """PostgreSQL stops in some way, and is started again after a while."""
        stop()
        self.ledger.is_stopped = True

        def start():
            self.ledger.start()
            self.ledger.is_stopped = False

        self.after(self.random.choice([0, 1, 3, 8]), start)
        return True

    def cut(self, what):
        if what != "ledger":
            return super().cut(what)
        if self.ledger.is_stopped:
            return False
        self.ledger.cut()
        return True

    def locked(self, what):
        """Another session has the table of effects for itself for a while."""
        if what != "ledger":
            return super().locked(what)
        if self.ledger.is_stopped:
            return False
        self.ledger.lock(self.random.choice([0.5, 3, 8]))
        return True

    def stop(self, what):
        """For a moment, or for longer than sessions and transactions last; of a broker, until others lead."""
        process = self.someone(what)
        if not process or process.running.poll() is not None:
            return False
        self.hold(process, self.random.choice([2, 11, 15, 20]), signal.SIGSTOP)
        return True

    def hold(self, process, seconds, stopping):
        running = process.running
        running.send_signal(stopping)
        process.is_stopped = True

        def go_on():
            if running.poll() is None:
                running.send_signal(signal.SIGCONT)
            process.is_stopped = False

        self.after(seconds, go_on)

    def trouble(self, what, seconds, begin, end):
        """A fault of the link of somebody's host for a while."""
        process = self.someone(what)
        if not process:
            return False
        begin(process.host)
        process.is_stopped = True

        def mend():
            end(process.host)
            process.is_stopped = False

        self.after(seconds, mend)
        return True

    def off(self, what):
        """The host is cut off from all others; that of PostgreSQL for less than the tries of an effect take."""
        seconds = self.random.choice([1, 5, 14] if what == "ledger" else [1, 5, 14, 25])
        return self.trouble(what, seconds, lambda host: host.cut(), lambda host: host.join())

    def apart(self, what):
        """The broker hears nothing of the other brokers; clients still reach it."""
        others = [broker.host for broker in self.brokers]
        return self.trouble(what, self.random.choice([3, 12, 20]), lambda host: host.part(others), lambda host: host.rules())

    def thin(self, what):
        rate = self.random.choice(["256kbit", "1mbit", "4mbit"])
        return self.trouble(what, self.random.uniform(3, 15), lambda host: host.slow(rate), lambda host: host.fast())

    def lossy(self, what):
        percent = self.random.choice([2, 10, 30])
        return self.trouble(what, self.random.uniform(3, 15), lambda host: host.lose(percent), lambda host: host.rules())

    def clock(self, what):
        """Fast or slow by minutes, until it is set again; less than a prompt waits for its answer."""
        process = super().someone(self.random.choice([*STAGES, "record"]))
        if not process:
            return False
        seconds = self.random.choice([-540, -61, -5, 5, 61, 540])
        began = time.time() * 1_000
        process.set_clock(seconds)

        def right():
            process.set_clock(0)
            self.clocks.append((began, time.time() * 1_000, seconds * 1_000))

        self.after(self.random.uniform(5, 60), right)
        return True

    def elect(self, what):
        """The preferred brokers lead again."""
        try:
            self.admin.elect_leaders(ElectionType.PREFERRED, None).result(20)
        except (KafkaException, TimeoutError):
            return False
        return True

    def close(self):
        super().close()
        self.ledger.close(self.options.keep)
