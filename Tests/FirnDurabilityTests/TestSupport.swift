// The simulated disk, threads and random numbers, for all files of the target.
@_exported public import StoreTestSupport
