"""A proxy between HTTP clients and gateways: a load balancer on a bad day. It cuts connections, loses replies, delays."""

import asyncio
import collections
import random
import threading


class WebProxy(threading.Thread):
    """Listens on `port` and connects each client to one of `targets`, another one if that does not answer.

    `shares` are the probabilities of a fault for each piece of a request or of a reply: `lost request` (the connection is
    cut before the gateway has all of it), `lost reply` (the gateway has done what was asked, and the client never hears
    of it), `torn reply` (a part of it arrives), `late` (up to a second of delay).
    """

    def __init__(self, port, targets, seed=0):
        super().__init__(daemon=True)
        self.port = port
        self.targets = list(targets)
        self.random = random.Random(f"web {seed}")
        self.shares = {}
        self.counts = collections.Counter()
        self.writers = set()
        self.loop = asyncio.new_event_loop()
        self.listening = threading.Event()

    def cut(self):
        """Every connection ends."""
        self.loop.call_soon_threadsafe(self._cut)

    def _cut(self):
        self.counts["cut"] += len(self.writers) // 2
        for writer in list(self.writers):
            writer.transport.abort()

    def happens(self, fault):
        if self.random.random() >= self.shares.get(fault, 0):
            return False
        self.counts[fault] += 1
        return True

    def run(self):
        asyncio.set_event_loop(self.loop)
        self.loop.run_until_complete(asyncio.start_server(self.serve, "127.0.0.1", self.port, backlog=1024))
        self.listening.set()
        self.loop.run_forever()
        self.loop.set_exception_handler(lambda *_: None)
        for task in asyncio.all_tasks(self.loop):
            task.cancel()

    def close(self):
        self.cut()
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.join(5)

    async def open(self):
        for port in self.random.sample(self.targets, len(self.targets)):
            try:
                return await asyncio.open_connection("127.0.0.1", port)
            except OSError:
                continue
        return None

    async def serve(self, reader, writer):
        found = await self.open()
        if found is None:
            # A load balancer without a healthy target says so.
            writer.write(b"HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            self.counts["no gateway"] += 1
            writer.close()
            return
        pair = {writer, found[1]}
        self.writers |= pair
        ways = [
            asyncio.ensure_future(self.forward(reader, found[1], "request")),
            asyncio.ensure_future(self.forward(found[0], writer, "reply")),
        ]
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for way in ways:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)
            for one in pair:
                one.transport.abort()
            self.writers -= pair

    async def forward(self, reader, writer, what):
        try:
            while piece := await reader.read(65_536):
                if self.happens("late"):
                    await asyncio.sleep(self.random.uniform(0, 1))
                if self.happens(f"lost {what}"):
                    return
                if what == "reply" and self.happens("torn reply"):
                    writer.write(piece[: self.random.randrange(len(piece))])
                    await writer.drain()
                    return
                writer.write(piece)
                await writer.drain()
            # What was written before the end still has to arrive.
            writer.write_eof()
            await asyncio.sleep(0.05)
        except OSError:
            return
