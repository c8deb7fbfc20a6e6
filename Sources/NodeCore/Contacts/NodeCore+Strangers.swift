import Conversations
import OperationLog
import Replication
import Storage
import Time

/// People with whom the user shares nothing: they are met, and nothing of them stays.
///
/// A key costs nothing, so a stranger can be as many people as they like. Of somebody who is in no conversation here,
/// whose code was never compared or scanned and who is not blocked, the card and the devices are known while they are
/// nearby, and nothing is written to the disk. So many of them may be connected as a network has people, and no more;
/// and two who share nothing part after a while.
extension NodeCore {
    /// Connected devices in all, but for the user's own.
    package static let maximumPeerLinks = 512
    /// Connected devices of one person: twice as many as one record names. A person who certifies new devices again and
    /// again cannot take all connections.
    package static let maximumLinksPerPerson = 2 * IdentityRecord.maximumDevices
    /// Connected devices of people who are not familiar.
    package static let maximumStrangers = 64
    /// Those of strangers on one host.
    package static let maximumStrangersPerHost = 16
    /// Strangers who are remembered as nearby.
    package static let maximumNearby = Strangers.maximumNearby
    /// Those of one host.
    package static let maximumNearbyPerHost = Strangers.maximumNearbyPerHost
    /// How long somebody who is not familiar keeps a place when others want it.
    static let minimumStrangerDuration: Duration = .seconds(60)

    /// Whether something of a person is kept: they share a conversation with this user, or this user said something
    /// about them.
    func keeps(_ user: UserID) -> Bool {
        context.isKnown(user) || isBlocked(user) || replicator.isShared(with: user)
            || context.familiarity.joined.contains(ConversationID(directBetween: me, and: user))
    }

    /// Keeps what is known of people who are strangers no more, and dials those with whom the node has parted.
    ///
    /// - Parameter isByUser: whether they are by what this user does.
    mutating func keepFormerStrangers(isByUser: Bool = true, where isFriend: (UserID) -> Bool) {
        for (handle, link) in links.sorted(by: { $0.key < $1.key }) where link.isStranger {
            guard let user = link.identity?.device.user, isFriend(user) else { continue }
            links[handle]?.isStranger = false
            keep(user)
            keepCard(of: user)
            tellFiles(.cardChanged(of: user))
        }
        var wanted: [DeviceID] = []
        for user in strangers.nearby.keys.sorted() where isFriend(user) {
            let devices = strangers.nearby[user]?.devices ?? []
            forget(nearby: user)
            keep(user)
            keepCard(of: user)
            tellFiles(.cardChanged(of: user))
            // Whom the user blocks is nobody whom they want something of.
            if !isBlocked(user) { wanted += devices.sorted() }
        }
        dial(resting: wanted, isByUser: isByUser)
    }

    /// Dials the devices of people with which the node has parted, also of people who are not remembered as nearby.
    ///
    /// - Parameter isByUser: whether this user has something to do with them by what they do themselves.
    /// - Complexity: O(1) where no device rests, else O(*n* log *n*), where *n* is the number of people and their
    ///   devices.
    mutating func dialResting(of users: some Sequence<UserID>, isByUser: Bool = true) {
        guard discovery.isAnybodyResting else { return }
        dial(resting: users.sorted().flatMap { contacts[$0].devices.map(\.device.id) }, isByUser: isByUser)
    }

    private mutating func dial(resting devices: [DeviceID], isByUser: Bool) {
        let resting = devices.filter(discovery.isResting)
        if !resting.isEmpty { tellDiscovery(.wanted(resting, byUser: isByUser)) }
    }

    /// Keeps the card of a person, with when they were seen: whose card others passed on was never here.
    mutating func keepCard(of user: UserID) {
        guard let card = contacts[user].card else { return }
        do throws(StoreError) {
            try storage.save(card, seenAt: contacts[user].lastSeen.map(Timestamp.init(clamping:)) ?? .earliest)
        } catch {
            note(.personNotKept(error))
        }
    }

    /// Forgets strangers who have disconnected and are not remembered as nearby, after watchers were told that they
    /// have.
    mutating func forgetStrangers() {
        for user in strangers.takeExpired(at: now) { drop(nearby: user) }
        for user in strangers.gone.sorted()
        where contacts[user].connections == 0 && !keeps(user) && strangers.nearby[user] == nil {
            let wasKnown = contacts.knows(user)
            contacts.forget(user)
            if wasKnown { show(.forgotten(user)) }
        }
        strangers.gone = []
    }

    /// Erases what earlier versions kept of strangers.
    mutating func eraseStrangers() throws(StoreError) {
        let strangers = contacts.all.map(\.user).filter { !keeps($0) }
        guard !strangers.isEmpty else { return }
        try storage.forget(strangers)
        for user in strangers { contacts.forget(user) }
    }

    /// The connections of people who take the places of strangers: strangers, and whom the user knows only from
    /// conversations that others brought.
    var guests: [(key: PeerHandle, value: PeerLink)] {
        links.filter { _, link in link.identity.map { !context.isFamiliar($0.device.user) } ?? false }
    }

    /// Finds a place for somebody who has just proved who they are. Those who are familiar keep theirs: others go
    /// first.
    ///
    /// - Returns: whether there is one.
    mutating func admitConnection(for handle: PeerHandle, of user: UserID, isStranger: Bool) -> Bool {
        if contacts[user].connections >= Self.maximumLinksPerPerson { return false }
        if user == me { return true }
        guard let source = links[handle]?.source else { return false }
        if isStranger {
            let ofHost = links.lazy.filter { $0.value.isStranger && $0.value.source.place == source.place }.count
            if ofHost >= Self.maximumStrangersPerHost { return false }
        }
        let count = links.devices.count
        guard count >= Self.maximumStrangers else { return true }
        if strangers.participation.take(at: now) { context.recordParticipation() }
        let isGuest = !context.isFamiliar(user)
        guard isGuest || count >= Self.maximumPeerLinks else { return true }
        let guests = guests
        guard count >= Self.maximumPeerLinks || guests.count >= Self.maximumStrangers else { return true }
        // Of the network with most of them, and there of the host, whoever has been here longest.
        var (ofNetwork, ofHost): ([String: Int], [String: Int]) = ([:], [:])
        for (_, guest) in guests {
            ofNetwork[guest.source.network, default: 0] += 1
            ofHost[guest.source.place, default: 0] += 1
        }
        func crowd(_ source: LinkSource) -> (network: Int, host: Int) {
            (ofNetwork[source.network] ?? 0, ofHost[source.place] ?? 0)
        }
        let first = guests.min { left, right in
            let (many, more) = (crowd(left.value.source), crowd(right.value.source))
            return (-many.network, -many.host, left.key) < (-more.network, -more.host, right.key)
        }
        guard let first else { return false }
        let (theirs, own) = (crowd(first.value.source), crowd(source))
        let isOneNetwork = first.value.source.network == source.network
        let crowds = isOneNetwork ? theirs.host > own.host + 1 : theirs.network > own.network + 1
        guard !isGuest || crowds || now - first.value.began >= Self.minimumStrangerDuration else { return false }
        close(first.key)
        return true
    }
}
