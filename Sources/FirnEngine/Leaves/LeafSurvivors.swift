/// The slots of a leaf that outlive the rebuilding of its cluster. A missing leaf counts as empty values.
package struct LeafSurvivors {
  package let leaf: Block?
  package let slotCount: Int
  /// Ascending.
  package let slots: UnsafeBufferPointer<UInt16>

  package init(_ leaf: Block?, slotCount: Int, _ slots: UnsafeBufferPointer<UInt16>) {
    self.leaf = leaf
    self.slotCount = slotCount
    self.slots = slots
  }

  /// How many slots the leaf has values for.
  var valid: Int { leaf.map { min(slotCount, $0.blockWritten) } ?? 0 }

  package static var none: LeafSurvivors {
    LeafSurvivors(nil, slotCount: 0, UnsafeBufferPointer(start: nil, count: 0))
  }
}
