import Conversations
import OperationLog
import Replication

/// People with whom the user shares nothing: they are met, and nothing of them stays.
///
/// A key costs nothing, so a stranger can be as many people as he likes. Of somebody who is in no conversation here, whose code was never
/// compared or scanned and who is not blocked, the card and the devices are known while he is connected, and nothing is written to the disk. So
/// many of them may be connected as a network has people, and no more.
extension NodeCore {
    /// Connected devices in all.
    package static let linkLimit = 512
    /// Connected devices of strangers.
    package static let strangerLimit = 64
    /// Those of one host.
    package static let strangersPerHost = 16
    /// How long a stranger keeps his place when others want it.
    static let strangerTime: Duration = .seconds(60)

    /// Whether something of a person is kept: he shares a conversation with this user, or this user said something about him.
    func keeps(_ user: UserID) -> Bool {
        let person = contacts[user]
        return user == me || person.isVerified || isBlocked(user) || searches[user] != nil
            || replicator.isShared(with: user)
            || isContact(user)
    }

    /// Whether the user entered a code of a person.
    func isContact(_ user: UserID) -> Bool {
        contacts[user].identity?.devices.contains { contactDevices.contains($0.device.id) } == true
    }

    /// Keeps what is known of connected people who are strangers no more.
    mutating func befriend(where isFriend: (UserID) -> Bool) {
        for (handle, link) in links.sorted(by: { $0.key < $1.key }) where link.isStranger {
            guard let user = link.identity?.device.user, isFriend(user) else { continue }
            links[handle]?.isStranger = false
            keep(user)
            keepCard(of: user)
            indexPhotos(of: user)
        }
    }

    /// Keeps the card of a person.
    mutating func keepCard(of user: UserID) {
        guard let card = contacts[user].card else { return }
        do throws(StoreError) {
            try storage.save(card, seenAt: moment.wall)
        } catch {
            note(.personNotKept(error))
        }
    }

    /// Forgets strangers who are gone. Not before those who watch were told that they are.
    mutating func forgetStrangers() {
        for user in goneStrangers.sorted() where contacts[user].connections == 0 && !keeps(user) {
            contacts.forget(user)
        }
        goneStrangers = []
    }

    /// Erases what earlier versions kept of strangers.
    mutating func eraseStrangers() throws(StoreError) {
        let strangers = contacts.all.map(\.user).filter { !keeps($0) }
        guard !strangers.isEmpty else { return }
        try storage.forget(strangers)
        for user in strangers { contacts.forget(user) }
    }

    /// Finds a place for somebody who has just proved who he is. Members keep theirs: a stranger goes first.
    ///
    /// - Returns: whether there is one.
    mutating func makePlace(for handle: PeerHandle, isStranger: Bool) -> Bool {
        let host = links[handle]?.place.host
        var strangers: [(handle: PeerHandle, link: PeerLink)] = []
        var count = 0
        for (other, link) in links where other != handle && link.identity != nil {
            count += 1
            if link.isStranger { strangers.append((other, link)) }
        }
        if isStranger, strangers.count(where: { $0.link.place.host == host }) >= Self.strangersPerHost { return false }
        guard count >= Self.linkLimit || isStranger && strangers.count >= Self.strangerLimit else { return true }
        // Of the host with most strangers whoever has been here longest.
        var counts: [String: Int] = [:]
        for stranger in strangers { counts[stranger.link.place.host, default: 0] += 1 }
        let first = strangers.min { left, right in
            let (many, more) = (counts[left.link.place.host] ?? 0, counts[right.link.place.host] ?? 0)
            return (-many, left.handle) < (-more, right.handle)
        }
        guard let first else { return false }
        let crowds = (counts[first.link.place.host] ?? 0) > (host.flatMap { counts[$0] } ?? 0) + 1
        guard !isStranger || crowds || now - first.link.began >= Self.strangerTime else { return false }
        close(first.handle)
        return true
    }
}
