import Blobs
import Conversations
import Cryptography
import OperationLog
import Replication
import Storage
import Time

/// The files of a node: which there are, which are wanted, who is asked for them, and who gets them.
///
/// A file is wanted as soon as something names it that opens here, so that it is there for others when its sender is
/// gone. It is only offered, and fetched when the user asks for it, if a blocked person sent it, if the group has not
/// been accepted, or if its author's files take more than their share. It goes when nothing names it any more.
struct FileExchange {
    /// What happens.
    enum Event {
        /// Time passed.
        case tick
        /// Operations came whose bodies are here now: they may attach files, or be keys that open what others attach.
        case committed([AdmittedOperation], in: ConversationID)
        /// The keys of epochs came from another device of the user.
        case keysCame(Set<OperationID>, in: ConversationID)
        /// The bodies of operations were erased.
        case erased([OperationID], in: ConversationID)
        /// The user left a conversation and erased it.
        case conversationErased(ConversationID)
        /// A person may show another photo now.
        case cardChanged(of: UserID)
        /// A peer has said who it is: it may have photos of people.
        case introduced(PeerHandle)
        /// A conversation is shared with a peer.
        case shared(PeerHandle, ConversationID)
        /// More or less than before waits to be sent to a peer.
        case congested(PeerHandle, isCongested: Bool)
        /// A device is not connected any more.
        case lost(DeviceID)
        /// The user wants to hear, or be with, other people than before.
        case welcomeChanged
        /// All of a file was put into the storage, to be sent soon.
        case uploaded(BlobReference)
        /// A peer wants to know what is here of the blobs that something names.
        case asked(FileIndex.Namer, by: PeerHandle)
        /// A peer says something of blobs; a chunk that it sent may have been verified already.
        case heard(FileMessage, from: PeerHandle, ReceivedMessage.Verified?)
        /// A chunk was read for a peer, and sent if it was there.
        case chunkServed(to: PeerHandle)
        /// A chunk that should be here is not, or is not what it was.
        case chunkMissing(BlobAddress)
    }

    /// How long a file that was put in may wait for the message that carries it.
    static let uploadLifetime: Duration = .seconds(3_600)
    /// How long to rest after the storage did not tell which files there are.
    static let readingBackoff: Duration = .seconds(5)
    /// How many operations that name files are read of a conversation before the user has accepted it.
    static let maximumUnaccepted = 128

    let storage: any BlobStorage
    /// The blobs that something names.
    var index = FileIndex()
    /// The blobs that are all here.
    var whole: Set<BlobAddress> = []
    /// The blobs that the user does not want to be fetched.
    var canceled: Set<Digest> = []
    /// The blobs that the user asked for, whoever sent them.
    var requested: Set<BlobAddress> = []
    /// Files that were put in and that no message carries yet.
    var uploads: [BlobAddress: (reference: BlobReference, since: Instant)] = [:]
    /// Which chunk is asked of whom.
    var transfers: BlobTransfers
    /// Who waits for chunks of which blobs.
    var service = BlobService()
    /// Why blobs could not be written.
    var errors: [BlobAddress: StoreError] = [:]
    /// How much of the disk the files of each person take.
    var quotas = FileQuotas()
    /// What is fetched only when the user asks for it, or when there is room.
    var offered = OfferedBlobs()
    /// The conversations of which the storage did not tell what they name, and when to ask it again.
    var unreadConversations: [ConversationID: Instant] = [:]
    /// Likewise the people whose photos are not known.
    var unreadCards: [UserID: Instant] = [:]
    /// What set the photos that groups have.
    var groupPhotos: [ConversationID: FileIndex.Namer] = [:]
    /// What the transition under way asks for.
    var requests: [MachineRequest] = []

    /// Begins without any file.
    ///
    /// - Parameter seed: decides which chunk is asked for first, so that not everybody fetches the same.
    init(storage: any BlobStorage, seed: UInt64) {
        self.storage = storage
        transfers = BlobTransfers(seed: seed)
    }

    /// When there is something to do.
    var nextDeadline: Instant? {
        let chunks = transfers.nextTick.map(Instant.init(sinceStart:))
        let uploads = uploads.values.map(\.since).min().map { $0 + Self.uploadLifetime }
        let unread = (Array(unreadConversations.values) + unreadCards.values).min()
        return [chunks, uploads, unread, offered.nextTurn].compactMap { $0 }.min()
    }

    /// Takes in what happened, and returns what is to be done about it, in order.
    mutating func handle(_ event: Event, in context: inout NodeContext) -> [MachineRequest] {
        switch event {
        case .tick: tick(in: &context)
        case .committed(let operations, let conversation): readFiles(of: operations, in: conversation, &context)
        case .keysCame(let epochs, let conversation): readOpened(under: epochs, in: conversation, &context)
        case .erased(let operations, let conversation): forgetFiles(of: operations, in: conversation, &context)
        case .conversationErased(let conversation): forgetPhoto(of: conversation, at: context.now)
        case .cardChanged(let user): readPhotos(of: user, &context)
        case .introduced(let peer): meetForCards(peer, &context)
        case .shared(let peer, let conversation): meet(peer, in: conversation, &context)
        case .congested(let peer, let isCongested): note(isCongested: isCongested, of: peer, context)
        case .lost(let device): lose(device, &context)
        case .welcomeChanged:
            readKeptBack(in: &context)
            reconsider(in: &context)
        case .uploaded(let reference): take(upload: reference, at: context.now)
        case .asked(let namer, let peer): tellHeld(namedBy: namer, to: peer, &context)
        case .heard(.photoWanted(let user), let peer, _): tellHeld(namedBy: .card(user), to: peer, &context)
        case .heard(.chunksWanted(let root, let indices), let peer, _): serve(indices, of: root, to: peer, context)
        case .heard(.blobHeld(let root, let bits), let peer, _): learn(bits, of: root, from: peer, &context)
        case .heard(.chunk(let root, let bytes), let peer, let verified):
            take(bytes, of: root, from: peer, verified: verified?.chunk, &context)
        case .chunkServed(let peer): chunkServed(to: peer, context)
        case .chunkMissing(let address): refetch(address, &context)
        }
        return takeRequests()
    }

    /// What the last transition asks for, in order.
    mutating func takeRequests() -> [MachineRequest] {
        defer { requests = [] }
        return requests
    }

    private mutating func tick(in context: inout NodeContext) {
        let now = context.now
        if transfers.nextTick.map({ $0 <= now.sinceStart }) == true {
            perform(transfers.tick(at: now.sinceStart), &context)
            releaseWhatNobodyGives(at: now)
        }
        if let moment = offered.nextTurn, moment <= now { considerSome(in: &context) }
        readAgain(in: &context)
        expireUploads(at: now)
    }

    // MARK: - Asking siblings

    mutating func send(_ message: FileMessage, to peer: PeerHandle) {
        requests.append(.effect(.send(peer, PeerMessage.files(message).encoded, .live)))
    }

    mutating func replicate(_ event: Replicator.Event) { requests.append(.replicate(event)) }

    mutating func note(_ event: Diagnostic) { requests.append(.effect(.note(event))) }

    /// Tells whoever watches that more of a file is here, or that it is doing otherwise than before.
    mutating func show(_ address: BlobAddress) { requests.append(.effect(.show(.file(address)))) }

    mutating func planWake() { requests.append(.wake) }
}
