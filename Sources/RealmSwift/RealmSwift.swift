// For files that are compiled with RealmSwift elsewhere, and import it.
@_exported public import Firn
@_exported public import FirnCombine

/// That of Firn, so that `import struct RealmSwift.SortDescriptor` does not mean the one of Foundation.
public typealias SortDescriptor = Firn.SortDescriptor
