import Blobs
import Conversations
import Cryptography
import OperationLog
import Replication
import Storage
import Time

/// Finds out which files operations and cards name, as these come, open, and go.
///
/// A message's file counts as long as the body that attaches it is here, also while the message is hidden: the deletion
/// may turn out to be void. A card is signed by its person, and its photo is as public as the name on it.
extension FileExchange {
    // MARK: - What came

    /// Takes in operations whose bodies are here now: they may attach files, or be keys that open what others attach.
    mutating func readFiles(
        of operations: [AdmittedOperation], in conversation: ConversationID, _ context: inout NodeContext
    ) {
        let attaching = operations.map(\.operation).filter { $0.header.type == .file }
        for operation in attaching { index.postpone(operation, in: conversation) }
        let isDecided = operations.contains { $0.operation.header.lane == .membership }
        // Whatever is decided may set a group's photo, or void what did.
        if !attaching.isEmpty || isDecided { read(attaching.map(\.id), in: conversation, &context) }
        let sealed = operations.map(\.operation).compactMap { operation in
            switch operation.header.type {
            case .epoch: operation.id
            case .wrap: operation.header.epoch
            default: nil
            }
        }
        readOpened(under: Set(sealed), in: conversation, &context)
        // And who may have files may be another, or who brought the user in.
        if isDecided {
            for peer in context.links.keys.sorted() { meet(peer, in: conversation, &context) }
            reconsider(in: &context)
        }
    }

    /// Finds out what is named under epochs whose keys are here now.
    mutating func readOpened(
        under epochs: Set<OperationID>, in conversation: ConversationID, _ context: inout NodeContext
    ) {
        let held = epochs.filter { context.replicas[conversation]?.epochs.holdsKey(of: $0) == true }
        let opened = index.unopened(in: conversation, under: held)
        if !opened.isEmpty { read(opened, in: conversation, &context) }
    }

    /// Finds out what a conversation names that was not known before.
    private mutating func readUnopened(in conversation: ConversationID, _ context: inout NodeContext) {
        unreadConversations[conversation] = nil
        read(index.unopened(in: conversation), in: conversation, &context)
    }

    /// Finds out what operations attach, and which photo the group has; where the storage fails, again in a while.
    private mutating func read(
        _ attaching: [OperationID], in conversation: ConversationID, _ context: inout NodeContext
    ) {
        do throws(StoreError) {
            for id in attaching {
                guard let operation = try context.storage.operation(id, of: conversation) else { continue }
                try read(operation, in: conversation, &context)
            }
            try readPhoto(of: conversation, &context)
        } catch {
            note(.notJudged(error))
            unreadConversations[conversation] = context.now + Self.readingBackoff
            planWake()
        }
    }

    /// Reads what was kept back of conversations that the user has accepted.
    mutating func readKeptBack(in context: inout NodeContext) {
        for conversation in index.conversationsWithUnopened where !isUnaccepted(conversation, &context) {
            readUnopened(in: conversation, &context)
        }
    }

    private func isUnaccepted(_ conversation: ConversationID, _ context: inout NodeContext) -> Bool {
        context.replicas[conversation].map { context.isUnaccepted($0) } ?? false
    }

    /// Tries again what the storage did not tell.
    mutating func readAgain(in context: inout NodeContext) {
        let now = context.now
        for (conversation, moment) in unreadConversations.sorted(by: { $0.key < $1.key }) where moment <= now {
            readUnopened(in: conversation, &context)
        }
        for (user, moment) in unreadCards.sorted(by: { $0.key < $1.key }) where moment <= now {
            readPhotos(of: user, &context)
        }
    }

    /// Takes in what an operation attaches, if its author may: to their own message, and not too much. One that cannot
    /// be opened yet stays where it is.
    private mutating func read(
        _ operation: Operation, in conversation: ConversationID, _ context: inout NodeContext
    ) throws(StoreError) {
        // Anybody can begin a group and name thousands of files there.
        if index.count(in: conversation) >= Self.maximumUnaccepted, isUnaccepted(conversation, &context) { return }
        guard let view = context.replicas[conversation]?.view(at: operation.header.membershipHeads) else { return }
        let storage = context.storage
        guard context.replicas[conversation]?.isRevoked(operation, in: storage) == false else {
            return index.drop(operation.id, in: conversation)
        }
        let bytes: [UInt8]
        switch context.replicas[conversation]?.epochs.read(operation, view: view, for: context.me) {
        case .open(let opened): bytes = opened
        case .unreadable(.notAnEpoch), .unreadable(.wrapBroken), .unreadable(.commitBroken),
            .unreadable(.keyElsewhere), .wanted, nil:
            return
        case .closed, .declined, .erased, .unreadable: return index.drop(operation.id, in: conversation)
        }
        let namer = FileIndex.Namer.operation(operation.id, in: conversation)
        guard index.mentions(by: namer).isEmpty,
            let body = try? AnnotationBody.decode(bytes, type: operation.header.type),
            case .file(let name, let reference, let thumbnail) = body.change,
            let message = try context.storage.operation(body.target, of: conversation),
            message.header.type == .message, message.author.user == operation.author.user,
            message.body != nil || context.replicas[conversation]?.wanted.contains(body.target) == true,
            index.count(of: body.target) < MessageState.maximumFiles
        else { return index.drop(operation.id, in: conversation) }
        let file = Attachment(operation: operation.id, name: name, reference: reference, thumbnail: thumbnail)
        let mention = { (reference: BlobReference, file: Attachment?) in
            FileIndex.Mention(
                namer: namer, readers: .view(operation.header.membershipHeads), author: operation.author.user,
                message: body.target, file: file, name: name, reference: reference)
        }
        try set([mention(reference, file)] + (thumbnail.map { [mention($0, nil)] } ?? []), by: namer, &context)
        index.drop(operation.id, in: conversation)
    }

    /// Finds out which photo a group has now; of one that was erased, none is kept.
    private mutating func readPhoto(
        of conversation: ConversationID, _ context: inout NodeContext
    ) throws(StoreError) {
        let photo = context.replicas[conversation].flatMap { context.isErased($0) ? nil : $0.group.photo }
        let namer = photo.map { FileIndex.Namer.operation($0.operation, in: conversation) }
        guard groupPhotos[conversation] != namer else { return }
        let before = groupPhotos[conversation]
        if let photo, let namer,
            let author = context.replicas[conversation]?.log.membership[photo.operation]?.author
        {
            try set(
                [photo.photo.picture, photo.photo.thumbnail].map {
                    FileIndex.Mention(
                        namer: namer, readers: .members, author: author.user, message: nil, file: nil,
                        name: GroupPhoto.fileName, reference: $0)
                }, by: namer, &context)
        }
        groupPhotos[conversation] = namer
        if let before { collect(index.remove([before]), at: context.now) }
    }

    // MARK: - Cards

    /// Finds out which photo a person shows now, and stops indexing the previous one. If the storage fails, it tries
    /// again later.
    mutating func readPhotos(of user: UserID, _ context: inout NodeContext) {
        do throws(StoreError) {
            try readCard(of: user, &context)
        } catch {
            note(.notJudged(error))
            unreadCards[user] = context.now + Self.readingBackoff
            planWake()
        }
    }

    /// The same; what is not known to be named by a card is not let go of where it throws.
    private mutating func readCard(of user: UserID, _ context: inout NodeContext) throws(StoreError) {
        unreadCards[user] = nil
        let person = context.contacts[user]
        let photo = person.photo.map { [$0.picture, $0.thumbnail] } ?? []
        let mentions = photo.map { reference in
            FileIndex.Mention(
                namer: .card(user), readers: .everybody, author: user, message: nil, file: nil,
                name: person.name + ".jpg", reference: reference)
        }
        try set(mentions, by: .card(user), &context)
    }

    // MARK: - What went

    /// Lets go of what operations attach whose bodies were erased, and of what is attached to them.
    mutating func forgetFiles(of erased: [OperationID], in conversation: ConversationID, _ context: inout NodeContext) {
        for id in erased { index.drop(id, in: conversation) }
        let namers = erased.map { FileIndex.Namer.operation($0, in: conversation) } + erased.flatMap(index.namers)
        collect(index.remove(namers), at: context.now)
    }

    /// Lets go of the photo that a group shows.
    mutating func forgetPhoto(of conversation: ConversationID, at now: Instant) {
        if let photo = groupPhotos.removeValue(forKey: conversation) { collect(index.remove([photo]), at: now) }
    }

    private mutating func set(
        _ mentions: [FileIndex.Mention], by namer: FileIndex.Namer, _ context: inout NodeContext
    ) throws(StoreError) {
        let gone = index.set(mentions, by: namer)
        do throws(StoreError) {
            for mention in mentions { try want(mention.reference.address, &context) }
        } catch {
            // Not what is here of it: that is only not known.
            index.set([], by: namer)
            throw error
        }
        collect(gone, at: context.now)
    }

    // MARK: - Starting

    /// Reads what is here of the files that the log names, and erases what it does not name.
    ///
    /// - Throws: where anything could not be read; nothing is erased then, since what names a file may be what was not
    ///   read.
    mutating func restore(in context: inout NodeContext) throws(StoreError) {
        canceled = try storage.canceled()
        for conversation in context.replicas.keys.sorted() {
            for entry in try context.storage.files(in: conversation) {
                index.postpone(entry.operation, in: conversation)
                try read(entry.operation, in: conversation, &context)
            }
            try readPhoto(of: conversation, &context)
        }
        for (user, _) in context.cardPhotos { try readCard(of: user, &context) }
        let named = Set(index.addresses.map(\.root))
        for root in try storage.roots().union(canceled) where !named.contains(root) {
            try storage.remove(root)
        }
    }
}

extension NodeContext {
    /// Who shows which photo, this user among them, by name.
    var cardPhotos: [(user: UserID, photo: PhotoReference)] {
        contacts.all.compactMap { person in person.photo.map { (person.user, $0) } }
    }
}
