package import FirnEngine

/// The elements of a sorted view by their section, maintained: where each section begins, and which of its elements is
/// which of the view.
///
/// The view's elements are a sequence of labels that say which section an element belongs to. A second tree has the same
/// labels section by section, and a third the sections in the order of their first elements. So elements of one section
/// need not lie together.
///
/// Knows positions and keys, neither rows nor versions.
///
/// - Complexity: O(log n) for each position that is looked up; memory 32 bytes for each element, and some 100 for each
///   section.
package final class SectionTree {
  struct Section {
    var key: SectionKey
    var count = 0
    /// The label of its first element.
    var first: UInt64 = 0
  }

  /// An element of a section; ordered by both.
  struct Member: BitwiseCopyable {
    /// A position in `sections`.
    var section: Int
    var label: UInt64

    func precedes(_ section: Int, _ label: UInt64) -> Bool {
      self.section != section ? self.section < section : self.label < label
    }
  }

  let sequence = ElementSequence([], findsRows: false)
  let members = CountedTree<Member>([])
  /// Positions in `sections`, in order.
  let order = CountedTree<Int>([])
  @exclusivity(unchecked) var sections: [Section] = []
  private var free: [Int] = []
  private var numbers: [SectionKey: Int] = [:]
  /// Look-ups in the trees, for tests that count work.
  @exclusivity(unchecked) package internal(set) var lookupCount = 0

  /// - Parameter keys: The keys of the view's elements in their order.
  package init(_ keys: some Sequence<Value>) {
    var elements: [UInt64] = []
    var last: (key: Value, number: Int)?
    for key in keys {
      if last?.key != key { last = (key, number(of: SectionKey(key))) }
      elements.append(UInt64(last?.number ?? 0))
    }
    rebuild(elements)
  }

  // MARK: Reading

  /// The number of sections.
  package var count: Int { order.count }

  package func key(at index: Int) -> SectionKey { sections[order.select(index)].key }

  package func count(at index: Int) -> Int { sections[order.select(index)].count }

  /// Which section has a key; nil when there is none.
  package func index(of key: SectionKey) -> Int? { numbers[key].map { index(ofNumber: $0) } }

  /// Which element of the view an element of a section is.
  package func position(section index: Int, item: Int) -> Int {
    let label = members.select(start(of: order.select(index)) + item).label
    lookupCount &+= 3
    return sequence.position(of: label)
  }

  func index(ofNumber number: Int) -> Int {
    lookupCount &+= 1
    let first = sections[number].first
    return order.rank { sections[$0].first < first }
  }

  func start(of number: Int) -> Int {
    lookupCount &+= 1
    return members.rank { $0.section < number }
  }

  /// Which element of its section has a label.
  func item(of label: UInt64, in number: Int) -> Int {
    lookupCount &+= 1
    return members.rank { $0.precedes(number, label) } - start(of: number)
  }

  // MARK: Numbers

  /// The number of the section with a key, which is made when it does not exist.
  func number(of key: SectionKey) -> Int {
    if let number = numbers[key] { return number }
    let number = free.popLast() ?? sections.count
    if number == sections.count { sections.append(Section(key: key)) } else { sections[number] = Section(key: key) }
    numbers[key] = number
    return number
  }

  /// Forgets a section without elements.
  func release(_ number: Int) {
    numbers[sections[number].key] = nil
    free.append(number)
  }

  // MARK: Building

  /// Starts anew with the sections of all elements.
  func rebuild(_ elements: [UInt64]) {
    sequence.rebuild(elements)
    rebuildMembers()
  }

  /// Makes the other trees from the sequence.
  func rebuildMembers() {
    for number in sections.indices { sections[number].count = 0 }
    var inOrder: [Int] = []
    sequence.walk { element in
      let number = Int(element.row)
      if sections[number].count == 0 {
        sections[number].first = element.label
        inOrder.append(number)
      }
      sections[number].count += 1
    }
    var next: [Int] = []
    next.reserveCapacity(sections.count)
    var total = 0
    for section in sections {
      next.append(total)
      total += section.count
    }
    var all = [Member](repeating: Member(section: 0, label: 0), count: total)
    sequence.walk { element in
      let number = Int(element.row)
      all[next[number]] = Member(section: number, label: element.label)
      next[number] += 1
    }
    members.rebuild(all)
    order.rebuild(inOrder)
  }

  /// Gives elements that lie close together other labels in all trees.
  func relabelling(_ elements: [ElementSequence.Element]) -> (_ labels: [UInt64]) -> Void {
    let places = elements.map { element in members.rank { $0.precedes(Int(element.row), element.label) } }
    return { [self] labels in
      // From the end: a section's first element is the last of it that is met. Another's old label may be its new one.
      for index in labels.indices.reversed() {
        let number = Int(elements[index].row)
        members.remove(at: places[index])
        members.insert(Member(section: number, label: labels[index]), at: places[index])
        if sections[number].first == elements[index].label { sections[number].first = labels[index] }
      }
    }
  }

  package func checkInvariants() {
    members.checkInvariants { $0.section == $1.section && $0.label == $1.label }
    order.checkInvariants { $0 == $1 }
    if members.count != sequence.count { fatalError("Not every element is in one section.") }
    var start = 0
    for number in sections.indices {
      let section = sections[number]
      if section.count == 0 { continue }
      if members.select(start).label != section.first { fatalError("The first element of a section is another.") }
      if members.select(start + section.count - 1).section != number { fatalError("A section has another length.") }
      start += section.count
    }
    if start != members.count { fatalError("The sections do not have all elements.") }
  }
}
