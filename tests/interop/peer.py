"""An agent of the Python SDK (a2a-sdk 1.1.0) on a free loopback port.

    python peer.py 1.0|0.3      the one version of A2A that its card offers; prints its origin when it listens

It asks back once, then greets.
"""

import socket
import sys

import uvicorn
from a2a.helpers import new_task_from_user_message, new_text_message, new_text_part
from a2a.server.agent_execution import AgentExecutor
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.routes.agent_card_routes import create_agent_card_routes
from a2a.server.routes.jsonrpc_routes import create_jsonrpc_routes
from a2a.server.tasks import InMemoryTaskStore, TaskUpdater
from a2a.types.a2a_pb2 import AgentCapabilities, AgentCard, AgentInterface, AgentSkill, Role
from starlette.applications import Starlette


class Greeter(AgentExecutor):
    async def execute(self, context, event_queue):
        task = context.current_task
        if task is not None:
            updater = TaskUpdater(event_queue, task.id, task.context_id)
            await updater.start_work()
            parts = [new_text_part(f"Hello {context.get_user_input()} ✓")]
            await updater.add_artifact(parts, artifact_id="greeting-1", name="greeting", last_chunk=True)
            await updater.complete()
            return
        context.message.task_id = context.task_id
        context.message.context_id = context.context_id
        task = new_task_from_user_message(context.message)
        await event_queue.enqueue_event(task)
        question = new_text_message("Which city?", context_id=task.context_id, task_id=task.id, role=Role.ROLE_AGENT)
        await TaskUpdater(event_queue, task.id, task.context_id).requires_input(question)

    async def cancel(self, context, event_queue):
        raise NotImplementedError


def application(origin, version):
    card = AgentCard(
        name="Greeter",
        description="greets",
        version="1.0.0",
        supported_interfaces=[AgentInterface(url=f"{origin}/rpc", protocol_binding="JSONRPC", protocol_version=version)],
        capabilities=AgentCapabilities(streaming=False),
        default_input_modes=["text/plain"],
        default_output_modes=["text/plain"],
        skills=[AgentSkill(id="greet", name="greet", description="greets", tags=["greet"])],
    )
    handler = DefaultRequestHandler(agent_executor=Greeter(), task_store=InMemoryTaskStore(), agent_card=card)
    return Starlette(
        routes=[
            *create_agent_card_routes(card),
            *create_jsonrpc_routes(handler, "/rpc", enable_v0_3_compat=version == "0.3"),
        ]
    )


def main(version):
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen()
    origin = f"http://127.0.0.1:{listener.getsockname()[1]}"
    server = uvicorn.Server(uvicorn.Config(application(origin, version), log_level="warning"))
    print(origin, flush=True)
    server.run(sockets=[listener])


if __name__ == "__main__":
    main(sys.argv[1])
