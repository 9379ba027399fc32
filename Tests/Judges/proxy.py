"""A proxy between Kafka clients and one broker, which delays and cuts connections, goes silent and holds back answers."""

import asyncio
import random
import struct
import threading
import time

METADATA, FIND_COORDINATOR, END_TXN = 3, 10, 26


class Proxy(threading.Thread):
    """Listens on `port` and forwards to the broker; a fault affects all connected clients until its time is up.

    Brokers tell clients the address to connect to: in these answers the broker's port is replaced by the proxy's, which
    has the same number of bytes.
    """

    def __init__(self, port, broker_port, advertised="127.0.0.1", seed=0, listen="127.0.0.1", broker="127.0.0.1", context=None):
        super().__init__(daemon=True)
        self.port = port
        self.broker_port = broker_port
        self.listen = listen
        self.broker = broker
        #: Clients connect with TLS: the server's side of it.
        self.context = context
        self.advertised = advertised.encode() + struct.pack(">i", broker_port)
        self.replacement = advertised.encode() + struct.pack(">i", port)
        self.random = random.Random(seed)
        self.delay = (0, 0.0)
        self.silent_until = 0
        self.hold_until = 0
        self.held = 0
        self.lost = 0
        self.writers = set()
        self.loop = asyncio.new_event_loop()
        self.listening = threading.Event()

    def slow(self, seconds, delay):
        """Every message takes that much longer."""
        self.delay = (time.monotonic() + seconds, delay)

    def silence(self, seconds):
        """Nothing gets through; connections stay open."""
        self.silent_until = time.monotonic() + seconds

    def cut(self):
        """Every connection ends."""
        self.loop.call_soon_threadsafe(self._cut)

    def hold_commits(self, seconds):
        """The broker commits, and its answer is held back; half of them never arrive."""
        self.hold_until = time.monotonic() + seconds

    def mend(self):
        """Ends every fault."""
        self.delay, self.silent_until, self.hold_until = (0, 0.0), 0, 0

    def _cut(self):
        for writer in list(self.writers):
            writer.transport.abort()

    def run(self):
        asyncio.set_event_loop(self.loop)
        self.loop.run_until_complete(asyncio.start_server(self.serve, self.listen, self.port, limit=1 << 20, ssl=self.context))
        self.listening.set()
        self.loop.run_forever()
        # Nobody wants to know of connections that are cut off here.
        self.loop.set_exception_handler(lambda *_: None)
        left = asyncio.all_tasks(self.loop)
        for task in left:
            task.cancel()
        if left:
            self.loop.run_until_complete(asyncio.wait(left))

    def close(self):
        self.cut()
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.join(5)

    async def serve(self, reader, writer):
        try:
            broker_reader, broker_writer = await asyncio.open_connection(self.broker, self.broker_port, limit=1 << 20)
        except OSError:
            writer.transport.abort()
            return
        pair = {writer, broker_writer}
        self.writers |= pair
        asked = {}
        ways = [
            asyncio.ensure_future(self.forward(reader, broker_writer, asked, None)),
            asyncio.ensure_future(self.forward(broker_reader, writer, None, asked)),
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

    async def forward(self, reader, writer, asking, asked):
        """Forwards frames; notes requests by correlation id, or inspects answers."""
        try:
            while True:
                size = await reader.readexactly(4)
                frame = await reader.readexactly(struct.unpack(">i", size)[0])
                while (now := time.monotonic()) < self.silent_until:
                    await asyncio.sleep(self.silent_until - now)
                until, delay = self.delay
                if now < until:
                    await asyncio.sleep(delay)
                if asking is not None:
                    key, _, correlation = struct.unpack(">hhi", frame[:8])
                    asking[correlation] = key
                else:
                    key = asked.pop(struct.unpack(">i", frame[:4])[0], None)
                    if key in (METADATA, FIND_COORDINATOR):
                        frame = frame.replace(self.advertised, self.replacement)
                    if key == END_TXN and now < self.hold_until:
                        self.held += 1
                        await asyncio.sleep(self.random.uniform(0, self.hold_until - now))
                        if self.random.random() < 0.5:
                            self.lost += 1
                            return
                writer.write(size + frame)
                await writer.drain()
        except (OSError, asyncio.IncompleteReadError):
            return
