"""Draws mutants from all places that the code has for them."""

import dataclasses
import glob
import os
import random
from collections import Counter, defaultdict

from kinds import candidates
from state import State
from swift import Source

# Statements are half of all places, and are noticed more often than others.
KEPT_STATEMENTS = 0.5


def draw(work, origin, seed, count, targets, traits):
    """Takes `count` mutants of each target, at random, and from the folders of a target in turn."""
    generator = random.Random(seed)
    mutants, counts = [], {}
    for target in targets:
        found = _all_of(origin, target, traits)
        counts[target] = len(found)
        mutants += _drawn(found, count, generator)
    for number, mutant in enumerate(mutants, 1):
        mutant['number'] = number
    state = State(work, origin, seed, mutants, counts, traits)
    print(f'seed {seed}: {len(mutants)} of {sum(counts.values())} places, {dict(Counter(m["kind"] for m in mutants))}')
    return state


def _all_of(origin, target, traits):
    found = []
    for path in sorted(glob.glob(os.path.join(origin, 'Sources', target, '**/*.swift'), recursive=True)):
        source = Source(open(path, encoding='utf8').read())
        for candidate in candidates(source, traits):
            found.append(dict(
                dataclasses.asdict(candidate), file=os.path.relpath(path, origin), state='made',
                original=source.text[candidate.start:candidate.end],
                line=source.line_number(candidate.start), last_line=source.line_number(candidate.end)))
    return found


def _drawn(found, count, generator):
    folders = defaultdict(list)
    for mutant in found:
        if mutant['kind'] != 'statement' or generator.random() < KEPT_STATEMENTS:
            folders[os.path.dirname(mutant['file'])].append(mutant)
    turns = []
    for folder in sorted(folders):
        generator.shuffle(folders[folder])
        turns += [(turn + generator.random(), mutant) for turn, mutant in enumerate(folders[folder])]
    turns.sort(key=lambda pair: pair[0])
    return [mutant for _, mutant in turns[:count]]
