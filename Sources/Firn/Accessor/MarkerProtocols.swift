public import Foundation

// Names that generic code written for RealmSwift uses in its constraints.

/// What a schema can describe: the types of properties. Not to be conformed to directly.
public protocol _RealmSchemaDiscoverable {}

extension Optional: _RealmSchemaDiscoverable where Wrapped: _RealmSchemaDiscoverable {}

/// What has a stored form. Not to be conformed to directly.
public protocol _ObjcBridgeable {}

extension Optional: _ObjcBridgeable where Wrapped: _ObjcBridgeable {}

/// Values that a property can start with: those of scalar types. Not to be conformed to directly.
public protocol _DefaultConstructible {
  /// Zero, empty, now, or a new identifier.
  init()
}

extension Bool: _DefaultConstructible {}
extension Int: _DefaultConstructible {}
extension Int8: _DefaultConstructible {}
extension Int16: _DefaultConstructible {}
extension Int32: _DefaultConstructible {}
extension Int64: _DefaultConstructible {}
extension Float: _DefaultConstructible {}
extension Double: _DefaultConstructible {}
extension String: _DefaultConstructible {}
extension Data: _DefaultConstructible {}
extension Date: _DefaultConstructible {}
extension UUID: _DefaultConstructible {}
