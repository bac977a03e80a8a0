"""The peers' processes, and rounds in which they take turns, so that all see the same noise."""

import contextlib
import json
import subprocess
import time
from pathlib import Path

from environments import ALONE
from report import OURS

WORKER = Path(__file__).with_name("worker.py")
SHARE = 0.03  # seconds of one peer's turn
SLOW = 0.5  # seconds of a call that is timed in few rounds
PAUSE = 0.05  # the threads of the peer before spin on for a while


class Peer:
    def __init__(self, name, python, framework, options):
        alone = [] if name == OURS else ALONE
        command = [str(python), *alone, "-B", str(WORKER), framework, "--threads", str(options.threads)]
        command += ["--most", str(options.most)] if options.most else []
        command += ["--torch-compile"] if options.torch_compile else []
        self.name, self.framework = name, framework
        pipes = dict(stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        try:
            self.process = subprocess.Popen(command, **pipes)
            hello = self.reply()
        except OSError as error:
            hello = {"error": str(error)}
        self.version, self.error = hello.get("version"), hello.get("error")

    def reply(self):
        line = self.process.stdout.readline()
        return json.loads(line) if line else {"error": f"the process ended with status {self.process.wait()}"}

    def ask(self, request, value=1):
        with contextlib.suppress(OSError):  # it has ended, as the reply will say
            print(json.dumps({request: value}), file=self.process.stdin, flush=True)
        return self.reply()

    def close(self):
        with contextlib.suppress(OSError):
            self.process.stdin.close()
        self.process.kill()  # it may be in the midst of a slow call, when the run was stopped
        self.process.wait()


def differs(digest, ours):
    """Half types and quantized weights are off by little; other work would be off by much."""
    size, mean = digest
    return size != ours[0] or abs(mean - ours[1]) > 0.05 * abs(ours[1]) + 1e-6


def turns(peers, first, options, notes):
    """Seconds of each peer, round by round; each round begins with another peer."""
    share, pause = (0, 0) if options.most else (SHARE, PAUSE)
    taken = {peer.name: [] for peer in peers}
    repeats = {peer.name: max(1, min(2000, int(share / max(first[peer.name], 1e-7)))) for peer in peers}
    for i in range(options.rounds):
        for j in range(len(peers)):
            peer = peers[(i + j) % len(peers)]
            if i >= 2 and first[peer.name] > SLOW:
                continue
            time.sleep(pause)
            reply = peer.ask("time", repeats[peer.name])
            if "seconds" in reply:
                taken[peer.name].append(reply["seconds"])
            else:
                notes[peer.name] = reply["error"]
    return {name: seconds for name, seconds in taken.items() if seconds}


def measure(case, peers, options):
    """The case's times by peer, and notes on those who fail or differ from the first who answers."""
    first, notes, digest, able = {}, {}, None, []
    for peer in peers:
        if not case.runs_on(peer.framework):
            continue
        reply = peer.ask("prepare", case.key)
        if "error" in reply:
            notes[peer.name] = reply["error"]
            continue
        able.append(peer)
        first[peer.name] = reply["seconds"]
        if reply["digest"] and digest and differs(reply["digest"], digest):
            notes[peer.name] = f"another result: {reply['digest']} for {digest}"
        digest = digest or reply["digest"]
    times = turns(able, first, options, notes)
    for peer in able:
        peer.ask("drop")
    return {"times": times, "notes": notes}
