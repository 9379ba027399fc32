#!/usr/bin/env python3
"""Conversations through two gateways and a proxy that loses requests and replies, while everything is killed.

    gateway.py --intentd PATH [--conversations N] [--faults N] [--seed N] [--brokers HOST:PORT] [--report FILE] [--keep]

The clients are those of `clients/python`. Each user follows the user's events while it converses; connections are cut,
replies are lost or arrive in part, gateways, workers and the broker are killed and stopped. Clients send requests again
under their ids, now and then with other content, answer twice, and continue conversations from another client. Others
try tokens that are wrong in one way, and the interactions of other users.

Afterwards every interaction has one end and every effect was made once; every stream had each event of its user once
and in order; no request is in the log that its user did not make; and every wrong token was refused.

`--conversations 10000 --faults 200` takes a quarter of an hour.
"""

import argparse
import asyncio
import collections
import pathlib
import signal
import sys
import time
import zlib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "clients" / "python"))

from intentd import AsyncClient, GatewayError

import chaos
import users
from breakable import CONFIGURATION, Deployment, Process
from judging import free_port
from tokens import AUDIENCE, ISSUER, Issuer
from webproxy import WebProxy

#: Users at a time; each has one conversation after the other.
USERS = 40
GATEWAYS = 2
NETWORK = {"lost request": 0.02, "lost reply": 0.03, "torn reply": 0.02, "late": 0.03}


class GatewayDeployment(Deployment):
    """Workers, recorders, and two gateways behind a proxy."""

    faults = {
        "kill gateway": 20, "stop gateway": 4, "cut web": 10, "slow web": 4,
        "kill resolve": 5, "kill confirm": 5, "kill handle": 5, "kill record": 3, "kill broker": 4,
        "slow network": 2, "cut network": 3, "silent network": 1, "held commits": 3,
    }  # fmt: skip

    def __init__(self, options):
        super().__init__(options)
        self.members["gateway"] = []
        self.issuer = Issuer(self.directory / "jwks.json")
        self.configuration.write_text(
            CONFIGURATION + f"gateway:\n  keys: {self.issuer.file}\n  issuer: {ISSUER}\n  audience: [{AUDIENCE}]\n"
        )
        self.ports = [free_port() for _ in range(GATEWAYS)]
        self.web = WebProxy(free_port(), self.ports, options.seed)
        self.web.start()
        self.web.listening.wait(10)
        self.url = f"http://127.0.0.1:{self.web.port}"

    def begin_working(self):
        super().begin_working()
        for _ in range(GATEWAYS):
            self.add("gateway")

    def add(self, role):
        if role != "gateway":
            super().add(role)
            return
        number = len(self.members[role])
        brokers = f"127.0.0.1:{self.proxy.port}" if number % 2 else self.address
        words = ["gateway", "--listen", f"127.0.0.1:{self.ports[number]}"]
        self.members[role].append(Process(self, f"gateway-{number}", words, brokers))

    def words(self, *words, brokers, program=None):
        made = super().words(*words, brokers=brokers, program=program)
        if words[0] == "gateway":
            # Each has files of its own, as on a machine of its own.
            made[made.index("--data") + 1] = str(self.directory / f"gateway-{words[-1].rpartition(':')[2]}")
        return made

    def stop(self, what):
        """A gateway that says nothing for a while; others as in every chaos."""
        process = self.someone(what) if what == "gateway" else None
        if process is None:
            return what != "gateway" and super().stop(what)
        running = process.running
        running.send_signal(signal.SIGSTOP)
        self.after(self.random.uniform(1, 4), lambda: running.poll() is None and running.send_signal(signal.SIGCONT))
        return True

    def cut(self, what):
        if what != "web":
            return super().cut(what)
        self.web.cut()
        return True

    def slow(self, what):
        if what != "web":
            return super().slow(what)
        self.web.shares = NETWORK | {"late": 0.5}
        self.after(self.random.uniform(1, 3), lambda: setattr(self.web, "shares", dict(NETWORK)))
        return True

    def mend(self):
        super().mend()
        self.web.shares = {}

    def close(self):
        self.web.close()
        super().close()


class WebClient(users.Client):
    """The users, each with a client of the gateway."""

    #: What nobody handles is refused by the gateway, and is in no log.
    kinds = {"message": 50, "asked": 20, "two": 5, "table": 25}

    def __init__(self, deployment, requests, seed):
        super().__init__(deployment, requests, seed)
        self.streams = collections.defaultdict(list)
        self.asked = set()
        #: What must not have happened: (kind, place, message).
        self.problems = []
        self.refused = collections.Counter()

    def run(self):
        try:
            asyncio.run(self.live())
        except Exception as error:
            self.failure = f"the clients: {error!r}"

    def client_of(self, user):
        return AsyncClient(self.deployment.url, lambda: self.deployment.issuer.token(user), retry_for=180)

    async def live(self):
        names = [f"user-{number}" for number in range(USERS)]
        opened = {name: asyncio.Event() for name in names}
        followers = [asyncio.create_task(self.follow(name, opened[name])) for name in names]
        tasks = [asyncio.create_task(self.converse(name, opened[name])) for name in names]
        tasks.append(asyncio.create_task(self.intrude()))
        try:
            while not self.over.is_set():
                for task in (*followers, *tasks):
                    if task.done():
                        task.result()
                await asyncio.sleep(0.05)
            for task in tasks:
                task.cancel()
            await self.catch_up()
        finally:
            for task in (*followers, *tasks):
                task.cancel()
            await asyncio.gather(*followers, *tasks, return_exceptions=True)

    async def follow(self, user, opened):
        async with self.client_of(user) as client:
            async for event in client.events(on_open=opened.set):
                self.streams[user].append(event.id)

    async def catch_up(self):
        """Waits until every stream had as many events as the topics have; the checker says which are missing."""
        counts = collections.Counter()
        for topic in ("responses", "user-activities"):
            for message in await asyncio.to_thread(self.deployment.read_all, topic):
                headers = dict(message.headers() or [])
                counts[headers["ce_userid"].decode()] += 1
        deadline = time.monotonic() + 40
        while time.monotonic() < deadline:
            if all(len(self.streams[user]) >= count for user, count in counts.items() if user in self.streams):
                return
            await asyncio.sleep(0.1)

    async def converse(self, user, opened):
        await asyncio.wait_for(opened.wait(), 60)
        self.deployment.web.shares = dict(NETWORK)
        async with self.client_of(user) as client:
            while True:
                if self.room() <= 0:
                    await asyncio.sleep(0.02)
                    continue
                subject = f"r{len(self.sent)}"
                kind = self.random.choices(list(self.kinds), self.kinds.values())[0]
                self.sent[subject] = (user, kind)
                self.asked.add((user, subject))
                try:
                    await asyncio.wait_for(self.hold(client, user, kind, subject), 300)
                except asyncio.TimeoutError:
                    raise AssertionError(f"{subject} ({kind}) of {user} has not ended after 300 s") from None

    def request_of(self, kind, subject):
        if kind == "table":
            parameters = {"restaurant": "Old Mill", "date": "2027-03-01", "people": 2}
            return "BookRestaurantTable", parameters | ({"time": "19:30"} if zlib.crc32(subject.encode()) % 10 < 7 else {})
        intent = self.intent(kind, subject)
        return intent["name"], intent["parameters"]

    async def hold(self, client, user, kind, subject):
        """One conversation, from the request to the end."""
        name, parameters = self.request_of(kind, subject)
        conversation = await client.ask(name, parameters, id=subject, wait=self.random.choice([0, 5, 25]))
        if conversation.id != subject:
            self.problems.append(("request-forged", subject, f"it was asked for, and the gateway made {conversation.id}"))
        if self.random.random() < 0.05:
            self.counts["requests too many"] += 1
            conversation = await client.ask(name, parameters, id=subject, wait=0)
        if self.random.random() < 0.03:
            await self.expect(client.ask(name, {"x": subject}, id=subject), 409, "idConflict", f"other content under {subject}")
        if self.random.random() < 0.02:
            await self.expect(client.ask("INNobodyIntent", {}), 422, "unprocessable", "an intent that nobody handles")
        if self.random.random() < 0.02:
            await conversation.cancel()
            self.counts["cancellations"] += 1
        async for prompt in conversation:
            await self.reply(conversation, kind, subject, prompt)
            if self.random.random() < 0.05:
                # The page was loaded again: another client continues.
                self.counts["continued elsewhere"] += 1
                conversation = await client.conversation(subject)
        while not conversation.has_ended:
            conversation = await client.conversation(subject)
            await conversation.end()
        self.ends[subject].append(conversation.response)

    async def reply(self, conversation, kind, subject, prompt):
        chance = self.random.random()
        if chance < 0.03:
            self.counts["cancellations"] += 1
            await conversation.cancel()
            return
        answer = {"value": None}
        if prompt["kind"] == "intentConfirmation":
            if chance < 0.08:
                answer["action"] = "decline"
            elif chance < 0.12:
                answer["corrections"] = self.corrections[kind]
        else:
            answer["value"] = self.value(prompt["parameter"], subject)
        self.counts["answers"] += 1
        try:
            await conversation.answer(**answer, prompt_id=prompt["promptId"], wait=self.random.choice([0, 5, 25]))
            if self.random.random() < 0.05:
                self.counts["answers too many"] += 1
                await conversation.answer(**answer, prompt_id=prompt["promptId"], wait=0)
        except GatewayError as error:
            # A second answer, or one to an interaction that was cancelled meanwhile.
            if error.code not in ("superseded", "notFound"):
                raise

    async def expect(self, call, status, code, what):
        """The call is refused like that."""
        try:
            await call
        except GatewayError as error:
            if (error.status, error.code) == (status, code):
                self.refused[code] += 1
                return
            found = str(error)
        else:
            found = "it was accepted"
        self.problems.append(("not-refused", what, f"{found}, and not {status} {code}"))

    async def intrude(self):
        """Tries wrong tokens, and the interactions of others with right ones."""
        while True:
            user = f"user-{self.random.randrange(USERS)}"
            for what, token in self.deployment.issuer.wrong(user).items():
                async with AsyncClient(self.deployment.url, token, retry_for=120) as client:
                    calls = [
                        lambda: client.ask("INNobodyIntent", {}, id=f"forged-{self.random.random()}"),
                        client.interactions, lambda: anext(client.events()),
                    ]  # fmt: skip
                    await self.expect(self.random.choice(calls)(), 401, "unauthorized", f"{what}, for {user}")
                await asyncio.sleep(0.02)
            others = [subject for subject, (owner, _) in list(self.sent.items())[-200:] if owner != user]
            for subject in others[:5]:
                async with self.client_of(user) as client:
                    await self.expect(client.interaction(subject), 404, "notFound", f"{subject}, as {user}")
            reader = AsyncClient(self.deployment.url, lambda: self.deployment.issuer.token(user, scope="intents.read"), retry_for=120)
            await self.expect(reader.ask("INNobodyIntent", {}, id=f"forged-{user}"), 403, "forbidden", f"no scope, as {user}")
            service = AsyncClient(self.deployment.url, lambda: self.deployment.issuer.token("mallory"), user=user, retry_for=120)
            await self.expect(service.interactions(), 403, "forbidden", f"acting as {user} without the scope")
            await service.close()
            await reader.close()

    def check_store(self):
        self.counts |= {f"refused: {code}": count for code, count in self.refused.items()}
        self.counts |= {f"network: {fault}": count for fault, count in self.deployment.web.counts.items()}
        shown = sum(map(len, self.streams.values()))
        print(f"     {shown} events followed, {sum(self.refused.values())} calls refused", flush=True)
        return super().check_store() + self.problems


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--intentd", required=True, help="the program")
    parser.add_argument("--conversations", type=int, default=500)
    parser.add_argument("--faults", type=int, default=10)
    parser.add_argument("--pause", type=float, default=0.5, help="the longest pause after a fault, in seconds")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--brokers", help="HOST:PORT of a Kafka to run on")
    parser.add_argument("--kill-broker", help="a command that kills that Kafka and starts it again")
    parser.add_argument("--report", help="a file for the report, as JSON")
    parser.add_argument("--keep", action="store_true", help="leave the files there")
    parser.add_argument("--verbose", action="store_true", help="name each fault")
    options = parser.parse_args()
    options.definitions, options.requests = None, options.conversations
    print(f"gateway: {options.conversations} conversations, {options.faults} faults, seed {options.seed}", flush=True)
    return chaos.judged(
        "gateway", options, GatewayDeployment(options), lambda *given: chaos.play(*given, WebClient)
    )


if __name__ == "__main__":
    sys.exit(main())
