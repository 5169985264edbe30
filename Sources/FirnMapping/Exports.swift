// A file that declares how a type is stored needs one import.
@_exported public import Firn
