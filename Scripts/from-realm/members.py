"""The conversion of the members of a model class."""

from declarations import Function, Property
from lists import is_list, property_name, read_list

COLLECTIONS = {'List', 'MutableSet', 'Map'}
OPTIONALS = {'RealmOptional', 'RealmProperty'}
FOUNDATION_TYPES = {'NSDate': 'Date', 'NSData': 'Data', 'NSString': 'String', 'NSNumber': 'a number with its size'}


class ModelConverter:
    """Converts one model class with its extensions."""

    def __init__(self, model):
        self.model = model

    def run(self):
        file, scope = self.model.parts[0]
        self.model.persisted.update(
            file.declarations.name(member) for member in file.members(scope)
            if isinstance(member, Property) and '@Persisted' in file.declarations.texts(member.head.attributes))
        # Such a class stores nothing else, and may keep its functions.
        self.is_of_today = bool(self.model.persisted)
        for file, scope in self.model.parts:
            for member in file.members(scope):
                if isinstance(member, Function) and is_list(file.declarations, member) and not self.is_of_today:
                    read_list(file, member, self.model)
        for file, scope in self.model.parts:
            self._convert_part(file, scope)
        if self.model.primary_key:
            self._check_is_found(self.model.primary_key, 'its primary key')
        for name in sorted(self.model.indexed):
            self._check_is_found(name, 'indexed')

    def _check_is_found(self, name, what):
        file, index = self.model.places[name]
        if name not in self.model.persisted:
            file.refuse(
                index,
                f"'{self.model.name}' says that '{name}' is {what}, which is no property of its own; say it with "
                '@Persisted where it is declared')

    # Members

    def _convert_part(self, file, scope):
        members = file.members(scope)
        properties = [member for member in members if isinstance(member, Property)]
        if scope.kind == 'class':
            if self.is_of_today:
                self._refuse_mixing(file, properties)
            self._convert_name(file, scope)
        has_dynamic_members = self._convert_members_attribute(file, scope)
        for member in properties:
            self._convert_property(file, scope, member, has_dynamic_members)
        for member in members:
            if isinstance(member, Function):
                self._convert_function(file, scope, member)

    def _refuse_mixing(self, file, properties):
        for member in properties:
            if 'dynamic' in file.declarations.texts(member.head.modifiers) and member.block_kind != 'computed':
                file.refuse(
                    member.head.start,
                    f"'{self.model.name}' has properties with @Persisted, and this one, which RealmSwift does not "
                    'store beside them; decide by hand')

    def _convert_name(self, file, scope):
        """`@objc(Name)` becomes a function."""
        declarations = file.declarations
        for index in scope.head.attributes:
            if declarations.text(index) != '@objc':
                continue
            if declarations.text(index + 1) != '(':
                file.delete_with_space(index)
                continue
            last = file.tokens[index + 1].partner
            name = ''.join(declarations.texts(range(index + 2, last)))
            file.delete_with_space(index, last)
            if name != scope.name:
                step = '\t' if file.indentation(scope.open + 1).startswith('\t') else '  '
                indentation = file.indentation(scope.open + 1) or file.indentation(scope.open) + step
                function = f'override class func _realmObjectName() -> String? {{ "{name}" }}'
                brace = file.tokens[scope.open]
                file.replace(brace.end, brace.end, f'{file.line_end}{indentation}{function}{file.line_end}')

    def _convert_members_attribute(self, file, scope):
        for index in scope.head.attributes:
            if file.declarations.text(index) == '@objcMembers':
                file.delete_with_space(index)
                return True
        return False

    def _convert_property(self, file, scope, member, has_dynamic_members):
        declarations = file.declarations
        attributes = declarations.texts(member.head.attributes)
        modifiers = declarations.texts(member.head.modifiers)
        name = declarations.name(member)
        if '@Persisted' in attributes or 'static' in modifiers or 'class' in modifiers:
            return
        if scope.kind == 'extension' and 'override' in modifiers:
            self._note_override(file, member.head.start, name)
        is_dynamic = 'dynamic' in modifiers
        is_stored = scope.kind == 'class' and member.block_kind != 'computed' and 'lazy' not in modifiers
        is_ignored = name in self.model.ignored
        if is_dynamic and is_stored and member.is_one_of_many:
            self._refuse_many(file, member)
        if is_dynamic and is_stored and not is_ignored:
            self._persist(file, member)
            self._note_type(file, member)
        elif is_stored and not is_ignored and not self.is_of_today:
            self._convert_object(file, member)
        for index in member.head.attributes:
            if declarations.text(index) == '@objc' and declarations.text(index + 1) != '(':
                file.delete_with_space(index)
        for index in member.head.modifiers:
            if declarations.text(index) == 'dynamic':
                file.delete_with_space(index)
        is_left = is_stored and not is_ignored and name not in self.model.persisted
        if has_dynamic_members and is_left and declarations.text(member.head.keyword) == 'var':
            file.note(
                member.name,
                f"'{name}' is not dynamic, though its class is @objcMembers; put @Persisted before it if it is to be "
                'stored')

    def _refuse_many(self, file, member):
        file.refuse(
            member.head.start,
            f"'{self.model.name}' declares several properties at once here; write a declaration for each")

    def _persist(self, file, member, arguments=''):
        name = file.declarations.name(member)
        self.model.persisted.add(name)
        if name == self.model.primary_key:
            arguments = '(primaryKey: true)'
        elif name in self.model.indexed:
            arguments = '(indexed: true)'
        declarations = file.declarations
        first = next(
            index for index in member.head.modifiers + [member.head.keyword] if declarations.text(index) != 'dynamic')
        file.insert(first, f'@Persisted{arguments} ')

    def _note_type(self, file, member):
        declarations = file.declarations
        names = declarations.texts(member.type) + declarations.texts(member.initial)[:1]
        for name in names:
            if name in FOUNDATION_TYPES:
                file.note(member.name, f"'{name}' cannot be stored; declare {FOUNDATION_TYPES[name]}")
        if member.type and names[0] in COLLECTIONS and '?' in names[-1:]:
            file.note(
                member.name,
                f"'{declarations.name(member)}' is a collection, which cannot be an optional; take '?' out")
        if member.type and declarations.text(member.type[-1]) == '!':
            file.replace_token(member.type[-1], '?')
            file.note(
                member.name,
                f"'{declarations.name(member)}' was unwrapped by itself, and is an optional now; unwrap it where it is "
                'used')

    def _convert_object(self, file, member):
        """A collection, an optional or backlinks, which are objects in the older style."""
        declarations = file.declarations
        texts = declarations.texts(member.type or member.initial)
        if texts[:2] in (['RealmSwift', '.'], ['Firn', '.']):
            texts = texts[2:]
        kind = texts[0] if texts else ''
        if kind not in COLLECTIONS | OPTIONALS | {'LinkingObjects'} or not member.initial:
            return
        if member.is_one_of_many:
            self._refuse_many(file, member)
        call = self._call(file, member, kind)
        arguments = declarations.texts(range(call + 1, file.tokens[call].partner))
        generic = self._generic_arguments(file, member)
        if kind == 'LinkingObjects':
            self._convert_backlinks(file, member, call, generic)
        elif kind in COLLECTIONS and not arguments and generic:
            self._set_type(file, member, f'{kind}<{generic}>')
            self._persist(file, member)
        elif kind in OPTIONALS and generic and ':' not in arguments:
            wrapped = generic if kind == 'RealmProperty' else f'{generic}?'
            first, last = call + 1, file.tokens[call].partner - 1
            value = f' = {file.text[file.tokens[first].start:file.tokens[last].end]}' if arguments else ''
            self._set_type(file, member, wrapped + value)
            self._persist(file, member)
            self.model.optionals.add(declarations.name(member))
        else:
            self._refuse_property(file, member)

    def _call(self, file, member, kind):
        """The parenthesis of the call that makes the object, and is the whole of the initial value."""
        initial = member.initial
        call = file.tokens[initial[-1]].partner
        if call in initial:
            texts = file.declarations.texts(range(initial.start, call))
            if texts[:2] in (['RealmSwift', '.'], ['Firn', '.']):
                texts = texts[2:]
            is_type = texts[:1] == [kind] and (len(texts) == 1 or texts[1] == '<' and texts[-1] == '>')
            if is_type or texts == ['.', 'init']:
                return call
        self._refuse_property(file, member)

    def _generic_arguments(self, file, member):
        """The text between the `<` and `>` of the type, or of the initial value."""
        declarations = file.declarations
        for tokens in (member.type, member.initial):
            opening = next((index for index in tokens if declarations.text(index) == '<'), None)
            if opening is not None:
                closing = declarations.behind_generics(opening) - 1
                return file.text[file.tokens[opening].end:file.tokens[closing].start].strip()
        return None

    def _convert_backlinks(self, file, member, call, generic):
        declarations = file.declarations
        arguments = range(call + 1, file.tokens[call].partner)
        texts = declarations.texts(arguments)
        if texts[:2] != ['fromType', ':'] or 'property' not in texts:
            self._refuse_property(file, member)
        comma = texts.index(',')
        origin = generic or ''.join(texts[2:comma]).removesuffix('.self')
        name, end = property_name(file, arguments[texts.index('property') + 2])
        if name is None or end != arguments.stop:
            self._refuse_property(file, member)
        self._set_type(file, member, f'LinkingObjects<{origin}>')
        self._persist(file, member, f'(originProperty: "{name}")')

    def _refuse_property(self, file, member):
        name = f'{self.model.name}.{file.declarations.name(member)}'
        file.refuse(member.name, f"'{name}' is not understood; declare it with @Persisted by hand")

    def _set_type(self, file, member, type_and_value):
        """Writes a type, and perhaps a value, in place of those that are there, and makes the property a variable."""
        last = member.initial[-1]
        if file.has_comment(member.name, last):
            file.refuse(member.name, 'a comment stands inside of what is to be replaced here; move it')
        file.replace(file.tokens[member.name].end, file.tokens[last].end, f': {type_and_value}')
        if file.declarations.text(member.head.keyword) == 'let':
            file.replace_token(member.head.keyword, 'var')

    # Functions

    def _convert_function(self, file, scope, function):
        declarations = file.declarations
        modifiers = declarations.texts(function.head.modifiers)
        keyword = declarations.text(function.head.keyword)
        name = declarations.text(function.signature.start)
        if is_list(declarations, function) and not self.is_of_today:
            return
        if keyword == 'init':
            self._convert_initialiser(file, function, modifiers)
        elif scope.kind == 'extension' and 'override' in modifiers:
            self._note_override(file, function.head.start, name)

    def _note_override(self, file, index, name):
        file.note(
            index,
            f"'{name}' is overridden in an extension, which needs Objective-C; move it into class '{self.model.name}'")

    def _convert_initialiser(self, file, function, modifiers):
        declarations = file.declarations
        signature = declarations.texts(function.signature)
        if {'RLMRealm', 'RLMSchema', 'RLMObjectSchema'} & set(signature):
            body = declarations.texts(range(function.open + 1, function.end - 1))
            if body[:3] != ['super', '.', 'init'] or body[-1] != ')':
                file.refuse(
                    function.head.start,
                    f"this initialiser of '{self.model.name}', which Firn never calls, does more than super.init; take "
                    'it out')
            file.delete_lines(function.head.start, function.end - 1)
        elif signature == ['(', ')'] and 'override' in modifiers:
            index = function.head.modifiers[modifiers.index('override')]
            if 'required' in modifiers:
                file.delete_with_space(index)
            else:
                file.replace_token(index, 'required')
