/// What a side of a channel can do beyond what every node of this version can. Each declares its own in its device
/// proof.
///
/// Bits that a node does not know are passed over, so a later version can speak with an earlier one.
struct Capabilities: OptionSet, Hashable, Sendable {
    let rawValue: UInt64

    /// It reads messages in which words are left out that were sent before: ``MessagePacker``.
    static let packedMessages = Capabilities(rawValue: 1)

    /// Those of this code.
    static let own: Capabilities = [.packedMessages]
}
