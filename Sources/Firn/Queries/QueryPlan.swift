internal import FirnEngine
internal import FirnReactive

/// How results find their objects and put them in order, in the version that is shown; see ``Results/plan``.
///
/// Which way is taken depends on the data: indexes tell exactly how many objects they lead to, and a scan is preferred to an
/// index that leads to a great part of all objects.
public struct QueryPlan: Hashable, Sendable, CustomStringConvertible {
  /// An index that is read.
  public struct Index: Hashable, Sendable, CustomStringConvertible {
    /// What an index can find.
    public enum Kind: Hashable, Sendable {
      /// One object by its primary key.
      case primaryKey
      /// Objects by equal values.
      case hash
      /// Objects by values, ranges and places in an order.
      case ordered
      /// Objects by where they are on the globe.
      case places
      /// The objects that link to one, which are always known.
      case link
    }

    /// What the index can find.
    public let kind: Kind
    /// The key paths of the index, with commas between them.
    public let keyPaths: String

    public var description: String {
      switch kind {
      case .primaryKey: "primary key " + keyPaths
      case .hash: "index " + keyPaths
      case .link: "link " + keyPaths
      case .ordered: "ordered index " + keyPaths
      case .places: "index of places " + keyPaths
      }
    }
  }

  /// Where the candidates come from: the objects that may be among the results.
  public enum Source: Hashable, Sendable {
    /// There are none: no object can fulfil the condition.
    case nothing
    /// All objects of a class, without a condition.
    case allObjects(of: String)
    /// All objects of a class, whose properties are compared one after the other.
    case scan(of: String)
    /// What one or several indexes lead to.
    case indexes([Index])
    /// A collection of an object, or the objects that link to one, called by class and property.
    case collection(String)
  }

  /// How the results come into their order.
  public enum Order: Hashable, Sendable {
    /// They are not sorted.
    case unsorted
    /// They come in the order of an index, and are not sorted any more.
    case index(Index)
    /// The matches are sorted by these key paths.
    case sort([String])
  }

  /// Where the candidates come from.
  public let source: Source
  /// How many objects the source has, those that several indexes lead to counted several times.
  public let candidateCount: Int
  /// The key paths that are read to test each candidate; empty when all candidates are results.
  public let filteredKeyPaths: [String]
  /// Those of them that a closure reads, because parts of a `#Predicate` have no translation; see <doc:FoundationPredicates>.
  public let closureKeyPaths: [String]
  /// How the results come into their order.
  public let order: Order
  /// What is done with the sorted matches, one after the other, in words.
  public let steps: [String]

  /// The plan in words.
  public var description: String {
    var text: String
    var filter = filteredKeyPaths.isEmpty ? "" : " filter on " + filteredKeyPaths.joined(separator: ", ")
    if !closureKeyPaths.isEmpty { filter += " (by closure: \(closureKeyPaths.joined(separator: ", ")))" }
    switch source {
    case .nothing: text = "no rows"
    case .allObjects(let name): text = "all rows of " + name
    case .scan(let name): text = "scan of \(name) with" + filter
    case .indexes(let indexes):
      text = indexes.map(\.description).joined(separator: ", ") + (filter.isEmpty ? "" : ", then" + filter)
    case .collection(let name): text = name + (filter.isEmpty ? "" : ", then" + filter)
    }
    switch order {
    case .unsorted: break
    case .index(let index): text += ", in the order of " + index.description
    case .sort(let keys): text += ", sorted by " + keys.joined(separator: ", ")
    }
    return steps.reduce(text) { $0 + ", then " + $1 }
  }
}

extension ResultsCore {
  var queryPlan: QueryPlan {
    switch source {
    case .list(let owner, _, let column):
      return plan(ofCollection: "list \(owner.model.name).\(owner.model.properties[column.index].name)")
    case .backlinks(_, _, let column):
      return plan(ofCollection: "backlinks of \(table.model.name).\(table.model.properties[column.index].name)")
    case .table: return withEvaluation { tablePlan(in: $1) }
    }
  }

  private func plan(ofCollection name: String) -> QueryPlan {
    QueryPlan(
      source: .collection(name), candidateCount: ResultsCore(instance: instance, table: table, source: source).count,
      filteredKeyPaths: compiled?.filteredPaths ?? [], closureKeyPaths: compiled?.closurePaths ?? [],
      order: sort.isEmpty ? .unsorted : .sort(sort.map(words)),
      steps: steps.map(words))
  }

  private func tablePlan(in contents: GraphContents) -> QueryPlan {
    if let sorting = plan?.sortingIndex(in: contents) {
      let index = QueryPlan.Index(kind: .ordered, keyPaths: sorting.name)
      let isEverything = compiled == nil
      return QueryPlan(
        source: isEverything ? .allObjects(of: table.model.name) : .indexes([index]), candidateCount: sorting.count,
        filteredKeyPaths: sorting.isComplete ? [] : compiled?.filteredPaths ?? [],
        closureKeyPaths: sorting.isComplete ? [] : compiled?.closurePaths ?? [], order: .index(index),
        steps: steps.map(words))
    }
    let access = compiled?.accessPlan(in: contents)
    let source: QueryPlan.Source =
      switch access?.kind {
      case .none?: .nothing
      case .scan?: .scan(of: table.model.name)
      case .indexes?: .indexes(access?.uses.map(QueryPlan.Index.init) ?? [])
      case .all?, nil: .allObjects(of: table.model.name)
      }
    return QueryPlan(
      source: source, candidateCount: access?.candidateCount ?? contents.rowCount(table.table),
      filteredKeyPaths: access?.filter ?? [],
      closureKeyPaths: access?.filter.isEmpty == false ? compiled?.closurePaths ?? [] : [],
      order: sort.isEmpty ? .unsorted : .sort(sort.map(words)), steps: steps.map(words))
  }

  private func words(_ step: ResultsStep) -> String {
    switch step {
    case .rows(.filter(let predicate)): predicate.closureReads.isEmpty ? "filter" : "filter (by closure)"
    case .filterValues: "filter"
    case .rows(.sort(let keys)): "sorted by " + keys.map(words).joined(separator: ", ")
    case .rows(.distinct(let paths)): "distinct by " + paths.map { name(of: $0) }.joined(separator: ", ")
    case .rows(.window(let window)): "\(window.count) from position \(window.lowerBound) on"
    case .sortValues(let ascending, let nilsLast): "sorted" + direction(ascending, nilsLast)
    case .distinctValues: "distinct"
    }
  }

  private func words(_ key: SortKey) -> String {
    name(of: key.path) + (key.mapKey.map { "['\(String(decoding: $0, as: UTF8.self))']" } ?? "")
      + direction(key.ascending, key.nullsLast)
  }

  private func direction(_ ascending: Bool, _ nilsLast: Bool) -> String {
    (ascending ? "" : " descending") + (nilsLast ? ", nil last" : "")
  }
}

extension QueryPlan.Index {
  fileprivate init(_ use: AccessPlan.Use) {
    keyPaths = use.name
    kind =
      switch use.kind {
      case .primaryKey: .primaryKey
      case .hash: .hash
      case .link: .link
      case .ordered: .ordered
      case .places: .places
      }
  }
}
