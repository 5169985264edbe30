import TestSupport
import Testing

@testable import FirnEngine

@Suite struct ElementPredicateTests {
  @Test func positionsOfElementsThatMatch() throws {
    var random = QueryRandom(7)
    let model = try CollectionModel(rowCount: 60, random: &random)
    let layout = model.graph.layout.tables[0]
    let condition = Predicate.or([
      .test(.element, .compare(.greater, .int(3))), .not(.test(.element, .compare(.notEqual, .null))),
    ])
    let predicate = ElementPredicate(condition, .int)
    for key in model.keys {
      let column = CollectionModel.numbers
      let values = (0..<model.contents.listCount(column, of: key, in: CollectionModel.table)).map {
        model.contents.listValue(at: $0, of: column, of: key, in: CollectionModel.table)
      }
      let expected = values.indices.filter { place in
        if case .int(let number) = values[place] { number > 3 } else { true }
      }
      let root = model.contents.elementsRoot(layout.columns[column.index], of: key, in: CollectionModel.table)
      let shape = layout.listShape(column.index)
      #expect(predicate.positions(in: root, shape, model.contents) == expected.map { UInt64($0) })
      #expect(predicate.positions(in: root, shape, model.contents, limit: 1) == expected.prefix(1).map { UInt64($0) })
    }
  }
}
