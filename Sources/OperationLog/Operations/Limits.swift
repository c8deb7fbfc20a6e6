/// The limits that every honest author keeps and every decoder enforces, from Protocol.md, section Limits.
public enum Limits {
    /// Bytes of an operation's body.
    public static let maximumBodyBytes = 64 * 1024
    /// Dependencies of an operation, and membership heads it names.
    public static let maximumDependencies = 16
    /// Operations in a batch.
    public static let maximumBatchOperations = 4_096
    /// Bytes of a batch that its sender aims for, and of the bodies in one that it cannot cut.
    public static let targetBatchBytes = 1024 * 1024
    /// Chains in a batch: devices of a view.
    public static let maximumBatchChains = 512
    /// Operations that those of a batch refer to, inside it and outside.
    public static let maximumBatchReferences = 8_192
    /// The largest sequence number. Room for a million operations a second for 500 years.
    public static let maximumSequenceNumber = UInt64(1) << 54
}
