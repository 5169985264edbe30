"""A reader of Firn's files, written from Sources/FirnDurability/FileFormat.md alone.

It shares no code with the library, so that page, library and reader check each other. It is written to be compared with
the page, not to be fast, and it refuses whatever the page does not allow.
"""
