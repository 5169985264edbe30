import Firn
import Foundation

// Every type that a property may have, and every kind of element of every collection.

enum IntegerMark: Int, PersistableEnum {
  case one = 1
  case two = 2
}

enum TextMark: String, PersistableEnum { case left, right }
enum SmallMark: Int8, PersistableEnum { case first, last }

enum FloatMark: Float, PersistableEnum {
  case half = 0.5
  case whole = 1
}

enum DoubleMark: Double, PersistableEnum {
  case half = 0.5
  case whole = 1
}

class Scalars: Object {
  @Persisted(primaryKey: true) var _id: ObjectId
  @Persisted var boolValue: Bool
  @Persisted var intValue: Int
  @Persisted var int8Value: Int8
  @Persisted var int16Value: Int16
  @Persisted var int32Value: Int32
  @Persisted var int64Value: Int64
  @Persisted var floatValue: Float
  @Persisted var doubleValue: Double
  @Persisted var stringValue: String
  @Persisted var dataValue: Data
  @Persisted var dateValue: Date
  @Persisted var uuidValue: UUID
  @Persisted var objectIdValue: ObjectId
  @Persisted var decimalValue: Decimal128
  @Persisted var optionalBool: Bool?
  @Persisted var optionalInt: Int?
  @Persisted var optionalInt8: Int8?
  @Persisted var optionalInt16: Int16?
  @Persisted var optionalInt32: Int32?
  @Persisted var optionalInt64: Int64?
  @Persisted var optionalFloat: Float?
  @Persisted var optionalDouble: Double?
  @Persisted var optionalString: String?
  @Persisted var optionalData: Data?
  @Persisted var optionalDate: Date?
  @Persisted var optionalUuid: UUID?
  @Persisted var optionalObjectId: ObjectId?
  @Persisted var optionalDecimal: Decimal128?
  @Persisted var integerMark: IntegerMark
  @Persisted var textMark: TextMark
  @Persisted var smallMark: SmallMark
  @Persisted var floatMark: FloatMark
  @Persisted var doubleMark: DoubleMark
  @Persisted var optionalTextMark: TextMark?
  @Persisted var mixed: AnyRealmValue
  @Persisted var link: Scalars?
  @Persisted var embedded: Location?
}

/// Properties with initial values.
class Defaults: Object {
  @Persisted(primaryKey: true) var _id = UUID()
  @Persisted(indexed: true) var name = "none"
  @Persisted var flag = true
  @Persisted var count: Int? = 5
  @Persisted var ratio: Float = 0.5
  @Persisted var price: Decimal128 = "9.99"
  @Persisted var made = Date(timeIntervalSince1970: 0)
  @Persisted var key = ObjectId("0123456789abcdef01234567")
  @Persisted var bytes = Data([1, 2])
  @Persisted var mark: TextMark = .right
  @Persisted var mixed: AnyRealmValue = .string("m")
}

class Indexes: Object {
  @Persisted(primaryKey: true) var key: String
  @Persisted(indexed: true) var boolValue: Bool
  @Persisted(indexed: true) var intValue: Int
  @Persisted(indexed: true) var int8Value: Int8
  @Persisted(indexed: true) var int16Value: Int16
  @Persisted(indexed: true) var int32Value: Int32
  @Persisted(indexed: true) var int64Value: Int64
  @Persisted(indexed: true) var stringValue: String
  @Persisted(indexed: true) var dateValue: Date
  @Persisted(indexed: true) var uuidValue: UUID
  @Persisted(indexed: true) var objectIdValue: ObjectId
  @Persisted(indexed: true) var optionalInt: Int?
  @Persisted(indexed: true) var mark: TextMark?
}

class Lists: Object {
  @Persisted var bools: List<Bool>
  @Persisted var ints: List<Int>
  @Persisted var int8s: List<Int8>
  @Persisted var int16s: List<Int16>
  @Persisted var int32s: List<Int32>
  @Persisted var int64s: List<Int64>
  @Persisted var floats: List<Float>
  @Persisted var doubles: List<Double>
  @Persisted var strings: List<String>
  @Persisted var datas: List<Data>
  @Persisted var dates: List<Date>
  @Persisted var uuids: List<UUID>
  @Persisted var objectIds: List<ObjectId>
  @Persisted var decimals: List<Decimal128>
  @Persisted var optionalBools: List<Bool?>
  @Persisted var optionalInts: List<Int?>
  @Persisted var optionalInt8s: List<Int8?>
  @Persisted var optionalInt16s: List<Int16?>
  @Persisted var optionalInt32s: List<Int32?>
  @Persisted var optionalInt64s: List<Int64?>
  @Persisted var optionalFloats: List<Float?>
  @Persisted var optionalDoubles: List<Double?>
  @Persisted var optionalStrings: List<String?>
  @Persisted var optionalDatas: List<Data?>
  @Persisted var optionalDates: List<Date?>
  @Persisted var optionalUuids: List<UUID?>
  @Persisted var optionalObjectIds: List<ObjectId?>
  @Persisted var optionalDecimals: List<Decimal128?>
  @Persisted var marks: List<TextMark>
  @Persisted var optionalMarks: List<IntegerMark?>
  @Persisted var mixed: List<AnyRealmValue>
  @Persisted var objects: List<Scalars>
  @Persisted var embedded: List<Location>
}

class Sets: Object {
  @Persisted var bools: MutableSet<Bool>
  @Persisted var ints: MutableSet<Int>
  @Persisted var int8s: MutableSet<Int8>
  @Persisted var int16s: MutableSet<Int16>
  @Persisted var int32s: MutableSet<Int32>
  @Persisted var int64s: MutableSet<Int64>
  @Persisted var floats: MutableSet<Float>
  @Persisted var doubles: MutableSet<Double>
  @Persisted var strings: MutableSet<String>
  @Persisted var datas: MutableSet<Data>
  @Persisted var dates: MutableSet<Date>
  @Persisted var uuids: MutableSet<UUID>
  @Persisted var objectIds: MutableSet<ObjectId>
  @Persisted var decimals: MutableSet<Decimal128>
  @Persisted var optionalBools: MutableSet<Bool?>
  @Persisted var optionalInts: MutableSet<Int?>
  @Persisted var optionalInt8s: MutableSet<Int8?>
  @Persisted var optionalInt16s: MutableSet<Int16?>
  @Persisted var optionalInt32s: MutableSet<Int32?>
  @Persisted var optionalInt64s: MutableSet<Int64?>
  @Persisted var optionalFloats: MutableSet<Float?>
  @Persisted var optionalDoubles: MutableSet<Double?>
  @Persisted var optionalStrings: MutableSet<String?>
  @Persisted var optionalDatas: MutableSet<Data?>
  @Persisted var optionalDates: MutableSet<Date?>
  @Persisted var optionalUuids: MutableSet<UUID?>
  @Persisted var optionalObjectIds: MutableSet<ObjectId?>
  @Persisted var optionalDecimals: MutableSet<Decimal128?>
  @Persisted var marks: MutableSet<TextMark>
  @Persisted var optionalMarks: MutableSet<IntegerMark?>
  @Persisted var mixed: MutableSet<AnyRealmValue>
  @Persisted var objects: MutableSet<Scalars>
}

class Maps: Object {
  @Persisted var bools: Map<String, Bool>
  @Persisted var ints: Map<String, Int>
  @Persisted var int8s: Map<String, Int8>
  @Persisted var int16s: Map<String, Int16>
  @Persisted var int32s: Map<String, Int32>
  @Persisted var int64s: Map<String, Int64>
  @Persisted var floats: Map<String, Float>
  @Persisted var doubles: Map<String, Double>
  @Persisted var strings: Map<String, String>
  @Persisted var datas: Map<String, Data>
  @Persisted var dates: Map<String, Date>
  @Persisted var uuids: Map<String, UUID>
  @Persisted var objectIds: Map<String, ObjectId>
  @Persisted var decimals: Map<String, Decimal128>
  @Persisted var optionalBools: Map<String, Bool?>
  @Persisted var optionalInts: Map<String, Int?>
  @Persisted var optionalInt8s: Map<String, Int8?>
  @Persisted var optionalInt16s: Map<String, Int16?>
  @Persisted var optionalInt32s: Map<String, Int32?>
  @Persisted var optionalInt64s: Map<String, Int64?>
  @Persisted var optionalFloats: Map<String, Float?>
  @Persisted var optionalDoubles: Map<String, Double?>
  @Persisted var optionalStrings: Map<String, String?>
  @Persisted var optionalDatas: Map<String, Data?>
  @Persisted var optionalDates: Map<String, Date?>
  @Persisted var optionalUuids: Map<String, UUID?>
  @Persisted var optionalObjectIds: Map<String, ObjectId?>
  @Persisted var optionalDecimals: Map<String, Decimal128?>
  @Persisted var marks: Map<String, TextMark>
  @Persisted var optionalMarks: Map<String, IntegerMark?>
  @Persisted var mixed: Map<String, AnyRealmValue>
  @Persisted var objects: Map<String, Scalars?>
  @Persisted var embedded: Map<String, Location?>
}
