"""Converts Swift source that was written for RealmSwift, so that it compiles against Firn.

Without --write it prints what it would change, as a diff, and changes nothing. The rest is reported with file
and line, and with what to do about it. Give all files of a program at once: classes, their extensions and
their users may stand in different ones.

Converted are model classes with `@objc dynamic` properties, lists, sets, maps, RealmOptional, RealmProperty and
LinkingObjects; primaryKey(), indexedProperties() and ignoredProperties(); @objc and @objcMembers of models;
`override init()`; RealmEnum; `.value` of what was a RealmOptional; #keyPath; `update: true`; imports of Realm,
RealmSwift and Combine, and names with RealmSwift before them.

A file is converted whole or not at all. One that is not understood is left as it is, with those that declare parts of
the same classes. Converting what was converted changes nothing.
"""

import argparse
import difflib
import os
import sys
import tempfile

from conversion import convert
from editing import Note

SKIPPED_FOLDERS = {'.build', '.git', 'Pods', 'Carthage', 'DerivedData'}


def parsed_arguments():
    parser = argparse.ArgumentParser(
        prog='Scripts/from-realm', description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog='exit status: 0 if nothing is left to be done by hand, 1 if something is, 2 if a file was not '
        'understood or could not be read or written')
    parser.add_argument(
        'paths', nargs='+', metavar='PATH', help='a file, or a folder with all files in it that end in .swift')
    parser.add_argument('--write', action='store_true', help='changes the files')
    return parser.parse_args()


def swift_files(paths):
    """The files that paths name, each once, in order."""
    found = {}
    for path in paths:
        if not os.path.isdir(path):
            found[path] = None
            continue
        for folder, folders, names in os.walk(path):
            folders[:] = sorted(name for name in folders if name not in SKIPPED_FOLDERS)
            for name in sorted(names):
                if name.endswith('.swift'):
                    found[os.path.normpath(os.path.join(folder, name))] = None
    return list(found)


def read(path):
    """The text of a file with its line ends, or a note of why there is none."""
    try:
        with open(path, 'rb') as file:
            return file.read().decode('utf-8')
    except OSError as error:
        return Note(path, 1, f'it cannot be read: {error.strerror}')
    except UnicodeDecodeError as error:
        line = error.object.count(b'\n', 0, error.start) + 1
        return Note(path, line, 'there are bytes here that are no UTF-8; the file is left as it is')


def write(path, text):
    """Replaces a file at once, so that it is never there by half."""
    path = os.path.realpath(path)
    handle, temporary = tempfile.mkstemp(dir=os.path.dirname(path), prefix='.from-realm-')
    try:
        with os.fdopen(handle, 'wb') as file:
            file.write(text.encode('utf-8'))
        os.chmod(temporary, os.stat(path).st_mode & 0o7777)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def show(path, before, after):
    """Prints the change as a diff."""
    lines = difflib.unified_diff(
        before.splitlines(keepends=True), after.splitlines(keepends=True), path, path)
    for line in lines:
        sys.stdout.write(line if line.endswith('\n') else line + '\n\\ No newline at end of file\n')


def main():
    arguments = parsed_arguments()
    texts = {path: read(path) for path in swift_files(arguments.paths)}
    unread = [text for text in texts.values() if isinstance(text, Note)]
    texts = {path: text for path, text in texts.items() if not isinstance(text, Note)}
    conversion = convert(texts, arguments.write)
    refusals = unread + list(conversion.refused.values())
    for path, text in conversion.changed.items():
        if not arguments.write:
            show(path, texts[path], text)
            continue
        try:
            write(path, text)
        except OSError as error:
            refusals.append(Note(path, 1, f'it cannot be written: {error.strerror}'))
    for note in sorted(refusals + conversion.notes):
        print(note, file=sys.stderr)
    change = 'changed' if arguments.write else 'would change'
    print(
        f'{len(texts) + len(unread)} files: {len(conversion.changed)} {change}, {len(conversion.notes)} places left to '
        f'be done by hand, {len(refusals)} files not understood', file=sys.stderr)
    return 2 if refusals else 1 if conversion.notes else 0


if __name__ == '__main__':
    sys.exit(main())
