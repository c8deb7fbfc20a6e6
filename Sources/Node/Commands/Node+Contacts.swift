import LocalAPIModel
import NodeCore
import OperationLog
import StreamTransport

extension Node {
    /// How people whom discovery does not reach can find this node.
    ///
    /// - Throws: `network_error` on a host without an address that others could dial.
    public func contact() throws(NodeError) -> ContactDescription {
        let code = ContactCode(user: me, device: core.device.id, addresses: reachableAddresses)
        guard let code else { throw Self.unreachable }
        return ContactDescription(code: code.description, addresses: code.addresses.map(\.description))
    }

    /// Looks for the person whose contact code it is, and returns when they have introduced themselves.
    ///
    /// The addresses are remembered, also where nobody answers now.
    ///
    /// - Throws: `contact_invalid`; `invalid_operation` for the user's own code; `wrong_person` if somebody else
    ///   answers there; `network_error` if nobody does; `deleted_person`.
    public func add(contact text: String) async throws(NodeError) -> PersonDescription {
        let contact: ContactCode
        do throws(MalformedCode) {
            contact = try ContactCode(text)
        } catch {
            throw NodeError(.contactInvalid, error.description, hint: "'moot whoami --code' prints one that is whole.")
        }
        guard contact.user != me else {
            throw NodeError(
                .invalidOperation, "This operation is not allowed: this is your own contact code",
                hint: "Ask the other person for theirs: 'moot whoami --code' prints it.")
        }
        try core.requireNotDeleted(contact.user)
        switch await search(for: contact) {
        case .found:
            // Perhaps it is what they introduced themselves by.
            try core.requireNotDeleted(contact.user)
            return describe(contacts[contact.user])
        case .stranger(let user, let place):
            throw NodeError(
                .wrongPerson,
                "The contact code is of \(contact.user), but \(contacts[user].name), who is \(user), answers at \(place)",
                hint: "Ask for a new code. If it was fresh, somebody may pretend to be the person it is of.")
        case .nobody:
            let places = contact.addresses.map(\.description).joined(separator: ", ")
            throw .unreachablePeers(
                "Nobody answers at \(places)", hint: "The addresses are remembered, and the node goes on trying them.")
        }
    }

    static let unreachable = NodeError(
        .networkError, "This host has no address that others could dial",
        hint: "Connect it to a network, or start the node with --listen HOST:PORT.")

    private func search(for contact: ContactCode) async -> SearchOutcome {
        guard !isStopped else { return .nobody }
        let places = contact.addresses.map(\.description)
        return await withCheckedContinuation { continuation in
            searchers[contact.user, default: []].append(continuation)
            change { $0.search(for: contact.user, device: contact.device, at: places, moment: $1) }
        }
    }

    /// Tells everybody who waits for it how a search ended.
    func tellSearchers(of user: UserID, _ outcome: SearchOutcome) {
        for searcher in searchers.removeValue(forKey: user) ?? [] { searcher.resume(returning: outcome) }
    }

    /// Where other hosts can dial this node, the likeliest place first, as many as a contact code takes.
    var reachableAddresses: [SocketAddress] {
        listener.map { Self.reachable(on: $0.address, through: configuration.interfaces) } ?? []
    }

    /// Where other hosts can dial whoever listens at an address.
    static func reachable(on own: SocketAddress, through interfaces: [String]) -> [SocketAddress] {
        guard own.host.isUnspecified else { return [own] }
        let hosts = NetworkInterface.usable(named: interfaces).flatMap(\.addresses)
            .filter { own.host.isV4 ? $0.isV4 : true }
        // IPv4 first: everybody on a local network has it. A link-local IPv6 address means nothing without its
        // interface.
        let useful = hosts.filter(\.isV4) + hosts.filter { !$0.isV4 && !$0.isLinkLocal }
        var addresses: [SocketAddress] = []
        for host in useful where addresses.count < ContactCode.maximumAddresses {
            let address = SocketAddress(host, port: own.port)
            if !addresses.contains(address) { addresses.append(address) }
        }
        return addresses
    }
}
