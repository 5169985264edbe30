"""As much of Swift's syntax as is needed to find places for mistakes: comments, strings, brackets and functions."""

import re
from bisect import bisect_right

LITERAL = re.compile(r'//[^\n]*|/\*|(?P<pounds>#*)(?P<quote>"""|")')
BRANCH = re.compile(r'^[ \t]*#(if|elseif|else|endif)\b[ \t]*(.*)', re.M)
COMMENT_MARK = re.compile(r'/\*|\*/')

CONTROL_FLOW = re.compile(r'^(if|guard|for|while|do|catch|switch|else|defer|repeat)\b|\b(else|do)$')
FUNCTION = re.compile(r'\b(func|init|deinit|subscript|get|set|didSet|willSet)\b|\bvar\b[^=]*$')


class Source:
    """A file, and the same text with comments and strings blanked out, so that positions are the same in both."""

    def __init__(self, text):
        self.text = text
        self.code = blanked(text)
        self._line_starts = [0] + [match.end() for match in re.finditer('\n', text)]
        self._innermost, self.braces = self._find_brackets()

    def line_number(self, position):
        """Counted from 1."""
        return bisect_right(self._line_starts, position)

    def line(self, position):
        start = self._line_starts[self.line_number(position) - 1]
        return self.code[start:].split('\n', 1)[0]

    def lines(self, start, end):
        """The code of all lines that a range touches."""
        first = self._line_starts[self.line_number(start) - 1]
        last = self.code.find('\n', end)
        return self.code[first:last if last >= 0 else len(self.code)]

    def is_compiled(self, position, traits):
        """Whether no `#if TRAIT` leaves the code out. Other conditions are taken to hold."""
        open_branches = []
        for match in BRANCH.finditer(self.code, 0, position):
            if match[1] in ('if', 'elseif'):
                name = re.fullmatch(r'(!?)(\w+)', match[2].strip())
                holds = (name[2] in traits) != (name[1] == '!') if name else True
                if match[1] == 'if':
                    open_branches.append(holds)
                else:
                    open_branches[-1] = holds
            elif match[1] == 'else':
                open_branches[-1] = not open_branches[-1]
            else:
                open_branches.pop()
        return all(open_branches)

    def _find_brackets(self):
        """For each position the innermost open bracket, and all pairs of braces with what stands before them."""
        innermost, braces, open_brackets = [], [], [-1]
        for position, character in enumerate(self.code):
            if character in ')]}' and len(open_brackets) > 1:
                start = open_brackets.pop()
                if character == '}':
                    braces.append(Braces(start, position, self._header(start)))
            innermost.append(open_brackets[-1])
            if character in '([{':
                open_brackets.append(position)
        return innermost, braces

    def _header(self, brace):
        """The text before a brace, from the end of the statement before."""
        start = max(self.code.rfind(character, 0, brace) for character in '{};') + 1
        return self.code[start:brace].strip()

    def is_in_braces(self, position):
        """Whether the innermost open bracket is a brace."""
        bracket = self._innermost[position]
        return bracket >= 0 and self.code[bracket] == '{'

    def braces_around(self, position):
        """The pairs of braces around a position, the innermost first."""
        around = [pair for pair in self.braces if pair.start < position < pair.end]
        return sorted(around, key=lambda pair: pair.start, reverse=True)

    def function_around(self, position):
        """The innermost function, initialiser or accessor around a position; None outside of all."""
        return next((pair for pair in self.braces_around(position) if FUNCTION.search(pair.header)), None)

    def scan(self, position, stops):
        """The first place from a position on, outside of brackets, where `stops(place)`; None if one closes first."""
        depth = 0
        while position < len(self.code):
            if depth == 0 and stops(position):
                return position
            character = self.code[position]
            if character in '([{':
                depth += 1
            elif character in ')]}':
                depth -= 1
                if depth < 0:
                    return None
            position += 1
        return None


class Braces:
    def __init__(self, start, end, header):
        self.start, self.end, self.header = start, end, header

    @property
    def is_control_flow(self):
        return CONTROL_FLOW.search(self.header) is not None

    @property
    def result_type(self):
        """The type that the function or computed property returns, as it is written; None where there is none."""
        if not re.search(r'\b(func|subscript)\b', self.header):
            declared = re.search(r'\bvar\s+\w+\s*:\s*([^={]+)$', self.header)
            return ' '.join(declared[1].split()) if declared else None
        arrows = [place for place in _outside_of_brackets(self.header) if self.header.startswith('->', place)]
        if len(arrows) != 1:
            return None  # With more of them it returns a function.
        declared = re.split(r'\swhere\b', self.header[arrows[0] + 2:])[0]
        return ' '.join(declared.split())


def _outside_of_brackets(code):
    depth = 0
    for place, character in enumerate(code):
        if character in '([':
            depth += 1
        elif character in ')]':
            depth -= 1
        elif depth == 0:
            yield place


def blanked(text):
    """The text with blanks in place of comments and strings."""
    parts, position = [], 0
    while match := LITERAL.search(text, position):
        end = _end_of_literal(text, match)
        parts += [text[position:match.start()], re.sub(r'[^\n]', ' ', text[match.start():end])]
        position = end
    return ''.join(parts) + text[position:]


def _end_of_literal(text, match):
    if match[0] == '/*':
        return _end_of_comment(text, match.end())
    if match['quote']:
        return _end_of_string(text, match.end(), match['pounds'], match['quote'])
    return match.end()


def _end_of_comment(text, position):
    depth = 1
    while depth and (mark := COMMENT_MARK.search(text, position)):
        position, depth = mark.end(), depth + (1 if mark[0] == '/*' else -1)
    return position


def _end_of_string(text, position, pounds, quote):
    """An interpolation belongs to the string, with the strings in it."""
    part = re.compile(re.escape('\\' + pounds) + '(?P<escaped>.)|' + re.escape(quote + pounds), re.S)
    while match := part.search(text, position):
        position = match.end()
        if not match['escaped']:
            return position
        if match['escaped'] == '(':
            position = _end_of_interpolation(text, position)
    return len(text)


def _end_of_interpolation(text, position):
    depth = 1
    part = re.compile('[()]|' + LITERAL.pattern)
    while depth and (match := part.search(text, position)):
        depth += {'(': 1, ')': -1}.get(match[0], 0)
        position = match.end() if match[0] in '()' else _end_of_literal(text, match)
    return position
