import Membership

/// Adversarial lanes: every operation is written so that others must be evaluated again, or so that its author's view
/// must be evaluated from scratch.
///
/// For benchmarks and tests: they measure how the cost grows with the operations.
public struct HostileLane: Sendable {
    /// An operation, named by its place in the lane.
    public typealias Operation = MembershipOperation<Int, Int, Int>

    /// What the lane is full of.
    public enum Shape: String, CaseIterable, Sendable {
        /// Two admins promote each other and step down in turn, while others leave on old heads.
        case turns
        /// An admin is promoted again and again and steps down with two devices at once.
        case twoDevices
        /// An admin acts on, while the founder demotes them again and again on old heads.
        case demotions
        /// An admin acts on, while the founder removes them again and again, each time having seen a little less.
        case removals
        /// A moderator is removed by a junior admin, who is removed by a senior one on old heads, and so on.
        case flips
        /// The roster is ratified again and again, those banned who were kept before.
        case ratifications
        /// The roster is ratified again and again on old heads.
        case staleRatifications
        /// Somebody is removed and added again in two branches that see each other late.
        case returns
        /// Each admin makes the next one, and at last the first one is removed on old heads.
        case delegation
        /// Who may add is set on old heads, while members add.
        case settings
        /// Many join by one code, none having seen another.
        case codes
        /// One invite is canceled and used again and again.
        case cancellations
        /// A member leaves again and again in two branches that never meet.
        case leaves
        /// Members write merges of whatever came before.
        case merges
        /// A device on which an admin acts is revoked again and again with other pins, while the founder demotes the
        /// admin, each time having seen a little less.
        case devices
    }

    /// The operations, each after its parents.
    public private(set) var operations: [Operation] = []
    private var seed: UInt64 = 1

    /// Makes a lane.
    ///
    /// - Parameter count: about how many operations, at least 20.
    public init(_ shape: Shape, count: Int) {
        write(by: 0, .create, after: [])
        switch shape {
        case .turns: takeTurns(count)
        case .twoDevices: stepDownTwice(count)
        case .demotions: strike(count) { .demote($0, 1, $1 % 2 == 0 ? .member : .moderator) }
        case .removals: strike(count) { authority, _ in .remove(authority, 1) }
        case .flips: flip(count)
        case .ratifications: ratify(count, isStale: false)
        case .staleRatifications: ratify(count, isStale: true)
        case .returns: comeBack(count)
        case .delegation: delegate(count)
        case .settings: set(count)
        case .codes: useCode(count)
        case .cancellations: cancel(count)
        case .leaves: leave(count)
        case .merges: merge(count)
        case .devices: revoke(count)
        }
    }

    private static let founder = Authority<Int>.grant(0, slot: 0)
    /// The people other than those who do something.
    private static let crowd = 1_000..<1_255

    private var last: Int { operations.count - 1 }

    @discardableResult
    private mutating func write(by author: Int, _ action: Action<Int, Int, Int>, after parents: [Int]? = nil) -> Int {
        let id = operations.count
        operations.append(
            Operation(id: id, author: author, device: author, parents: parents ?? [id - 1], action: action))
        return id
    }

    /// Knuth's linear congruential generator: every run makes the same lane.
    private mutating func next(below bound: Int) -> Int {
        seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(seed >> 33) % bound
    }
}

// MARK: - The shapes

extension HostileLane {
    private mutating func takeTurns(_ count: Int) {
        write(by: 0, .add(Self.founder, [1, 2] + Self.crowd))
        write(by: 0, .stepdown)
        // The oldest member acts, and so is admin.
        var (one, other) = (1, 2)
        var authority = Authority<Int>.acting
        while operations.count < count {
            let promotion = write(by: one, .promote(authority, other, .admin))
            let stepdown = write(by: one, .stepdown)
            let leave = write(by: Self.crowd.lowerBound + promotion % Self.crowd.count, .leave, after: [promotion])
            write(by: other, .merge, after: [stepdown, leave])
            swap(&one, &other)
            if promotion % 5 == 0 { write(by: one, .stepdown) }
            authority = promotion % 5 == 0 ? .acting : .grant(promotion, slot: 1)
            if promotion % 5 == 0 { (one, other) = (1, 2) }
        }
    }

    private mutating func stepDownTwice(_ count: Int) {
        write(by: 0, .add(Self.founder, [1, 2, 3]))
        let admin = write(by: 0, .promote(Self.founder, 2, .admin))
        write(by: 0, .leave)
        while operations.count < count {
            let promotion = write(by: 2, .promote(.grant(admin, slot: 1), 1, .admin))
            let phone = write(by: 1, .stepdown, after: [promotion])
            let laptop = write(by: 1, .stepdown, after: [promotion])
            let lost = write(by: 3, .set(.acting, field: "name", value: ""), after: [phone])
            write(by: 2, .merge, after: [laptop, lost])
        }
    }

    /// An admin acts in one branch, while the founder takes their authority away in others.
    private mutating func strike(_ count: Int, _ blow: (Authority<Int>, Int) -> Action<Int, Int, Int>) {
        write(by: 0, .add(Self.founder, [1, 2] + Self.crowd))
        let promotion = write(by: 0, .promote(Self.founder, 1, .admin))
        let acts = (0..<count / 2).map { place -> Int in
            let target = Self.crowd.lowerBound + place % Self.crowd.count
            return write(by: 1, .promote(.grant(promotion, slot: 1), target, .moderator))
        }
        for place in 0..<(count - operations.count) {
            write(by: 0, blow(Self.founder, place), after: [acts[acts.count - 1 - place % acts.count]])
        }
    }

    private mutating func flip(_ count: Int) {
        write(by: 0, .add(Self.founder, [1, 2, 3]))
        let moderator = write(by: 0, .promote(Self.founder, 3, .moderator))
        var (main, side) = (moderator, moderator)
        for place in 0..<count / 4 {
            main = write(by: 3, .add(.grant(moderator, slot: 1), [10 + place]), after: [main])
        }
        while operations.count < count {
            let promotion = write(by: 0, .promote(Self.founder, 2, .admin), after: [side])
            write(by: 2, .remove(.grant(promotion, slot: 1), 3), after: [promotion])
            side = write(by: 0, .remove(Self.founder, 2), after: [promotion])
            side = write(by: 0, .add(Self.founder, [2]), after: [side])
        }
    }

    private mutating func ratify(_ count: Int, isStale: Bool) {
        let base = write(by: 0, .add(Self.founder, Array(Self.crowd)))
        while operations.count < count {
            let keep = Self.crowd.map { Kept($0, operations.count % 2 == 0 ? .moderator : .member) }
            write(
                by: 0, .ratify(Self.founder, keep: keep, bans: Array(Self.crowd)),
                after: isStale ? [operations.count % 3 == 0 ? base : last] : [last])
        }
    }

    private mutating func comeBack(_ count: Int) {
        let base = write(by: 0, .add(Self.founder, [1, 2]))
        let moderator = write(by: 0, .promote(Self.founder, 2, .admin), after: [base])
        var heads = [moderator, moderator]
        var older = heads
        while operations.count < count {
            for branch in 0...1 {
                let (author, authority) = branch == 0 ? (0, Self.founder) : (2, .grant(moderator, slot: 1))
                let removal = write(by: author, .remove(authority, 1), after: [heads[branch], older[1 - branch]])
                let addition = write(by: author, .add(authority, [1]), after: [removal])
                older[branch] = heads[branch]
                heads[branch] = write(by: author, .promote(authority, 1, .moderator), after: [addition])
            }
        }
    }

    private mutating func delegate(_ count: Int) {
        write(by: 0, .add(Self.founder, Array(Self.crowd)))
        let first = write(by: 0, .promote(Self.founder, Self.crowd.lowerBound, .admin))
        var authority = Authority<Int>.grant(first, slot: 1)
        var holder = Self.crowd.lowerBound
        var branch = first
        while operations.count < count {
            let other = Self.crowd.lowerBound + operations.count % Self.crowd.count
            authority = .grant(write(by: holder, .promote(authority, other, .admin), after: [branch]), slot: 1)
            branch = last
            holder = other
            if operations.count % 10 == 0 { write(by: 0, .demote(Self.founder, 1_000, .member), after: [first]) }
        }
    }

    private mutating func set(_ count: Int) {
        write(by: 0, .add(Self.founder, [1, 2]))
        let admin = write(by: 0, .promote(Self.founder, 1, .admin))
        var branch = admin
        while operations.count < count {
            let setting = Action<Int, Int, Int>.set(
                .grant(admin, slot: 1), field: AddSetting.field, value: AddSetting.everyone)
            let write = write(by: 1, setting, after: [branch])
            self.write(by: 2, .add(.grant(1, slot: 2), [10 + write]), after: [write])
            branch = write
            if write % 10 == 0 { self.write(by: 0, .demote(Self.founder, 1, .member), after: [admin]) }
            if write % 10 == 5 {
                self.write(by: 0, .set(Self.founder, field: AddSetting.field, value: ""), after: [admin])
            }
        }
    }

    private mutating func useCode(_ count: Int) {
        let invite = write(by: 0, .invite(Self.founder, nil))
        while operations.count < count { write(by: count - operations.count, .join(invite), after: [invite]) }
    }

    private mutating func cancel(_ count: Int) {
        let invite = write(by: 0, .invite(Self.founder, 1))
        var (joins, branch) = ([invite], invite)
        while operations.count < count {
            branch = write(by: 1, .join(invite), after: [branch])
            joins.append(branch)
            let seen = joins[joins.count / 2]
            write(by: 0, .cancel(Self.founder, invite), after: [seen])
        }
    }

    private mutating func leave(_ count: Int) {
        let base = write(by: 0, .add(Self.founder, [1]))
        var heads = [base, base]
        while operations.count < count {
            heads[operations.count % 2] = write(by: 1, .leave, after: [heads[operations.count % 2]])
        }
    }

    private mutating func revoke(_ count: Int) {
        write(by: 0, .add(Self.founder, [1, 2] + Self.crowd))
        let promotion = write(by: 0, .promote(Self.founder, 1, .admin))
        let acts = (0..<count / 3).map { place -> Int in
            let target = Self.crowd.lowerBound + place % Self.crowd.count
            return write(by: 1, .promote(.grant(promotion, slot: 1), target, .moderator))
        }
        for place in 0..<(count - operations.count) {
            let seen = acts.count - 1 - place / 2 % acts.count
            let action: Action<Int, Int, Int> =
                place % 2 == 0
                ? .revoke(1, 1, pins: [acts[min(seen, place / 2 % acts.count)]])
                : .demote(Self.founder, 1, place % 4 == 1 ? .member : .moderator)
            write(by: place % 2 == 0 ? 2 : 0, action, after: [acts[seen]])
        }
    }

    private mutating func merge(_ count: Int) {
        let base = write(by: 0, .add(Self.founder, [1]))
        while operations.count < count {
            let parents = Set((0..<4).map { _ in base + next(below: max(1, operations.count - base)) })
            write(by: 1, operations.count % 8 == 0 ? .stepdown : .merge, after: parents.sorted())
        }
    }
}
