"""PCM section 9: approved_by."""

from .text import has_members, is_text, same


def is_well_formed(args):
    return (
        has_members(args, ("person", "call"), ("covers",))
        and is_text(args["person"])
        and is_text(args["call"])
        and type(args.get("covers", False)) is bool
    )


def _is_one_thing(decisions):
    first = decisions[0]
    return all(
        one.data["tool"] == first.data["tool"]
        and one.is_opened == first.is_opened
        and (not one.is_opened or same(one.args, first.args))
        for one in decisions
    )


def judge(args, records, context):
    """Result, reason, and what was approved."""
    call = args["call"]
    approvals = [
        one.data
        for one in records
        if one.type == "approval"
        and one.data.get("tool_use_id") == call
        and one.data.get("decision") == "approve"
        and one.data.get("person") == args["person"]
        and one.data.get("self_approved") is False
        and one.data.get("approver_kind") != "agent"
    ]
    if not approvals:
        return "failed", "PCM_APPROVAL_NONE", None
    linked, is_ambiguous = [], False
    for approval in approvals:
        named = {
            one.data["decision_id"]
            for one in records
            if one.type == "approval.request"
            and is_text(approval.get("approval_id"))
            and one.data.get("approval_id") == approval["approval_id"]
            and is_text(one.data.get("decision_id"))
        }
        is_ambiguous |= len(named) > 1
        linked += [
            (approval, one)
            for one in records
            if one.type == "policy.decision"
            and one.data.get("decision_id") in named
            and one.data.get("tool_use_id") == call
            and is_text(one.data.get("tool"))
        ]
    if is_ambiguous:
        return "failed", "PCM_APPROVAL_AMBIGUOUS", None
    if not linked:
        return "failed", "PCM_APPROVAL_UNLINKED", None
    if not _is_one_thing([decision for _, decision in linked]):
        return "failed", "PCM_APPROVAL_AMBIGUOUS", None
    decision = linked[0][1]
    result, reason = _covers(decision, [one for one, _ in linked], context) if args.get("covers") else ("proven", None)
    approved = {"tool": decision.data["tool"], "args": decision.args if decision.is_opened else None}
    return result, reason or "PCM_CLAIM_PROVEN", approved if result == "proven" else None


def _covers(decision, approvals, context):
    tool, schema, message = decision.data["tool"], context.schema, context.message
    wanted = schema.tool if schema else None
    if tool == "pcm.grant":
        root = context.root
        is_of_root = root is not None and any(
            root["approval_id"] == one["approval_id"]
            and root["run"] == message["from"]["run"]
            and root["tenant"] == message["from"]["tenant"]
            for one in approvals
        )
        if is_of_root:
            return "proven", None
        if wanted != "pcm.grant":
            return "failed", "PCM_APPROVAL_OTHER_GRANT"
    if wanted is None:
        return "unproven", "PCM_APPROVAL_NO_TOOL"
    if tool != wanted:
        return "failed", "PCM_APPROVAL_OTHER_TOOL"
    if not decision.is_opened:
        return "unproven", "PCM_APPROVAL_NOT_OPENED"
    is_same = same(decision.args, message["intent"]["args"])
    return ("proven", None) if is_same else ("failed", "PCM_APPROVAL_OTHER_ARGS")
