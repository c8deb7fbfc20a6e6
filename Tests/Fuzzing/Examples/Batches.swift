import Conversations
import Cryptography
import Membership
import OperationLog
import OperationLogFixtures

extension Example {
    static func batches() throws -> [Example] {
        try contentBatches() + membershipBatches()
    }

    private static func contentBatches() throws -> [Example] {
        let one = try written("one message", by: [Cast.alice]).encoded
        let several = try written("several messages", by: [Cast.alice, Cast.alice, Cast.bob, Cast.alice])
        let scribe = BatchScribe(text: "one message")
        let first = try Batch(decoding: scribe.encoded, of: Cast.conversation).operations[0].id
        return [
            accepted(.contentBatch, "one-message", one),
            accepted(.contentBatch, "two-chains", several.encoded),
            accepted(.contentBatch, "after-others", Batch(lane: .content, operations: [several.operations[3]]).encoded),
            accepted(.contentBatch, "as-the-scribe-writes-it", scribe.encoded),
            refused(.contentBatch, "truncated", "nothing", []),
            refused(.contentBatch, "truncated", "without-its-last-byte", one.dropLast()),
            refused(.contentBatch, "trailing_bytes", "and-a-zero", one + [0]),
            refused(.contentBatch, "bad_signature", "forged", one.withLastBitChanged),
            refused(.contentBatch, "invalid_value", "lane-2", scribe.with { $0.lane = 2 }),
            refused(.contentBatch, "invalid_value", "no-chains", scribe.with { $0.chainCount = 0 }),
            refused(.contentBatch, "too_long", "513-chains", scribe.with { $0.chainCount = 513 }),
            refused(.contentBatch, "truncated", "chains-that-are-not-there", scribe.with { $0.chainCount = 512 }),
            refused(
                .contentBatch, "invalid_value", "chain-that-is-not-used",
                scribe.with { $0.chains.append(.init(person: Cast.bob)) }),
            refused(
                .contentBatch, "invalid_value", "base-too-large",
                scribe.with { $0.chains[0].base = Limits.maximumSequenceNumber }),
            refused(.contentBatch, "too_long", "8193-references", scribe.with { $0.referenceCount = 8_193 }),
            refused(
                .contentBatch, "truncated", "references-that-are-not-there", scribe.with { $0.referenceCount = 8_192 }),
            refused(
                .contentBatch, "invalid_value", "reference-that-is-not-used", scribe.with { $0.references = ids(1) }),
            refused(
                .contentBatch, "invalid_value", "the-same-reference-twice",
                scribe.with { $0.references = ids(1) + ids(1) }),
            refused(.contentBatch, "invalid_value", "no-head-lists", scribe.with { $0.headLists = [] }),
            refused(
                .contentBatch, "invalid_value", "head-list-that-is-not-used",
                scribe.with { $0.headLists.append(ids(1)) }),
            refused(.contentBatch, "invalid_value", "no-operations", scribe.with { $0.operations = [] }),
            refused(.contentBatch, "too_long", "4097-operations", scribe.with { $0.operationCount = 4_097 }),
            refused(
                .contentBatch, "truncated", "operations-that-are-not-there", scribe.with { $0.operationCount = 4_096 }),
            refused(.contentBatch, "invalid_value", "flag-8", scribe.with { $0.operations[0].flags |= 8 }),
            refused(.contentBatch, "bad_signature", "without-signature", scribe.with { $0.operations[0].flags = 1 }),
            refused(.contentBatch, "too_long", "chain-1-of-1", scribe.with { $0.operations[0].chain = 1 }),
            refused(.contentBatch, "invalid_value", "time-before-2000", scribe.with { $0.operations[0].time = 1 }),
            refused(
                .contentBatch, "invalid_value", "time-that-overflows", scribe.with { $0.operations[0].time = .min }),
            refused(
                .contentBatch, "too_long", "17-dependencies",
                scribe.with { $0.operations[0].dependencies = Array(repeating: 0, count: 17) }),
            refused(
                .contentBatch, "invalid_value", "depends-on-nothing",
                scribe.with { $0.operations[0].dependencies = [0] }),
            refused(
                .contentBatch, "invalid_value", "depends-beyond-the-table",
                scribe.with { $0.operations[0].dependencies = [.max] }),
            refused(
                .contentBatch, "too_long", "body-above-the-limit",
                scribe.with { $0.operations[0].bodyLength = Limits.maximumBodyBytes + 1 }),
            refused(
                .contentBatch, "bad_signature", "two-operations-and-the-first-is-signed-only",
                scribe.with {
                    $0.operations.append($0.operations[0])
                    $0.operations[1].flags = 1
                    $0.operations[1].time = 0
                }),
            refused(
                .contentBatch, "invalid_value", "an-operation-before-the-one-it-follows",
                scribe.with { $0.turnRound(first: first) }),
            refused(
                .contentBatch, "invalid_value", "the-same-operation-in-two-chains",
                scribe.with { $0.repeatFirstOperation() }),
            refused(
                .contentBatch, "invalid_value", "the-same-operation-in-two-chains-and-one-after-it",
                scribe.with {
                    $0.repeatFirstOperation()
                    $0.chains.append(.init(person: Cast.bob))
                    $0.operations.append($0.operations[1])
                    $0.operations[2].chain = 2
                    // Counted back from Bob's operation: the first copy.
                    $0.operations[2].dependencies = [2]
                }),
        ]
    }

    private static func membershipBatches() throws -> [Example] {
        let creation = Batch(lane: .membership, operations: [Cast.creation]).encoded
        let addition = Batch(lane: .membership, operations: [Stage.ready.addition]).encoded
        let both = Batch(lane: .membership, operations: [Cast.creation, Stage.ready.addition]).encoded
        let grant = MembershipBody.Authority.grant(operation: Cast.creation.id, slot: 0)
        let bob = Cast.bob.user
        let story = try decided([
            (Cast.alice, .promote(under: grant, target: bob, role: .admin)),
            (Cast.alice, .set(under: grant, field: "name", value: "Ship")),
            (Cast.bob, .stepdown),
            (Cast.bob, .merge),
            (Cast.alice, .remove(under: grant, target: bob, pins: [])),
            (Cast.alice, .ratify(under: grant, keep: [.init(user: bob, role: .member)], bans: [])),
            (Cast.alice, .leave(pins: [])),
        ])
        let odd = try decided([
            (Cast.bob, .device(own: Cast.bobCredentials)),
            (Cast.bob, .invite(under: .acting, .person(Cast.aliceCredentials))),
        ])
        return [
            accepted(.membershipBatch, "creation", creation),
            accepted(.membershipBatch, "addition", addition),
            accepted(.membershipBatch, "creation-and-addition", both),
            accepted(.membershipBatch, "story", story.encoded),
            accepted(.membershipBatch, "without-authority", odd.encoded),
            refused(.membershipBatch, "truncated", "without-its-last-byte", addition.dropLast()),
            refused(.membershipBatch, "bad_signature", "forged", addition.withLastBitChanged),
            refused(.membershipBatch, "trailing_bytes", "and-a-zero", addition + [0]),
            refused(
                .membershipBatch, "invalid_value", "creation-after-another-operation",
                creation.replacing(66..<67, with: [1] + ids(1)[0].digest.bytes)),
        ]
    }

    /// Messages of people who hear everything at once.
    private static func written(_ text: String, by people: [Person]) throws -> Batch {
        var log = Stage.ready.log
        var operations: [Operation] = []
        for (index, person) in people.enumerated() {
            guard let body = MessageBody(text: "\(text) \(index)") else { continue }
            operations += try log.write(
                content: [ConversationLog.Draft(type: .message, body: body.encoded)], by: person.author, at: Cast.time
            ).map(\.operation)
        }
        return Batch(lane: .content, operations: operations)
    }

    /// Decisions of people who hear everything at once.
    private static func decided(_ decisions: [(Person, MembershipBody)]) throws -> Batch {
        var log = Stage.ready.log
        var operations: [Operation] = []
        for (person, body) in decisions {
            operations += try log.write(
                membership: [ConversationLog.Draft(type: body.type, body: body.encoded)], by: person.author,
                at: Cast.time
            ).map(\.operation)
        }
        return Batch(lane: .membership, operations: operations)
    }
}
