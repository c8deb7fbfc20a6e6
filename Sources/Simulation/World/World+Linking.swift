import Conversations
import Cryptography
import NodeCore
import OperationLog
import Replication
import Storage
import Time

/// Hosts become devices of users as they do in the daemon: over a ``LinkChannel``, and durable with the holder before
/// the new host hears of it.
extension World {
    /// How a linking goes, by what a step says.
    private enum Course {
        /// The host becomes a device.
        case linked
        /// Before that another attempt, with keys of its own, was given up after the holder had signed.
        case secondAttempt
        /// The same, and the holder's process ends before it could take that back.
        case killedBetween

        init(_ step: Step) {
            switch step.value % 8 {
            case 0: self = .secondAttempt
            case 1: self = .killedBetween
            default: self = .linked
            }
        }
    }

    /// After how long people try again, in milliseconds.
    private static let retryInterval = 1_000

    /// Makes a host a device of its user. Both must reach each other for that, so people try again until they do.
    func link(_ host: Host, _ step: Step) {
        guard !host.isLinked, let owner = plan.owners[host.index].map({ hosts[$0] }) else { return }
        guard owner.core != nil, owner.linking == nil, max(owner.frozenUntil, host.frozenUntil) <= now,
            // A home that was put back has forgotten devices, and would sign a record without them.
            !owner.wasPutBack,
            network.isOpen(from: owner.index, to: host.index, at: now),
            network.isOpen(from: host.index, to: owner.index, at: now)
        else { return tryAgain(step) }
        var random = SeededRandom(seed: plan.seed, part: UInt64(800_000 + now / 1_000 * Plan.maximumNodes + host.index))
        switch Course(step) {
        case .linked: break
        case .secondAttempt, .killedBetween:
            tally.count("failed link")
            let stray = Newcomer(key: .generate(using: &random), of: owner.user, using: &random)
            guard meet(owner, stray, using: &random) != nil else { return tryAgain(step) }
            if case .killedBetween = Course(step), !plan.isFaultless { kill(owner) }
            withdrawUnfinishedLink(of: owner)
            // This time it goes well.
            return tryAgain(step, value: 7)
        }
        let newcomer = Newcomer(key: host.deviceKey, of: owner.user, using: &random)
        guard let introduction = meet(owner, newcomer, using: &random) else {
            // A key is used for one attempt.
            return owner.linking == nil ? tryAgain(step) : ()
        }
        do throws(StoreError) {
            try NodeCore.begin(
                as: introduction, keys: host.keys, wrapKey: newcomer.wrapKey, in: host.disk,
                at: host.moment(at: now).wall, using: &random)
        } catch {
            preconditionFailure("a new disk takes what is written: \(error)")
        }
        owner.linking = nil
        host.state = .killed
        tally.count("linked device")
        events.add(.start(host: host.index, life: host.life), at: now)
    }

    private func tryAgain(_ step: Step, value: Int? = nil) {
        guard now / 1_000 + Self.retryInterval < plan.end else { return }
        again(step, value: value, in: Self.retryInterval)
    }

    /// Takes back that a host is a device which did not store what it needs, unless the disk has no room for that now.
    func withdrawUnfinishedLink(of host: Host) {
        guard let device = host.linking, host.core != nil else { return }
        let isDone = change(host) { core, moment in (try? core.withdraw(device, at: moment)) != nil }
        if isDone == true { host.linking = nil }
    }

    /// A host before it is a device, with keys for one attempt.
    private struct Newcomer {
        let author: Author
        let key: SigningKey
        let wrapKey: AgreementKey

        init(key: SigningKey, of user: UserID, using random: inout SeededRandom) {
            self.key = key
            author = Author(user: user, key: key)
            wrapKey = .generate(using: &random)
        }
    }

    /// The conversation of a holder and a new host, in which both users agree to everything; what the new host is
    /// given, or nil where the holder could not keep it.
    private func meet(_ owner: Host, _ newcomer: Newcomer, using random: inout SeededRandom) -> Introduction? {
        guard let root = owner.keys.root, let card = owner.core?.card,
            let invitation = LinkInvitation(
                key: newcomer.key.verifyingKey, secret: random.bytes(LinkInvitation.secretByteCount))
        else { return nil }
        var wire = LinkWire(
            holder: LinkChannel(.holder(root: root, card: card), by: invitation, using: &random),
            newcomer: LinkChannel(.newcomer(newcomer.key), by: invitation, using: &random))
        do throws(LinkError) {
            let digits = try wire.meet()
            checker.expect(
                digits.holder == digits.newcomer && digits.user == owner.user, .identity, self,
                "\(owner.name) and a new host do not see the same")
            let wrap = try wire.consent(
                with: WrapRecord(by: newcomer.author, counter: 1, key: newcomer.wrapKey.publicKey))
            // From here on it is taken back at the next start unless the new host has stored it.
            owner.linking = newcomer.author.device.id
            let certified = change(owner) { core, moment in
                Result { () throws(NodeError) in
                    try core.certify(newcomer.key.verifyingKey, named: nil, wrap: wrap, at: moment)
                }
            }
            switch certified {
            case .success(let introduction)?: return try wire.welcome(with: introduction)
            case .failure(let error)?:
                tally.refusals[error.code.rawValue, default: 0] += 1
                owner.linking = nil
                return nil
            // The power failed: whether it was kept shows at the next start.
            case nil: return nil
            }
        } catch {
            checker.report(.identity, self, "\(owner.name) cannot be linked with its own new host: \(error)")
            return nil
        }
    }
}

/// Both ends of a link, and what is on its way between them.
private struct LinkWire: ~Copyable {
    var holder: LinkChannel
    var newcomer: LinkChannel

    init(holder: consuming LinkChannel, newcomer: consuming LinkChannel) {
        self.holder = holder
        self.newcomer = newcomer
    }

    /// Lets both prove themselves; what each shows its user.
    mutating func meet() throws(LinkError) -> (holder: String?, newcomer: String?, user: UserID?) {
        let events = try exchange(try holder.start(), isForHolder: false)
        let met = { (events: [LinkChannel.Event]) -> (ProfileCard, String)? in
            for case .met(let card, let digits) in events { return (card, digits) }
            return nil
        }
        return (met(events.holder)?.1, met(events.newcomer)?.1, met(events.newcomer)?.0.user)
    }

    /// The new host's user agrees; the key that the holder hears.
    mutating func consent(with wrap: WrapRecord) throws(LinkError) -> WrapRecord {
        for case .consented(let heard) in try exchange(try newcomer.consent(with: wrap), isForHolder: true).holder {
            return heard
        }
        throw .ended
    }

    /// The holder gives the new host all it needs, which says that it has stored it.
    mutating func welcome(with introduction: Introduction) throws(LinkError) -> Introduction {
        for case .welcomed(let heard) in try exchange(try holder.welcome(with: introduction), isForHolder: false)
            .newcomer
        {
            guard try exchange(try newcomer.confirm(), isForHolder: true).holder == [.stored] else { break }
            return heard
        }
        throw .ended
    }

    /// Carries bytes back and forth until nobody says anything more.
    private mutating func exchange(
        _ first: [UInt8], isForHolder: Bool
    ) throws(LinkError) -> (holder: [LinkChannel.Event], newcomer: [LinkChannel.Event]) {
        var (bytes, isForHolder) = (first, isForHolder)
        var events: (holder: [LinkChannel.Event], newcomer: [LinkChannel.Event]) = ([], [])
        while !bytes.isEmpty {
            let heard = isForHolder ? try holder.receive(bytes) : try newcomer.receive(bytes)
            if isForHolder { events.holder += heard.events } else { events.newcomer += heard.events }
            (bytes, isForHolder) = (heard.reply, !isForHolder)
        }
        return events
    }
}
