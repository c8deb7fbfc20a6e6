import Conversations
import OperationLog
import Replication
import Time

/// What came of looking for a person at the addresses of their contact code.
public enum SearchOutcome: Hashable, Sendable {
    /// They are connected and have introduced themselves.
    case found
    /// Somebody else answered at one of the addresses.
    case stranger(UserID, at: String)
    /// Nobody answered in time.
    case nobody
}

/// Looks for people at the addresses that their contact codes name.
struct ContactSearches {
    /// What happens.
    enum Event {
        /// Time passed.
        case tick
        /// The user wants a person to be looked for, whose device should be at some addresses.
        case wanted(UserID, DeviceID, at: [String])
        /// Somebody has proven who they are at an address that was dialed.
        case answered(UserID, at: String)
        /// Nothing came of a dial, or its connection is over.
        case missed(String)
        /// Somebody has introduced themselves, at an address that was dialed or over a connection that they began.
        case introduced(UserID, at: String?)
    }

    /// A person who is being looked for.
    private struct Search {
        /// How long all of it may take: every address is dialed at once, and a dial and a handshake have three seconds
        /// each.
        static let timeout: Duration = .seconds(8)

        /// The device that should be there.
        let device: DeviceID
        /// Every address of the code.
        let addresses: [String]
        /// The addresses where nothing is decided yet.
        var open: Set<String>
        /// Who else answered, and where.
        var strangers: [String: UserID] = [:]
        /// When it ends in any case.
        let deadline: Instant
    }

    private var searches: [UserID: Search] = [:]
    private var requests: [MachineRequest] = []

    /// The people who are being looked for.
    var people: Set<UserID> { Set(searches.keys) }

    /// When there is something to do.
    var nextDeadline: Instant? { searches.values.map(\.deadline).min() }

    /// Takes in what happened, and returns what is to be done about it, in order.
    mutating func handle(_ event: Event, in context: NodeContext) -> [MachineRequest] {
        switch event {
        case .tick:
            for user in searches.keys.sorted() where searches[user].map({ $0.deadline <= context.now }) ?? false {
                end(user, context)
            }
        case .wanted(let user, let device, let addresses): begin(user, device, at: addresses, context)
        case .answered(let user, let address):
            for wanted in searches.keys where wanted != user && searches[wanted]?.open.contains(address) == true {
                searches[wanted]?.strangers[address] = user
            }
        case .missed(let address): close(address, context)
        case .introduced(let user, let address): introduce(user, at: address, context)
        }
        defer { requests = [] }
        return requests
    }

    private mutating func begin(_ user: UserID, _ device: DeviceID, at addresses: [String], _ context: NodeContext) {
        searches[user] = Search(
            device: device, addresses: addresses, open: Set(addresses), deadline: context.now + Search.timeout)
        guard Self.connectedDevice(of: user, context) == nil else { return end(user, context) }
        // The device is not named: somebody else who answers should tell who they are, not just that they are wrong.
        for address in addresses { requests.append(.effect(.dial(DialTarget(address: address, device: nil)))) }
        requests.append(.wake)
    }

    private mutating func introduce(_ user: UserID, at address: String?, _ context: NodeContext) {
        if searches[user] != nil { end(user, context) }
        // A stranger is known by name now, so there is no more to wait for at their address.
        guard let address else { return }
        for wanted in searches.keys.sorted() where searches[wanted]?.strangers[address] == user {
            close(address, context)
        }
    }

    private mutating func close(_ address: String, _ context: NodeContext) {
        for wanted in searches.keys.sorted() where searches[wanted]?.open.remove(address) != nil {
            if searches[wanted]?.open.isEmpty == true { end(wanted, context) }
        }
    }

    private mutating func end(_ user: UserID, _ context: NodeContext) {
        guard let search = searches.removeValue(forKey: user) else { return }
        let device = Self.connectedDevice(of: user, context)
        let links = context.links.values.filter { $0.identity?.device.user == user }
        let reached = links.compactMap { $0.target?.address }
        for address in search.addresses where search.strangers[address] == nil {
            let success = reached.contains(address) ? context.moment.wall : nil
            requests.append(.keep(address, of: device ?? search.device, success: success))
        }
        requests.append(.wake)
        let stranger = search.strangers.min { $0.key < $1.key }
        let outcome: SearchOutcome =
            device != nil ? .found : stranger.map { .stranger($0.value, at: $0.key) } ?? .nobody
        requests.append(.effect(.show(.searched(user, outcome))))
    }

    /// The device of a person that is connected and has introduced itself.
    private static func connectedDevice(of user: UserID, _ context: NodeContext) -> DeviceID? {
        guard context.contacts[user].card != nil else { return nil }
        return context.links.values.compactMap(\.identity?.device).filter { $0.user == user }.map(\.id).min()
    }
}
