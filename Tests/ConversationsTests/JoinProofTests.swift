import Conversations
import Cryptography
import OperationLog
import OperationLogFixtures
import Testing
import Time

@Suite("The proof of a join by code")
struct JoinProofTests {
    @Test func `lets in somebody whom nobody named`() throws {
        var room = try CodeRoom()
        let join = room.join(by: room.dave, proof: room.proof(for: room.dave))
        #expect(room.refusal(of: join) == nil)
    }

    @Test func `is needed, also by a member of old`() throws {
        var room = try CodeRoom()
        #expect(room.refusal(of: room.join(by: room.dave, proof: nil)) == .unprovenJoin)
        #expect(room.refusal(of: room.join(by: room.bob, proof: nil)) == .unprovenJoin)
    }

    @Test func `is nothing in the hands of another`() throws {
        var room = try CodeRoom()
        let stolen = room.proof(for: room.dave)
        #expect(room.refusal(of: room.join(by: room.erin, proof: stolen)) == .unprovenJoin)
    }

    @Test func `is made with the key of the code and nothing else`() throws {
        var room = try CodeRoom()
        let guessed = InviteProof(
            of: room.invite, to: room.log.conversation, for: room.dave.user, signedWith: room.dave.root)
        #expect(room.refusal(of: room.join(by: room.dave, proof: guessed)) == .unprovenJoin)
        let other = InviteProof(
            of: room.creation, to: room.log.conversation, for: room.dave.user, signedWith: room.key)
        #expect(room.refusal(of: room.join(by: room.dave, proof: other)) == .unprovenJoin)
    }

    @Test func `answers no other invite`() throws {
        var room = try CodeRoom()
        let proof = InviteProof(
            of: room.creation, to: room.log.conversation, for: room.dave.user, signedWith: room.key)
        #expect(room.refusal(of: room.join(by: room.dave, accepting: room.creation, proof: proof)) == .unprovenJoin)
    }

    @Test func `makes what its author does later admissible, too`() throws {
        var room = try CodeRoom()
        let join = room.join(by: room.dave, proof: room.proof(for: room.dave))
        #expect(room.refusal(of: join) == nil)
        var elsewhere = room.log
        let leave = try elsewhere.write(
            membership: [.init(type: .leave, body: MembershipBody.leave(pins: []).encoded)], by: room.dave.author,
            at: CodeRoom.time)
        #expect(room.refusal(of: leave.map(\.operation)) == nil)
    }
}

/// Alice's group with Bob and an invite by code, of which Dave and Erin know nothing.
private struct CodeRoom {
    static let time = Timestamp(clamping: 1_800_000_000_000)

    let alice, bob, dave, erin: Person
    let key: SigningKey
    let creation: OperationID
    let invite: OperationID
    private(set) var log: ConversationLog

    init() throws {
        var random = SplitMix64(seed: 1)
        alice = Person(using: &random)
        bob = Person(using: &random)
        dave = Person(using: &random)
        erin = Person(using: &random)
        key = SigningKey.generate(using: &random)
        let create = ConversationLog.creation(
            body: MembershipBody.create(
                nonce: random.bytes(MembershipBody.nonceByteCount), founder: Self.credentials(of: alice)
            ).encoded, by: alice.author, at: Self.time)
        creation = create.id
        log = ConversationLog(
            conversation: ConversationID(createdBy: create.id), root: .group,
            introductions: MembershipBody.introductions(of:))
        _ = try log.begin(with: create)
        let authority = MembershipBody.Authority.grant(operation: create.id, slot: 0)
        let bodies: [MembershipBody] = [
            .add(under: authority, targets: [Self.credentials(of: bob)]),
            .invite(under: authority, .holder(of: key.verifyingKey, until: Self.time)),
        ]
        let written = try log.write(
            membership: bodies.map { .init(type: $0.type, body: $0.encoded) }, by: alice.author, at: Self.time)
        invite = try #require(written.last).operation.id
    }

    func proof(for person: Person) -> InviteProof {
        InviteProof(of: invite, to: log.conversation, for: person.user, signedWith: key)
    }

    /// What a person's node would send.
    func join(by person: Person, accepting other: OperationID? = nil, proof: InviteProof?) -> [Operation] {
        let body = MembershipBody.join(invite: other ?? invite, own: Self.credentials(of: person), proof: proof)
        var elsewhere = log
        let written = try? elsewhere.write(
            membership: [.init(type: .join, body: body.encoded)], by: person.author, at: Self.time)
        return (written ?? []).map(\.operation)
    }

    /// Why everybody ignores operations; nil if they are taken in.
    mutating func refusal(of operations: [Operation]) -> Inadmissibility? {
        let admission = try? log.admit(Batch(lane: .membership, operations: operations), using: MemoryIndex())
        switch admission {
        case .inadmissible(_, let reason): return reason
        case .admitted: return nil
        case .pending, .duplicate, nil:
            Issue.record("neither taken in nor ignored")
            return nil
        }
    }

    private static func credentials(of person: Person) -> Credentials {
        let record = IdentityRecord(
            root: person.root, serial: 1, devices: [.init(device: person.author.device, name: "desk")])
        return Credentials(identity: record, wraps: [])
    }
}
