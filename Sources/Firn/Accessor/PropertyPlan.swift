internal import FirnEngine
internal import Foundation

/// A property, as adding an object sees it.
struct PropertyPlan {
  let offset: Int
  let slot: UInt64
  let value: any _Persistable.Type
  let kind: Kind

  /// Types that are handled without asking their witness tables, and what needs more than a value.
  enum Kind: UInt8 {
    case int, double, bool, date, string, other, link, collection, mixed
    /// A value of a custom type that is stored as an embedded object.
    case customLink

    init(_ property: ClassModel.Property) {
      if property.shape.isCollection {
        self = .collection
      } else if property.shape.type == .object {
        self = property.shape.custom == nil ? .link : .customLink
      } else if property.shape.type == .any {
        self = .mixed
      } else if property.value == Int.self {
        self = .int
      } else if property.value == Double.self {
        self = .double
      } else if property.value == Bool.self {
        self = .bool
      } else if property.value == Date.self {
        self = .date
      } else if property.value == String.self {
        self = .string
      } else {
        self = .other
      }
    }
  }

  /// Sets the column of a new row from the unmanaged wrapper.
  @inline(__always)
  static func insert(
    _ plan: UnsafeMutablePointer<PropertyPlan>, _ object: UnsafeMutableRawPointer,
    _ inserter: UnsafeMutablePointer<RowInserter>, _ column: Int
  ) {
    let wrapper = object + plan.pointee.offset
    let id = ColumnID(column)
    switch plan.pointee.kind {
    case .int: inserter.pointee.setInt(id, Int64(value(Int.self, wrapper) ?? 0))
    case .double: inserter.pointee.setDouble(id, value(Double.self, wrapper) ?? 0)
    case .bool: inserter.pointee.setBool(id, value(Bool.self, wrapper) ?? false)
    case .date:
      inserter.pointee.setDouble(id, (value(Date.self, wrapper) ?? Date._default()).timeIntervalSinceReferenceDate)
    case .string:
      let place = wrapper.assumingMemoryBound(to: Persisted<String>.self)
      // In place: strings that are native and contiguous lend their bytes without a copy.
      if place.pointee.value == nil { place.pointee.value = "" }
      place.pointee.value?.withUTF8 { inserter.pointee.setBytes(id, UnsafeRawBufferPointer($0)) }
    case .link, .customLink: inserter.pointee.setLink(id, nil)
    case .other, .collection, .mixed:
      plan.pointee.value._insert(from: wrapper, into: _NewRow(inserter: inserter), column)
    }
  }

  /// Whether the unmanaged wrapper holds more than a single value, or a null in place of a link or mixed value.
  @inline(__always)
  static func holdsMore(
    _ plan: UnsafeMutablePointer<PropertyPlan>, _ object: UnsafeMutableRawPointer,
    _ wrapper: () -> any PersistedProperty.Type
  ) -> Bool {
    switch plan.pointee.kind {
    case .int, .double, .bool, .date, .string, .other: false
    // One reference: 0 is a nil, 1 in a link no value.
    case .link, .collection: (object + plan.pointee.offset).load(as: UInt.self) > 1
    case .mixed: wrapper().holdsValue(at: object + plan.pointee.offset)
    case .customLink: true
    }
  }

  /// Makes the wrapper of a value managed; links, collections and mixed values wait.
  @inline(__always)
  static func promote(_ plan: UnsafeMutablePointer<PropertyPlan>, _ object: UnsafeMutableRawPointer) {
    let wrapper = object + plan.pointee.offset
    switch plan.pointee.kind {
    case .int: wrapper.assumingMemoryBound(to: Persisted<Int>.self).pointee.slot = plan.pointee.slot
    case .double: wrapper.assumingMemoryBound(to: Persisted<Double>.self).pointee.slot = plan.pointee.slot
    case .bool: wrapper.assumingMemoryBound(to: Persisted<Bool>.self).pointee.slot = plan.pointee.slot
    case .date: wrapper.assumingMemoryBound(to: Persisted<Date>.self).pointee.slot = plan.pointee.slot
    case .string:
      wrapper.assumingMemoryBound(to: Persisted<String>.self).pointee.value = nil
      wrapper.assumingMemoryBound(to: Persisted<String>.self).pointee.slot = plan.pointee.slot
    case .other: plan.pointee.value._promote(wrapper, plan.pointee.slot)
    case .link, .customLink, .collection, .mixed: break
    }
  }

  @inline(__always)
  private static func value<Value: _Persistable>(_ type: Value.Type, _ wrapper: UnsafeMutableRawPointer) -> Value? {
    wrapper.assumingMemoryBound(to: Persisted<Value>.self).pointee.value
  }
}
