import Cryptography
import Testing

@Suite("libsodium")
struct SodiumTests {
    @Test
    func `the library found here passes the self-test, from many threads at once`() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 { group.addTask { try Sodium.start() } }
            try await group.waitForAll()
        }
    }

    @Test
    func `the system's random source does not repeat itself`() {
        var random = SystemRandom()
        let drawn = (0..<64).map { _ in random.next() }
        #expect(Set(drawn).count == drawn.count)
    }

    @Test(arguments: [0, 1, 7, 8, 9, 32])
    func `as many random bytes are drawn as asked for, in the generator's order`(count: Int) {
        var one = SplitMix64(seed: 1)
        var two = SplitMix64(seed: 1)
        let drawn = one.bytes(count)
        #expect(drawn.count == count)
        #expect(two.bytes(32).starts(with: drawn))
    }

    @Test
    func `secret bytes are what was put in`() {
        let secret = SecretBytes([1, 2, 3])
        #expect(secret.count == 3)
        #expect(secret.withUnsafeBytes { Array($0) } == [1, 2, 3])
    }

    @Test
    func `memory that held a secret holds zeros for the next`() {
        let count = 600
        _ = (0..<count).map { _ in SecretBytes([UInt8](repeating: 0xAA, count: 64)) }
        let next = (0..<count).map { _ in SecretBytes(count: 64) { _ in } }
        #expect(next.allSatisfy { $0.withUnsafeBytes { $0.allSatisfy { $0 == 0 } } })
        #expect(Set(next.map { $0.withUnsafeBytes { $0.baseAddress } }).count == count)
    }
}
