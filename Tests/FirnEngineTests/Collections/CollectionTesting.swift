import FirnEngine

/// Says after a test's last retirement whether every block was given up, exactly once.
func leakedBlockCount(_ store: BlockStore) -> Int {
  let live = Set(store.blocks(bornAfter: 0))
  let retired = Set(store.retired)
  if retired.count != store.retired.count { return -1 }
  return live.subtracting(retired).count + retired.subtracting(live).count
}
