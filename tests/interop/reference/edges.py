"""FORMAT sections 4 and 10: the edges that derive from the records."""

import re

from .commitments import COLLECTIONS, edge_id

CARD_ROLES = {"candidate_cards": "candidate", "trusted_cards": "trusted", "selected_cards": "selected"}
WAITING = ("input-required", "auth-required")


def type_name(collection):
    bare = COLLECTIONS[collection][0]
    return f"{bare}.{CARD_ROLES[collection]}" if collection in CARD_ROLES else bare


def normal(text):
    lowered = "".join(chr(ord(c) + 32) if "A" <= c <= "Z" else c for c in text)
    return re.sub(r"[\x00-\x2f\x3a-\x60\x7b-\x7f]+", " ", lowered).strip(" ")


def bigrams(text):
    clean = normal(text or "")
    padded = f" {clean} "
    return {padded[k : k + 2] for k in range(len(padded) - 1)} if clean else set()


def similarity(card, other):
    components = (
        (5, bigrams(card["name"]), bigrams(other["name"])),
        (2, bigrams(card["provider_organization"]), bigrams(other["provider_organization"])),
        (3, set(card["skill_ids"] or ()), set(other["skill_ids"] or ())),
    )
    present = [
        (weight, 20000 * len(one & two) // (len(one) + len(two))) for weight, one, two in components if one or two
    ]
    weights = sum(weight for weight, _ in present)
    return sum(weight * dice for weight, dice in present) // weights if weights else 0


def likeness(card, trusted):
    """Metadata of a card against all trusted cards."""
    if not trusted:
        return {}
    compared = [(-similarity(card, other), other["card_id"].encode(), other["card_id"]) for other in trusted]
    negative, _, closest = min(compared)
    return {"similarity_bp": -negative, "closest_trusted_card_id": closest}


# relation, source collection, destination collection, and whether the pair joins.
PAIRS = (
    ("DISCOVERY_REFERENCED_TRUSTED_CARD", "discovery_events", "trusted_cards",
     lambda s, d: d["card_id"] in s["trusted_card_ids"]),
    ("ENDPOINT_SERVED_EXCHANGE", "endpoints", "exchanges", lambda s, d: d["endpoint_id"] == s["endpoint_id"]),
    ("ENDPOINT_SAMPLED_LOAD", "endpoints", "task_load_snapshots", lambda s, d: d["endpoint_id"] == s["endpoint_id"]),
    ("EXCHANGE_INVOKED_CAPABILITY", "exchanges", "capability_invocations",
     lambda s, d: d["exchange_id"] == s["exchange_id"]),
    ("EXCHANGE_ROUTED_STEP", "exchanges", "routing_events", lambda s, d: d["exchange_id"] == s["exchange_id"]),
    ("EXCHANGE_CAUSED_TRANSITION", "exchanges", "task_transitions", lambda s, d: d["exchange_id"] == s["exchange_id"]),
    ("TRANSITION_FOLLOWS", "task_transitions", "task_transitions",
     lambda s, d: d["previous_transition_id"] == s["transition_id"]),
    ("EXCHANGE_REFERENCED_URI", "exchanges", "uri_references", lambda s, d: d["exchange_id"] == s["exchange_id"]),
    ("ARTIFACT_REFERENCED_URI", "artifacts", "uri_references",
     lambda s, d: d["artifact_record_id"] == s["artifact_record_id"]),
    ("URI_REFERENCE_DEREFERENCED", "uri_references", "uri_dereferences",
     lambda s, d: d["reference_id"] == s["reference_id"]),
    ("DEREFERENCE_REDIRECTED_TO", "uri_dereferences", "uri_dereferences",
     lambda s, d: d["redirect_of"] == s["dereference_id"]),
    ("DEREFERENCE_RECEIVED_RESPONSE", "uri_dereferences", "dereference_responses",
     lambda s, d: d["dereference_id"] == s["dereference_id"]),
    ("EXCHANGE_PRODUCED_ARTIFACT", "exchanges", "artifacts", lambda s, d: d["exchange_id"] == s["exchange_id"]),
    ("ARTIFACT_APPENDS_TO", "artifacts", "artifacts", lambda s, d: s["appends_to"] == d["artifact_record_id"]),
    ("ARTIFACT_RENDERED", "artifacts", "artifact_renders",
     lambda s, d: d["artifact_record_id"] == s["artifact_record_id"]),
    ("ARTIFACT_SANITIZED", "artifacts", "sanitizers", lambda s, d: d["artifact_record_id"] == s["artifact_record_id"]),
    ("RENDER_SANITIZER_STATE", "artifact_renders", "sanitizers", lambda s, d: s["sanitizer_id"] == d["sanitizer_id"]),
)


def resolves(collection, card, endpoint):
    selected = collection == "selected_cards" and endpoint["card_id"] == card["card_id"]
    return selected or card["endpoint_id"] == endpoint["endpoint_id"]


def occupied(transitions, snapshot):
    """The transitions that hold a task half open when the snapshot was taken, in slot order."""
    tasks = {}
    for transition in transitions:
        if transition["task_id"] is not None and transition["agent"] is not None:
            tasks.setdefault((transition["agent"], transition["task_id"]), []).append(transition)
    last = []
    for (agent, _), members in tasks.items():
        own = [t for t in members if t["observer"] == "sdk-server"] or members
        before = [t for t in own if t["sequence"] < snapshot["sequence"]]
        if agent == snapshot["agent"] and before:
            last.append(max(before, key=lambda t: t["sequence"]))
    waiting = [t for t in last if t["state"] in WAITING]
    return sorted(waiting, key=lambda t: (t["sequence"], t["transition_id"].encode()))


def derive(bundle):
    """Every edge that follows from well-shaped records, with its `edge_id`, by edge id."""
    found = {}

    def add(relation, source_collection, source, destination_collection, destination, metadata=None):
        payload = {
            "relation": relation,
            "source_type": type_name(source_collection),
            "source_id": source[COLLECTIONS[source_collection][1]],
            "destination_type": type_name(destination_collection),
            "destination_id": destination[COLLECTIONS[destination_collection][1]],
            "metadata": metadata or {},
        }
        identifier = edge_id(payload)
        found[identifier] = {**payload, "edge_id": identifier}

    for relation, sources, destinations, joins in PAIRS:
        for source in bundle[sources]:
            for destination in bundle[destinations]:
                if joins(source, destination):
                    add(relation, sources, source, destinations, destination)

    trusted = bundle["trusted_cards"]
    for event in bundle["discovery_events"]:
        for card in bundle["candidate_cards"]:
            if card["card_id"] in event["considered_card_ids"]:
                add("DISCOVERY_CONSIDERED_CARD", "discovery_events", event, "candidate_cards", card,
                    likeness(card, trusted))
        for card in bundle["selected_cards"]:
            if card["card_id"] == event["selected_card_id"]:
                add("DISCOVERY_SELECTED_CARD", "discovery_events", event, "selected_cards", card,
                    likeness(card, trusted))

    exchange_endpoint = {exchange["exchange_id"]: exchange["endpoint_id"] for exchange in bundle["exchanges"]}
    for collection in CARD_ROLES:
        for card in bundle[collection]:
            served = [endpoint for endpoint in bundle["endpoints"] if resolves(collection, card, endpoint)]
            for endpoint in served:
                add("AGENTCARD_RESOLVES_TO_ENDPOINT", collection, card, "endpoints", endpoint)
            reached = {endpoint["endpoint_id"] for endpoint in served}
            for invocation in bundle["capability_invocations"]:
                if (
                    exchange_endpoint.get(invocation["exchange_id"]) in reached
                    and invocation["capability"] in (card["skill_ids"] or ())
                    and card["sequence"] < invocation["sequence"]
                ):
                    add("AGENTCARD_DECLARES_CAPABILITY", collection, card, "capability_invocations", invocation)

    for step in bundle["routing_events"]:
        for before in bundle["routing_events"]:
            if step["predecessor"] == before["routing_id"] and step["predecessor"] not in ("root", "unknown"):
                agents = {"source_agent": step["source_agent"], "destination_agent": step["destination_agent"]}
                add("ROUTING_STEP_FOLLOWS", "routing_events", before, "routing_events", step, agents)

    for snapshot in bundle["task_load_snapshots"]:
        for slot, transition in enumerate(occupied(bundle["task_transitions"], snapshot)):
            add("TASK_OCCUPIES_SLOT", "task_transitions", transition, "task_load_snapshots", snapshot, {"slot": slot})

    return [found[identifier] for identifier in sorted(found)]
