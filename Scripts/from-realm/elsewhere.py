"""Conversions of code wherever it stands, and notes of code that is left to be done by hand."""

import re

from lists import key_path
from members import OPTIONALS

PUBLISHERS = {'collectionPublisher', 'changesetPublisher', 'valuePublisher', 'objectWillChange', 'RealmPublishers'}
APPLE_MODULES = {'UIKit', 'AppKit', 'Cocoa', 'SwiftUI', 'WatchKit', 'WidgetKit', 'CoreData', 'CoreLocation', 'MapKit'}
ACCESS = {'public', 'internal', 'private', 'fileprivate', 'package'}
SYNC = {
    'SyncUser', 'SyncManager', 'SyncSession', 'SyncConfiguration', 'SyncCredentials', 'AsymmetricObject',
    'MongoClient', 'MongoDatabase', 'MongoCollection', 'flexibleSyncConfiguration', 'syncConfiguration', 'partialSync',
}
WRAPPERS = {
    '@ObservedResults', '@ObservedRealmObject', '@ObservedSectionedResults', '@StateRealmObject', '@AsyncOpen',
    '@AutoOpen',
}
DECLARATION_OF_POOL = 'func autoreleasepool<R>(_ body: () throws -> R) rethrows -> R { try body() }'


class ElsewhereConverter:
    """Converts what is not a member of a model class."""

    def __init__(self, file, models, other_members):
        self.file = file
        self.declarations = file.declarations
        # The names of properties that were RealmOptional in any of the files.
        self.optionals = {name for model in models for name in model.optionals}
        self.other_members = other_members
        # The bodies in this file in which such a name needs nothing before it.
        self.bodies = [
            (scope, model.optionals) for model in models for part, scope in model.parts if part is file]

    def run(self):
        self._convert_imports()
        self._convert_conditions()
        self.edited = self.file.edited_tokens()
        for index in range(len(self.file.tokens)):
            self._convert_token(index)
        self._note_pools()
        self._note_open_transactions()

    def _text(self, index):
        return self.declarations.text(index)

    # Imports

    def _convert_imports(self):
        file = self.file
        imports = self._imports()
        modules = [module for module, _, _ in imports]
        has_firn = 'Firn' in modules
        for module, first, last in imports:
            if module == 'Realm' and self._text(last) != 'Realm':
                file.note(first, f"Firn has no part '{self._text(last)}' of Realm; take the import out")
            elif module in ('Realm', 'RealmSwift') and has_firn:
                file.delete_lines(first, last)
            elif module == 'RealmSwift' or module == 'Realm' and 'RealmSwift' not in modules:
                # Imports of single names too: a converted model needs more of them.
                keyword = self._keyword(first)
                file.replace(file.tokens[keyword + 1].start, file.tokens[last].end, 'Firn')
                has_firn = True
            elif module == 'Realm':
                file.delete_lines(first, last)
            elif module == 'Combine' and 'FirnCombine' in modules:
                file.delete_lines(first, last)
            elif module == 'Combine':
                file.replace_token(last, 'FirnCombine')
            elif module in APPLE_MODULES:
                file.note(first, f'Linux has no {module}; import Foundation, or move what needs {module} elsewhere')
        self._import_publishers(imports)

    def _import_publishers(self, imports):
        """Publishers are in a module of their own."""
        names = {token.text for token in self.file.tokens if token.kind == 'name'}
        modules = {module for module, _, _ in imports}
        if not names & PUBLISHERS or modules & {'Combine', 'FirnCombine'}:
            return
        last = next((last for module, _, last in imports if module in ('RealmSwift', 'Realm')), None)
        if last is not None:
            end = self.file.tokens[last].end
            self.file.replace(end, end, f'{self.file.line_end}import FirnCombine')

    def _keyword(self, first):
        return next(index for index in range(first, len(self.file.tokens)) if self._text(index) == 'import')

    def _imports(self):
        """Module, first token and last token of each import."""
        found = []
        for index, token in enumerate(self.file.tokens):
            if token.text != 'import' or token.kind != 'name' or not self._begins_declaration(index):
                continue
            first, last = index, index + 1
            while first > 0 and not self.declarations.begins_line(first) \
                    and self.file.tokens[first - 1].kind == 'attribute':
                first -= 1
            if self._text(last) in ('class', 'struct', 'enum', 'protocol', 'typealias', 'func', 'var', 'let'):
                last += 1
            module = self._text(last)
            while self._text(last + 1) == '.' and self.file.tokens[last + 1].start == self.file.tokens[last].end:
                last += 2
            found.append((module, first, last))
        return found

    def _begins_declaration(self, index):
        """Whether only attributes and modifiers stand before a keyword on its line."""
        while not self.declarations.begins_line(index) and (
                self.file.tokens[index - 1].kind == 'attribute' or self._text(index - 1) in ACCESS):
            index -= 1
        return self.declarations.begins_line(index) or self._text(index - 1) == ';'

    def _convert_conditions(self):
        """Modules in `#if canImport(RealmSwift)`."""
        for start, end in self.file.directives:
            for match in re.compile(r'canImport\(\s*(RealmSwift|Realm)\s*\)').finditer(self.file.text, start, end):
                self.file.replace(match.start(1), match.end(1), 'Firn')

    # Tokens

    def _convert_token(self, index):
        file, token = self.file, self.file.tokens[index]
        text = token.text
        if text == '#keyPath':
            self._convert_key_path(index)
        elif text == '#selector':
            file.note(index, '#selector needs Objective-C; pass a closure')
        elif text == '@objc':
            self._convert_attribute(index)
        elif text == '@objcMembers' and index not in self.edited:
            file.note(index, '@objcMembers needs Objective-C; take it out')
        elif text in WRAPPERS:
            file.note(index, f'{text} needs SwiftUI, which Linux does not have; observe the results, or use a stream')
        elif token.kind != 'name':
            return
        elif text == 'RealmEnum':
            file.replace_token(index, 'PersistableEnum')
        elif text == 'RealmSwift' and self._text(index + 1) == '.' and index not in self.edited:
            file.replace_token(index, 'Firn')
        elif text.startswith('RLM') and text[3:4].isupper():
            self._note_objective_c(index)
        elif text in OPTIONALS and index not in self.edited:
            file.note(index, f"'{text}' is gone; write the optional value itself, and its type as Int? and the like")
        elif text in SYNC:
            file.note(index, f"'{text}' belongs to sync, which Firn does not have; take it out")
        elif text == 'value' and self._text(index - 1) == '.' and self._is_optional(index - 2):
            self._convert_value(index)
        elif text in ('true', 'false') and self._text(index - 1) == ':' and self._text(index - 2) == 'update':
            self._convert_policy(index)
        elif text == 'hash' and self._text(index - 1) == 'var' and self._text(index - 2) == 'override':
            file.note(index, "objects are hashed by hash(into:) here; override that")

    def _is_optional(self, index):
        """Whether a name is that of a property that was RealmOptional."""
        name = self._text(index)
        if self._text(index - 1) == '.':
            return name in self.optionals
        return any(scope.open < index < scope.close and name in optionals for scope, optionals in self.bodies)

    def _convert_value(self, index):
        name = self._text(index - 2)
        if name in self.other_members:
            self.file.note(
                index,
                f"'{name}' is the name of a RealmOptional, which is an optional now, and of something else; take "
                "'.value' out where it was the former")
        elif index not in self.edited:
            self.file.replace(self.file.tokens[index - 1].start, self.file.tokens[index].end, '')

    def _convert_key_path(self, index):
        path = key_path(self.file, index) if self._text(index + 1) == '(' else None
        if path is None:
            self.file.note(index, '#keyPath needs Objective-C; write the name in quotes')
        elif index not in self.edited:
            last = self.file.tokens[index + 1].partner
            self.file.replace(self.file.tokens[index].start, self.file.tokens[last].end, f'"{path}"')

    def _convert_attribute(self, index):
        """`@objc` of an enumeration goes; others need a look."""
        file = self.file
        if index in self.edited:
            return
        last = file.tokens[index + 1].partner if self._text(index + 1) == '(' else index
        following = last + 1
        while self._text(following) in ACCESS | {'indirect'}:
            following += 1
        if self._text(following) == 'enum':
            file.delete_with_space(index, last)
        else:
            file.note(index, '@objc needs Objective-C; take it out, and pass a closure to whatever calls by selector')

    def _note_objective_c(self, index):
        if index not in self.edited:
            name = self._text(index)
            self.file.note(
                index, f"'{name}' is a name of Realm for Objective-C; write '{name[3:]}', or what Firn has for it")

    def _convert_policy(self, index):
        """`update: true` of old versions."""
        opening = next(
            (before for before in range(index, -1, -1)
             if self._text(before) == '(' and self.file.tokens[before].partner > index), None)
        if opening is not None and self._text(opening - 1) in ('add', 'create', 'dynamicCreate') \
                and self._text(opening - 2) == '.':
            self.file.replace_token(index, '.all' if self._text(index) == 'true' else '.error')

    # By hand

    def _note_pools(self):
        tokens = self.file.tokens
        is_declared = any(
            token.text == 'autoreleasepool' and self._text(index - 1) == 'func' for index, token in enumerate(tokens))
        for index, token in enumerate(tokens):
            if token.text == 'autoreleasepool' and not is_declared:
                self.file.note(index, f'Linux has no autoreleasepool; declare it once: {DECLARATION_OF_POOL}')
                return

    def _note_open_transactions(self):
        """A `beginWrite` in a function that never ends a transaction."""
        for index, token in enumerate(self.file.tokens):
            if token.text != 'beginWrite' or self._text(index - 1) != '.':
                continue
            function = self._function_around(index)
            names = set(self.declarations.texts(function))
            if not names & {'commitWrite', 'cancelWrite', 'commitAsyncWrite'}:
                self.file.note(
                    index, 'this function begins a transaction and does not end it; until somebody does, all others '
                    'wait, also when the realm is released; use write')

    def _function_around(self, index):
        """The tokens of the innermost function around a token, else those of the file."""
        for before in range(index, -1, -1):
            token = self.file.tokens[before]
            if token.text == '{' and token.partner > index and self._is_body(before):
                return range(before, token.partner)
        return range(len(self.file.tokens))

    def _is_body(self, brace):
        index = brace - 1
        while index >= 0 and self._text(index) not in ('{', '}', ';'):
            token = self.file.tokens[index]
            if self._text(index) in ('func', 'init', 'deinit', 'subscript'):
                return True
            index = token.partner - 1 if 0 <= token.partner < index else index - 1
        return False
