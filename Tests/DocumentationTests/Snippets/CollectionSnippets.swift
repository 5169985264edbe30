import Firn

/// The code in comments about sets and maps.
private enum Collections {
  enum Sets {
    class Airline: Object {
      @Persisted var name: String
    }
    class Airport: Object {
      @Persisted var tags: MutableSet<String>
      @Persisted var partners: MutableSet<Airline>
    }
  }

  enum Maps {
    class Gate: Object {
      @Persisted var number: Int
    }
    class Airport: Object {
      @Persisted var names: Map<String, String>
      @Persisted var gates: Map<String, Gate?>
    }
  }
}
