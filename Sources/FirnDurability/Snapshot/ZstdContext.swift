internal import CZstd

/// Compresses and decompresses zstd frames with memory that is used again and again.
///
/// For one thread at a time: each worker has its own.
package final class ZstdContext {
  private let compressor: OpaquePointer
  private let decompressor: OpaquePointer

  package init(level: Int32 = 1) {
    guard let compressor = ZSTD_createCCtx(), let decompressor = ZSTD_createDCtx() else {
      fatalError("There is no memory for a zstd context.")
    }
    ZSTD_CCtx_setParameter(compressor, ZSTD_c_compressionLevel, level)
    self.compressor = compressor
    self.decompressor = decompressor
  }

  deinit {
    ZSTD_freeCCtx(compressor)
    ZSTD_freeDCtx(decompressor)
  }

  /// Appends `source` as one frame that states its content size, and returns the byte count of the frame.
  package func append(_ source: UnsafeRawBufferPointer, to writer: inout ByteWriter) throws -> Int {
    let bound = ZSTD_compressBound(source.count)
    let count = ZSTD_compress2(compressor, writer.reserve(bound), bound, source.baseAddress, source.count)
    if ZSTD_isError(count) != 0 {
      throw StoreError(.fileOperationFailed, "zstd could not compress \(source.count) bytes: \(Self.name(count)).")
    }
    writer.advance(by: count)
    return count
  }

  /// Fills `target` with the content of `frame`, which must be one frame that says that its content is as long as that.
  ///
  /// `offset` is where the frame stands, for the error.
  package func decompress(
    _ frame: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer, offset: Int = 0
  ) throws(DecodingError) {
    // Sizes of the frame that are errors or unknown are huge numbers.
    guard ZSTD_getFrameContentSize(frame.baseAddress, frame.count) == UInt64(target.count) else {
      throw DecodingError("A zstd frame does not have a content of \(target.count) bytes", offset: offset)
    }
    guard ZSTD_findFrameCompressedSize(frame.baseAddress, frame.count) == frame.count else {
      throw DecodingError("A zstd frame is not \(frame.count) bytes long", offset: offset)
    }
    let count = ZSTD_decompressDCtx(decompressor, target.baseAddress, target.count, frame.baseAddress, frame.count)
    if ZSTD_isError(count) != 0 { throw DecodingError("A zstd frame is damaged (\(Self.name(count)))", offset: offset) }
    if count != target.count {
      throw DecodingError("A zstd frame has \(count) bytes where it says \(target.count)", offset: offset)
    }
  }

  /// The version of the library: 10504 is 1.5.4. Frames of all versions can be read; the same bytes come from the same one.
  package static var libraryVersion: Int { Int(ZSTD_versionNumber()) }

  private static func name(_ code: Int) -> String { String(cString: ZSTD_getErrorName(code)) }
}
