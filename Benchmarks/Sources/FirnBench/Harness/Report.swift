/// A finished run.
struct Report {
  let machine: Machine
  let passCount: Int
  let lines: [Line]
}
