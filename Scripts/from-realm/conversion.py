"""All files together, since a class, its extensions and its users may stand in several."""

from dataclasses import dataclass, field

from declarations import Property
from editing import File, Note
from elsewhere import ElsewhereConverter
from lexing import Misunderstood
from members import OPTIONALS, ModelConverter
from models import find_models, refuse_unknown_bases


@dataclass
class Conversion:
    # The new text of each file that is another one then.
    changed: dict = field(default_factory=dict)
    # Places that are left to be done by hand.
    notes: list = field(default_factory=list)
    # Why files are left as they are: a note by path.
    refused: dict = field(default_factory=dict)


def convert(texts, are_edits_done=False):
    """Converts files, given by their paths. Notes have the lines before the edits, unless these are done.

    A file that is not understood stays as it is, and so do those that belong to the same classes: the others are
    converted anew, as if it had been left out.
    """
    refused = {}
    while True:
        files = readable_files(texts, refused)
        models = find_models(files)
        before = len(refused)
        convert_files(files, models, refused)
        results = results_of(files, refused)
        spread_refusals(models, refused)
        if len(refused) == before:
            read = [file for file in files if file.path not in refused]
            notes = {note for file in read for note in file.notes_by_line(are_edits_done)}
            return Conversion(results, sorted(notes), refused)


def readable_files(texts, refused):
    files = []
    for path, text in texts.items():
        try:
            files.append(File(path, text))
        except Misunderstood as error:
            line = text.count('\n', 0, error.position) + 1
            refused[path] = Note(path, line, f'{error}; the file is left as it is')
    return files


def convert_files(files, models, refused):
    for model in models:
        if all(file.path not in refused for file in model.files):
            attempt(model.files[0], refused, files, ModelConverter(model).run)
    others = other_members(files)
    for file in files:
        if file.path not in refused and concerns(file, models):
            attempt(file, refused, files, lambda: refuse_unknown_bases(file, models, files))
            attempt(file, refused, files, ElsewhereConverter(file, models, others).run)


def attempt(file, refused, files, run):
    try:
        run()
    except Misunderstood as error:
        refuse(error, next((other for other in files if other.path == error.path), file), refused)


def refuse(error, file, refused):
    refused[file.path] = Note(file.path, file.line(error.position), f'{error}; the file is left as it is')


def concerns(file, models):
    """Whether a file uses Realm: others stay as they are."""
    # The module may stand behind the kind of a single name, as in `import class RealmSwift.Object`.
    imported = {
        file.declarations.text(index + offset)
        for index, token in enumerate(file.tokens) if token.text == 'import' for offset in (1, 2)}
    return bool(imported & {'Realm', 'RealmSwift', 'Firn'}) or any(file in model.files for model in models)


def other_members(files):
    """Names of properties that are no RealmOptional, so that `.value` behind them may be anything."""
    names = set()
    for file in files:
        for scope in file.scopes:
            for member in file.members(scope):
                if isinstance(member, Property) and not is_optional(file.declarations, member):
                    names.add(file.declarations.text(member.name).strip('`'))
    return names


def is_optional(declarations, member):
    texts = declarations.texts([*member.type, *member.initial])
    return bool(OPTIONALS & set(texts))


def results_of(files, refused):
    results = {}
    for file in files:
        if file.path in refused:
            continue
        try:
            text = file.result()
        except Misunderstood as error:
            refuse(error, file, refused)
            continue
        if text != file.mark + file.text:
            results[file.path] = text
    return results


def spread_refusals(models, refused):
    """Leaves files as they are that share a class with one that is."""
    is_growing = True
    while is_growing:
        is_growing = False
        for model in models:
            unread = [file for file in model.files if file.path in refused]
            for file in model.files if unread else []:
                if file.path not in refused:
                    refused[file.path] = Note(
                        file.path, 1,
                        f"'{model.name}' is also in {unread[0].path}, which is not understood; the file is left as it "
                        'is')
                    is_growing = True
