import Cryptography
import OperationLog
import OperationLogFixtures
import Testing
import Time

/// Who writes for the first time on a lane with more heads than an operation names.
///
/// Others judge the first merge by the past of what it names. A hostile member chooses what has small ids, and so what
/// comes first.
@Suite("Writing first on a wide lane")
struct WideLaneTests {
    private let founder: Person
    private let liar: Person
    private let newcomer: Person
    private let base: ConversationLog

    init() throws {
        var random = SplitMix64(seed: 11)
        founder = Person(using: &random)
        liar = Person(using: &random)
        newcomer = Person(using: &random)
        let creation = ConversationLog.creation(
            body: PlainIntroductions.body(of: [founder, liar]), by: founder.author, at: .earliest)
        base = try Self.log(of: ConversationID(createdBy: creation.id), with: [creation])
    }

    @Test(arguments: [16, 17, 31, 60])
    func `whoever was added writes, whatever heads come before the one that added them`(lies: Int) throws {
        let wide = try widened(by: lies, before: [PlainIntroductions.body(of: [newcomer])])
        var log = wide
        let content = try log.write(content: [.init(type: .message, body: [1])], by: newcomer.author, at: .latest)
        try expect(wide, toAdmit: content, asIn: log)

        log = wide
        let membership = try log.write(membership: [.init(type: .set, body: [])], by: newcomer.author, at: .latest)
        #expect(membership.last?.operation.header.type == .set)
        try expect(wide, toAdmit: membership, asIn: log)
    }

    /// One branch holds the certificate of their device, another one the grant.
    @Test(arguments: [15, 16, 60])
    func `whoever is known by two heads together names both`(lies: Int) throws {
        let bodies = [body(devices: [newcomer.device]), body(users: [newcomer.user])]
        let wide = try widened(by: lies, before: bodies)
        var log = wide
        let written = try log.write(content: [.init(type: .message, body: [1])], by: newcomer.author, at: .latest)
        try expect(wide, toAdmit: written, asIn: log)
    }

    @Test(arguments: [16, 17, 60], [false, true])
    func `whoever is invited by name joins`(lies: Int, isCertified: Bool) throws {
        let certificate = isCertified ? [body(devices: [newcomer.device])] : []
        let wide = try widened(by: lies, before: [body(users: [newcomer.user])] + certificate)
        var log = wide
        let join = ConversationLog.Draft(type: .join, body: body(devices: [newcomer.device]))
        let written = try log.write(membership: [join], by: newcomer.author, at: .latest)
        try expect(wide, toAdmit: written, asIn: log)
    }

    @Test func `a further device writes in a direct conversation`() throws {
        let users = [founder.user, liar.user].sorted()
        let empty = ConversationLog(
            conversation: base.conversation, root: .direct(users[0], users[1]), introductions: PlainIntroductions.read)
        var random = SplitMix64(seed: 12)
        let second = Author(user: founder.user, key: .generate(using: &random))
        var known = empty
        let device = ConversationLog.Draft(type: .device, body: body(devices: [founder.device, second.device.id]))
        let certified = try known.write(membership: [device], by: founder.author, at: .latest)[0].operation
        var operations = [certified]
        var time = Timestamp.earliest
        while operations.count < 20 {
            time = Timestamp(clamping: time.milliseconds + 1)
            var branch = empty
            let device = ConversationLog.Draft(type: .device, body: body(devices: [liar.device]))
            let operation = try branch.write(membership: [device], by: liar.author, at: time)[0].operation
            if operation.id < certified.id { operations.append(operation) }
        }
        var wide = empty
        for operation in operations { try take([operation], of: .membership, into: &wide) }
        var log = wide
        let written = try log.write(content: [.init(type: .message, body: [1])], by: second, at: .latest)
        try expect(wide, toAdmit: written, asIn: log)
    }

    /// Nobody lies: seventeen admins add somebody at once, and everybody who was added writes.
    @Test func `whoever was added on one of 17 branches writes`() throws {
        var random = SplitMix64(seed: 13)
        var admins: [Person] = []
        var newcomers: [Person] = []
        for _ in 0..<17 {
            admins.append(Person(using: &random))
            newcomers.append(Person(using: &random))
        }
        let creation = ConversationLog.creation(
            body: PlainIntroductions.body(of: admins), by: admins[0].author, at: .earliest)
        let start = try Self.log(of: ConversationID(createdBy: creation.id), with: [creation])
        var wide = start
        for (admin, newcomer) in zip(admins, newcomers) {
            var branch = start
            let written = try branch.write(
                membership: [.init(type: .set, body: PlainIntroductions.body(of: [newcomer]))], by: admin.author,
                at: .latest)
            try take(written.map(\.operation), of: .membership, into: &wide)
        }
        #expect(wide.membership.heads.count == 17)
        for newcomer in newcomers {
            var log = wide
            let written = try log.write(content: [.init(type: .message, body: [1])], by: newcomer.author, at: .latest)
            #expect(written.map(\.operation.header.type) == [.merge, .message])
            try expect(wide, toAdmit: written, asIn: log)
        }
    }

    // MARK: - The lane

    /// The base, on which the founder wrote an operation with each of some bodies, all at once, and the liar many more.
    /// The ids of at least 16 of the liar's are smaller than those of the founder's.
    private func widened(by lies: Int, before bodies: [[UInt8]]) throws -> ConversationLog {
        let forks = try (0..<Int64(4 * lies)).map { number in
            try operation(by: liar, type: .merge, body: [], at: number)
        }
        let smallest = forks.sorted { $0.id < $1.id }.prefix(lies)
        let bound = try #require(smallest.last?.id)
        var wide = base
        for fork in smallest { try take([fork], of: .membership, into: &wide) }
        for body in bodies {
            var number: Int64 = 0
            var written = try operation(by: founder, type: .set, body: body, at: number)
            while written.id < bound {
                number += 1
                written = try operation(by: founder, type: .set, body: body, at: number)
            }
            try take([written], of: .membership, into: &wide)
        }
        #expect(wide.membership.heads.count == lies + bodies.count)
        return wide
    }

    private func operation(by person: Person, type: OperationType, body: [UInt8], at number: Int64) throws -> Operation
    {
        var branch = base
        let time = Timestamp(clamping: 1_700_000_000_000 + number)
        return try branch.write(membership: [.init(type: type, body: body)], by: person.author, at: time)[0].operation
    }

    private func body(devices: [DeviceID] = [], users: [UserID] = []) -> [UInt8] {
        var writer = CanonicalWriter()
        writer.write(ascending: devices.sorted())
        writer.write(ascending: users.sorted())
        return writer.bytes
    }

    private static func log(of conversation: ConversationID, with operations: [Operation]) throws -> ConversationLog {
        var log = Room.emptyLog(of: conversation)
        _ = try log.admit(Batch(lane: .membership, operations: operations), using: MemoryIndex())
        return log
    }

    private func take(_ operations: [Operation], of lane: Lane, into log: inout ConversationLog) throws {
        let admission = try log.admit(Batch(lane: lane, operations: operations), using: MemoryIndex())
        guard case .admitted = admission else {
            Issue.record("not admitted: \(admission)")
            return
        }
    }

    /// Expects that another replica of the lane takes in all that was written, and then holds what its author holds.
    private func expect(
        _ replica: ConversationLog, toAdmit written: [AdmittedOperation], asIn log: ConversationLog
    ) throws {
        var replica = replica
        for lane in Lane.allCases {
            let operations = written.map(\.operation).filter { $0.header.lane == lane }
            if !operations.isEmpty { try take(operations, of: lane, into: &replica) }
        }
        #expect(
            written.allSatisfy {
                let named = $0.operation.header.dependencies
                return named.count <= Limits.maximumDependencies && named == named.sorted()
            })
        #expect(replica.membershipFrontier == log.membershipFrontier)
        #expect(replica.contentFrontier == log.contentFrontier)
    }
}
