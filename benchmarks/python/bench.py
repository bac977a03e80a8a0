"""The library beside NumPy, torch, jax and the published wheel, in turns, a process each.

    python benchmarks/python/bench.py [--only REGEX] [--peers numpy,torch] [--threads 2] [--save RUN.json]
    python benchmarks/python/bench.py --load RUN.json --against EARLIER.json --chart RUN.svg

Prints our time in milliseconds and each peer's time / ours: at 1 or more we win. See benchmarks/README.md.
"""

import argparse
import datetime
import json
import os
import platform
import re
import sys
from pathlib import Path

import report
from cases import CASES
from environments import PEERS, environment, named
from rounds import Peer, measure

ROOT = Path(__file__).parents[2]


def options_of(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add = parser.add_argument
    add("--only", default="", help="cases whose family/name this regular expression finds")
    add("--peers", default=",".join(PEERS), help="names with commas between; nothing for ours alone")
    add(
        "--env",
        type=named,
        action="append",
        default=[],
        metavar="PEER=PYTHON",
        help="an environment that exists",
    )
    add(
        "--envs", default=ROOT / "build/bench-envs", type=Path, help="where environments are made, if need be"
    )
    add("--ours", default=sys.executable, metavar="PYTHON", help="the Python that has our library")
    add("--rounds", type=int, default=7)
    add("--take", choices=("min", "median"), default="min", help="what stands for the rounds")
    add("--threads", type=int, default=len(os.sched_getaffinity(0)))
    add("--most", type=int, metavar="N", help="no dimension above N: a trial of the program, not of speed")
    add("--torch-compile", action="store_true", help="where ours is compiled (takes a compiler, and minutes)")
    add("--list", action="store_true", help="only name the cases")
    add("--save", type=Path, metavar="RUN.json", help="keep all times")
    add("--load", type=Path, metavar="RUN.json", help="a run that was saved, instead of a new one")
    add(
        "--against",
        type=Path,
        metavar="RUN.json",
        help="what got slower since; exit status 1 if any",
    )
    add("--threshold", type=float, default=0.15, help="slower by less is noise")
    add("--chart", type=Path, metavar="FILE.svg")
    return parser.parse_args(arguments)


def open_peers(options):
    """Ours first, then those that can be had."""
    existing = dict(options.env)
    peers = [Peer(report.OURS, options.ours, "mlx", options)]
    if peers[0].error:
        sys.exit(f"{options.ours}: {peers[0].error}")
    for name in filter(None, options.peers.split(",")):
        if name not in PEERS:
            sys.exit(f"no peer '{name}': there are {', '.join(PEERS)}")
        python = existing.get(name) or environment(name, options.envs)
        if python is None:
            continue
        peer = Peer(name, python, PEERS[name][0], options)
        if peer.error:
            print(f"without {name}: {peer.error}", file=sys.stderr)
        else:
            peers.append(peer)
    return peers


def processor():
    """Its name, and nothing else of the machine."""
    try:
        names = re.findall(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text())
    except OSError:
        names = []
    return names[0] if names else platform.machine()


def new_run(options):
    peers = open_peers(options)
    run = {
        "format": 1,
        "date": datetime.date.today().isoformat(),
        "processor": processor(),
        "threads": options.threads,
        "rounds": options.rounds,
        "take": options.take,
        "versions": {peer.name: peer.version for peer in peers},
        "cases": [],
    }
    print(", ".join(f"{name} {version}" for name, version in run["versions"].items()))
    print(report.head(run, f"{options.threads} threads; peer's time / ours"))
    try:
        for case in chosen(options):
            measured = measure(case, peers, options)
            run["cases"].append({"family": case.family, "name": case.name, "dtype": case.dtype, **measured})
            print(report.case_line(run["cases"][-1], run), flush=True)
    except KeyboardInterrupt:
        print("stopped: what was measured is kept", file=sys.stderr)
    finally:
        for peer in peers:
            peer.close()
    return run


def chosen(options):
    return [case for key, case in CASES.items() if re.search(options.only, key)]


def read(path):
    run = json.loads(path.read_text())
    if run.get("format") != 1:
        sys.exit(f"{path} is not a run saved by this program")
    return run


def main(arguments=None):
    options = options_of(arguments)
    if options.list:
        print("\n".join(case.key for case in chosen(options)))
        return 0
    run = read(options.load) if options.load else new_run(options)
    print("\n" + report.means_table(run))
    if options.save:
        options.save.write_text(json.dumps(run, indent=1) + "\n")
    if options.chart:
        options.chart.write_text(report.chart(run))
    if options.against is None:
        return 0
    slower, common = report.compare(run, read(options.against), options.threshold)
    limit = f"{options.threshold:.0%}"
    print(f"\n{len(slower)} of {common} cases slower by more than {limit} than in {options.against}")
    for key, factor in slower:
        print(f"  {key}: {factor:.2f} times the time")
    return 1 if slower else 0


if __name__ == "__main__":
    sys.exit(main())
