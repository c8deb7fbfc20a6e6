import Cryptography
import Testing

@testable import Simulation

@Suite("A search for secrets")
struct SecretSearchTests {
    @Test(arguments: 0..<40)
    func `finds a secret wherever it lies`(place: Int) {
        var random = SeededRandom(seed: 5)
        let secrets = (0..<1_024).map { _ in random.bytes(32) }
        let search = SecretSearch(secrets)
        for rest in [0, 1, 100] {
            let bytes = random.bytes(place) + secrets[place] + random.bytes(rest)
            let isFound = search.isIn(bytes)
            #expect(isFound)
            for wrong in [place, place + 31] {
                var others = bytes
                others[wrong] ^= 1
                #expect(!search.isIn(others))
            }
            #expect(!search.isIn(random.bytes(place) + secrets[place].dropLast()))
        }
    }

    @Test
    func `finds nothing in what holds no secret`() {
        var random = SeededRandom(seed: 6)
        let search = SecretSearch([random.bytes(32)])
        #expect(!search.isIn([]))
        #expect(!search.isIn([1, 2, 3]))
        #expect(!search.isIn(random.bytes(10_000)))
    }
}
