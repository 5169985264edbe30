"""The model classes of all files, with their extensions."""

import re
from dataclasses import dataclass, field

from declarations import Property

APPLE_CLASS = re.compile(r'(NS|UI|AV|CA|CL|GK|MK|SK|WK)[A-Z]')
BASES = {'Object', 'EmbeddedObject', 'RealmSwiftObject', 'RealmSwiftEmbeddedObject'}


@dataclass
class Model:
    """All that files say of a model class, its extensions included."""

    name: str
    # The class, then its extensions, each with its file.
    parts: list
    primary_key: str = None
    indexed: set = field(default_factory=set)
    ignored: set = field(default_factory=set)
    # A file and a token by each of the names above.
    places: dict = field(default_factory=dict)
    # The names of the properties that have @Persisted in the end.
    persisted: set = field(default_factory=set)
    # The names of those among them that were RealmOptional or RealmProperty.
    optionals: set = field(default_factory=set)

    @property
    def files(self):
        return [file for file, _ in self.parts]


def unqualified(name):
    return name.removeprefix('RealmSwift.').removeprefix('Firn.')


def find_models(files):
    """The model classes of all files, also those that derive from others, with their extensions."""
    classes = [(file, scope) for file in files for scope in file.scopes if scope.kind == 'class' and scope.bases]
    names, is_growing = set(BASES), True
    while is_growing:
        found = {scope.name for _, scope in classes if unqualified(scope.bases[0]) in names}
        is_growing = not found <= names
        names |= found
    models = [
        Model(scope.name, [(file, scope)]) for file, scope in classes if unqualified(scope.bases[0]) in names]
    by_name = {}
    for model in models:
        by_name.setdefault(model.name, []).append(model)
    for file in files:
        for scope in file.scopes:
            of_name = by_name.get(scope.name, []) if scope.kind == 'extension' else []
            if len(of_name) == 1:
                of_name[0].parts.append((file, scope))
    return models


def refuse_unknown_bases(file, models, files):
    """Gives up a file with a class that may be a model, which only its base class would tell."""
    kinds = ('class', 'protocol')
    known = {scope.name for other in files for scope in other.scopes if scope.kind in kinds}
    of_models = {id(scope) for model in models for _, scope in model.parts}
    for scope in file.scopes:
        base = unqualified(scope.bases[0]) if scope.bases else None
        if scope.kind != 'class' or base is None or base in known or APPLE_CLASS.match(base) or id(scope) in of_models:
            continue
        for member in file.members(scope):
            if isinstance(member, Property) and 'dynamic' in file.declarations.texts(member.head.modifiers):
                file.refuse(
                    member.head.start,
                    f"'{scope.name}' derives from '{base}', which is in no file that was given, so that it may be a "
                    'model; give that file, too')
