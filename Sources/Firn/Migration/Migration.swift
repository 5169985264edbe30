internal import FirnDurability
internal import FirnEngine

/// Changes the objects of a database whose models have changed; see ``Realm/Configuration/migrationBlock``, which also
/// takes one that throws.
public typealias MigrationBlock = @Sendable (_ migration: Migration, _ oldSchemaVersion: UInt64) -> Void

/// A ``MigrationBlock`` that may throw. An error that it throws ends the opening, and the database stays as it was.
public typealias ThrowingMigrationBlock = @Sendable (_ migration: Migration, _ oldSchemaVersion: UInt64) throws -> Void

/// An object during a migration, known by the name of its class.
public typealias MigrationObject = DynamicObject

/// Gets an object as it was, and as it will be.
public typealias MigrationObjectEnumerateBlock = (_ oldObject: MigrationObject?, _ newObject: MigrationObject?) -> Void

/// The way of a database from the models that it was written with to those of the program.
///
/// Only valid inside of a ``MigrationBlock``, and on the thread that calls it. Primary keys are suspended: they can be
/// assigned, and may be there twice, until the block has returned. Nothing is observed. What is the same before and after,
/// including properties that were renamed with ``ObjectBase/renamedProperties``, has been taken over already, and new
/// properties have their declared values.
///
/// The old objects are what the file holds; they never change. Properties whose type, optionality or name is another start
/// anew: with the declared value, except that values stay where a property became optional.
public final class Migration {
  let store: MigratingStore
  let oldRealm: RealmInstance
  let newRealm: RealmInstance
  /// The classes that the file has, with the names under which it stores properties.
  public let oldSchema: Schema
  /// The classes of the program.
  public let newSchema: Schema
  /// What cannot be done, in the order in which it was asked for. The first ends the opening when the block has returned.
  var failures: [Realm.Error] = []
  /// Columns whose values were given a name that the program does not have, by table.
  var renamed: [Int: [String: ColumnID]] = [:]
  var isOver = false

  init(_ store: MigratingStore, oldRealm: RealmInstance, newRealm: RealmInstance) {
    self.store = store
    self.oldRealm = oldRealm
    self.newRealm = newRealm
    let tables = store.tables
    oldSchema = Schema(zip(oldRealm.store.schema.models, tables).filter { $1.isInStore }.map(\.0))
    newSchema = Schema(newRealm.store.schema.models)
  }

  /// Creates an object; see ``Realm/create(_:value:update:)`` for what `value` may be. Primary keys are not compared.
  ///
  /// Traps when the program has no class of that name, and for an embedded class.
  @discardableResult
  public func create(_ typeName: String, value: Any = [Any]()) -> MigrationObject {
    checkIsRunning()
    return Realm(newRealm).dynamicCreate(typeName, value: value)
  }

  /// Deletes an object. Enumerating passes over it from then on.
  ///
  /// Traps for one of the old objects, which stay as they are.
  public func delete(_ object: MigrationObject) {
    checkIsRunning()
    if object._instance === oldRealm {
      fatalError(
        "The object of class '\(object._modelName)' is an old one, which cannot be deleted. Delete the new object instead."
      )
    }
    Realm(newRealm).delete(object)
  }

  /// Deletes all objects of a class. If the program has no such class any more, the class goes too, unless links of other
  /// such classes lead to it.
  ///
  /// - Returns: Whether the file or the program has the class.
  @discardableResult
  public func deleteData(forType typeName: String) -> Bool {
    checkIsRunning()
    guard let table = store.tables.firstIndex(where: { $0.name == typeName }) else { return false }
    if store.tables[table].isInApplication {
      Realm(newRealm).delete(Realm(newRealm).dynamicObjects(typeName))
    } else {
      store.removedTables.withLock { _ = $0.insert(table) }
    }
    return true
  }

  func checkIsRunning() {
    if isOver { fatalError("A Migration was used after its block had returned. Do everything inside of the block.") }
  }

  func fail(_ message: String) { failures.append(Realm.Error(.fail, message)) }
}
