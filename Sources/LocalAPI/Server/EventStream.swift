import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import Node
import ServiceLifecycle

/// The node's events as server-sent events (HTML Living Standard, section 9.2).
enum EventStream {
    /// An answer that goes on until the client leaves or the node stops.
    ///
    /// A client that reads slowly slows down only its own stream: the node keeps a bounded number of events for it and
    /// then tells it to `resync`.
    static func answer(to request: Request, with events: AsyncStream<NodeEvent>) -> Response {
        let body = ResponseBody { writer in
            // The first bytes go out at once, so that the client knows from when on it sees everything.
            try await writer.write(ByteBuffer(string: ": connected\n\n"))
            try await request.body.consumeWithCancellationOnInboundClose { _ in
                for await event in events.cancelOnGracefulShutdown() {
                    try await writer.write(ByteBuffer(bytes: try encode(event)))
                }
            }
            try await writer.finish(nil)
        }
        return Response(
            status: .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-store"], body: body)
    }

    /// One event with its id, its type and itself as JSON, which never has a line break in it.
    static func encode(_ event: NodeEvent) throws(UnreadableJSON) -> [UInt8] {
        var bytes = Array("id: \(event.id)\nevent: \(event.type)\ndata: ".utf8)
        bytes += try WireFormat.encode(event)
        bytes += Array("\n\n".utf8)
        return bytes
    }
}
