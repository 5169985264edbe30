/// What Firn does in each workload, through its public API as any other module would.
enum FirnTrials {}
