import LocalAPIModel
import NIOCore
import NIOHTTP1
import NIOPosix

extension LocalClient {
    /// Puts a file in, to be sent.
    ///
    /// - Parameters:
    ///   - length: bytes of the file.
    ///   - next: the next bytes of the file, asked for when the node took those before; none at its end.
    public func upload(
        named name: String, mediaType: String, length: Int, next: () throws -> [UInt8]
    ) async throws -> FileDescription {
        var request = LocalRequest(.post, "blobs", query: [("name", name)])
        request.fields = [("content-type", mediaType), ("content-length", String(length))]
        return try await exchangeParts(request) { send in
            while case let bytes = try next(), !bytes.isEmpty { try await send(bytes) }
        } receive: { status, parts in
            var body: [UInt8] = []
            for try await part in parts { body += part }
            return try Self.read(FileDescription.self, from: body, status: status)
        }
    }

    /// Gets a file that is here.
    ///
    /// - Parameter take: called with its bytes as they come.
    /// - Throws: ``LocalClientError``, or what `take` throws; `connectionLost` where the file broke off.
    public func download(_ id: String, take: ([UInt8]) throws -> Void) async throws {
        try await exchangeParts(LocalRequest(.get, "blobs", id)) { _ in
        } receive: { status, parts in
            var refusal: [UInt8] = []
            for try await part in parts {
                if status == 200 { try take(part) } else { refusal += part }
            }
            if status != 200 { _ = try Self.read(FileDescription.self, from: refusal, status: status) }
        }
    }

    /// Sends a message that carries files.
    public func send(
        _ text: String?, files: [String], to conversation: String, replyTo: String? = nil, clientID: String? = nil
    ) async throws(LocalClientError) -> MessageDescription {
        try await ask(
            try LocalRequest(.post, "conversations", conversation, "messages")
                .with(SendMessages(text: text, replyTo: replyTo, clientId: clientID, files: files)))
    }

    /// A page of the files of a conversation, the newest unless told otherwise, in the order of their arrival.
    public func files(
        in conversation: String, kind: FileDescription.Kind? = nil, before: String?, limit: Int
    ) async throws(LocalClientError) -> FileList {
        try await ask(
            LocalRequest(
                .get, "conversations", conversation, "files",
                query: [("kind", kind?.rawValue), ("before", before), ("limit", String(limit))]))
    }

    /// All files of a conversation, page after page.
    public func files(
        in conversation: String, kind: FileDescription.Kind? = nil
    ) async throws(LocalClientError) -> [FileDescription] {
        var pages: [[FileDescription]] = []
        var before: String?
        repeat {
            let page = try await files(in: conversation, kind: kind, before: before, limit: 1_000)
            pages.append(page.files)
            before = page.earlier
        } while before != nil
        return Array(pages.reversed().joined())
    }

    /// The links in the messages of a conversation, the latest arrivals first.
    public func links(
        in conversation: String, before: String? = nil, limit: Int
    ) async throws(LocalClientError) -> LinkPage {
        try await ask(
            LocalRequest(
                .get, "conversations", conversation, "links", query: [("before", before), ("limit", String(limit))]))
    }

    /// Stops fetching a file.
    public func cancelTransfer(of id: String) async throws(LocalClientError) -> FileDescription {
        try await ask(LocalRequest(.delete, "blobs", id, "transfer"))
    }

    /// Goes on fetching a file.
    public func fetchFile(_ id: String) async throws(LocalClientError) -> FileDescription {
        try await ask(LocalRequest(.post, "blobs", id, "transfer"))
    }

    /// One exchange on a connection of its own, whose bodies are never in memory whole.
    private func exchangeParts<Value: Sendable>(
        _ request: LocalRequest, send: (([UInt8]) async throws -> Void) async throws -> Void,
        receive: (Int, BodyParts) async throws -> Value
    ) async throws -> Value {
        let channel = try await connect { channel in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHTTPClientHandlers()
                return try NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>(
                    wrappingChannelSynchronously: channel)
            }
        }
        return try await channel.executeThenClose { inbound, outbound in
            try await outbound.write(.head(request.head))
            do {
                try await send { try await outbound.write(.body(.byteBuffer(ByteBuffer(bytes: $0)))) }
                try await outbound.write(.end(nil))
            } catch is ChannelError {
                // The node refused in the middle, and its answer says why.
            }
            var parts = BodyParts(iterator: inbound.makeAsyncIterator())
            let status = try await parts.status()
            return try await receive(status, parts)
        }
    }
}

/// The body of an answer as it comes; one that breaks off is an error.
struct BodyParts: AsyncSequence, AsyncIteratorProtocol {
    var iterator: NIOAsyncChannelInboundStream<HTTPClientResponsePart>.AsyncIterator

    func makeAsyncIterator() -> BodyParts { self }

    /// Reads up to the status.
    mutating func status() async throws -> Int {
        while let part = try await part() {
            if case .head(let head) = part { return Int(head.status.code) }
        }
        throw LocalClientError.connectionLost
    }

    mutating func next() async throws -> [UInt8]? {
        switch try await part() {
        case .body(let buffer): Array(buffer.readableBytesView)
        case .end: nil
        case .head, nil: throw LocalClientError.connectionLost
        }
    }

    private mutating func part() async throws -> HTTPClientResponsePart? {
        do {
            return try await iterator.next()
        } catch let error as CancellationError {
            throw error
        } catch {
            throw LocalClientError.connectionLost
        }
    }
}
