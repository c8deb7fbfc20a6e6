import Conversations
import Cryptography
import Dispatch
import KeyStore
import LocalAPIModel
import Logging
import NodeCore
import OperationLog
import Replication
import SQLiteStore
import Storage
import StreamTransport
import Time

/// The devices of the node's user, and how another host becomes one.
extension Node {
    /// The devices of the node's user, this one first, those taken out last.
    public func devices() -> [DeviceDescription] {
        describeDevices(of: me).sorted { rank($0) < rank($1) }
    }

    /// The devices of somebody this node has heard of, those taken out last.
    ///
    /// - Throws: `unknown_person`, `ambiguous_name`.
    public func devices(of person: String) throws(NodeError) -> [DeviceDescription] {
        let user = try self.person(named: person)
        return user == me ? devices() : describeDevices(of: user)
    }

    /// Notes that this host, whose home was recovered or restored, is one of the user's devices from now on.
    func becameDevice() {
        let now = Clock.now
        notifier.newsBegin = now
        do throws(StoreError) {
            try store.save(deviceSince: now)
        } catch {
            logger.error("after a restart old messages may notify", metadata: ["code": "\(error.code)"])
        }
        home.markCertified()
    }

    private func rank(_ device: DeviceDescription) -> (Int, String) {
        (device.state != .active ? 2 : device.isThis ? 0 : 1, device.id)
    }

    private func describeDevices(of user: UserID) -> [DeviceDescription] { core.devices(of: user).map(describe) }

    private func describe(_ device: KnownDevice) -> DeviceDescription {
        let isThis = device.id == core.device.id
        let state: DeviceDescription.State =
            switch device.takenOut {
            case nil: .active
            case .retired: .retired
            case .revoked: .revoked
            }
        return DeviceDescription(
            id: device.id.description, name: SanitizedText.line(device.name ?? "", limit: 60), isThis: isThis,
            online: isThis || core.connectedDevices.contains(device.id), state: state,
            addedAt: device.addedAt.map(Clock.text), lastSeen: device.lastSeen.map(Clock.text),
            holdsRoot: isThis ? core.holdsRoot : nil)
    }

    /// The device of the node's user that is meant by an id, a unique beginning of one, or its name; ``Designation``
    /// says which.
    private func device(named text: String) throws(NodeError) -> DeviceDescription {
        let all = devices()
        if let device = all.first(where: { $0.id == text }) { return device }
        let designation = Designation(text)
        let found = all.filter { device in
            !designation.isID && device.name == text || designation.idBeginning.map(device.id.hasPrefix) == true
        }
        let standing = found.filter { $0.state == .active }
        let meant = standing.isEmpty ? found : standing
        guard let device = meant.first else {
            throw NodeError(
                .invalidOperation, "No device of yours is called \"\(text)\"", hint: "'moot devices' lists them.")
        }
        guard meant.count == 1 else {
            throw NodeError(
                .ambiguousName, "Several of your devices are called \"\(text)\"",
                hint: "Name one by the beginning of its id: 'moot devices' shows them.")
        }
        return device
    }

    /// Gives a device of the node's user another name.
    ///
    /// - Parameter passphrase: what guards the home.
    /// - Throws: `ambiguous_name`; `passphrase_needed`, `wrong_passphrase`; and as ``NodeCore``'s `rename`.
    public func renameDevice(
        _ text: String, to name: String, passphrase: Passphrase? = nil
    ) async throws(NodeError) -> DeviceDescription {
        let device = try device(named: text)
        guard let id = DeviceID(hexadecimal: device.id) else { return device }
        _ = try await unsealRoot(with: passphrase)
        try change { core, moment throws(NodeError) in try core.rename(id, to: name, at: moment) }
        return try self.device(named: device.id)
    }

    /// Takes a device of the node's user out; what it wrote counts.
    ///
    /// - Parameter passphrase: what guards the home.
    /// - Throws: `ambiguous_name`; `passphrase_needed`, `wrong_passphrase`; and as ``NodeCore``'s `retire`.
    public func retireDevice(
        _ text: String, passphrase: Passphrase? = nil
    ) async throws(NodeError) -> DeviceDescription {
        let device = try device(named: text)
        guard let id = DeviceID(hexadecimal: device.id) else { return device }
        _ = try await unsealRoot(with: passphrase)
        try change { core, moment throws(NodeError) in try core.retire(id, at: moment) }
        logger.notice("a device was retired", metadata: ["device": "\(id)"])
        return try self.device(named: device.id)
    }

    /// What revoking a device of the node's user would take away.
    ///
    /// - Parameter seconds: how long ago it came into other hands; nil for now.
    /// - Throws: `ambiguous_name`, and as ``NodeCore``'s `losses`.
    public func revocationLosses(
        of text: String, stolenSecondsAgo seconds: Int?
    ) throws(NodeError) -> RevocationLossesDescription {
        let device = try device(named: text)
        let id = DeviceID(hexadecimal: device.id) ?? core.device.id
        let losses = try core.losses(byRevoking: id, stolenAt: Self.time(secondsAgo: seconds))
        return RevocationLossesDescription(
            device: device, conversations: losses.conversations, messages: losses.messages,
            decisions: losses.decisions, behind: losses.isBehind, blocked: losses.blocked.map(\.description))
    }

    /// Takes a device of the node's user out that is somebody else's: what it wrote since counts no more.
    ///
    /// - Parameters:
    ///   - seconds: how long ago it came into other hands; nil for now.
    ///   - isForced: whether also while this node lacks something that others have.
    ///   - passphrase: what guards the home.
    /// - Throws: `ambiguous_name`; `passphrase_needed`, `wrong_passphrase`; and as ``NodeCore``'s `revoke`.
    public func revokeDevice(
        _ text: String, stolenSecondsAgo seconds: Int?, isForced: Bool, passphrase: Passphrase? = nil
    ) async throws(NodeError) -> DeviceDescription {
        let device = try device(named: text)
        guard let id = DeviceID(hexadecimal: device.id) else { return device }
        let stolen = Self.time(secondsAgo: seconds)
        _ = try await unsealRoot(with: passphrase)
        try change { core, moment throws(NodeError) in
            try core.revoke(id, stolenAt: stolen, isForced: isForced, at: moment)
        }
        logger.notice("a device was revoked", metadata: ["device": "\(id)"])
        return try self.device(named: device.id)
    }

    private static func time(secondsAgo seconds: Int?) -> Timestamp? {
        seconds.map { Timestamp(clamping: Clock.now.milliseconds - Int64(clamping: $0) * 1_000) }
    }

    // MARK: - Telling

    /// Tells that somebody has other devices than before: quietly of others, and with a notification where the user
    /// themselves has one more.
    func publish(_ change: People.DeviceChange) {
        let name = contacts[change.user].name
        let isMe = change.user == me
        for (entries, words) in [
            (change.added, isMe ? "You have a new device" : "\(name) has a new device"),
            (change.gone, isMe ? "A device of yours was taken out" : "A device of \(name) was taken out"),
        ] {
            for entry in entries {
                let device = "\(SanitizedText.line(entry.name, limit: 60)) (\(entry.device.id.description.prefix(16)))"
                let text = "\(words): \(device)"
                events.publish { id in
                    NodeEvent(id: id, type: .warning, people: [describe(contacts[change.user])], text: text)
                }
            }
        }
        guard isMe else { return }
        // Also where it was linked here: whoever gave the word for it need not have been the user.
        for entry in change.added { notify(ofNewDevice: entry) }
    }

    private func notify(ofNewDevice entry: IdentityRecord.Entry) {
        let name = SanitizedText.line(entry.name, limit: 60)
        warn(.device, "You have a new device", "\(name). If it is not yours: moot devices revoke")
    }

    /// Tells the user that a browser of theirs has a service worker of the page, which the node never gives: somebody
    /// else planted it, who had the port of the page while the node did not run.
    public func notifyOfPlantedWorker() {
        warn(
            .intruder, "Somebody else was at the page's port",
            "They left a program in your browser. It was told to forget it: open Moot anew with moot open")
    }

    /// Shows the user what no conversation tells of, and leads them to their devices.
    private func warn(_ type: NotificationDescription.Kind, _ title: String, _ body: String) {
        let own = ConversationID(directBetween: me, and: me).description
        let shown = NotificationDescription(
            type: type, conversation: own, sender: me.description, timestamp: Clock.text(Clock.now.milliseconds),
            title: title, body: body, count: 0, link: "moot://devices")
        events.publish { id in NodeEvent(id: id, type: .notification, conversation: own, notification: shown) }
        for sink in configuration.notificationSinks { sink.show(shown) }
    }

    // MARK: - Linking

    /// Dials a host that shows a link code, and returns once both have proven themselves.
    ///
    /// Nothing is signed or given away before both users agree: see ``agree(toLink:named:)``.
    ///
    /// - Parameter passphrase: what guards the home: who only finds the node running makes no device of theirs.
    /// - Throws: `code_invalid`; `passphrase_needed`, `wrong_passphrase`; `invalid_operation` where another device
    ///   holds the user's root; `network_error` if nobody answers; `wrong_person` if somebody else does;
    ///   `invalid_request` while others are being linked.
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

    /// The node's user agrees. Returns once the user of the other host has agreed, too, and that host has stored what
    /// it needs.
    ///
    /// - Parameters:
    ///   - name: what to call the device; nil for "device" with a number.
    ///   - handsOverRoot: whether it is to hold the user's root as well. It gets that as the last, when it is a device
    ///     already.
    /// - Throws: `code_expired` for what is over, `canceled` if the other user says no, `network_error` (which says so
    ///   where the host is a device all the same), and as ``NodeCore``'s `certify`.
    public func agree(
        toLink id: String, named name: String?, handingOverRoot handsOverRoot: Bool = false
    ) async throws(NodeError) -> DeviceDescription {
        guard let begun = deviceLinks[id], begun.digits != nil, !begun.isAgreed, begun.ends > .now else {
            throw Self.noLink
        }
        deviceLinks[id]?.isAgreed = true
        defer { endLink(id) }
        endOldLinks()
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
        link.connection?.welcome(with: introduction)
        let done = await self.link(id, within: DeviceLink.storingTime) { $0.isStored }
        guard done?.isStored == true, core.certifiedDevices.contains(where: { $0.device == device }) else {
            if !isStopped { try withdrawUnfinishedLink() }
            throw NodeError(done?.failure ?? .ended)
        }
        try home.noteLinking(nil)
        logger.notice("a device was linked", metadata: ["device": "\(device.id)"])
        if handsOverRoot { try await handOverRoot(byLink: id) }
        return try self.device(named: device.id.description)
    }

    /// Gives the user's root to a host that is a device by now.
    private func handOverRoot(byLink id: String) async throws(NodeError) {
        guard let link = deviceLinks[id] else { throw .rootNotConfirmed }
        deviceLinks[id]?.isStored = false
        link.connection?.entrust(with: link.root)
        let done = await self.link(id, within: DeviceLink.storingTime) { $0.isStored }
        guard done?.isStored == true else { throw .rootNotConfirmed }
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

    /// Where roots are unsealed, one at a time: a passphrase takes its time, and 256 MiB.
    private static let unsealing = DispatchQueue(label: "moot.unsealing", qos: .userInitiated)

    /// Unseals the user's root once more, though the node has it: who only finds the node running signs nothing with
    /// it.
    ///
    /// - Throws: `invalid_operation` where another device holds the root, and as ``Home/unsealedRoot(with:)``.
    func unsealRoot(with passphrase: Passphrase?) async throws(NodeError) -> SecretBytes {
        try core.requireRoot()
        let home = home
        return try await withCheckedContinuation {
            (continuation: CheckedContinuation<Result<SecretBytes, NodeError>, Never>) in
            Self.unsealing.async {
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
