public import Foundation

/// Values that have an order: collections of them can be sorted and freed of repeats, and objects sorted by them.
///
/// Nil comes first, NaN before all numbers, false before true; texts, object ids and UUIDs go by their bytes.
public protocol SortableType {}

/// Elements that have properties to sort by: objects.
public protocol KeypathSortable {}

extension ObjectBase: KeypathSortable {}

extension Bool: SortableType {}
extension Int: SortableType {}
extension Int8: SortableType {}
extension Int16: SortableType {}
extension Int32: SortableType {}
extension Int64: SortableType {}
extension Float: SortableType {}
extension Double: SortableType {}
extension String: SortableType {}
extension Date: SortableType {}
extension Data: SortableType {}
extension UUID: SortableType {}
extension ObjectId: SortableType {}
extension Decimal128: SortableType {}
extension AnyRealmValue: SortableType {}
extension Optional: SortableType where Wrapped: SortableType {}
