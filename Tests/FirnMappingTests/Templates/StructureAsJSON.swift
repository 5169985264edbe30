import FirnMapping

/// A structure that is stored as JSON: nothing more to write.
struct StructureAsJSON: ColumnJSONCodable {
  var name = ""
  var numbers: [Int] = []
}
