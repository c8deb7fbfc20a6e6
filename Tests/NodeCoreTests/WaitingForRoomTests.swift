import Conversations
import Membership
import OperationLog
import OperationLogFixtures
import Testing

@testable import NodeCore
@testable import Simulation

/// Alice fills their group while Bob adds Carol to it.
@Suite("A group without room")
struct WaitingForRoomTests {
    private var trio: Trio
    private let group: ConversationID
    private let crowd: [UserID]

    init() throws {
        var trio = try Trio()
        let (bob, carol) = (trio.bob.me, trio.carol.me)
        var random = SeededRandom(seed: 9)
        let others = (2..<Group.capacity).map { _ in Person(using: &random).credentials }
        for other in others { _ = trio.cores[0].contacts.learn(other) }
        crowd = others.map(\.user)
        group = try trio.cores[0].createGroup(name: "Ship", members: [bob, crowd[0]], at: Trio.moment)
        try trio.cores[0].setRole(of: bob, in: group, to: .admin, at: Trio.moment)
        for index in 1...2 { trio.cores[index].open(group, root: .group) }
        trio.deliver(group, to: 1)
        try trio.cores[0].add(Array(crowd.dropFirst()), to: group, at: Trio.moment)
        // Who is let in later is less senior.
        for number in 0..<20 {
            try trio.cores[1].set(
                name: nil, description: "\(number)", of: group, at: Trio.after(.seconds(1 + number)))
        }
        try trio.cores[1].add([carol], to: group, at: Trio.after(.seconds(30)))
        trio.deliver(group, from: 1, to: 0)
        for index in 1...2 { trio.deliver(group, to: index) }
        self.trio = trio
    }

    private func waiting(at index: Int) -> [UserID]? {
        trio.cores[index].replicas[group]?.group.waiting.map(\.user)
    }

    @Test func `everybody sees who waits`() {
        for index in 0...2 {
            #expect(waiting(at: index) == [trio.carol.me])
            #expect(trio.cores[index].replicas[group]?.group.members.count == Group.capacity)
        }
    }

    @Test mutating func `who waits is told why they cannot write, and may leave`() throws {
        let refused = #expect(throws: NodeError.self) {
            try trio.cores[2].send(["Hello?"], to: group, at: Trio.after(.seconds(40)))
        }
        #expect(refused?.code == .notAParticipant && refused?.message.contains("you wait for room") == true)
        try trio.cores[2].leave(group, at: Trio.after(.seconds(41)))
        #expect(waiting(at: 2) == [])
    }

    @Test mutating func `who waits is in as soon as somebody is out`() throws {
        try trio.cores[0].remove(crowd[7], from: group, at: Trio.after(.seconds(40)))
        trio.deliver(group, to: 2)
        #expect(waiting(at: 2) == [] && trio.carol.replicas[group]?.group.isMember(trio.carol.me) == true)
        _ = try trio.cores[2].send(["Hello"], to: group, at: Trio.after(.seconds(41)))
    }

    @Test mutating func `who waits can be removed, and not be added once more`() throws {
        let carol = trio.carol.me
        let refused = #expect(throws: NodeError.self) {
            try trio.cores[1].add([carol], to: group, at: Trio.after(.seconds(40)))
        }
        #expect(refused?.code == .alreadyInGroup && refused?.message.contains("waits for room") == true)
        try trio.cores[0].remove(carol, from: group, at: Trio.after(.seconds(41)))
        #expect(waiting(at: 0) == [])
    }
}
