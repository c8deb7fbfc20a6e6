import Conversations
import OperationLog
import Replication
import Time

/// Two who share nothing have nothing to tell each other: they are introduced, and part.
///
/// Whoever has been connected to a stranger for a while says so. If the user is a stranger to the other as well, that
/// ends the connection, and neither dials the other again before there is a reason. If not, the other says nothing and
/// the connection stays: only two together know that they share nothing, because what makes somebody no stranger, such
/// as codes that were compared, is often known to one of them alone.
extension NodeCore {
    /// How long strangers stay connected before one offers to part.
    package static let strangerTime: Duration = .seconds(30)
    /// The same while strangers have most of their places, so that a crowd has met after seconds.
    static let crowdedStrangerTime: Duration = .seconds(1)
    /// How many places that is. Those that are left are for newcomers.
    static let crowd = maximumStrangers * 3 / 4
    /// After how long that is offered again to somebody who wanted to stay.
    static let offerInterval: Duration = .seconds(300)
    /// When it is looked again whether there still is a reason to stay.
    static let recheckInterval: Duration = .seconds(5)

    /// Offers to part to the strangers who have been here long enough.
    mutating func partFromStrangers() {
        let now = now
        guard let next = strangers.partingAt, next <= now else { return }
        strangers.partingAt = nil
        let connected = links.filter { $0.value.isStranger }.sorted { $0.key < $1.key }
        let time = timeForStrangers
        for (handle, link) in connected {
            let moment = link.offeredPartingAt.map { $0 + Self.offerInterval } ?? link.began + time
            guard moment <= now else {
                planParting(after: moment - now)
                continue
            }
            guard sharesNothing(with: link) else {
                planParting(after: Self.recheckInterval)
                continue
            }
            links[handle]?.offeredPartingAt = now
            planParting(after: Self.offerInterval)
            effects.append(.send(handle, PeerMessage.people(.parting).encoded, .live))
        }
    }

    /// How long strangers stay connected now: not for long while others may be waiting for their places.
    ///
    /// - Complexity: O(connections) once there are as many as a crowd, else O(1).
    var timeForStrangers: Duration {
        let isCrowded = links.devices.count >= Self.crowd && guests.count >= Self.crowd
        return isCrowded ? Self.crowdedStrangerTime : Self.strangerTime
    }

    /// Notes that somebody will have been here for long enough after a time.
    mutating func planParting(after time: Duration) {
        let moment = now + time
        strangers.partingAt = min(strangers.partingAt ?? moment, moment)
        effects.append(.wake(at: moment))
    }

    /// A peer shares nothing with the user, as far as it knows.
    mutating func hearParting(from handle: PeerHandle) {
        guard let link = links[handle], sharesNothing(with: link) else { return }
        effects.append(.close(handle))
        end(handle, reason: Self.parted)
    }

    /// Whether the user waits to join by a code, so that anybody may be somebody who lets them in.
    package var isWaitingToJoin: Bool { inviteCodes.isWaiting }

    /// The code of what ends a connection between strangers.
    private static let parted = "strangers_parted"

    /// Whether nothing speaks for the connection: the user shares nothing with the person, waits for nobody, and did
    /// not name the place.
    private func sharesNothing(with link: PeerLink) -> Bool {
        guard link.isStranger, link.isIntroduced, !inviteCodes.isWaiting else { return false }
        return link.target.map { !discovery.isNamed($0.address) } ?? true
    }

    /// Dials a device no more, if its connection ended because two share nothing.
    mutating func noteParting(_ link: PeerLink, reason: String) {
        guard let device = link.identity?.device.id, link.isStranger else { return }
        let isAgreed = link.offeredPartingAt != nil && reason == "goodbye" && sharesNothing(with: link)
        if reason == Self.parted || isAgreed { tellDiscovery(.parted(device)) }
    }

    // MARK: - People nearby

    /// Remembers a stranger for the list of people nearby, in memory.
    mutating func remember(_ link: PeerLink) {
        guard let identity = link.identity else { return }
        let user = identity.device.user
        strangers.gone.insert(user)
        effects.append(.wake(at: now))
        // Their card may have come on a connection before this one.
        guard contacts[user].card != nil, !keeps(user) else { return }
        contacts[user].isNearby = true
        let crowdedOut = strangers.remember(
            user, on: identity.device.id, at: link.source.place, until: now + Strangers.nearbyTime)
        for user in crowdedOut { drop(nearby: user) }
        if let next = strangers.next { effects.append(.wake(at: next)) }
    }

    /// Notes that a device was heard with which the node has parted. Anybody could have said so: it is good for "last
    /// seen" only.
    mutating func sight(_ device: DeviceID) {
        guard let user = strangers.sight(device, until: now + Strangers.nearbyTime) else { return }
        contacts.hear(of: user, at: moment.wall)
    }

    /// Forgets that a person was nearby, and nothing else.
    mutating func forget(nearby user: UserID) {
        strangers.nearby[user] = nil
        contacts[user].isNearby = false
    }

    /// Forgets a person who was nearby.
    mutating func drop(nearby user: UserID) {
        let devices = strangers.nearby[user]?.devices ?? []
        forget(nearby: user)
        strangers.gone.insert(user)
        // Whoever is still there is met again after a while.
        for device in devices.sorted() { tellDiscovery(.forgotten(device)) }
        effects.append(.wake(at: now))
    }
}
