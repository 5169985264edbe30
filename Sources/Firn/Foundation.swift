internal import FirnEngine
// Files that import Firn alone have Date, Data, UUID and URL, which models need. Where a name is also one of Foundation's,
// `SortDescriptor` say, it means the one of Firn, also in files that import both.
@_exported public import Foundation

/// In this module the engine's, not that of Foundation.
typealias Predicate = FirnEngine.Predicate
