import Conversations
import Cryptography
import OperationLog
import Replication
import Storage
import Time

extension NodeCore {
    /// Begins a connection that was dialed or accepted; ``makeChannel(to:)`` makes the channel to run on it.
    ///
    /// - Parameters:
    ///   - target: what was dialed; nil for an accepted connection.
    ///   - place: the other side.
    ///   - source: where it comes from, as limits count it; nil to count its address.
    ///   - reached: where the other side has dialed this node, and where else others can; empty if this node dialed.
    /// - Returns: what to call the connection.
    public mutating func begin(
        to target: DialTarget?, at place: Endpoint, from source: LinkSource? = nil, reached: [Endpoint] = [],
        moment: Moment
    ) -> PeerHandle {
        self.moment = moment
        context.lastHandle += 1
        let handle = PeerHandle(rawValue: context.lastHandle)
        links[handle] = PeerLink(
            target: target, endpoint: place, source: source ?? LinkSource(place),
            reachedAt: reached.map { LocalAddress.withoutInterface($0.description) },
            since: moment.wall, began: now)
        return handle
    }

    /// Makes the channel of one connection to what was dialed; nil for an accepted connection.
    public mutating func makeChannel(to target: DialTarget?) -> SecureChannel {
        SecureChannel(
            role: target == nil ? .responder : .initiator, author: keys.author, record: context.shownIdentity,
            channelKey: keys.channelKey, expecting: target?.device, using: &random)
    }

    /// Takes up a connection whose other side has proven who it is.
    mutating func established(_ identity: PeerIdentity, transcript: [UInt8], on handle: PeerHandle) {
        guard var link = links[handle] else { return }
        let peer = identity.device.id
        guard !discovery.isBanned(peer, at: now) else { return close(handle) }
        if let target = link.target {
            tellSearches(.answered(identity.device.user, at: target.address))
        } else {
            tellDiscovery(.accepted)
        }
        guard endOlder(to: peer, isOutgoing: link.isOutgoing) else { return close(handle) }
        let user = identity.device.user
        // First: nothing that it shows is believed, or its record could leave out the others.
        guard !contacts.isTakenOut(identity.device) else {
            partFromTakenOut(identity.device, on: handle)
            return
        }
        // Of others it counts at the introduction, before which their tombstones come: a device that was taken out, and
        // does not know it yet, may have signed it, and that user would never hear of it.
        let isNews = user == me && learn(ownRecordOf: identity)
        guard user != me || context.isOwn(identity.device) else { return close(handle) }
        link.isStranger = !keeps(user)
        guard admitConnection(for: handle, of: user, isStranger: link.isStranger) else {
            if link.isStranger { strangers.gone.insert(user) }
            forgetStrangers()
            link.identity = identity
            note(.connectionClosed(Diagnostic.Peer(link), reason: "too many strangers"), isStranger: link.isStranger)
            return close(handle)
        }
        (link.identity, link.transcript) = (identity, transcript)
        links[handle] = link
        if isNews, !link.isStranger { keep(user) }
        strangers.meet(peer, of: user)
        if link.isStranger { planParting(after: timeForStrangers) }
        tellDiscovery(.connected(peer))
        if let target = link.target { tellDiscovery(.reached(target, peer)) }
        // Its record says which devices the user has. A device that knows more is not shown a record that lacks some.
        if user == me { meetOthers() }
        contacts[user].connections += 1
        let wasSeen = contacts[user].lastSeen != nil
        contacts.see(user, at: moment.wall)
        // A card that others passed on is kept as that of somebody who was never here.
        if !wasSeen, !link.isStranger { keepCard(of: user) }
        note(.connected(Diagnostic.Peer(link), outgoing: link.isOutgoing), isStranger: link.isStranger)
        showTombstones(to: handle)
        replicate(
            .connected(handle, identity, transcript: transcript, role: link.isOutgoing ? .initiator : .responder))
        if isOwnDevice(handle) { tellPrivate(.met(handle)) }
        show(.connected(handle))
    }

    /// Ends the older connection to a device, if there is one, unless it is the one that stays; whether the new one
    /// does.
    private mutating func endOlder(to peer: DeviceID, isOutgoing: Bool) -> Bool {
        guard let other = links.handle(of: peer), let existing = links[other] else { return true }
        let replaces = ConnectionArbiter.replaces(
            existingDialer: existing.isOutgoing ? device.id : peer, newDialer: isOutgoing ? device.id : peer,
            age: now - existing.began)
        if replaces { close(other) }
        return replaces
    }

    /// Learns the record that a device of this user shows; true if it is news.
    private mutating func learn(ownRecordOf identity: PeerIdentity) -> Bool {
        let isNews = contacts.learn(Credentials(identity: identity.record, wraps: []))
        // Nobody else: which devices were taken out is heard only before the introduction.
        settleRecord(of: identity.record.devices.filter { $0.device == identity.device })
        planSettling()
        return isNews
    }

    /// Says goodbye on a connection and forgets it.
    ///
    /// - Parameter outcome: what became of the dial, where that is not plain from how far it came.
    mutating func close(_ handle: PeerHandle, _ outcome: DialOutcome? = nil) {
        // What this node ends itself, to make room or because there are two, is no answer to its offer to part.
        links[handle]?.offeredPartingAt = nil
        effects.append(.close(handle))
        end(handle, reason: "goodbye", outcome)
    }

    /// Takes in how a connection ended which this node has not ended itself.
    mutating func channelEnded(_ handle: PeerHandle, reason: String, error: ChannelError?) {
        switch error {
        case .ourselves: end(handle, reason: reason, .ourselves)
        case .alreadyConnected(let device):
            if let other = links.handle(of: device), let identity = links[other]?.identity {
                if let target = links[handle]?.target {
                    tellSearches(.answered(identity.device.user, at: target.address))
                }
                replicate(.answeredElsewhere(other))
            }
            end(handle, reason: reason, .metElsewhere(device))
        default: end(handle, reason: reason)
        }
    }

    /// Forgets a connection that is over.
    mutating func end(_ handle: PeerHandle, reason: String, _ outcome: DialOutcome? = nil) {
        guard let link = links.removeValue(forKey: handle) else { return }
        laneExchange.end(handle)
        if link.identity != nil || link.target == nil {
            note(
                .connectionEnded(Diagnostic.Peer(link), reason: reason),
                isStranger: link.isStranger || link.identity == nil
            )
        }
        if let identity = link.identity {
            let user = identity.device.user
            contacts[user].connections -= 1
            contacts.see(user, at: moment.wall)
            effects.append(.wake(at: now + Self.sightingsDelay))
            tellDiscovery(
                .lost(identity.device.id, isStranger: link.isStranger, isGivenUp: outcome == .givenUp))
            noteParting(link, reason: reason)
            replicate(.disconnected(handle))
            tellFiles(.lost(identity.device.id))
            tellCards(.lost(handle))
            tellReceipts(.lost(handle))
            ownDevices.lose(handle)
            tellPrivate(.lost(handle))
            endReachabilityQuestions(to: handle)
            for conversation in link.openedBy.keys.sorted() {
                if let replica = replicas[conversation] { announce(audience(of: replica), of: conversation) }
            }
            show(.disconnected)
            show(.person(user))
            if link.isStranger { remember(link) }
        }
        if let target = link.target {
            tellSearches(.missed(target.address))
            tellDiscovery(.dialEnded(target, outcome ?? (link.isIntroduced ? .met : .failed(reason))))
        }
        planWake()
    }

    // MARK: - Introductions

    /// Learns who is behind a connection, and where they can be dialed.
    mutating func introduce(_ handle: PeerHandle, _ bytes: [UInt8], port: UInt16) {
        guard let link = links[handle], let identity = link.identity else { return }
        links[handle]?.isIntroduced = true
        links[handle]?.listeningPort = port
        do throws(MalformedBytes) {
            let introduction = try Introduction(verifying: bytes)
            let card = introduction.card
            guard card.user == identity.device.user else { throw .invalid(field: "user") }
            // That of the card: the record that the peer has shown in the channel may count by now.
            let before = context.card.identity
            let devices = contacts[card.user].identity?.devices ?? []
            if contacts.learn(introduction.credentials), !link.isStranger { keep(card.user) }
            defer {
                if card.user == me {
                    adoptOwnCard()
                    settleRecord(of: card.identity.devices + identity.record.devices + before.devices)
                }
            }
            if learn(card, isKept: !link.isStranger) {
                showOwnCard(of: card.user, to: devices, butTo: identity.device.id)
                if !link.isStranger { keepCard(of: card.user) }
                if !link.isStranger || strangers.namesakes.take(at: now) {
                    warnOfNamesake(card, isStranger: link.isStranger)
                }
            }
            // A home that was restored or recovered does not know which devices its user has, or that they ended their
            // identity.
            if contacts[card.user].card?.supersedes(card) == true { showOwnCard(to: handle) }
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
        if isNews { tellCards(.cardChanged(of: card.user)) }
        // Of strangers no photo is fetched.
        if isKept, contacts[card.user].photo != before { tellFiles(.cardChanged(of: card.user)) }
        return isNews
    }

    /// Sends a user's newest card to those of their devices that are connected: another device may have signed it
    /// without knowing what these did. This user's own devices get a new introduction instead.
    ///
    /// - Parameter devices: those that the user had before, besides those that they have now.
    mutating func showOwnCard(of user: UserID, to devices: [IdentityRecord.Entry], butTo shower: DeviceID? = nil) {
        guard user != me, let card = contacts[user].card else { return }
        let others = Set((devices + card.identity.devices).map(\.device.id)).filter { $0 != shower }
        for handle in others.sorted().compactMap(links.handle) { showOwnCard(to: handle) }
    }

    private mutating func showOwnCard(to handle: PeerHandle) {
        guard let user = links[handle]?.identity?.device.user, let card = contacts[user].card else { return }
        effects.append(.send(handle, PeerMessage.cards(.cards([card.encoded])).encoded, .bulk))
    }

    /// Tells of others who go by the name on a card.
    mutating func warnOfNamesake(_ card: ProfileCard, isStranger: Bool) {
        for other in contacts.namesakes(of: card.user).prefix(isStranger ? 1 : .max) {
            warn(of: other.user, calledAs: card, isStranger: isStranger)
        }
    }

    /// Tells of one other who goes by the name on a card.
    mutating func warn(of other: UserID, calledAs card: ProfileCard, isStranger: Bool) {
        note(.namesakes(card.user, other, isStranger: isStranger), isStranger: isStranger)
        show(.namesake(card, other: other))
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
