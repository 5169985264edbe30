import FirnEngine
import Testing

@Suite struct ListTreeTests {
  private typealias Element = [UInt8]?

  private func contents(_ root: UnsafeRawPointer?, _ shape: ListShape) -> [Element] {
    var elements: [Element] = []
    var cursor = ListCursor(root, shape)
    while let chunk = cursor.nextChunk() {
      #expect(chunk.start == elements.count)
      for index in 0..<chunk.count {
        elements.append(chunk.isNull(index) ? nil : value(chunk.elements + index * shape.width, shape))
      }
    }
    return elements
  }

  private func value(_ address: UnsafeRawPointer, _ shape: ListShape) -> [UInt8] {
    if shape.ownsBlobs { return Blob(word: address.loadUnaligned(as: UInt64.self)).withBytes { Array($0) } }
    return Array(UnsafeRawBufferPointer(start: address, count: shape.width))
  }

  private func element(_ shape: ListShape, _ random: inout SeededGenerator) -> Element {
    if shape.isNullable, random.next() % 4 == 0 { return nil }
    let count = shape.ownsBlobs ? Int(random.next() % 20) : shape.width
    return (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next() % 3) }
  }

  private func stored<Result>(
    _ element: Element, _ shape: ListShape, _ store: BlockStore, _ body: (UnsafeRawPointer?) -> Result
  ) -> Result {
    guard let element else { return body(nil) }
    if !shape.ownsBlobs { return element.withUnsafeBytes { body($0.baseAddress!) } }
    let blob = element.withUnsafeBytes { Blob.make($0, store) }
    return withUnsafeBytes(of: blob.word) { body($0.baseAddress!) }
  }

  private func append(
    _ elements: [Element], to root: Block?, replacing: Bool, _ shape: ListShape, _ store: BlockStore
  ) -> Block? {
    var bytes: [UInt8] = []
    for element in elements {
      stored(element, shape, store) { address in
        if let address {
          bytes += Array(UnsafeRawBufferPointer(start: address, count: shape.width))
        } else {
          bytes += [UInt8](repeating: 99, count: shape.width)
        }
      }
    }
    let nulls = elements.map { $0 == nil }
    return (bytes + [0]).withUnsafeBytes { bytes in
      nulls.withUnsafeBufferPointer { nulls in
        let flags = shape.isNullable ? nulls.baseAddress : nil
        if replacing { ListTree.retireAll(root, shape, store) }
        return ListTree.append(
          replacing ? nil : root, contentsOf: bytes.baseAddress!, count: elements.count, nulls: flags, shape, store)
      }
    }
  }

  private func firstIndex(_ root: Block?, of element: Element, _ shape: ListShape, _ store: BlockStore) -> Int? {
    stored(element, shape, store) { address in
      let index = ListTree.firstIndex(root, of: address, shape)
      if shape.ownsBlobs, let address { Blob(word: address.loadUnaligned(as: UInt64.self)).retire(store) }
      return index
    }
  }

  /// Random changes of all kinds against an array; old roots are compared at the end.
  @Test(
    arguments: [
      (1, ListShape(width: 1)), (2, ListShape(width: 4)), (3, ListShape(width: 8)), (4, ListShape(width: 16)),
      (5, ListShape(width: 12, isNullable: true)), (6, ListShape(width: 1, isNullable: true)),
      (7, ListShape(width: 8, isNullable: true)), (8, ListShape(width: 8, ownsBlobs: true)),
      (9, ListShape(width: 8, isNullable: true, ownsBlobs: true)), (10, ListShape(width: 2)),
      (11, ListShape(width: 16, isNullable: true)),
    ] as [(seed: UInt64, shape: ListShape)])
  func behavesLikeAnArray(seed: UInt64, shape: ListShape) {
    print("ListTree seed \(seed)")
    var random = SeededGenerator(seed)
    let store = BlockStore(poisonsFreedBlocks: true)
    var root: Block?
    var model: [Element] = []
    var versions: [(root: Block?, model: [Element])] = []
    for step in 0..<1_500 {
      if random.next() % 3 == 0 {
        store.version += 1
        if step % 16 == 0 { versions.append((root, model)) }
      }
      let grows = (step / 300) % 2 == 0
      switch random.next() % 200 {
      case 0:
        ListTree.retireAll(root, shape, store)
        (root, model) = (nil, [])
      case 1, 2:
        let elements = (0..<Int(random.next() % 500)).map { _ in element(shape, &random) }
        root = append(elements, to: root, replacing: true, shape, store)
        model = elements
      case 3...12:
        let elements = (0..<Int(random.next() % 400)).map { _ in element(shape, &random) }
        root = append(elements, to: root, replacing: false, shape, store)
        model += elements
      case 13...18:
        if model.isEmpty { continue }
        let from = Int(random.next() % UInt64(model.count))
        let to = Int(random.next() % UInt64(model.count))
        root = ListTree.move(root!, from: from, to: to, shape, store)
        model.insert(model.remove(at: from), at: to)
      default:
        // A run of changes near one place, so that leaves split and merge there.
        let place = random.next()
        for _ in 0..<Int(random.next() % 40) {
          let index = model.isEmpty ? 0 : Int((place &+ random.next() % 8) % UInt64(model.count + 1))
          let new = element(shape, &random)
          let kind = random.next() % 10
          if index < model.count, kind < 2 {
            root = stored(new, shape, store) { ListTree.set(root!, index, $0, shape, store) }
            model[index] = new
          } else if index < model.count, kind < (grows ? 5 : 9) {
            root = ListTree.remove(root!, at: index, shape, store)
            model.remove(at: index)
          } else {
            root = stored(new, shape, store) { ListTree.insert(root, at: index, $0, shape, store) }
            model.insert(new, at: index)
          }
        }
      }
      ListTree.checkInvariants(root, shape)
      #expect(ListTree.count(root) == model.count)
      if step % 5 == 0 { #expect(contents(root, shape) == model) }
      guard let root, !model.isEmpty else { continue }
      for _ in 0..<4 {
        let index = Int(random.next() % UInt64(model.count))
        #expect(ListTree.isNull(root, index, shape) == (model[index] == nil))
        if model[index] != nil { #expect(value(ListTree.get(root, index, shape), shape) == model[index]) }
        #expect(firstIndex(root, of: model[index], shape, store) == model.firstIndex(of: model[index]))
      }
      let absent = element(shape, &random)
      #expect(firstIndex(root, of: absent, shape, store) == model.firstIndex(of: absent))
    }
    for version in versions { #expect(contents(version.root, shape) == version.model) }
    store.version += 1
    ListTree.retireAll(root, shape, store)
    #expect(leakedBlockCount(store) == 0)
  }

  @Test func appendingFillsLeaves() {
    let store = BlockStore()
    let shape = ListShape(width: 8)
    var root: Block?
    for value in 0..<50_000 as Range<UInt64> {
      root = withUnsafeBytes(of: value) { ListTree.append(root, $0.baseAddress!, shape, store) }
    }
    ListTree.checkInvariants(root, shape)
    #expect(store.allocatedByteCount < 50_000 * 9)
    var next: UInt64 = 0
    ListTree.forEach(root, as: UInt64.self, shape) { value in
      if value == next { next += 1 }
    }
    #expect(next == 50_000)
    for _ in 0..<50_000 { root = ListTree.remove(root!, at: ListTree.count(root) / 2, shape, store) }
    #expect(root == nil)
    #expect(store.allocatedBlockCount == 0)
  }

  @Test func growsManyLevelsInOneAppend() {
    let store = BlockStore()
    let shape = ListShape(width: 4)
    let values = (0..<1_200_000).map { UInt32($0) }
    var root: Block?
    for part in [0..<100, 100..<300, 300..<700_000, 700_000..<1_200_000] {
      root = values[part].withUnsafeBytes {
        ListTree.append(root, contentsOf: $0.baseAddress!, count: part.count, shape, store)
      }
      store.version += 1
    }
    ListTree.checkInvariants(root, shape)
    var sum = 0
    ListTree.forEach(root, as: UInt32.self, shape) { sum += Int($0) }
    #expect(sum == 1_200_000 * 1_199_999 / 2)
    #expect(ListTree.get(root!, 765_432, shape).load(as: UInt32.self) == 765_432)
  }

  /// A full branch is split for a new child at each of its places.
  @Test func splitsAFullBranchAnywhere() {
    let store = BlockStore(poisonsFreedBlocks: true)
    let shape = ListShape(width: 16)
    let values = (0..<shape.leafMax * Branch.fanOut).map { UInt128($0) }
    let full = values.withUnsafeBytes {
      ListTree.append(nil, contentsOf: $0.baseAddress!, count: values.count, shape, store)
    }!
    for child in 0..<Branch.fanOut {
      store.version += 1
      let index = child * shape.leafMax + shape.leafMax / 2
      let new = UInt128.max - UInt128(child)
      let root = withUnsafeBytes(of: new) { ListTree.insert(full, at: index, $0.baseAddress!, shape, store) }
      #expect(Branch.level(root) == Branch.level(full) + 1, "child \(child) was not split")
      ListTree.checkInvariants(root, shape)
      var found: [UInt128] = []
      ListTree.forEach(root, as: UInt128.self, shape) { found.append($0) }
      #expect(found == values[..<index] + [new] + values[index...], "child \(child)")
    }
  }
}
