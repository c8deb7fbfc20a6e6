import Cryptography
import HTTPTypes
import Hummingbird
import LocalAPIModel
import Node

extension Route {
    /// The devices of the node's user. Only the Unix socket makes another host one: a page that was let in cannot give the user's conversations
    /// away.
    static let devices = [
        Route(.get, "/devices") { _, node in try APIResponse.json(await node.devices()) },
        Route(.patch, "/devices/{device}", taking: RenameDevice.self) { request, change, node in
            try APIResponse.json(await node.renameDevice(request.segment("device"), to: change.name))
        },
        Route(.post, "/devices/{device}/retirement") { request, node in
            try APIResponse.json(await node.retireDevice(request.segment("device")))
        },
        Route(.post, "/device-links", taking: BeginDeviceLink.self) { request, wanted, node in
            guard request.arrival == .socket else { throw RequestRefusal.socketOnly }
            let link = try await node.beginLink(
                by: wanted.code, passphrase: wanted.passphrase.flatMap { Passphrase($0) })
            return try APIResponse.created(link, at: "device-links", link.id)
        },
        Route(.post, "/device-links/{id}/agreement", taking: AgreeToDeviceLink.self) { request, wanted, node in
            guard request.arrival == .socket else { throw RequestRefusal.socketOnly }
            return try APIResponse.json(
                await node.agree(
                    toLink: request.segment("id"), named: wanted.name, handingOverRoot: wanted.withRoot ?? false))
        },
        Route(.delete, "/device-links/{id}") { request, node in
            guard request.arrival == .socket else { throw RequestRefusal.socketOnly }
            return try APIResponse.json(await node.refuseLink(request.segment("id")))
        },
    ]
}
