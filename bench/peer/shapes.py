"""Section 9 of docs/FORMAT.md: the members of every record, each with the test that its value must pass."""

import re
from datetime import datetime

MAX_INTEGER = 2**53 - 1
ID = re.compile(r"[A-Za-z0-9._:-]{1,128}").fullmatch
HEX32 = re.compile(r"[0-9a-f]{32}").fullmatch
HEX64 = re.compile(r"[0-9a-f]{64}").fullmatch
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", re.ASCII).fullmatch


def is_time(value):
    if not isinstance(value, str) or not TIME(value):
        return False
    try:
        datetime.fromisoformat(value[:-1])
    except ValueError:
        return False
    return True


def is_integer(value):
    return type(value) is int and -MAX_INTEGER <= value <= MAX_INTEGER


def is_count(value):
    return type(value) is int and 0 <= value <= MAX_INTEGER


def is_text(value):
    return type(value) is str


def is_id(value):
    return type(value) is str and ID(value) is not None


def is_hex64(value):
    return type(value) is str and HEX64(value) is not None


def one_of(*values):
    return frozenset(values).__contains__


def or_null(test):
    return lambda value: value is None or test(value)


def list_of(test):
    return lambda value: type(value) is list and all(map(test, value))


def exactly(**members):
    def test(value):
        return (
            type(value) is dict
            and value.keys() == members.keys()
            and all([holds(value[name]) for name, holds in members.items()])
        )

    return test


def is_label(value):
    return type(value) is str and value != ""


def is_flag(value):
    return type(value) is bool


is_body = exactly(
    text=is_text, encoding=one_of("utf8", "base64"), size=is_count, sha256=is_hex64, truncated=or_null(is_count)
)
HEADERS = one_of("content-type", "content-encoding", "a2a-version", "a2a-extensions", "location")
ISSUES = one_of("unparsable", "truncated", "duplicate_name", "outside_model", "wrong_type", "unterminated")


def is_header(value):
    return type(value) is list and len(value) == 2 and HEADERS(value[0]) and type(value[1]) is str


KINDS = {
    "id": is_id,
    "text": is_text,
    "label": is_label,
    "count": is_count,
    "integer": is_integer,
    "time": is_time,
    "bool": is_flag,
    "body": is_body,
    "hex32": lambda value: type(value) is str and HEX32(value) is not None,
    "hex64": is_hex64,
    "status": lambda value: type(value) is int and 100 <= value <= 999,
    "headers": list_of(is_header),
    "texts": list_of(is_text),
    "ids": list_of(is_id),
    "versions": list_of(exactly(name=is_label, version=is_label)),
    "gaps": list_of(exactly(at=is_time, what=is_text)),
    "redactions": list_of(exactly(what=is_label, count=is_count)),
    "coverage": lambda value: type(value) is dict and len(value) == 8 and all(map(is_flag, value.values())),
    "interfaces": list_of(
        exactly(
            url=is_text,
            protocol=or_null(is_text),
            protocol_version=or_null(is_text),
            stated_in=one_of("supported_interfaces", "url", "additional_interfaces"),
        )
    ),
    "host_address": exactly(host=is_text, address=is_text),
    "issues": or_null(lambda value: type(value) is dict and all(map(ISSUES, value.values()))),
}


def test_of(kind):
    if callable(kind):
        return kind
    return or_null(KINDS[kind[:-1]]) if kind.endswith("?") else KINDS[kind]


COMMON = {
    "observed_at": "time",
    "sequence": "count",
    "observer": one_of("sdk-client", "sdk-server", "harness", "process-hook", "proxy", "application", "profile"),
    "salt": "hex32",
}
RECORDS = {
    "TraceMetadata": {
        "trace_id": "id",
        "incident_id": "id",
        "profile_id": "id",
        "capture_backend": "id",
        "versions": "versions",
        "started_at": "time",
        "ended_at": "time",
        "ended": one_of("complete", "recovered", "incomplete"),
        "gaps": "gaps",
        "coverage": "coverage",
        "coverage_notes": "texts",
        "redactions": "redactions",
    },
    "AgentCardSnapshot": {
        "card_id": "id",
        "url": "text?",
        "status": "status?",
        "extended": "bool",
        "endpoint_id": "id?",
        "raw": "body",
        "name": "text?",
        "provider_organization": "text?",
        "interfaces": "interfaces?",
        "skill_ids": "texts?",
        "wire_issue": "issues",
    },
    "SelectedEndpoint": {
        "endpoint_id": "id",
        "card_id": "id?",
        "url": "text",
        "protocol": one_of("JSONRPC", "HTTP+JSON", "GRPC"),
        "protocol_version": "text?",
        "agent": "label?",
    },
    "DiscoveryEventEvidence": {
        "discovery_id": "id",
        "client_agent": "label?",
        "considered_card_ids": "ids",
        "trusted_card_ids": "ids",
        "selected_card_id": "id?",
    },
    "RuntimeExchange": {
        "exchange_id": "id",
        "endpoint_id": "id?",
        "client_agent": "label?",
        "server_agent": "label?",
        "binding": one_of("JSONRPC", "HTTP+JSON", "GRPC"),
        "method": "text",
        "url": "text",
        "status": "status?",
        "ended": one_of("complete", "aborted", "timeout", "reset"),
        "request_headers": "headers",
        "response_headers": "headers",
        "request_body": "body?",
        "response_body": "body?",
        "protocol_version": "text?",
        "rpc_method": "text?",
        "request_id": "text?",
        "message_id": "text?",
        "request_task_id": "text?",
        "request_context_id": "text?",
        "response_id": "text?",
        "error_code": "integer?",
        "response_task_id": "text?",
        "response_context_id": "text?",
        "event_count": "count?",
        "wire_issue": "issues",
    },
    "CapabilityInvocationEvidence": {
        "invocation_id": "id",
        "exchange_id": "id?",
        "capability": "label",
        "basis": one_of("executed", "requested"),
        "caller_agent": "label?",
    },
    "RoutingEventEvidence": {
        "routing_id": "id",
        "exchange_id": "id?",
        "source_agent": "label",
        "destination_agent": "label",
        "predecessor": "id",
        "joined_by": one_of("trace_context", "reference_task", "context_id", "async_context", "application", None),
        "outcome": one_of("ok", "failed", None),
        "progress": "bool?",
        "progress_transition_id": "id?",
        "progress_artifact_record_id": "id?",
        "task_id": "text?",
        "context_id": "text?",
    },
    "TaskStateTransition": {
        "transition_id": "id",
        "exchange_id": "id?",
        "wire_event": "count?",
        "raw": "body?",
        "agent": "label?",
        "task_id": "text?",
        "context_id": "text?",
        "state": one_of("submitted", "working", "input-required", "auth-required", "completed", "canceled", "failed", "rejected", None),
        "previous_transition_id": "id?",
        "wire_issue": "issues",
    },
    "TaskLoadSnapshot": {
        "snapshot_id": "id",
        "endpoint_id": "id?",
        "agent": "label?",
        "awaiting_input_count": "count",
        "queue_depth": "count?",
        "latency_us": "count?",
        "timeouts": "count?",
        "window_us": "count?",
    },
    "UriReferenceEvidence": {
        "reference_id": "id",
        "uri": "text",
        "exchange_id": "id?",
        "artifact_record_id": "id?",
        "body": one_of("request", "response", None),
        "wire_event": "count?",
        "pointer": "text?",
    },
    "UriDereferenceEvidence": {
        "dereference_id": "id",
        "reference_id": "id?",
        "redirect_of": "id?",
        "hop": "count",
        "agent": "label?",
        "uri": "text",
        "method": "text",
        "resolved_addresses": "texts?",
        "connected_address": "text?",
        "dial_override": "host_address?",
        "via_proxy": "text?",
        "outcome": one_of("connected", "connect_failed", "blocked_by_guard", "not_attempted"),
        "status": "status?",
        "ended": one_of("complete", "aborted", "timeout", "reset", None),
        "request_headers": "headers",
        "response_headers": "headers",
        "request_body": "body?",
    },
    "DereferenceResponseEvidence": {
        "response_id": "id",
        "dereference_id": "id?",
        "status": "status?",
        "body": "body?",
    },
    "ArtifactEvidence": {
        "artifact_record_id": "id",
        "exchange_id": "id?",
        "wire_event": "count?",
        "raw": "body?",
        "agent": "label?",
        "payload": one_of("artifact_update", "task_artifact", "message"),
        "artifact_index": "count?",
        "part_index": "count?",
        "task_id": "text?",
        "context_id": "text?",
        "artifact_id": "text?",
        "name": "text?",
        "part_kind": one_of("text", "raw", "url", "data", None),
        "media_type": "text?",
        "filename": "text?",
        "part_url": "text?",
        "append": "bool?",
        "last_chunk": "bool?",
        "appends_to": "id?",
        "content": "body?",
        "wire_issue": "issues",
    },
    "ArtifactRenderEvidence": {
        "render_id": "id",
        "artifact_record_id": "id?",
        "renderer": "label",
        "interpreted_as": "text?",
        "mode": one_of("interpreted", "source"),
        "input_sha256": "hex64",
        "sanitizer_id": "id?",
    },
    "SanitizerEvidence": {
        "sanitizer_id": "id",
        "artifact_record_id": "id?",
        "name": "label",
        "version": "label?",
        "applied": "bool",
        "input_sha256": "hex64?",
        "output": "body?",
    },
}
# Collection, record type, member that holds the id, and the type as edges name it: in Merkle order.
COLLECTIONS = (
    ("trace_metadata", "TraceMetadata", "trace_id", "TraceMetadata"),
    ("candidate_cards", "AgentCardSnapshot", "card_id", "AgentCardSnapshot.candidate"),
    ("trusted_cards", "AgentCardSnapshot", "card_id", "AgentCardSnapshot.trusted"),
    ("selected_cards", "AgentCardSnapshot", "card_id", "AgentCardSnapshot.selected"),
    ("endpoints", "SelectedEndpoint", "endpoint_id", "SelectedEndpoint"),
    ("discovery_events", "DiscoveryEventEvidence", "discovery_id", "DiscoveryEventEvidence"),
    ("exchanges", "RuntimeExchange", "exchange_id", "RuntimeExchange"),
    ("capability_invocations", "CapabilityInvocationEvidence", "invocation_id", "CapabilityInvocationEvidence"),
    ("routing_events", "RoutingEventEvidence", "routing_id", "RoutingEventEvidence"),
    ("task_transitions", "TaskStateTransition", "transition_id", "TaskStateTransition"),
    ("task_load_snapshots", "TaskLoadSnapshot", "snapshot_id", "TaskLoadSnapshot"),
    ("uri_references", "UriReferenceEvidence", "reference_id", "UriReferenceEvidence"),
    ("uri_dereferences", "UriDereferenceEvidence", "dereference_id", "UriDereferenceEvidence"),
    ("dereference_responses", "DereferenceResponseEvidence", "response_id", "DereferenceResponseEvidence"),
    ("artifacts", "ArtifactEvidence", "artifact_record_id", "ArtifactEvidence"),
    ("artifact_renders", "ArtifactRenderEvidence", "render_id", "ArtifactRenderEvidence"),
    ("sanitizers", "SanitizerEvidence", "sanitizer_id", "SanitizerEvidence"),
)
TESTS = {name: {member: test_of(kind) for member, kind in {**COMMON, **members}.items()} for name, members in RECORDS.items()}
