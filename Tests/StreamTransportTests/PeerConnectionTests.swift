import Cryptography
import Dispatch
import OperationLog
import Replication
import Testing

@testable import StreamTransport

extension SocketTests {
    @Suite("Peer connections")
    struct PeerConnectionTests {
        @Test
        func `both sides learn who the other is, and share a transcript`() async throws {
            let (alice, bob) = try await Peer.pair()
            let atAlice = try #require(await alice.established())
            let atBob = try #require(await bob.established())
            #expect(atAlice.identity.device == Someone(seed: 2).author.device)
            #expect(atBob.identity.device == Someone(seed: 1).author.device)
            #expect(atAlice.transcript == atBob.transcript)
        }

        @Test
        func `the other host acknowledges what nobody reads, until the connection is over`() async throws {
            let (alice, bob) = try await Peer.pair()
            _ = try #require(await alice.established())
            _ = try #require(await bob.established())
            bob.connection.pauseReading()
            try alice.connection.send([UInt8](repeating: 1, count: 4 << 20), urgency: .bulk)
            try await Task.sleep(for: .milliseconds(1_200))
            #expect(alice.connection.isAcknowledged)
            alice.connection.abort()
            await eventuallyFalse { alice.connection.isAcknowledged }
        }

        private func eventuallyFalse(_ condition: () -> Bool) async {
            for _ in 0..<500 where condition() { try? await Task.sleep(for: .milliseconds(10)) }
            #expect(!condition())
        }

        @Test(arguments: 1...10 as ClosedRange<UInt64>)
        func `messages of one urgency arrive whole and in order, both ways`(seed: UInt64) async throws {
            var random = SplitMix64(seed: seed)
            let (alice, bob) = try await Peer.pair()
            for (sender, receiver) in [(alice, bob), (bob, alice)] {
                var sent: [SecureChannel.Urgency: [[UInt8]]] = [:]
                for _ in 0..<30 {
                    let isLive = Bool.random(using: &random)
                    let size = Int.random(in: 1...Int.random(in: 1...100_000, using: &random), using: &random)
                    let message = [isLive ? 1 : 0] + random.bytes(size)
                    sent[isLive ? .live : .bulk, default: []].append(message)
                    try sender.connection.send(message, urgency: isLive ? .live : .bulk)
                }
                let received = await receiver.receive(30)
                #expect(received.filter { $0[0] == 1 } == sent[.live, default: []])
                #expect(received.filter { $0[0] == 0 } == sent[.bulk, default: []])
            }
        }

        @Test
        func `a live message overtakes the bulk that waits for a slow peer`() async throws {
            let (alice, bob) = try await Peer.pair()
            _ = try #require(await bob.established())
            bob.connection.pauseReading()
            for number in 1...7 as ClosedRange<UInt8> {
                try alice.connection.send([UInt8](repeating: number, count: 1 << 20), urgency: .bulk)
            }
            while alice.connection.queuedByteCount == 7 << 20 { try await Task.sleep(for: .milliseconds(1)) }
            try alice.connection.send([99], urgency: .live)
            bob.connection.resumeReading()
            let order = await bob.receive(8).map { $0[0] }
            #expect(order.filter { $0 != 99 } == [1, 2, 3, 4, 5, 6, 7])
            #expect(try #require(order.firstIndex(of: 99)) < 7)
        }

        @Test
        func `a message that no peer takes is refused, and the connection goes on`() async throws {
            let (alice, bob) = try await Peer.pair()
            let limit = SecureChannel.maximumMessageBytes
            for length in [limit - 1, limit] {
                try alice.connection.send([UInt8](repeating: 1, count: length), urgency: .bulk)
                #expect(await bob.receive(1).map(\.count) == [length])
            }
            #expect(throws: TransportError.messageTooLong(limit: limit)) {
                try alice.connection.send([UInt8](repeating: 1, count: limit + 1), urgency: .bulk)
            }
            try alice.connection.send([7], urgency: .live)
            #expect(await bob.receive(1) == [[7]])
        }

        /// A receipt about so many devices.
        private static func receipt(devices: Int) -> [UInt8] {
            var writer = CanonicalWriter()
            for word in ["user", "key"] { writer.write(digest: .hash("test", Array(word.utf8))) }
            writer.write(number: 1)
            writer.write(number: 1)
            writer.write(count: devices)
            for device in 0..<devices {
                writer.write(digest: .hash("test", [UInt8(device)]))
                writer.write(number: 1)
                writer.write(number: 0)
            }
            writer.write(raw: [UInt8](repeating: 9, count: 64))
            let slot = PeerMessage.LaneSlot(slot: 3, lane: .content)
            return PeerMessage.conversation(slot, .receipts(.receipts([writer.bytes], absent: []))).encoded
        }

        @Test
        func `what waits is counted rightly, also where words that went before are left out`() async throws {
            let (alice, bob) = try await Peer.pair()
            _ = try #require(await alice.established())
            // Each names the same user, key and devices, which go over the wire once.
            let message = Self.receipt(devices: 30)
            for _ in 0..<50 {
                for _ in 0..<100 { try alice.connection.send(message, urgency: .live) }
                let received = await bob.receive(100)
                #expect(received.allSatisfy { $0 == message })
            }
            // The last one may be sealed a moment after it was counted.
            for _ in 0..<1_000 where alice.connection.queuedByteCount != 0 {
                try await Task.sleep(for: .milliseconds(1))
            }
            #expect(alice.connection.queuedByteCount == 0)
        }

        @Test
        func `a slow peer is congestion, then an overflow, and nothing taken is lost`() async throws {
            let limit = 4 << 20
            let (alice, bob) = try await Peer.pair(maximumQueueBytes: limit)
            _ = try #require(await alice.established())
            bob.connection.pauseReading()
            var taken: [[UInt8]] = []
            var random = SplitMix64(seed: 1)
            let refusal = await #expect(throws: TransportError.self) {
                for _ in 0..<1000 {
                    let message = random.bytes(100_000)
                    try alice.connection.send(message, urgency: .bulk)
                    taken.append(message)
                    #expect(alice.connection.queuedByteCount <= limit)
                    try await Task.sleep(for: .microseconds(100))
                }
            }
            #expect(refusal == .overflow(limit: limit))
            guard case .congested(.bulk)? = await alice.events.next() else {
                return #expect(Bool(false), "not congested")
            }
            bob.connection.resumeReading()
            guard case .congested(.none)? = await alice.events.next() else {
                return #expect(Bool(false), "still congested")
            }
            #expect(await bob.receive(taken.count) == taken)
        }

        @Test
        func `what is bulky is no congestion of what is live`() async throws {
            let (alice, bob) = try await Peer.pair()
            _ = try #require(await alice.established())
            bob.connection.pauseReading()
            let large = [UInt8](repeating: 1, count: 1_500_000)
            // What the system takes is not counted.
            for _ in 0..<4 { try alice.connection.send(large, urgency: .bulk) }
            guard case .congested(.bulk)? = await alice.events.next() else {
                return #expect(Bool(false), "not congested")
            }
            try alice.connection.send(large, urgency: .live)
            guard case .congested(.live)? = await alice.events.next() else {
                return #expect(Bool(false), "what is live is not congested")
            }
            bob.connection.resumeReading()
            var said: [Congestion] = []
            while said.last != Congestion.none, case .congested(let congestion)? = await alice.events.next() {
                said.append(congestion)
            }
            #expect(said == [.bulk, .none] || said == [.none])
            #expect(await bob.receive(5).count == 5)
        }

        @Test
        func `less may wait for a stranger, for whom less is congestion, too`() async throws {
            let limit = 256 << 10
            let (alice, bob) = try await Peer.pair()
            _ = try #require(await alice.established())
            bob.connection.pauseReading()
            var random = SplitMix64(seed: 1)
            let refusal = await #expect(throws: TransportError.self) {
                for _ in 0..<1000 {
                    try alice.connection.send(random.bytes(10_000), urgency: .bulk, within: limit)
                    #expect(alice.connection.queuedByteCount <= limit)
                    try await Task.sleep(for: .microseconds(100))
                }
            }
            #expect(refusal == .overflow(limit: limit))
            guard case .congested(.bulk)? = await alice.events.next() else {
                return #expect(Bool(false), "not congested")
            }
            // Who is a stranger no more has room.
            try alice.connection.send(
                random.bytes(limit), urgency: .live, within: PeerConnection.defaultMaximumQueueBytes)
        }

        @Test
        func `closing sends all messages first, and both sides part in good order`() async throws {
            let (alice, bob) = try await Peer.pair()
            _ = try #require(await alice.established())
            let messages = (1...5).map { [UInt8](repeating: $0, count: 1_000_000) }
            for message in messages { try alice.connection.send(message, urgency: .bulk) }
            alice.connection.close()
            #expect(throws: TransportError.closed) { try alice.connection.send([1], urgency: .live) }
            let atBob = try #require(await bob.end())
            #expect(atBob.messages == messages)
            #expect(atBob.closure == .goodbye)
            #expect(try #require(await alice.end()).closure == .goodbye)
        }

        @Test
        func `both sides may leave at the same time`() async throws {
            for _ in 0..<20 {
                let (alice, bob) = try await Peer.pair()
                _ = try #require(await alice.established())
                _ = try #require(await bob.established())
                alice.connection.close()
                bob.connection.close()
                #expect(try #require(await alice.end()).closure == .goodbye)
                #expect(try #require(await bob.end()).closure == .goodbye)
            }
        }

        @Test
        func `a connection that ends without a goodbye was cut`() async throws {
            let (dialed, accepted) = try await connect(through: Door())
            let bob = Peer(Someone(seed: 2), .responder, over: accepted)
            let mallory = Line(dialed)
            mallory.connection.close()
            #expect(try #require(await bob.end()).closure == .channel(.truncated))

            let (alice, carol) = try await Peer.pair()
            _ = try #require(await alice.established())
            _ = try #require(await carol.established())
            alice.connection.abort()
            #expect(try #require(await carol.end()).closure == .transport(.reset))
            #expect(try #require(await alice.end()).closure == .aborted)
        }

        @Test
        func `another device than the one dialed is refused before anything is said`() async throws {
            let (dialed, accepted) = try await connect(through: Door())
            let carol = Someone(seed: 3).author.device.id
            let alice = Peer(Someone(seed: 1), .initiator, over: dialed, expecting: carol)
            // Before anybody answers: a connection that has ended takes nothing.
            try alice.connection.send([1], urgency: .live)
            let bob = Peer(Someone(seed: 2), .responder, over: accepted)
            #expect(
                try #require(await alice.end()).closure == .channel(.wrongDevice(Someone(seed: 2).author.device.id)))
            #expect(try #require(await bob.end()).messages.isEmpty)
        }

        @Test
        func `whoever says nothing has three seconds, then the place is free`() async throws {
            let door = try Door(limit: HalfOpenLimit(maximum: 1))
            let mallory = Line(try await dial(door.address))
            guard case .accepted(let socket, let slot)? = await door.events.next() else {
                return #expect(Bool(false), "not accepted")
            }
            let clock = ContinuousClock()
            let start = clock.now
            let bob = Peer(Someone(seed: 2), .responder, over: socket, slot: slot)
            #expect(try #require(await bob.end()).closure == .channel(.handshakeTimeout))
            #expect(
                (SecureChannel.handshakeDeadline...SecureChannel.handshakeDeadline + .seconds(1)).contains(
                    clock.now - start))
            _ = try await dial(door.address)
            _ = try await door.accept()
            #expect(await mallory.end() != nil)
        }

        @Test
        func `whoever says nothing loses their place to a newcomer when all are taken, and nobody else does`()
            async throws
        {
            let shared = SharedHalfOpenLimit(HalfOpenLimit(maximum: 2, maximumPerSource: 2))
            let door = try Door(sharing: shared)
            var dialed: [Line] = []
            var accepted: [Peer] = []
            for seed in 1...2 as ClosedRange<UInt64> {
                dialed.append(Line(try await dial(door.address)))
                guard case .accepted(let socket, let slot)? = await door.events.next() else {
                    return #expect(Bool(false), "not accepted")
                }
                accepted.append(Peer(Someone(seed: seed), .responder, over: socket, slot: slot))
            }
            let start = ContinuousClock.now
            guard case .admitted(let place, let address?) = shared.admit(.host(.v4(0x0A00_0001))) else {
                return #expect(Bool(false), "nobody was displaced")
            }
            #expect(address == dialed[0].connection.local)
            #expect(try #require(await accepted[0].end()).closure == .transport(.reset))
            #expect(await dialed[0].end() != nil)
            #expect(ContinuousClock.now - start < .seconds(2), "and not when its time is over")
            #expect(shared.count == 2)
            #expect(try #require(await accepted[1].end()).closure == .channel(.handshakeTimeout))
            #expect(shared.count == 1)
            withExtendedLifetime(place) {}
        }

        @Test(arguments: 1...40 as ClosedRange<UInt64>)
        func `garbage ends the connection`(seed: UInt64) async throws {
            var random = SplitMix64(seed: seed)
            let (dialed, accepted) = try await connect(through: Door())
            let bob = Peer(Someone(seed: 2), seed.isMultiple(of: 2) ? .initiator : .responder, over: accepted)
            let mallory = Line(dialed)
            // Half of it begins like a frame of an allowed length.
            var garbage = random.bytes(Int.random(in: 1000...5000, using: &random))
            if seed % 4 < 2 { garbage.replaceSubrange(0..<2, with: [0, UInt8.random(in: 32...255, using: &random)]) }
            // Bob may have had enough before all of it is said.
            try? mallory.connection.send(inPieces: garbage, upTo: 1000, using: &random)
            let end = try #require(await bob.end())
            #expect(end.messages.isEmpty)
            guard case .channel = end.closure else { return #expect(Bool(false), "\(end.closure)") }
        }

        @Test(arguments: 1...10 as ClosedRange<UInt64>)
        func `a byte changed on the way ends the connection, and nothing after it is believed`(seed: UInt64)
            async throws
        {
            var random = SplitMix64(seed: seed)
            let (near, middleNear) = try await connect(through: Door())
            let (middleFar, far) = try await connect(through: Door())
            let middle = Middle(middleNear, middleFar, changing: Int.random(in: 0...200_000, using: &random))
            let alice = Peer(Someone(seed: 1), .initiator, over: near)
            let bob = Peer(Someone(seed: 2), .responder, over: far)
            let messages = (0..<10).map { _ in random.bytes(30_000) }
            // A handshake that fails at once takes no messages.
            for message in messages { try? alice.connection.send(message, urgency: .bulk) }
            let end = try #require(await bob.end())
            #expect(Array(messages.prefix(end.messages.count)) == end.messages)
            #expect(end.messages.count < messages.count)
            guard case .channel = end.closure else { return #expect(Bool(false), "\(end.closure)") }
            #expect(await alice.end() != nil)
            middle.stop()
        }

        @Test
        func `hundreds of handshakes leave no descriptor behind`() async throws {
            let before = openDescriptorCount()
            for round in 0..<200 {
                let (alice, bob) = try await Peer.pair()
                if round.isMultiple(of: 2) { _ = await bob.established() }
                if round.isMultiple(of: 3) { alice.connection.close() }
            }
            for _ in 0..<300 where openDescriptorCount() > before { try await Task.sleep(for: .milliseconds(10)) }
            #expect(openDescriptorCount() <= before)
        }
    }
}

/// Somebody in the middle who passes bytes on, but changes one bit of those that go from near to far.
private final class Middle: Sendable {
    private let near: Line
    private let far: Line
    private let tasks: [Task<Void, Never>]

    init(_ near: Socket, _ far: Socket, changing position: Int) {
        let near = Line(near)
        let far = Line(far)
        self.near = near
        self.far = far
        tasks = [
            Task {
                var passed = 0
                while let event = await near.events.next() {
                    switch event {
                    case .received(var bytes):
                        if bytes.indices.contains(position - passed) { bytes[position - passed] ^= 1 }
                        passed += bytes.count
                        try? far.connection.send(bytes)
                    case .ended: return far.connection.close()
                    case .opened, .drained: break
                    }
                }
            },
            Task {
                while let event = await far.events.next() {
                    switch event {
                    case .received(let bytes): try? near.connection.send(bytes)
                    case .ended: return near.connection.close()
                    case .opened, .drained: break
                    }
                }
            },
        ]
    }

    func stop() {
        for task in tasks { task.cancel() }
        near.connection.abort()
        far.connection.abort()
    }
}
