/// Why something is no mixed value, and where in it.
struct MixedRefusal: Error {
  enum Reason {
    /// It is nothing that a mixed value can be. Said of the whole.
    case kind
    /// It has more elements than are allowed. Said of the whole.
    case count
    /// A number that is too large, as it is shown.
    case range(String)
    /// A key that no map can have, and why.
    case key(String, String)
  }

  let reason: Reason
  /// The steps from the whole to the place; empty for itself.
  private(set) var path = ""

  init(_ reason: Reason) { self.reason = reason }

  /// The same, seen from a collection.
  func within(_ step: String) -> MixedRefusal {
    switch reason {
    case .kind, .count: return self
    case .range, .key:
      var copy = self
      copy.path = step + path
      return copy
    }
  }

  /// What messages say, `input` being the whole value.
  func problem(
    in input: Any, _ property: ClassModel.Property, _ model: ClassModel, _ limits: CreationLimits?
  ) -> InvalidValue {
    switch reason {
    case .count: return InputMeter.tooMany(limits ?? CreationLimits())
    case .kind: return Coercion.invalid(input, ShownValue.typeName(input), property, model)
    case .range(let number):
      let range = "Int (−\(Int.min.magnitude)…\(Int.max)) or Double"
      return InvalidValue(
        message: "Invalid value '\(number)' for 'mixed' property '\(model.name).\(property.name)'. Numbers in it are "
          + "of the range of \(range).", expected: range, found: number)
    case .key(let key, let problem):
      return InvalidValue(
        message: "\(problem) (property '\(model.name).\(property.name)')", expected: "a key for a map",
        found: ShownValue.text(key))
    }
  }
}
