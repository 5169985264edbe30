"""The declarations in a file: classes and extensions, and the members of each."""

from dataclasses import dataclass, field

from lexing import Misunderstood

MODIFIERS = {
    'public', 'private', 'fileprivate', 'internal', 'open', 'package', 'static', 'class', 'final', 'override',
    'required', 'convenience', 'dynamic', 'lazy', 'weak', 'unowned', 'optional', 'mutating', 'nonmutating',
    'nonisolated', 'indirect', 'isolated', 'async',
}
TYPES = {'class', 'struct', 'enum', 'actor', 'protocol', 'extension'}
KEYWORDS = TYPES | {
    'var', 'let', 'func', 'init', 'deinit', 'subscript', 'typealias', 'associatedtype', 'case', 'import',
}
# A statement goes on when a line ends with one of these, or the next one begins with one of those.
JOINTS = {
    '.', ',', '=', ':', '->', '==', '!=', '<=', '>=', '&&', '||', '??', '+', '-', '*', '/', '%', '&', '|', '...', '..<',
    'as', 'is',
}
TRAILING = JOINTS | {'in', 'try', 'await', 'return'}
LEADING = JOINTS | {'?'}


@dataclass
class Head:
    """Attributes, modifiers and keyword of a declaration, as indexes of tokens."""

    start: int
    attributes: list = field(default_factory=list)
    modifiers: list = field(default_factory=list)
    keyword: int = -1


@dataclass
class Scope:
    """A class, structure, enumeration or extension."""

    head: Head
    kind: str
    name: str
    bases: list
    open: int
    close: int


@dataclass
class Property:
    head: Head
    name: int
    # Ranges of tokens; none if the first one is negative.
    type: range
    initial: range
    # The brace of the accessors or observers, negative if there is none.
    block: int
    # computed, observed or none
    block_kind: str
    end: int
    is_one_of_many: bool


@dataclass
class Function:
    head: Head
    # The tokens between name and body.
    signature: range
    open: int
    end: int


NOTHING = range(-1, -1)


class Declarations:
    def __init__(self, source, tokens):
        self.source = source
        self.tokens = tokens

    def text(self, index):
        return self.tokens[index].text if 0 <= index < len(self.tokens) else ''

    def texts(self, indexes):
        return [self.tokens[index].text for index in indexes]

    def name(self, member):
        """The name of a property."""
        return self.tokens[member.name].text.strip('`')

    def position(self, index):
        return self.tokens[min(index, len(self.tokens) - 1)].start

    def begins_line(self, index):
        """Whether a line begins between the token before and this one."""
        return index == 0 or '\n' in self.source[self.tokens[index - 1].end:self.tokens[index].start]

    # Types

    def scopes(self):
        """All types and extensions with a body, wherever they stand."""
        found = []
        for index, token in enumerate(self.tokens):
            if token.kind != 'name' or token.text not in TYPES or self.text(index - 1) in ('.', ':', ',', '<', '&'):
                continue
            following = self.tokens[index + 1] if index + 1 < len(self.tokens) else None
            if not following or following.kind != 'name' or following.text in MODIFIERS | KEYWORDS:
                continue
            if scope := self._scope(index):
                found.append(scope)
        return found

    def _scope(self, keyword):
        """The type with a keyword; none where no body follows."""
        index = keyword + 1
        names = [self.text(index).strip('`')]
        index += 1
        while self.text(index) == '.' and index + 1 < len(self.tokens):
            names.append(self.text(index + 1).strip('`'))
            index += 2
        if self.text(index) == '<':
            index = self.behind_generics(index)
        bases, part = [], ''
        if self.text(index) == ':':
            index += 1
            while index < len(self.tokens) and self.text(index) not in ('{', 'where'):
                if self.text(index) == ',':
                    bases.append(part)
                    part = ''
                elif self.text(index) == '<':
                    index = self.behind_generics(index)
                    continue
                else:
                    part += self.text(index)
                index += 1
            bases.append(part)
        while index < len(self.tokens) and self.text(index) != '{':
            if self.text(index) in ('}', ';') or self.text(index) in TYPES:
                return None
            index += 1
        if index >= len(self.tokens):
            return None
        return Scope(
            self._head_before(keyword), self.text(keyword), names[-1], bases, index, self.tokens[index].partner)

    def _head_before(self, keyword):
        """The head of a declaration whose keyword is known."""
        start = keyword
        while start > 0:
            before = self.tokens[start - 1]
            if before.kind == 'attribute' or before.kind == 'name' and before.text in MODIFIERS:
                start -= 1
            elif before.text == ')' and self.tokens[before.partner - 1].kind == 'attribute':
                start = before.partner - 1
            elif before.text == ')' and self.text(before.partner - 1) in MODIFIERS:
                start = before.partner - 1
            else:
                break
        return self._head(start)[0]

    def behind_generics(self, index):
        """The index behind the `>` that belongs to a `<`."""
        start, depth = index, 0
        while index < len(self.tokens):
            text = self.text(index)
            depth += (text == '<') - (text == '>')
            if text in ('(', '['):
                index = self.tokens[index].partner
            elif text in ('{', '}', ';'):
                break
            index += 1
            if depth == 0:
                return index
        raise Misunderstood(self.position(start), "the '<' here is never closed")

    # Members

    def members(self, scope):
        """The properties and functions of a type itself, in order."""
        found = []
        index = scope.open + 1
        while index < scope.close:
            head, after = self._head(index)
            keyword = self.text(head.keyword)
            if head.keyword < 0:
                index = self._behind_statement(index)
            elif keyword in ('var', 'let'):
                member = self._property(head)
                if member:
                    found.append(member)
                index = member.end if member else self._behind_statement(after)
            elif keyword in ('func', 'init', 'deinit', 'subscript'):
                member = self._function(head, scope.close)
                if member:
                    found.append(member)
                index = member.end if member else self._behind_statement(after)
            elif keyword in TYPES:
                while index < scope.close and self.text(index) != '{':
                    index += 1
                index = self.tokens[index].partner + 1 if index < scope.close else index
            else:
                index = self._behind_statement(after)
        return found

    def _head(self, index):
        """The head that begins at a token, and the index behind it. Without a keyword it is none."""
        head = Head(index)
        while index < len(self.tokens):
            token = self.tokens[index]
            if token.kind == 'attribute':
                head.attributes.append(index)
                has_arguments = self.text(index + 1) == '(' and self.tokens[index + 1].start == token.end
                index = self.tokens[index + 1].partner + 1 if has_arguments else index + 1
            elif token.kind != 'name':
                break
            elif token.text == 'class' and self.text(index + 1) not in MODIFIERS | {'var', 'let', 'func', 'subscript'}:
                head.keyword = index
                return head, index + 1
            elif token.text in MODIFIERS:
                head.modifiers.append(index)
                index = self.tokens[index + 1].partner + 1 if self.text(index + 1) == '(' else index + 1
            elif token.text in KEYWORDS:
                head.keyword = index
                return head, index + 1
            else:
                break
        return head, index

    def _behind_statement(self, index):
        """The index behind a statement: where a line or a `;` ends it."""
        first = index
        while index < len(self.tokens):
            token = self.tokens[index]
            if token.text in (')', ']', '}') and token.partner < index:
                return max(index, first + 1)
            if index > first and self._ends_before(index):
                return index
            if token.text == ';':
                return index + 1
            index = token.partner + 1 if token.partner > index else index + 1
        return index

    def _ends_before(self, index):
        """Whether a line that ends before a token ends a statement with it."""
        if not self.begins_line(index):
            return False
        before = self.tokens[index - 1]
        return before.text not in TRAILING and self.text(index) not in LEADING

    def _property(self, head):
        """A property; none for a pattern."""
        name = head.keyword + 1
        if self.tokens[name].kind != 'name':
            return None
        index, type_range, initial = name + 1, NOTHING, NOTHING
        if self.text(index) == ':':
            end = self._behind_type(index + 1)
            type_range = range(index + 1, end)
            index = end
        if self.text(index) == '=':
            end, is_one_of_many = self._behind_expression(index + 1)
            initial = range(index + 1, end)
            index = end
        else:
            is_one_of_many = self.text(index) == ','
        block, kind = -1, 'none'
        if self.text(index) == '{' and not is_one_of_many:
            block = index
            kind = 'observed' if self._has_observers(index) else 'computed'
            index = self.tokens[index].partner + 1
        return Property(head, name, type_range, initial, block, kind, index, is_one_of_many)

    def _has_observers(self, brace):
        index = brace + 1
        while self.tokens[index].kind == 'attribute':
            index += 1
        return self.text(index) in ('willSet', 'didSet')

    def _behind_type(self, index):
        is_complete = False
        while index < len(self.tokens):
            token = self.tokens[index]
            if token.text in ('.', '->', '&'):
                is_complete = False
            elif token.text == '<' and is_complete:
                index = self.behind_generics(index)
                continue
            elif token.text in ('?', '!') and is_complete:
                pass
            elif is_complete:
                break
            elif token.kind == 'attribute' or token.text in ('any', 'some', 'inout'):
                pass
            elif token.kind == 'name':
                is_complete = True
            elif token.text in ('(', '['):
                index = token.partner
                is_complete = True
            else:
                break
            index += 1
        return index

    def _behind_expression(self, index):
        """The index behind an initial value, and whether a comma follows."""
        first = index
        while index < len(self.tokens):
            token = self.tokens[index]
            if token.text in (')', ']', '}') and token.partner < index or token.text == ';':
                break
            if token.text == ',':
                return index, True
            if index > first and self._ends_before(index) and not (token.text == '{' and self._has_observers(index)):
                break
            if token.text == '{' and self._has_observers(index):
                break
            if token.text == '<' and self._begins_generics(index):
                index = self.behind_generics(index)
                continue
            index = token.partner + 1 if token.partner > index else index + 1
        return index, False

    def _begins_generics(self, index):
        """Whether a `<` in an expression begins arguments of a type: it touches the name before, and is closed."""
        before = self.tokens[index - 1]
        if before.kind != 'name' or before.end != self.tokens[index].start or not before.text[:1].isupper():
            return False
        try:
            return self.behind_generics(index) > index
        except Misunderstood:
            return False

    def _function(self, head, limit):
        """A function with a body; none without."""
        index = head.keyword + 1
        first = index
        while index < limit and self.text(index) != '{':
            if self.text(index) == '}':
                return None
            token = self.tokens[index]
            index = token.partner + 1 if token.partner > index else index + 1
        if index >= limit:
            return None
        return Function(head, range(first, index), index, self.tokens[index].partner + 1)
