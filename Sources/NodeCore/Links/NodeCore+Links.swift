import Conversations
import Cryptography
import OperationLog
import Replication

extension NodeCore {
    /// Begins a connection that was dialed or accepted; ``makeChannel(to:)`` makes the channel to run on it.
    ///
    /// - Parameters:
    ///   - target: what was dialed; nil for an accepted connection.
    ///   - place: the other side.
    /// - Returns: what to call the connection.
    public mutating func begin(to target: DialTarget?, at place: Endpoint, moment: Moment) -> PeerHandle {
        self.moment = moment
        context.lastHandle += 1
        let handle = PeerHandle(rawValue: context.lastHandle)
        links[handle] = PeerLink(target: target, place: place, since: moment.wall, began: now)
        return handle
    }

    /// Makes the channel of one connection to what was dialed; nil for an accepted connection.
    public mutating func makeChannel(to target: DialTarget?) -> SecureChannel {
        SecureChannel(
            role: target == nil ? .responder : .initiator, author: keys.author, record: card.identity,
            channelKey: keys.channelKey, expecting: target?.device, using: &random)
    }

    /// Takes up a connection whose other side has proven who it is.
    public mutating func established(
        _ identity: PeerIdentity, transcript: [UInt8], on handle: PeerHandle, at moment: Moment
    ) {
        self.moment = moment
        guard var link = links[handle] else { return }
        let peer = identity.device.id
        guard !discovery.isBanned(peer, at: now) else { return close(handle) }
        if let target = link.target { tellSearches(.answered(identity.device.user, at: target.address)) }
        let own = device.id
        let dialer = { (isOutgoing: Bool) in isOutgoing ? own : peer }
        for (other, existing) in links.sorted(by: { $0.key < $1.key }) where existing.identity?.device.id == peer {
            guard
                ConnectionArbiter.replaces(
                    existingDialer: dialer(existing.isOutgoing), newDialer: dialer(link.isOutgoing))
            else { return close(handle) }
            close(other)
        }
        let user = identity.device.user
        let isNews = contacts.learn(Credentials(identity: identity.record, wraps: []))
        link.isStranger = !keeps(user)
        guard makePlace(for: handle, of: user, isStranger: link.isStranger) else {
            if link.isStranger { strangers.gone.insert(user) }
            forgetStrangers()
            note(.connectionClosed(reason: "too many strangers"), isStranger: link.isStranger)
            return close(handle)
        }
        link.identity = identity
        links[handle] = link
        if isNews, !link.isStranger { keep(user) }
        if let target = link.target { tellDiscovery(.reached(target, peer)) }
        contacts[user].connections += 1
        contacts[user].lastSeen = moment.wall.milliseconds
        note(.connected(peer, outgoing: link.isOutgoing), isStranger: link.isStranger)
        replicate(
            .connected(handle, identity, transcript: transcript, role: link.isOutgoing ? .initiator : .responder))
        show(.connected(handle))
    }

    /// Takes in a message.
    public mutating func receive(_ message: ReceivedMessage, on handle: PeerHandle, at moment: Moment) {
        self.moment = moment
        replicate(.received(handle, message))
    }

    /// Notes that more or less than before waits to be sent on a connection.
    public mutating func congested(_ handle: PeerHandle, _ congestion: Congestion, at moment: Moment) {
        self.moment = moment
        replicate(.congested(handle, congestion))
        tellFiles(.congested(handle, isCongested: congestion != .none))
    }

    /// Notes that a connection is over.
    ///
    /// - Parameters:
    ///   - reason: the stable code of what ended it.
    ///   - wasOurselves: whether the node had dialed itself.
    public mutating func ended(_ handle: PeerHandle, reason: String, wasOurselves: Bool, at moment: Moment) {
        self.moment = moment
        end(handle, reason: reason, wasOurselves: wasOurselves)
    }

    /// Says goodbye on a connection and forgets it.
    mutating func close(_ handle: PeerHandle) {
        effects.append(.close(handle))
        end(handle, reason: "goodbye", wasOurselves: false)
    }

    private mutating func end(_ handle: PeerHandle, reason: String, wasOurselves: Bool) {
        guard let link = links.removeValue(forKey: handle) else { return }
        laneExchange.end(handle)
        if link.identity != nil || link.target == nil {
            note(
                .connectionEnded(from: link.place, reason: reason), isStranger: link.isStranger || link.identity == nil)
        }
        if let identity = link.identity {
            let user = identity.device.user
            contacts[user].connections -= 1
            contacts[user].lastSeen = moment.wall.milliseconds
            tellDiscovery(.lost(identity.device.id))
            replicate(.disconnected(handle))
            tellFiles(.lost(identity.device.id))
            for conversation in link.openedBy.keys.sorted() {
                if let replica = replicas[conversation] { announce(audience(of: replica), of: conversation) }
            }
            show(.disconnected)
            show(.person(user))
            if link.isStranger {
                strangers.gone.insert(user)
                effects.append(.wake(at: now))
            }
        }
        if let target = link.target {
            tellSearches(.missed(target.address))
            tellDiscovery(.dialEnded(target, reached: link.isIntroduced, wasOurselves: wasOurselves))
        }
        planWake()
    }

    // MARK: - Introductions

    /// Learns who is behind a connection, and where they can be dialed.
    mutating func introduce(_ handle: PeerHandle, _ bytes: [UInt8], port: UInt16) {
        guard let link = links[handle], let identity = link.identity else { return }
        links[handle]?.isIntroduced = true
        do throws(MalformedBytes) {
            let introduction = try Introduction(verifying: bytes)
            let card = introduction.card
            guard card.user == identity.device.user else { throw .invalid(field: "user") }
            if contacts.learn(introduction.credentials), !link.isStranger { keep(card.user) }
            if learn(card, isKept: !link.isStranger) {
                if !link.isStranger { keepCard(of: card.user) }
                if !link.isStranger || strangers.namesakes.take(at: now) {
                    warnOfNamesake(card, isStranger: link.isStranger)
                }
            }
            show(.person(card.user))
            tellSearches(.introduced(card.user, at: link.target?.address))
            tellFiles(.introduced(handle))
        } catch {
            note(.cardRefused(error), isStranger: link.isStranger)
        }
        tellDiscovery(.introduced(handle, port: port))
    }

    /// Takes in a card; true if anything in it is news.
    @discardableResult
    mutating func learn(_ card: ProfileCard, isKept: Bool = true) -> Bool {
        let before = contacts[card.user].photo
        let isNews = contacts.learn(card)
        // Of strangers no photo is fetched.
        if isKept, contacts[card.user].photo != before { tellFiles(.cardChanged(of: card.user)) }
        return isNews
    }

    private mutating func warnOfNamesake(_ card: ProfileCard, isStranger: Bool) {
        for other in contacts.namesakes(of: card.user).prefix(isStranger ? 1 : .max) {
            note(.namesakes(card.user, other.user), isStranger: isStranger)
            show(.namesake(card, other: other.user))
        }
    }

    /// Keeps what is known of a person's devices.
    mutating func keep(_ user: UserID) {
        guard let credentials = contacts[user].credentials else { return }
        do throws(StoreError) {
            try storage.save(credentials)
        } catch {
            note(.personNotKept(error))
        }
    }
}
