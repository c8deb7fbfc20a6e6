import Blobs
import Conversations
import LocalAPIModel
import NodeCore
import OperationLog
import SQLiteStore
import Storage

/// Which files a conversation has.
extension Node {
    /// The most files of one page.
    public static let maximumFilesPerPage = 1_000
    /// Files looked at together.
    private static let filePart = 256
    /// Files looked at for one page, whatever there is of a kind.
    private static let maximumFilesLookedAt = 8_192

    /// A page of the files of a conversation, the newest unless told otherwise: those of messages that were not
    /// deleted, in the order of their arrival.
    ///
    /// A page may have fewer files than were asked for, and none, and there may be earlier ones all the same: where few
    /// are of a kind, a request looks at some thousands and no more.
    ///
    /// - Parameters:
    ///   - kind: nil for all.
    ///   - before: the `earlier` of the page before.
    ///   - limit: 1 to ``maximumFilesPerPage``.
    /// - Throws: `conversation_not_found`, `ambiguous_name`, `invalid_request`, `file_not_found` for what no page had
    ///   as `earlier`, `storage_failed`.
    /// - Complexity: O(`limit`), and 2 µs for each of at most 8,192 files of other kinds.
    public func files(
        in conversation: String, kind: FileDescription.Kind? = nil, before: String? = nil, limit: Int = 100
    ) throws(NodeError) -> FileList {
        let replica = try replica(named: conversation)
        guard (1...Self.maximumFilesPerPage).contains(limit) else {
            throw NodeError(.invalidRequest, "Ask for 1 to \(Self.maximumFilesPerPage) files")
        }
        let list: FileList?
        do throws(StoreError) {
            let start = try before.flatMap { text throws(StoreError) in
                try OperationID(hexadecimal: text).flatMap { id throws(StoreError) in try store.arrival(of: id) }
            }
            list =
                before != nil && start == nil
                ? nil : try files(of: replica, kind: kind, before: start, limit: limit)
        } catch {
            throw NodeError(error)
        }
        guard let list else {
            throw NodeError(
                .fileNotFound, "No page of files ended there", hint: "Pass on what a page has as \"earlier\".")
        }
        return list
    }

    private func files(
        of replica: Replica, kind: FileDescription.Kind?, before: Int64?, limit: Int
    ) throws(StoreError) -> FileList {
        var (start, last): (Int64?, OperationID?) = (before, nil)
        // The newest first, and one more than is shown: it tells whether there are others.
        var found: [(message: OperationID, file: Attachment)] = []
        for _ in 0..<Self.maximumFilesLookedAt / Self.filePart {
            let part = try store.fileArrivals(in: replica.id, before: start, limit: Self.filePart)
            let candidates = part.compactMap { core.carriedFile(by: $0.id, in: replica.id) }
                .filter { kind == nil || FileDescription.Kind($0.file.reference.mediaType) == kind }
            found += try shown(candidates, in: replica)
            if found.count > limit {
                let page = found.prefix(limit)
                return list(page, of: replica, earlier: page.last?.file.operation)
            }
            guard part.count == Self.filePart else { return list(found[...], of: replica, earlier: nil) }
            (start, last) = (part.last?.arrival, part.last?.id)
        }
        return list(found[...], of: replica, earlier: last)
    }

    private func list(
        _ files: ArraySlice<(message: OperationID, file: Attachment)>, of replica: Replica, earlier: OperationID?
    ) -> FileList {
        FileList(
            files: files.reversed().map { describe($0.file, of: $0.message, in: replica.id) },
            earlier: earlier?.description)
    }

    /// The files that the user is shown, in the order of their arrival: of messages that count and were not deleted, by
    /// people who are not blocked.
    ///
    /// - Parameter isWanted: whether the files of a message matter.
    /// - Complexity: O(*n*) in the files of the conversation.
    func shownFiles(
        in replica: Replica, of isWanted: (StoredMessage) -> Bool = { _ in true }
    ) throws(StoreError) -> [(message: OperationID, file: Attachment)] {
        try shown(try core.files(in: replica.id), in: replica, of: isWanted)
    }

    /// Those of some files that the user is shown.
    ///
    /// - Complexity: O(*n*) in the files and in what is said about their messages.
    func shown(
        _ carried: [(message: OperationID, file: Attachment)], in replica: Replica,
        of isWanted: (StoredMessage) -> Bool = { _ in true }
    ) throws(StoreError) -> [(message: OperationID, file: Attachment)] {
        var messages: [OperationLog.Operation] = []
        for id in Set(carried.map(\.message)).sorted() {
            guard let message = try store.message(id), isWanted(message),
                !core.isBlocked(message.operation.author.user)
            else { continue }
            messages.append(message.operation)
        }
        let opened = try core.open(messages, in: replica.id)
        return carried.filter { message, file in
            opened[message].map { $0.cutOff == nil && $0.state.files.contains(file) } ?? false
        }
    }
}

extension FileDescription.Kind {
    /// What a file of a media type is.
    init(_ type: MediaType) {
        self = type.isPhoto ? .photo : type.isVideo ? .video : .file
    }
}
