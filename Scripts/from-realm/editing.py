"""A file that is to be converted: its text, the edits that were found, and what is left to be done by hand."""

from bisect import bisect_left, bisect_right
from dataclasses import dataclass

from declarations import Declarations
from lexing import Lexer, Misunderstood

BYTE_ORDER_MARK = '\ufeff'


@dataclass(frozen=True, order=True)
class Note:
    path: str
    line: int
    message: str

    def __str__(self):
        return f'{self.path}:{self.line}: {self.message}'


class File:
    """Raises Misunderstood where the brackets, comments, texts or types of a file do not fit together."""

    def __init__(self, path, text):
        self.path = path
        self.mark = BYTE_ORDER_MARK if text.startswith(BYTE_ORDER_MARK) else ''
        self.text = text[len(self.mark):]
        self.line_end = '\r\n' if '\r\n' in self.text else '\n'
        self._line_starts = [0]
        for position, character in enumerate(self.text):
            if character == '\n':
                self._line_starts.append(position + 1)
        lexer = Lexer(self.text)
        self.tokens = lexer.run()
        self.directives = lexer.directives
        self.declarations = Declarations(self.text, self.tokens)
        self.scopes = self.declarations.scopes()
        self._members = {scope.open: self.declarations.members(scope) for scope in self.scopes}
        self.edits = []
        self.notes = set()

    def line(self, position):
        return bisect_right(self._line_starts, position)

    def members(self, scope):
        """The properties and functions of a type of the file, in order."""
        return self._members[scope.open]

    def note(self, index, message):
        """Says of a token what is to be done by hand."""
        self.notes.add((self.tokens[index].start, message))

    def notes_by_line(self, are_edits_done):
        """The notes, with the lines that they are in, before or after all edits."""
        lines = ((self._line_after(position) if are_edits_done else self.line(position), message)
                 for position, message in self.notes)
        return {Note(self.path, line, message) for line, message in lines}

    def _line_after(self, position):
        before = [(start, min(end, position), new) for start, end, new in self.edits if start < position]
        return edited(self.text[:position], before).count('\n') + 1

    def refuse(self, index, message):
        """Gives up the file, because a declaration in it is not understood."""
        raise Misunderstood(self.tokens[index].start, message, self.path)

    def has_comment(self, first, last):
        """Whether a comment stands between two tokens."""
        gaps = (self.text[self.tokens[index].end:self.tokens[index + 1].start] for index in range(first, last))
        return any('/' in gap for gap in gaps)

    # Edits

    def replace(self, start, end, replacement):
        self.edits.append((start, end, replacement))

    def replace_token(self, index, replacement):
        self.replace(self.tokens[index].start, self.tokens[index].end, replacement)

    def delete_with_space(self, index, last=None):
        """Deletes tokens and the blanks behind them, up to the next token."""
        end = self.tokens[index if last is None else last].end
        while end < len(self.text) and self.text[end] in ' \t\r\n':
            end += 1
        self.replace(self.tokens[index].start, end, '')

    def insert(self, index, text):
        """Inserts before a token."""
        self.replace(self.tokens[index].start, self.tokens[index].start, text)

    def delete_lines(self, first, last):
        """Deletes a declaration by its first and last token: its lines, documentation, and an empty line beside it."""
        start, end = self.tokens[first].start, self.tokens[last].end
        first_line, last_line = self.line(start) - 1, self.line(end - 1) - 1
        line_start, line_end = self._line_starts[first_line], self._end_of_line(last_line)
        if self.text[line_start:start].strip() or self.text[end:line_end].strip():
            # Something else stands on the lines.
            self.replace(start, end, '')
            return
        first_line = self._line_of_comment(first_line)
        before = self._line(first_line - 1).strip() if first_line > 0 else '{'
        after = self._line(last_line + 1).strip() if last_line + 1 < len(self._line_starts) else '}'
        if before == '' and (after == '' or after.startswith('}')):
            first_line -= 1
        elif before.endswith('{') and after == '':
            last_line += 1
        self.replace(self._line_starts[first_line], self._end_of_line(last_line), '')

    def _line_of_comment(self, number):
        """The first line of the comment directly above a line; that line if there is none."""
        while number > 0:
            above = self._line(number - 1).strip()
            if above.startswith('//') and not above.lstrip('/ ').startswith('MARK'):
                number -= 1
            elif above.endswith('*/'):
                first = number - 1
                while first > 0 and '/*' not in self._line(first):
                    first -= 1
                if not self._line(first).lstrip().startswith('/*'):
                    break
                number = first
            else:
                break
        return number

    def _line(self, number):
        """A line by its number, counted from 0."""
        return self.text[self._line_starts[number]:self._end_of_line(number)]

    def _end_of_line(self, number):
        return self._line_starts[number + 1] if number + 1 < len(self._line_starts) else len(self.text)

    def edited_tokens(self):
        """The indexes of all tokens that lie in edits."""
        starts = [token.start for token in self.tokens]
        ranges = (range(bisect_left(starts, start), bisect_left(starts, end)) for start, end, _ in self.edits)
        return {index for indexes in ranges for index in indexes}

    def indentation(self, index):
        """The blanks before the first token of a token's line."""
        line = self._line(self.line(self.tokens[index].start) - 1)
        return line[:len(line) - len(line.lstrip())]

    def result(self):
        """The text after all edits."""
        return self.mark + edited(self.text, self.edits)


def edited(text, edits):
    """A text after edits, which are given by start, end and what comes there instead."""
    parts, position, deletes = [], 0, False
    for start, end, replacement in sorted(set(edits), key=lambda edit: edit[:2]):
        if start < position:
            # Declarations that are deleted may share the empty line between them.
            if replacement or not deletes:
                raise Misunderstood(start, 'two conversions meet here; convert this line by hand')
            start = position
            end = max(end, position)
        parts += [text[position:start], replacement]
        position, deletes = end, not replacement
    return ''.join(parts + [text[position:]])
