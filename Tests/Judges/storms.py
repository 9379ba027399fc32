#!/usr/bin/env python3
"""Storms of starts and stops: hundreds of processes, each of which makes and destroys clients, most while they connect.

    storms.py --intentd PATH [--processes N] [--width N] [--seed N] [--reports DIRECTORY] [--only WORDS]

Workers, recorders and commands are started on brokers that answer, are cut off, refuse, go silent after the connection,
close it in the middle of an answer, have an expired certificate or one of an unknown authority, or speak TLS or SASL to
a client that doesn't, or the other way round. A signal ends them after a random time, some twice, some before they have
started. The seed determines who is started where, and when it is stopped.

With KAFKA_HOME, on a Kafka with TLS, SASL and ACLs as well (the guide's, as `secure.py` sets it up).

What counts: a process that was ended by a signal that nobody here has sent, a process with a sanitizer's report (in its
output, or a file in --reports, where ASAN_OPTIONS or TSAN_OPTIONS have `log_path` write them), and a process that does
not end. Exit status: 0 when there is none.
"""

import argparse
import collections
import concurrent.futures
import os
import pathlib
import random
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time

from judging import expect, free_port, until
from proxy import Proxy
from secure import Cluster

COMMANDS = [
    ["work", "resolve"], ["work", "confirm"], ["work", "handle"], ["work", "record"], ["work", "handle", "--instances", "3"],
    ["status"], ["lag"], ["topics", "list"], ["topics", "describe", "requests"], ["tail", "responses"],
]  # fmt: skip
CERTIFICATES = """\
set -eu
umask 077
key() { openssl ecparam -name prime256v1 -genkey -noout -out "$1.key"; }
for ca in known unknown; do key $ca; openssl req -x509 -new -key $ca.key -days 30 -subj "/CN=$ca" -out $ca.pem; done
touch index.txt
echo 01 > serial
cat > ca.cnf <<END
[ca]
default_ca = own
[own]
database = index.txt
serial = serial
new_certs_dir = .
default_md = sha256
policy = any
x509_extensions = server
unique_subject = no
[any]
commonName = supplied
[server]
subjectAltName = DNS:localhost,IP:127.0.0.1
END
sign() {
    key "$1"
    openssl req -new -key "$1.key" -subj /CN=localhost -out "$1.csr"
    openssl ca -batch -config ca.cnf -keyfile "$2.key" -cert "$2.pem" -startdate "$3" -enddate "$4" -in "$1.csr" -out "$1.pem" -notext
}
sign good known 20200101000000Z 20450101000000Z
sign foreign unknown 20200101000000Z 20450101000000Z
sign expired known 20200101000000Z 20200201000000Z
"""
#: How long a process may take to leave. The sanitizers make it slower by a factor of ten.
PATIENCE = 120


class Listener(threading.Thread):
    """Accepts connections and treats each as `serve` does, which gets the socket; keeps them open after that."""

    def __init__(self, serve):
        super().__init__(daemon=True)
        self.serve = serve
        self.socket = socket.create_server(("127.0.0.1", 0), backlog=256)
        self.port = self.socket.getsockname()[1]
        self.open = collections.deque(maxlen=1_000)
        self.start()

    def run(self):
        while True:
            try:
                accepted, _ = self.socket.accept()
            except OSError:
                return
            try:
                self.serve(accepted)
                self.open.append(accepted)
            except OSError:
                accepted.close()

    def close(self):
        self.socket.close()


def close_in_answer(accepted):
    """Half of an answer's length, then the end."""
    accepted.settimeout(1)
    accepted.recv(1024)
    accepted.sendall(b"\0\0")
    accepted.close()


def answer_nonsense(accepted):
    accepted.settimeout(1)
    accepted.recv(1024)
    accepted.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")


class Weather:
    """The brokers of a storm: each a configuration of a client under a name."""

    def __init__(self, options):
        self.options = options
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="intentd-storms-"))
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith("INTENTD_")}
        self.places = {}
        self.closing = []
        self.broker = None

    def place(self, name, port, **properties):
        # YAML reads what JSON's strings are.
        lines = [f'brokers: ["127.0.0.1:{port}"]', "kafka:", '  log_level: "3"']
        lines += [f'  {key.replace("_", ".")}: "{value}"' for key, value in properties.items()]
        path = self.directory / f"{name.replace(' ', '-')}.yaml"
        path.write_text("\n".join(lines) + "\n")
        self.places[name] = path

    def listen(self, serve):
        listener = Listener(serve)
        self.closing.append(listener.close)
        return listener.port

    def front(self, port, certificate=None):
        """A proxy before the broker, with TLS if there is a certificate."""
        context = None
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(self.directory / f"{certificate}.pem", self.directory / f"{certificate}.key")
        proxy = Proxy(free_port(), port, context=context)
        proxy.start()
        proxy.listening.wait(10)
        self.closing.append(proxy.close)
        return proxy

    def begin(self):
        made = subprocess.run(["bash", "-c", CERTIFICATES], cwd=self.directory, capture_output=True, text=True)
        expect(made.returncode == 0, f"no certificates: {made.stderr}")
        self.start_broker()
        cut = self.front(self.port)
        threading.Thread(target=self.cut_again_and_again, args=[cut], daemon=True).start()
        tls = {"security_protocol": "SSL", "ssl_ca_location": self.directory / "known.pem"}
        scram = {"sasl_mechanism": "SCRAM-SHA-512", "sasl_username": "nobody", "sasl_password": "nothing"}
        sasl = {"security_protocol": "SASL_PLAINTEXT"} | scram
        both = tls | {"security_protocol": "SASL_SSL"} | scram
        good = self.front(self.port, "good").port
        silent = self.listen(lambda accepted: None)
        nonsense = self.listen(answer_nonsense)
        closing = self.listen(close_in_answer)
        self.place("plain", self.port)
        self.place("plain cut", cut.port)
        self.place("plain refused", free_port())
        self.place("plain silent", silent)
        self.place("plain nonsense", nonsense)
        self.place("plain closing", closing)
        self.place("plain on tls", good)
        self.place("tls", good, **tls)
        self.place("tls expired", self.front(self.port, "expired").port, **tls)
        self.place("tls foreign", self.front(self.port, "foreign").port, **tls)
        self.place("tls refused", free_port(), **tls)
        self.place("tls silent", silent, **tls)
        self.place("tls nonsense", nonsense, **tls)
        self.place("tls on plain", self.port, **tls)
        self.place("sasl on plain", self.port, **sasl)
        self.place("sasl silent", silent, **sasl)
        self.place("sasl closing", closing, **sasl)
        self.place("sasl tls", good, **both)
        self.place("sasl tls expired", self.front(self.port, "expired").port, **both)
        self.place("sasl tls silent", silent, **both)

    def start_broker(self):
        self.port = free_port()
        log = open(self.directory / "broker.log", "wb")
        words = ["broker", "--listen", f"127.0.0.1:{self.port}", "--data", self.directory]
        self.broker = subprocess.Popen(
            [self.options.intentd, *words], stdout=log, stderr=log, cwd=self.directory, env=self.environment
        )

        def made():
            expect(self.broker.poll() is None, (self.directory / "broker.log").read_text(errors="replace"))
            words = ["topics", "create", "--brokers", f"127.0.0.1:{self.port}"]
            return subprocess.run(
                [self.options.intentd, *words], capture_output=True, cwd=self.directory, env=self.environment, timeout=PATIENCE
            ).returncode == 0

        until(made, PATIENCE, "the topics cannot be made")

    def expect_answer(self, name):
        words = ["topics", "list", "--config", self.places[name]]
        done = subprocess.run(
            [self.options.intentd, *words],
            cwd=self.places[name].parent,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )
        expect(done.returncode == 0, f"{name}: ended with {done.returncode}: {done.stderr[-2000:]}")

    def cut_again_and_again(self, proxy):
        while proxy.is_alive():
            time.sleep(0.7)
            proxy.cut()

    def add_kafka(self, cluster):
        """The guide's Kafka, with its roles, and with clients that it refuses."""
        for role in "resolve", "handle", "recorder", "operator", "auditor":
            self.places[f"kafka {role}"] = cluster.directory / f"{role}.yaml"
        tls, sasl = cluster.ports["9093"], cluster.ports["9094"]
        authority = cluster.directory / "ca.pem"
        scram = {"sasl_mechanism": "SCRAM-SHA-512", "sasl_username": "operator", "sasl_password": "guess"}
        self.place("kafka wrong password", sasl, security_protocol="SASL_SSL", ssl_ca_location=authority, **scram)
        self.place("kafka no certificate", tls, security_protocol="SSL", ssl_ca_location=authority)
        self.place("kafka plain", tls)

    def close(self):
        """Returns whether the broker left as asked."""
        left = True
        if self.broker:
            self.broker.terminate()
            try:
                left = self.broker.wait(PATIENCE) == 0
            except subprocess.TimeoutExpired:
                self.broker.kill()
                left = False
        for close in self.closing:
            close()
        if left:
            shutil.rmtree(self.directory, ignore_errors=True)
        return left


def reports(directory):
    return set(directory.iterdir()) if directory else set()


def start(weather, plan, number):
    """Starts one process, ends it, and returns what came of it: a place, how it ended, and a finding or None."""
    name, words, after, signals = plan
    configuration = weather.places[name]
    # What a worker of that name left is taken over by the next one; two at once fence each other.
    named = ["--name", f"storm-{number % 3}"] if words[0] == "work" else []
    command = [weather.options.intentd, *words, *named, "--config", configuration, "--data", weather.directory]
    process = subprocess.Popen(
        list(map(str, command)),
        # Paths in the guide's configurations are relative.
        cwd=configuration.parent,
        env=weather.environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    )
    which = " and ".join(one.name for one in signals)
    what = f"{name}: {' '.join(words)}, process {process.pid}, {which} after {after:.2f} s"
    sent = set()
    try:
        output, _ = process.communicate(timeout=after)
    except subprocess.TimeoutExpired:
        for one in signals:
            process.send_signal(one)
            sent.add(one)
            time.sleep(0.05)
        try:
            output, _ = process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            output, _ = process.communicate()
            return name, "never", f"{what}, did not end within {PATIENCE} s:\n{output[-2000:]}"
    status = process.returncode
    how = "stopped" if sent else f"by itself with {status}"
    if "Sanitizer" in output:
        return name, how, f"{what}, has a report:\n{output[-6000:]}"
    if status < 0 and -status not in sent:
        return name, how, f"{what}, was ended by {signal.Signals(-status).name}:\n{output[-2000:]}"
    return name, how, None


def plans(weather, options):
    """Every place equally often, with seeded commands, times and signals."""
    choice = random.Random(options.seed)
    names = sorted(weather.places)
    for number in range(options.processes):
        signals = choice.choice([[signal.SIGTERM], [signal.SIGTERM], [signal.SIGINT], [signal.SIGTERM, signal.SIGTERM]])
        # A third of them while they start, the others while they connect, work or wait.
        after = choice.choice([choice.uniform(0, 0.6), choice.uniform(0.3, 3), choice.uniform(1, options.longest)])
        yield names[number % len(names)], choice.choice(COMMANDS), after, signals


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--intentd", required=True, type=pathlib.Path, help="the program")
    parser.add_argument("--processes", type=int, default=400, help="how many are started")
    parser.add_argument("--width", type=int, default=4, help="how many at once")
    parser.add_argument("--longest", type=float, default=8, help="after how many seconds the last one is stopped")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--reports", type=pathlib.Path, help="where the sanitizer writes its reports")
    parser.add_argument("--only", default="", help="only places whose names contain this")
    options = parser.parse_args()
    # What a shell starts in the background ignores SIGINT, and so would every process that is started here.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    options.intentd, options.keep = options.intentd.resolve(), False
    before = reports(options.reports)
    weather, cluster = Weather(options), None
    findings = []
    places, ends = collections.Counter(), collections.Counter()
    began = time.monotonic()
    try:
        weather.begin()
        if os.environ.get("KAFKA_HOME"):
            cluster = Cluster(options)
            cluster.follow_guide()
            weather.add_kafka(cluster)
        else:
            print("SKIP the storms on a Kafka with TLS and SASL: KAFKA_HOME names none")
        # A storm in which nobody could reach a broker would prove nothing.
        for name in ["plain", "tls", *(["kafka operator"] if cluster else [])]:
            weather.expect_answer(name)
        weather.places = {name: path for name, path in weather.places.items() if options.only in name}
        expect(weather.places, f"no place has '{options.only}' in its name")
        with concurrent.futures.ThreadPoolExecutor(options.width) as pool:
            started = [pool.submit(start, weather, plan, number) for number, plan in enumerate(plans(weather, options))]
            for one in concurrent.futures.as_completed(started):
                name, how, finding = one.result()
                places[name] += 1
                ends[f"{name.split()[0]}: {how}"] += 1
                if finding:
                    findings.append(finding)
                    print(f"FAIL {finding}", flush=True)
    finally:
        if cluster:
            cluster.close()
        left = weather.close()
    if not left:
        findings.append(f"the embedded broker did not leave as asked: see {weather.directory}")
        print(f"FAIL {findings[-1]}")
    for report in sorted(reports(options.reports) - before):
        findings.append(str(report))
        print(f"FAIL a report in {report}:\n{report.read_text(errors='replace')[:6000]}")
    for how, count in sorted(ends.items()):
        print(f"     {count:5} {how}")
    seconds = time.monotonic() - began
    print(f"{places.total()} processes on {len(places)} kinds of brokers in {seconds:.0f} s: {len(findings)} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
