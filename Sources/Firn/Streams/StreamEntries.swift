internal import FirnEngine
internal import FirnReactive

/// An entry with its change.
final class SpanEntry<Observed: WeighedSpan, Content>: StreamEntry<Content> {
  /// What happened since the entry before; nil in the first one.
  private(set) var span: Observed?

  init(number: Int, _ span: Observed? = nil, causes: [Realm.Cause] = []) {
    self.span = span
    super.init(number: number, causes: causes)
    weigh()
  }

  /// Takes the change of the entry before.
  func follow(_ before: SpanEntry) {
    let mine = span
    span = before.span
    if let mine { span?.merge(mine) }
    before.causes.merge(causes)
    causes = before.causes
    before.forgetChange()
    weigh()
  }

  func forgetChange() {
    span = nil
    content = nil
    causes = []
    weight = 0
  }

  private func weigh() { weight = (span?.weight ?? 0) + causes.byteCount / AnyStreamLog.unitByteCount }
}

/// The entries of a log, oldest first. Never empty: the first is what the others are changes of.
struct StreamEntries<Observed: WeighedSpan, Content> {
  typealias Entry = SpanEntry<Observed, Content>

  private var entries = [Entry(number: 0)]
  /// Those in front of it are gone.
  private var start = 0
  /// Numbers and names that all changes consist of.
  private(set) var weight = 0

  var count: Int { entries.count - start }
  var newest: Entry { entries[entries.count - 1] }
  /// There must be one.
  var oldestChange: Entry { entries[start + 1] }

  /// Adds a change.
  ///
  /// - Parameter merges: Whether entries may become one that nobody stands between.
  mutating func append(_ entry: Entry, merges: Bool) {
    entries.append(entry)
    weight += entry.weight
    if merges { mergeInto(entries.count - 1) }
  }

  /// Nobody stands at an entry any more, so it may become one with the next.
  mutating func didVacate(_ entry: StreamEntry<Content>) {
    let index = entries.partitionIndex { $0.number < entry.number }
    if index > start, index + 1 < entries.count, entries[index] === entry { mergeInto(index + 1) }
  }

  /// Takes the changes before an entry into it: as in a merge sort, so that each is merged as often as the logarithm says.
  private mutating func mergeInto(_ index: Int) {
    var index = index
    let entry = entries[index]
    while index > start + 1 {
      let before = entries[index - 1]
      if before.subscriberCount > 0 || before.weight > 2 * entry.weight + 16 { return }
      weight -= before.weight + entry.weight
      entry.follow(before)
      weight += entry.weight
      index -= 1
      entries.remove(at: index)
    }
  }

  /// The entries behind one that is there, oldest first.
  func entries(after entry: StreamEntry<Content>) -> ArraySlice<Entry> {
    let number = entry.number
    return entries[max(start, entries.partitionIndex { $0.number <= number })...]
  }

  /// Forgets what every subscriber has seen.
  mutating func dropSeen() {
    while count > 1, entries[start].subscriberCount == 0 { dropFirst() }
    if start >= 32, 2 * start > entries.count {
      entries.removeFirst(start)
      start = 0
    }
  }

  /// Gives up the oldest changes, as long as there are any and it is wanted.
  mutating func cut(while isTooMuch: (Self) -> Bool) {
    while count > 1, isTooMuch(self) {
      entries[start].isCut = true
      dropFirst()
    }
  }

  /// Gives up all changes, and one that is not there.
  mutating func cutAll() {
    for entry in entries[start...] {
      entry.isCut = true
      entry.forgetChange()
    }
    entries = [Entry(number: newest.number + 1)]
    (start, weight) = (0, 0)
  }

  /// What was the oldest change stands for a state alone.
  private mutating func dropFirst() {
    start += 1
    weight -= entries[start].weight
    entries[start].forgetChange()
  }
}
