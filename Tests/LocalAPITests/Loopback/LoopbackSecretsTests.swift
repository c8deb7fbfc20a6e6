import Cryptography
import Testing

@testable import LocalAPIServer

@Suite("The secrets of the API on loopback")
struct LoopbackSecretsTests {
    private let start = ContinuousClock.now

    @Test func `open only what they are for`() {
        var random = SplitMix64(state: 1)
        var keys = LoopbackSecrets(using: &random)
        let address = keys.makeAddress(at: start, using: &random)
        #expect(keys.opens(token: keys.tokenText))
        #expect(!keys.opens(token: address))
        #expect(address != keys.tokenText)
    }

    @Test func `prove the node to whoever was told by it, by another answer each time`() throws {
        var random = SplitMix64(state: 5)
        let keys = LoopbackSecrets(using: &random)
        let nonce = String(repeating: "0a", count: 32)
        let shared = SecretBytes(try #require(HexadecimalText.decode(keys.commonText)))
        let code = SHA256.authentication(of: Array("moot/1/web-proof/\(nonce)".utf8), under: shared)
        #expect(keys.proof(of: nonce) == HexadecimalText.encode(code))
        #expect(keys.proof(of: nonce) != keys.proof(of: String(repeating: "0b", count: 32)))
        #expect(keys.proof(of: nonce) != LoopbackSecrets(using: &random).proof(of: nonce), "of the next run")
        #expect(keys.commonText != keys.tokenText && !keys.opens(token: keys.commonText))
    }

    @Test func `are none of the texts that look like them`() {
        var random = SplitMix64(state: 2)
        let keys = LoopbackSecrets(using: &random)
        let token = keys.tokenText
        for text in [
            "", "0", token + "0", String(token.dropLast()), token.uppercased() + "x", String(token.reversed()),
        ] {
            #expect(!keys.opens(token: text))
        }
        #expect(!LoopbackSecrets(using: &random).opens(token: token))
    }

    @Test func `let in once by an address, within a minute`() {
        var random = SplitMix64(state: 3)
        var keys = LoopbackSecrets(using: &random)
        let address = keys.makeAddress(at: start, using: &random)
        let uses = (1...2).map { _ in keys.useAddress(address, at: start + .seconds(59)) }
        #expect(uses == [true, false])

        let late = keys.makeAddress(at: start, using: &random)
        let lateUses = [start + LoopbackSecrets.addressLifetime, start].map { keys.useAddress(late, at: $0) }
        #expect(lateUses == [false, false])
    }

    @Test func `keep a bounded number of addresses, the newest`() {
        var random = SplitMix64(state: 4)
        var keys = LoopbackSecrets(using: &random)
        let addresses = (0...LoopbackSecrets.maximumAddresses).map { _ in keys.makeAddress(at: start, using: &random) }
        let uses = addresses.map { keys.useAddress($0, at: start) }
        #expect(uses == [false] + addresses.dropFirst().map { _ in true })
    }
}
