"""The tool itself: `python3 Scripts/from-realm/tests.py`. Tests/FromRealm has whole files."""

import os
import subprocess
import sys
import tempfile
import unittest
from random import Random

from conversion import convert
from lexing import Lexer, Misunderstood

TOOL = os.path.dirname(os.path.abspath(__file__))


def converted(text):
    """The text of a file after conversion; the same if it is not understood."""
    return convert({'a.swift': text}).changed.get('a.swift', text)


def refusal(text):
    """Why a file is not understood, with its line; none if it is."""
    note = convert({'a.swift': text}).refused.get('a.swift')
    return f'{note.line}: {note.message}' if note else None


def notes(text):
    return [f'{note.line}: {note.message}' for note in convert({'a.swift': text}).notes]


def model(*members):
    """A model class with members, converted, without what stands around them."""
    lines = ['import RealmSwift', 'class A: Object {', *('    ' + member for member in members), '}', '']
    result = converted('\n'.join(lines)).split('\n')
    return [line.strip() for line in result[2:-2]]


def run_tool(*arguments):
    return subprocess.run(
        [sys.executable, '-B', TOOL, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)


class LexingTests(unittest.TestCase):
    def tokens(self, text):
        return [token.text for token in Lexer(text).run()]

    def test_comments_are_left_out(self):
        self.assertEqual(self.tokens('a /* b /* c */ d */ e // f\ng'), ['a', 'e', 'g'])

    def test_code_in_texts_is_found(self):
        self.assertEqual(
            self.tokens('"a \\(b + "c \\(d) }") e" f'),
            ['"a \\(', 'b', '+', '"c \\(', 'd', ')', ' }"', ')', ' e"', 'f'])
        self.assertEqual(self.tokens('#"a \\(b) " \\#(c) "#'), ['#"a \\(b) " \\#(', 'c', ')', ' "#'])
        self.assertEqual(self.tokens('#"""# a #"""" "# b ##"""#"##'), ['#"""#', 'a', '#"""" "#', 'b', '##"""#"##'])
        self.assertEqual(self.tokens('#"""\na "\n"""# b'), ['#"""\na "\n"""#', 'b'])
        self.assertEqual(self.tokens('"""\na " \\""" b\n""" c'), ['"""\na " \\""" b\n"""', 'c'])

    def test_regular_expressions_are_no_texts(self):
        self.assertEqual(self.tokens('let a = /"[{]/ b'), ['let', 'a', '=', '/"[{]/', 'b'])
        self.assertEqual(self.tokens('#/"{/# b'), ['#/"{/#', 'b'])
        for text in ['a / b / c', 'a/b/c', 'a.b/c/2', 'f(a)/b/c']:
            self.assertEqual(self.tokens(text).count('/'), 2, text)

    def test_brackets_that_do_not_match(self):
        for text in ['{', '}', '(]', '{ ( }', '"\\(a', '"a', '"a\n"', '"""a', '/* a', '#/ a', '"\\("']:
            with self.assertRaises(Misunderstood, msg=text):
                Lexer(text).run()


class MemberTests(unittest.TestCase):
    def test_properties(self):
        for member, expected in [
            ('@objc dynamic var a = 0', '@Persisted var a = 0'),
            ('@objc private(set) public dynamic var a: Int?', '@Persisted private(set) public var a: Int?'),
            ('public @objc dynamic var a = ""', '@Persisted public var a = ""'),
            ('@available(iOS 13, *) @objc dynamic var a = 0', '@available(iOS 13, *) @Persisted var a = 0'),
            ('@objc dynamic var a = x < y ? 1 : 2 { didSet { f() } }',
             '@Persisted var a = x < y ? 1 : 2 { didSet { f() } }'),
            ('@objc dynamic var a: Int { return 1 }', 'var a: Int { return 1 }'),
            ('@objc dynamic var a: B.C { return .d }', 'var a: B.C { return .d }'),
            ('@objc dynamic var a: B.C? { didSet { f() } }', '@Persisted var a: B.C? { didSet { f() } }'),
            ('@objc dynamic var a: (B) -> C { get { d } }', 'var a: (B) -> C { get { d } }'),
            ('@objc dynamic var a: [Int] { get { [] } set {} }', 'var a: [Int] { get { [] } set {} }'),
            ('@objc dynamic lazy var a = f()', 'lazy var a = f()'),
            ('dynamic var `in` = 0', '@Persisted var `in` = 0'),
            ('let a = List<Int>()', '@Persisted var a: List<Int>'),
            ('private let a: List<Int?> = .init()', '@Persisted private var a: List<Int?>'),
            ('var a = RealmSwift.MutableSet<String>()', '@Persisted var a: MutableSet<String>'),
            ('var a = List<Int>() { didSet { f() } }', '@Persisted var a: List<Int> { didSet { f() } }'),
            ('let a = RealmOptional<Int>()', '@Persisted var a: Int?'),
            ('let a = RealmOptional<Int>(-1)', '@Persisted var a: Int? = -1'),
            ('let a = RealmProperty<Double?>()', '@Persisted var a: Double?'),
            ('let a: LinkingObjects<B> = LinkingObjects(fromType: B.self, property: "c")',
             '@Persisted(originProperty: "c") var a: LinkingObjects<B>'),
        ]:
            self.assertEqual(model(member), [expected])

    def test_what_is_no_property_of_the_realm_stays(self):
        for member in [
            'let a = 1', 'var a = [List<Int>]()', 'static let a = List<Int>()', 'lazy var a = List<Int>()',
            'var a: List<Int> { return b }', 'func f() { let a = List<Int>() }', 'let (a, b) = (1, 2)', 'var a: Int?',
            'init(a: () -> Void = {}) { super.init() }', 'let a = "@objc dynamic var b = 0"', 'enum B { case c, d }',
            'typealias B = List<Int>', 'subscript(a: Int) -> List<Int> { b }', 'deinit {}',
        ]:
            self.assertEqual(model(member), [member])

    def test_names_for_objective_c_are_left(self):
        text = 'import Firn\nclass A: Object { @objc(b) dynamic var a = 0 }\n'
        self.assertEqual(converted(text), text.replace('dynamic', '@Persisted'))
        self.assertEqual([note.split(';')[0] for note in notes(text)], ['2: @objc needs Objective-C'])

    def test_enumerations(self):
        for attribute in ['@objc ', '@objc(B) ', '@objc\n']:
            self.assertEqual(
                converted(f'import Firn\n{attribute}public enum A: Int, RealmEnum {{ case b }}\n'),
                'import Firn\npublic enum A: Int, PersistableEnum { case b }\n')

    def test_comparisons_are_no_types(self):
        self.assertEqual(
            model('static let a = B<c', 'let b = List<Int>()'), ['static let a = B<c', '@Persisted var b: List<Int>'])

    def test_what_is_not_understood(self):
        for member in [
            'let a = List<Int>([1])', 'let a: List<Int> = makeList()', 'let a: RealmOptional<Int> = f(1)',
            'let a = LinkingObjects(fromType: B.self, property: "c" + d)',
            'let a = LinkingObjects(fromType: B.self, property: name)', 'let a = List<Int>(), b = List<Int>()',
            'let a = List<Int>( /* none */ )', 'override class func primaryKey() -> String? { key }',
            'override class func primaryKey() -> String? { return "a" + "b" }',
            'override class func primaryKey() -> String? { "\\(a)" }',
            'override class func indexedProperties() -> [String] { super.indexedProperties() + ["a"] }',
            'override class func indexedProperties() -> [String] { return ["gone"] }',
        ]:
            self.assertEqual(model('@objc dynamic var x = 0', member), ['@objc dynamic var x = 0', member])

    def test_keys_and_indexes(self):
        self.assertEqual(
            model(
                '@objc dynamic var a = 0', '@objc dynamic var b = 0', '@objc dynamic var c = 0', '',
                '/// The key.', 'override static func primaryKey() -> String? {', 'return #keyPath(A.a)', '}', '',
                'override class func indexedProperties() -> [String] { ["a", "b", ] }', '',
                'override class func ignoredProperties() -> [String] { return [#keyPath(c)] }'),
            ['@Persisted(primaryKey: true) var a = 0', '@Persisted(indexed: true) var b = 0', 'var c = 0'])
        self.assertEqual(model('@objc dynamic var a = 0', 'override class func primaryKey() -> String? { nil }'), [
            '@Persisted var a = 0'])

    def test_comments_go_with_the_function_above_which_they_stand(self):
        function = 'override static func ignoredProperties() -> [String] { [] }'
        for comment in ['/// None.', '// None.\n    // Not one.', '/** None. */', '/*\n     None.\n     */']:
            self.assertEqual(model('let a = 0', '', comment, function, 'let b = 0'), ['let a = 0', '', 'let b = 0'])
        for comment in ['// MARK: - Realm', 'let c = 0 // None.', 'let c = 0 /* None. */']:
            self.assertEqual(model(comment, function, 'let b = 0'), [comment, 'let b = 0'])

    def test_classes_with_persisted_properties_keep_their_functions(self):
        members = ['@Persisted var a = 0', 'override class func primaryKey() -> String? { "a" }', 'let b = List<Int>()']
        self.assertEqual(model(*members), members)
        text = 'import RealmSwift\nclass A: Object { @Persisted var a = 0 }\nextension A {\n    %s\n}\n' % members[1]
        self.assertEqual(
            [note.split(',')[0] for note in notes(text)], ["4: 'primaryKey' is overridden in an extension"])

    def test_a_class_of_another_file_that_derives_from_a_model(self):
        base = 'import RealmSwift\nclass B: Object {}\n'
        derived = 'import RealmSwift\nclass C: B { @objc dynamic var a = 0 }\n'
        both = convert({'b.swift': base, 'c.swift': derived})
        self.assertEqual(both.changed['c.swift'], 'import Firn\nclass C: B { @Persisted var a = 0 }\n')
        self.assertIn("derives from 'B'", convert({'c.swift': derived}).refused['c.swift'].message)

    def test_key_value_observing_is_left(self):
        for base in ['NSObject', 'UIView']:
            text = f'import Firn\nclass C: {base} {{ @objc dynamic var a = 0 }}\n'
            self.assertEqual((converted(text), len(notes(text)), refusal(text)), (text, 1, None))


class FileTests(unittest.TestCase):
    def test_files_without_realm_stay(self):
        for text in [
            '', '\n', 'x', 'import Combine\nlet a = #keyPath(B.c)\n', '// import RealmSwift', '"import RealmSwift"',
        ]:
            self.assertEqual(converted(text), text)

    def test_line_ends_and_marks_stay(self):
        text = '\ufeffimport RealmSwift\r\n@objc(B)\r\nclass A: Object {\r\n\t@objc dynamic var a = 0\r\n}'
        self.assertEqual(
            converted(text),
            '\ufeffimport Firn\r\nclass A: Object {\r\n'
            '\toverride class func _realmObjectName() -> String? { "B" }\r\n\r\n\t@Persisted var a = 0\r\n}')

    def test_imports(self):
        for text, expected in [
            ('import RealmSwift', 'import Firn'), ('import Realm\n', 'import Firn\n'),
            ('import Realm\nimport RealmSwift\n', 'import Firn\n'),
            ('@_exported import RealmSwift', '@_exported import Firn'),
            ('import class RealmSwift.A\nimport enum RealmSwift.B\n', 'import Firn\n'),
            ('@preconcurrency import Realm\nimport RealmSwift\n', 'import Firn\n'),
            ('import RealmSwift; import Realm', 'import Firn; '), ('import Firn\nimport RealmSwift\n', 'import Firn\n'),
            ('import Combine\nimport RealmSwift', 'import FirnCombine\nimport Firn'),
            ('import RealmSwift\na.collectionPublisher', 'import Firn\nimport FirnCombine\na.collectionPublisher'),
            ('import Firn\na.collectionPublisher', 'import Firn\na.collectionPublisher'),
        ]:
            self.assertEqual(converted(text), expected)

    def test_policies_of_old_versions(self):
        for code, expected in [
            ('realm.add(a, update: true)', 'realm.add(a, update: .all)'),
            ('realm.create(A.self, value: ["b": true, "c": f(d: false)], update: false)',
             'realm.create(A.self, value: ["b": true, "c": f(d: false)], update: .error)'),
            ('a.add(true, b: false)', 'a.add(true, b: false)'), ('f(update: true)', 'f(update: true)'),
            ('a.draw(update: true)', 'a.draw(update: true)'),
        ]:
            self.assertEqual(converted(f'import Firn\n{code}\n'), f'import Firn\n{expected}\n')

    def test_transactions_that_nobody_ends(self):
        begin = 'func f() { if a { realm.beginWrite() } }'
        for text, count in [
            (f'{begin}\nfunc g() {{ try realm.commitWrite() }}', 1), ('realm.beginWrite()\ntry realm.commitWrite()', 0),
            ('func f() { realm.beginWrite(); realm.cancelWrite() }', 0), (f'class A {{ {begin} }}', 1), (begin * 2, 2),
        ]:
            self.assertEqual(len(notes(f'import Firn\n{text}\n'.replace('}func', '}\nfunc'))), count, text)

    def test_lines_of_notes_are_those_of_the_file_as_it_is(self):
        text = 'import Realm\nimport RealmSwift\nfunc f() { realm.beginWrite() }\n'
        for are_edits_done, line in [(False, 3), (True, 2)]:
            self.assertEqual([note.line for note in convert({'a.swift': text}, are_edits_done).notes], [line])

    def test_a_file_that_is_not_understood_stays_with_those_of_the_same_class(self):
        a = 'import RealmSwift\nclass A: Object { let age = RealmOptional<Int>() }\n'
        b = 'import RealmSwift\nextension A { func f() {\n'
        c = 'import RealmSwift\nextension A { override class func primaryKey() -> String? { k } }\n'
        d = 'import RealmSwift\nfunc f(a: A) { a.age.value = 1 }\n'
        conversion = convert({'a.swift': a, 'b.swift': b, 'c.swift': c, 'd.swift': d})
        self.assertEqual(sorted(conversion.refused), ['a.swift', 'b.swift', 'c.swift'])
        self.assertEqual(conversion.changed, {'d.swift': d.replace('RealmSwift', 'Firn')})
        self.assertEqual(refusal(b), "2: the '{' here is never closed; the file is left as it is")

    def test_a_megabyte(self):
        part = 'class A%d: Object {\n    @objc dynamic var a = "\\("x")" // { \n    let b = List<Int>()\n}\n'
        text = 'import RealmSwift\n' + ''.join(part % number for number in range(12_000))
        self.assertGreater(len(text), 1 << 20)
        result = converted(text)
        self.assertEqual((result.count('@Persisted'), result.count('@objc')), (24_000, 0))

    def test_any_piece_of_a_file_is_converted_or_left(self):
        text = (
            'import RealmSwift\n@objcMembers class A: Object { dynamic var a: Map<String, [Int]>? = nil { didSet {} }\n'
            ' let b = RealmOptional<Int>(5); override static func primaryKey() -> String? { return #keyPath(A.a) } }\n'
            'extension A { override init() { super.init(); b.value = "\\(#"x"#)".count } }\n')
        for start in range(0, len(text), 3):
            for end in range(start, len(text) + 1, 7):
                once = converted(text[start:end])
                self.assertEqual(converted(once), once)


    def test_damaged_files_are_converted_or_left(self):
        samples = os.path.join(TOOL, '..', '..', 'Tests', 'FromRealm', 'Before')
        texts = []
        for name in sorted(os.listdir(samples)):
            with open(os.path.join(samples, name), encoding='utf-8', newline='') as file:
                texts.append(file.read())
        pieces = [
            '', '{', '}', '(', ')', '<', '>', '"', '"""', '\\(', '/*', '*/', '//', '@objc ', 'dynamic ', 'var ', '`',
            '\n', '#if X\n', '=', ':', ',', 'class B: Object {', 'extension ', 'RealmOptional<Int>()', '#keyPath(',
        ]
        for seed in range(500):
            random = Random(seed)
            text = random.choice(texts)
            for _ in range(random.randint(1, 4)):
                start = random.randint(0, len(text))
                text = text[:start] + random.choice(pieces) + text[start + random.choice([0, 0, 1, 3, 10, 40]):]
            once = converted(text)
            self.assertEqual(converted(once), once, f'seed {seed}')


class CommandTests(unittest.TestCase):
    def test_writing(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, 'a.swift')
            with open(path, 'wb') as file:
                file.write('import RealmSwift\r\n// é'.encode())
            os.chmod(path, 0o640)
            shown = run_tool(folder)
            self.assertEqual(shown.returncode, 0)
            self.assertIn(b'-import RealmSwift\r\n+import Firn\r\n', shown.stdout)
            with open(path, 'rb') as file:
                self.assertTrue(file.read().startswith(b'import RealmSwift'))
            self.assertEqual((run_tool('--write', folder).returncode, run_tool(path).stdout), (0, b''))
            with open(path, 'rb') as file:
                self.assertEqual(file.read(), 'import Firn\r\n// é'.encode())
            self.assertEqual((os.stat(path).st_mode & 0o777, os.listdir(folder)), (0o640, ['a.swift']))

    def test_files_that_are_no_text(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, 'a.swift')
            content = b'import RealmSwift\nlet a = "\xff\xfe"\n'
            with open(path, 'wb') as file:
                file.write(content)
            result = run_tool('--write', folder, os.path.join(folder, 'none.swift'))
            self.assertEqual(result.returncode, 2)
            self.assertIn(b'a.swift:2: there are bytes here that are no UTF-8', result.stderr)
            self.assertIn(b'none.swift:1: it cannot be read: No such file or directory', result.stderr)
            with open(path, 'rb') as file:
                self.assertEqual(file.read(), content)

    def test_what_is_left_shows_in_the_status(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, 'a.swift'), 'w', encoding='utf-8') as file:
                file.write('import RealmSwift\nimport UIKit\n')
            self.assertEqual(run_tool(folder).returncode, 1)
        self.assertEqual(run_tool('--help').returncode, 0)


if __name__ == '__main__':
    unittest.main()
