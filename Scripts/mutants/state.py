"""All that is known of the mutants, kept beside the copy in WORK.json, so that steps go on where they were stopped."""

import json
import os
import threading


class State:
    def __init__(self, work, origin='', seed=0, mutants=(), candidate_counts=None, traits=()):
        self.work = work
        self.origin = origin
        self.seed = seed
        self.mutants = list(mutants)
        self.traits = list(traits)
        # By target.
        self.candidate_counts = candidate_counts or {}
        # By name: whether it passes without a mutant, in how many seconds, and which mutants it evaluates.
        self.suites = {}
        self._lock = threading.Lock()

    @classmethod
    def read(cls, work):
        state = cls(work)
        with open(work + '.json', encoding='utf8') as file:
            state.__dict__.update(json.load(file))
        state._read_verdicts(work + '-verdicts.txt')
        return state

    def save(self):
        with self._lock:
            self._write()

    def update(self, record, values):
        """Changes a mutant or the suites, and saves. Threads change nothing in any other way."""
        with self._lock:
            record.update(values)
            self._write()

    def _write(self):
        kept = {name: value for name, value in self.__dict__.items() if name not in ('work', '_lock')}
        with open(self.work + '.json.new', 'w', encoding='utf8') as file:
            json.dump(kept, file)
        os.replace(self.work + '.json.new', self.work + '.json')

    @property
    def targets(self):
        """The folders of the targets with mutants."""
        return sorted({'/'.join(mutant['file'].split('/')[:2]) for mutant in self.mutants})

    def mutant(self, number):
        return next(mutant for mutant in self.mutants if mutant['number'] == number)

    def _read_verdicts(self, path):
        """Takes over what somebody wrote about survivors, a line each: NUMBER equivalent|survivor WHY."""
        if not os.path.exists(path):
            return
        with open(path, encoding='utf8') as file:
            for line in file:
                if line.strip():
                    number, verdict, why = (line.strip() + '  ').split(' ', 2)
                    self.mutant(int(number)).update(verdict=verdict, why=why.strip())


def target_of(mutant):
    return mutant['file'].split('/')[1]
