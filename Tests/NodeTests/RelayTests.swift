import Dispatch
import LocalAPIModel
import Node
import StreamTransport
import Synchronization
import Testing
import Waiting

/// Forwards bytes between its clients and a place for a while, and then drops them.
private final class Relay: Sendable {
    /// The two sockets of one connection.
    private struct Pair: Sendable {
        let near: StreamConnection
        var far: StreamConnection?
        var early: [UInt8] = []
        let began = ContinuousClock.now
    }

    private let queue = DispatchQueue(label: "relay")
    private let pairs = Mutex<[Pair]>([])
    private let listener = Mutex<StreamListener?>(nil)
    private let patience: Duration

    init(to place: SocketAddress, for patience: Duration) throws {
        self.patience = patience
        // Not Bob's address: on that one his own port would count as reached.
        let made = try StreamListener(at: SocketAddress(.v4(0x7F00_0002), port: 0), queue: queue) { [weak self] event in
            guard case .accepted(let socket, let slot) = event else { return }
            slot.release()
            self?.pass(socket, to: place)
        }
        listener.withLock { $0 = made }
    }

    var address: String { listener.withLock { $0?.address.description ?? "" } }

    /// How many have dialed it.
    var count: Int { pairs.withLock(\.count) }

    private func pass(_ socket: Socket, to place: SocketAddress) {
        let index = count
        let near = StreamConnection(socket: socket, queue: queue) { [weak self] in
            self?.forward($0, of: index, isNear: true)
        }
        pairs.withLock { $0.append(Pair(near: near)) }
        StreamDialer.dial(place, on: queue) { [weak self] result in
            guard let self, case .success(let socket) = result else { return }
            let far = StreamConnection(socket: socket, queue: queue) { [weak self] in
                self?.forward($0, of: index, isNear: false)
            }
            let early = pairs.withLock { pairs in
                defer { pairs[index].far = far }
                return pairs[index].early
            }
            try? far.send(early)
        }
    }

    private func forward(_ event: StreamConnection.Event, of index: Int, isNear: Bool) {
        let pair = pairs.withLock { $0[index] }
        switch event {
        case .received(let bytes):
            guard ContinuousClock.now - pair.began < patience else { return }
            if isNear, pair.far == nil { return pairs.withLock { $0[index].early += bytes } }
            try? (isNear ? pair.far : pair.near)?.send(bytes)
        case .ended:
            pair.near.abort()
            pair.far?.abort()
        case .opened, .drained: break
        }
    }

    func stop() {
        listener.withLock { $0?.stop() }
        for pair in pairs.withLock({ $0 }) {
            pair.near.abort()
            pair.far?.abort()
        }
    }
}

/// Anybody can say that somebody is at a port of theirs, and pass on what comes there to Bob.
@Suite("Relays that somebody names")
struct RelayTests {
    @Test(arguments: [true, false])
    func `take the place of no connection`(aliceDialed: Bool) async throws {
        let scratch = try Scratch()
        let bob = try await Node.start("Bob", in: scratch)
        let alice = try await Node.start("Alice", in: scratch, peers: aliceDialed ? await bob.status().listening : [])
        if !aliceDialed { try await bob.name(peers: await alice.status().listening) }
        await eventually("Alice meets Bob") { await alice.hasMet(1) }
        let direct = try await alice.openDirect(with: "Bob")
        let listening = await bob.status().listening
        let place = try #require(listening.first.flatMap { SocketAddress($0) })
        let relay = try Relay(to: place, for: .milliseconds(300))
        let (before, clock) = (await alice.peers().map(\.connectedAt), ContinuousClock())
        try await alice.name(peers: [relay.address])
        await eventually("the relay is dialed") { relay.count > 0 }
        try await Task.sleep(for: .milliseconds(500))
        let began = clock.now
        _ = try await alice.send(["Hello"], to: direct.id)
        await eventually("Bob has it") {
            try await bob.conversations().contains { $0.lastMessage?.text == "Hello" }
        }
        #expect(clock.now - began < .seconds(2).scaled)
        #expect(await alice.peers().map(\.connectedAt) == before)
        relay.stop()
        for node in [alice, bob] { await node.stop() }
    }

    @Test func `lose what they have as soon as Bob answers elsewhere`() async throws {
        let scratch = try Scratch()
        let bob = try await Node.start("Bob", in: scratch)
        let listening = await bob.status().listening
        let place = try #require(listening.first.flatMap { SocketAddress($0) })
        let relay = try Relay(to: place, for: .seconds(2))
        let alice = try await Node.start("Alice", in: scratch, peers: [relay.address])
        await eventually("Alice meets Bob") { await alice.hasMet(1) }
        let direct = try await alice.openDirect(with: "Bob")
        try await Task.sleep(for: .seconds(2))
        _ = try await alice.send(["Hello"], to: direct.id)
        try await alice.name(peers: [relay.address] + listening)
        let (clock, began) = (ContinuousClock(), ContinuousClock.now)
        await eventually("Bob has it") {
            try await bob.conversations().contains { $0.lastMessage?.text == "Hello" }
        }
        #expect(clock.now - began < .seconds(11).scaled, "by itself it is given up after 16 s")
        relay.stop()
        for node in [alice, bob] { await node.stop() }
    }
}
