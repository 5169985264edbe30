/// What plain Swift does in each workload.
enum PlainTrials {}
