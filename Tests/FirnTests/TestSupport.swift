// Threads, random numbers and the simulated disk, for all files of the target.
@_exported public import StoreTestSupport
