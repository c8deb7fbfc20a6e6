import Conversations
import Cryptography
import OperationLog
import OperationLogFixtures
import Testing
import Time

/// Whom Alice blocked or verified, on the devices they have.
@Suite("Marks of people")
struct PersonMarksTests {
    private static let noon = Timestamp(clamping: 1_800_000_000_000)
    private static let later = Timestamp(clamping: noon.milliseconds + 1)
    private static let laptop = device("laptop")
    private static let phone = device("phone")
    private static let bob = person(1)

    private static func device(_ name: String) -> DeviceID {
        DeviceID(digest: .hash("moot/1/test", Array(name.utf8)))
    }

    private static func person(_ number: Int) -> UserID {
        UserID(digest: .hash("moot/1/test", Array("person \(number)".utf8)))
    }

    /// Sets a mark; whether there was room.
    @discardableResult
    private static func set(
        _ user: UserID, _ isMarked: Bool, in list: inout PersonMarks, at time: Timestamp, by device: DeviceID
    ) -> Bool {
        guard let changes = list.changes(marking: user, isMarked, at: time, by: device) else { return false }
        list.apply(changes)
        return true
    }

    /// Lists of as many devices of one user, which wrote concurrently and told each other some of it.
    private static func related(_ count: Int, using random: inout SplitMix64) -> [PersonMarks] {
        var lists = Array(repeating: PersonMarks(), count: count)
        for _ in 0..<Int.random(in: 0...40, using: &random) {
            let index = Int.random(in: 0..<count, using: &random)
            if Int.random(in: 0..<6, using: &random) == 0 {
                lists[index].merge(lists[Int.random(in: 0..<count, using: &random)])
                continue
            }
            // Devices that lie write as others and twice with one stamp.
            let time = Timestamp(clamping: noon.milliseconds + Int64.random(in: 0...5, using: &random))
            set(
                person(Int.random(in: 0...4, using: &random)), .random(using: &random), in: &lists[index], at: time,
                by: Bool.random(using: &random) ? laptop : phone)
        }
        return lists
    }

    @Test func `of what comes at once and has no room the oldest goes, as where it comes one by one`() {
        var full = PersonMarks()
        for number in 0..<PersonMarks.maximumPeople {
            Self.set(Self.person(number), true, in: &full, at: Self.noon, by: Self.laptop)
        }
        var news = PersonMarks()
        for number in 0..<100 {
            Self.set(Self.person(-1 - number), number > 50, in: &news, at: Self.later, by: Self.phone)
        }
        var oneByOne = full
        for (user, mark) in news.people { oneByOne.apply(oneByOne.changes(merging: [user: mark])) }
        let atOnce = full.merging(news)
        #expect(atOnce == oneByOne)
        #expect(atOnce.people.count == PersonMarks.maximumPeople)
        #expect(news.people.keys.allSatisfy { atOnce.people[$0] != nil })
    }

    @Test(arguments: 1...200 as ClosedRange<UInt64>)
    func `merging is commutative, associative and idempotent, also where two writes have one stamp`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let lists = Self.related(3, using: &random)
        let (a, b, c) = (lists[0], lists[1], lists[2])
        #expect(a.merging(b) == b.merging(a), "seed \(seed)")
        #expect(a.merging(b).merging(c) == a.merging(b.merging(c)), "seed \(seed)")
        #expect(a.merging(b).merging(b) == a.merging(b), "seed \(seed)")
        #expect(a.merging(a) == a, "seed \(seed)")
    }

    @Test(arguments: 1...200 as ClosedRange<UInt64>)
    func `each mark that is encoded is decoded as it was`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let list = Self.related(2, using: &random).reduce(PersonMarks()) { $0.merging($1) }
        for mark in list.people.values {
            #expect(try PersonMark(decoding: mark.encoded) == mark, "seed \(seed)")
            #expect(mark.encoded.count <= PersonMark.maximumBytes, "seed \(seed)")
        }
    }

    @Test func `whoever was taken off on one device does not come back from the other`() {
        var laptop = PersonMarks()
        #expect(Self.set(Self.bob, true, in: &laptop, at: Self.noon, by: Self.laptop))
        let phone = laptop
        #expect(Self.set(Self.bob, false, in: &laptop, at: Self.later, by: Self.laptop))
        #expect(!phone.merging(laptop).contains(Self.bob))
    }

    @Test func `of more people than there is room for the latest writes are kept, in every order`() {
        var (one, other) = (PersonMarks(), PersonMarks())
        for number in 0..<PersonMarks.maximumPeople {
            let time = Timestamp(clamping: Self.noon.milliseconds + Int64(number))
            #expect(Self.set(Self.person(number), true, in: &one, at: time, by: Self.laptop))
        }
        #expect(!Self.set(Self.person(-1), true, in: &one, at: Self.later, by: Self.laptop))
        #expect(Self.set(Self.person(-1), true, in: &other, at: .latest, by: Self.phone))
        #expect(Self.set(Self.person(-2), true, in: &other, at: .earliest, by: Self.phone))
        let both = one.merging(other)
        #expect(both == other.merging(one))
        #expect(both.people.count == PersonMarks.maximumPeople)
        #expect(both.contains(Self.person(-1)) && !both.contains(Self.person(-2)) && !both.contains(Self.person(0)))
    }

    @Test func `what a device wrote is taken over, or falls with it`() {
        var list = PersonMarks()
        #expect(Self.set(Self.bob, true, in: &list, at: .latest, by: Self.phone))
        var takenOver = list
        takenOver.apply(list.changes(restamping: { stamp, _ in stamp.takenOver(by: Self.laptop, at: Self.noon) }))
        #expect(takenOver.contains(Self.bob))
        #expect(takenOver.people[Self.bob]?.device == Self.laptop)
        var changed = takenOver
        #expect(Self.set(Self.bob, false, in: &changed, at: Self.later, by: Self.laptop))
        #expect(!changed.merging(takenOver).contains(Self.bob))
        #expect(list.changes(restamping: { stamp, _ in stamp }).isEmpty)
        list.apply(list.changes(restamping: { _, _ in nil }))
        #expect(list.people.isEmpty)
    }

    @Test func `in a full list a new mark takes the place of the oldest that was taken off`() {
        var list = PersonMarks()
        for number in 0..<PersonMarks.maximumPeople {
            let time = Timestamp(clamping: Self.noon.milliseconds + Int64(number))
            #expect(Self.set(Self.person(number), number != 7 && number != 9, in: &list, at: time, by: Self.phone))
        }
        for (person, hasRoom) in [(-1, true), (-2, true), (-3, false)] {
            #expect(Self.set(Self.person(person), true, in: &list, at: Self.later, by: Self.laptop) == hasRoom)
        }
        #expect(list.people[Self.person(7)] == nil && list.people[Self.person(9)] == nil)
        #expect(list.contains(Self.person(0)) && list.contains(Self.person(-2)))
        #expect(list.people.count == PersonMarks.maximumPeople)
    }
}

extension PersonMarks {
    /// Takes over what another device said of everybody.
    fileprivate mutating func merge(_ other: PersonMarks) { apply(changes(merging: other.people)) }

    /// What both are together.
    fileprivate func merging(_ other: PersonMarks) -> PersonMarks {
        var merged = self
        merged.merge(other)
        return merged
    }
}
