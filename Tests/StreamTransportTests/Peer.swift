import Cryptography
import Dispatch
import OperationLog
import Replication
import StreamTransport

/// Somebody with one device, who can open channels.
struct Someone: Sendable {
    let author: Author
    let record: IdentityRecord
    let channelKey: AgreementKey

    init(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let root = SigningKey.generate(using: &random)
        author = Author(user: UserID(root.verifyingKey), key: SigningKey.generate(using: &random))
        record = IdentityRecord(
            root: root, serial: 1, devices: [IdentityRecord.Entry(device: author.device, name: "laptop")])
        channelKey = AgreementKey.generate(using: &random)
    }

    func channel(_ role: HandshakeState.Role, expecting device: DeviceID? = nil) -> SecureChannel {
        var random = SystemRandomNumberGenerator()
        return SecureChannel(
            role: role, author: author, record: record, channelKey: channelKey, expecting: device, using: &random)
    }
}

/// A peer connection whose events a test takes one by one.
final class Peer: Sendable {
    let connection: PeerConnection
    let events: AwaitedQueue<PeerConnection.Event>

    init(
        _ someone: Someone, _ role: HandshakeState.Role, over socket: Socket, expecting device: DeviceID? = nil,
        slot: HalfOpenSlot? = nil, maximumQueueBytes: Int = PeerConnection.defaultMaximumQueueBytes
    ) {
        let events = AwaitedQueue<PeerConnection.Event>()
        self.events = events
        connection = PeerConnection(
            socket: socket, channel: someone.channel(role, expecting: device), slot: slot,
            queue: DispatchQueue(label: "peer"), maximumQueueBytes: maximumQueueBytes,
            isConnected: { _ in false }, handler: { events.post($0) })
    }

    /// Who the peer is, and the hash of the handshake; nil if it failed.
    func established() async -> (identity: PeerIdentity, transcript: [UInt8])? {
        guard case .established(let identity, let transcript)? = await events.next() else { return nil }
        return (identity, transcript)
    }

    /// The next `count` messages, or fewer if the connection ends first.
    func receive(_ count: Int) async -> [[UInt8]] {
        var received: [[UInt8]] = []
        while received.count < count, let event = await events.next() {
            switch event {
            case .message(let message): received.append(message)
            case .closed: return received
            case .established, .congested: break
            }
        }
        return received
    }

    /// All messages until the connection ends, and how it ended.
    func end() async -> (messages: [[UInt8]], closure: PeerClosure)? {
        var received: [[UInt8]] = []
        while let event = await events.next() {
            switch event {
            case .message(let message): received.append(message)
            case .closed(let closure): return (received, closure)
            case .established, .congested: break
            }
        }
        return nil
    }

    /// Both ends of a new connection between Alice and Bob.
    static func pair(maximumQueueBytes: Int = PeerConnection.defaultMaximumQueueBytes) async throws -> (
        alice: Peer, bob: Peer
    ) {
        let (dialed, accepted) = try await connect(through: Door())
        return (
            Peer(Someone(seed: 1), .initiator, over: dialed, maximumQueueBytes: maximumQueueBytes),
            Peer(Someone(seed: 2), .responder, over: accepted)
        )
    }
}
