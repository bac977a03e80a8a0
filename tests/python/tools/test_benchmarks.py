"""The program of benchmarks/ runs, on sizes where times mean nothing; what it makes of times is right."""

import copy
import importlib.util
import json
import re
import subprocess
import sys
import xml.etree.ElementTree
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[3] / "benchmarks/python"


def bench(*arguments):
    command = [sys.executable, "-B", FOLDER / "bench.py", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=600)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Every case, once, on ours and NumPy, which is in this environment: nothing is installed."""
    folder = tmp_path_factory.mktemp("bench")
    done = bench(
        "--peers=numpy", f"--env=numpy={sys.executable}", "--most=64", "--rounds=1", "--threads=1",
        f"--save={folder / 'run.json'}", f"--chart={folder / 'run.svg'}",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout, folder


def module(name):
    """One of the program's, under a name that no other module can have."""
    spec = importlib.util.spec_from_file_location(f"benchmarks_{name}", FOLDER / f"{name}.py")
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


report, environments = module("report"), module("environments")


def saved(folder):
    return json.loads((folder / "run.json").read_text())


def test_every_case_runs_and_the_results_agree(run):
    cases = saved(run[1])["cases"]
    assert [f"{c['family']}/{c['name']}" for c in cases] == bench("--list").stdout.split("\n")[:-1]
    assert {f"{c['family']}/{c['name']}": c["notes"] for c in cases if c["notes"]} == {}
    assert all(c["times"]["ours"] for c in cases)
    assert sum("numpy" in c["times"] for c in cases) > 100


def test_a_line_a_case_and_a_row_a_family(run):
    printed, folder = run
    cases = saved(folder)["cases"]
    assert all(f"\n{c['family']}/{c['name']} " in printed for c in cases)
    with_numpy = {c["family"] for c in cases if "numpy" in c["times"]}
    assert all(f"\n| {family} | " in printed for family in with_numpy | {"all"})


def test_chart_has_a_dot_for_each_mean(run):
    folder = run[1]
    dots = xml.etree.ElementTree.parse(folder / "run.svg").findall(".//{*}circle/{*}title")
    assert len(dots) == sum(map(len, report.means(saved(folder)).values()))


def test_a_run_against_itself_and_a_slower_one(run, tmp_path):
    file = run[1] / "run.json"
    assert bench(f"--load={file}", f"--against={file}").returncode == 0
    slow = saved(run[1])
    slow["cases"][0]["times"]["ours"] = [2 * t for t in slow["cases"][0]["times"]["ours"]]
    (tmp_path / "slow.json").write_text(json.dumps(slow))
    done = bench(f"--load={tmp_path / 'slow.json'}", f"--against={file}")
    assert done.returncode == 1
    assert "elementwise/add: 2.00 times the time" in done.stdout


def made(ours, peer, take="min"):
    case = {
        "family": "f",
        "name": "c",
        "dtype": "float32",
        "times": {"ours": ours, "torch": peer},
        "notes": {},
    }
    return {"take": take, "cases": [case], "versions": {"ours": "1", "torch": "2"}}


def test_ratios_and_means():
    run = made([3.0, 1.0, 2.0], [8.0, 4.0, 5.0])
    assert report.ratios(run["cases"][0], "min") == {"torch": 4}
    assert report.ratios(run["cases"][0], "median") == {"torch": 2.5}
    run["cases"].append(copy.deepcopy(run["cases"][0]) | {"times": {"ours": [2.0], "torch": [2.0]}})
    mean, count = report.means(run)["f"]["torch"]
    assert (round(mean, 12), count) == (2, 2)


def test_slower_counts_beyond_what_the_machine_was():
    assert report.compare(made([2.0], [8.0]), made([1.0], [4.0]), 0.1) == ([], 1)
    assert report.compare(made([2.0], [4.0]), made([1.0], [4.0]), 0.1) == ([("f/c", 2.0)], 1)


@pytest.mark.parametrize("python, why", [("/nowhere/python", "No such file"), ("/bin/false", "status 1")])
def test_a_peer_that_does_not_start_is_left_out(python, why):
    done = bench("--peers=numpy", f"--env=numpy={python}", "--only=^overhead/x", "--most=64", "--rounds=1")
    assert done.returncode == 0
    assert re.search(f"without numpy: .*{why}", done.stderr)
    assert "overhead/x + x on 16" in done.stdout


@pytest.mark.slow
def test_a_peer_that_cannot_be_installed_is_left_out(tmp_path, monkeypatch, capfd):
    monkeypatch.setitem(environments.PEERS, "none", ("numpy", ["--no-index", "a-package-that-is-not"]))
    assert environments.environment("none", tmp_path) is None
    assert re.search("without none: .*a-package-that-is-not", capfd.readouterr().err)


@pytest.mark.parametrize(
    "arguments, words",
    [(["--peers=abacus"], "no peer 'abacus'"), (["--env=torch"], "--env"), (["--ours=/no"], "/no")],
)
def test_wrong_arguments(arguments, words):
    done = bench(*arguments)
    assert done.returncode != 0
    assert words in done.stderr
    assert "Traceback" not in done.stderr
