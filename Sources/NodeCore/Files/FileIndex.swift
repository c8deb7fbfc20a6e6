import Blobs
import Conversations
import OperationLog

/// Which blobs are named, and by what.
///
/// It follows from the log and from people's cards alone, so it is in memory only. A blob that nothing names any more has nobody who wants it.
struct FileIndex: Sendable {
    /// What names blobs: whoever knows it may ask for them by it.
    enum Namer: Hashable, Sendable {
        /// An operation that attaches a file to a message, or sets a group's photo.
        case operation(OperationID, in: ConversationID)
        /// A person's card, which has their photo.
        case card(UserID)
    }

    /// Who may have a blob.
    enum Readers: Hashable, Sendable {
        /// The devices of the view that follows from these, while they are members.
        case view([OperationID])
        /// Every member.
        case members
        /// Whoever is connected.
        case everybody
    }

    /// That something names a blob.
    struct Mention: Hashable, Sendable {
        let namer: Namer
        let readers: Readers
        /// Who named it.
        let author: UserID
        /// The message that carries it; nil where something else names it.
        let message: OperationID?
        /// The file of a message as a whole; a thumbnail is only a part of that.
        let file: Attachment?
        let name: String
        let reference: BlobReference

        /// The conversation in which it is named; nil where a card does.
        var conversation: ConversationID? {
            if case .operation(_, let conversation) = namer { conversation } else { nil }
        }

        /// The operation that names it; nil where a card does.
        var operation: OperationID? {
            if case .operation(let operation, _) = namer { operation } else { nil }
        }
    }

    private var byNamer: [Namer: [Mention]] = [:]
    private var byAddress: [BlobAddress: [Mention]] = [:]
    private var byMessage: [OperationID: Set<Namer>] = [:]
    /// Operations that attach files and are not understood yet.
    private(set) var unopened: [ConversationID: Set<OperationID>] = [:]

    /// The blobs that something names, ascending.
    var addresses: [BlobAddress] { byAddress.keys.sorted() }

    /// Whether something names a blob.
    func names(_ address: BlobAddress) -> Bool { byAddress[address] != nil }

    /// What names a blob, in the order in which it became known.
    func mentions(of address: BlobAddress) -> [Mention] { byAddress[address] ?? [] }

    /// What names a blob first, at most so many: by its authors in turn, so that nobody who names it often hides where others do.
    ///
    /// - Complexity: O(*n*) in all that names it.
    func mentions(of address: BlobAddress, atMost limit: Int) -> [Mention] {
        var counts: [UserID: Int] = [:]
        var rounds: [[Mention]] = []
        for mention in mentions(of: address) {
            let round = counts[mention.author, default: 0]
            guard round < limit else { continue }
            counts[mention.author] = round + 1
            if round == rounds.count { rounds.append([]) }
            rounds[round].append(mention)
        }
        return Array(rounds.joined().prefix(limit))
    }

    /// What something names: a picture before its thumbnail.
    func mentions(by namer: Namer) -> [Mention] { byNamer[namer] ?? [] }

    /// How many operations are known to attach a file to a message.
    func count(of message: OperationID) -> Int { byMessage[message]?.count ?? 0 }

    /// What attaches files to a message.
    func namers(of message: OperationID) -> Set<Namer> { byMessage[message] ?? [] }

    /// Notes that nothing more is to be learned from an operation.
    mutating func drop(_ operation: OperationID, in conversation: ConversationID) {
        unopened[conversation]?.remove(operation)
    }

    /// Notes that an operation is not understood yet.
    mutating func postpone(_ operation: OperationID, in conversation: ConversationID) {
        unopened[conversation, default: []].insert(operation)
    }

    /// Takes in what something names now, in the place of what it named before.
    ///
    /// - Returns: the blobs that something named before this and that nothing names now.
    @discardableResult
    mutating func set(_ found: [Mention], by namer: Namer) -> [BlobAddress] {
        let before = byNamer.removeValue(forKey: namer) ?? []
        for mention in before {
            byAddress[mention.reference.address]?.removeAll { $0.namer == namer }
            if byAddress[mention.reference.address]?.isEmpty == true { byAddress[mention.reference.address] = nil }
        }
        if let message = before.first?.message {
            byMessage[message]?.remove(namer)
            if byMessage[message]?.isEmpty == true { byMessage[message] = nil }
        }
        if !found.isEmpty { byNamer[namer] = found }
        for mention in found { byAddress[mention.reference.address, default: []].append(mention) }
        if let message = found.first?.message { byMessage[message, default: []].insert(namer) }
        return before.map(\.reference.address).filter { !names($0) }
    }
}
