import Blobs
import Conversations
import OperationLog

/// Which blobs are named, and by what.
///
/// It follows from the log and from people's cards alone, so it is in memory only. A blob that nothing names any more
/// has nobody who wants it.
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

    /// That something names a blob. A class, since it is found in three ways, and many thousands may be known.
    final class Mention: Sendable {
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

        init(
            namer: Namer, readers: Readers, author: UserID, message: OperationID?, file: Attachment?, name: String,
            reference: BlobReference
        ) {
            self.namer = namer
            self.readers = readers
            self.author = author
            self.message = message
            self.file = file
            self.name = name
            self.reference = reference
        }

        /// The conversation in which it is named; nil where a card does.
        var conversation: ConversationID? {
            if case .operation(_, let conversation) = namer { conversation } else { nil }
        }

        /// The operation that names it; nil where a card does.
        var operation: OperationID? {
            if case .operation(let operation, _) = namer { operation } else { nil }
        }
    }

    /// Operations that are not understood yet, found by the epochs that they name.
    private struct Unopened: Sendable {
        private(set) var epochs: [OperationID: OperationID?] = [:]
        private(set) var byEpoch: [OperationID: Set<OperationID>] = [:]

        mutating func insert(_ operation: Operation) {
            epochs[operation.id] = .some(operation.header.epoch)
            if let epoch = operation.header.epoch { byEpoch[epoch, default: []].insert(operation.id) }
        }

        mutating func remove(_ operation: OperationID) {
            guard case .some(.some(let epoch)) = epochs.removeValue(forKey: operation) else { return }
            byEpoch[epoch]?.remove(operation)
            if byEpoch[epoch]?.isEmpty == true { byEpoch[epoch] = nil }
        }
    }

    /// What names one blob.
    private struct Mentions: Sendable {
        /// In the order in which it became known.
        private(set) var all: [Mention] = []
        private var byAuthor: [UserID: [Mention]] = [:]
        /// In the order in which they first named it.
        private var authors: [UserID] = []

        mutating func add(_ mention: Mention) {
            all.append(mention)
            if byAuthor[mention.author] == nil { authors.append(mention.author) }
            byAuthor[mention.author, default: []].append(mention)
        }

        /// Removes what some name, in one go.
        mutating func remove(_ gone: [Mention]) {
            let namers = Set(gone.map(\.namer))
            all.removeAll { namers.contains($0.namer) }
            for author in Set(gone.map(\.author)) {
                byAuthor[author]?.removeAll { namers.contains($0.namer) }
                guard byAuthor[author]?.isEmpty == true else { continue }
                byAuthor[author] = nil
                authors.removeAll { $0 == author }
            }
        }

        /// By their authors in turn, at most so many.
        func inTurn(atMost limit: Int) -> [Mention] {
            var found: [Mention] = []
            for round in 0..<limit {
                let before = found.count
                for author in authors.prefix(limit) {
                    guard let own = byAuthor[author], round < own.count else { continue }
                    found.append(own[round])
                    if found.count == limit { return found }
                }
                if found.count == before { break }
            }
            return found
        }
    }

    private var byNamer: [Namer: [Mention]] = [:]
    private var byAddress: [BlobAddress: Mentions] = [:]
    private var byMessage: [OperationID: Set<Namer>] = [:]
    /// How many operations of each conversation name something.
    private var counts: [ConversationID: Int] = [:]
    /// Operations that attach files and are not understood yet.
    private var unopened: [ConversationID: Unopened] = [:]

    /// The blobs that something names, ascending.
    var addresses: [BlobAddress] { byAddress.keys.sorted() }

    /// Whether something names a blob.
    func names(_ address: BlobAddress) -> Bool { byAddress[address] != nil }

    /// What names a blob, in the order in which it became known.
    func mentions(of address: BlobAddress) -> [Mention] { byAddress[address]?.all ?? [] }

    /// What names a blob first, at most so many: by its authors in turn, so that nobody who names it often hides where
    /// others do.
    ///
    /// - Complexity: O(*k*²) in the number asked for, however much names it.
    func mentions(of address: BlobAddress, atMost limit: Int) -> [Mention] {
        byAddress[address]?.inTurn(atMost: limit) ?? []
    }

    /// What something names: a picture before its thumbnail.
    func mentions(by namer: Namer) -> [Mention] { byNamer[namer] ?? [] }

    /// How many operations are known to attach a file to a message.
    func count(of message: OperationID) -> Int { byMessage[message]?.count ?? 0 }

    /// How many operations of a conversation are known to name something.
    func count(in conversation: ConversationID) -> Int { counts[conversation] ?? 0 }

    /// What attaches files to a message.
    func namers(of message: OperationID) -> Set<Namer> { byMessage[message] ?? [] }

    /// Where operations attach files that are not understood yet, ascending.
    var conversationsWithUnopened: [ConversationID] { unopened.filter { !$0.value.epochs.isEmpty }.keys.sorted() }

    /// The operations that are not understood yet, ascending.
    ///
    /// - Parameter epochs: only those that name one of these; nil for all.
    func unopened(in conversation: ConversationID, under epochs: Set<OperationID>? = nil) -> [OperationID] {
        guard let all = unopened[conversation] else { return [] }
        guard let epochs else { return all.epochs.keys.sorted() }
        return epochs.flatMap { all.byEpoch[$0] ?? [] }.sorted()
    }

    /// Notes that nothing more is to be learned from an operation.
    mutating func drop(_ operation: OperationID, in conversation: ConversationID) {
        unopened[conversation]?.remove(operation)
    }

    /// Notes that an operation is not understood yet.
    mutating func postpone(_ operation: Operation, in conversation: ConversationID) {
        unopened[conversation, default: Unopened()].insert(operation)
    }

    /// Takes in what something names now, in the place of what it named before.
    ///
    /// - Returns: the blobs that something named before this and that nothing names now.
    @discardableResult
    mutating func set(_ found: [Mention], by namer: Namer) -> [BlobAddress] {
        let before = removeMentions(by: [namer])
        if !found.isEmpty {
            byNamer[namer] = found
            if case .operation(_, let conversation) = namer { counts[conversation, default: 0] += 1 }
        }
        for mention in found { byAddress[mention.reference.address, default: Mentions()].add(mention) }
        if let message = found.first?.message { byMessage[message, default: []].insert(namer) }
        return before.filter { !names($0) }
    }

    /// Takes in that some name nothing any more.
    ///
    /// - Returns: the blobs that something named before this and that nothing names now.
    /// - Complexity: O(*n*) in them, and in all that names the same blobs.
    mutating func remove(_ namers: [Namer]) -> [BlobAddress] {
        removeMentions(by: namers).filter { !names($0) }
    }

    /// Returns what was named, each blob once.
    private mutating func removeMentions(by namers: [Namer]) -> [BlobAddress] {
        var gone: [BlobAddress: [Mention]] = [:]
        for namer in namers {
            guard let before = byNamer.removeValue(forKey: namer) else { continue }
            for mention in before { gone[mention.reference.address, default: []].append(mention) }
            if let message = before.first?.message {
                byMessage[message]?.remove(namer)
                if byMessage[message]?.isEmpty == true { byMessage[message] = nil }
            }
            if case .operation(_, let conversation) = namer { counts[conversation, default: 0] -= 1 }
        }
        for (address, mentions) in gone {
            byAddress[address]?.remove(mentions)
            if byAddress[address]?.all.isEmpty == true { byAddress[address] = nil }
        }
        return gone.keys.sorted()
    }
}
