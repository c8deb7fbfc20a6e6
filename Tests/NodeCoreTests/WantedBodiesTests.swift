import Cryptography
import OperationLog
import OperationLogFixtures
import Replication
import Storage
import Testing

@testable import NodeCore
@testable import Simulation

/// What is wanted of Alice, who wrote little, and of Mallory, who writes headers without an end.
@Suite("Bodies that have not come")
struct WantedBodiesTests {
    private let alice: Device
    private let mallory: Device
    private var random = SeededRandom(seed: 20)

    init() {
        alice = Person(using: &random).author.device
        mallory = Person(using: &random).author.device
    }

    private func id(_ number: Int, of author: Device) -> OperationID {
        OperationID(digest: .hash("test", author.id.digest.bytes, Array("\(number)".utf8)))
    }

    private func body(_ number: Int, of author: Device) -> WantedBody {
        WantedBody(operation: id(number, of: author), author: author, sequenceNumber: UInt64(number))
    }

    private func ids(_ numbers: some Sequence<Int>, of author: Device) -> [OperationID] {
        numbers.map { id($0, of: author) }
    }

    @Test func `a question has as much of each author as there is, and each in order`() {
        let bodies = (0..<1_000).map { body($0, of: mallory) } + (0..<10).map { body($0, of: alice) }
        let wanted = WantedBodies(bodies)
        var walk = wanted.walk()
        let first = wanted.ask(along: &walk)
        #expect(first.count == PeerMessage.maximumBodies)
        #expect(first.filter { ids(0..<10, of: alice).contains($0) } == ids(0..<10, of: alice))
        #expect(first.filter { !ids(0..<10, of: alice).contains($0) } == ids(0..<246, of: mallory))
        #expect(wanted.ask(along: &walk) == ids(246..<502, of: mallory))
        #expect(wanted.ask(along: &walk) == ids(502..<512, of: mallory), "enough in vain of one person")
        #expect(wanted.ask(along: &walk).isEmpty)
    }

    @Test func `what is wanted meanwhile is asked for at once, though others' pass is over`() {
        var wanted = WantedBodies((0..<1_000).map { body($0, of: mallory) })
        var walk = wanted.walk()
        while !wanted.ask(along: &walk).isEmpty {}
        wanted.insert(body(1_000, of: mallory))
        wanted.insert(body(0, of: alice))
        #expect(wanted.ask(along: &walk) == [id(0, of: alice)])
    }

    @Test func `the next pass goes on where one ended, and begins again at the end`() {
        let wanted = WantedBodies((0..<1_000).map { body($0, of: mallory) } + [body(0, of: alice)])
        var walk = wanted.walk()
        var passes: [Set<OperationID>] = []
        for _ in 0..<3 {
            var pass: Set<OperationID> = []
            while true {
                let next = wanted.ask(along: &walk)
                guard !next.isEmpty else { break }
                pass.formUnion(next)
            }
            passes.append(pass)
            wanted.beginPass(along: &walk)
        }
        #expect(passes[0] == Set(ids(0..<512, of: mallory) + [id(0, of: alice)]))
        #expect(passes[1] == Set(ids(512..<1_000, of: mallory) + [id(0, of: alice)]))
        #expect(passes[2] == passes[0])
    }

    @Test func `who brings some is asked for all of that author, and again for what had no room`() {
        var wanted = WantedBodies((0..<1_000).map { body($0, of: alice) })
        var walk = wanted.walk()
        var brought: Set<OperationID> = []
        while true {
            let next = wanted.ask(along: &walk).sorted()
            guard !next.isEmpty else { break }
            // There is room for a hundred in an answer.
            let found = Array(next.prefix(100))
            wanted.note(brought: found, unanswered: Array(next.dropFirst(100)), along: &walk)
            wanted.subtract(found)
            brought.formUnion(found)
        }
        #expect(brought.count == 1_000)
        #expect(wanted.isEmpty)
        #expect(!wanted.contains(heldBy: alice.id))
    }

    @Test func `what somebody claims is asked for anew, and not behind what its author or the claimer lacks besides`() {
        let bodies = (0..<1_000).map { body($0, of: mallory) }
        for others in [0, 1_200] {
            var wanted = WantedBodies(bodies + (0..<others).map { body($0, of: alice) })
            var walk = wanted.walk()
            while !wanted.ask(along: &walk).isEmpty {}
            wanted.claim(id(3, of: mallory), by: alice)
            #expect(wanted.count == bodies.count + others)
            var fresh = wanted.walk()
            if others == 0 {
                #expect(wanted.ask(along: &walk) == [id(3, of: mallory)])
                #expect(wanted.ask(along: &fresh).prefix(2).contains(id(3, of: mallory)))
            } else {
                #expect(wanted.claims(of: alice.id, after: 0) == [id(3, of: mallory)])
            }
            wanted.subtract(ids(0..<1_000, of: mallory))
            #expect(wanted.count == others)
        }
    }

    @Test func `who brings one of each question of one author is asked no more of another`() {
        var wanted = WantedBodies((0..<2_000).flatMap { [body($0, of: alice), body($0, of: mallory)] })
        let ofAlice = Set(ids(0..<2_000, of: alice))
        var walk = wanted.walk()
        var asked: [OperationID] = []
        while true {
            let next = wanted.ask(along: &walk)
            guard !next.isEmpty else { break }
            asked += next
            let found = Array(next.filter(ofAlice.contains).prefix(1))
            wanted.note(brought: found, unanswered: [], along: &walk)
            wanted.subtract(found)
        }
        #expect(asked.count { !ofAlice.contains($0) } == WantedBodies.maximumVain)
        #expect(asked.count(where: ofAlice.contains) == 2_000)
    }

    @Test
    func `what a device may not have costs none of what it is asked for, and what had no room is asked for again`() {
        let wanted = WantedBodies((0..<1_000).map { body($0, of: alice) })
        var walk = wanted.walk()
        var seen: Set<OperationID> = []
        while true {
            let next = wanted.next(along: &walk)
            guard !next.isEmpty else { break }
            seen.formUnion(next)
        }
        #expect(seen.count == 1_000)
        wanted.beginPass(along: &walk)
        for _ in 0..<20 {
            let asked = wanted.ask(along: &walk)
            #expect(asked == ids(0..<256, of: alice))
            wanted.note(brought: [], unanswered: asked, along: &walk)
        }
    }

    @Test func `a body that is wanted during a pass does not stop the next pass from starting at the first`() {
        var wanted = WantedBodies((0..<600).map { body($0, of: alice) })
        var walk = wanted.walk()
        #expect(wanted.ask(along: &walk) == ids(0..<256, of: alice))
        #expect(wanted.isCut(walk))
        wanted.beginPass(along: &walk)
        #expect(wanted.ask(along: &walk) == ids(256..<512, of: alice))
        #expect(wanted.ask(along: &walk) == ids(512..<600, of: alice))
        #expect(!wanted.isCut(walk))
        wanted.insert(body(600, of: alice))
        wanted.beginPass(along: &walk)
        #expect(wanted.ask(along: &walk) == ids(0..<256, of: alice))
    }

    @Test func `what the storage says is wanted keeps its turn`() {
        var wanted = WantedBodies((0..<4).map { body($0, of: alice) })
        var walk = wanted.walk()
        #expect(wanted.ask(along: &walk).count == 4)
        wanted.become((1..<6).map { body($0, of: alice) })
        #expect(wanted.operations == Set(ids(1..<6, of: alice)))
        #expect(wanted.ask(along: &walk) == ids(4..<6, of: alice))
    }

    @Test func `of more authors than a question has room for, each has a turn before one has two`() {
        var random = SeededRandom(seed: 21)
        let authors = (0..<300).map { _ in Person(using: &random).author.device }
        let wanted = WantedBodies(authors.flatMap { author in (0..<3).map { body($0, of: author) } })
        var walk = wanted.walk()
        let asked = wanted.ask(along: &walk) + wanted.ask(along: &walk)
        #expect(Set(authors.map { id(0, of: $0) }).isSubset(of: asked))
        #expect(Set(asked).count == asked.count)
    }

    @Test func `two branches of a chain have one number, until both are here`() {
        let (one, other) = (id(1, of: alice), id(2, of: alice))
        var wanted = WantedBodies([one, other].map { WantedBody(operation: $0, author: alice, sequenceNumber: 7) })
        #expect(wanted.contains(7, writtenBy: alice.id))
        wanted.subtract([one, one])
        #expect(wanted.contains(7, writtenBy: alice.id))
        #expect(!wanted.contains(8, writtenBy: alice.id))
        wanted.subtract([other])
        #expect(!wanted.contains(7, writtenBy: alice.id))
        #expect(wanted.isEmpty)
    }

    @Test func `what came and is wanted again is asked for once more`() {
        var wanted = WantedBodies((0..<4).map { body($0, of: alice) })
        var walk = wanted.walk()
        #expect(wanted.ask(along: &walk) == ids(0..<4, of: alice))
        wanted.subtract([id(1, of: alice)])
        wanted.insert(body(1, of: alice))
        wanted.insert(body(2, of: alice))
        #expect(wanted.count == 4)
        #expect(wanted.ask(along: &walk) == [id(1, of: alice)])
        #expect(wanted.operations == Set(ids(0..<4, of: alice)))
    }
}

extension WantedBodies {
    /// Asks a device that may have everything.
    fileprivate func ask(along walk: inout Walk) -> [OperationID] {
        let asked = next(along: &walk)
        note(asked: asked, along: &walk)
        return asked
    }
}
