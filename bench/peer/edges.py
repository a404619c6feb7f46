"""Sections 4 and 10 of docs/FORMAT.md: the edges that follow from the records of a benchmark."""

from canonical import EDGE_ID, canonical, digest
from shapes import COLLECTIONS

NODE_TYPE = {collection: node for collection, _, _, node in COLLECTIONS}
ID_MEMBER = {collection: member for collection, _, member, _ in COLLECTIONS}

# relation, source collection, destination collection, the member of the destination that holds the id of the source
HELD = (
    ("ENDPOINT_SERVED_EXCHANGE", "endpoints", "exchanges", "endpoint_id"),
    ("ENDPOINT_SAMPLED_LOAD", "endpoints", "task_load_snapshots", "endpoint_id"),
    ("EXCHANGE_INVOKED_CAPABILITY", "exchanges", "capability_invocations", "exchange_id"),
    ("EXCHANGE_ROUTED_STEP", "exchanges", "routing_events", "exchange_id"),
    ("EXCHANGE_CAUSED_TRANSITION", "exchanges", "task_transitions", "exchange_id"),
    ("TRANSITION_FOLLOWS", "task_transitions", "task_transitions", "previous_transition_id"),
    ("EXCHANGE_REFERENCED_URI", "exchanges", "uri_references", "exchange_id"),
    ("ARTIFACT_REFERENCED_URI", "artifacts", "uri_references", "artifact_record_id"),
    ("URI_REFERENCE_DEREFERENCED", "uri_references", "uri_dereferences", "reference_id"),
    ("DEREFERENCE_REDIRECTED_TO", "uri_dereferences", "uri_dereferences", "redirect_of"),
    ("DEREFERENCE_RECEIVED_RESPONSE", "uri_dereferences", "dereference_responses", "dereference_id"),
    ("EXCHANGE_PRODUCED_ARTIFACT", "exchanges", "artifacts", "exchange_id"),
    ("ARTIFACT_RENDERED", "artifacts", "artifact_renders", "artifact_record_id"),
    ("ARTIFACT_SANITIZED", "artifacts", "sanitizers", "artifact_record_id"),
)


def derive(bundle, index):
    """Edges by id. The mixes of the benchmark hold no discovery event, no slot and no chunk: their relations are left out."""
    derived = {}

    def add(relation, source, source_id, destination, destination_id, metadata):
        if source_id not in index[source] or destination_id not in index[destination]:
            return
        payload = {
            "destination_id": destination_id,
            "destination_type": NODE_TYPE[destination],
            "metadata": metadata,
            "relation": relation,
            "source_id": source_id,
            "source_type": NODE_TYPE[source],
        }
        identifier = digest(EDGE_ID, canonical(payload))[:24]
        payload["edge_id"] = identifier
        derived[identifier] = payload

    for relation, source, destination, member in HELD:
        id_member = ID_MEMBER[destination]
        for record in bundle[destination]:
            if record[member] is not None:
                add(relation, source, record[member], destination, record[id_member], {})
    for endpoint in bundle["endpoints"]:
        if endpoint["card_id"] is not None:
            add("AGENTCARD_RESOLVES_TO_ENDPOINT", "selected_cards", endpoint["card_id"], "endpoints",
                endpoint["endpoint_id"], {})
    for invocation in bundle["capability_invocations"]:
        exchange = index["exchanges"].get(invocation["exchange_id"])
        endpoint = exchange and index["endpoints"].get(exchange["endpoint_id"])
        card = endpoint and index["selected_cards"].get(endpoint["card_id"])
        if card and invocation["capability"] in card["skill_ids"] and card["sequence"] < invocation["sequence"]:
            add("AGENTCARD_DECLARES_CAPABILITY", "selected_cards", card["card_id"], "capability_invocations",
                invocation["invocation_id"], {})
    for step in bundle["routing_events"]:
        agents = {"destination_agent": step["destination_agent"], "source_agent": step["source_agent"]}
        add("ROUTING_STEP_FOLLOWS", "routing_events", step["predecessor"], "routing_events", step["routing_id"], agents)
    for render in bundle["artifact_renders"]:
        if render["sanitizer_id"] is not None:
            add("RENDER_SANITIZER_STATE", "artifact_renders", render["render_id"], "sanitizers",
                render["sanitizer_id"], {})
    return derived
