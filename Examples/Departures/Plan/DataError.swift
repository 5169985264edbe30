/// A mistake in one of the data files, told so that the reader can go and mend it.
package struct DataError: Error, Equatable, CustomStringConvertible {
  /// The path as it was opened.
  package let file: String
  /// 1 for the header. Nil where the whole file is meant.
  package let line: Int?
  package let field: String?
  /// What was expected, and what was found instead.
  package let problem: String

  package init(file: String, line: Int? = nil, field: String? = nil, problem: String) {
    self.file = file
    self.line = line
    self.field = field
    self.problem = problem
  }

  package var description: String {
    var place = file
    if let line { place += ", line \(line)" }
    if let field { place += ", field \(field)" }
    return "\(place): \(problem)"
  }
}
