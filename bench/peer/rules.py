"""The six families, as the paper asks them: enough to tell that the bundles of a benchmark indicate nothing."""

import ipaddress
from urllib.parse import urlsplit

INERT = ("text/plain", "application/json")


def evaluate(bundle, index, derived, profile):
    """Names of the families that a record indicates."""
    found = []
    pinned = {card["sha256"] for card in profile["as"]["pinned_cards"]}
    if pinned and any(card["raw"]["sha256"] not in pinned for card in bundle["selected_cards"]):
        found.append("AS")
    declared = {edge["destination_id"] for edge in derived.values() if edge["relation"] == "AGENTCARD_DECLARES_CAPABILITY"}
    if any(invocation["invocation_id"] not in declared for invocation in bundle["capability_invocations"]):
        found.append("CC")
    visits = {}
    for step in sorted(bundle["routing_events"], key=lambda row: row["sequence"]):
        pair = (step["source_agent"], step["destination_agent"])
        visits[pair] = 0 if step["progress"] else visits.get(pair, 0) + 1
        if visits[pair] > profile["co"]["max_cycle_repeats"]:
            found.append("CO")
    hotf = profile["hotf"]
    for snapshot in bundle["task_load_snapshots"]:
        if snapshot["awaiting_input_count"] >= hotf["awaiting_input_threshold"]:
            found.append("HOTF")
    asrf = profile["asrf"]
    for hop in bundle["uri_dereferences"]:
        url = urlsplit(hop["uri"])
        port = url.port or {"http": 80, "https": 443}.get(url.scheme)
        address = ipaddress.ip_address(hop["connected_address"])
        if url.scheme not in asrf["schemes"] or port not in asrf["ports"] or not address.is_global:
            found.append("ASRF")
    for render in bundle["artifact_renders"]:
        artifact = index["artifacts"][render["artifact_record_id"]]
        if render["input_sha256"] != artifact["content"]["sha256"] or render["interpreted_as"] not in INERT:
            found.append("ATSI")
    if any(artifact["media_type"] not in INERT for artifact in bundle["artifacts"]):
        found.append("ATSI")
    return found
