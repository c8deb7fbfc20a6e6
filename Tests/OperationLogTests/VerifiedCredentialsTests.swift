import OperationLogFixtures
import Testing

@testable import OperationLog

@Suite("Credentials that were verified lately")
struct VerifiedCredentialsTests {
    @Test func `are the same when they are read again, and what follows them is read on`() throws {
        var random = SplitMix64(seed: 1)
        let people = (0..<20).map { _ in Person(using: &random).credentials }
        var writer = CanonicalWriter()
        for person in people { person.encode(into: &writer) }
        for _ in 0..<3 {
            var reader = CanonicalReader(writer.bytes)
            for person in people { #expect(try Credentials(from: &reader) == person) }
            try reader.finish()
        }
    }

    @Test func `are looked up once they were verified, and nothing else is`() throws {
        var random = SplitMix64(seed: 20_261_129)
        let (encoded, others) = (Person(using: &random).credentials.encoded, Person(using: &random).credentials.encoded)
        #expect(VerifiedCredentials.find(in: CanonicalReader(encoded))?.rest.remaining == nil)
        _ = try Credentials(verifying: encoded)
        #expect(VerifiedCredentials.find(in: CanonicalReader(encoded + [7]))?.rest.remaining == 1)
        #expect(VerifiedCredentials.find(in: CanonicalReader(others))?.rest.remaining == nil)
        var forged = others
        forged[forged.count - 1] ^= 1
        #expect(throws: MalformedBytes.self) { try Credentials(verifying: forged) }
        #expect(VerifiedCredentials.find(in: CanonicalReader(forged))?.rest.remaining == nil)
    }

    @Test func `no others are taken for them, whichever bit is another`() throws {
        var random = SplitMix64(seed: 2)
        let encoded = Person(using: &random).credentials.encoded
        _ = try Credentials(verifying: encoded)
        for place in encoded.indices {
            var other = encoded
            other[place] ^= 1 << UInt8(place % 8)
            #expect(throws: MalformedBytes.self, "byte \(place)") { try Credentials(verifying: other) }
        }
        for length in encoded.indices {
            #expect(throws: MalformedBytes.self) { try Credentials(verifying: Array(encoded.prefix(length))) }
        }
    }

    @Test func `are not verified again where they were stored, and only there`() throws {
        var random = SplitMix64(seed: 20_261_130)
        var other = Person(using: &random).credentials.encoded
        other[other.count - 1] ^= 1
        var (stored, received) = (CanonicalReader(other, isVerified: true), CanonicalReader(other))
        let read = try Credentials(from: &stored)
        #expect(read.encoded == other)
        #expect(throws: MalformedBytes.signature(field: "wrap record")) { try Credentials(from: &received) }
        // What is taken for verified by the one is not remembered for the other.
        #expect(VerifiedCredentials.find(in: CanonicalReader(other))?.rest.remaining == nil)
    }
}
