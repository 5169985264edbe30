extension Workload {
  /// In the order of the table of peers.
  static var all: [Workload] {
    [
      .bulkAdd,
      .singleAdd,
      .singleUpdate,
      .singleIndexedUpdate,
      .lookUp,
      .readFrozen,
      .readOnOwnThread,
      .readOnQueue,
      .readOnForeignThread,
      .writeProperty,
      .readShortString,
      .readLongString,
      .iterate,
      .countOlder,
      .countNamed,
      .countNameContaining,
      .countInCity,
      .readInCity,
      .sum,
      .followLinks,
      .observeOneQuery,
      .observeManyQueries,
      .memory,
      .updateAll,
      .deleteHalf,
      .freezeRealm,
      .freezeStore,
      .readAlone,
      .readBesideWriter,
    ]
  }
}
