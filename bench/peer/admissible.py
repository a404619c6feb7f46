"""Section 8b of docs/FORMAT.md: what records say is read off their wire text again. JSON-RPC of A2A 1.0, whole bodies, as the benchmark has them."""

import json
from datetime import datetime, timedelta
from hashlib import sha256

from canonical import Refused

STATES = {"TASK_STATE_COMPLETED": "completed", "TASK_STATE_WORKING": "working"}
FOREIGN = (
    ("endpoints", "card_id", "selected_cards"),
    ("exchanges", "endpoint_id", "endpoints"),
    ("capability_invocations", "exchange_id", "exchanges"),
    ("routing_events", "exchange_id", "exchanges"),
    ("routing_events", "progress_transition_id", "task_transitions"),
    ("routing_events", "progress_artifact_record_id", "artifacts"),
    ("task_transitions", "exchange_id", "exchanges"),
    ("task_transitions", "previous_transition_id", "task_transitions"),
    ("task_load_snapshots", "endpoint_id", "endpoints"),
    ("uri_references", "exchange_id", "exchanges"),
    ("uri_references", "artifact_record_id", "artifacts"),
    ("uri_dereferences", "reference_id", "uri_references"),
    ("uri_dereferences", "redirect_of", "uri_dereferences"),
    ("dereference_responses", "dereference_id", "uri_dereferences"),
    ("artifacts", "exchange_id", "exchanges"),
    ("artifacts", "appends_to", "artifacts"),
    ("artifact_renders", "artifact_record_id", "artifacts"),
    ("artifact_renders", "sanitizer_id", "sanitizers"),
    ("sanitizers", "artifact_record_id", "artifacts"),
)
BODIES = (
    ("candidate_cards", "raw"), ("trusted_cards", "raw"), ("selected_cards", "raw"), ("exchanges", "request_body"),
    ("exchanges", "response_body"), ("uri_dereferences", "request_body"), ("dereference_responses", "body"),
    ("task_transitions", "raw"), ("artifacts", "raw"), ("artifacts", "content"), ("sanitizers", "output"),
)


def _unique(pairs):
    members = dict(pairs)
    if len(members) != len(pairs):
        raise Refused("a name on the wire stands twice")
    return members


def parse(body):
    return json.loads(body["text"], object_pairs_hook=_unique) if body and body["size"] else {}


def same(record, expected):
    for name, value in expected.items():
        if record[name] != value:
            raise Refused(f"{name} contradicts its wire text")


def check_bodies(bundle):
    for collection, member in BODIES:
        for record in bundle[collection]:
            body = record[member]
            if body is None:
                continue
            data = body["text"].encode()
            if body["encoding"] != "utf8" or len(data) != body["size"] or sha256(data).hexdigest() != body["sha256"]:
                raise Refused("a body does not agree with itself")


def check_card(card):
    text = parse(card["raw"])
    interfaces = [
        {"url": stated["url"], "protocol": stated.get("protocolBinding"),
         "protocol_version": stated.get("protocolVersion"), "stated_in": "supported_interfaces"}
        for stated in text["supportedInterfaces"]
    ]
    same(card, {
        "name": text.get("name"),
        "provider_organization": text.get("provider", {}).get("organization"),
        "interfaces": interfaces,
        "skill_ids": [skill["id"] for skill in text["skills"]],
        "wire_issue": None,
    })


def check_exchange(exchange):
    """Returns the task that the response holds, or None."""
    request, response = parse(exchange["request_body"]), parse(exchange["response_body"])
    message = request.get("params", {}).get("message", {})
    task = response.get("result", {}).get("task")
    headers = dict(reversed(exchange["request_headers"]))
    same(exchange, {
        "protocol_version": headers.get("a2a-version"),
        "rpc_method": request.get("method"),
        "request_id": json.dumps(request.get("id")),
        "message_id": message.get("messageId"),
        "request_task_id": message.get("taskId"),
        "request_context_id": message.get("contextId"),
        "response_id": json.dumps(response.get("id")),
        "error_code": response.get("error", {}).get("code"),
        "response_task_id": task and task.get("id"),
        "response_context_id": task and task.get("contextId"),
        "event_count": None,
        "wire_issue": None,
    })
    return request, task


def check_artifact(artifact, task):
    found = task["artifacts"][artifact["artifact_index"]]
    part = found["parts"][artifact["part_index"]]
    same(artifact, {
        "task_id": task.get("id"), "context_id": task.get("contextId"), "artifact_id": found.get("artifactId"),
        "name": found.get("name"), "append": None, "last_chunk": None, "part_kind": "text",
        "media_type": part.get("mediaType"), "filename": part.get("filename"), "part_url": None, "wire_issue": None,
    })
    if artifact["content"]["sha256"] != sha256(part["text"].encode()).hexdigest():
        raise Refused("content contradicts its wire text")


def at_pointer(value, pointer):
    for step in pointer.split("/")[1:]:
        value = value[int(step)] if isinstance(value, list) else value[step]
    return value


def check_wire(bundle):
    for collection in ("candidate_cards", "trusted_cards", "selected_cards"):
        for card in bundle[collection]:
            check_card(card)
    texts = {exchange["exchange_id"]: check_exchange(exchange) for exchange in bundle["exchanges"]}
    for artifact in bundle["artifacts"]:
        check_artifact(artifact, texts[artifact["exchange_id"]][1])
    for transition in bundle["task_transitions"]:
        task = texts[transition["exchange_id"]][1]
        same(transition, {"task_id": task["id"], "context_id": task.get("contextId"),
                          "state": STATES.get(task["status"]["state"]), "wire_issue": None})
    for reference in bundle["uri_references"]:
        request = texts[reference["exchange_id"]][0]
        if reference["uri"] not in at_pointer(request, reference["pointer"]):
            raise Refused("a reference is not where it is said to be")


def milliseconds(earlier, later):
    return (datetime.fromisoformat(later[:-1]) - datetime.fromisoformat(earlier[:-1])) / timedelta(milliseconds=1)


def check_order(bundle, index, profile):
    for collection, member, target in FOREIGN:
        known = index[target]
        for record in bundle[collection]:
            if record[member] is not None and record[member] not in known:
                raise Refused(f"{collection}.{member} names no record")
    ended_at = bundle["trace_metadata"][0]["ended_at"]
    latest = ""
    records = [record for collection in index for record in bundle[collection]]
    for record in sorted(records, key=lambda row: row["sequence"]):
        observed = record["observed_at"]
        if observed > ended_at or (observed < latest and milliseconds(observed, latest) > profile["time_tolerance_ms"]):
            raise Refused("a record outside its time")
        latest = max(latest, observed)
    for response in bundle["dereference_responses"]:
        if response["status"] != index["uri_dereferences"][response["dereference_id"]]["status"]:
            raise Refused("a status that is not that of its hop")


def check(bundle, index, profile):
    check_bodies(bundle)
    check_wire(bundle)
    check_order(bundle, index, profile)
