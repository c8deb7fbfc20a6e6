import OperationLog
import Replication
import Time

/// Decides whom this node tells where others can be dialed.
///
/// Somebody who is met is told of everybody, and everybody is told of them. A connection that comes back within
/// ``memory`` is as if it had never been lost: in a group of 256, of which one connection in a hundred is lost in a
/// second, telling all of it again would be most of the traffic.
struct AddressSharing {
    /// How long somebody who was lost is taken for somebody who is still there.
    static let memory: Duration = .seconds(30)
    /// How long what is news of where somebody is waits for more of that kind.
    private static let delay: Duration = .milliseconds(250)
    /// How long the next news waits for each who is told, so that a node tells at most 40 a second: where a crowd
    /// meets, all would hear of all from all others again and again.
    private static let pace: Duration = .milliseconds(25)
    /// How long before a connection was noticed to be lost it may have been: what was sent since then may not have
    /// come.
    private static let lossNotice: Duration = .seconds(5)
    /// Those who are remembered at a time, unless more are connected.
    private static let maximumMemory = 1_024

    /// Somebody who was told where everybody is.
    private struct Acquaintance {
        /// Where they can be dialed; nil for nowhere.
        var address: String?
        /// Whose places are news for them.
        var untold: Set<DeviceID> = []
        /// Whether the others were told where they are, or are about to be.
        var isShared = false
        /// When their connection was lost; nil while it is up.
        var lostAt: Instant?
        /// When something was told them last; nil once it may not have come.
        var toldAt: Instant?
        /// The connection on which they were told of everybody last.
        var toldAllOn: PeerHandle?
        /// The connection on which they were asked last.
        var askedOn: PeerHandle?
        /// Whether they told of anybody.
        var hasTold = false

        /// Whether they are connected, or were a moment ago.
        func isRemembered(at now: Instant) -> Bool { lostAt.map { now < $0 + AddressSharing.memory } ?? true }
    }

    private var acquaintances: [DeviceID: Acquaintance] = [:]
    private var tellAt: Instant?
    /// Not before this moment.
    private var restsUntil: Instant?
    private var forgetAt: Instant?
    /// Until when this node may be one that others remember and that remembers nobody.
    private var asksUntil: Instant?
    /// How many strangers' places are passed on.
    private var strangers = TokenBucket(burst: 64, interval: .seconds(1))

    /// When there is something to do. What is forgotten is so when somebody comes.
    var next: Instant? { tellAt }

    /// The node starts: those who take it for somebody who is still there have to be asked.
    mutating func begin(at now: Instant) { asksUntil = now + Self.memory * 2 }

    /// Somebody has said where they can be dialed; nil for nowhere.
    ///
    /// - Returns: what to send them at once.
    mutating func meet(
        _ device: DeviceID, at address: String?, on handle: PeerHandle, isStranger: Bool, now: Instant
    ) -> [PeerMessage] {
        forget(at: now)
        let known = acquaintances[device].flatMap { $0.isRemembered(at: now) ? $0 : nil }
        var person = known ?? Acquaintance()
        (person.address, person.lostAt) = (address, nil)
        let isNews = known?.isShared != true || known?.address != address
        acquaintances[device] = person
        // One who cannot be dialed is no news for anybody; of the others so many are told, and no more.
        guard !isStranger || address != nil && (!isNews || strangers.take(at: now)) else { return [] }
        acquaintances[device]?.isShared = true
        if isNews, address != nil {
            for other in acquaintances.keys where other != device { acquaintances[other]?.untold.insert(device) }
        }
        if isNews || !person.untold.isEmpty {
            tellAt = tellAt ?? max(now + Self.delay, restsUntil ?? now)
        }
        let question = ask(device, on: handle, now: now)
        return person.toldAt == nil ? question + tellAll(device, on: handle, now: now) : question
    }

    /// The question of a node that was started lately: of two connections one ends, and perhaps with the answer. So it
    /// is asked on each until something was told.
    private mutating func ask(_ device: DeviceID, on handle: PeerHandle, now: Instant) -> [PeerMessage] {
        guard let asksUntil, now < asksUntil, let person = acquaintances[device], person.askedOn != handle,
            !person.hasTold
        else { return [] }
        acquaintances[device]?.askedOn = handle
        return [.people(.addresses([]))]
    }

    /// Takes in what somebody says of others' places. An empty list asks for all.
    ///
    /// - Returns: what to answer.
    mutating func hear(_ places: [PeerAddress], from device: DeviceID, on handle: PeerHandle, now: Instant)
        -> [PeerMessage]
    {
        // A peer that names a place knows it.
        for place in places where acquaintances[place.device]?.address == place.address {
            acquaintances[device]?.untold.remove(place.device)
        }
        if !places.isEmpty { acquaintances[device]?.hasTold = true }
        guard places.isEmpty, let known = acquaintances[device], known.toldAllOn != handle else { return [] }
        return tellAll(device, on: handle, now: now)
    }

    /// Somebody is not connected any more.
    mutating func lose(_ device: DeviceID, isStranger: Bool, now: Instant) {
        // Of strangers there may be any number.
        guard !isStranger, var person = acquaintances[device] else { return forget(device) }
        person.lostAt = now
        if let toldAt = person.toldAt, now < toldAt + Self.lossNotice { person.toldAt = nil }
        acquaintances[device] = person
        forgetAt = forgetAt ?? now + Self.memory
    }

    /// Passes on no more where a device is.
    mutating func forget(_ device: DeviceID) { acquaintances[device] = nil }

    /// What is due.
    ///
    /// - Returns: messages for those who are connected.
    mutating func tell(at now: Instant) -> [(device: DeviceID, messages: [PeerMessage])] {
        guard let moment = tellAt, moment <= now else { return [] }
        tellAt = nil
        let waiting = acquaintances.filter { $0.value.lostAt == nil && !$0.value.untold.isEmpty }.keys.sorted()
        restsUntil = now + Self.pace * waiting.count
        return waiting.map { device in
            let news = acquaintances[device]?.untold ?? []
            acquaintances[device]?.untold = []
            acquaintances[device]?.toldAt = now
            return (device, messages(of: news, now: now))
        }
    }

    private mutating func tellAll(_ device: DeviceID, on handle: PeerHandle, now: Instant) -> [PeerMessage] {
        acquaintances[device]?.untold = []
        acquaintances[device]?.toldAllOn = handle
        acquaintances[device]?.toldAt = now
        return messages(of: Set(acquaintances.keys).subtracting([device]), now: now)
    }

    private func messages(of devices: Set<DeviceID>, now: Instant) -> [PeerMessage] {
        let places = devices.sorted().compactMap { device -> PeerAddress? in
            guard let known = acquaintances[device], known.isRemembered(at: now), let address = known.address else {
                return nil
            }
            return PeerAddress(device: device, address: address)
        }
        return stride(from: 0, to: places.count, by: PeerMessage.maximumAddresses).map { start in
            .people(.addresses(Array(places[start..<min(places.count, start + PeerMessage.maximumAddresses)])))
        }
    }

    private mutating func forget(at now: Instant) {
        let isCrowded = acquaintances.count >= Self.maximumMemory
        guard isCrowded || forgetAt.map({ $0 <= now }) == true else { return }
        acquaintances = acquaintances.filter { isCrowded ? $0.value.lostAt == nil : $0.value.isRemembered(at: now) }
        forgetAt = acquaintances.values.contains { $0.lostAt != nil } ? now + Self.memory : nil
    }
}
