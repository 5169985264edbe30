"""Tells what came of it."""

import os
from collections import Counter, defaultdict

from state import target_of

NOTICED = ('failed', 'crashed', 'hung')
MISSED = ('survived', 'unreached')
CONTEXT = 12


def report(state):
    """Two tables, in Markdown: the modules, and all mutants that were run."""
    counts = defaultdict(Counter)
    for mutant in state.mutants:
        # A verdict on what was noticed, or not run, counts for nothing.
        verdict = mutant.get('verdict', '') if mutant['state'] in MISSED else ''
        counts[target_of(mutant)].update([mutant['state'], 'planted', verdict])
    print('| module | places | planted | run | failed | crashed | hung | survived | unreached | no change | score |')
    print('|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|')
    for target, count in sorted(counts.items()):
        noticed = sum(count[result] for result in NOTICED)
        executed = noticed + count['survived'] + count['unreached']
        score = noticed / max(1, executed - count['equivalent'])
        cells = [target, state.candidate_counts.get(target, ''), count['planted'], executed,
                 *(count[result] for result in NOTICED), count['survived'], count['unreached'], count['equivalent'],
                 f'{score:.0%}']
        print('| ' + ' | '.join(map(str, cells)) + ' |')
    print('\n| no. | place | kind | mistake | result | seconds | verdict |\n|--:|---|---|---|---|--:|---|')
    for mutant in state.mutants:
        if mutant['state'] not in ('made', 'dropped'):
            mistake = f"{_code(mutant['original'])} → {_code(mutant['mutant'])}"
            verdict = f"{mutant.get('verdict', '')} {mutant.get('why', '')}".strip()
            print(f"| {mutant['number']} | {mutant['file'][8:]}:{mutant['line']} | {mutant['kind']} | {mistake} "
                  f"| {mutant['state']} | {mutant['seconds']} | {verdict} |")


def _code(text):
    return '`' + ' '.join(text.split())[:90].replace('|', '\\|').replace('`', "'") + '`'


def show(state, number):
    """A mutant with the lines around it, and the suites that reach it."""
    mutant = state.mutant(number)
    for name in ('file', 'line', 'kind', 'original', 'mutant', 'state', 'note', 'verdict', 'why'):
        if mutant.get(name):
            print(f'{name}: {mutant[name]}')
    lines = open(os.path.join(state.origin, mutant['file']), encoding='utf8').read().split('\n')
    for index in range(max(0, mutant['line'] - 1 - CONTEXT), min(len(lines), mutant['last_line'] + CONTEXT)):
        mark = '>' if mutant['line'] <= index + 1 <= mutant['last_line'] else ' '
        print(f'{mark}{index + 1:5} {lines[index]}')
    print('reached by:', *sorted(name for name, suite in state.suites.items() if number in suite['reaches']))
