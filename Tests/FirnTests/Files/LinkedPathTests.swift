import Firn
import Foundation
import Testing

/// A database is the same by whatever path, and is where the system says that a path leads.
@Suite struct LinkedPathTests {
  private static func link(_ path: URL, to target: URL) throws {
    try FileManager.default.createSymbolicLink(at: path, withDestinationURL: target)
  }

  /// A configuration of the same file by another path.
  private static func configuration(_ store: TemporaryStore, _ file: URL) -> Realm.Configuration {
    var configuration = store.configuration
    configuration.fileURL = file
    return configuration
  }

  private static func add(_ id: Int, to realm: Realm) throws { try realm.write { realm.add(FiledPerson(id)) } }

  /// Before the file is there, too.
  @Test(arguments: [false, true]) func aFolderMayBeCalledByALink(isThere: Bool) throws {
    let store = try TemporaryStore()
    let folder = store.folder.appendingPathComponent("inner")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let link = store.folder.appendingPathComponent("link")
    try Self.link(link, to: folder)
    let direct = Self.configuration(store, folder.appendingPathComponent("a.firn"))
    let linked = Self.configuration(store, link.appendingPathComponent("a.firn"))
    if isThere { try Self.add(0, to: Realm(configuration: direct)) }
    let first = try Realm(configuration: linked)
    let second = try Realm(configuration: linked)
    let third = try Realm(configuration: direct)
    try Self.add(1, to: first)
    for realm in [second, third] {
      realm.refresh()
      #expect(realm.objects(FiledPerson.self).count == (isThere ? 2 : 1))
    }
  }

  @Test func aFileMayBeCalledByALink() throws {
    let store = try TemporaryStore()
    let folder = store.folder.appendingPathComponent("inner")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appendingPathComponent("a.firn")
    let link = store.folder.appendingPathComponent("b.firn")
    try Self.link(link, to: file)
    let (linked, direct) = (Self.configuration(store, link), Self.configuration(store, file))
    #expect(!Realm.fileExists(for: linked))
    do {
      let first = try Realm(configuration: linked)
      let second = try Realm(configuration: direct)
      try Self.add(1, to: first)
      second.refresh()
      #expect(second.objects(FiledPerson.self).count == 1)
    }
    #expect(Realm.fileExists(for: linked))
    // Everything lies beside the file, nothing beside the link.
    #expect(try store.names() == ["b.firn", "inner"])
    #expect(try Realm.deleteFiles(for: linked))
    #expect(try !FileManager.default.fileExists(atPath: file.path) && store.names() == ["b.firn", "inner"])
  }

  /// Two dots behind a link are the folder above the one that it leads to.
  @Test func theSystemResolvesPaths() throws {
    let store = try TemporaryStore()
    let folder = store.folder.appendingPathComponent("inner/deep")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Self.link(store.folder.appendingPathComponent("link"), to: folder)
    let inner = store.folder.appendingPathComponent("inner/a.firn")
    let dotted = Self.configuration(store, URL(fileURLWithPath: store.folder.path + "/link/../a.firn"))
    let first = try Realm(configuration: dotted)
    try Self.add(1, to: first)
    #expect(try store.names() == ["inner", "link"])
    #expect(FileManager.default.fileExists(atPath: inner.path))
    let second = try Realm(configuration: Self.configuration(store, inner))
    #expect(second.objects(FiledPerson.self).count == 1)
    let copy = store.folder.path + "/link/../copy.firn"
    try first.writeCopy(toFile: URL(fileURLWithPath: copy))
    #expect(FileManager.default.fileExists(atPath: store.folder.path + "/inner/copy.firn"))
    var seeded = store.configuration
    seeded.seedFilePath = URL(fileURLWithPath: copy)
    #expect(try Realm(configuration: seeded).objects(FiledPerson.self).count == 1)
  }

  /// The next opening by the same path finds what was acknowledged.
  @Test func aLinkThatIsTurnedEndsTheWriting() throws {
    let store = try TemporaryStore()
    let folders = ["1", "2"].map { store.folder.appendingPathComponent($0) }
    for folder in folders { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }
    let link = store.folder.appendingPathComponent("current")
    try Self.link(link, to: folders[0])
    let configuration = Self.configuration(store, link.appendingPathComponent("a.firn"))
    let old = try Realm(configuration: configuration)
    try Self.add(1, to: old)
    try FileManager.default.removeItem(at: link)
    try Self.link(link, to: folders[1])
    let new = try Realm(configuration: configuration)
    let error = #expect(throws: Realm.Error.self) { try Self.add(2, to: old) }
    #expect(error?.code == .ownedByOtherProcess)
    try Self.add(3, to: new)
    #expect(new.objects(FiledPerson.self).count == 1 && old.objects(FiledPerson.self).count == 1)
  }

  @Test(arguments: ["/", "//", "/.", "/.."]) func aFolderIsNoFile(path: String) throws {
    let store = try TemporaryStore()
    for prefix in ["", store.folder.path] {
      let configuration = Self.configuration(store, URL(fileURLWithPath: prefix + path))
      #expect(throws: Realm.Error.self) { _ = try Realm(configuration: configuration) }
      #expect(throws: Realm.Error.self) { _ = try RealmStore.verify(configuration) }
      #expect(throws: Realm.Error.self) { _ = try Realm.deleteFiles(for: configuration) }
    }
    #expect(try store.names().isEmpty)
  }
}
