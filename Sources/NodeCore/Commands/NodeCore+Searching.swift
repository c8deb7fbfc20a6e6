import Conversations
import OperationLog
import Replication

/// What came of looking for a person at the places of their contact code.
public enum SearchOutcome: Hashable, Sendable {
    /// They are connected and have introduced themselves.
    case found
    /// Somebody else answered at one of the places.
    case stranger(UserID, at: String)
    /// Nobody answered in time.
    case nobody
}

/// A person who is being looked for.
struct Search: Sendable {
    /// How long all of it may take: every place is dialed at once, and a dial and a handshake have three seconds each.
    static let timeout: Duration = .seconds(8)

    /// The device that should be there.
    let device: DeviceID
    /// Every place of the code.
    let places: [String]
    /// The places where nothing is decided yet.
    var open: Set<String>
    /// Who answered instead of them, and where.
    var strangers: [String: UserID] = [:]
    /// When it ends in any case.
    let deadline: Instant
}

extension NodeCore {
    /// Looks for a person at the places that their contact code names; ``News/searched(_:_:)`` tells what came of it.
    ///
    /// Whoever answers there proves who they are, so nothing is believed before. Places where nobody answers now are kept like those where
    /// they did: they may be asleep. A place where somebody else answers is not.
    ///
    /// - Precondition: nobody looks for themselves.
    public mutating func search(for user: UserID, device: DeviceID, at places: [String], moment: Moment) {
        precondition(user != me, "nobody looks for themselves")
        self.moment = moment
        let search = Search(device: device, places: places, open: Set(places), deadline: now + Search.timeout)
        searches[user] = search
        guard connectedDevice(of: user) == nil else { return endSearch(for: user) }
        // The device is not named: somebody else who answers should tell who they are, not just that they are wrong.
        for place in places { effects.append(.dial(DialTarget(address: place, device: nil))) }
        planWake()
    }

    /// Somebody has proven who they are at a place that was dialed.
    mutating func answered(_ user: UserID, at place: String) {
        for wanted in searches.keys where wanted != user && searches[wanted]?.open.contains(place) == true {
            searches[wanted]?.strangers[place] = user
        }
    }

    /// Nothing came of a dial, or its connection is over.
    mutating func missed(at place: String) {
        for wanted in searches.keys.sorted() where searches[wanted]?.open.remove(place) != nil {
            if searches[wanted]?.open.isEmpty == true { endSearch(for: wanted) }
        }
    }

    /// Somebody has introduced themselves.
    mutating func introduced(_ user: UserID, over link: PeerLink) {
        if searches[user] != nil { endSearch(for: user) }
        // A stranger is known by name now, so there is no more to wait for at their place.
        guard let place = link.target?.address else { return }
        for wanted in searches.keys.sorted() where searches[wanted]?.strangers[place] == user { missed(at: place) }
    }

    /// Gives up what has taken too long.
    mutating func endSearches() {
        for wanted in searches.keys.sorted() where searches[wanted].map({ $0.deadline <= now }) ?? false {
            endSearch(for: wanted)
        }
    }

    private mutating func endSearch(for user: UserID) {
        guard let search = searches.removeValue(forKey: user) else { return }
        let device = connectedDevice(of: user)
        let reached = links.values.filter { $0.identity?.device.user == user }.compactMap { $0.target?.address }
        for place in search.places where search.strangers[place] == nil {
            keep(place, of: device ?? search.device, success: reached.contains(place) ? moment.wall : nil)
        }
        planWake()
        if device != nil {
            show(.searched(user, .found))
        } else if let (place, stranger) = search.strangers.min(by: { $0.key < $1.key }) {
            show(.searched(user, .stranger(stranger, at: place)))
        } else {
            show(.searched(user, .nobody))
        }
    }

    /// The device of a person that is connected and has introduced itself.
    private func connectedDevice(of user: UserID) -> DeviceID? {
        guard contacts[user].card != nil else { return nil }
        return links.values.compactMap(\.identity?.device).filter { $0.user == user }.map(\.id).min()
    }

    /// Keeps dialing a place, now and after every start.
    mutating func keep(_ place: String, of device: DeviceID, success time: Timestamp?) {
        tellDiscovery(.named(place, device))
        contactDevices.insert(device)
        befriend(where: keeps)
        do throws(StoreError) {
            try storage.note(address: place, of: device, success: time)
        } catch {
            note(.personNotKept(error))
        }
    }
}
