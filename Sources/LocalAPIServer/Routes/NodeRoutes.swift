import HTTPTypes
import Hummingbird
import LocalAPIModel
import Node
import NodeCore

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
                eventStreams: request.state.eventStreams.count, timings: await node.timings())
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
        Route(.get, "/settings") { request, _ in
            try APIResponse.json(await settings(of: request).description)
        },
        Route(.post, "/settings/reload") { request, _ in
            try APIResponse.json(try await settings(of: request).reload())
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

    private static func settings(of request: APIRequest) throws(NodeError) -> any SettingsKeeper {
        if let settings = request.state.settings { return settings }
        throw NodeError(
            .invalidOperation, "The program that runs this node keeps no settings",
            hint: "A node that moot up starts has some.")
    }
}
