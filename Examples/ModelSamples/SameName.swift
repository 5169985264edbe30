import Firn

// Two features that have a class of one name each. It is an error only where one of them is used.

enum Import {
  class Entry: Object {
    @Persisted var text: String
  }
}

enum Export {
  class Entry: Object {
    @Persisted var text: String
  }
}
