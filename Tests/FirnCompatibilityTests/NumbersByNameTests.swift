import Firn
import Foundation
import Testing

private enum NumberKind: Int16, PersistableEnum {
  case low = 1
  case high = 300
}

private struct NumberRatio: CustomPersistable {
  typealias PersistedType = Float
  let value: Float

  init(persistedValue: Float) { value = persistedValue }
  var persistableValue: Float { value }
}

private final class NumberSheet: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var int8: Int8
  @Persisted var int16: Int16
  @Persisted var int32: Int32
  @Persisted var int64: Int64
  @Persisted var float: Float
  @Persisted var double: Double
  @Persisted var flag: Bool
  @Persisted var maybe: Int8?
  @Persisted var maybeFloat: Float?
  @Persisted var kind = NumberKind.high
  @Persisted var ratio = NumberRatio(persistedValue: 0.5)
  @Persisted var mixed: AnyRealmValue
  @Persisted var list: List<Int8>
  @Persisted var map: Map<String, Float>

  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// Numbers that are read by name are cast to the type of the property, and to `Int` and `Double` as well.
@Suite struct NumbersByNameTests {
  private func sheet() -> NumberSheet {
    let sheet = NumberSheet()
    (sheet.int8, sheet.int16, sheet.int32, sheet.int64) = (-8, 1600, -32_000_000, .max)
    (sheet.float, sheet.double, sheet.flag) = (0.5, 2.5, true)
    (sheet.maybe, sheet.maybeFloat) = (1, 1.5)
    sheet.mixed = .float(0.25)
    sheet.list.append(objectsIn: [1, 2, 1])
    sheet.map["a"] = 0.75
    return sheet
  }

  private func realm(with sheet: NumberSheet) throws -> Realm {
    let realm = try Realm(configuration: relationsConfiguration([NumberSheet.self]))
    try realm.write { realm.add(sheet) }
    return realm
  }

  private func checkNumbers(_ sheet: ObjectBase, _ form: String) {
    #expect(sheet["int8"] as? Int == -8 && sheet["int16"] as? Int == 1600 && sheet["int64"] as? Int == .max, "\(form)")
    #expect(sheet["int32"] as? Int == -32_000_000 && sheet["int32"] as? NSNumber == -32_000_000, "\(form)")
    #expect(sheet["float"] as? Double == 0.5 && sheet["float"] as? Float == 0.5, "\(form)")
    #expect(sheet["maybe"] as? Int == 1 && sheet["maybeFloat"] as? Double == 1.5, "\(form)")
    #expect(sheet["kind"] as? Int == 300 && sheet["ratio"] as? Double == 0.5, "\(form): raw and stored values")
    #expect(sheet["mixed"] as? Double == 0.25 && sheet["mixed"] as? Float == 0.25, "\(form)")
    #expect(sheet["double"] as? Double == 2.5 && (sheet["double"] as? NSNumber)?.floatValue == 2.5, "\(form)")
    #expect(sheet["flag"] as? Bool == true && sheet["flag"] as? Int == nil, "\(form): Booleans are no numbers")
    #expect(sheet["id"] as? Int == 0 && sheet["id"] as? Bool == nil, "\(form): and numbers no Booleans")
  }

  @Test func ofObjectsInEveryForm() throws {
    let sheet = sheet()
    checkNumbers(sheet, "unmanaged")
    let realm = try realm(with: sheet)
    checkNumbers(sheet, "managed")
    checkNumbers(sheet.freeze(), "frozen")
    for form in ["managed", "frozen"] {
      let sheet = form == "frozen" ? sheet.freeze() : sheet
      #expect(sheet["int8"] as? Int8 == -8 && sheet["int16"] as? Int16 == 1600, "\(form)")
      #expect(sheet["int32"] as? Int32 == -32_000_000 && sheet["int64"] as? Int64 == .max, "\(form)")
      #expect(sheet["int8"] as? Double == -8 && sheet["int8"] as? UInt == nil, "\(form): types that have the value")
      #expect(sheet["int16"] as? Int32 == 1600 && sheet["int16"] as? Int8 == nil, "\(form)")
    }
    let row = try #require(realm.dynamicObjects("NumberSheet").first)
    checkNumbers(row, "dynamic")
    try realm.write {
      sheet["int8"] = sheet["int16"].flatMap { $0 as? Int }.map { $0 / 100 }
      sheet["float"] = sheet["int8"]
      sheet["maybe"] = nil
    }
    #expect(sheet.int8 == 16 && sheet.float == 16 && sheet["maybe"] == nil, "what was read may be set")
  }

  @Test func ofCollections() throws {
    let sheet = sheet()
    let unmanaged = List<NumberSheet>()
    unmanaged.append(sheet)
    #expect(unmanaged.value(forKey: "int8") as? [Int] == [-8])
    let all = try realm(with: sheet).objects(NumberSheet.self)
    #expect(all.value(forKey: "int8") as? [Int] == [-8] && all.value(forKey: "float") as? [Double] == [0.5])
    #expect(all.value(forKeyPath: "@max.float") as? Double == 0.5 && all.value(forKeyPath: "@sum.int8") as? Int == -8)
    #expect(all.value(forKeyPath: "@distinctUnionOfArrays.list") as? [Int] == [1, 2])
    #expect(sheet.list.value(forKey: "self") as? [Int] == [1, 2, 1])
    #expect(sheet.list.value(forKey: "self") as? [Int8] == [1, 2, 1])
    #expect(sheet.map.value(forKey: "a") as? Double == 0.75 && sheet.map.value(forKeyPath: "a") as? Float == 0.75)
  }

  @Test func ofChanges() throws {
    try onOwnThread {
      let sheet = sheet()
      let realm = try realm(with: sheet)
      var changes: [PropertyChange] = []
      let token = sheet.observe { (change: ObjectChange<NumberSheet>) in
        if case .change(_, let properties) = change { changes += properties }
      }
      try realm.write {
        sheet.int8 = 3
        sheet.ratio = NumberRatio(persistedValue: 0.25)
        sheet.mixed = .float(8)
      }
      realm.refresh()
      #expect(changes.map(\.name) == ["int8", "ratio", "mixed"])
      #expect(changes.map { $0.oldValue as? Double } == [-8, 0.5, 0.25])
      #expect(changes.map { $0.newValue as? Double } == [3, 0.25, 8])
      #expect(changes.first?.newValue as? Int8 == 3 && changes.first?.newValue as? Int == 3)
      token.invalidate()
    }
  }
}
