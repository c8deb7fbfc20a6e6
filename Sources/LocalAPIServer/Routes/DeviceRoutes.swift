import HTTPTypes
import Hummingbird
import LocalAPIModel
import Node
import NodeCore

extension Route {
    /// How long ago a device may have come into other hands: ten years.
    private static let secondsAgo = 0...315_360_000

    /// The devices of the node's user. The root is handed over at a terminal only.
    static let devices = [
        Route(.get, "/devices") { _, node in try APIResponse.json(await node.devices()) },
        Route(.patch, "/devices/{device}", byOwnerWith: RenameDevice.self) { request, change, passphrase, node in
            try APIResponse.json(
                await node.renameDevice(request.segment("device"), to: change.name, passphrase: passphrase))
        },
        Route(.post, "/devices/{device}/retirement", byOwnerWith: ProveOwner.self) { request, _, passphrase, node in
            try APIResponse.json(await node.retireDevice(request.segment("device"), passphrase: passphrase))
        },
        Route(.get, "/devices/{device}/revocation", parameters: ["seconds"]) { request, node in
            try APIResponse.json(
                await node.revocationLosses(
                    of: request.segment("device"), stolenSecondsAgo: try request.number("seconds", within: secondsAgo)))
        },
        Route(.post, "/devices/{device}/revocation", byOwnerWith: RevokeDevice.self) {
            request, change, passphrase, node in
            if let seconds = change.seconds, !secondsAgo.contains(seconds) {
                throw NodeError(.invalidRequest, "A device was stolen 0 to \(secondsAgo.upperBound) seconds ago")
            }
            return try APIResponse.json(
                await node.revokeDevice(
                    request.segment("device"), stolenSecondsAgo: change.seconds, isForced: change.force ?? false,
                    passphrase: passphrase))
        },
        Route(.post, "/device-links", byOwnerWith: BeginDeviceLink.self) { _, wanted, passphrase, node in
            let link = try await node.beginLink(by: wanted.code, passphrase: passphrase)
            return try APIResponse.created(link, at: "device-links", link.id)
        },
        // Whoever asks said the passphrase when the link began.
        Route(.post, "/device-links/{id}/agreement", taking: AgreeToDeviceLink.self, by: .user) {
            request, wanted, node in
            // What runs on a page for a moment must not be able to give the identity away for good.
            if wanted.withRoot ?? false, request.arrival != .socket { throw RequestRefusal.rootOnSocketOnly }
            return try APIResponse.json(
                await node.agree(
                    toLink: request.segment("id"), named: wanted.name, handingOverRoot: wanted.withRoot ?? false))
        },
        Route(.delete, "/device-links/{id}", by: .user) { request, node in
            try APIResponse.json(await node.refuseLink(request.segment("id")))
        },
    ]
}
