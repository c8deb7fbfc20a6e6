import Conversations
import Cryptography
import OperationLog
import Replication
import Testing
import Time

@testable import NodeCore
@testable import Simulation

/// Alice has a desk and a laptop, and the laptop is in other hands.
@Suite("Marks of people on disk")
struct PersonMarkRowsTests {
    private var house: Household
    private let laptop: Int
    private let peer: PeerHandle
    private let desk = Household.desk

    init() throws {
        var house = try Household()
        laptop = try house.link(to: desk)
        house.connect(laptop, desk)
        house.run()
        peer = try #require(house.cores[desk].links.handle(of: house.cores[laptop].device.id))
        house.cores[desk].moment = house.moment
        self.house = house
    }

    private static func person(_ number: Int) -> UserID {
        UserID(digest: .hash("moot/1/test", Array("person \(number)".utf8)))
    }

    /// What the laptop says of some people.
    private func entries(_ kind: PrivateSubject.Kind, of people: Range<Int>, isMarked: Bool = true) -> [PrivateEntry] {
        people.compactMap { number in
            let user = Self.person(number)
            // That a mark is taken off is said later than every mark.
            let delay = Int64(isMarked ? number : number + 60_000)
            let time = Timestamp(clamping: house.moment.wall.milliseconds + delay)
            let marks = PersonMarks().changes(
                marking: user, isMarked, at: time, by: house.cores[laptop].device.id)
            return marks?[user].map { PrivateEntry(of: PrivateSubject(kind, of: user), state: $0.encoded) }
        }
    }

    /// What is written when something comes.
    private struct Writing: Equatable {
        var transactions = 0
        var rows = 0
        var bytes = 0
        var forgotten = 0
    }

    /// Has the desk take what the laptop said, and tells what was written. Every sealing draws a nonce, so a row that
    /// was written is another.
    private mutating func taking(_ entries: [PrivateEntry]) -> Writing {
        let disk = house.disks[desk]
        let (before, transactions) = (disk.image.personMarks, disk.transactions)
        house.cores[desk].takePrivate(entries, from: peer)
        let after = disk.image.personMarks
        let written = after.filter { before[$0.key] != $0.value }
        return Writing(
            transactions: disk.transactions - transactions, rows: written.count,
            bytes: written.reduce(0) { $0 + $1.value.count },
            forgotten: before.keys.count { after[$0] == nil })
    }

    @Test(arguments: [PrivateSubject.Kind.block, .verification])
    mutating func `one more costs as much where all that fit are kept as where there are none`(
        kind: PrivateSubject.Kind
    ) {
        let first = taking(entries(kind, of: 0..<1))
        #expect(first.transactions == 1 && first.rows == 1 && first.forgotten == 0)
        #expect(first.bytes <= 1 + Digest.byteCount + PersonMark.maximumBytes + StorageKey.overhead)
        _ = taking(entries(kind, of: 1..<PersonMarks.maximumPeople))
        #expect(house.disks[desk].image.personMarks.count == PersonMarks.maximumPeople)
        var (one, again) = (first, first)
        (one.forgotten, again.forgotten) = (1, 0)
        for number in 0..<64 {
            let person = PersonMarks.maximumPeople + number
            #expect(taking(entries(kind, of: person..<person + 1)) == one)
            #expect(taking(entries(kind, of: person..<person + 1)) == Writing(), "nothing new costs nothing")
            let later = PersonMarks.maximumPeople - 1 - number
            #expect(taking(entries(kind, of: later..<later + 1, isMarked: false)) == again)
        }
        #expect(house.disks[desk].image.personMarks.count == PersonMarks.maximumPeople)
    }

    @Test mutating func `a start finds what was kept, and not what was forgotten`() throws {
        _ = taking(entries(.block, of: 0..<PersonMarks.maximumPeople + 1) + entries(.verification, of: 7..<9))
        _ = taking(entries(.verification, of: 8..<9, isMarked: false))
        let kept = house.cores[desk].context.privateState
        house.disconnect(desk)
        let core = try NodeCore(
            keys: house.cores[desk].keys, storage: house.disks[desk], blobs: house.disks[desk], names: [],
            deviceName: "", staticPeers: [], random: SeededRandom(seed: 5), at: house.moment)
        #expect(core.context.privateState.blocks == kept.blocks)
        #expect(core.context.privateState.verifications == kept.verifications)
        #expect(!core.isBlocked(Self.person(0)) && core.isBlocked(Self.person(PersonMarks.maximumPeople)))
        #expect(core.contacts[Self.person(7)].isVerified && !core.contacts[Self.person(8)].isVerified)
    }
}
