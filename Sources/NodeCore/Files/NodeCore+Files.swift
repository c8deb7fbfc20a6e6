import Blobs
import Conversations
import Cryptography
import OperationLog
import Replication
import Storage
import Time

/// What the node's owner and its commands ask of ``FileExchange``.
extension NodeCore {
    /// Tells the files what happened, and carries out what they ask for.
    mutating func tellFiles(_ event: FileExchange.Event) {
        carryOut(fileExchange.handle(event, in: &context))
    }

    /// Reads which files there are.
    mutating func restoreFiles() throws(StoreError) {
        try fileExchange.restore(in: &context)
        carryOut(fileExchange.takeRequests())
    }

    // MARK: - Looking

    /// The files that messages of a conversation carry and that can be opened here, with those messages, in the order
    /// of their arrival.
    public func files(
        in conversation: ConversationID
    ) throws(StoreError) -> [(message: OperationID, file: Attachment)] {
        try storage.files(in: conversation).compactMap { carriedFile(by: $0.operation.id, in: conversation) }
    }

    /// The file that an operation attaches to a message, with that message; nil where it attaches none, or cannot be
    /// opened here.
    ///
    /// - Complexity: O(1).
    public func carriedFile(
        by operation: OperationID, in conversation: ConversationID
    ) -> (message: OperationID, file: Attachment)? {
        let mentions = fileExchange.index.mentions(by: .operation(operation, in: conversation))
        guard let mention = mentions.first, let message = mention.message, let file = mention.file else { return nil }
        return (message, file)
    }

    /// How a file is doing here.
    public func state(of address: BlobAddress) -> FileState { fileExchange.state(of: address) }

    /// The blobs that operations name.
    public var blobs: [BlobAddress] { fileExchange.index.addresses }

    /// Who shows which photo, this user among them, by name.
    var cardPhotos: [(user: UserID, photo: PhotoReference)] { context.cardPhotos }

    /// The file that a blob is, or is the thumbnail of, as the first message says that carries it, else as whatever
    /// names it; nil if nothing does that can be read here.
    public func file(of address: BlobAddress) -> NamedFile? { fileExchange.file(of: address) }

    /// Whether a file was put in and waits to be named.
    public func isUpload(_ address: BlobAddress) -> Bool { fileExchange.uploads[address] != nil }

    /// What a blob is called by the first operation that names it.
    public func name(of address: BlobAddress) -> String? { fileExchange.index.mentions(of: address).first?.name }

    /// What opens a blob, and what it is called: of all that name it the first whose key opens its first chunk, for one
    /// of them may lie about the key. Of a blob that is not here, what the first says.
    public func opening(_ address: BlobAddress) -> (reference: BlobReference, name: String?)? {
        fileExchange.opening(address)
    }

    // MARK: - What the user says

    /// Stops fetching a file; what is here stays, so that it can go on from there.
    ///
    /// - Throws: `file_not_found`, `invalid_operation` for one that is here, `disk_full`, `storage_failed`.
    public mutating func cancel(_ address: BlobAddress, at moment: Moment) throws(NodeError) {
        self.moment = moment
        defer { carryOut(fileExchange.takeRequests()) }
        try fileExchange.cancel(address)
    }

    /// Fetches a file that was canceled or could not be written, or looks again for somebody who has it.
    ///
    /// - Throws: as ``cancel(_:at:)``.
    public mutating func fetch(_ address: BlobAddress, at moment: Moment) throws(NodeError) {
        self.moment = moment
        defer { carryOut(fileExchange.takeRequests()) }
        try fileExchange.fetch(address, in: &context)
    }
}
