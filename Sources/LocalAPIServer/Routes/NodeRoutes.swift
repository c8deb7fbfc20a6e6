import HTTPTypes
import Hummingbird
import LocalAPIModel
import Node

extension Route {
    /// How the node does and whom it is connected to.
    static let node = [
        Route(.get, "/status") { request, node in
            var status = await node.status()
            status.web = request.state.loopback?.origin
            return try APIResponse.json(status)
        },
        Route(.get, "/peers") { _, node in
            try APIResponse.json(await node.peers())
        },
        Route(.get, "/reachability") { _, node in
            try APIResponse.json(await node.reachability())
        },
        Route(.get, "/metrics") { request, node in
            let exposition = Metrics.exposition(
                of: await node.status(), unread: try await node.unreadCount(),
                eventStreams: request.state.eventStreams.count)
            return Response(
                status: .ok, headers: [.contentType: Metrics.contentType, .cacheControl: "no-store"],
                body: ResponseBody(byteBuffer: ByteBuffer(string: exposition)))
        },
        Route(.get, "/verify") { _, node in
            try APIResponse.json(await node.verify())
        },
        Route(.post, "/database-copies") { _, node in
            try APIResponse.json(await node.copyDatabase())
        },
        Route(.post, "/lock") { _, node in
            try APIResponse.json(await node.lock())
        },
        Route(.get, "/health") { _, node in
            let status = await node.status()
            let isWritable = status.storage == "writable"
            return try APIResponse.json(
                HealthDescription(
                    status: isWritable ? .ok : .degraded, version: status.version, storage: status.storage),
                status: isWritable ? .ok : .serviceUnavailable)
        },
    ]
}
