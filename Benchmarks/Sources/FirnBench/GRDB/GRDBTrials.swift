/// What GRDB does in each workload.
enum GRDBTrials {}
