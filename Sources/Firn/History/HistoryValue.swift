internal import FirnEngine
public import Foundation

extension RealmStore {
  /// A value that a property had in the past.
  public enum HistoryValue: Sendable, Hashable {
    /// No value.
    case null
    /// A truth value.
    case bool(Bool)
    /// An integer, also the raw value of an enumeration.
    case int(Int)
    /// A number in single precision.
    case float(Float)
    /// A number in double precision.
    case double(Double)
    /// A text, also the raw value of an enumeration.
    case string(String)
    /// Bytes.
    case data(Data)
    /// A point in time.
    case date(Date)
    /// An object id.
    case objectId(ObjectId)
    /// A UUID.
    case uuid(UUID)
    /// A decimal number.
    case decimal128(Decimal128)
    /// A link.
    case object(HistoryIdentity)
    /// A list or dictionary in a mixed value, whose content is not told.
    case collection
  }

  /// Which object it was.
  public struct HistoryIdentity: Sendable, Hashable {
    /// The name of the class.
    public let className: String

    /// The number of the object among all that its class ever had; never that of another one.
    public let row: UInt64

    /// The primary key, in a box: it is a value, which may be a link, which has a primary key.
    private let key: [HistoryValue]

    /// The primary key. Nil where the class has none, and where it is not known any more: of an object that was deleted
    /// since, if it was modified without ``Realm/Configuration/history`` being on.
    public var primaryKey: HistoryValue? { key.first }

    init(className: String, row: UInt64, primaryKey: HistoryValue?) {
      self.className = className
      self.row = row
      key = primaryKey.map { [$0] } ?? []
    }
  }
}
