"""Writes all mutants into one copy of the sources, each behind its switch."""

import os
import re
from collections import defaultdict

from kinds import SWAPPED

DIGITS = '←↑→↓↔↕↖↗↘↙'

# The switch, and the marks of what was evaluated: the variables of the environment are in the page on the tool.
SUPPORT = '''\
import Glibc

@usableFromInline let firnMutantChosen = getenv("FIRN_MUTANT").flatMap { Int(String(cString: $0)) } ?? 0
@usableFromInline nonisolated(unsafe) let firnMutantMarks: UnsafeMutablePointer<UInt8>? = {
  guard let path = getenv("FIRN_MUTANT_MARKS") else { return nil }
  let marks = mmap(nil, 65536, PROT_READ | PROT_WRITE, MAP_SHARED, open(path, O_RDWR), 0)
  // A test may leave the process no memory for it.
  return marks == MAP_FAILED ? nil : marks?.assumingMemoryBound(to: UInt8.self)
}()
@usableFromInline func firnMutant(_ number: Int) -> Bool {
  firnMutantMarks?[number] = 1
  return firnMutantChosen == number
}
@usableFromInline func firn_min<T: Comparable>(_ n: Int, _ a: T, _ b: T) -> T {
  firnMutant(n) ? Swift.max(a, b) : Swift.min(a, b)
}
@usableFromInline func firn_max<T: Comparable>(_ n: Int, _ a: T, _ b: T) -> T {
  firnMutant(n) ? Swift.min(a, b) : Swift.max(a, b)
}
@usableFromInline func firn_more<T: FixedWidthInteger>(_ n: Int, _ a: T) -> T { firnMutant(n) ? a &+ 1 : a }
'''

# Without an index there is no discovery of tests.
TEST_MAIN = '''\
import Testing

@main struct Runner {
  static func main() async { await Testing.__swiftPMEntryPoint() as Never }
}
'''


def write(state):
    """Writes the sources anew with the mutants that are left."""
    planted = defaultdict(list)
    for mutant in state.mutants:
        if mutant['state'] != 'dropped':
            planted[mutant['file']].append(mutant)
    for file in {mutant['file'] for mutant in state.mutants}:
        source = open(os.path.join(state.origin, file), encoding='utf8').read()
        put(os.path.join(state.work, file), _edited(source, planted[file]))
    for target in state.targets:
        own = [mutant for file, mutants in planted.items() if file.startswith(target + '/') for mutant in mutants]
        put(os.path.join(state.work, target, 'FirnMutants.swift'), SUPPORT + ''.join(map(_operator_of, own)))


def write_package(state):
    """Writes the rest that the copy needs."""
    manifest = open(os.path.join(state.origin, 'Package.swift'), encoding='utf8').read()
    put(os.path.join(state.work, 'Package.swift'), re.sub(r'.*treatAllWarnings.*\n', '', manifest))
    put(os.path.join(state.work, 'Tests/XCTMain.swift'), TEST_MAIN)


def put(path, content):
    """Leaves a file alone that has the content already, so that it is not compiled again."""
    if not os.path.exists(path) or open(path, encoding='utf8').read() != content:
        open(path, 'w', encoding='utf8').write(content)


def _edited(source, mutants):
    edits = []
    for mutant in mutants:
        length = mutant['end'] - mutant['start']
        for edit in mutant['edits']:
            number, operator = str(mutant['number']), _operator(mutant['number'])
            text = edit['inserted'].replace('NUMBER', number).replace('OPERATOR', operator)
            # At one position what ends comes before what begins; what is longer begins first and ends last.
            rank = (0, length) if edit['closes'] else (1 if edit['removed'] == 0 else 2, -length)
            edits.append((edit['position'], rank, edit['removed'], text))
    parts, last = [], 0
    for position, _, removed, text in sorted(edits):
        parts += [source[last:position], text]
        last = max(last, position + removed)
    return ''.join(parts) + source[last:]


# MARK: Operators of their own


def _operator(number):
    return '⊙' + ''.join(DIGITS[int(digit)] for digit in str(number))


def _operator_of(mutant):
    """Declares the operator that a mutant needs. It is the usual one, unless the mutant was chosen."""
    define = {
        'comparison': _comparison, 'logic': _logic, 'fallback': _fallback, 'range': _range, 'arithmetic': _arithmetic,
    }.get(mutant['kind'])
    if define is None:
        return ''
    group, functions = define(mutant['original'], f"firnMutant({mutant['number']})")
    name = _operator(mutant['number'])
    lines = [f'infix operator {name}: {group}Precedence'] + [
        f'{"@_disfavoredOverload " if is_disfavoured else ""}@usableFromInline func {name}{head} {{ {body} }}'
        for head, body, is_disfavoured in functions
    ]
    return '\n'.join(lines) + '\n'


def _comparison(operator, chosen):
    bound = 'Equatable' if operator in ('==', '!=') else 'Comparable'
    body = f'{chosen} ? a {SWAPPED[operator]} b : a {operator} b'
    functions = [(f'<T: {bound}>(a: T, b: T) -> Bool', body, False)]
    if bound == 'Equatable':
        functions.append(('<T>(a: T?, b: _OptionalNilComparisonType) -> Bool', body, False))
    return 'Comparison', functions


def _logic(operator, chosen):
    group = 'LogicalConjunction' if operator == '&&' else 'LogicalDisjunction'
    body = f'{chosen} ? try a {SWAPPED[operator]} b() : try a {operator} b()'
    return group, [('(a: Bool, b: @autoclosure () throws -> Bool) rethrows -> Bool', body, False)]


def _fallback(_, chosen):
    body = f'{chosen} ? try b() : try a ?? b()'
    return 'NilCoalescing', [
        ('<T>(a: T?, b: @autoclosure () throws -> T) rethrows -> T', body, False),
        ('<T>(a: T?, b: @autoclosure () throws -> T?) rethrows -> T?', body, False),
    ]


def _range(_, chosen):
    body = f'{chosen} && a < b ? a..<b.advanced(by: -1) : a..<b'
    return 'RangeFormation', [('<T: Strideable>(a: T, b: T) -> Range<T>', body, False)]


def _arithmetic(operator, chosen):
    body = f'{chosen} ? a {SWAPPED[operator]} b : a {operator} b'
    if operator[0] == '&':
        return 'Addition', [('<T: FixedWidthInteger>(a: T, b: T) -> T', body, False)]
    sign, opposite = ('', '-') if operator == '+' else ('-', '')
    return 'Addition', [
        ('<T: AdditiveArithmetic>(a: T, b: T) -> T', body, False),
        # Pointers.
        ('<T: Strideable>(a: T, b: T.Stride) -> T', f'a.advanced(by: {chosen} ? {opposite}b : {sign}b)', True),
    ]
