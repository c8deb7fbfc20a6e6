import Cryptography
import CryptographyFixtures
import OperationLog
import StreamTransport
import Testing

@Suite("Contact codes")
struct ContactCodeTests {
    private struct Vectors: Decodable {
        struct Contact: Decodable {
            let user: String
            let device: String
            let addresses: [String]
            let code: String
        }

        let contacts: [Contact]
    }

    private static let alice = UserID(digest: .hash("Alice"))
    private static let laptop = DeviceID(digest: .hash("laptop"))

    private func code(_ addresses: String...) -> ContactCode? {
        ContactCode(user: Self.alice, device: Self.laptop, addresses: addresses.compactMap { SocketAddress($0) })
    }

    @Test
    func `are what an independent implementation makes of the page`() throws {
        let contacts = try Fixture.load("people-vectors.json", as: Vectors.self).contacts
        #expect(contacts.count == 3)
        for contact in contacts {
            let user = try #require(UserID(hexadecimal: contact.user))
            let device = try #require(DeviceID(hexadecimal: contact.device))
            let addresses = contact.addresses.compactMap { SocketAddress($0) }
            let made = try #require(ContactCode(user: user, device: device, addresses: addresses))
            #expect(made.description == contact.code)
            #expect(try ContactCode(contact.code) == made)
        }
    }

    @Test
    func `keep their limit with as many and as long addresses as there may be`() throws {
        let longest = try #require(code("[2001:db8::1]:1", "[2001:db8::2]:1", "[2001:db8::3]:1", "[2001:db8::4]:1"))
        #expect(longest.description.count <= ContactCode.maximumCharacters)
        #expect(try ContactCode(longest.description) == longest)
        #expect(throws: MalformedCode.tooLong(limit: ContactCode.maximumCharacters)) {
            try ContactCode(ContactCode.prefix + String(repeating: "A", count: 388))
        }
    }

    @Test(arguments: [
        [], ["0.0.0.0:1"], ["10.0.0.7:0"], ["224.0.0.1:1"], ["255.255.255.255:1"], ["[::]:1"], ["[ff02::1%1]:1"],
        ["[fe80::1%1]:1"], ["10.0.0.7:1", "10.0.0.7:1"],
        ["10.0.0.1:1", "10.0.0.2:1", "10.0.0.3:1", "10.0.0.4:1", "10.0.0.5:1"],
    ])
    func `name only places that others can dial, each once`(addresses: [String]) {
        let places = addresses.compactMap { SocketAddress($0) }
        #expect(places.count == addresses.count)
        #expect(ContactCode(user: Self.alice, device: Self.laptop, addresses: places) == nil)
    }

    @Test
    func `are refused when an end is missing, wherever`() throws {
        let text = try #require(code("192.0.2.7:47470", "[2001:db8::7]:1")).description
        for count in 0..<text.count {
            #expect(throws: MalformedCode.self, "\(count) characters") { try ContactCode(text.prefix(count)) }
        }
        for more in ["A", "AA", "=", " ", "\n"] {
            #expect(throws: MalformedCode.self) { try ContactCode(text + more) }
        }
    }

    @Test
    func `are refused when a bit is wrong, whichever`() throws {
        let text = Array(try #require(code("192.0.2.7:47470", "[2001:db8::7]:1")).description.utf8)
        for index in text.indices {
            for bit in 0..<8 {
                var damaged = text
                damaged[index] ^= 1 << bit
                guard let read = String(validating: damaged, as: UTF8.self) else { continue }
                #expect(throws: MalformedCode.self, "bit \(bit) of character \(index)") { try ContactCode(read) }
            }
        }
    }

    @Test
    func `say what is wrong with them`() throws {
        let text = try #require(code("192.0.2.7:47470")).description
        #expect(throws: MalformedCode.prefix(ContactCode.prefix)) { try ContactCode("hello") }
        #expect(throws: MalformedCode.prefix(ContactCode.prefix)) { try ContactCode(text.uppercased()) }
        #expect(throws: MalformedCode.alphabet) {
            try ContactCode(ContactCode.prefix + text.dropFirst(13).lowercased())
        }
        #expect(throws: MalformedCode.checksum) { try ContactCode(ContactCode.prefix) }
        #expect(throws: MalformedCode.version(2)) { try ContactCode(Self.checked([2, 0, 0])) }
        #expect(throws: MalformedCode.content(.truncated)) { try ContactCode(Self.checked([1, 0, 0])) }
        let ids = Self.alice.digest.bytes + Self.laptop.digest.bytes
        for (addresses, reason) in [
            ([0], MalformedBytes.invalid(field: "addresses")),
            ([5], .tooLong(field: "addresses", limit: 4)),
            ([1, 4, 192, 0, 2, 7, 0, 0], .invalid(field: "addresses")),
            ([1, 5, 192, 0, 2, 7, 0, 1], .invalid(field: "address")),
            ([1, 4, 192, 0, 2, 7, 0, 1, 0], .trailing(count: 1)),
            ([1, 6] + [UInt8](repeating: 0, count: 10) + [255, 255, 10, 0, 0, 7, 0, 1], .invalid(field: "addresses")),
        ] {
            #expect(throws: MalformedCode.content(reason)) {
                try ContactCode(Self.checked([1] + ids + addresses))
            }
        }
    }

    /// A code of any content, with the right checksum.
    private static func checked(_ content: [UInt8]) -> String {
        let bytes = content + Digest.hash("moot/1/contact", content).bytes.prefix(4)
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
        var bits = bytes.flatMap { byte in (0..<8).reversed().map { byte >> $0 & 1 } }
        while !bits.count.isMultiple(of: 5) { bits.append(0) }
        let digits = stride(from: 0, to: bits.count, by: 5).map { bits[$0..<$0 + 5].reduce(0) { $0 << 1 | Int($1) } }
        return ContactCode.prefix + String(digits.map { alphabet[$0] })
    }
}
