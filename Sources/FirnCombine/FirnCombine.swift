#if Publishers
#if canImport(Combine)
@_exported @preconcurrency public import Combine
#else
@_exported @preconcurrency public import OpenCombine
@_exported @preconcurrency public import OpenCombineDispatch
@_exported @preconcurrency public import OpenCombineFoundation
#endif
#endif
