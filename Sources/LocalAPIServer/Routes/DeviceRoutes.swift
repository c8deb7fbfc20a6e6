import Cryptography
import HTTPTypes
import Hummingbird
import LocalAPIModel
import Node
import NodeCore

extension Route {
    /// How long ago a device may have come into other hands: ten years.
    private static let secondsAgo = 0...315_360_000

    /// The devices of the node's user. Another host becomes one at a terminal or on the page, never by a token. It gets the root at a terminal only.
    static let devices = [
        Route(.get, "/devices") { _, node in try APIResponse.json(await node.devices()) },
        Route(.patch, "/devices/{device}", taking: RenameDevice.self) { request, change, node in
            try APIResponse.json(
                await node.renameDevice(
                    request.segment("device"), to: change.name, passphrase: try passphrase(change.passphrase)))
        },
        Route(.post, "/devices/{device}/retirement", taking: RetireDevice.self) { request, change, node in
            try APIResponse.json(
                await node.retireDevice(request.segment("device"), passphrase: try passphrase(change.passphrase)))
        },
        Route(.get, "/devices/{device}/revocation", parameters: ["seconds"]) { request, node in
            try APIResponse.json(
                await node.revocationLosses(
                    of: request.segment("device"), stolenSecondsAgo: try request.number("seconds", within: secondsAgo)))
        },
        Route(.post, "/devices/{device}/revocation", taking: RevokeDevice.self) { request, change, node in
            if let seconds = change.seconds, !secondsAgo.contains(seconds) {
                throw NodeError(.invalidRequest, "A device was stolen 0 to \(secondsAgo.upperBound) seconds ago")
            }
            return try APIResponse.json(
                await node.revokeDevice(
                    request.segment("device"), stolenSecondsAgo: change.seconds, isForced: change.force ?? false,
                    passphrase: try passphrase(change.passphrase)))
        },
        Route(.post, "/device-links", taking: BeginDeviceLink.self) { request, wanted, node in
            try requireUser(request)
            let link = try await node.beginLink(by: wanted.code, passphrase: try passphrase(wanted.passphrase))
            return try APIResponse.created(link, at: "device-links", link.id)
        },
        Route(.post, "/device-links/{id}/agreement", taking: AgreeToDeviceLink.self) { request, wanted, node in
            try requireUser(request)
            // What runs on a page for a moment must not be able to give the identity away for good.
            if wanted.withRoot ?? false, request.arrival != .socket { throw RequestRefusal.rootOnSocketOnly }
            return try APIResponse.json(
                await node.agree(
                    toLink: request.segment("id"), named: wanted.name, handingOverRoot: wanted.withRoot ?? false))
        },
        Route(.delete, "/device-links/{id}") { request, node in
            try requireUser(request)
            return try APIResponse.json(await node.refuseLink(request.segment("id")))
        },
    ]

    /// Lets nobody link a host but the user: on the socket, or on the page of a browser that they let in.
    ///
    /// A token is a program's. To revoke it would not take back the device that the program made.
    private static func requireUser(_ request: APIRequest) throws(RequestRefusal) {
        guard request.arrival != .socket else { return }
        guard request.state.loopback?.session(of: request.httpRequest) != nil else { throw .userOnly }
    }

    /// The passphrase in a body, if there is one.
    private static func passphrase(_ text: String?) throws(NodeError) -> Passphrase? {
        guard let text else { return nil }
        guard let passphrase = Passphrase(text) else {
            throw NodeError(
                .invalidRequest, "A passphrase is one line of 1 to \(Passphrase.maximumBytes) bytes")
        }
        return passphrase
    }
}
