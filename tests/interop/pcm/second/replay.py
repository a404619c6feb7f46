"""PCM section 4: what a receiver remembers for its whole life."""

from .text import seconds_between

MAX_NONCES, MAX_SENDERS, WINDOW_S = 4096, 1024, 300


class Replay:
    def __init__(self, started, max_nonces=MAX_NONCES):
        self.started = started
        self.max_nonces = max_nonces
        self.senders = {}
        self.floor_of_others = ""

    def fault(self, sender, message, now):
        """Why the message is refused, None when it is fresh; nothing is spent."""
        spent, floor = self.senders.get(sender, ({}, self.floor_of_others))
        if abs(seconds_between(message["ts"], now)) > WINDOW_S:
            return "PCM_REPLAY_WINDOW"
        if message["ts"] < self.started:
            return "PCM_REPLAY_BEFORE_START"
        if message["nonce"] in spent:
            return "PCM_REPLAY_SEEN"
        return "PCM_REPLAY_FLOOR" if message["ts"] <= floor else None

    def spend(self, sender, message):
        if sender not in self.senders and len(self.senders) >= MAX_SENDERS:
            self._forget_one()
        spent, floor = self.senders.setdefault(sender, ({}, self.floor_of_others))
        spent[message["nonce"]] = message["ts"]
        if len(spent) > self.max_nonces:
            oldest = min(spent, key=spent.get)
            floor = max(floor, spent.pop(oldest))
        self.senders[sender] = (spent, floor)

    def _forget_one(self):
        newest = {one: max(spent.values()) for one, (spent, _) in self.senders.items()}
        dropped = min(newest, key=newest.get)
        self.floor_of_others = max(self.floor_of_others, newest[dropped])
        del self.senders[dropped]
