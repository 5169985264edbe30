#if !canImport(ObjectiveC)
  /// Calls a block, and returns what it returns.
  ///
  /// Apple's platforms have a function of this name, which frees at its end what Objective-C has put off in the block.
  /// Here nothing is put off, so that code for both needs no `#if`: a realm is closed, and an object freed, with the
  /// last reference to it.
  ///
  /// - Throws: The error that the block throws.
  @inlinable
  public func autoreleasepool<Failure: Error, Result: ~Copyable>(
    invoking body: () throws(Failure) -> Result
  ) throws(Failure) -> Result { try body() }
#endif
