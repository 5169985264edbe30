import Glibc

/// The resident memory of the process. It is only of use in a process of its own.
enum ResidentMemory {
  static var byteCount: Int { pageCount(1) * Int(sysconf(Int32(_SC_PAGESIZE))) }

  /// The address space that is taken, whether there is memory behind it or not.
  static var addressByteCount: Int { pageCount(0) * Int(sysconf(Int32(_SC_PAGESIZE))) }

  private static func pageCount(_ field: Int) -> Int {
    guard let file = fopen("/proc/self/statm", "r") else { fatalError("There is no /proc/self/statm.") }
    defer { fclose(file) }
    var text = [CChar](repeating: 0, count: 200)
    _ = fgets(&text, Int32(text.count), file)
    let numbers = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self).split(
      separator: " ")
    guard numbers.count > 1, let pages = Int(numbers[field]) else { fatalError("/proc/self/statm has other fields.") }
    return pages
  }
}
