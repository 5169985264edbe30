extension Workload {
  /// Places on the globe, of which plain Swift scans all.
  static var places: [Workload] {
    [
      Workload(
        row: "22a", variant: "circle", "count the places in a circle that is a hundredth of the globe",
        target: .ratioAtMost(0.05),
        remark: "plain Swift tests latitudes and longitudes, then the distance by haversines; GRDB asks an R*Tree and "
          + "tests a scalar product that the tree keeps.",
        firn: FirnTrials.countInCircle, plain: PlainTrials.countInCircle, grdb: GRDBTrials.countInCircle),
      Workload(
        row: "22a", variant: "box", "count the places in a box that is a hundredth of the globe",
        target: .ratioAtMost(0.05),
        remark:
          "Firn's box has great circles as sides and so holds a little more or less; the others ask for a range of "
          + "latitudes and longitudes.",
        firn: FirnTrials.countInBox, plain: PlainTrials.countInBox, grdb: GRDBTrials.countInBox),
      Workload(
        row: "22b", "find the 10 nearest places and read an Int of each", target: .figureAtMost(50_000),
        remark: "GRDB asks its R*Tree for a square that holds about 40, and for a larger one if need be.",
        firn: FirnTrials.findNearest, plain: PlainTrials.findNearest, grdb: GRDBTrials.findNearest),
      Workload(
        row: "22c", "added to opening by a new index of places", target: .figureAtMost(500_000_000),
        remark: "GRDB fills an R*Tree from the table.",
        firn: FirnTrials.indexPlaces, grdb: GRDBTrials.indexPlaces),
      Workload(
        row: "22d", "bytes of the index per place", unit: .bytes, target: .figureAtMost(32),
        remark: "GRDB keeps 64 bytes beside each place in its R*Tree.",
        firn: FirnTrials.placeIndexMemory, grdb: GRDBTrials.placeIndexMemory),
      Workload(
        row: "22e", variant: "move", "move one place per transaction, in memory, index of places",
        target: .asideRatioAtMost(2, PlaceCommits.unindexedLabel),
        firn: FirnTrials.movePlace, grdb: GRDBTrials.movePlace),
      Workload(
        row: "22e", variant: "add", "add one object with a place per transaction, in memory, index of places",
        target: .asideRatioAtMost(2, PlaceCommits.unindexedLabel),
        firn: FirnTrials.addPlace, grdb: GRDBTrials.addPlace),
      Workload(
        row: "22e", variant: "delete", "delete one object with a place per transaction, in memory, index of places",
        target: .asideRatioAtMost(2, PlaceCommits.unindexedLabel),
        firn: FirnTrials.deletePlace, grdb: GRDBTrials.deletePlace),
    ]
  }
}
