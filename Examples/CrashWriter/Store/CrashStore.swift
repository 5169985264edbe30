public import Firn

/// What one of the tasks has written last: each transaction of a task changes all of its cells.
public class Cell: Object {
  @Persisted(primaryKey: true) public var id: Int
  @Persisted public var number: Int
}

/// A transaction.
public class Transfer: Object {
  @Persisted(primaryKey: true) public var number: Int
  @Persisted(indexed: true) public var task: Int
  @Persisted public var text: String
  @Persisted public var cells: List<Cell>
}

/// All transactions in the order of their commits.
public class Ledger: Object {
  @Persisted(primaryKey: true) public var id: Int
  @Persisted public var transfers: List<Transfer>
}

public enum CrashStore {
  public static let taskCount = 6
  public static let cellCount = 3

  /// Checkpoints follow each other so closely that many kills hit one.
  public static func configuration(_ folder: URL, _ durability: Realm.Configuration.Durability) -> Realm.Configuration {
    var configuration = Realm.Configuration(
      fileURL: folder.appendingPathComponent("crash.firn"), objectTypes: [Cell.self, Transfer.self, Ledger.self])
    configuration.durability = durability
    configuration.checkpoints.journalByteCount = 4_096
    configuration.checkpoints.interval = nil
    return configuration
  }

  /// Where the writer notes what was acknowledged: one number a line.
  public static func acknowledgements(_ folder: URL) -> URL { folder.appendingPathComponent("acknowledged") }

  /// The number of a task's transaction.
  public static func number(_ task: Int, _ round: Int) -> Int { round * taskCount + task }

  /// Makes a task's transaction.
  public static func transact(_ realm: Realm, task: Int, round: Int) {
    let number = number(task, round)
    let transfer = Transfer()
    transfer.number = number
    transfer.task = task
    transfer.text = "transfer \(number)"
    for index in 0..<cellCount {
      let id = task * cellCount + index
      let cell = realm.object(ofType: Cell.self, forPrimaryKey: id) ?? realm.create(Cell.self, value: ["id": id])
      cell.number = number
      transfer.cells.append(cell)
    }
    realm.add(transfer)
    let ledger = realm.object(ofType: Ledger.self, forPrimaryKey: 0) ?? realm.create(Ledger.self, value: ["id": 0])
    ledger.transfers.append(transfer)
    // The store stays small.
    if ledger.transfers.count > 100, let first = ledger.transfers.first { realm.delete(first) }
  }

  /// The number of a task's last transaction; nil when there is none.
  public static func lastNumber(_ realm: Realm, task: Int) -> Int? {
    realm.object(ofType: Cell.self, forPrimaryKey: task * cellCount)?.number
  }
}
