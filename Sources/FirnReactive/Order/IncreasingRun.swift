/// Marks a longest strictly increasing subsequence of `values`.
///
/// Patience sorting with back links, O(n log n); a sequence that increases already costs O(n). Of several longest
/// subsequences it keeps the one whose last element is smallest.
func longestIncreasingRun(_ values: [Int]) -> [Bool] {
  var kept = [Bool](repeating: false, count: values.count)
  var tails: [Int] = []
  var previous = [Int](repeating: -1, count: values.count)
  tails.reserveCapacity(values.count)
  for index in values.indices {
    let value = values[index]
    var low = tails.count
    if let last = tails.last, values[last] >= value {
      low = 0
      var high = tails.count
      while low < high {
        let middle = (low &+ high) &>> 1
        if values[tails[middle]] < value { low = middle &+ 1 } else { high = middle }
      }
    }
    if low > 0 { previous[index] = tails[low &- 1] }
    if low == tails.count { tails.append(index) } else { tails[low] = index }
  }
  var index = tails.last ?? -1
  while index >= 0 {
    kept[index] = true
    index = previous[index]
  }
  return kept
}
