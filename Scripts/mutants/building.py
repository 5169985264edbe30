"""Builds the copy, and drops mutants until it compiles."""

import os
import re
import subprocess
import sys
import time

from schemata import write
from swift import Source

# The product of all tests. Nothing is built that they do not need.
TESTS = 'FirnPackageTests'

# Neither debug information nor an index: nobody debugs this. All errors at once.
FLAGS = ['--disable-index-store', '-Xswiftc', '-gnone', '-Xswiftc',
         '-continue-building-after-errors']


def build(state):
    """Target by target, so that errors come early, and then the tests. FIRN_TEST_TARGETS says which of them."""
    goals = [['--target', os.path.basename(target)] for target in state.targets] + [['--product', TESTS]]
    traits = ['--traits', ','.join(state.traits)] if state.traits else ['--disable-default-traits']
    while goals:
        start = time.time()
        run = subprocess.run(
            ['swift', 'build'] + goals[0] + traits + FLAGS, cwd=state.work, text=True, errors='replace',
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        errors, dropped = _drop(state, run.stdout)
        seconds = time.time() - start
        print(f'{" ".join(goals[0])}: {seconds:.0f} s, {errors} errors, {dropped} mutants dropped', flush=True)
        with open(state.work + '-build.log', 'w', encoding='utf8') as log:
            log.write(run.stdout)
        if run.returncode == 0:
            del goals[0]
        elif not dropped:
            sys.exit(f'The copy does not compile, for another reason than a mutant: see {state.work}-build.log.')
        write(state)
        state.save()


def _drop(state, output):
    """Drops the mutants to which errors of the compiler lead. Returns how many errors and how many mutants."""
    found = re.findall(r'^(/\S+\.swift):(\d+):\d+: error:', output, re.M)
    errors = {(os.path.relpath(file, state.work), int(line)) for file, line in found}
    dropped = 0
    for file, line in errors:
        for mutant in _guilty(state, file, line):
            mutant['state'] = 'dropped'
            dropped += 1
    return len(errors), dropped


def _guilty(state, file, line):
    """The mutants on the line; else those in the same function, statements first; else those in the file."""
    left = [mutant for mutant in state.mutants if mutant['file'] == file and mutant['state'] != 'dropped']
    on_line = [mutant for mutant in left if mutant['line'] <= line <= mutant['last_line']]
    if on_line or not left:
        return on_line
    text = open(os.path.join(state.origin, file), encoding='utf8').read()
    function = Source(text).function_around(len('\n'.join(text.split('\n')[:line - 1])) + 2)
    inside = [mutant for mutant in left if function and function.start <= mutant['start'] <= function.end]
    statements = [mutant for mutant in inside if mutant['kind'] in ('statement', 'condition', 'jump', 'defer')]
    return statements or inside or left
