import Dispatch
import StreamTransport
import Synchronization
import Testing

extension SocketTests {
    @Suite("Connections")
    struct StreamConnectionTests {
        @Test(arguments: 1...20 as ClosedRange<UInt64>)
        func `bytes arrive in order whatever the sizes of the pieces`(seed: UInt64) async throws {
            var random = SplitMix64(seed: seed)
            let host = seed.isMultiple(of: 2) ? IPAddress.loopbackV4 : .loopbackV6
            let (alice, bob) = try await Line.pair(through: Door(SocketAddress(host, port: 0)))
            let fromAlice = random.bytes(Int.random(in: 1...2_000_000, using: &random))
            let fromBob = random.bytes(Int.random(in: 1...2_000_000, using: &random))
            try alice.connection.send(inPieces: fromAlice, upTo: 100_000, using: &random)
            try bob.connection.send(inPieces: fromBob, upTo: 1000, using: &random)
            #expect(await bob.receive(fromAlice.count) == fromAlice)
            #expect(await alice.receive(fromBob.count) == fromBob)
            alice.connection.close()
            #expect(try #require(await bob.end()).error == nil)
            #expect(try #require(await alice.end()).error == nil)
        }

        @Test
        func `what one thread sends stays in order while others send`() async throws {
            let (alice, bob) = try await Line.pair()
            let threads = 4
            let count = 2000
            DispatchQueue.concurrentPerform(iterations: threads) { thread in
                for number in 0..<count {
                    try? alice.connection.send([UInt8(thread), UInt8(number >> 8), UInt8(number & 255)])
                }
            }
            let received = await bob.receive(threads * count * 3)
            try #require(received.count == threads * count * 3)
            var next = [Int](repeating: 0, count: threads)
            for start in stride(from: 0, to: received.count, by: 3) {
                let thread = Int(received[start])
                #expect(Int(received[start + 1]) << 8 | Int(received[start + 2]) == next[thread])
                next[thread] += 1
            }
        }

        @Test
        func `opened comes first and ended comes last`() async throws {
            let (alice, bob) = try await Line.pair()
            try alice.connection.send([1])
            alice.connection.close()
            guard case .opened = await bob.events.next() else { return #expect(Bool(false), "not opened first") }
            guard case .received([1]) = await bob.events.next() else { return #expect(Bool(false), "not received") }
            guard case .ended(nil) = await bob.events.next() else { return #expect(Bool(false), "not ended") }
            #expect(await bob.events.next(within: .milliseconds(50)) == nil)
        }

        @Test
        func `closing sends what waits first`() async throws {
            var random = SplitMix64(seed: 1)
            let (alice, bob) = try await Line.pair()
            let bytes = random.bytes(3_000_000)
            try alice.connection.send(bytes)
            alice.connection.close()
            let end = try #require(await bob.end())
            #expect(end.received == bytes)
            #expect(end.error == nil)
            #expect(try #require(await alice.end()).error == nil)
        }

        @Test
        func `last words arrive although the listener is still talking`() async throws {
            // A system answers bytes for a closed socket with a reset, and a reset makes the other side forget what it
            // has not read yet.
            var random = SplitMix64(seed: 2)
            let words = random.bytes(500_000)
            for _ in 0..<20 {
                let (alice, bob) = try await Line.pair()
                try bob.connection.send([UInt8](repeating: 0, count: 4_000_000))
                try alice.connection.send(words)
                alice.connection.close()
                #expect(await bob.receive(words.count) == words)
                bob.connection.abort()
            }
        }

        @Test
        func `a peer that closes its half still gets the answer`() async throws {
            let (near, far) = try await connect(through: Door())
            let bob = EchoLine(far)
            let alice = StreamUser(near)
            var random = SplitMix64(seed: 3)
            let question = random.bytes(700_000)
            alice.ask(question)
            #expect(await alice.answer.next() == question)
            #expect(await bob.ended.next() == .some(nil))
        }

        @Test
        func `a peer that breaks off is a reset`() async throws {
            let (alice, bob) = try await Line.pair()
            try alice.connection.send([1, 2, 3])
            #expect(await bob.receive(3) == [1, 2, 3])
            alice.connection.abort()
            #expect(try #require(await alice.end()).error == nil)
            #expect(try #require(await bob.end()).error == .reset)
        }

        @Test
        func `a reset is noticed by a side that has only been sending`() async throws {
            let (alice, bob) = try await Line.pair()
            alice.connection.pauseReading()
            bob.connection.pauseReading()
            let count = 4_000_000
            try bob.connection.send([UInt8](repeating: 1, count: count))
            while bob.connection.queuedByteCount == count { try await Task.sleep(for: .milliseconds(1)) }
            alice.connection.abort()
            #expect(try #require(await bob.end()).error == .reset)
        }

        @Test
        func `a peer that never reads fills the buffer and no more, and loses nothing`() async throws {
            let limit = 1_000_000
            let (near, far) = try await connect(through: Door())
            let alice = Line(near, maximumSendBytes: limit)
            let bob = Line(far)
            bob.connection.pauseReading()
            var random = SplitMix64(seed: 4)
            let piece = random.bytes(50_000)
            var taken = 0
            let refusal = await #expect(throws: TransportError.self) {
                // Far more than the two kernels and the buffer hold together.
                for _ in 0..<2000 {
                    try alice.connection.send(piece)
                    taken += 1
                    #expect(alice.connection.queuedByteCount <= limit)
                    if taken.isMultiple(of: 20) { try await Task.sleep(for: .microseconds(200)) }
                }
            }
            #expect(refusal == .overflow(limit: limit))
            bob.connection.resumeReading()
            let received = await bob.receive(taken * piece.count)
            #expect(received == Array(repeatElement(piece, count: taken).joined()))
            #expect(alice.connection.queuedByteCount == 0)
            try alice.connection.send([7])
            #expect(await bob.receive(1) == [7])
        }

        @Test
        func `drained is told once each time a full buffer empties`() async throws {
            let (alice, bob) = try await Line.pair()
            try alice.connection.send([UInt8](repeating: 1, count: 1000))
            try alice.connection.send([UInt8](repeating: 2, count: StreamConnection.lowWater * 8))
            _ = await bob.receive(1000 + StreamConnection.lowWater * 8)
            guard case .opened = await alice.events.next() else { return #expect(Bool(false), "not opened first") }
            guard case .drained = await alice.events.next() else { return #expect(Bool(false), "not drained") }
            #expect(await alice.events.next(within: .milliseconds(50)) == nil)
        }

        @Test
        func `a peer that never reads cannot hold up the end`() async throws {
            let (alice, bob) = try await Line.pair()
            bob.connection.pauseReading()
            while (try? alice.connection.send([UInt8](repeating: 1, count: 100_000))) != nil {}
            alice.connection.close()
            #expect(try #require(await alice.end()).error == .timedOut)
        }

        @Test
        func `nothing is taken after closing`() async throws {
            let (alice, bob) = try await Line.pair()
            alice.connection.close()
            #expect(throws: TransportError.closed) { try alice.connection.send([1]) }
            #expect(try #require(await bob.end()).error == nil)
            #expect(throws: TransportError.closed) { try bob.connection.send([1]) }
            // Neither of these has anything left to do.
            alice.connection.close()
            bob.connection.abort()
        }

        @Test
        func `a connection that is let go breaks off`() async throws {
            func visit() async throws -> Line {
                let (alice, bob) = try await Line.pair()
                try alice.connection.send([1])
                #expect(await bob.receive(1) == [1])
                return bob
            }
            #expect(try await visit().end() != nil)
        }

        @Test
        func `few connections wait for peers that never close their half`() async throws {
            let count = 3 * 64
            let door = try Door(limit: HalfOpenLimit(maximum: count, maximumPerSource: count))
            let before = openDescriptorCount()
            var peers: [Socket] = []
            for _ in 0..<count {
                let (peer, accepted) = try await connect(through: door)
                let line = Line(accepted)
                guard case .opened? = await line.events.next() else { return #expect(Bool(false), "not opened") }
                line.connection.close()
                peers.append(peer)
            }
            // Of each peer three descriptors are open here, too, and other suites open some.
            let most = before + 3 * count + 3 * 64 + 128
            for _ in 0..<100 where openDescriptorCount() > most { try await Task.sleep(for: .milliseconds(10)) }
            #expect(openDescriptorCount() <= most)
            withExtendedLifetime(peers) {}
        }

        @Test
        func `thousands of connections leave no descriptor behind`() async throws {
            let door = try Door(limit: HalfOpenLimit(maximum: 1000, maximumPerSource: 1000))
            _ = try await Line.pair(through: door)
            let before = openDescriptorCount()
            for round in 0..<2000 {
                let (alice, bob) = try await Line.pair(through: door)
                switch round % 4 {
                case 0: alice.connection.close()
                case 1: alice.connection.abort()
                case 2:
                    alice.connection.close()
                    bob.connection.close()
                default:
                    try alice.connection.send([1])
                    bob.connection.abort()
                }
                if !round.isMultiple(of: 3) { _ = await bob.end() }
            }
            // The last ones are still closing.
            for _ in 0..<300 where openDescriptorCount() > before { try await Task.sleep(for: .milliseconds(10)) }
            #expect(openDescriptorCount() <= before)
        }
    }
}

extension StreamConnection {
    /// Sends bytes in pieces of random sizes, mostly small ones.
    func send(inPieces bytes: [UInt8], upTo limit: Int, using random: inout some RandomNumberGenerator) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let size = Int.random(in: 1...Int.random(in: 1...limit, using: &random), using: &random)
            try send(Array(rest.prefix(size)))
            rest = rest.dropFirst(size)
        }
    }
}
