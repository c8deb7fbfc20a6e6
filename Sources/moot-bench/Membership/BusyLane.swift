import Membership

/// A membership lane as a busy group of honest people makes it: people are added, promoted, removed and added again,
/// the name changes, and every eighth operation is written concurrently with the one before it.
struct BusyLane {
    typealias Operation = MembershipOperation<Int, Int, Int>

    /// How many people the group is about.
    static let people = 256
    /// The people whom the founder, person 0, makes admin.
    static let admins = 1...8

    /// The operations, each after its parents; an operation's id is its place.
    private(set) var operations: [Operation] = []
    /// The promotion that each admin acts under.
    private(set) var grantOf: [Int: Int] = [:]
    private var heads: [Int] = []
    private var members = Set(9..<people)
    private var seed: UInt64 = 1

    /// Makes the lane of a group.
    ///
    /// - Parameter count: how many operations, at least 10.
    init(count: Int) {
        write(by: 0, .create)
        write(by: 0, .add(.grant(0, slot: 0), Array(1..<Self.people)))
        for person in Self.admins {
            grantOf[person] = write(by: 0, .promote(.grant(0, slot: 0), person, .admin))
        }
        while operations.count < count { live() }
    }

    /// What the admin acts under.
    func authority(of admin: Int) -> Authority<Int> { .grant(grantOf[admin] ?? 0, slot: 1) }

    /// Some admin does something that they may do.
    mutating func live() {
        let admin = 1 + next(below: Self.admins.count)
        let authority = authority(of: admin)
        let person = 9 + next(below: Self.people - 9)
        if next(below: 8) == 0, heads.count == 1, let parents = operations.last?.parents {
            let name = Action<Int, Int, Int>.set(authority, field: "name", value: "\(operations.count)")
            write(by: admin, name, after: parents, concurrentWith: heads)
        } else if members.insert(person).inserted {
            write(by: admin, .add(authority, [person]))
        } else if next(below: 3) == 0 {
            write(by: admin, .promote(authority, person, .moderator))
        } else {
            // Dominated or not: an older admin may have promoted them. Honest nodes would not write the void ones.
            members.remove(person)
            write(by: admin, .remove(authority, person))
        }
    }

    @discardableResult
    private mutating func write(
        by author: Int, _ action: Action<Int, Int, Int>, after parents: [Int]? = nil, concurrentWith others: [Int] = []
    ) -> Int {
        let id = operations.count
        operations.append(Operation(id: id, author: author, parents: parents ?? heads, action: action))
        heads = others + [id]
        return id
    }

    /// Knuth's linear congruential generator: every run measures the same lane.
    private mutating func next(below bound: Int) -> Int {
        seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(seed >> 33) % bound
    }
}
