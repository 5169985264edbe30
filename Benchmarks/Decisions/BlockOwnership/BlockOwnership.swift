import FirnEngine

/// Who owns the nodes of the tree: reference counts, or one writer that keeps lists of replaced blocks? And how much
/// memory does the allocator hold when the sizes of leaves drift?
@main
enum BlockOwnership {
  static func main() {
    print("Copying a path of two nodes with 64 children and a leaf, 1,000,000 rows, ns per commit (median of 7)")
    print("                                  hot     cold")
    let counted = CountedTree()
    row("strong references", measure { counted.update(rowStride: $0, count: $1) })
    let blocks = BlockTree()
    row("blocks, retire lists and ledger", measure { blocks.update(rowStride: $0, count: $1) })
    let copies = 100_000
    print("\nOne node of 64 children copied and dropped, hot (ns)")
    print("strong references \(rounded(median { counted.copyRoot(count: copies) } / Double(copies)))", terminator: "")
    print("   block \(rounded(median { blocks.copyRoot(count: copies) } / Double(copies)))")
    print("\npin + unpin (ns)  \(rounded(median { blocks.pin(count: copies) } / Double(copies)))")
    let (store, malloc) = allocation()
    print("\nallocate + free, 2 KB, hot (ns)")
    print("block store \(rounded(store))   malloc \(rounded(malloc))")
    drift()
  }

  private static func row(_ name: String, _ times: (hot: Double, cold: Double)) {
    let padded = name + String(repeating: " ", count: 32 - name.count)
    print("\(padded) \(rounded(times.hot))   \(rounded(times.cold))")
  }

  private static func measure(_ body: (_ rowStride: Int, _ count: Int) -> Void) -> (hot: Double, cold: Double) {
    let count = 20_000
    body(7919 * 256, count)
    return (
      median { body(0, count) } / Double(count),
      median { body(7919 * 256 + 77, count) } / Double(count)
    )
  }

  private static func allocation() -> (Double, Double) {
    let store = BlockStore()
    let count = 200_000
    var keep: [Block] = []
    for _ in 0..<40 { keep.append(store.allocate(byteCount: 2064)) }
    let own = median {
      for _ in 0..<count { store.free(store.allocate(byteCount: 2064)) }
    }
    let system = median {
      for _ in 0..<count {
        let block = UnsafeMutableRawPointer.allocate(byteCount: 2064, alignment: 16)
        block.storeBytes(of: 1, as: UInt64.self)
        block.deallocate()
      }
    }
    store.free(contentsOf: keep)
    return (own / Double(count), system / Double(count))
  }

  /// 4,000 leaves of 256 strings whose mean length changes from 16 to 24, 10 and 16 bytes, one leaf at a time in random
  /// order, in transactions of 50.
  private static func drift() {
    let store = BlockStore()
    var version: UInt64 = 1
    var state: UInt64 = 7
    func random(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(bound))
    }
    func leafSize(_ mean: Int) -> Int { 32 + 512 + 64 + 256 * mean + random(512) - 256 }
    var leaves = (0..<4000).map { _ in store.allocate(byteCount: leafSize(16)) }
    print("\nstring leaves drift (MB)  used   spans   mapped")
    func report(_ name: String) {
      let padded = name + String(repeating: " ", count: 24 - name.count)
      let numbers = [store.allocatedByteCount, store.usedSpanByteCount, store.mappedByteCount]
      print(padded, numbers.map { rounded(Double($0) / 1e6) }.joined(separator: "   "))
    }
    report("16 bytes")
    for mean in [24, 10, 16] {
      var peak = 0
      for step in 0..<40_000 {
        if step % 50 == 0 {
          store.free(contentsOf: store.endTransaction())
          version += 1
          store.beginTransaction(version: version)
        }
        let k = random(leaves.count)
        store.retire(leaves[k])
        leaves[k] = store.allocate(byteCount: leafSize(mean))
        peak = max(peak, store.usedSpanByteCount)
      }
      report("-> \(mean), spans' peak \(peak / 1_000_000)")
    }
  }

  static func median(_ body: () -> Void) -> Double {
    let clock = ContinuousClock()
    var times: [Double] = []
    for _ in 0..<7 {
      let time = clock.measure(body)
      times.append(Double(time.components.attoseconds) / 1e9 + Double(time.components.seconds) * 1e9)
    }
    times.sort()
    return times[3]
  }

  static func rounded(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    let text = "\(tenths / 10).\(tenths % 10)"
    return String(repeating: " ", count: max(0, 6 - text.count)) + text
  }
}

private let clusterCount = 64 * 64
private let leafByteCount = 16 + 2048

/// Nodes and leaves as objects, children as strong references.
private final class CountedTree {
  final class Leaf {
    let values: UnsafeMutablePointer<Int>
    init() {
      values = .allocate(capacity: 256)
      values.initialize(repeating: 0, count: 256)
    }
    init(copying other: Leaf) {
      values = .allocate(capacity: 256)
      values.initialize(from: other.values, count: 256)
    }
    deinit { values.deallocate() }
  }

  final class Node<Child: AnyObject> {
    var children: [Child]
    init(_ children: [Child]) { self.children = children }
  }

  var root: Node<Node<Leaf>>

  init() {
    root = Node((0..<64).map { _ in Node((0..<64).map { _ in Leaf() }) })
  }

  func update(rowStride: Int, count: Int) {
    var row = 0
    for _ in 0..<count {
      let cluster = row >> 8
      let newRoot = Node(root.children)
      let node = Node(root.children[cluster >> 6].children)
      let leaf = Leaf(copying: node.children[cluster & 63])
      leaf.values[row & 255] &+= 1
      node.children[cluster & 63] = leaf
      newRoot.children[cluster >> 6] = node
      root = newRoot
      row = (row &+ rowStride) & (clusterCount * 256 - 1)
    }
  }
}

extension CountedTree {
  func copyRoot(count: Int) {
    let child = root.children[0]
    for _ in 0..<count {
      let copy = Node(root.children)
      copy.children[0] = child
    }
  }
}

/// The same tree of raw blocks, committed through the ledger.
private final class BlockTree {
  let store = BlockStore()
  var ledger: VersionLedger
  var freeable: [Block] = []

  init() {
    let nodeByteCount = 16 + 64 * 8
    let root = store.allocate(byteCount: nodeByteCount)
    for i in 0..<64 {
      let node = store.allocate(byteCount: nodeByteCount)
      root.storeBytes(of: node, toByteOffset: 16 + i * 8, as: Block.self)
      for k in 0..<64 {
        let leaf = store.allocate(byteCount: leafByteCount)
        (leaf + 16).initializeMemory(as: UInt8.self, repeating: 0, count: leafByteCount - 16)
        node.storeBytes(of: leaf, toByteOffset: 16 + k * 8, as: Block.self)
      }
    }
    store.closeTransaction()
    ledger = VersionLedger(version: 1, root: root, stamp: 0)
  }

  func update(rowStride: Int, count: Int) {
    var row = 0
    for _ in 0..<count {
      let cluster = row >> 8
      let (version, oldRoot) = ledger.newest
      store.beginTransaction(version: version &+ 1)
      let root = copyOfNode(oldRoot)
      let node = copyOfChild(root, cluster >> 6, byteCount: 16 + 64 * 8)
      let leaf = copyOfChild(node, cluster & 63, byteCount: leafByteCount)
      let offset = 16 &+ (row & 255) &* 8
      leaf.storeBytes(of: leaf.load(fromByteOffset: offset, as: Int.self) &+ 1, toByteOffset: offset, as: Int.self)
      ledger.publish(version: version &+ 1, root: root, retired: store.retired, stamp: 0)
      store.closeTransaction()
      ledger.takeFreeable(into: &freeable)
      store.free(contentsOf: freeable)
      freeable.removeAll(keepingCapacity: true)
      row = (row &+ rowStride) & (clusterCount * 256 - 1)
    }
  }

  func copyRoot(count: Int) {
    let (version, root) = ledger.newest
    store.beginTransaction(version: version &+ 1)
    for _ in 0..<count {
      store.free(copyOfNode(root))
      store.closeTransaction()
    }
  }

  func pin(count: Int) {
    for _ in 0..<count { ledger.unpin(ledger.pinHead().version) }
  }

  private func copyOfNode(_ node: Block) -> Block {
    store.replace(node, usedByteCount: 16 + 64 * 8, capacity: 16 + 64 * 8)
  }

  private func copyOfChild(_ parent: Block, _ index: Int, byteCount: Int) -> Block {
    let offset = 16 &+ index &* 8
    let child = parent.load(fromByteOffset: offset, as: Block.self)
    let copy = store.replace(child, usedByteCount: byteCount, capacity: byteCount)
    parent.storeBytes(of: copy, toByteOffset: offset, as: Block.self)
    return copy
  }
}
