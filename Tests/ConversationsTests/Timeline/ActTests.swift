import Conversations
import Cryptography
import Membership
import OperationLog
import OperationLogFixtures
import Testing
import Time

/// Alice's device writes everything at one claimed time, and may fork its chain.
@Suite("What somebody did in one go")
struct ActTests {
    private static let start = Timestamp(clamping: 1_800_000_000_000)
    private static let name = "Ship"
    private let alice: Person
    private let others: [Person]
    private let creation: Operation
    private var founder: MembershipBody.Authority { .grant(operation: creation.id, slot: 0) }

    init() {
        var random = SplitMix64(seed: 7)
        alice = Person(using: &random)
        others = (0..<11).map { _ in Person(using: &random) }
        creation = ConversationLog.creation(
            body: MembershipBody.create(
                nonce: random.bytes(MembershipBody.nonceByteCount), founder: alice.credentials
            ).encoded, by: alice.author, at: Self.start)
    }

    // MARK: - Writing

    private func write(_ body: MembershipBody, after previous: Operation) -> Operation {
        let header = OperationHeader(
            type: body.type, conversation: ConversationID(createdBy: creation.id), lane: .membership,
            device: alice.device, sequenceNumber: previous.header.sequenceNumber + 1, previous: previous.id,
            dependencies: [], membershipHeads: [], time: previous.header.time, bodyLength: body.encoded.count,
            bodyDigest: Operation.digest(of: body.encoded))
        return alice.author.write(header, body: body.encoded)
    }

    private func add(_ people: Person..., after previous: Operation) -> Operation {
        write(.add(under: founder, targets: people.map(\.credentials)), after: previous)
    }

    /// A write under a grant that does not exist: void by its own past, so that nothing follows from it.
    private func writeVoid(_ value: String, after previous: Operation) -> Operation {
        let unknown = MembershipBody.Authority.grant(operation: creation.id, slot: 9)
        return write(.set(under: unknown, field: Group.nameField, value: value), after: previous)
    }

    private func set(_ field: String = Group.nameField, to value: String, after previous: Operation) -> Operation {
        write(.set(under: founder, field: field, value: value), after: previous)
    }

    /// An addition that differs from those of all other numbers, up to 2,047.
    private func addition(_ number: Int, after previous: Operation) -> Operation {
        let targets = others.indices.filter { number & (1 << $0) != 0 }.map { others[$0].credentials }
        return write(.add(under: founder, targets: targets), after: previous)
    }

    // MARK: - Reading

    /// A group that takes in operations, so many at a time.
    private func group(of operations: some Collection<Operation>, batch: Int = .max) -> Group {
        var group = Group(conversation: ConversationID(createdBy: creation.id), root: .group)
        var rest = operations.prefix(.max)
        while !rest.isEmpty {
            group.insert(rest.prefix(batch))
            rest = rest.dropFirst(batch)
        }
        return group
    }

    // MARK: - Stories

    @Test func `whoever makes a group did it in one go`() {
        let addition = add(others[0], after: creation)
        let group = group(of: [creation, addition, set(to: Self.name, after: addition)], batch: 1)
        let people = [others[0].user]
        #expect(group.systemMessages.map(\.action) == [.created(name: Self.name, with: people), .welcomed(people)])
    }

    @Test func `what follows a fork is told by itself, also where it was told as one already`() {
        let addition = add(others[0], after: creation)
        let second = add(others[1], after: addition)
        let path = [creation, addition, second, add(others[2], after: second)]
        let fork = set(Group.descriptionField, to: "A fork", after: addition)
        var group = group(of: path, batch: 1)
        #expect(group.systemMessages.map(\.action).first == .created(name: nil, with: others[0...2].map(\.user)))
        group.insert([fork])
        let actions = group.systemMessages.map(\.action)
        #expect(
            Set(actions) == [
                .created(name: nil, with: [others[0].user]), .welcomed([others[0].user]),
                .added(others[1...2].map(\.user)), .described,
            ])
        #expect(actions.count == 4)
        #expect(
            self.group(of: [creation, addition, fork] + path[2...], batch: 1).systemMessages == group.systemMessages)
    }

    @Test func `a fork from which nothing else follows ends what is one act, too`() throws {
        let addition = add(others[0], after: creation)
        let name = set(to: Self.name, after: addition)
        let void = writeVoid("Void", after: creation)
        var group = group(of: [creation, addition, name])
        let hasFollowed = group.insert([void])
        #expect(hasFollowed, "whoever shows the group has to look again")
        let voidReason = try #require(group.entry(void.id)?.voidReason)
        try #require(voidReason.decidedBy == nil, "else something follows from it anyway")
        let actions: [SystemMessage.Action] = [
            .created(name: nil, with: []), .added([others[0].user]), .renamed(Self.name),
        ]
        #expect(group.systemMessages.map(\.action) == actions)
        let followsMore = group.insert([writeVoid("More", after: creation)])
        #expect(!followsMore, "the act was cut before")
        #expect(group.systemMessages.map(\.action) == actions)
    }

    // MARK: - Laws

    @Test(arguments: 1...40 as ClosedRange<UInt64>)
    func `the order of arrival changes nothing where a chain is forked`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var graph = [creation]
        for number in 1...14 {
            // Mostly a path, with forks here and there.
            let previous =
                Bool.random(using: &random)
                ? graph[graph.count - 1] : graph[Int.random(in: 0..<graph.count, using: &random)]
            switch Int.random(in: 0..<8, using: &random) {
            case 0:
                graph.append(write(.set(under: .acting, field: Group.nameField, value: "\(number)"), after: previous))
            case 7: graph.append(writeVoid("\(number)", after: previous))
            case 1: graph.append(set(Group.descriptionField, to: "\(number)", after: previous))
            case 2: graph.append(set(to: "\(number)", after: previous))
            default: graph.append(addition(1 << (number % 11) | number, after: previous))
            }
        }
        let sorted = group(of: graph)
        for _ in 0..<12 {
            let order = graph.inArrivalOrder(using: &random)
            let group = group(of: order, batch: Int.random(in: 1...4, using: &random))
            #expect(group.systemMessages == sorted.systemMessages, "seed \(seed)")
        }
    }

    @Test func `a fork moves no boundary of what follows much later`() {
        var random = SplitMix64(seed: 3)
        var chain = [creation]
        for _ in 0..<300 { chain.append(add(Person(using: &random), after: chain[chain.count - 1])) }
        let forks = [set(to: "one", after: chain[2]), set(to: "two", after: chain[270])]
        let before = group(of: chain, batch: 50)
        #expect(before.systemMessages.count == 3, "the creation, for those in it, and whoever no act had room for")
        let late = group(of: chain + forks, batch: 50)
        let early = group(of: chain[...2] + [forks[0]] + chain[3...270] + [forks[1]] + chain[271...], batch: 50)
        #expect(late.systemMessages == early.systemMessages)
        let added = late.systemMessages.compactMap { message in
            if case .added(let people) = message.action { people.count } else { nil }
        }
        #expect(added == [254, 14, 30])
    }

    @Test(arguments: [500, 2_000])
    func `thousands of followers of one operation cost what each of them does`(count: Int) {
        let base = addition(2_047, after: creation)
        let followers = (1...count).map { addition($0, after: base) }
        let group = group(of: [creation, base] + followers, batch: 20)
        #expect(group.history.count == count + 2)
        #expect(group.partsVisited <= 3 * count, "\(group.partsVisited) parts of \(count) acts")
    }

    @Test func `a fork after each part of an act costs no more than the act`() {
        var chain = [creation]
        for number in 1...200 { chain.append(addition(number, after: chain[chain.count - 1])) }
        var group = group(of: chain)
        let before = group.partsVisited
        for previous in chain.dropLast() { group.insert([set(to: "fork", after: previous)]) }
        let each = (group.partsVisited - before) / chain.count
        #expect(each <= 2 * chain.count, "\(each) parts for each fork")
    }

    @Test func `whom a group names is known without listing its audience`() {
        let addition = add(others[0], others[1], after: creation)
        let invite = write(.invite(under: founder, .person(others[2].credentials)), after: addition)
        let removal = write(.remove(under: founder, target: others[1].user, pins: []), after: invite)
        let group = group(of: [creation, addition, invite, removal], batch: 1)
        let audience: [UserID: MembershipStatus] = [
            alice.user: .member, others[0].user: .member, others[1].user: .former, others[2].user: .invited,
        ]
        #expect(group.audience == audience)
        for person in others + [alice] { #expect(group.names(person.user) == (group.audience[person.user] != nil)) }
        #expect(group.namesAnybody(besides: [alice.user, others[0].user, others[1].user, others[5].user]))
        #expect(!group.namesAnybody(besides: Set(others.map(\.user) + [alice.user])))
    }
}
