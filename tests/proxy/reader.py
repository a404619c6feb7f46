"""An agent of the Python SDK (a2a-sdk 1.1.0) on a free loopback port: it reads the page that a message names, and answers with its length.

    python reader.py      prints its origin when it listens
"""

import socket

import httpx
import uvicorn
from a2a.helpers import new_task_from_user_message, new_text_part
from a2a.server.agent_execution import AgentExecutor
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.routes.agent_card_routes import create_agent_card_routes
from a2a.server.routes.jsonrpc_routes import create_jsonrpc_routes
from a2a.server.tasks import InMemoryTaskStore, TaskUpdater
from a2a.types.a2a_pb2 import AgentCapabilities, AgentCard, AgentInterface, AgentSkill
from starlette.applications import Starlette


class Reader(AgentExecutor):
    async def execute(self, context, event_queue):
        context.message.task_id = context.task_id
        context.message.context_id = context.context_id
        task = new_task_from_user_message(context.message)
        await event_queue.enqueue_event(task)
        updater = TaskUpdater(event_queue, task.id, task.context_id)
        await updater.start_work()
        async with httpx.AsyncClient(follow_redirects=True, trust_env=False) as client:
            page = await client.get(context.get_user_input())
        answer = new_text_part(f"{len(page.text)} characters")
        await updater.add_artifact([answer], artifact_id="answer-1", name="answer", last_chunk=True)
        await updater.complete()

    async def cancel(self, context, event_queue):
        raise NotImplementedError


def application(origin):
    card = AgentCard(
        name="Reader",
        description="reads",
        version="1.0.0",
        supported_interfaces=[AgentInterface(url=f"{origin}/rpc", protocol_binding="JSONRPC", protocol_version="1.0")],
        capabilities=AgentCapabilities(streaming=True),
        default_input_modes=["text/plain"],
        default_output_modes=["text/plain"],
        skills=[AgentSkill(id="read", name="read", description="reads", tags=["read"])],
    )
    handler = DefaultRequestHandler(agent_executor=Reader(), task_store=InMemoryTaskStore(), agent_card=card)
    return Starlette(routes=[*create_agent_card_routes(card), *create_jsonrpc_routes(handler, "/rpc")])


def main():
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen()
    origin = f"http://localhost:{listener.getsockname()[1]}"
    server = uvicorn.Server(uvicorn.Config(application(origin), log_level="warning"))
    print(origin, flush=True)
    server.run(sockets=[listener])


if __name__ == "__main__":
    main()
