"""Names of properties in primaryKey(), indexedProperties() and ignoredProperties(), and in `#keyPath`."""

LISTS = {'primaryKey', 'indexedProperties', 'ignoredProperties'}


def is_list(declarations, function):
    """Whether a function of a class is one of these, overridden."""
    modifiers = set(declarations.texts(function.head.modifiers))
    name = declarations.text(function.signature.start)
    return name in LISTS and 'override' in modifiers and bool(modifiers & {'static', 'class'})


def read_list(file, function, model):
    """Notes in a model what the function says, and deletes it."""
    kind = file.declarations.text(function.signature.start)
    names = returned_names(file, function, model, kind)
    for name in names:
        model.places.setdefault(name, (file, function.head.start))
    if kind == 'primaryKey':
        model.primary_key = names[0] if names else None
    elif kind == 'indexedProperties':
        model.indexed.update(names)
    else:
        model.ignored.update(names)
    file.delete_lines(function.head.start, function.end - 1)


def returned_names(file, function, model, kind):
    declarations = file.declarations
    body = range(function.open + 1, function.end - 1)
    if declarations.text(body.start) == 'return':
        body = body[1:]
    if declarations.texts(body) == ['nil'] and kind == 'primaryKey':
        return []
    names, index = [], body.start
    is_understood = True
    if kind != 'primaryKey':
        is_understood = declarations.text(index) == '[' and file.tokens[index].partner == body[-1]
        body = body[1:-1]
        index += 1
    while is_understood and index < body.stop:
        name, index = property_name(file, index)
        names.append(name)
        is_understood = name is not None and (index >= body.stop or declarations.text(index) == ',')
        index += 1
    if not is_understood or kind == 'primaryKey' and len(names) != 1:
        file.refuse(
            function.open,
            f"{kind}() of '{model.name}' returns more than names in quotes; say it with @Persisted by hand")
    return names


def property_name(file, index):
    """The name that a text or `#keyPath` means, and the index behind it."""
    token = file.tokens[index]
    if token.kind == 'text':
        return plain_text(token.text), index + 1
    if token.text == '#keyPath' and file.declarations.text(index + 1) == '(':
        return key_path(file, index), file.tokens[index + 1].partner + 1
    return None, index


def plain_text(literal):
    """The text of a literal; none if it is more than a name."""
    text = literal.strip('#').strip('"')
    return text if text and '\\' not in text and '\n' not in text else None


def key_path(file, index):
    """The path in `#keyPath(Type.name)`; none where it is more than names."""
    tokens = range(index + 2, file.tokens[index + 1].partner)
    names = [text.strip('`') for text in file.declarations.texts(tokens) if text != '.']
    while len(names) > 1 and names[0][:1].isupper():
        names.pop(0)
    return '.'.join(names) if names and all(name.isidentifier() for name in names) else None
