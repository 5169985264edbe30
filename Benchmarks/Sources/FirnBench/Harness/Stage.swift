/// The data of one size, and one filled store per engine for workloads that only read.
///
/// A workload that writes makes a store of its own from `dataset`, so that none meets what another left behind.
final class Stage {
  let dataset: Dataset
  private var firnFixture: FirnFixture?
  private var plainStore: PlainStore?
  private var grdbFixture: GRDBFixture?
  private var firnFolder: TemporaryFolder?
  private var columns: RawColumns?
  private(set) lazy var places = PlaceDataset(count: dataset.count)
  private var firnSpots: SpotFixture<Indexed.Spot>?
  private var plainSpots: PlainSpots?
  private var grdbSpots: GRDBSpots?

  init(objectCount: Int) {
    dataset = Dataset(count: objectCount)
  }

  func sharedFirn() throws -> FirnFixture {
    if let firnFixture { return firnFixture }
    let fixture = try FirnFixture(filledWith: dataset)
    firnFixture = fixture
    return fixture
  }

  func sharedPlain() -> PlainStore {
    if let plainStore { return plainStore }
    let store = PlainStore(filledWith: dataset)
    plainStore = store
    return store
  }

  func sharedGRDB() throws -> GRDBFixture {
    if let grdbFixture { return grdbFixture }
    let fixture = try GRDBFixture(filledWith: dataset)
    grdbFixture = fixture
    return fixture
  }

  /// A filled database in files after a checkpoint, closed.
  func sharedFirnFolder() throws -> TemporaryFolder {
    if let firnFolder { return firnFolder }
    let folder = try FirnFileFixture(filledWith: dataset).folder
    firnFolder = folder
    return folder
  }

  func sharedColumns() -> RawColumns {
    if let columns { return columns }
    let columns = RawColumns(dataset)
    self.columns = columns
    return columns
  }

  func sharedFirnSpots() throws -> SpotFixture<Indexed.Spot> {
    if let firnSpots { return firnSpots }
    let spots = try SpotFixture<Indexed.Spot>(filledWith: places)
    firnSpots = spots
    return spots
  }

  func sharedPlainSpots() -> PlainSpots {
    if let plainSpots { return plainSpots }
    let spots = PlainSpots(filledWith: places)
    plainSpots = spots
    return spots
  }

  func sharedGRDBSpots() throws -> GRDBSpots {
    if let grdbSpots { return grdbSpots }
    let spots = try GRDBSpots(filledWith: places, isIndexed: true)
    grdbSpots = spots
    return spots
  }
}
