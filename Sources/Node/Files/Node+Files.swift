import BlobStore
import Blobs
import Conversations
import Cryptography
import LocalAPIModel
import Logging
import NodeCore
import OperationLog
import Photos
import SQLiteStore
import Storage

/// Files for those who ask: the local API and the command.
extension Node {
    /// The most files that one message carries.
    public static let maximumFilesPerMessage = MessageState.maximumFiles
    /// Bytes of the longest file.
    public static let maximumFileBytes = BlobAddress.maximumLength

    // MARK: - Putting in and sending

    /// Begins to put a file in, off the node's queue.
    ///
    /// - Throws: `disk_full`, `quota_reached`, `storage_failed`.
    nonisolated package func receiveFile() throws(NodeError) -> BlobUpload {
        var random = SystemRandom()
        do throws(StoreError) {
            return try blobs.receive(using: &random)
        } catch {
            throw NodeError(error)
        }
    }

    /// Takes in an uploaded file. It is forgotten in an hour unless it is sent.
    ///
    /// Of a JPEG or PNG picture a photo is made, which takes its place: nobody else ever gets the file itself, and it
    /// is erased at once.
    ///
    /// - Throws: `name_invalid`; of a picture also `photo_too_large`, `photo_format`, `photo_broken`,
    ///   `photo_truncated`, `photo_timeout`, `photo_unavailable`, `disk_full`, `quota_reached`, `storage_failed`.
    package func take(_ reference: BlobReference, named name: String) async throws(NodeError) -> FileDescription {
        let photo: PhotoReference?
        do throws(NodeError) {
            guard FileName.isAllowed(name) else {
                throw NodeError(.nameInvalid, "A file's name has 1 to \(FileName.maximumBytes) bytes")
            }
            photo = try await self.photo(insteadOf: reference)
        } catch {
            discard(reference)
            throw error
        }
        for address in uploads.keys where !core.isUpload(address) { uploads[address] = nil }
        guard let photo else {
            change { $0.handle(.uploaded(reference), at: $1) }
            uploads[reference.address] = Upload(name: name)
            return describe(name: name, reference)
        }
        discard(reference)
        note(photo)
        uploads[photo.picture.address] = Upload(name: FileName.ofPhoto(madeOf: name), thumbnail: photo.thumbnail)
        return try describe(photo.picture.address)
    }

    /// Erases an upload that is not to be sent.
    private func discard(_ reference: BlobReference) {
        do throws(StoreError) {
            try blobs.remove(reference.address.root)
        } catch {
            // Nothing names it, so the next start erases it.
            logger.warning("A file could not be erased", metadata: ["code": "\(error.code)"])
        }
    }

    /// Sends one message that carries files.
    ///
    /// - Parameters:
    ///   - text: what it says; without one, what the files are called.
    ///   - files: the ids of 1 to ``maximumFilesPerMessage`` uploaded files, or that a message carries.
    ///   - clientID: as for ``send(_:to:replyTo:clientID:clearsDraft:)``.
    /// - Throws: as that, and `file_not_found`.
    public func send(
        _ text: String?, files: [String], to conversation: String, replyTo: String? = nil, clientID: String? = nil
    ) throws(NodeError) -> MessageDescription {
        let replica = try replica(toWriteTo: conversation)
        let answered = try replyTo.map { text throws(NodeError) in
            try stored(try messageID(matching: text, in: replica.id), in: replica).operation.id
        }
        let asked = clientID.map {
            AskedOnce($0, in: replica.id, sends: .files(files, text: text), answering: answered)
        }
        if let made = try repetition(of: asked) {
            guard let id = made.first else { preconditionFailure("a request with files makes one message") }
            return try message(id, of: replica.id)
        }
        let named = try files.map { id throws(NodeError) in
            let address = try file(named: id)
            return CarriedFile(name: name(of: address), address: address, thumbnail: thumbnail(of: address))
        }
        let sent = try change { core, moment throws(NodeError) in
            let sent = try core.send(
                text, with: named, to: replica.id, replyTo: answered, answering: asked.map(remembered), at: moment)
            if let message = sent.first { told.clientIDs[message.operation.id] = clientID }
            return sent
        }
        for file in named { uploads[file.address] = nil }
        guard let id = sent.first?.operation.id else { preconditionFailure("a message was written") }
        return try message(id, of: replica.id)
    }

    // MARK: - Looking

    /// What opens a file that is here, and its name.
    ///
    /// - Throws: `file_not_found`; `not_here`, `no_peer` and `cancelled` for one that is not here, or not all of it.
    package func openableFile(_ text: String) throws(NodeError) -> (reference: BlobReference, name: String) {
        try openableFile(at: try file(named: text))
    }

    /// The same of the file at an address.
    func openableFile(at address: BlobAddress) throws(NodeError) -> (reference: BlobReference, name: String) {
        guard let opening = core.opening(address) else { throw NodeError(.fileNotFound, "File not found") }
        switch core.state(of: address).phase {
        case .here:
            return (opening.reference, FileName.sanitized(opening.name ?? name(of: address)))
        case .fetching:
            throw NodeError(.notHere, "The file is still on its way", hint: "Ask again when its state is \"here\".")
        case .waiting:
            throw NodeError(.noPeer, "Nobody who is connected has the file", hint: "It comes when one of them is back.")
        case .offered:
            throw NodeError(
                .notHere, "The file is not fetched unless you ask for it", hint: retryHint(address))
        case .canceled:
            throw NodeError(.canceled, "The file was canceled", hint: retryHint(address))
        case .failed(let error):
            throw NodeError(error)
        }
    }

    /// The command that fetches a file.
    private func retryHint(_ address: BlobAddress) -> String? {
        guard let file = core.file(of: address), file.message != nil, file.reference.address == address,
            let conversation = file.conversation
        else { return nil }
        return
            "Fetch it with: moot files \(conversation.description.prefix(16)) \(address.root.hexadecimal.prefix(16)) --retry"
    }

    /// A piece of a file that is here, opened; any thread may ask.
    ///
    /// - Throws: `not_here` if it is gone, `digest_mismatch` if its sender sealed it with another key than they said.
    nonisolated package func piece(_ index: Int, of reference: BlobReference) throws(NodeError) -> [UInt8] {
        let found: BlobChunk?
        do throws(StoreError) {
            found = try blobs.chunk(index, of: reference.address)
        } catch {
            throw NodeError(error)
        }
        guard let chunk = found else {
            throw NodeError(.notHere, "A part of the file is not here any more", hint: "It is fetched again by itself.")
        }
        do throws(CryptographyError) {
            return try reference.key.open(chunk)
        } catch {
            throw NodeError(
                .digestMismatch, "The file is not what its sender said", hint: "Its sender must send it again.")
        }
    }

    /// Notes that a part of a file turned out not to be here: it is fetched again.
    package func missed(_ reference: BlobReference) {
        change { $0.handle(.chunkMissing(reference.address), at: $1) }
    }

    // MARK: - Cancelling

    /// Stops fetching a file.
    ///
    /// - Throws: `file_not_found`, `invalid_operation` for one that is here, `disk_full`, `storage_failed`.
    public func cancelTransfer(of text: String) throws(NodeError) -> FileDescription {
        let address = try file(named: text)
        try change { core, moment throws(NodeError) in try core.cancel(address, at: moment) }
        return try describe(address)
    }

    /// Goes on fetching a file that was canceled or could not be written.
    ///
    /// - Throws: as ``cancelTransfer(of:)``.
    public func fetchFile(_ text: String) throws(NodeError) -> FileDescription {
        let address = try file(named: text)
        try change { core, moment throws(NodeError) in try core.fetch(address, at: moment) }
        return try describe(address)
    }

    // MARK: - Describing

    /// Tells watchers how a file is doing, once for each hundredth of it.
    func publish(file address: BlobAddress) {
        let state = core.state(of: address)
        let sight = FileProgress(phase: state.phase, percent: state.chunks * 100 / state.of)
        guard told.files[address] != sight else { return }
        told.files[address] = sight
        if state.phase == .here { told.files[address] = nil }
        guard let description = try? describe(address) else { return }
        events.publish { NodeEvent(id: $0, type: .file, conversation: description.conversation, file: description) }
    }

    func describe(_ file: Attachment, of message: OperationID, in conversation: ConversationID) -> FileDescription {
        var description = describe(name: file.name, file.reference, thumbnail: file.thumbnail)
        description.message = message.description
        description.conversation = conversation.description
        return description
    }

    private func describe(_ address: BlobAddress) throws(NodeError) -> FileDescription {
        if let file = core.file(of: address) {
            var description = describe(name: file.name, file.reference, thumbnail: file.thumbnail)
            description.message = file.message?.description
            description.conversation = file.conversation?.description
            return description
        }
        guard let reference = core.opening(address)?.reference else { throw NodeError(.fileNotFound, "File not found") }
        return describe(name: name(of: address), reference, thumbnail: uploads[address]?.thumbnail)
    }

    func describe(
        name: String, _ reference: BlobReference, thumbnail: BlobReference? = nil
    ) -> FileDescription {
        let address = reference.address
        let state = core.state(of: address)
        let size = pictureSize(of: reference)
        let (word, error): (FileDescription.State, NodeError.Code?) =
            switch state.phase {
            case .here: (.here, nil)
            case .fetching: (.fetching, nil)
            case .waiting: (.waiting, .noPeer)
            case .offered: (.offered, nil)
            case .canceled: (.canceled, nil)
            case .failed(let error): (.failed, NodeError(error).code)
            }
        return FileDescription(
            id: address.root.hexadecimal, name: FileName.sanitized(name), size: address.length,
            mediaType: reference.mediaType.description,
            kind: FileDescription.Kind(reference.mediaType),
            state: word, received: min(address.length, state.chunks * BlobAddress.chunkByteCount),
            error: error?.rawValue,
            thumbnail: thumbnail.map { thumbnail in
                let size = pictureSize(of: thumbnail)
                return ThumbnailDescription(
                    id: thumbnail.address.root.hexadecimal, size: thumbnail.address.length,
                    here: core.state(of: thumbnail.address).phase == .here, width: size?.width, height: size?.height)
            }, width: size?.width, height: size?.height)
    }

    private func name(of address: BlobAddress) -> String {
        uploads[address]?.name ?? core.name(of: address) ?? address.root.hexadecimal
    }

    /// The thumbnail of a file that is here, if it has one that is here, too.
    private func thumbnail(of address: BlobAddress) -> BlobAddress? {
        if let upload = uploads[address] { return upload.thumbnail?.address }
        guard let file = core.file(of: address), file.reference.address == address,
            let thumbnail = file.thumbnail?.address, core.state(of: thumbnail).phase == .here
        else { return nil }
        return thumbnail
    }

    /// The file of an id or a unique beginning of one.
    ///
    /// - Throws: `file_not_found`, `ambiguous_name`.
    func file(named text: String) throws(NodeError) -> BlobAddress {
        let all = Set(core.blobs).union(uploads.keys).union(uploads.values.compactMap { $0.thumbnail?.address })
        let found = all.filter { text.utf8.count >= 4 && $0.root.hexadecimal.hasPrefix(text) }
        guard found.count <= 1 else {
            throw .ambiguousFile(text)
        }
        guard let address = found.first else { throw NodeError(.fileNotFound, "File not found") }
        return address
    }
}

extension NodeError {
    /// Refuses a beginning of an id that several files have.
    static func ambiguousFile(_ text: String) -> NodeError {
        NodeError(.ambiguousName, "\"\(text)\" may mean several files", hint: "Give more of the id.")
    }
}
