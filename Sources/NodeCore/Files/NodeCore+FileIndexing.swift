import Blobs
import Conversations
import OperationLog
import Replication

/// Finds out which files operations name, as these come, open, and go.
///
/// A message's file counts as long as the body that attaches it is here, also while the message is hidden: the deletion may turn out to be void.
extension NodeCore {
    // MARK: - What came

    /// Takes in operations whose bodies are here now: they may attach files, or be keys that open what others attach.
    mutating func indexFiles(of operations: [AdmittedOperation], in conversation: ConversationID) {
        let attaching = operations.map(\.operation).filter { $0.header.type == .file }
        for operation in attaching { fileIndex.postpone(operation.id, in: conversation) }
        let isDecided = operations.contains { $0.operation.header.lane == .membership }
        if operations.contains(where: { [.wrap, .epoch].contains($0.operation.header.type) }) {
            openFiles(in: conversation)
        } else if !attaching.isEmpty || isDecided {
            // Whatever is decided may set a group's photo, or void what did.
            open(attaching.map(\.id), in: conversation)
        }
        // And who may have files may be another.
        if isDecided {
            for peer in links.keys.sorted() { meet(peer, in: conversation) }
        }
    }

    /// Finds out what a conversation names that was not known before.
    private mutating func openFiles(in conversation: ConversationID) {
        unreadFiles[conversation] = nil
        open((fileIndex.unopened[conversation] ?? []).sorted(), in: conversation)
    }

    /// Finds out what operations attach, and which photo the group has; where the storage fails, again in a while.
    private mutating func open(_ attaching: [OperationID], in conversation: ConversationID) {
        do throws(StoreError) {
            for id in attaching {
                guard let operation = try storage.operation(id, of: conversation) else { continue }
                try index(operation, in: conversation)
            }
            try indexPhoto(of: conversation)
        } catch {
            note(.notJudged(error))
            unreadFiles[conversation] = now + Self.readingRest
            planWake()
        }
    }

    /// Tries again what the storage did not tell.
    mutating func retryFiles() {
        for (conversation, moment) in unreadFiles.sorted(by: { $0.key < $1.key }) where moment <= now {
            openFiles(in: conversation)
        }
        for (user, moment) in unreadCards.sorted(by: { $0.key < $1.key }) where moment <= now { indexPhotos(of: user) }
    }

    /// How long to rest after the storage did not tell which files there are.
    static let readingRest: Duration = .seconds(5)

    /// Takes in what an operation attaches, if its author may: to his own message, and not too much. One that cannot be opened yet stays where it is.
    private mutating func index(_ operation: Operation, in conversation: ConversationID) throws(StoreError) {
        let reader = device.id
        guard let view = replicas[conversation]?.view(at: operation.header.membershipHeads) else { return }
        let bytes: [UInt8]
        switch replicas[conversation]?.epochs.read(operation, view: view, for: reader) {
        case .open(let opened): bytes = opened
        case .unreadable(.notAnEpoch), .unreadable(.wrapBroken), .unreadable(.commitBroken), .wanted, nil: return
        case .closed, .declined, .erased, .unreadable: return fileIndex.settle(operation.id, in: conversation)
        }
        let namer = FileIndex.Namer.operation(operation.id, in: conversation)
        guard fileIndex.mentions(by: namer).isEmpty,
            let body = try? AnnotationBody.decode(bytes, type: operation.header.type),
            case .file(let name, let reference, let thumbnail) = body.change,
            let message = try storage.operation(body.target, of: conversation),
            message.header.type == .message, message.author.user == operation.author.user,
            message.body != nil || replicas[conversation]?.wanted.contains(body.target) == true,
            fileIndex.count(of: body.target) < MessageState.fileLimit
        else { return fileIndex.settle(operation.id, in: conversation) }
        let file = Attachment(operation: operation.id, name: name, reference: reference, thumbnail: thumbnail)
        let mention = { (reference: BlobReference, file: Attachment?) in
            FileIndex.Mention(
                namer: namer, readers: .view(operation.header.membershipHeads), author: operation.author.user,
                message: body.target, file: file, name: name, reference: reference)
        }
        try set([mention(reference, file)] + (thumbnail.map { [mention($0, nil)] } ?? []), by: namer)
        fileIndex.settle(operation.id, in: conversation)
    }

    /// Finds out which photo a group has now.
    private mutating func indexPhoto(of conversation: ConversationID) throws(StoreError) {
        let photo = replicas[conversation]?.group.photo
        let namer = photo.map { FileIndex.Namer.operation($0.operation, in: conversation) }
        guard groupPhotos[conversation] != namer else { return }
        let before = groupPhotos[conversation]
        if let photo, let namer, let author = replicas[conversation]?.log.membership[photo.operation]?.author {
            try set(
                [photo.photo.picture, photo.photo.thumbnail].map {
                    FileIndex.Mention(
                        namer: namer, readers: .members, author: author.user, message: nil, file: nil,
                        name: GroupPhoto.fileName, reference: $0)
                }, by: namer)
        }
        groupPhotos[conversation] = namer
        if let before { unname(before) }
    }

    // MARK: - What went

    /// Lets go of what operations attach whose bodies were erased, and of what is attached to them.
    mutating func forgetFiles(of erased: some Collection<OperationID>, in conversation: ConversationID) {
        for id in erased {
            fileIndex.settle(id, in: conversation)
            unname(.operation(id, in: conversation))
            for namer in fileIndex.namers(of: id) { unname(namer) }
        }
    }

    private mutating func unname(_ namer: FileIndex.Namer) { collect(fileIndex.set([], by: namer)) }

    mutating func set(_ mentions: [FileIndex.Mention], by namer: FileIndex.Namer) throws(StoreError) {
        let gone = fileIndex.set(mentions, by: namer)
        do throws(StoreError) {
            for mention in mentions { try want(mention.reference.address) }
        } catch {
            // Not what is here of it: that is only not known.
            fileIndex.set([], by: namer)
            throw error
        }
        collect(gone)
    }

    // MARK: - Starting

    /// Reads what is here of the files that the log names, and erases what it does not name.
    ///
    /// - Throws: where anything could not be read; nothing is erased then, since what names a file may be what was not read.
    mutating func restoreFiles() throws(StoreError) {
        cancelledBlobs = try blobStorage.cancelled()
        for conversation in replicas.keys.sorted() {
            for entry in try storage.files(in: conversation) {
                fileIndex.postpone(entry.operation.id, in: conversation)
                try index(entry.operation, in: conversation)
            }
            try indexPhoto(of: conversation)
        }
        for (user, _) in cardPhotos { try readPhotos(of: user) }
        let named = Set(fileIndex.addresses.map(\.root))
        for root in try blobStorage.roots().union(cancelledBlobs) where !named.contains(root) {
            try blobStorage.remove(root)
        }
    }
}
