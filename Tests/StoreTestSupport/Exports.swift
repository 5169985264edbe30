// Threads and random numbers, for all who have the simulated disk.
@_exported public import TestSupport
