import Membership
import OperationLog
import Time

/// Finds the view, and who had a say, at any membership heads of one conversation.
///
/// Most messages are written under the newest heads, and a backlog names ever newer ones: so the state at the last
/// heads asked about is kept, and goes on from there. People who are apart go on from different ones, so there are
/// several, and one of what the last two had in common. So an author who alternates between many branches causes each
/// branch to be evaluated once, not the whole lane for every operation.
///
/// What is kept is bounded by what it takes in memory. Where branches are so many and so long that their states do not
/// fit, a message costs as much as its branch is long. Who asks about ever earlier heads finds states that were kept on
/// the way.
struct Views: Sendable {
    /// How many devices, people and grants are remembered before all are forgotten, of moments and of grants each.
    private static let maximumEntries = 65_536
    /// How many states are kept in any case.
    private static let minimumStates = 2
    /// How many states are kept at most: all are looked at to find the nearest.
    private static let maximumStates = 256
    /// About how many bytes the states take that are kept.
    private static let maximumStateBytes = 16 << 20
    /// How many operations further on the way to a past one more state is kept at the least: who asks about ever
    /// earlier heads finds one near them.
    private static let stride = 128

    private var known = Remembered<[OperationID], Moment>(maximumEntries)
    /// The grants that were asked about, by heads and person.
    private var grants = Remembered<GrantsQuestion, Grants>(maximumEntries)
    /// The states of some pasts, the one used last at the end.
    private var states: [PastState] = []
    private var stateBytes = 0
    /// What the last two that stood apart had in common.
    private var trunk: PastState
    /// What decides at heads, and is asked about instead of them.
    var decisiveHeads = DecisiveHeads()
    /// Operations judged so far: what this costs.
    private(set) var judged = 0

    /// What follows from a past.
    struct Moment: Sendable {
        let view: View
        /// The members with their roles; admin for the acting admin.
        let roles: [UserID: Role]
    }

    /// The operations that made the grants of a person, and what is left of the role of each in a past.
    typealias Grants = [(maker: OperationID, remaining: Role?)]

    private struct GrantsQuestion: Hashable {
        let user: UserID
        let heads: [OperationID]
    }

    init(conversation: ConversationID, root: ConversationRoot) {
        trunk = PastState(conversation: conversation, root: root)
    }

    /// The grants of a person in the past of some heads; none if one of these is not in the lane.
    ///
    /// - Complexity: as ``moment(at:in:as:)``, the first time.
    mutating func grants(
        of user: UserID, at heads: [OperationID], in lane: MembershipGraph, as decided: DecidedLane
    ) -> Grants {
        let question = GrantsQuestion(user: user, heads: heads)
        if let found = grants[question] { return found }
        guard let past = lane.past(of: heads), var state = state(on: past, in: lane, as: decided) else { return [] }
        let found = state.grants(of: user, as: decided)
        keep(state)
        grants.note(found, for: question, entries: found.count)
        return found
    }

    /// What follows from the past of some heads that was asked about lately.
    func moment(at heads: [OperationID]) -> Moment? { known[heads] }

    /// What follows from the past of some heads, which ``moment(at:)`` does not know; nil if one of them is not in the
    /// lane.
    ///
    /// - Parameter decided: what was decided about the lane.
    /// - Complexity: what judging the operations costs that no kept state has, and O(*m*) in the members; where no
    ///   state goes on to these heads, copying one besides.
    mutating func moment(at heads: [OperationID], in lane: MembershipGraph, as decided: DecidedLane) -> Moment? {
        guard let past = lane.past(of: heads), var state = state(on: past, in: lane, as: decided) else { return nil }
        let (moment, news) = state.moment(as: decided)
        keep(state)
        known.note(moment, for: heads, entries: news)
        return moment
    }

    private mutating func keep(_ state: PastState) {
        states.append(state)
        stateBytes += state.byteCount
        while states.count > Self.minimumStates
            && (stateBytes > Self.maximumStateBytes || states.count > Self.maximumStates)
        {
            stateBytes -= states.removeFirst().byteCount
        }
    }

    /// The state after a past, taken out of those that are kept.
    private mutating func state(
        on past: MembershipPast, in lane: MembershipGraph, as decided: DecidedLane
    ) -> PastState? {
        let nearest = states.indices.filter { past.isSuperset(of: states[$0].past) }
            .max { states[$0].past.count < states[$1].past.count }
        var state = trunk
        if let nearest {
            // Only what goes on from where one was last needs no copy. Others may come back to the rest, which was used
            // now.
            let isLast = nearest == states.indices.last
            state = states.remove(at: nearest)
            stateBytes -= state.byteCount
            if !isLast { keep(state) }
        } else {
            if let other = states.last {
                let common = past.intersection(other.past)
                if !past.isSuperset(of: state.past) { state = state.emptied }
                if common.isSuperset(of: state.past) {
                    guard let shared = advance(state, to: common, in: lane, as: decided) else { return nil }
                    state = shared
                }
                trunk = state
            }
            if !past.isSuperset(of: state.past) { state = state.emptied }
        }
        return advance(state, to: past, in: lane, as: decided)
    }

    /// Brings a state to a past, and keeps some on the way: one in the middle, one in the middle of the rest, and so
    /// on.
    private mutating func advance(
        _ state: PastState, to past: MembershipPast, in lane: MembershipGraph, as decided: DecidedLane
    ) -> PastState? {
        var state = state
        var news = past.elements(beyond: state.past)[...]
        while news.count > Self.stride {
            let part = news.prefix(news.count / 2)
            guard state.take(part, in: lane, as: decided) else { return nil }
            judged += part.count
            news = news.dropFirst(part.count)
            keep(state)
        }
        guard state.take(news, in: lane, as: decided) else { return nil }
        judged += news.count
        return state
    }
}

/// A membership lane with its verdicts.
struct DecidedLane {
    let resolver: MembershipResolver<OperationID, UserID, DeviceID>
    /// The operations, each after its parents.
    let history: [Group.Entry]
    /// The positions of the operations of which the resolver knows nothing.
    let places: [OperationID: Int]

    /// An operation; nil if it is not here.
    func entry(_ id: OperationID) -> Group.Entry? { (resolver.index(of: id) ?? places[id]).map { history[$0] } }
}

/// Who is a member, and with which keys, after some operations of a lane.
private struct PastState: Sendable {
    /// The operations.
    private(set) var past = MembershipPast()
    private let conversation: ConversationID
    private let root: ConversationRoot
    private var membership = PartialMembership()
    private var credentials = KnownCredentials()
    private var latest: Views.Moment?
    /// How many records of people came; of a person one for each time.
    private var records = 0
    /// About how many bytes it takes.
    private(set) var byteCount = 0

    init(conversation: ConversationID, root: ConversationRoot) {
        self.conversation = conversation
        self.root = root
    }

    var emptied: PastState { PastState(conversation: conversation, root: root) }

    /// Takes in operations, each after its parents, by their places in the lane.
    ///
    /// - Returns: whether the lane says what they are.
    mutating func take(_ places: ArraySlice<Int>, in lane: MembershipGraph, as decided: DecidedLane) -> Bool {
        let news = places.map { lane.operations[$0].id }
        for id in news {
            guard let entry = decided.entry(id) else { return false }
            let people = entry.body?.credentials ?? []
            records += people.count
            for person in people { credentials.learn(person) }
            for tombstone in entry.body?.tombstones ?? [] { credentials.learn(tombstone) }
        }
        if case .group = root { decided.resolver.include(news, in: &membership) }
        for place in places { past.insert(place) }
        // A verdict on each operation of the lane, what each of the past may have made, and what is known of people.
        byteCount = 4_096 + lane.operations.count + 32 * past.count + 512 * records
        return true
    }

    /// What follows, shared with what followed before, as far as it is the same; and how many devices and people the
    /// rest has.
    mutating func moment(as decided: DecidedLane) -> (Views.Moment, news: Int) {
        let people: [UserID]
        let roles: [UserID: Role]
        switch root {
        case .direct(let first, let second):
            people = first == second ? [first] : [first, second]
            roles = Dictionary(uniqueKeysWithValues: people.map { ($0, .member) })
        case .group:
            let members = decided.resolver.members(in: &membership)
            people = members.map(\.person)
            roles = Dictionary(members.map { ($0.person, $0.role) }) { first, _ in first }
        }
        let readers = View.ordered(readers(among: people))
        let departed = departed(among: people)
        let sameView = latest.map(\.view).flatMap { $0.readers == readers && $0.departed == departed ? $0 : nil }
        let sameRoles = latest.map(\.roles).flatMap { $0 == roles ? $0 : nil }
        let moment = Views.Moment(
            view: sameView ?? View(of: conversation, readers: readers, departed: departed), roles: sameRoles ?? roles)
        latest = moment
        return (moment, news: (sameView == nil ? readers.count : 0) + (sameRoles == nil ? roles.count : 0))
    }

    /// The grants of a person, live or not.
    mutating func grants(of user: UserID, as decided: DecidedLane) -> Views.Grants {
        decided.resolver.grants(of: user, in: &membership)
    }

    /// The devices of some people that were taken out, in the order of a view's readers.
    private func departed(among people: [UserID]) -> [Tombstone] {
        let users = credentials.usersWithTombstones
        guard !users.isEmpty else { return [] }
        return people.filter(users.contains).sorted().flatMap { credentials.tombstones(of: $0).all }
    }

    private func readers(among people: [UserID]) -> [View.Reader] {
        var devices = people.map { user in
            (credentials[user]?.readers ?? [])[...]
        }
        var readers: [View.Reader] = []
        while readers.count < View.maximumReaders, devices.contains(where: { !$0.isEmpty }) {
            for person in devices.indices where readers.count < View.maximumReaders {
                if let next = devices[person].popFirst() { readers.append(next) }
            }
        }
        return readers
    }
}

extension Credentials {
    /// The devices to which one can seal, ascending.
    fileprivate var readers: [View.Reader] {
        wraps.map { View.Reader(user: user, device: $0.device, wrapKey: $0.key) }
    }
}
