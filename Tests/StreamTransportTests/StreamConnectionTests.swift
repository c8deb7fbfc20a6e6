import Dispatch
import StreamTransport
import Synchronization
import Testing

@Suite("Connections")
struct StreamConnectionTests {
    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `bytes arrive in order whatever the sizes of the pieces`(seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        let host = seed.isMultiple(of: 2) ? IPAddress.loopbackV4 : .loopbackV6
        let door = try Door(SocketAddress(host, port: 0))
        let (dialled, accepted) = try await connect(through: door)
        let alice = Line(dialled)
        let bob = Line(accepted)
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
