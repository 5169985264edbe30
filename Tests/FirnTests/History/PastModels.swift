import Firn

final class PastFlight: Object {
  @Persisted(primaryKey: true) var id: String
  @Persisted var delay: Int
  @Persisted var note: String?
  @Persisted var stops: List<Int>
  @Persisted var plane: PastPlane?
}

/// Has no primary key.
final class PastPlane: Object {
  @Persisted var seats: Int
}
