"""Three Kafka brokers on hosts of their own, each a controller as well."""

import os
import subprocess
import time

from breakable import Process
from hosts import CLIENT

#: Of each broker: for clients and brokers, for controllers, and for clients that come through a proxy.
PORT, CONTROLLER, PROXIED = 9092, 9093, 9094
#: The ports at which the proxies of the brokers 1 to 3 listen, on the clients' host.
PROXIES = {1: 19001, 2: 19002, 3: 19003}
SETTINGS = """\
process.roles=broker,controller
node.id={number}
controller.quorum.voters={voters}
listeners=PLAINTEXT://{address}:9092,PROXIED://{address}:9094,CONTROLLER://{address}:9093
advertised.listeners=PLAINTEXT://{address}:9092,PROXIED://{client}:{proxy}
listener.security.protocol.map=PLAINTEXT:PLAINTEXT,PROXIED:PLAINTEXT,CONTROLLER:PLAINTEXT
inter.broker.listener.name=PLAINTEXT
controller.listener.names=CONTROLLER
controller.quorum.fetch.timeout.ms=6000
controller.quorum.election.timeout.ms=3000
log.dirs={directory}/data
offsets.topic.replication.factor=3
offsets.topic.num.partitions=10
transaction.state.log.replication.factor=3
transaction.state.log.min.isr=2
transaction.state.log.num.partitions=10
min.insync.replicas=2
group.initial.rebalance.delay.ms=0
auto.create.topics.enable=false
auto.leader.rebalance.enable=true
leader.imbalance.check.interval.seconds=20
"""
CLUSTER = "MkU3OEVBNTcwNTJENDM2Qk"


class Broker(Process):
    """A broker; restarted when it ends."""

    def __init__(self, deployment, home, number, host, voters):
        self.home = home
        self.host = host
        self.files = deployment.directory / f"broker-{number}"
        self.files.mkdir()
        self.settings = self.files / "server.properties"
        self.settings.write_text(
            SETTINGS.format(
                number=number, voters=voters, address=host.address, client=CLIENT, proxy=PROXIES[number], directory=self.files
            )
        )
        self.call("kafka-storage.sh", "format", "-t", CLUSTER, "-c", str(self.settings))
        super().__init__(deployment, f"broker-{number}", [], None)

    @property
    def is_back(self):
        """Whether it has run for long enough to hold what the others hold."""
        return self.running.poll() is None and time.monotonic() - self.began > 20

    @property
    def environment(self):
        return os.environ | {
            "KAFKA_HEAP_OPTS": "-Xms128m -Xmx512m",
            "KAFKA_JVM_PERFORMANCE_OPTS": "-XX:+UseSerialGC -Djava.awt.headless=true",
            "KAFKA_JMX_OPTS": " ",
            "LOG_DIR": str(self.files / "logs"),
        }

    def call(self, script, *words):
        done = subprocess.run(
            self.host.command(f"{self.home}/bin/{script}", *words), env=self.environment, capture_output=True, text=True
        )
        if done.returncode:
            raise AssertionError(f"{script}: {done.stdout}{done.stderr}")

    def start(self):
        command = self.host.command(f"{self.home}/bin/kafka-server-start.sh", str(self.settings))
        self.began = time.monotonic()
        self.running = subprocess.Popen(
            command, stdout=self.log, stderr=self.log, stdin=subprocess.DEVNULL, env=self.environment
        )


def start(deployment, home, network):
    """Starts three brokers; returns them."""
    hosts = {number: network.host(f"broker-{number}") for number in PROXIES}
    voters = ",".join(f"{number}@{host.address}:{CONTROLLER}" for number, host in hosts.items())
    return [Broker(deployment, home, number, host, voters) for number, host in hosts.items()]
