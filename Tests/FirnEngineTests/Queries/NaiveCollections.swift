@testable import FirnEngine

/// The rules of conditions on collections, written down element by element.
extension CollectionModel {
  func naive(_ predicate: Predicate, _ key: RowKey) -> Bool { naive(predicate, .link(key), isElement: false) }

  /// - Parameter element: The row, or the value, that the condition is about.
  private func naive(_ predicate: Predicate, _ element: Value, isElement: Bool = true) -> Bool {
    switch predicate {
    case .constant(let holds): return holds
    case .and(let parts): return parts.allSatisfy { naive($0, element, isElement: isElement) }
    case .or(let parts): return parts.contains { naive($0, element, isElement: isElement) }
    case .not(let part): return !naive(part, element, isElement: isElement)
    case .test(let operand, let test):
      var isDirectString = false
      if case .column(let path) = operand { isDirectString = !isElement && path == ColumnPath(Self.text) }
      return Self.naive(test, value(operand, element), isDirectString: isDirectString)
    case .relation(let left, .compare(let comparison), let right):
      return Self.naive(.compare(comparison, value(right, element)), value(left, element))
    case .relation, .within, .closure: fatalError("The model compares no texts, and has no places and closures.")
    case .count(let collection, let condition, let comparison, let number):
      let elements = self.elements(collection, element).filter { element in
        if element == .null, case .column(Self.box) = collection.elements {
          return !Self.readsColumns(condition) && naive(condition, element)
        }
        return naive(condition, element)
      }
      return Self.naive(.compare(comparison, .int(number)), .int(Int64(elements.count)))
    }
  }

  private static func readsColumns(_ predicate: Predicate) -> Bool {
    switch predicate {
    case .constant: false
    case .and(let parts), .or(let parts): parts.contains { readsColumns($0) }
    case .not(let part): readsColumns(part)
    case .test(let operand, _): operand != .element
    case .relation, .count, .within, .closure: true
    }
  }

  private func elements(_ collection: CollectionPath, _ element: Value) -> [Value] {
    guard let key = follow(collection.links, element) else { return [] }
    switch collection.elements {
    case .column(let column):
      return (0..<contents.listCount(column, of: key, in: Self.table)).map {
        contents.listValue(at: $0, of: column, of: key, in: Self.table)
      }
    case .keys(let column):
      return (0..<contents.listCount(column, of: key, in: Self.table)).map {
        .string(contents.mapKey(at: $0, of: column, of: key, in: Self.table))
      }
    case .backlinks(_, let column):
      var sources: [Value] = []
      for source in keys {
        contents.forEachLink(column, of: source, in: Self.table) { if $0 == key { sources.append(.link(source)) } }
      }
      return sources
    }
  }

  private func follow(_ links: [ColumnID], _ element: Value) -> RowKey? {
    guard case .link(var key) = element else { return nil }
    for link in links {
      guard case .link(let next) = contents.value(link, of: key, in: Self.table) else { return nil }
      key = next
    }
    return key
  }

  private func value(_ operand: Operand, _ element: Value) -> Value {
    switch operand {
    case .element: return element
    case .column(let path):
      return follow(path.links, element).map { contents.value(path.column, of: $0, in: Self.table) } ?? .null
    case .inside(let path, let steps):
      guard let key = follow(path.links, element), case .key(let name) = steps[0] else { return .null }
      return contents.mapValue(forKey: name, path.column, of: key, in: Self.table) ?? .null
    case .elementCount(let collection): return .int(Int64(elements(collection, element).count))
    case .aggregate(let aggregate, let collection, let path):
      let values = elements(collection, element).map { element in path.map { value(.column($0), element) } ?? element }
      let isInt = path != nil || collection.elements == .column(Self.numbers)
      return Self.aggregate(aggregate, values.filter { $0 != .null && !$0.isNaN }, isInt: isInt)
    }
  }

  private static func aggregate(_ aggregate: Aggregate, _ values: [Value], isInt: Bool) -> Value {
    let ordered = values.sorted { $0.order(to: $1) < 0 }
    let numbers = values.map { value in
      switch value {
      case .int(let int): Double(int)
      case .double(let double): double
      default: fatalError("The model has aggregates of numbers only.")
      }
    }
    let sum = numbers.reduce(0, +)
    switch aggregate {
    case .min: return ordered.first ?? .null
    case .max: return ordered.last ?? .null
    case .sum: return isInt ? .int(Int64(sum)) : .double(sum)
    case .average: return numbers.isEmpty ? .null : .double(sum / Double(numbers.count))
    }
  }

  private static func naive(_ test: ValueTest, _ value: Value, isDirectString: Bool = false) -> Bool {
    switch test {
    case .isIn(let constants): return constants.contains { naive(.compare(.equal, $0), value) }
    case .text(let operation, let pattern, let options):
      guard case .string(let bytes) = value else { return operation == .notEqual }
      return QueryModel.naive(bytes, operation, pattern, options)
    case .nested: fatalError("The model compares no collections.")
    case .compare(let comparison, let constant):
      if value == .null, constant == .null { return [.equal, .lessOrEqual, .greaterOrEqual].contains(comparison) }
      if value == .null || constant == .null {
        if comparison == .notEqual { return true }
        let orders: [Comparison] = value == .null ? [.less, .lessOrEqual] : [.greater, .greaterOrEqual]
        return isDirectString && orders.contains(comparison)
      }
      if value.isUnordered || constant.isUnordered || value.kindRank != constant.kindRank {
        return comparison == .notEqual
      }
      if case .link = value, comparison != .equal, comparison != .notEqual { return false }
      let order = value.order(to: constant)
      return switch comparison {
      case .equal: order == 0
      case .notEqual: order != 0
      case .less: order < 0
      case .lessOrEqual: order <= 0
      case .greater: order > 0
      case .greaterOrEqual: order >= 0
      }
    }
  }
}
