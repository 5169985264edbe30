"""Faults, and how they are kept so that they can be looked at again."""

import json
import shutil
from pathlib import Path


class Finding(Exception):
    """A fault of the store, or of the tests. The kind is a word, the text a sentence."""

    def __init__(self, kind: str, text: str) -> None:
        super().__init__(f"{kind}: {text}")
        self.kind = kind
        self.text = text


def copy_tree(source: Path, target: Path) -> str | None:
    """Copies as much as can be read. Returns the errors, if there are any."""
    try:
        shutil.copytree(source, target, symlinks=True, dirs_exist_ok=True)
    except (shutil.Error, OSError) as error:
        return str(error)
    return None


def keep_command(folder: Path, words: list[str], places: dict[str, Path]) -> None:
    """Writes down a command with names in place of paths that will not last."""
    portable = []
    for word in words:
        for name, path in places.items():
            word = word.replace(str(path), f"{{{name}}}")
        portable.append(word)
    (folder / "command.json").write_text(json.dumps(portable, indent=1) + "\n", encoding="utf-8")


def read_command(folder: Path, places: dict[str, Path]) -> list[str]:
    """The command that was kept, with other paths."""
    words: list[str] = json.loads((folder / "command.json").read_text(encoding="utf-8"))
    for name, path in places.items():
        words = [word.replace(f"{{{name}}}", str(path)) for word in words]
    return words
