"""Plants small mistakes into the sources, and tells which of them no test notices. README.md beside this says how."""

import argparse
import os
import shutil
import subprocess

import building
import drawing
import running
import schemata
import telling
from state import State

TARGETS = ['Firn', 'FirnDurability', 'FirnEngine', 'FirnReactive']


def parsed_arguments():
    parser = argparse.ArgumentParser(prog='Scripts/mutants', description=__doc__)
    actions = parser.add_subparsers(dest='action', required=True)

    def action(name, help):
        added = actions.add_parser(name, help=help)
        added.add_argument('work', help='the copy of the package; what is known of it is kept beside it')
        return added

    make = action('make', 'copies the package, and draws mutants')
    make.add_argument('--seed', type=int, required=True)
    make.add_argument('--count', type=int, default=160, help='mutants of each target; some do not compile')
    make.add_argument('--targets', nargs='+', default=TARGETS)
    make.add_argument('--traits', nargs='+', default=[], help='traits of the package that the copy is built with')
    action('build', 'drops the mutants that do not compile, until the rest does')
    reach = action('reach', 'runs each suite without a mutant')
    run = action('run', 'runs the mutants')
    for added in (reach, run):
        added.add_argument('--jobs', type=int, default=2)
    run.add_argument('numbers', type=int, nargs='*', help='only these, anew')
    run.add_argument('--count', type=int, default=100, help='mutants of each target')
    run.add_argument('--targets', nargs='+', help='only those of these targets, one target after the other')
    run.add_argument('--minutes', type=float, default=60)
    run.add_argument('--budget', type=float, default=12, help='seconds for the suites of the own target, and of others')
    run.add_argument('--again', action='store_true', help='runs what survived by the suites that were left out')
    action('report', 'prints tables in Markdown')
    action('show', 'prints a mutant and its surroundings').add_argument('number', type=int)
    return parser.parse_args()


def copy_package(origin, work):
    """Copies all that git knows of, as it is in the working tree."""
    os.makedirs(work, exist_ok=True)
    listing = subprocess.run(['git', 'ls-files', '-z'], cwd=origin, stdout=subprocess.PIPE, check=True).stdout
    subprocess.run(['tar', '-cf', work + '.tar', '--null', '-T', '-'], cwd=origin, input=listing, check=True)
    subprocess.run(['tar', '-xf', work + '.tar', '-C', work], check=True)
    os.remove(work + '.tar')


def main():
    arguments = parsed_arguments()
    work = os.path.abspath(arguments.work)
    if arguments.action == 'make':
        # Places are remembered by position, so that the package may go on changing while the mutants run.
        origin = work + '-origin'
        copy_package(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), origin)
        shutil.copytree(origin, work, dirs_exist_ok=True)
        state = drawing.draw(work, origin, arguments.seed, arguments.count, arguments.targets, arguments.traits)
        schemata.write_package(state)
        schemata.write(state)
        return state.save()
    state = State.read(work)
    if arguments.action == 'build':
        building.build(state)
    elif arguments.action == 'reach':
        running.reach(state, arguments.jobs)
    elif arguments.action == 'run':
        running.run(state, set(arguments.numbers), arguments.targets, arguments.count, arguments.minutes,
                    arguments.jobs, arguments.budget, arguments.again)
    elif arguments.action == 'report':
        telling.report(state)
    else:
        telling.show(state, arguments.number)


if __name__ == '__main__':
    main()
