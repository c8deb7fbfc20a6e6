import LocalAPIModel
import NIOCore
import NIOHTTP1
import NIOPosix

extension LocalClient {
    /// Follows the node's events until it stops or the handler throws.
    ///
    /// The next event is read when the handler is done with the last.
    ///
    /// - Parameters:
    ///   - since: The id of the last event seen; later ones that the node still has come first.
    ///   - conversation: The one that is shown to the user while the events are followed, so that it needs no
    ///     notifications.
    ///   - onConnected: Called when the stream has begun: what happens from then on is seen.
    /// - Throws: ``LocalClientError``, or what a handler throws. Returns when the node ends the stream.
    public func follow(
        since: UInt64? = nil, showing conversation: String? = nil, onConnected: () async throws -> Void = {},
        _ handle: (NodeEvent) async throws -> Void
    ) async throws {
        let request = LocalRequest(.get, "events", query: [("since", since.map(String.init)), ("open", conversation)])
        let channel = try await connect { channel in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHTTPClientHandlers()
                return try NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>(
                    wrappingChannelSynchronously: channel)
            }
        }
        try await channel.executeThenClose { inbound, outbound in
            try await outbound.write(contentsOf: [.head(request.head), .end(nil)])
            var status = 0
            var refusal: [UInt8] = []
            var parser = EventStreamParser()
            var parts = inbound.makeAsyncIterator()
            while let part = try await Self.next(&parts) {
                switch part {
                case .head(let head):
                    status = Int(head.status.code)
                    if status == 200 { try await onConnected() }
                case .body(let buffer) where status == 200:
                    for data in try parser.consume(buffer.readableBytesView) {
                        let event = try Self.read(NodeEvent.self, from: data, status: status)
                        if event.type != .heartbeat { try await handle(event) }
                    }
                case .body(let buffer):
                    refusal += buffer.readableBytesView.prefix(64 << 10)
                case .end:
                    guard status == 200 else {
                        _ = try Self.read(NodeEvent.self, from: refusal, status: status)
                        return
                    }
                    return
                }
            }
        }
    }

    /// The next part of an answer; a connection that breaks in the midst of it is lost, however that shows.
    private static func next(
        _ parts: inout NIOAsyncChannelInboundStream<HTTPClientResponsePart>.AsyncIterator
    ) async throws -> HTTPClientResponsePart? {
        do {
            return try await parts.next()
        } catch let error as CancellationError {
            throw error
        } catch {
            throw LocalClientError.connectionLost
        }
    }
}
