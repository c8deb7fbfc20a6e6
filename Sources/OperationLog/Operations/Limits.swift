/// The limits that every honest author keeps and every decoder enforces, from Protocol.md, section Limits.
public enum Limits {
    /// Bytes of an operation's body.
    public static let body = 64 * 1024
    /// Dependencies of an operation, and membership heads it names.
    public static let dependencies = 16
    /// Operations in a batch.
    public static let batchOperations = 4_096
    /// Bytes of a batch that its sender aims for; one operation more may exceed it.
    public static let batchBytes = 1024 * 1024
    /// Chains in a batch: devices of a view.
    public static let batchChains = 512
    /// Ids of operations outside a batch that the batch refers to.
    public static let batchReferences = 8_192
    /// The largest sequence number. Room for a million operations a second for 500 years.
    public static let sequenceNumber = UInt64(1) << 54
}
