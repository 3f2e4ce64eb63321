"""Uses the built client against the server that MNEME_URL and MNEME_API_KEY name; the test runner starts both."""

import asyncio
import hashlib
import hmac
import tempfile
import time
import unittest
from base64 import b64encode
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import httpx
import mneme_client
from mneme_client import (
    AsyncMneme,
    DuplicateMemoryError,
    InternalError,
    MemoryNotFoundError,
    Mneme,
    MnemeError,
    NotCompletedError,
    QuotaExceededError,
    RequestOptions,
    TimedOutError,
    UnreachableError,
    ValidationError,
    verify_webhook,
)


class Verbs(unittest.TestCase):
    def setUp(self):
        self.mneme = Mneme()
        self.addCleanup(self.mneme.close)

    def test_a_memory_is_stored_found_changed_and_deleted(self):
        mneme, user = self.mneme, "python-memory"
        stored = mneme.remember("Ada prefers TypeScript and lives in Lisbon.", user_id=user)
        self.assertIsInstance(stored, mneme_client.StoredMemory)
        self.assertIsNone(mneme.remember(stored.memory, user_id=user))
        self.assertEqual(mneme.wait_until_completed(stored).status, "COMPLETED")
        self.assertIn("Lisbon", mneme.recall("Where does Ada live?", user_id=user))
        page = mneme.search("TypeScript", user_id=user, limit=2)
        self.assertEqual([page.data[0].id, page.page_size], [stored.id, 2])
        mneme.feedback(stored.id, "POSITIVE", query_hash=page.query_hash)
        self.assertEqual(mneme.update(stored.id, memory="Ada lives in Porto.").status, "PENDING")
        self.assertEqual({event.event for event in mneme.history(stored.id)}, {"CREATED", "UPDATED"})
        self.assertIsNone(mneme.delete(stored.id))
        with self.assertRaises(MemoryNotFoundError) as missing:
            mneme.get(stored.id)
        self.assertEqual([missing.exception.code, missing.exception.status], ["MEMORY_NOT_FOUND", 404])
        self.assertRegex(missing.exception.request_id, "^[0-9a-f-]{36}$")

    def test_lists_are_read_a_page_at_a_time(self):
        mneme, user = self.mneme, "python-pages"
        given = [f"The number {n} is the favourite of somebody." for n in range(5)]
        results = mneme.add_many([{"memory": text, "user_id": user} for text in given]).results
        self.assertEqual({result.status for result in results}, {201})
        self.assertIsInstance(results[0], mneme_client.BatchItemStored)
        self.assertEqual(sorted(memory.memory for memory in mneme.list(user_id=user, page_size=2)), given)
        again = mneme.add_many([{"memory": given[0], "user_id": user}]).results[0]
        self.assertIsInstance(again, mneme_client.BatchItemFailed)

    def test_documents_and_conversations_are_waited_for(self):
        mneme, user = self.mneme, "python-documents"
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "tea.md")
            path.write_text("# Tea\n\nThe favourite tea of Grace is green tea.\n")
            job = mneme.wait_until_completed(mneme.ingest(path, user_id=user, categories=["tea", "taste"]))
        self.assertEqual([job.status, job.file_name, job.categories], ["COMPLETED", "tea.md", ["tea", "taste"]])
        talk = mneme.remember([{"role": "user", "content": "I am allergic to shellfish."}], user_id=user)
        self.assertEqual(mneme.wait_until_completed(talk).status, "COMPLETED")
        with self.assertRaises(NotCompletedError) as broken:
            mneme.wait_until_completed(mneme.ingest(("broken.pdf", b"%PDF-1.7 broken"), user_id=user))
        self.assertEqual(broken.exception.work.status, "FAILED")

    def test_an_export_is_written_and_imported(self):
        mneme, user = self.mneme, "python-export"
        mneme.add("Linus collects stamps of islands.", user_id=user)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "all.jsonl")
            made = mneme.export(path, format="JSONL", user_id=user)
            self.assertEqual(hashlib.sha256(path.read_bytes()).hexdigest(), made.sha256)
            self.assertEqual(mneme.import_(path).memories_skipped, 1)

    def test_graph_knowledge_and_profile_have_types(self):
        mneme, user = self.mneme, "python-graph"
        mneme.wait_until_completed(mneme.add("Grace Hopper works at Initech.", user_id=user))
        # The graph is drawn a moment after a memory is completed.
        answers = (mneme.graph.ask("Where does Grace Hopper work?", user_id=user) for _ in range(300))
        answer = next(answer for answer in answers if answer.entities_used)
        self.assertIn("Initech", answer.answer)
        start = answer.entities_used[0].id
        self.assertGreater(len(mneme.graph.traverse(start).nodes), 1)
        self.assertIsInstance(mneme.knowledge.merged(user_id=user), mneme_client.MergedProfile)
        self.assertIsInstance(mneme.knowledge.list(user_id=user).page(), mneme_client.KnowledgeEntryPage)
        mneme.profile(user)
        self.assertEqual(mneme.request("traverseGraph", from_=start).nodes[0].id, start)

    def test_both_clients_have_the_same_verbs(self):
        public = lambda kind: {name for name in dir(kind) if not name.startswith("_")} - {"aclose", "close"}
        self.assertEqual(public(Mneme), public(AsyncMneme))

    def test_the_asynchronous_client_does_the_same(self):
        async def talk():
            async with AsyncMneme() as mneme:
                stored = await mneme.remember("Barbara keeps bees in Oslo.", user_id="python-async")
                await mneme.wait_until_completed(stored)
                found = [memory.id async for memory in mneme.list(user_id="python-async")]
                return stored.id, found, await mneme.recall("Who keeps bees?", user_id="python-async")

        stored, found, known = asyncio.run(talk())
        self.assertEqual(found, [stored])
        self.assertIn("bees", known)


class Failures(unittest.TestCase):
    def test_a_lost_response_is_asked_for_again_and_carried_out_once(self):
        keys = []

        class Losing(httpx.HTTPTransport):
            def handle_request(self, request):
                response = super().handle_request(request)
                keys.append(request.headers.get("idempotency-key"))
                if len(keys) == 1:
                    raise httpx.ReadError("the connection broke", request=request)
                return response

        with Mneme(http=httpx.Client(transport=Losing())) as mneme:
            stored = mneme.add("A response that Python lost.", user_id="python-lost")
        self.assertEqual([len(keys), len(set(keys))], [2, 1])
        with Mneme() as mneme:
            self.assertEqual([memory.id for memory in mneme.list(user_id="python-lost")], [stored.id])
            with self.assertRaises(DuplicateMemoryError):
                mneme.add(stored.memory)

    def test_retry_after_is_waited_for(self):
        responses = [(503, {"Retry-After": "1"}, "SERVICE_UNAVAILABLE"), (500, {}, "INTERNAL_ERROR")]
        with faulty(responses) as (mneme, times), self.assertRaises(InternalError):
            mneme.get("some")
        self.assertEqual(len(times), 2)
        self.assertGreaterEqual(times[1] - times[0], 0.99)

    def test_what_a_repetition_does_not_change_is_not_repeated(self):
        with faulty([(429, {"Retry-After": "5"}, "QUOTA_EXCEEDED")]) as (mneme, times):
            with self.assertRaises(QuotaExceededError) as refused:
                mneme.get("some")
        self.assertEqual([len(times), refused.exception.retry_after], [1, 5.0])
        with Mneme() as mneme, self.assertRaises(ValidationError) as wrong:
            mneme.add("Something.", priority="URGENT")
        self.assertEqual(wrong.exception.details[0]["path"], "priority")

    def test_time_limits_and_services_that_are_not_there(self):
        with Mneme("http://127.0.0.1:9", retries=0) as mneme, self.assertRaises(UnreachableError):
            mneme.get("some")
        with Mneme() as mneme, self.assertRaises(TimedOutError):
            mneme.request("getReadiness", RequestOptions(timeout=0.000001, retries=0))

    def test_only_signed_and_recent_webhooks_are_read(self):
        secret, body = b"a secret of a webhook", b'{"event": "memory.created", "timestamp": "", "data": {"id": "1"}}'

        def signed(sent):
            digest = hmac.new(secret, f"one.{sent}.".encode() + body, hashlib.sha256).digest()
            signature = f"v1,AAAA v1,{b64encode(digest).decode()}"
            return {"Webhook-Id": "one", "Webhook-Timestamp": str(sent), "Webhook-Signature": signature}

        shown = f"whsec_{b64encode(secret).decode()}"
        now = int(time.time())
        self.assertEqual(verify_webhook(body, signed(now), shown).data, {"id": "1"})
        for changed, headers in ((body + b" ", signed(now)), (body, signed(now - 600)), (body, {})):
            with self.assertRaises(MnemeError) as refused:
                verify_webhook(changed, headers, shown)
            self.assertEqual(refused.exception.code, "NOT_SIGNED")


class faulty:
    """A service that gives these responses one after the other."""

    def __init__(self, responses):
        times = self.times = []

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                status, headers, code = responses[len(times)]
                times.append(time.monotonic())
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(f'{{"error_code": "{code}", "message": "as it was told"}}'.encode())

            def log_message(self, *_):
                pass

        self.server = HTTPServer(("127.0.0.1", 0), Handler)

    def __enter__(self):
        Thread(target=self.server.serve_forever, daemon=True).start()
        return Mneme(f"http://127.0.0.1:{self.server.server_port}"), self.times

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


if __name__ == "__main__":
    unittest.main()
