import Conversations
import Cryptography
import Dispatch
import KeyStore
import LocalAPIModel
import Logging
import NodeCore
import OperationLog
import Replication
import StreamTransport

/// The devices of the node's user, and how another host becomes one.
extension Node {
    /// The devices of the node's user, this one first.
    public func devices() -> [DeviceDescription] {
        core.certifiedDevices.map(describe).sorted { ($0.isThis ? 0 : 1, $0.id) < ($1.isThis ? 0 : 1, $1.id) }
    }

    private func describe(_ entry: IdentityRecord.Entry) -> DeviceDescription {
        let isThis = entry.device.id == core.device.id
        return DeviceDescription(
            id: entry.device.id.description, name: SanitizedText.line(entry.name, limit: 60), isThis: isThis,
            online: isThis || core.connectedDevices.contains(entry.device.id))
    }

    // MARK: - Linking

    /// Dials a host that shows a link code, and returns once both have proven themselves.
    ///
    /// Nothing is signed or given away before both users agree: see ``agree(toLink:named:)``.
    ///
    /// - Parameter passphrase: what guards the home: who only finds the node running makes no device of theirs.
    /// - Throws: `code_invalid`; `passphrase_needed`, `wrong_passphrase`; `invalid_operation` where another device holds the user's root;
    ///   `network_error` if nobody answers; `wrong_person` if somebody else does; `invalid_request` while others are being linked.
    public func beginLink(
        by text: String, passphrase: Passphrase? = nil
    ) async throws(NodeError) -> DeviceLinkDescription {
        let code: LinkCode
        do throws(MalformedCode) {
            code = try LinkCode(text)
        } catch {
            throw NodeError(
                .codeInvalid, error.description, hint: "'moot link' on the new host prints one that is whole.")
        }
        try core.requireRoot()
        let root = try await unsealRoot(with: passphrase)
        endOldLinks()
        for (id, link) in deviceLinks where link.key == code.invitation.key && !link.isAgreed { endLink(id) }
        guard deviceLinks.count < DeviceLink.maximumCount else {
            throw NodeError(
                .invalidRequest, "\(DeviceLink.maximumCount) hosts are being linked already",
                hint: "Wait until they have ended: ten minutes at most.")
        }
        var failure: LinkError?
        for address in code.addresses {
            let id = makeLink(to: code.invitation.key, root)
            guard let socket = await dial(address) else {
                deviceLinks[id] = nil
                continue
            }
            connect(socket, to: code.invitation, as: id)
            let link = await link(id, within: DeviceLink.meetingTime) { $0.digits != nil }
            if let digits = link?.digits {
                return DeviceLinkDescription(
                    id: id, digits: digits, expiresInSeconds: Int(LinkCode.lifetime.components.seconds))
            }
            failure = link?.failure ?? failure
            endLink(id)
        }
        if let failure { throw NodeError(failure) }
        let places = code.addresses.map(\.description).joined(separator: ", ")
        throw NodeError(
            .networkError, "Nobody answers at \(places)",
            hint: "'moot link' must still run there, and a firewall must let its port through.")
    }

    /// The node's user agrees. Returns once the user of the other host has agreed, too, and that host has stored what it needs.
    ///
    /// - Parameters:
    ///   - name: what to call the device; nil for "device" with a number.
    ///   - handsOverRoot: whether it is to hold the user's root as well.
    /// - Throws: `code_expired` for what is over, `canceled` if the other user says no, `network_error`, and as ``NodeCore``'s `certify`.
    public func agree(
        toLink id: String, named name: String?, handingOverRoot handsOverRoot: Bool = false
    ) async throws(NodeError) -> DeviceDescription {
        endOldLinks()
        guard let begun = deviceLinks[id], begun.digits != nil, !begun.isAgreed else { throw Self.noLink }
        deviceLinks[id]?.isAgreed = true
        defer { endLink(id) }
        let link = await link(id, within: begun.ends - .now) { $0.wrap != nil }
        guard let link, let wrap = link.wrap, link.failure == nil else {
            throw link?.failure.map { NodeError($0) } ?? Self.noLink
        }
        let device = Device(user: me, key: link.key)
        // First that it has begun: where the node ends in the middle, its next start takes it back.
        try home.noteLinking(device.id)
        deviceLinks[id]?.isCertified = true
        let introduction = try change { core, moment throws(NodeError) in
            try core.certify(link.key, named: name, wrap: wrap, at: moment)
        }
        if handsOverRoot { link.connection?.entrust(with: link.root) }
        link.connection?.welcome(with: introduction)
        let done = await self.link(id, within: DeviceLink.storingTime) { $0.isStored }
        guard done?.isStored == true, let entry = core.certifiedDevices.first(where: { $0.device == device }) else {
            if !isStopped { try withdrawUnfinishedLink() }
            throw NodeError(done?.failure ?? .ended)
        }
        try home.noteLinking(nil)
        logger.notice("a device was linked", metadata: ["device": "\(device.id)"])
        return describe(entry)
    }

    /// The node's user does not agree: nothing is given to the other host.
    ///
    /// - Returns: the link as it was.
    /// - Throws: `code_expired` for what is over.
    public func refuseLink(_ id: String) throws(NodeError) -> DeviceLinkDescription {
        guard let link = deviceLinks[id], let digits = link.digits, !link.isCertified else { throw Self.noLink }
        link.connection?.refuse()
        endLink(id)
        return DeviceLinkDescription(id: id, digits: digits, expiresInSeconds: 0)
    }

    private static let noLink = NodeError(
        .codeExpired, "This link is over", hint: "Begin anew: run 'moot link' on the new host.")

    /// Unseals the user's root once more, on another queue: a passphrase takes its time.
    ///
    /// - Throws: as ``Home/unsealedRoot(with:)``.
    private func unsealRoot(with passphrase: Passphrase?) async throws(NodeError) -> SecretBytes {
        let home = home
        return try await withCheckedContinuation {
            (continuation: CheckedContinuation<Result<SecretBytes, NodeError>, Never>) in
            DispatchQueue.global(qos: .userInitiated).async {
                continuation.resume(
                    returning: Result { () throws(NodeError) in try home.unsealedRoot(with: passphrase) })
            }
        }.get()
    }

    private func makeLink(to key: VerifyingKey, _ root: SecretBytes) -> String {
        var random = SystemRandom()
        let id = HexadecimalText.encode(random.bytes(16))
        deviceLinks[id] = DeviceLink(key: key, root: root, ends: .now + LinkCode.lifetime)
        return id
    }

    private func connect(_ socket: Socket, to invitation: LinkInvitation, as id: String) {
        guard let root = deviceLinks[id].flatMap({ SigningKey(seed: $0.root) }) else { return }
        var random = SystemRandom()
        let channel = LinkChannel(.holder(root: root, card: core.card), by: invitation, using: &random)
        deviceLinks[id]?.connection = LinkConnection(on: socket, queue: executor.queue, channel: channel) {
            [weak self] event in
            self?.assumeIsolated { $0.heard(event, ofLink: id) }
        }
    }

    private func dial(_ address: SocketAddress) async -> Socket? {
        await withCheckedContinuation { continuation in
            StreamDialer.dial(address, on: executor.queue) { continuation.resume(returning: try? $0.get()) }
        }
    }

    private func heard(_ event: LinkConnection.Event, ofLink id: String) {
        deviceLinks[id]?.take(event)
        wake(link: id)
    }

    private func wake(link id: String) {
        let waiters = deviceLinks[id]?.waiters ?? []
        deviceLinks[id]?.waiters = []
        for waiter in waiters { waiter.resume() }
    }

    /// Waits until a link has come so far, or failed; at most so long.
    private func link(
        _ id: String, within time: Duration, until hasComeSoFar: @Sendable (DeviceLink) -> Bool
    ) async -> DeviceLink? {
        let end = ContinuousClock.now + time
        let timer = Task { [weak self] in
            try? await Task.sleep(until: end, clock: .continuous)
            await self?.wake(link: id)
        }
        defer { timer.cancel() }
        while let link = deviceLinks[id], !hasComeSoFar(link), link.failure == nil, ContinuousClock.now < end {
            await withCheckedContinuation { deviceLinks[id]?.waiters.append($0) }
        }
        return deviceLinks[id]
    }

    private func endLink(_ id: String) {
        wake(link: id)
        deviceLinks.removeValue(forKey: id)?.connection?.close()
    }

    private func endOldLinks() {
        for (id, link) in deviceLinks where (link.ends <= .now || link.failure != nil) && !link.isAgreed { endLink(id) }
    }

    /// Takes back that a host is a device of the user which was not heard to have stored what it needs.
    func withdrawUnfinishedLink() throws(NodeError) {
        guard let device = home.linking else { return }
        try change { core, moment throws(NodeError) in try core.withdraw(device, at: moment) }
        try home.noteLinking(nil)
    }

    /// Lets nobody wait for a link when the node stops.
    func endLinks() { for id in deviceLinks.keys.sorted() { endLink(id) } }
}
