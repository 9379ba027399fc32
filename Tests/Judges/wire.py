"""Checks every record of the topics against the JSON Schemas and the AsyncAPI document."""

import collections
import json
import os
import pathlib

import jsonschema
import referencing

from judging import expect

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCUMENTS = ROOT / "Documentation" / "wire"
INBOUND = {
    "intent.requested",
    "prompt.answered",
    "interaction.cancelled",
    "device.unlocked",
    "user.authenticated",
    "app.responded",
    "vocabulary.replaced",
    "vocabulary.removed",
    "operator.decided",
}


def load(name):
    return json.loads((DOCUMENTS / name).read_text())


class Wire:
    """Validators for each type of event, from its own schema and from the AsyncAPI document."""

    def __init__(self):
        self.document = load("asyncapi.json")
        resource = referencing.Resource(contents=self.document, specification=referencing.jsonschema.DRAFT202012)
        registry = referencing.Registry().with_resource("urn:asyncapi", resource)

        def part(*path):
            pointer = "/".join(path)
            return jsonschema.Draft202012Validator({"$ref": f"urn:asyncapi#/{pointer}"}, registry=registry)

        self.headers, self.payloads, self.schemas = {}, {}, {}
        for name in self.document["components"]["messages"]:
            self.headers[name] = part("components", "messages", name, "headers")
        for path in sorted((DOCUMENTS / "events").iterdir()):
            schema = json.loads(path.read_text())
            jsonschema.Draft202012Validator.check_schema(schema)
            self.schemas[path.stem] = jsonschema.Draft202012Validator(schema)
            self.payloads[path.stem] = part("components", "schemas", path.stem)
        self.counts = collections.Counter()

    def check(self, topic, message):
        """Checks a record; of clients' records only the place is checked."""
        headers = {name: value.decode() for name, value in message.headers() or []}
        name = "dead-letter" if topic == "dead-letters" else headers["ce_type"]
        place = f"{topic}/{message.partition()}/{message.offset()} {name}"
        expect(name in self.document["channels"][topic]["messages"], f"{place}: it does not belong here")
        self.counts[name] += 1
        if name in INBOUND:
            return
        self.expect_valid(self.headers[name], headers, place)
        if name != "dead-letter":
            data = json.loads(message.value())
            self.expect_valid(self.schemas[name], data, place)
            self.expect_valid(self.payloads[name], data, place)
            if self.counts[name] == 1:
                # A schema that accepts anything would accept everything.
                surprising = data | {"surprise": 1}
                expect(not self.schemas[name].is_valid(surprising), f"{place}: its schema allows what is not described")
                expect(not self.payloads[name].is_valid(surprising), f"{place}: the document allows it")
            expect(message.key().decode() == headers["ce_userid"], f"{place}: its key is not the user")

    @staticmethod
    def expect_valid(validator, value, place):
        error = jsonschema.exceptions.best_match(validator.iter_errors(value))
        if error:
            raise AssertionError(f"{place}: {'.'.join(map(str, error.path))}: {error.message}")


def check_house(house):
    """Checks every record of every topic that clients do not write; returns how many there are of each type."""
    wire = Wire()
    for topic in wire.document["channels"]:
        if topic not in ("requests", "state"):
            for message in house.read_all(topic):
                wire.check(topic, message)
    return wire.counts


def check_asyncapi():
    """The document is complete: every reference resolves, operations name messages of their channels.

    With INTENTD_ASYNCAPI_SCHEMA=FILE it is also checked against AsyncAPI's own JSON Schema, `schemas/3.0.0.json` of
    https://github.com/asyncapi/spec-json-schemas.
    """
    document = load("asyncapi.json")

    def follow(reference):
        expect(reference.startswith("#/"), f"{reference} leads out of the document")
        place = document
        for step in reference[2:].split("/"):
            expect(step in place, f"{reference} leads nowhere")
            place = place[step]
        return place

    def walk(value):
        if isinstance(value, dict):
            if isinstance(value.get("$ref"), str):
                follow(value["$ref"])
            for member in value.values():
                walk(member)
        elif isinstance(value, list):
            for element in value:
                walk(element)

    walk(document)
    expect(document["asyncapi"] == "3.0.0" and document["info"]["version"], "it does not say what it is")
    used = set()
    for name, operation in document["operations"].items():
        expect(operation["action"] in ("send", "receive"), f"{name} has no action")
        channel = operation["channel"]["$ref"]
        for message in operation["messages"]:
            expect(message["$ref"].startswith(f"{channel}/messages/"), f"{name}: {message['$ref']} is of another channel")
            used.add(follow(message["$ref"])["$ref"])
    expect(used == {f"#/components/messages/{name}" for name in document["components"]["messages"]}, "unused messages")
    for name in document["components"]["schemas"]:
        jsonschema.Draft202012Validator.check_schema(document["components"]["schemas"][name])
        # Tools read AsyncAPI's schemas as draft 7.
        jsonschema.Draft7Validator.check_schema(document["components"]["schemas"][name])
    published = os.environ.get("INTENTD_ASYNCAPI_SCHEMA")
    if published:
        schema = json.loads(pathlib.Path(published).read_text())
        Wire.expect_valid(jsonschema.Draft7Validator(schema), document, "asyncapi.json")


def check_structured(lines):
    """Lines of files for `intentd produce` match structured.json."""
    validator = jsonschema.Draft202012Validator(load("structured.json"))
    for line in lines:
        Wire.expect_valid(validator, json.loads(line), line)
