"""The kinds of mistakes, and where code has places for them.

Each is one expression or statement that stays on its lines, behind a switch: `firnMutant(NUMBER)` is true when the
mistake was chosen. In what is inserted, NUMBER and OPERATOR stand for the number of the mutant and for the operator of
its own.
"""

import re
from dataclasses import dataclass, field

SWAPPED = {
    '<': '<=', '<=': '<', '>': '>=', '>=': '>', '==': '!=', '!=': '==', '&&': '||', '||': '&&', 'min': 'max',
    'max': 'min', 'true': 'false', 'false': 'true', '+': '-', '-': '+', '&+': '&-', '&-': '&+',
}

# Nothing that a test could see: messages, speed, and what holds only for programming mistakes.
SKIPPED = re.compile(
    r'precondition|assert|fatalError|\brequire\(|checkInvariants|[lL]ogger|\bLog\.|\blog\(|\blog\.'
    r'|reserveCapacity|minimumCapacity|prefetch|withExtendedLifetime|^\s*#|^\s*import|^\s*@|isPerformingTests'
    r'|Thread\.sleep|\bhint', re.M)

KEYWORDS = '|'.join('''
    let var if guard while for switch case default return throw defer do func init class struct enum actor extension
    protocol import typealias static private package public fileprivate internal mutating nonmutating override final
    else break continue fallthrough repeat catch yield nonisolated indirect convenience required subscript deinit get
    set willSet didSet lazy weak unowned infix prefix postfix precedencegroup associatedtype consume discard where in
    as is'''.split())
STATEMENT = re.compile(
    rf'(?:try[!?]?\s+)?(?:await\s+)?(?!(?:{KEYWORDS})\b)(?!self\.init|super\.init)[A-Za-z_$`(][\w.$`]*')
STATEMENT_START = re.compile(
    r'^[ \t]*(?:(?:case\b.*|default):[ \t]+|(?:\} )?(?:if|else|for|while)\b.* \{ )?(?=[A-Za-z_$`(])', re.M)
CONTINUES = ',([=+-*/&|?:<>.'
LONGEST_STATEMENT = 12


@dataclass
class Edit:
    position: int
    removed: int
    inserted: str
    # Whether it ends what another edit of the same mutant begins.
    closes: bool = False


@dataclass
class Candidate:
    kind: str
    start: int
    end: int
    mutant: str
    edits: list = field(default_factory=list)


def candidates(source, traits=()):
    """All mistakes that may be planted into a file, into the code that is compiled with some traits."""
    for kind in (comparisons, logic, fallbacks, ranges, off_by_one, arithmetic, flips, extremes, jumps, conditions,
                 statements, deferred, results):
        for candidate in kind(source):
            code = source.code[candidate.start:candidate.end]
            is_seen = '#if' not in code and not SKIPPED.search(source.lines(candidate.start, candidate.end))
            if is_seen and source.is_compiled(candidate.start, traits):
                yield candidate


def _replaced(kind, match, inserted, mutant):
    """A token in the first group of a match gives way to something else."""
    start, end = match.span(1)
    return Candidate(kind, start, end, mutant, [Edit(start, end - start, inserted)])


def _wrapped(kind, start, end, mutant, before, after):
    return Candidate(kind, start, end, mutant, [Edit(start, 0, before), Edit(end, 0, after, closes=True)])


def _is_declared(line):
    """Whether operators of a line belong to a declaration: of an operator, or of what generic types have to be."""
    return re.search(r'\bfunc [!<>=&|+-]|\boperator\b', line) or re.match(r'\s*where\b', line) \
        or re.search(r'(func|extension|init|subscript|struct|class|enum|protocol)\b.*\bwhere\b', line)


# MARK: Operators


def comparisons(source):
    """`a < b` becomes `a <= b`, `a == b` becomes `a != b`."""
    for match in re.finditer(r'(?<=\s)(<=|>=|==|!=|<|>)(?=\s)', source.code):
        if not _is_declared(source.line(match.start())):
            yield _replaced('comparison', match, 'OPERATOR', SWAPPED[match[1]])


def logic(source):
    """`a && b` becomes `a || b`."""
    for match in re.finditer(r'(?<=\s)(&&|\|\|)(?=\s)', source.code):
        if not _is_declared(source.line(match.start())):
            yield _replaced('logic', match, 'OPERATOR', SWAPPED[match[1]])


def fallbacks(source):
    """`a ?? b` becomes `b`."""
    for match in re.finditer(r'(?<=\s)(\?\?)(?=\s)', source.code):
        yield _replaced('fallback', match, 'OPERATOR', 'always what follows')


def ranges(source):
    """`a..<b` loses its last element."""
    for match in re.finditer(r'(?<=[\w)\]])(\.\.<)(?=[\w(])', source.code):
        yield _replaced('range', match, 'OPERATOR', '..< less the last')


def arithmetic(source):
    """`a + b` becomes `a - b`. Text is left alone."""
    for match in re.finditer(r'(?<=\s)(&?[+-])(?= (?!1\b)[\w(])', source.code):
        line = source.line_number(match.start()) - 1
        if '"' not in source.text.split('\n')[line] and not _is_declared(source.line(match.start())):
            yield _replaced('arithmetic', match, 'OPERATOR', SWAPPED[match[1]])


def off_by_one(source):
    """`+ 1` becomes `+ 0`."""
    for match in re.finditer(r'(?:[+-]|(?<=[+-]=)) (1)\b(?!\s*<<|[.\w])', source.code):
        yield _replaced('off by one', match, '(firnMutant(NUMBER) ? 0 : 1)', '0')


def extremes(source):
    """`min` becomes `max`."""
    for match in re.finditer(r'(?<![.\w])((?:Swift\.)?(min|max)\()(?!by)', source.code):
        yield _replaced('extreme', match, f'firn_{match[2]}(NUMBER, ', SWAPPED[match[2]])


def flips(source):
    """`return true` and `= true` become false."""
    for match in re.finditer(r'(?:\breturn|(?<!=)=) (true|false)\b(?=\s*[\n}])', source.code):
        swapped = SWAPPED[match[1]]
        yield _replaced('flip', match, f'(firnMutant(NUMBER) ? {swapped} : {match[1]})', swapped)


# MARK: Statements


def jumps(source):
    """`continue` and `break` are left out, where the compiler does not need them."""
    for match in re.finditer(r'(?<=[{\n])[ \t]*((?:continue|break)(?: \w+)?)(?= \}|\n)', source.code):
        around = next(iter(source.braces_around(match.start(1))), None)
        if around is None or not re.search(r'\b(guard|switch)\b', around.header):
            yield _wrapped('jump', *match.span(1), 'nothing', 'if !firnMutant(NUMBER) { ', ' }')


def conditions(source):
    """A clause of `if`, `guard` or `while` becomes its opposite."""
    for match in re.finditer(r'(?<![#\w])(if|guard|while)\s+', source.code):
        if match[1] == 'guard':
            end = source.scan(match.end(), lambda place: re.match(r'\selse\b', source.code[place:place + 6]))
        else:
            end = source.scan(match.end(), lambda place: source.code[place] == '{')
        start = match.end()
        while end is not None and start < end:
            comma = source.scan(start, lambda place: source.code[place] == ',' or place == end)
            comma = end if comma is None else comma
            candidate = _condition(source, start, comma)
            if candidate:
                yield candidate
            start = comma + 1


def _condition(source, start, end):
    clause = source.code[start:end]
    if not clause.strip() or clause.strip() == 'true' or '{' in clause:
        return None
    if re.match(r'\s*(let|var|case|_\s*=)\b|\s*#', clause):
        return None
    if re.match(r'[^&|]*\s(==|!=)\s[^&|]*$', clause):
        return None  # This is a comparison.
    start, end = start + len(clause) - len(clause.lstrip()), start + len(clause.rstrip())
    text = source.text[start:end]
    mutant = text[1:] if text[0] == '!' and ' ' not in clause.strip() else f'!({text})'
    return _wrapped('condition', start, end, mutant, '(firnMutant(NUMBER) != (', '))')


def statements(source):
    """A call or an assignment is left out. It may follow a label, or stand alone in braces on its line."""
    for match in STATEMENT_START.finditer(source.code):
        start = match.end()
        if STATEMENT.match(source.code, start) and source.is_in_braces(start):
            end = _end_of_statement(source, match, start)
            if end is not None and _may_be_left_out(source, start, end):
                yield _wrapped('statement', start, end, 'nothing', 'if !firnMutant(NUMBER) { ', ' }')


def _end_of_statement(source, match, start):
    code = source.code
    before = code[:match.start()].rstrip()
    is_alone = not match[0].strip()
    follows_label = re.search(r'(case\b.*|default):$', before.split('\n')[-1])
    if is_alone and before[-1:] in CONTINUES and not follows_label:
        return None
    in_braces = match[0].rstrip().endswith('{')
    end = source.scan(start, lambda place: code.startswith(' }', place) if in_braces else code[place] == '\n')
    if end is None or not code[start:end].strip():
        return None
    body = code[start:end].rstrip()
    after = code[end:].lstrip()
    goes_on = after[:1] in '.?:&|+-*/=<>,%^{' or after.startswith('else')
    if body[-1] in CONTINUES or goes_on and not in_braces:
        return None
    return start + len(body)


def _may_be_left_out(source, start, end):
    body = source.code[start:end]
    if body.count('\n') > LONGEST_STATEMENT or re.match(r'_ = ', body):
        return False
    around = source.braces_around(start)[0]
    if around.result_type and source.code[around.start + 1:around.end].strip() == body:
        return False  # It is what the function returns.
    assigns = source.scan(
        start, lambda place: place >= end or re.match(r' [-+*/&|^%<>]*= ', source.code[place:place + 6]))
    if assigns is None or assigns >= end:
        return body[-1] in ')}'
    # An initialiser has to set everything.
    function = source.function_around(start)
    is_in_initialiser = function is not None and re.search(r'\binit[?!]?[(<]', function.header)
    return not (is_in_initialiser and re.match(r'(self\.)?\w+ = ', body))


def deferred(source):
    """The body of `defer` is left out."""
    for pair in source.braces:
        if re.search(r'\bdefer$', pair.header):
            start, end = pair.start + 1, pair.end
            if source.code[start:end].strip():
                yield _wrapped('defer', start, end, 'nothing', ' if !firnMutant(NUMBER) {', '} ')


# MARK: Results


def results(source):
    """A function returns another value of its type: the opposite, one more, nil or nothing."""
    for match in re.finditer(r'\breturn[ \t]+(?=\S)', source.code):
        around = next((pair for pair in source.braces_around(match.start()) if not pair.is_control_flow), None)
        end = source.scan(match.end(), lambda place: source.code[place] in '\n;' or source.code.startswith(' }', place))
        if around is not None and end is not None:
            yield from _result(source, around, match.end(), end)
    for pair in source.braces:
        body = source.code[pair.start + 1:pair.end]
        if '\n' not in body.strip() and not re.search(rf'^\s*({KEYWORDS}|_modify|_read)\b|\{{|;', body):
            start = pair.start + 1 + len(body) - len(body.lstrip())
            yield from _result(source, pair, start, pair.start + 1 + len(body.rstrip()))


def _result(source, function, start, end):
    if re.match(r'get\b', function.header):
        outer = source.braces_around(function.start)
        if not outer:
            return
        function = outer[0]
    start += re.match(r'(try\b[!?]?\s+)?(await\s+)?', source.code[start:end]).end()
    value = source.code[start:end]
    goes_on = source.code[end:].lstrip()[:1] in '.?:&|+-*/<>,%^'
    if not value.strip() and source.text[start] != '"' or goes_on or re.match(r'(nil|true|false|if|switch)\b', value):
        return
    kind = function.result_type or ''
    if kind == 'Bool' and not re.search(r'\s(==|!=|<|>|<=|>=|&&|\|\|)\s', value):
        yield _wrapped('result', start, end, f'!({source.text[start:end]})', '(firnMutant(NUMBER) != (', '))')
    elif re.fullmatch(r'U?Int(8|16|32|64)?', kind):
        yield _wrapped('result', start, end, 'one more', 'firn_more(NUMBER, ', ')')
    elif kind.endswith('?') and '->' not in kind:
        yield Candidate('result', start, end, 'nil', [Edit(start, 0, 'firnMutant(NUMBER) ? nil : ')])
    elif re.fullmatch(r'\[[^:]+\]', kind) and value.strip() != '[]':
        yield Candidate('result', start, end, '[]', [Edit(start, 0, 'firnMutant(NUMBER) ? [] : ')])
