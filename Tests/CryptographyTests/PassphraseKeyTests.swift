import Cryptography
import Testing

@Suite("Keys from passphrases")
struct PassphraseKeyTests {
    @Test(arguments: [
        ("correct horse", "correct horse\n", true), ("correct horse", "correct horse\r\n", true),
        ("correct horse", "correct horse \n", false), ("\tx", "\tx", true), ("é", "e\u{301}", false),
    ])
    func `only the end of the line is taken away`(one: String, two: String, areSame: Bool) throws {
        let (one, two) = (try #require(Passphrase(one)), try #require(Passphrase(two)))
        #expect(one.isSame(as: two) == areSame)
    }

    @Test(arguments: [
        "", "\n", "\r\n", "two\nlines", "two\nlines\n", "x\n\n", "a\rb", "a\0b", String(repeating: "x", count: 1_025),
        String(repeating: "x", count: 1_024) + "\r\nmore", String(repeating: "x", count: 100_000),
    ])
    func `a passphrase is one line of 1 to 1024 bytes`(text: String) {
        #expect(Passphrase(text) == nil)
    }

    @Test(arguments: ["", "\n", "\r\n"])
    func `the longest passphrase is taken`(end: String) throws {
        #expect(try #require(Passphrase(String(repeating: "x", count: 1_024) + end)).count == 1_024)
    }

    @Test func `a reader that fails is heard`() {
        struct Failed: Error, Equatable {}
        #expect(throws: Failed.self) { try Passphrase { _ throws(Failed) in throw Failed() } }
    }

    @Test func `passphrase, salt and cost decide about the key`() throws {
        var random = SplitMix64(seed: 1)
        let passphrase = try #require(Passphrase("correct horse"))
        let key = PassphraseKey(cost: .least, using: &random)
        let made = try key.key(of: passphrase)
        #expect(try made.isSame(as: key.key(of: passphrase)))
        let other = try #require(Passphrase("correct horsf"))
        #expect(try !made.isSame(as: key.key(of: other)))
        #expect(try !made.isSame(as: PassphraseKey(cost: .least, using: &random).key(of: passphrase)))
        let costlier = try #require(PassphraseKey.Cost(passes: 2, kibibytes: 8))
        let dear = try #require(PassphraseKey(cost: costlier, salt: key.salt))
        #expect(try !made.isSame(as: dear.key(of: passphrase)))
    }

    @Test func `the key is that of Argon2id version 1_3`() throws {
        let cost = try #require(PassphraseKey.Cost(passes: 2, kibibytes: 64))
        let key = try #require(PassphraseKey(cost: cost, salt: Array(0..<16)))
        let password = try #require(Passphrase("password"))
        let made = try key.key(of: password)
        // From the reference implementation of RFC 9106, with one lane.
        let text = made.withUnsafeBytes { $0.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) } }.joined()
        #expect(text == "716882821df77bc6414358b07159fb63ca1c90beaeb9d0ca0e43bd887dcf2ca9")
    }

    @Test func `a cost from a file is bounded`() {
        #expect(PassphraseKey.Cost(passes: 0, kibibytes: 8) == nil)
        #expect(PassphraseKey.Cost(passes: 17, kibibytes: 8) == nil)
        #expect(PassphraseKey.Cost(passes: 1, kibibytes: 7) == nil)
        #expect(PassphraseKey.Cost(passes: 1, kibibytes: (1 << 20) + 1) == nil)
        #expect(PassphraseKey.Cost(passes: 16, kibibytes: 1 << 20) != nil)
        #expect(PassphraseKey.Cost(passes: 3, kibibytes: 256 << 10) == .moderate)
        #expect(PassphraseKey(cost: .least, salt: [1, 2, 3]) == nil)
    }
}
