import Blobs
import Conversations
import OperationLog

/// Which blobs operations name, and which operations those are.
///
/// It follows from the log alone, so it is in memory only. A blob that no operation names any more has nobody who wants it.
struct FileIndex: Sendable {
    /// An operation that names a blob: whoever may read it may have the blob.
    struct Mention: Hashable, Sendable {
        let conversation: ConversationID
        let lane: Lane
        let operation: OperationID
        /// Who may read it: what follows from these.
        let membershipHeads: [OperationID]
        /// The message that carries it; nil where something else names it.
        let message: OperationID?
        let name: String
        let reference: BlobReference
    }

    private var mentions: [OperationID: Mention] = [:]
    private var byAddress: [BlobAddress: [Mention]] = [:]
    private var byConversation: [ConversationID: Set<OperationID>] = [:]

    /// The blobs that somebody names, ascending.
    var addresses: [BlobAddress] { byAddress.keys.sorted() }

    /// The operations that name a blob, in the order in which they became known.
    func mentions(of address: BlobAddress) -> [Mention] { byAddress[address] ?? [] }

    /// What an operation names.
    func mention(by operation: OperationID) -> Mention? { mentions[operation] }

    /// The blobs that a conversation names.
    func addresses(in conversation: ConversationID) -> [BlobAddress] {
        Set((byConversation[conversation] ?? []).compactMap { mentions[$0]?.reference.address }).sorted()
    }

    /// Takes in what a conversation names now, in the place of what it named before.
    mutating func replace(_ found: [Mention], of conversation: ConversationID) {
        let kept = Set(found.map(\.operation))
        for operation in (byConversation[conversation] ?? []).subtracting(kept) {
            guard let gone = mentions.removeValue(forKey: operation) else { continue }
            byAddress[gone.reference.address]?.removeAll { $0.operation == operation }
            if byAddress[gone.reference.address]?.isEmpty == true { byAddress[gone.reference.address] = nil }
        }
        for mention in found where mentions[mention.operation] == nil {
            mentions[mention.operation] = mention
            byAddress[mention.reference.address, default: []].append(mention)
        }
        byConversation[conversation] = kept
    }
}
