import Cryptography
import OperationLog
import OperationLogFixtures
import Testing

@testable import Replication

@Suite("Parts of the cards that are held")
struct CardPartTests {
    /// Cards of so many people, ascending.
    private func held(_ count: Int) -> [CardVersion] {
        (0..<count).map { UserID(digest: .hash("test", [UInt8($0 >> 8), UInt8($0 & 255)])) }.sorted()
            .map { CardVersion(user: $0, version: 1, tie: 2) }
    }

    @Test(arguments: [0, 1, CardPart.maximumCount, CardPart.maximumCount + 1, 3 * CardPart.maximumCount + 5])
    func `name everybody once, and say of whom they speak`(count: Int) throws {
        let held = held(count)
        var (after, named): (UserID?, [CardVersion]) = (nil, [])
        while true {
            let part = CardPart(of: held, after: after)
            let message = PeerMessage.cards(.versions(part))
            #expect(try PeerMessage(decoding: message.encoded) == message)
            for version in held {
                let isInRange = version.user > (after ?? version.user) || after == nil
                let isBelowEnd = part.isLast || part.versions.last.map { version.user <= $0.user } == true
                #expect(part.covers(version.user) == (isInRange && isBelowEnd))
            }
            named += part.versions
            guard !part.isLast else { break }
            after = part.versions.last?.user
        }
        #expect(named == held)
    }

    @Test
    func `are refused when in disorder, empty before others, or too long`() {
        let held = held(2)
        func bytes(after: UserID?, isLast: Bool, _ versions: [CardVersion], count: Int? = nil) -> [UInt8] {
            var writer = CanonicalWriter()
            writer.write(byte: CardVersionsMessage.kind)
            writer.write(byte: after == nil ? 0 : 1)
            if let after { writer.write(after) }
            writer.write(byte: isLast ? 1 : 0)
            writer.write(count: count ?? versions.count)
            for version in versions { version.write(to: &writer) }
            return writer.bytes
        }
        for broken in [
            bytes(after: nil, isLast: true, held.reversed()), bytes(after: nil, isLast: true, [held[0], held[0]]),
            bytes(after: held[1].user, isLast: true, [held[1]]),
        ] {
            #expect(throws: MalformedBytes.unsorted(field: "cards")) { try PeerMessage(decoding: broken) }
        }
        #expect(throws: MalformedBytes.invalid(field: "cards")) {
            try PeerMessage(decoding: bytes(after: nil, isLast: false, []))
        }
        #expect(throws: MalformedBytes.tooLong(field: "cards", limit: 512)) {
            try PeerMessage(decoding: bytes(after: nil, isLast: true, [], count: 513))
        }
        #expect(throws: MalformedBytes.tooLong(field: "cards", limit: 32)) {
            try PeerMessage(decoding: PeerMessage.cards(.cards(Array(repeating: [1], count: 33))).encoded)
        }
    }

    @Test
    func `the higher version counts, then the smaller digest`() {
        let user = UserID(digest: .hash("test"))
        let version = { CardVersion(user: user, version: $0, tie: $1) }
        #expect(version(2, 9).supersedes(version(1, 1)))
        #expect(!version(1, 1).supersedes(version(2, 9)))
        #expect(version(2, 1).supersedes(version(2, 9)))
        #expect(!version(2, 9).supersedes(version(2, 9)))
    }
}
