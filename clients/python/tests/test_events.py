"""Tests of what needs no gateway: the parser of server-sent events, errors, addresses. `python3 -m unittest -s tests`"""

import itertools
import json
import unittest

from intentd._errors import GatewayError, Unreachable
from intentd._events import Backoff, EventParser, EventStream
from intentd._http import Address, Reply


def event(position, **data):
    body = {"type": "prompt.issued", "id": f"e{position}", "interaction": "i", "time": "t", "data": data}
    return f"event: prompt.issued\nid: {position}\ndata: {json.dumps(body)}\n\n"


class EventParserTests(unittest.TestCase):
    def test_pieces_of_any_size_give_the_same_events(self):
        text = (": open\n\nretry: 250\nid: p0\n\n" + event("p1", dialog="Größe: 🍲?") + event("p2")).encode()
        for end in ("\n", "\r\n", "\r"):
            wire = text.replace(b"\n", end.encode())
            for size in (1, 2, 3, 7, len(wire)):
                parser = EventParser()
                pieces = [wire[start : start + size] for start in range(0, len(wire), size)]
                # A final carriage return is a line's end as soon as anything follows it.
                found = list(itertools.chain.from_iterable(parser.feed(piece) for piece in [*pieces, b":\n"]))
                self.assertEqual([one.position for one in found], ["p1", "p2"], (end, size))
                self.assertEqual(found[0].data["dialog"], "Größe: 🍲?")
                self.assertEqual((parser.position, parser.retry), ("p2", 0.25))

    def test_an_event_that_was_cut_off_does_not_move_the_position(self):
        parser = EventParser("p0")
        whole = event("p1")
        self.assertEqual(len(parser.feed(whole.encode())), 1)
        self.assertEqual(parser.feed(event("p2").encode()[:-1]), [])
        self.assertEqual(parser.position, "p1")

    def test_a_position_without_an_event_is_kept(self):
        parser = EventParser()
        self.assertEqual(parser.feed(b"id: p7\n\n: comment\n\n"), [])
        self.assertEqual(parser.position, "p7")

    def test_a_stream_continues_behind_the_last_complete_event(self):
        stream = EventStream(None, {}, Backoff())
        self.assertNotIn("Last-Event-ID", stream.call().headers)
        stream.feed((event("p1") + event("p2")[:20]).encode())
        self.assertEqual(stream.call().headers["Last-Event-ID"], "p1")
        self.assertEqual([one.position for one in stream.feed(event("p2").encode())], ["p2"])

    def test_pauses_grow_and_errors_that_stay_are_raised(self):
        stream = EventStream(None, {}, Backoff(first=0.1, limit=1))
        pauses = [stream.pause_after(Unreachable("gone")) for _ in range(12)]
        self.assertTrue(0 < pauses[0] <= 0.2 and all(0.5 <= pause <= 1 for pause in pauses[5:]), pauses)
        self.assertGreaterEqual(stream.pause_after(GatewayError(503, "unavailable", "", 3)), 3)
        with self.assertRaises(GatewayError):
            stream.pause_after(GatewayError(410, "positionExpired", ""))


class ErrorTests(unittest.TestCase):
    def test_the_gateway_s_problem_is_read(self):
        body = json.dumps({"code": "idConflict", "detail": "The id is in use."}).encode()
        error = GatewayError.of(Reply(409, {}, body))
        self.assertEqual((error.code, error.detail, error.is_retriable), ("idConflict", "The id is in use.", False))

    def test_a_proxy_s_page_is_an_error_too(self):
        for body in (b"<h1>Bad Gateway</h1>", b"[1]", b""):
            error = GatewayError.of(Reply(502, {"retry-after": "2"}, body))
            self.assertEqual((error.code, error.retry_after, error.is_retriable), ("unavailable", 2.0, True))

    def test_an_address_that_cannot_be_used_is_refused(self):
        for url in ("127.0.0.1:8080", "ftp://host", "http://"):
            with self.assertRaises(ValueError):
                Address(url)
        address = Address("https://api.example.com/intents/")
        self.assertEqual((address.port, address.prefix, address.authority), (443, "/intents", "api.example.com"))


if __name__ == "__main__":
    unittest.main()
