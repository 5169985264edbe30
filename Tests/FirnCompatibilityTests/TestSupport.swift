// Threads and random numbers, for all files of the target.
@_exported public import TestSupport
