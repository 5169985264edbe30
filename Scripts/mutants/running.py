"""Runs suites with a mutant switched on, until one of them notices."""

import glob
import os
import re
import shutil
import signal
import subprocess
import threading
import time
from concurrent.futures import ThreadPoolExecutor

from state import target_of
from telling import MISSED

MARK_COUNT = 65536
SUITE_SECONDS_MAX = 45


class Outcome:
    def __init__(self, result, seconds, note=''):
        # passed, failed, crashed or hung
        self.result, self.seconds, self.note = result, seconds, note


def reach(state, jobs):
    """Runs each suite alone and without a mutant: whether it passes, how long it takes, and what it evaluates."""
    command = [_binary(state.work), '--testing-library', 'swift-testing', '--list-tests']
    listing = subprocess.run(command, cwd=state.work, text=True, stdout=subprocess.PIPE).stdout
    suites = sorted({_suite_of(line) for line in listing.split() if '(' in line})
    start = time.time()

    def measure(suite, slot):
        marks = f'{state.work}-marks-{slot}'
        with open(marks, 'wb') as file:
            file.write(bytes(MARK_COUNT))
        outcome = _execute(state.work, [suite], SUITE_SECONDS_MAX, marks=marks, slot=slot)
        with open(marks, 'rb') as file:
            reached = [number for number, mark in enumerate(file.read()) if mark]
        known = dict(result=outcome.result, seconds=round(outcome.seconds, 2), note=outcome.note, reaches=reached)
        state.update(state.suites, {suite: known})
        if outcome.result != 'passed':
            print('without a mutant:', suite, outcome.result, outcome.note, flush=True)

    _in_slots(jobs, [suite for suite in suites if suite not in state.suites], measure)
    total = sum(suite['seconds'] for suite in state.suites.values())
    print(f'{len(suites)} suites, {total:.0f} s in {time.time() - start:.0f} s')


def run(state, numbers, targets, count, minutes, jobs, budget, again):
    """Runs mutants until `count` of each target have been run, or the time is up.

    Each is run by the suites that reach it, the quick ones first: those of its own target as far as they take up to
    `budget` seconds together, and then those of others.
    """
    end = time.time() + minutes * 60
    suites = {name: suite for name, suite in state.suites.items() if suite['result'] in ('passed', 'hung')}
    lock, begun = threading.Lock(), {}

    def may_run(mutant):
        if numbers:
            return True
        with lock:
            target = target_of(mutant)
            if target not in begun:
                begun[target] = sum(
                    other['state'] not in ('made', 'dropped') for other in state.mutants if target_of(other) == target)
            if again:
                return mutant['state'] in MISSED and mutant.get('verdict') != 'equivalent' and time.time() < end
            if mutant['state'] != 'made' or begun[target] >= count or time.time() > end:
                return False
            begun[target] += 1
            return True

    def judge(mutant, slot):
        if may_run(mutant):
            if numbers:
                state.update(mutant, dict(ran=[], seconds=0))
            _judge(state, suites, mutant, budget, slot)

    left = [mutant for mutant in state.mutants if mutant['state'] != 'dropped']
    if targets:
        left = [mutant for target in targets for mutant in left if target_of(mutant) == target]
    _in_slots(jobs, [mutant for mutant in left if not numbers or mutant['number'] in numbers], judge)


def _judge(state, suites, mutant, budget, slot):
    own, ran = target_of(mutant) + 'Tests', mutant.get('ran', [])
    reaching = [name for name, suite in suites.items() if mutant['number'] in suite['reaches'] and name not in ran]
    reaching.sort(key=lambda name: (name.split('.')[0] != own, suites[name]['seconds']))
    result, note, seconds = 'survived' if reaching or ran else 'unreached', '', mutant.get('seconds', 0)
    for is_own in (True, False):
        chosen = _affordable([name for name in reaching if (name.split('.')[0] == own) == is_own], suites, budget)
        if not chosen:
            continue
        expected = sum(suites[name]['seconds'] for name in chosen)
        outcome = _execute(state.work, chosen, 20 + 3 * expected, mutant['number'], slot=slot)
        seconds, ran = seconds + outcome.seconds, ran + chosen
        if outcome.result != 'passed':
            result, note = outcome.result, outcome.note
            break
    state.update(mutant, dict(state=result, seconds=round(seconds, 1), note=note, ran=ran))
    original, changed = ' '.join(mutant['original'].split())[:60], ' '.join(mutant['mutant'].split())[:60]
    print(f"{mutant['number']:5} {result:9} {seconds:5.1f} s  {mutant['file'][8:]}:{mutant['line']} {mutant['kind']} "
          f'{original} -> {changed}', flush=True)


def _affordable(names, suites, budget):
    """The first suites that take no longer than the budget together, at least one."""
    chosen, spent = [], 0
    for name in names:
        spent += suites[name]['seconds']
        if not chosen or spent <= budget:
            chosen.append(name)
    return chosen


def _binary(work):
    return os.environ.get('MUTANT_BINARY') or glob.glob(work + '/.build/debug/*.xctest')[0]


def _suite_of(test):
    """The suite of a test as it is listed; of one without a suite, the test itself."""
    return re.sub(r'(/[^/]*|\.[^./]*)\(.*$', '', test) if '/' in test else test.split('(')[0]


def _execute(work, suites, seconds, number=0, marks=None, slot=0):
    """Runs suites, all of the tests of each, up to the first issue."""
    folder = f'{work}-tmp/{slot}'
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    environment = dict(os.environ, TMPDIR=folder, FIRN_MUTANT=str(number), SWIFT_BACKTRACE='enable=no')
    if marks:
        environment['FIRN_MUTANT_MARKS'] = marks
    pattern = '^(' + '|'.join(re.escape(suite) for suite in suites) + ')[/(]'
    start, hung = time.time(), threading.Event()
    process = subprocess.Popen(
        [_binary(work), '--testing-library', 'swift-testing', '--filter', pattern], cwd=work, env=environment,
        text=True, errors='replace', stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)

    def stop():
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass

    def give_up():
        hung.set()
        stop()

    timer = threading.Timer(seconds, give_up)
    timer.start()
    issue, last, has_passed = '', '', False
    for line in process.stdout:
        if 'recorded an issue' in line:
            issue = line.strip()
            stop()
            break
        has_passed = has_passed or re.search(r'Test run with \d+ tests?.* passed', line) is not None
        last = line.strip() or last
    timer.cancel()
    process.wait()
    shutil.rmtree(folder, ignore_errors=True)
    took = time.time() - start
    if issue:
        return Outcome('failed', took, issue[:300])
    if hung.is_set():
        return Outcome('hung', took, last[:300])
    if process.returncode == 0 and has_passed:
        return Outcome('passed', took)
    return Outcome('crashed', took, f'{process.returncode} {last[:300]}')


def _in_slots(jobs, items, body):
    """Calls `body(item, slot)` for each item, on as many threads as there are slots."""
    free = list(range(jobs))

    def one(item):
        slot = free.pop()
        try:
            body(item, slot)
        finally:
            free.append(slot)

    with ThreadPoolExecutor(jobs) as pool:
        list(pool.map(one, items))
