/// An object in JSON: values by keys, which are told apart by their bytes.
struct JSONObject {
  var values: [ExactKey<String>: Any]

  var entries: [(key: String, value: Any)] { values.map { ($0.key.key, $0.value) } }
}
