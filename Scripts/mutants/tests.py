"""The tool itself: `python3 Scripts/mutants/tests.py`."""

import os
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor

from kinds import candidates
from state import State
from swift import Source, blanked


def mistakes(code):
    """All mistakes that may be planted into a piece of code, as KIND: ORIGINAL -> MUTANT."""
    source = Source(code)
    return {f'{found.kind}: {source.text[found.start:found.end]} -> {found.mutant}' for found in candidates(source)}


def body(code, header='func f(a: Int, b: Int?)'):
    return f'{header} {{\n  {code}\n}}\n'


class SwiftTests(unittest.TestCase):
    def test_comments_and_strings_are_blank_and_keep_their_lines(self):
        code = 'a /* b /* c */\n d */ e // f\n"g \\(h("i")) \\" j" k #"l " \\#(m) "# n """\no " p\n""" q'
        blank = blanked(code)
        self.assertEqual(len(blank), len(code))
        self.assertEqual(blank.count('\n'), code.count('\n'))
        self.assertEqual(blank.split(), ['a', 'e', 'k', 'n', 'q'])

    def test_result_types(self):
        for header, expected in [
            ('func f(_ body: () -> Int) -> [Int]?', '[Int]?'), ('var x: Bool', 'Bool'), ('func f()', None),
            ('func f<T>() throws -> T where T: P', 'T'), ('subscript(i: Int) -> Int', 'Int'), ('init(x: Int)', None),
        ]:
            source = Source(header + ' { }')
            self.assertEqual(source.braces[0].result_type, expected, header)


class KindTests(unittest.TestCase):
    def test_operators(self):
        self.assertEqual(
            mistakes(body('let x = a < 3 && b == nil')),
            {'comparison: < -> <=', 'comparison: == -> !=', 'logic: && -> ||'})
        self.assertEqual(mistakes(body('let x = b ?? a')), {'fallback: ?? -> always what follows'})
        self.assertEqual(mistakes(body('let x = a + b! - 1')), {'arithmetic: + -> -', 'off by one: 1 -> 0'})
        self.assertEqual(mistakes(body('let x = min(a, 3)')), {'extreme: min( -> max'})
        self.assertEqual(mistakes(body('let x = 0..<a')), {'range: ..< -> ..< less the last'})
        self.assertEqual(mistakes('extension Array where Element == Int {}\n'), set())

    def test_text_is_left_alone(self):
        self.assertEqual(mistakes(body('let x = "a < b" + c')), set())
        self.assertEqual(mistakes(body('if a < 0 { fatalError("a + b") }')), set())
        self.assertEqual(mistakes(body('require(a < 0, "a is negative")')), set())

    def test_code_of_traits_that_are_off_is_left_alone(self):
        source = Source('#if Sealed\n' + body('a = b + c') + '#else\n' + body('a = b - c') + '#endif\n'
                        '#if canImport(Glibc)\n' + body('a = b &+ c') + '#endif\n')
        for traits, expected in [((), {'-', '&+'}), (('Sealed',), {'+', '&+'})]:
            found = candidates(source, traits)
            self.assertEqual(
                {source.text[one.start:one.end] for one in found if one.kind == 'arithmetic'}, expected)

    def test_conditions(self):
        self.assertEqual(mistakes(body('if let b, a.isEmpty { return }')), {'condition: a.isEmpty -> !(a.isEmpty)'})
        self.assertEqual(mistakes(body('guard !a.isEmpty else { return }')), {'condition: !a.isEmpty -> a.isEmpty'})

    def test_statements(self):
        self.assertEqual(mistakes(body('call(a)')), {'statement: call(a) -> nothing'})
        self.assertEqual(mistakes(body('c.d = a')), {'statement: c.d = a -> nothing'})
        self.assertEqual(mistakes(body('self.a = a', 'init(a: Int)')), set(), 'everything has to be set')
        self.assertEqual(mistakes(body('call(a)', 'func f() -> Set<Int>')), set(), 'it is the result')
        self.assertEqual(mistakes(body('defer { call(a) }')), {'defer:  call(a)  -> nothing'})
        self.assertEqual(mistakes(body('for c in d {\n    continue\n  }')), {'jump: continue -> nothing'})

    def test_results(self):
        for header, code, expected in [
            ('func f() -> Bool', 'return c.d', 'result: c.d -> !(c.d)'),
            ('var x: Int', 'return c', 'result: c -> one more'),
            ('func f() -> C?', 'return try g(c)', 'result: g(c) -> nil'),
            ('func f() -> [C]', 'return c', 'result: c -> []'),
            ('var x: Bool', 'return true', 'flip: true -> false'),
        ]:
            self.assertEqual(mistakes(body(code, header)), {expected}, header)
        self.assertEqual(mistakes('var x: Bool { c.d }\n'), {'result: c.d -> !(c.d)'})
        self.assertEqual(mistakes(body('call { return c }; g()', 'func f() -> Bool')), set(), 'it is the closure\'s')


class StateTests(unittest.TestCase):
    def test_threads_may_change_what_others_save(self):
        with tempfile.TemporaryDirectory() as folder:
            state = State(os.path.join(folder, 'work'), mutants=[dict(number=0)])
            with ThreadPoolExecutor(4) as pool:
                found = [{f'suite {number}': dict(reaches=[])} for number in range(400)]
                list(pool.map(lambda suite: state.update(state.suites, suite), found))
            self.assertEqual(State.read(state.work).suites, state.suites)
            self.assertEqual(len(state.suites), 400)


if __name__ == '__main__':
    unittest.main()
