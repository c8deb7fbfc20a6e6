import HTTPTypes
import Hummingbird
import Node

extension Endpoint {
    /// How the node does and whom it is connected to.
    static let node = [
        Endpoint(.get, "/status") { _, node in
            try APIResponse.json(await node.status())
        },
        Endpoint(.get, "/peers") { _, node in
            try APIResponse.json(await node.peers())
        },
        Endpoint(.get, "/metrics") { asked, node in
            let exposition = Metrics.exposition(
                of: await node.status(), unread: try await node.unreadCount(),
                eventStreams: asked.state.eventStreams.count)
            return Response(
                status: .ok, headers: [.contentType: Metrics.contentType, .cacheControl: "no-store"],
                body: ResponseBody(byteBuffer: ByteBuffer(string: exposition)))
        },
        Endpoint(.get, "/verify") { _, node in
            try APIResponse.json(await node.verify())
        },
        Endpoint(.post, "/lock") { _, node in
            try APIResponse.json(await node.lock())
        },
        Endpoint(.get, "/health") { _, node in
            let status = await node.status()
            let isWritable = status.storage == "writable"
            return try APIResponse.json(
                HealthDescription(
                    status: isWritable ? "ok" : "degraded", version: status.version, storage: status.storage),
                status: isWritable ? .ok : .serviceUnavailable)
        },
    ]
}
