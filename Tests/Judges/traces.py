"""Traces as a collector receives them: decoded with OpenTelemetry's own definitions of OTLP.

  traces.py --intentd PROGRAM [--only WORD]

A client has conversations with `intentd up`, with and without a trace of its own. The collector here is a small HTTP
server that keeps what it is sent.
"""

import http.server
import json
import os
import pathlib
import shutil
import signal
import tempfile
import threading
import time
import urllib.request

from confluent_kafka import Consumer, Producer
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest, ExportTraceServiceResponse
from opentelemetry.proto.trace.v1.trace_pb2 import Span, Status

from judging import Program, expect, free_port, judge_with, until

ROOT = pathlib.Path(__file__).resolve().parents[2]
# What people say: no span may hold it.
WORDS = ["Jeff", "secret-note", "traced-user", "Old Mill"]
JUDGES = []


def judge(made):
    JUDGES.append(made)
    return made


class Collector(http.server.ThreadingHTTPServer):
    """Keeps the requests that it is sent; `status` is its answer."""

    daemon_threads = True

    def __init__(self):
        self.kept, self.refused, self.status = [], 0, 200
        super().__init__(("127.0.0.1", 0), self.Handler)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def address(self):
        return f"http://127.0.0.1:{self.server_port}"

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"]))
            status = self.server.status
            if status == 200:
                self.server.kept.append((self.path, self.headers["Content-Type"], body))
            else:
                self.server.refused += 1
            answer = ExportTraceServiceResponse().SerializeToString()
            self.send_response(status)
            self.send_header("Content-Type", "application/x-protobuf")
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *_):
            pass

    def requests(self):
        return [ExportTraceServiceRequest.FromString(body) for _, _, body in list(self.kept)]

    def spans(self, trace=None):
        every = [
            span for request in self.requests() for resource in request.resource_spans
            for scope in resource.scope_spans for span in scope.spans
        ]
        return [span for span in every if trace is None or span.trace_id.hex() == trace]


class Traced:
    """A deployment that traces every request, with a client and a collector."""

    def __init__(self, intentd):
        self.collector = Collector()
        self.directory = tempfile.mkdtemp(prefix="intentd-traces-")
        self.data = f"{self.directory}/data"
        self.monitoring = f"127.0.0.1:{free_port()}"
        self.log = open(f"{self.directory}/up.log", "wb")
        self.up = Program(
            [intentd, "up", "--data", self.data, "--demo-user", "traced-user", "--trace-sample", "1"],
            stdout=self.log, stderr=self.log, cwd=ROOT,
            env={
                **os.environ, "INTENTD_CONSOLE_LISTEN": "none", "INTENTD_MONITORING_LISTEN": self.monitoring,
                "INTENTD_TRACING_ENDPOINT": self.collector.address,
            },
        )
        address = pathlib.Path(f"{self.data}/broker.address")
        until(lambda: self.ready(), 60, "it is not ready")
        # At the end the broker is gone, and the clients would say so all the time.
        common = {"bootstrap.servers": address.read_text().strip(), "log_level": 0}
        self.producer = Producer({**common, "partitioner": "murmur2_random"})
        self.consumer = Consumer({**common, "group.id": "traces-judge", "auto.offset.reset": "earliest"})
        self.consumer.subscribe(["intents.resolved", "intents.confirmed", "intents.responses", "intents.journal"])
        self.records = []

    def ready(self):
        try:
            with urllib.request.urlopen(f"http://{self.monitoring}/readyz", timeout=5) as reply:
                return reply.status == 200
        except OSError:
            return False

    def metric(self, name):
        with urllib.request.urlopen(f"http://{self.monitoring}/metrics", timeout=5) as reply:
            lines = reply.read().decode().splitlines()
        return sum(float(line.rsplit(" ", 1)[1]) for line in lines if line.split("{")[0].split(" ")[0] == name)

    def close(self):
        self.consumer.close()
        if self.up.poll() is None:
            self.up.send_signal(signal.SIGTERM)
        expect(self.up.wait(30) == 0, "it did not leave cleanly")
        self.log.close()
        self.collector.shutdown()
        shutil.rmtree(self.directory)

    def send(self, kind, data, subject=None, headers={}):
        headers = {"ce_type": kind, **headers}
        if subject:
            headers["ce_subject"] = subject
        self.producer.produce(
            "intents.requests", key="traced-user",
            value=json.dumps({**data, "user": {"id": "traced-user"}}),
            headers=[(name, value.encode()) for name, value in headers.items()],
        )
        self.producer.flush(30)

    def next(self, subject):
        """The next answer of an interaction; what the stages tell each other is kept on the way."""
        def came():
            record = self.consumer.poll(0.5)
            if record is None or record.error():
                return None
            headers = {name: value.decode() for name, value in record.headers() or []}
            self.records.append((record.topic(), headers))
            if record.topic() == "intents.responses" and headers.get("ce_subject") == subject:
                return headers["ce_type"], json.loads(record.value()), headers
            return None
        return until(came, 60, f"{subject} is not answered")

    def pay(self, subject, first={}, later={}):
        """A payment with two questions, each answered with these headers; returns all answers."""
        self.send("intent.requested", {"intent": {"name": "INSendPaymentIntent", "parameters": {
            "payee": "Jeff", "note": "secret-note", "currencyAmount": {"amount": "5", "currencyCode": "EUR"}}},
            "device": {"id": "phone", "locked": False}}, subject, first)
        answers = []
        while True:
            kind, data, headers = self.next(subject)
            answers.append((kind, data, headers))
            if data.get("terminal"):
                expect(data["status"] == "success", f"{data}")
                return answers
            if kind == "prompt.issued":
                choice = {"choice": 1} if data["kind"] == "disambiguation" else {}
                self.send("prompt.answered", {"promptId": data["promptId"], "action": "accept", **choice}, None, later)

    def trace(self, trace, count):
        """The spans of a trace, once it has so many turns."""
        def complete():
            spans = self.collector.spans(trace)
            return spans if len(turns(spans)) >= count else None
        return until(complete, 30, f"{trace}: not {count} turns, but {sorted(s.name for s in self.collector.spans(trace))}")


def turns(spans):
    return [span for span in spans if span.name.startswith("process ")]


def attributes(holder):
    return {pair.key: getattr(pair.value, pair.value.WhichOneof("value")) for pair in holder.attributes}


CLIENT = ("4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7")
LATER = ("c0ffee00c0ffee00c0ffee00c0ffee00", "c0ffee00c0ffee00")


def parent(ids, flags="01"):
    return f"00-{ids[0]}-{ids[1]}-{flags}"


@judge
def a_conversation_is_one_tree_below_the_clients_span(traced):
    answers = traced.pay(
        "tree", {"traceparent": parent(CLIENT), "tracestate": "vendor=1"}, {"traceparent": parent(LATER)}
    )
    kinds = [kind for kind, _, _ in answers]
    expect(kinds == ["prompt.issued", "prompt.issued", "intent.responded"], f"{kinds}")
    spans = traced.trace(CLIENT[0], 5)
    of = {span.span_id: span for span in spans}
    expect(len(of) == len(spans), "two spans have one id")
    made = sorted(turns(spans), key=lambda span: span.start_time_unix_nano)
    names = [span.name for span in made]
    # The answer to confirm's prompt reaches confirm by way of resolve, which passes it on.
    expect(names == ["process intents.requests"] * 2 + ["process intents.resolved"] * 2 + ["process intents.confirmed"],
           f"{names}")
    for span in made:
        expect(span.parent_span_id.hex() == CLIENT[1], f"{span.name} is not in the client's span")
        expect(span.kind == Span.SPAN_KIND_CONSUMER, f"{span.kind}")
        expect(span.trace_state == "vendor=1", f"{span.trace_state}")
        # Both bits: it is known whether the parent is remote, and it is.
        expect(span.flags & 0x301 == 0x301, f"{span.flags:x}")
        expect(span.start_time_unix_nano <= span.end_time_unix_nano <= time.time_ns(), "times")
    for span in spans:
        expect(span.parent_span_id in of or span.parent_span_id.hex() == CLIENT[1], f"{span.name} hangs on nothing")
        if span.parent_span_id in of:
            outer = of[span.parent_span_id]
            expect(outer.start_time_unix_nano <= span.start_time_unix_nano
                   and span.end_time_unix_nano <= outer.end_time_unix_nano, f"{span.name} is not within {outer.name}")
    handled = next(span for span in made if span.name == "process intents.confirmed")
    within = [span.name for span in spans if span.parent_span_id == handled.span_id]
    expect("commit" in within and "effect sendPayment" in within, f"{within}")
    expect(sum(span.name == "commit" for span in spans) == len(made), "not each turn has a commit")
    linked = [span for span in made if span.links]
    expect(len(linked) == 2, f"{len(linked)} turns are linked, not those of two answers")
    for span in linked:
        expect([(link.trace_id.hex(), link.span_id.hex()) for link in span.links] == [LATER], f"{span.links}")
    asked = [event for span in made for event in span.events if event.name == "prompt issued"]
    expect([attributes(event) for event in asked] == [
        {"prompt.kind": "disambiguation"}, {"prompt.kind": "intentConfirmation"}], f"{asked}")
    # Resolve no longer has the interaction that it passes an answer on for.
    passed_on = [attributes(span)["outcome"] for span in turns(traced.trace(LATER[0], 1))]
    expect(passed_on == ["forwarded"], f"{passed_on}")


@judge
def attributes_follow_the_conventions_for_messaging(traced):
    traced.pay("attributes", {"traceparent": parent(("a" * 32, "b" * 16))})
    made = turns(traced.trace("a" * 32, 5))
    for span in made:
        said = attributes(span)
        for key, value in {
            "messaging.system": "kafka", "messaging.operation.name": "process", "messaging.operation.type": "process",
            "messaging.destination.name": span.name.split(" ")[1], "interaction.id": "attributes",
            "intent": "INSendPaymentIntent", "result": "committed",
            "messaging.consumer.group.name": f"intents.{said['stage']}",
        }.items():
            expect(said.get(key) == value, f"{span.name}: {key} is {said.get(key)}")
        expect(isinstance(said["messaging.kafka.offset"], int), "offset")
        expect(said["messaging.destination.partition.id"].isdigit(), "partition")
        expect(span.status.code == Status.STATUS_CODE_UNSET, f"{span.status}")
    ended = [attributes(span) for span in made if "code" in attributes(span)]
    expect([(said["code"], said["end_reason"]) for said in ended] == [("success", "nominal")], f"{ended}")


@judge
def records_carry_what_the_client_wrote_and_nothing_else(traced):
    traced.records = []
    traced.pay("carried", {"traceparent": parent(("d" * 32, "e" * 16)), "tracestate": "a=1"}, {"traceparent": parent(LATER)})
    own = [(topic, headers) for topic, headers in traced.records if headers.get("ce_subject") == "carried"]
    expect({topic for topic, _ in own} >= {"intents.resolved", "intents.confirmed", "intents.responses"}, f"{own}")
    for topic, headers in own:
        if topic != "intents.journal":
            carried = (headers.get("traceparent"), headers.get("tracestate"))
            expect(carried == (parent(("d" * 32, "e" * 16)), "a=1"), f"{topic}: {carried}")
    traced.records = []
    traced.pay("bare")
    expect(all("traceparent" not in headers for _, headers in traced.records if headers.get("ce_subject") == "bare"),
           "a record has a context that no client sent")


@judge
def a_request_without_a_context_begins_a_trace(traced):
    traced.pay("begins", {}, {"traceparent": parent(LATER)})

    def root():
        return [span for span in traced.collector.spans()
                if span.name == "interaction" and attributes(span).get("interaction.id") == "begins"]
    until(root, 30, "there is no first span")
    (first,) = root()
    expect(not first.parent_span_id, "the first span has a parent")
    spans = traced.trace(first.trace_id.hex(), 5)
    for span in turns(spans):
        expect(span.parent_span_id == first.span_id, f"{span.name} is not in the first span")
    waits = [span for span in spans if span.name == "queued"]
    expect(waits and all(span.parent_span_id == first.span_id for span in waits), "no wait is shown")


@judge
def what_the_client_does_not_sample_is_not_traced(traced):
    traced.pay("unsampled", {"traceparent": parent(("f" * 32, "f" * 16), "00")})
    # Whatever was to be sent is sent before the spans of a later request.
    traced.pay("later", {"traceparent": parent(("9" * 32, "9" * 16))})
    traced.trace("9" * 32, 5)
    expect(not traced.collector.spans("f" * 32), "it is traced")


@judge
def a_collector_that_is_down_delays_nobody(traced):
    before = traced.metric("intentd_spans_exported_total")
    traced.collector.status = 503
    traced.pay("down", {"traceparent": parent(("7" * 32, "7" * 16))})
    until(lambda: traced.collector.refused, 30, "nothing was sent")
    expect(not traced.collector.spans("7" * 32), "a refused span was kept")
    traced.collector.status = 200
    traced.trace("7" * 32, 5)
    until(lambda: traced.metric("intentd_spans_exported_total") > before, 30, "nothing is counted")
    expect(traced.metric("intentd_spans_dropped_total") == 0, "spans were dropped")


@judge
def what_is_left_is_sent_when_the_process_ends_and_all_of_it_is_valid(traced):
    traced.pay("last", {"traceparent": parent(("5" * 32, "5" * 16))})
    traced.up.send_signal(signal.SIGTERM)
    expect(traced.up.wait(30) == 0, "it did not leave cleanly")
    expect(len(turns(traced.collector.spans("5" * 32))) >= 5, "the last spans were not sent")
    for path, kind, body in traced.collector.kept:
        expect((path, kind) == ("/v1/traces", "application/x-protobuf"), f"{path} {kind}")
        request = ExportTraceServiceRequest.FromString(body)
        # No unknown field, none twice, none in another form.
        expect(request.SerializeToString() == body, "written again, it is not the same bytes")
        for resource in request.resource_spans:
            said = attributes(resource.resource)
            expect(said["service.name"] == "intentd" and said["service.namespace"] == "intents", f"{said}")
            expect(said["service.version"] and said["service.instance.id"], f"{said}")
            expect(all(scope.scope.name == "intentd" for scope in resource.scope_spans), "scope")
        for word in WORDS:
            expect(word.encode() not in body, f"a span says {word}")
    for span in traced.collector.spans():
        expect(len(span.trace_id) == 16 and len(span.span_id) == 8 and len(span.parent_span_id) in (0, 8), "ids")
    log = pathlib.Path(traced.log.name).read_text()
    expect(log.count("Cannot export spans") == 1 and log.count("Exporting spans") == 1, log)


if __name__ == "__main__":
    judge_with(Traced, JUDGES, __doc__)
