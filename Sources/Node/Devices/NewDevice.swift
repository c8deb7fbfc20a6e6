import Conversations
import Cryptography
import Foundation
import KeyStore
import NodeCore
import OperationLog
import Replication
import SQLiteStore
import Storage
import StreamTransport
import Time

/// A host that waits to become a device of a user. It is nobody yet: it has keys for this attempt alone, and a code
/// that it shows.
public actor NewDevice {
    /// Who wants to make this host a device of theirs, and what both users compare.
    public struct Meeting: Hashable, Sendable {
        /// What the user calls themselves, as it is shown.
        public let name: String
        /// The user's id.
        public let user: String
        /// Six digits that the other host shows, too.
        public let digits: String
    }

    nonisolated let executor = DispatchExecutor(label: "moot.link")
    /// The queue on which everything happens.
    nonisolated public var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Times that somebody who knows the secret may begin, for one code: each is a guess of what the user compares.
    static let maximumBeginnings = 64

    private let key: SecretBytes
    private let channelKey: SecretBytes
    private let wrapKey: AgreementKey
    private let invitation: LinkInvitation
    private var listener: StreamListener?
    /// Those who dialed and have not proven that they read the code.
    private var dialers: [Int: LinkConnection] = [:]
    private var dialed = 0
    /// How those who know the secret proved it. Whoever does not costs the code nothing.
    private var beginnings: Set<[UInt8]> = []
    /// The one who has.
    private var other: (connection: LinkConnection, meeting: Meeting, user: UserID)?
    private var introduction: Introduction?
    /// The seed of the user's root, where this host is to hold it as well.
    private var root: SecretBytes?
    private var failure: LinkError?
    /// What goes again where the home is not made to its end: only what this made.
    private var madeFiles: [String] = []
    private var waiters: [CheckedContinuation<Void, Never>] = []

    /// Draws keys for one attempt.
    public init() {
        var random = SystemRandom()
        key = SecretBytes(count: SigningKey.seedByteCount, using: &random)
        channelKey = SecretBytes(count: SigningKey.seedByteCount, using: &random)
        wrapKey = .generate(using: &random)
        guard let signing = SigningKey(seed: key),
            let invitation = LinkInvitation(
                key: signing.verifyingKey, secret: random.bytes(LinkInvitation.secretByteCount))
        else { preconditionFailure("32 bytes are a key, and 16 a secret") }
        self.invitation = invitation
    }

    /// Begins to listen, and returns the code by which the other host finds this one.
    ///
    /// - Parameter text: where to listen; nil for every address and any free port.
    /// - Throws: `bad_configuration`, `port_in_use`, `address_unavailable`, `permission_denied`, `network_error` on a
    ///   host that no other could dial.
    public func listen(at text: String? = nil) throws(NodeError) -> String {
        guard let address = text.map({ SocketAddress($0) }) ?? SocketAddress(.anyV6, port: 0) else {
            throw NodeError(
                .badConfiguration, "\"\(text ?? "")\" is no address to listen on", hint: "Write --listen 0.0.0.0:47471."
            )
        }
        do throws(TransportError) {
            let listener = try StreamListener(at: address, queue: executor.queue) { [weak self] event in
                guard case .accepted(let socket, let slot) = event else { return }
                self?.assumeIsolated { $0.accept(socket, slot) }
            }
            self.listener = listener
            guard let code = LinkCode(invitation, addresses: Node.reachable(on: listener.address, through: [])) else {
                throw TransportError.closed
            }
            return code.description
        } catch .closed {
            throw Node.unreachable
        } catch {
            throw Node.refusal(of: address, because: error)
        }
    }

    private func accept(_ socket: Socket, _ slot: HalfOpenSlot) {
        guard other == nil, !isUsedUp, let signing = SigningKey(seed: key) else { return }
        let number = dialed
        dialed += 1
        executor.queue.asyncAfter(deadline: .now() + .seconds(Int(DeviceLink.meetingTime.components.seconds))) {
            [weak self] in self?.assumeIsolated { $0.endUnlessMet(number) }
        }
        var random = SystemRandom()
        let channel = LinkChannel(.newcomer(signing), by: invitation, using: &random)
        dialers[number] = LinkConnection(on: socket, queue: executor.queue, channel: channel) {
            [weak self, slot] event in
            if case .ended = event { slot.release() }
            self?.assumeIsolated { $0.heard(event, from: number) }
        }
    }

    private func heard(_ event: LinkConnection.Event, from number: Int) {
        switch event {
        case .link(.begun(let proof)):
            guard other == nil else { return }
            // One that comes again was overheard, and is no guess: whoever sends it cannot go on.
            if !beginnings.insert(proof).inserted { dialers.removeValue(forKey: number)?.close() }
            guard isUsedUp else { return }
            end()
            dialers = [:]
        case .link(.met(let card, let digits)):
            guard other == nil, let connection = dialers[number] else { return }
            let name = DisplayName.shown(card.name) ?? "somebody without a name"
            other = (connection, Meeting(name: name, user: card.user.description, digits: digits), card.user)
            // The code is used.
            listener?.stop()
            for (dialer, connection) in dialers where dialer != number { connection.close() }
            dialers = [number: connection]
        case .link(.welcomed(let introduction)):
            guard isOther(number) else { return }
            self.introduction = introduction
        case .link(.entrusted(let seed)):
            guard isOther(number) else { return }
            root = SecretBytes(seed)
        case .link(.consented), .link(.stored): return
        case .ended(let error):
            let wasOther = isOther(number)
            dialers[number] = nil
            // Whoever has not read the code is nobody's business.
            guard wasOther else { return }
            failure = failure ?? error ?? .ended
        }
        wakeAll()
    }

    /// Whether so many began that nobody else is heard: somebody else read the code.
    private var isUsedUp: Bool { beginnings.count > Self.maximumBeginnings }

    /// Whoever says nothing must not keep others out.
    private func endUnlessMet(_ number: Int) {
        guard !isOther(number) else { return }
        dialers.removeValue(forKey: number)?.close()
    }

    private func isOther(_ number: Int) -> Bool {
        guard let connection = dialers[number] else { return false }
        return other?.connection === connection
    }

    /// Waits until something has come; at most so long.
    private func wait(within time: Duration, until hasCome: () -> Bool) async {
        let end = ContinuousClock.now + time
        let timer = Task { [weak self] in
            try? await Task.sleep(until: end, clock: .continuous)
            await self?.wakeAll()
        }
        defer { timer.cancel() }
        while !hasCome(), failure == nil, ContinuousClock.now < end {
            await withCheckedContinuation { waiters.append($0) }
        }
    }

    private func wakeAll() {
        for waiter in waiters { waiter.resume() }
        waiters = []
    }

    /// Waits until a host that holds a user's root has dialed, and has proven it.
    ///
    /// - Throws: `code_expired` if nobody did in time, or too many began who know the code's secret.
    public func meet() async throws(NodeError) -> Meeting {
        await wait(within: LinkCode.lifetime) { other != nil || isUsedUp }
        guard let meeting = other?.meeting else {
            guard !isUsedUp else {
                throw NodeError(
                    .codeExpired, "The code is used up: somebody tried it \(Self.maximumBeginnings) times",
                    hint: "Somebody else has read it. Run 'moot link' once more, where nobody else sees the screen.")
            }
            throw NodeError(.codeExpired, "Nobody used the code in ten minutes", hint: "Run 'moot link' once more.")
        }
        return meeting
    }

    /// The user of this host does not agree. Returns once that has left this host, or cannot.
    public func refuse() async {
        defer { end() }
        guard let other else { return }
        other.connection.refuse()
        await wait(within: .seconds(5)) { failure != nil }
    }

    /// The user of this host agrees. Returns once the home is made.
    ///
    /// - Parameters:
    ///   - folder: where; no home may be there but one that was restored without the root.
    ///   - passphrase: what is to guard its keys.
    /// - Throws: `canceled`, `network_error`, `invalid_operation` for a home that is there, and as ``Home``.
    ///   `disk_full` and `permission_denied` also where only the root could not be stored: then the home is there.
    /// - Returns: whether this host holds the user's root as well.
    @discardableResult
    public func settle(in folder: String, passphrase: Passphrase? = nil) async throws(NodeError) -> Bool {
        defer { end() }
        guard let other, let signing = SigningKey(seed: key) else { return false }
        let author = Author(user: other.user, key: signing)
        other.connection.consent(with: WrapRecord(by: author, counter: 1, key: wrapKey.publicKey))
        await wait(within: LinkCode.lifetime) { introduction != nil }
        guard let introduction else { throw NodeError(failure ?? .ended) }
        let home: Home
        do throws(NodeError) {
            if let failure { throw NodeError(failure) }
            home = try await makeHome(folder, passphrase, introduction)
        } catch {
            for name in madeFiles { try? FileManager.default.removeItem(atPath: folder + "/" + name) }
            throw error
        }
        other.connection.confirm()
        // The holder ends the connection, after it has handed over the root or at once.
        await wait(within: .seconds(5)) { root != nil }
        guard let root else { return false }
        try home.take(root: root)
        other.connection.confirm()
        await wait(within: .seconds(5)) { false }
        return true
    }

    private func makeHome(
        _ folder: String, _ passphrase: Passphrase?, _ introduction: Introduction
    ) async throws(NodeError) -> Home {
        // Before anything is looked for or removed there: from then on nobody else decides what is there.
        try Home.makeFolder(folder)
        let isRestored = StoppedHome.awaitsLink(folder)
        if !isRestored {
            guard !StoppedHome.isThere(folder), !FileManager.default.fileExists(atPath: folder + "/replica.sqlite")
            else {
                throw NodeError(
                    .invalidOperation, "There is a home in \(folder) already",
                    hint: "Choose another folder with --home.")
            }
            madeFiles = ["keys", "replica.sqlite", "replica.sqlite-wal"]
        }
        var random = SystemRandom()
        let home = try Home(
            folder: folder, passphrase: passphrase,
            given: .linked(user: introduction.card.user, device: key, channel: channelKey), random: &random)
        try fill(home, with: introduction, isRestored: isRestored)
        try home.markInUse()
        // The holder takes back what was not confirmed in time: what was said meanwhile is heard first.
        await Task.yield()
        if let failure { throw NodeError(failure) }
        home.markCertified()
        return home
    }

    private func fill(
        _ home: Home, with introduction: Introduction, isRestored: Bool
    ) throws(NodeError) {
        var random = SystemRandom()
        do throws(StoreError) {
            let store = try ReplicaStore(at: home.database, replicaEpoch: random.bytes(16), isRestored: isRestored)
            try NodeCore.begin(
                as: introduction, keys: home.keys, wrapKey: wrapKey, in: store, at: Clock.now, using: &random)
            try store.save(deviceSince: Clock.now)
            try store.close()
        } catch {
            throw NodeError(error)
        }
    }

    private func end() {
        listener?.stop()
        for connection in dialers.values { connection.close() }
    }
}
