/// Where the values come from that an object is made of.
enum InputForm {
  /// Made by the program.
  case values
  /// What an `Encodable` value encodes.
  case encoded
  /// Read from JSON.
  case json

  /// What a value stands for in a property, as far as that is known from the form alone.
  func meant(
    _ input: Any, by property: ClassModel.Property, of model: ClassModel, _ dates: NumericDates
  ) throws -> Any {
    switch self {
    case .values: return input
    case .encoded:
      // Object ids encode themselves as texts.
      guard property.shape.type == .objectId, let text = input as? String else { return input }
      return (try? ObjectId(string: text)) ?? input
    case .json: return try JSONLiteral.meant(input, by: property, of: model, dates)
    }
  }
}
