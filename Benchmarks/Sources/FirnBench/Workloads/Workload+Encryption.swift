extension Workload {
  /// Encrypted files beside plain ones, if the benchmarks are built with `--traits Encryption`.
  static var encrypted: [Workload] {
    #if Encryption
      [
        Workload(
          row: "3", variant: "encrypted", "one durable commit to encrypted files, updates one property",
          target: .asideRatioAtMost(1.1, Encrypted.plainLabel),
          firn: FirnTrials.durableEncryptedUpdate),
        Workload(
          row: "16b", variant: "encrypted", "open encrypted files, one look-up and one count by index",
          target: .asideRatioAtMost(1.3, Encrypted.plainLabel),
          firn: FirnTrials.openEncrypted),
      ]
    #else
      []
    #endif
  }
}
