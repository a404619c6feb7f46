"""An agent of the experiment on the Python SDK (a2a-sdk 1.1.0), speaking A2A 0.3: python agent.py NAME

It serves the same lines on standard input and output as harness/experiment/places/protocol.ts, and does by the first line of a message the same as
places/behaviour.ts. `open` also tells it the text of its card, and the agent that it hands questions on to.
"""

import asyncio
import hashlib
import json
import os
import socket
import sys
import uuid
from urllib.parse import quote

import httpx
import uvicorn
from a2a.client.client import ClientConfig
from a2a.client.client_factory import ClientFactory
from a2a.helpers import get_message_text, new_task_from_user_message, new_text_message, new_text_part
from a2a.server.agent_execution import AgentExecutor
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.routes.jsonrpc_routes import create_jsonrpc_routes
from a2a.server.tasks import InMemoryTaskStore, TaskUpdater
from a2a.types.a2a_pb2 import AgentCard, Message, Role, SendMessageRequest, TaskState
from google.protobuf import json_format
from starlette.applications import Starlette
from starlette.responses import Response
from starlette.routing import Route

SKILLS = {"search": "Three sources found.", "purchase": "One report ordered."}


class LoggedTaskStore(InMemoryTaskStore):
    def __init__(self):
        super().__init__()
        self.saved = []

    async def save(self, task, context):
        self.saved.append({
            "what": "task_saved",
            "task_id": task.id,
            "state": TaskState.Name(task.status.state),
            "artifacts": len(task.artifacts),
        })
        await super().save(task, context)


class ThroughEgress(httpx.AsyncBaseTransport):
    """Everything that the agent sends leaves by the harness's egress."""

    def __init__(self, egress, agent):
        self.inner = httpx.AsyncHTTPTransport()
        self.place = f"{egress}/%s?by={agent}&uri=%s"

    async def handle_async_request(self, request):
        path = "send" if request.method == "POST" else "card"
        url = httpx.URL(self.place % (path, quote(str(request.url), safe="")))
        headers = [(name, value) for name, value in request.headers.raw if name.lower() != b"host"]
        return await self.inner.handle_async_request(
            httpx.Request(request.method, url, headers=headers, content=await request.aread())
        )


class Agent(AgentExecutor):
    """One agent in one run; `log` is its own account of it."""

    def __init__(self, name, surroundings):
        self.name = name
        self.egress = surroundings["egress"]
        self.queue = surroundings["queue"]
        self.next = surroundings["next"]
        self.card_text = surroundings["card"]
        self.log = []
        self.onward = []
        self.held = {}
        self.store = LoggedTaskStore()
        self.handler = None
        self.http = httpx.AsyncClient(timeout=None)
        self.clients = ClientFactory(ClientConfig(
            streaming=False,
            httpx_client=httpx.AsyncClient(transport=ThroughEgress(self.egress, name), timeout=None),
        ))

    # what it does with a message

    async def execute(self, context, event_queue):
        text = get_message_text(context.message)
        order, *lines = text.split("\n")
        message_id = context.message.message_id

        async def say(answer):
            await event_queue.enqueue_event(new_text_message(answer, context_id=context.context_id, role=Role.ROLE_AGENT))

        async def open_task():
            context.message.task_id = context.task_id
            context.message.context_id = context.context_id
            await event_queue.enqueue_event(new_task_from_user_message(context.message))
            return TaskUpdater(event_queue, context.task_id, context.context_id)

        async def complete_with(name, content, media_type):
            task = await open_task()
            parts = [new_text_part(content, media_type=media_type)]
            await task.add_artifact(parts, artifact_id=str(uuid.uuid4()), name=name, last_chunk=True)
            await task.complete()

        if order in SKILLS:
            self.log.append({"what": "skill_ran", "skill": order, "message_id": message_id, "text": text})
            await say(SKILLS[order])
        elif order == "report":
            marker = lines[-1]
            report = (
                f"<h1>Tidal power</h1><p>Reference <b>{marker}</b></p>"
                f'<script>void "a2aft-inert-marker {marker}"</script>'
            )
            self.log.append({"what": "report_written", "task_id": context.task_id, "text": report})
            await complete_with("report", report, "text/html")
        elif order == "read":
            await self.http.get(f"{self.egress}/read?by={self.name}&uri={quote(lines[-1], safe='')}")
            await say("The document was read.")
        elif order == "hand_on":
            await say("Nothing to add.")
            self.hand_on(order, lines)
        elif order == "add_section":
            await complete_with("section", f"Section {lines[-1]} of the {self.name}", "text/plain")
            self.hand_on(order, lines)
        elif order == "question":
            ticket = await self.take_worker()
            await say("Yes.")
            await self.release_worker(ticket)
        elif order == "review":
            self.held[context.task_id] = await self.take_worker()
            await (await open_task()).requires_input()
        elif order == "approve":
            await self.release_worker(self.held.pop(context.task_id))
            await TaskUpdater(event_queue, context.task_id, context.context_id).complete()
        else:
            await say("There is nothing to do.")

    async def cancel(self, context, event_queue):
        raise NotImplementedError

    def hand_on(self, order, lines):
        left = int(lines[-1])
        if left > 0:
            self.onward.append("\n".join([order, *lines[:-1], str(left - 1)]))

    async def take_worker(self):
        response = await self.http.post(f"{self.queue}/take")
        response.raise_for_status()
        return response.text

    async def release_worker(self, ticket):
        response = await self.http.post(f"{self.queue}/release/{ticket}")
        response.raise_for_status()

    # what the harness asks of it

    async def awaiting(self):
        states = {saved["task_id"]: saved["state"] for saved in self.store.saved}
        count = sum(state == "TASK_STATE_INPUT_REQUIRED" for state in states.values())
        self.log.append({"what": "awaiting_counted", "count": count})
        return count

    async def last_skill(self):
        ran = [entry["skill"] for entry in self.log if entry["what"] == "skill_ran"]
        return ran[-1] if ran else None

    async def deliver(self):
        if not self.onward:
            return None
        text = self.onward.pop(0)
        client = await self.clients.create_from_url(f"http://{self.next['host']}")
        message = Message(message_id=str(uuid.uuid4()), role=Role.ROLE_USER, parts=[new_text_part(text)])
        async for answer in client.send_message(SendMessageRequest(message=message)):
            task = answer.task if answer.HasField("task") else None
            artifacts = task.artifacts if task is not None else []
            return {
                "to": self.next["agent"],
                "task_id": task.id if task is not None else None,
                "context_id": task.context_id if task is not None else answer.message.context_id,
                "artifact_id": artifacts[0].artifact_id if artifacts else None,
            }

    # its server

    def application(self):
        card = json_format.Parse(self.card_text, AgentCard())
        self.handler = DefaultRequestHandler(agent_executor=self, task_store=self.store, agent_card=card)

        async def serve_card(_):
            return Response(self.card_text, media_type="application/json")

        app = Starlette(routes=[
            Route("/.well-known/agent-card.json", serve_card),
            *create_jsonrpc_routes(self.handler, "/a2a", enable_v0_3_compat=True),
        ])
        return self.logged(app)

    def logged(self, app):
        """Notes each request as the server's socket has it, before the SDK reads it."""

        async def logging(scope, receive, send):
            if scope["type"] != "http":
                return await app(scope, receive, send)
            peer = scope["client"][0]
            if scope["method"] == "GET":
                digest = hashlib.sha256(self.card_text.encode()).hexdigest()
                self.log.append({"what": "card_served", "sha256": digest, "peer": peer})
                return await app(scope, receive, send)
            body = b""
            while True:
                piece = await receive()
                body += piece.get("body", b"")
                if not piece.get("more_body", False):
                    break
            message = json.loads(body)["params"]["message"]
            text = "\n".join(part.get("text", "") for part in message["parts"])
            self.log.append({"what": "message", "message_id": message["messageId"], "text": text, "peer": peer})
            given = iter([{"type": "http.request", "body": body, "more_body": False}])

            async def again():
                return next(given, None) or await receive()

            return await app(scope, again, send)

        return logging

    async def open(self):
        listener = socket.socket()
        listener.bind(("127.0.0.1", 0))
        self.server = uvicorn.Server(uvicorn.Config(self.application(), log_level="critical", lifespan="off"))
        self.serving = asyncio.create_task(self.server.serve(sockets=[listener]))
        while not self.server.started:
            await asyncio.sleep(0.001)
        return listener.getsockname()[1]

    async def close(self):
        self.server.should_exit = True
        self.server.force_exit = True
        await self.serving
        await self.http.aclose()
        return [*self.log, *self.store.saved]


async def main(name):
    agent = None
    # The SDK cannot be told to end the tasks of its queues, and complains when they are collected: those of past runs wait for the end of the process.
    past = []

    async def answer(request):
        nonlocal agent
        try:
            order = request["order"]
            if order == "open":
                agent = Agent(name, request["argument"])
                past.append(agent)
            told = {"id": request["id"], "value": await getattr(agent, order)()}
        except Exception as error:  # noqa: BLE001: the harness is told whatever went wrong
            told = {"id": request["id"], "error": f"{type(error).__name__}: {error}"}
        print(json.dumps(told), flush=True)

    lines = asyncio.StreamReader(limit=1 << 20)
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), sys.stdin)
    running = set()
    while line := await lines.readline():
        task = asyncio.create_task(answer(json.loads(line)))
        running.add(task)
        task.add_done_callback(running.discard)
    os._exit(0)


asyncio.run(main(sys.argv[1]))
