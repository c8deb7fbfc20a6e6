import Blobs
import Conversations
import Cryptography
import Membership
import OperationLog
import Testing

@Suite("The photo of a group")
struct GroupPhotoTests {
    private static func blob(_ byte: UInt8, _ type: MediaType = .photo) throws -> BlobReference {
        let digest = Digest.hash("test", [byte])
        return BlobReference(
            address: try #require(BlobAddress(top: digest, length: 60_000)), key: BlobKey(bytes: digest),
            mediaType: type)
    }

    private static func photo(_ byte: UInt8) throws -> PhotoReference {
        try #require(PhotoReference(picture: blob(byte), thumbnail: blob(byte + 100)))
    }

    private static func set(_ value: String) -> (MembershipBody.Authority) -> MembershipBody {
        { .set(under: $0, field: Group.photoField, value: value) }
    }

    @Test
    func `is the last that an admin set, and can be taken away`() throws {
        var circle = try Circle("Alice", "Bob")
        #expect(circle.group.photo == nil)
        let first = try #require(try circle.decide("Alice", Self.set(GroupPhoto.value(try Self.photo(1)))))
        #expect(circle.group.photo?.photo == (try Self.photo(1)))
        #expect(circle.group.photo?.operation == first)
        let second = try #require(try circle.decide("Alice", Self.set(GroupPhoto.value(try Self.photo(2)))))
        #expect(circle.group.photo?.photo == (try Self.photo(2)))
        #expect(circle.group.photo?.operation == second)
        try circle.decide("Alice", Self.set(GroupPhoto.value(nil)))
        #expect(circle.group.photo == nil)
        let texts = circle.group.systemMessages.suffix(3).map { message in
            message.text(for: circle.user("Bob"), groupName: "Ship") { $0 == circle.user("Alice") ? "Alice" : "Bob" }
        }
        #expect(
            texts == Array(repeating: "Alice changed the group photo", count: 2) + ["Alice removed the group photo"])
        #expect(circle.group.systemMessages.last?.action == .photo(isRemoved: true))
        #expect(circle.group.systemMessages.allSatisfy { $0.action != .setting(Group.photoField, "") })
    }

    @Test
    func `is none where an admin wrote something else`() throws {
        var circle = try Circle("Alice", "Bob")
        let good = GroupPhoto.value(try Self.photo(1))
        let values = [
            "no photo", good.uppercased(), good + "00", String(good.dropLast(2)), String(good.dropLast()),
            "zz" + good.dropFirst(2),
            HexadecimalText.encode(try Self.blob(1).encoded),
            HexadecimalText.encode(try Self.blob(1).encoded + Self.blob(2, .unknown).encoded),
            String(repeating: "0", count: 4_096),
        ]
        for value in values {
            try circle.decide("Alice", Self.set(good))
            #expect(circle.group.photo != nil)
            try circle.decide("Alice", Self.set(value))
            #expect(circle.group.photo == nil, "\(value.prefix(20))")
        }
    }

    @Test
    func `of two set at the same time, stays the same on every side, and who loses is told`() throws {
        var alice = try Circle("Alice", "Bob")
        let bobsID = alice.user("Bob")
        try alice.decide("Alice") { .promote(under: $0, target: bobsID, role: .admin) }
        var bob = alice
        try alice.decide("Alice", Self.set(GroupPhoto.value(try Self.photo(1))))
        try bob.decide("Bob", Self.set(GroupPhoto.value(try Self.photo(2))))
        let (ofAlice, ofBob) = (alice.group.decisions(of: alice.user("Alice")), bob.group.decisions(of: bobsID))
        let (onlyAlices, onlyBobs) = (alice, bob)
        try alice.meet(onlyBobs)
        try bob.meet(onlyAlices)
        #expect(alice.group.photo == bob.group.photo)
        let told = [
            alice.group.overruled(ofAlice, in: alice.log.membership),
            bob.group.overruled(ofBob, in: bob.log.membership),
        ]
        let isAlicesKept = alice.group.photo?.photo == (try Self.photo(1))
        #expect(told.map(\.count) == (isAlicesKept ? [0, 1] : [1, 0]))
    }
}
