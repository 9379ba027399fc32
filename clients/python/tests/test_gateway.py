"""Tests against a gateway without keys that serves BookRestaurantTable; skipped without INTENTD_GATEWAY."""

import asyncio
import os
import threading
import time
import unittest
import uuid

from intentd import AsyncClient, Client, ConversationTimeout, GatewayError, Unreachable

GATEWAY = os.environ.get("INTENTD_GATEWAY")
ANSWERS = {"date": "2026-12-03", "time": "19:30"}
TABLE = ("BookRestaurantTable", {"restaurant": "Old Mill"})


def answer_to(prompt):
    return {"value": ANSWERS[prompt["parameter"]]} if prompt["kind"] == "needsValue" else {}


@unittest.skipUnless(GATEWAY, "INTENTD_GATEWAY is not set")
class ConversationTests(unittest.TestCase):
    def setUp(self):
        self.user = f"ann {uuid.uuid4().hex[:8]} é"
        self.client = Client(GATEWAY, user=self.user, locale="en-US", time_zone="Europe/Berlin")
        self.addCleanup(self.client.close)

    def test_a_conversation_is_held_to_its_end(self):
        conversation = self.client.ask(*TABLE)
        asked = []
        for prompt in conversation:
            asked.append((prompt["kind"], prompt["parameter"]))
            conversation.answer(**answer_to(prompt))
        self.assertEqual(asked, [("needsValue", "date"), ("needsValue", "time"), ("intentConfirmation", None)])
        self.assertEqual(conversation.response["code"], "success")
        self.assertEqual(conversation.response["intent"]["parameters"]["people"], 2)
        self.assertEqual(self.client.interaction(conversation.id)["state"], "ended")
        self.assertEqual([one["id"] for one in self.client.interactions()], [conversation.id])
        self.assertEqual(self.client.interactions(open=True), [])

    def test_corrections_choices_declines_and_words_are_answers(self):
        conversation = self.client.ask(*TABLE)
        self.assertEqual(conversation.next_prompt()["parameter"], "date")
        conversation.answer("tomorrow", corrections={"people": 4})
        self.assertEqual(conversation.next_prompt()["parameter"], "time")
        conversation.answer("7:30pm")
        prompt = conversation.next_prompt()
        self.assertEqual(prompt["intent"]["parameters"]["people"], 4)
        conversation.answer(action="decline")
        self.assertEqual(conversation.end(20)["response"]["endReason"], "declined")

    def test_the_same_request_again_continues_and_another_one_is_refused(self):
        first = self.client.ask(*TABLE, id=f"dinner-{uuid.uuid4()}")
        again = self.client.ask(*TABLE, id=first.id)
        self.assertEqual(again.prompt["promptId"], first.prompt["promptId"])
        with self.assertRaises(GatewayError) as refused:
            self.client.ask(TABLE[0], {"restaurant": "Lemon Tree"}, id=first.id)
        self.assertEqual((refused.exception.status, refused.exception.code), (409, "idConflict"))
        continued = self.client.conversation(first.id)
        continued.answer(**answer_to(continued.next_prompt()))
        self.assertEqual(continued.next_prompt()["parameter"], "time")

    def test_a_cancelled_conversation_ends(self):
        conversation = self.client.ask(*TABLE)
        conversation.cancel("changed my mind")
        self.assertEqual(conversation.end(20)["response"]["endReason"], "abortedByUser")

    def test_waiting_has_its_limit(self):
        conversation = self.client.ask(*TABLE)
        began = time.monotonic()
        with self.assertRaises(ConversationTimeout):
            conversation.end(2)
        self.assertTrue(1 < time.monotonic() - began < 10)

    def test_intents_are_described(self):
        found = {one["name"]: one for one in self.client.intents()}
        self.assertEqual(found["BookRestaurantTable"]["parameters"]["properties"]["people"]["default"], 2)

    def test_events_come_once_and_in_order_and_continue_behind_a_position(self):
        seen, opened, over = [], threading.Event(), threading.Event()

        def follow():
            for event in Client(GATEWAY, user=self.user).events(on_open=opened.set):
                seen.append(event)
                if event.type == "intent.responded" and event.data["terminal"]:
                    over.set()
                    return

        threading.Thread(target=follow, daemon=True).start()
        self.assertTrue(opened.wait(20))
        conversation = self.client.ask(*TABLE)
        for prompt in conversation:
            conversation.answer(**answer_to(prompt))
        self.assertTrue(over.wait(20))
        kinds = [event.type for event in seen if event.type != "user-activity.created"]
        self.assertEqual(kinds, ["prompt.issued"] * 3 + ["intent.responded"])
        self.assertEqual({event.interaction for event in seen}, {conversation.id})
        self.assertEqual(len({event.id for event in seen}), len(seen))
        later = next(self.client.events(after=seen[0].position))
        self.assertEqual(later.id, seen[1].id)

    def test_vocabularies_and_devices_are_accepted(self):
        self.client.set_vocabulary("contactName", ["Celestra", {"spokenPhrase": "Jeff", "vocabularyIdentifier": "c7"}])
        self.client.remove_vocabularies()
        self.client.unlocked("phone 7")
        self.client.signed_in()

    def test_an_unknown_interaction_is_not_found(self):
        for id in ("nothing", "a/b?c#d e"):
            with self.assertRaises(GatewayError) as refused:
                self.client.interaction(id)
            self.assertEqual(refused.exception.status, 404)


class UnreachableTests(unittest.TestCase):
    def test_a_gateway_that_is_not_there_is_an_error_after_the_time_for_retries(self):
        with self.assertRaises(Unreachable):
            Client("http://127.0.0.1:9", retry_for=0.2).interaction("x")
        with self.assertRaises(Unreachable):
            asyncio.run(AsyncClient("http://127.0.0.1:9", retry_for=0.2).interaction("x"))


@unittest.skipUnless(GATEWAY, "INTENTD_GATEWAY is not set")
class AsyncConversationTests(unittest.IsolatedAsyncioTestCase):
    async def test_fifty_conversations_are_held_at_a_time(self):
        async def one(number):
            async with AsyncClient(GATEWAY, user=f"crowd-{number}-{uuid.uuid4().hex[:6]}") as client:
                conversation = await client.ask(*TABLE)
                async for prompt in conversation:
                    await conversation.answer(**answer_to(prompt))
                return conversation.response["code"]

        self.assertEqual(set(await asyncio.gather(*(one(number) for number in range(50)))), {"success"})

    async def test_events_are_followed(self):
        user, opened = f"ann-{uuid.uuid4().hex[:8]}", asyncio.Event()
        async with AsyncClient(GATEWAY, user=user) as client:
            events = client.events(on_open=opened.set)
            first = asyncio.ensure_future(events.__anext__())
            await asyncio.wait_for(opened.wait(), 20)
            conversation = await client.ask(*TABLE)
            event = await asyncio.wait_for(first, 20)
            self.assertEqual((event.type, event.interaction), ("prompt.issued", conversation.id))
            self.assertEqual(event.data["promptId"], conversation.prompt["promptId"])
            await events.aclose()
            await conversation.cancel()


if __name__ == "__main__":
    unittest.main()
