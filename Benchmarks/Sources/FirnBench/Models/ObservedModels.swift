import Firn

final class Folder: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var note: Int
  @Persisted var entries: List<Entry>
  @Persisted var byName: Map<String, Entry?>
  @Persisted var favourite: Entry?
}

final class Entry: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var size: Int
  @Persisted(originProperty: "entries") var folders: LinkingObjects<Folder>
}
