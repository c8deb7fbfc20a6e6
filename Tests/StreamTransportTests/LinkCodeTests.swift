import Cryptography
import Replication
import Testing

@testable import StreamTransport

@Suite("Codes of hosts that wait to be linked")
struct LinkCodeTests {
    private let code: LinkCode

    init() throws {
        var random = SplitMix64(seed: 4)
        let invitation = try #require(
            LinkInvitation(
                key: SigningKey.generate(using: &random).verifyingKey,
                secret: random.bytes(LinkInvitation.secretByteCount)))
        let addresses = [
            try #require(SocketAddress("192.0.2.7:47471")), try #require(SocketAddress("[2001:db8::1]:5")),
        ]
        code = try #require(LinkCode(invitation, addresses: addresses))
    }

    @Test func `a code is read as it was written`() throws {
        #expect(try LinkCode(code.description) == code)
        #expect(code.description.hasPrefix("moot:link:"))
    }

    @Test func `a code passes for no other, and no other for it`() throws {
        #expect(throws: MalformedCode.self) { try ContactCode(code.description) }
        #expect(throws: MalformedCode.self) { try LinkCode("moot:contact:" + code.description.dropFirst(10)) }
    }

    @Test func `a typing error is noticed wherever it is`() throws {
        let text = Array(code.description)
        for place in 10..<text.count {
            var wrong = text
            wrong[place] = text[place] == "a" ? "b" : "a"
            #expect(throws: MalformedCode.self) { try LinkCode(String(wrong)) }
        }
    }

    @Test func `a code needs an address that another host can dial`() throws {
        #expect(LinkCode(code.invitation, addresses: []) == nil)
        #expect(LinkCode(code.invitation, addresses: [SocketAddress(.anyV4, port: 5)]) == nil)
    }
}
