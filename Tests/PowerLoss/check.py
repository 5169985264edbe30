#!/usr/bin/env python3
"""Runs stores on a disk that loses power, and fails when anything that was promised is not there.

Usually started by Scripts/check-power-loss, which builds what it needs. See README.md.
"""

import argparse
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from power_loss.disk import CannotMount, LosingDisk
from power_loss.disk_check import check_disk
from power_loss.exchange_round import ExchangeRound
from power_loss.finding import Finding, read_command
from power_loss.planted import PLANTED, ROUNDS_MAX, Planted
from power_loss.random_round import RandomRound
from power_loss.round import Round
from power_loss.scenario import SCENARIOS, Kind, Scenario
from power_loss.session import Session
from power_loss.stepping_round import SteppingRound

SECONDS_BETWEEN_LINES = 300

FINDINGS_MAX = 5
"""After so many findings a run ends."""

ROUNDS: dict[Kind, type[Round]] = {
    Kind.RANDOM: RandomRound,
    Kind.STEPPING: SteppingRound,
    Kind.EXCHANGE: ExchangeRound,
}


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="Scripts/check-power-loss", description=__doc__)
    parser.add_argument("seconds", nargs="?", type=float, default=180, help="how long new rounds begin (180)")
    parser.add_argument("seed", nargs="?", type=int, default=1, help="the seed of the first round (1)")
    parser.add_argument("--round", type=int, metavar="SEED", help="one round only, however long it takes")
    parser.add_argument("--scenario", default="", help="names of scenarios, divided by commas")
    parser.add_argument("--without", default="", help="names of scenarios to leave out, divided by commas")
    parser.add_argument("--list", action="store_true", help="shows the scenarios and the faults that can be planted")
    parser.add_argument("--image", type=Path, metavar="FOLDER", help="runs the last process of a kept finding again")
    parser.add_argument("--self-test", choices=["quick", "all"], help="plants faults, and fails if one is not noticed")
    parser.add_argument("--plant", default="", help="only these planted faults, divided by commas")
    parser.add_argument("--encryption", action="store_true", help="half of the stores are encrypted")
    parser.add_argument("--file-system", type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--program", type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--failures", type=Path, required=True, help=argparse.SUPPRESS)
    return parser.parse_args()


def chosen_scenarios(names: str, includes_slow: bool) -> list[Scenario]:
    if not names:
        return [scenario for scenario in SCENARIOS if includes_slow or not scenario.is_slow]
    by_name = {scenario.name: scenario for scenario in SCENARIOS}
    unknown = set(names.split(",")) - by_name.keys()
    if unknown:
        sys.exit(f"There is no scenario {', '.join(sorted(unknown))}; see --list.")
    return [by_name[name] for name in names.split(",")]


def run_round(session: Session, scenario: Scenario, seed: int, flags: str) -> Finding | None:
    """Runs one round, and keeps what it finds."""
    round_ = ROUNDS[scenario.kind](session, scenario, seed)
    try:
        round_.run()
        return None
    except Finding as finding:
        rerun = f"Scripts/check-power-loss --scenario {scenario.name} --round {seed}{flags}"
        if session.planted:
            return finding
        folder = round_.keep(finding, rerun)
        print(f"FOUND in round {seed}, {scenario.name}: {finding}\n  again: {rerun}\n  kept:  {folder}", flush=True)
        return finding


def run_rounds(session: Session, scenarios: list[Scenario], first: int, count: int | None, flags: str) -> list[Finding]:
    findings: list[Finding] = []
    seed = first
    next_line = time.monotonic() + SECONDS_BETWEEN_LINES
    while not session.is_over and (count is None or seed < first + count) and len(findings) < FINDINGS_MAX:
        if time.monotonic() > next_line:
            next_line += SECONDS_BETWEEN_LINES
            print(summary(session), flush=True)
        if finding := run_round(session, scenarios[seed % len(scenarios)], seed, flags):
            findings.append(finding)
        seed += 1
    return findings


def summary(session: Session) -> str:
    total = session.total
    keys = (
        "lives",
        "power losses",
        "images",
        "acknowledged",
        "readings beside",
        "bases",
        "deltas",
        "migrations",
        "exchanges",
        "deletions",
    )
    return f"{total['rounds']} rounds: " + ", ".join(f"{total[key]} {key}" for key in keys)


def report(session: Session) -> None:
    for name, tally in session.tallies.items():
        keys = ("rounds", "lives", "images", "acknowledged", "bases", "deltas")
        parts = [f"{tally[key]} {key}" for key in keys]
        others = [f"{count} × {key}" for key, count in sorted(tally.items()) if key.startswith("error")]
        print(f"  {name}: {', '.join(parts + others)}")
    print(summary(session), flush=True)


def self_test(session: Session, planted: list[Planted], first: int, flags: str) -> bool:
    """Whether every planted fault is noticed, as a fault of the store."""
    all_noticed = True
    for fault in planted:
        session.planted, session.tallies = fault, {}
        scenarios = chosen_scenarios(",".join(fault.scenarios), includes_slow=True)
        for seed in range(first, first + ROUNDS_MAX):
            finding = run_round(session, scenarios[seed % len(scenarios)], seed, flags)
            if finding and finding.kind not in ("tests", "hung"):
                number = seed - first + 1
                print(f"  {fault.name} ({fault.description}) was noticed in round {number}: {str(finding)[:300]}")
                break
            if finding or session.is_over:
                print(f"  {fault.name}: {finding or 'there was no time left'}")
                all_noticed = False
                break
        else:
            print(f"  {fault.name} ({fault.description}) was NOT noticed in {ROUNDS_MAX} rounds")
            all_noticed = False
        sys.stdout.flush()
    session.planted = None
    return all_noticed


def look_again(program: Path, folder: Path) -> int:
    """Runs the last process of a finding on a copy of what it found."""
    with tempfile.TemporaryDirectory(prefix="firn-power-loss-") as name:
        places = {"disk": Path(name) / "disk", "notes": Path(name)}
        shutil.copytree(folder / "disk", places["disk"], symlinks=True)
        for notes in folder.glob("notes*"):
            shutil.copy(notes, name)
        return subprocess.run([program, *read_command(folder, places)], check=False).returncode


def end_on_signal(number: int, _: object) -> None:
    sys.exit(128 + number)


def main() -> int:
    arguments = parse_arguments()
    if arguments.list:
        print("scenarios:", ", ".join(scenario.name for scenario in SCENARIOS))
        print("faults:", ", ".join(fault.name for fault in PLANTED))
        return 0
    if arguments.image:
        return look_again(arguments.program, arguments.image)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, end_on_signal)
    flags = " --encryption" if arguments.encryption else ""
    with tempfile.TemporaryDirectory(prefix="firn-power-loss-") as name:
        folder = Path(name)
        (folder / "disk").mkdir()
        (folder / "work").mkdir()
        try:
            disk = LosingDisk(arguments.file_system, folder / "disk")
        except CannotMount:
            print("check-power-loss: skipped: the system does not let a file system be mounted", file=sys.stderr)
            return 0
        with disk:
            session = Session(arguments.program, disk, folder / "work", arguments.failures, arguments.encryption)
            return run(session, arguments, flags)


def run(session: Session, arguments: argparse.Namespace, flags: str) -> int:
    if arguments.self_test or arguments.plant:
        names = arguments.plant.split(",") if arguments.plant else []
        faults = [fault for fault in PLANTED if fault.name in names or not names]
        if arguments.self_test == "quick":
            faults = [fault for fault in faults if fault.is_quick]
        try:
            check_disk(session.disk)
        except AssertionError as error:
            print(f"the disk itself is at fault: {error}")
            return 1
        print(f"the disk does what it should; planted faults, from seed {arguments.seed}:", flush=True)
        return 0 if self_test(session, faults, arguments.seed, flags) else 1
    left_out = arguments.without.split(",")
    scenarios = [one for one in chosen_scenarios(arguments.scenario, includes_slow=False) if one.name not in left_out]
    start = time.monotonic()
    if arguments.round is not None:
        findings = run_rounds(session, scenarios, arguments.round, 1, flags)
    else:
        print(f"rounds from seed {arguments.seed} on, for {arguments.seconds:.0f} s", flush=True)
        session.end = start + arguments.seconds
        findings = run_rounds(session, scenarios, arguments.seed, None, flags)
    report(session)
    print(f"{len(findings)} findings in {time.monotonic() - start:.0f} s")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
