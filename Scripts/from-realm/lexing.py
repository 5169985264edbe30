"""Swift source as tokens, and which brackets belong together."""

import re
from dataclasses import dataclass

SPACE = re.compile(r'[ \t\r\n\f\v\0]+')
NAME = re.compile(r'`[^`\n]*`|\$?[^\W\d]\w*|\$\d+')
NUMBER = re.compile(r'\d[\w]*(\.\d\w*)?')
OPERATOR = re.compile(r'->|===|!==|==|!=|<=|>=|&&|\|\||\?\?|\.\.\.|\.\.<|[-+*/%&|^]=|[-+*/%&|^~=<>?!]')
STRING = re.compile(r'(#*)("""|")')
DIRECTIVE = re.compile(r'#(if|elseif|else|endif|warning|error|sourceLocation)\b[^\n]*')
REST_OF_LINE = re.compile(r'[^\n]*')
COMMENT_MARK = re.compile(r'/\*|\*/')
SLASHES = re.compile(r'/(?![\s/*])(?:\\.|[^/\\\n])*/')
CLOSING = {'(': ')', '[': ']', '{': '}'}
# A slash behind one of these begins a regular expression.
BEFORE_EXPRESSIONS = set('([{,:;=?|&!') | {'return', 'in', 'case', 'where', '==', '!=', '&&', '||', '??', '->'}


class Misunderstood(Exception):
    """Source, or a part of it, that is not understood. `path` is that of the file, where several are converted."""

    def __init__(self, position, message, path=None):
        super().__init__(message)
        self.position = position
        self.path = path


@dataclass
class Token:
    """`kind` is name, attribute, macro, number, operator, mark, text or piece: a text literal, and a part of one."""

    kind: str
    text: str
    start: int
    end: int
    # The index of the other bracket, if it is one.
    partner: int = -1


class Lexer:
    def __init__(self, source):
        self.source = source
        self.tokens = []
        self.directives = []
        self.position = 0
        # Brackets that are open: the index of the token, and the literal that goes on behind it, if it is a \(.
        self.open = []

    def run(self):
        if self.source.startswith('#!'):
            self._skip_line()
        while self.position < len(self.source):
            self._read_token()
        if self.open:
            token = self.tokens[self.open[-1][0]]
            raise Misunderstood(token.start, f"the '{token.text[-1]}' here is never closed")
        return self.tokens

    def _read_token(self):
        source, start = self.source, self.position
        character = source[start]
        if match := SPACE.match(source, start):
            self.position = match.end()
        elif source.startswith('//', start):
            self._skip_line()
        elif source.startswith('/*', start):
            self._skip_comment()
        elif match := STRING.match(source, start):
            self._begin_literal(match[1], match[2])
        elif match := DIRECTIVE.match(source, start):
            self.directives.append((start, match.end()))
            self.position = match.end()
        elif source.startswith('#/', start):
            self._read_regular_expression()
        elif character == '/' and self._is_before_expression() and (match := SLASHES.match(source, start)):
            self._add('number', match.end())
        elif match := NAME.match(source, start):
            self._add('name', match.end())
        elif character in '@#' and (match := NAME.match(source, start + 1)):
            self._add('attribute' if character == '@' else 'macro', match.end())
        elif match := NUMBER.match(source, start):
            self._add('number', match.end())
        elif character in '([{':
            self.open.append((len(self.tokens), None))
            self._add('mark', start + 1)
        elif character in ')]}':
            self._close(character)
        elif match := OPERATOR.match(source, start):
            self._add('operator', match.end())
        else:
            self._add('mark', start + 1)

    def _add(self, kind, end):
        self.tokens.append(Token(kind, self.source[self.position:end], self.position, end))
        self.position = end

    def _close(self, character):
        if not self.open:
            raise Misunderstood(self.position, f"the '{character}' here closes nothing")
        index, literal = self.open.pop()
        token = self.tokens[index]
        if CLOSING[token.text[-1]] != character:
            raise Misunderstood(self.position, f"the '{character}' here closes a '{token.text[-1]}'")
        token.partner = len(self.tokens)
        self._add('mark', self.position + 1)
        self.tokens[-1].partner = index
        if literal:
            self._read_literal(self.position, *literal, 'piece')

    def _skip_line(self):
        end = self.source.find('\n', self.position)
        self.position = len(self.source) if end < 0 else end

    def _skip_comment(self):
        start, depth = self.position, 0
        for match in COMMENT_MARK.finditer(self.source, start):
            depth += 1 if match[0] == '/*' else -1
            if depth == 0:
                self.position = match.end()
                return
        raise Misunderstood(start, 'the comment that begins here is never closed')

    def _is_before_expression(self):
        return not self.tokens or self.tokens[-1].text in BEFORE_EXPRESSIONS

    def _read_regular_expression(self):
        end = self.source.find('/#', self.position + 2)
        if end < 0:
            raise Misunderstood(self.position, 'the regular expression that begins here is never closed')
        self._add('number', end + 2)

    def _begin_literal(self, pounds, quote):
        start = self.position + len(pounds)
        # As in #"""#, which is a quotation mark.
        if pounds and quote == '"""' and '"' + pounds in REST_OF_LINE.match(self.source, start + 1)[0]:
            quote = '"'
        self._read_literal(start + len(quote), pounds, quote, 'text')

    def _read_literal(self, position, pounds, quote, kind):
        """Reads a text from `position` on; what is read ends with the text, or with the next \\( in it."""
        source = self.source
        escape, end = '\\' + pounds, quote + pounds
        marks = re.compile('|'.join(re.escape(mark) for mark in (escape, end)) + ('' if quote == '"""' else r'|\n'))
        while match := marks.search(source, position):
            if match[0] == end:
                self._add(kind, match.end())
                return
            if match[0] == '\n':
                break
            if source.startswith('(', match.end()):
                self.open.append((len(self.tokens), (pounds, quote)))
                self._add('piece', match.end() + 1)
                return
            position = match.end() + 1
        raise Misunderstood(self.position, 'the text that begins here is never closed')
