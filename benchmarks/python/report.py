"""What is made of a run: ratios, geometric means, a comparison with an earlier run, a chart."""

import math
import statistics
from html import escape

OURS = "ours"


def taken(seconds, take):
    return min(seconds) if take == "min" else statistics.median(seconds)


def ratios(case, take):
    """Peer's time / our time: at 1 or more we win."""
    times = case["times"]
    if OURS not in times:
        return {}
    ours = taken(times[OURS], take)
    return {peer: taken(seconds, take) / ours for peer, seconds in times.items() if peer != OURS}


def geometric_mean(values):
    return math.exp(statistics.fmean(map(math.log, values)))


def means(run):
    """By family, and for "all": {peer: (geometric mean of the ratios, number of cases)}."""
    groups = {}
    for case in run["cases"]:
        for peer, ratio in ratios(case, run["take"]).items():
            for family in (case["family"], "all"):
                groups.setdefault(family, {}).setdefault(peer, []).append(ratio)
    groups["all"] = groups.pop("all", {})
    return {
        family: {peer: (geometric_mean(values), len(values)) for peer, values in by_peer.items()}
        for family, by_peer in groups.items()
    }


def peers_of(run):
    return [peer for peer in run["versions"] if peer != OURS]


def number(value):
    return "-" if value is None else f"{value:.3g}" if value < 100 else f"{value:.0f}"


def case_line(case, run):
    times = {peer: taken(seconds, run["take"]) * 1e3 for peer, seconds in case["times"].items()}
    ratio = ratios(case, run["take"])
    cells = [number(times.get(OURS)), *(number(ratio.get(peer)) for peer in peers_of(run))]
    name = f"{case['family']}/{case['name']}"
    notes = "".join(f"  [{peer}: {note}]" for peer, note in case["notes"].items())
    return f"{name:42s}" + "".join(f"{cell:>10s}" for cell in cells) + notes


def head(run, first):
    return f"{first:42s}" + "".join(f"{name:>10s}" for name in ("ours ms", *peers_of(run)))


def means_table(run):
    """In Markdown."""
    peers = peers_of(run)
    lines = ["| family | " + " | ".join(peers) + " |", "| --- |" + " ---: |" * len(peers)]
    for family, by_peer in means(run).items():
        cells = [f"{number(by_peer[p][0])} ({by_peer[p][1]})" if p in by_peer else "-" for p in peers]
        lines.append(f"| {family} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def compare(run, earlier, threshold):
    """What got slower by more than the threshold, worst first: (key, factor), and how many cases both have.

    The machine may have been slower altogether: the factor is ours divided by that of the peers, where both
    runs have any.
    """
    before = {(c["family"], c["name"]): c for c in earlier["cases"]}
    slower, common = [], 0
    for case in run["cases"]:
        old = before.get((case["family"], case["name"]))
        if old is None or OURS not in case["times"] or OURS not in old["times"]:
            continue
        common += 1
        change = {
            peer: taken(seconds, run["take"]) / taken(old["times"][peer], run["take"])
            for peer, seconds in case["times"].items()
            if peer in old["times"]
        }
        factor = change.pop(OURS) / (geometric_mean(change.values()) if change else 1)
        if factor > 1 + threshold:
            slower.append((f"{case['family']}/{case['name']}", factor))
    return sorted(slower, key=lambda item: -item[1]), common


COLORS = ("#3b6fb6", "#d9822b", "#4b9b57", "#a04a9c", "#777777")
LEFT, WIDTH, ROW, TOP = 150, 620, 24, 64


def chart(run):
    """The geometric means as an SVG: a line a family, a dot a peer, to the right of 1 where we are faster."""
    table, peers = means(run), peers_of(run)
    logs = [math.log10(mean) for by_peer in table.values() for mean, _ in by_peer.values()]
    low, high = math.floor(min([*logs, -0.3])), math.ceil(max([*logs, 0.3]))
    bottom = TOP + ROW * len(table)

    def x(value):
        return LEFT + (math.log10(value) - low) / (high - low) * WIDTH

    def text(at, y, words, anchor="middle"):
        return f'<text x="{at:.1f}" y="{y}" text-anchor="{anchor}">{escape(words)}</text>'

    parts = [
        text(
            LEFT, 20, f"Peer's time / ours, geometric means; {run['threads']} threads, {run['date']}", "start"
        )
    ]
    for i, peer in enumerate(peers):
        at = LEFT + 8 + 110 * i
        parts.append(f'<circle cx="{at}" cy="36" r="5" fill="{COLORS[i % len(COLORS)]}"/>')
        parts.append(text(at + 10, 40, peer, "start"))
    for tick in (m * 10.0**p for p in range(low, high + 1) for m in (1, 2, 5)):
        if low <= math.log10(tick) <= high:
            line = "#444" if tick == 1 else "#ddd"
            parts.append(f'<path d="M{x(tick):.1f} {TOP - 6}V{bottom}" stroke="{line}"/>')
            parts.append(text(x(tick), bottom + 16, f"{tick:g}"))
    for row, (family, by_peer) in enumerate(table.items()):
        y = TOP + ROW * row + ROW // 2
        parts.append(text(LEFT - 10, y + 4, family, "end"))
        for i, peer in enumerate(peers):
            if peer in by_peer:
                mean, count = by_peer[peer]
                parts.append(
                    f'<circle cx="{x(mean):.1f}" cy="{y}" r="5" fill="{COLORS[i % len(COLORS)]}">'
                    f"<title>{escape(family)}, {escape(peer)}: {number(mean)} ({count})</title></circle>"
                )
    size = f'width="{LEFT + WIDTH + 30}" height="{bottom + 28}"'
    style = 'font-family="sans-serif" font-size="12" fill="#222"'
    background = '<rect width="100%" height="100%" fill="white"/>'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} {style}>{background}' + "\n".join(parts) + "</svg>\n"
    )
