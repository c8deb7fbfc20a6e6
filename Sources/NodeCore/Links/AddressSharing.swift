import OperationLog
import Replication
import Time

/// Decides whom this node tells where others can be dialed.
///
/// Somebody who is met is told of everybody, and everybody is told of them. A connection that comes back within ``memory`` is as if it had never
/// been lost: in a group of 256, of which one connection in a hundred is lost in a second, telling all of it again would be most of the traffic.
struct AddressSharing {
    /// How long somebody who was lost is taken for somebody who is still there.
    static let memory: Duration = .seconds(30)
    /// How long what is news of where somebody is waits for more of that kind.
    private static let delay: Duration = .milliseconds(250)
    /// Those who are remembered at a time, unless more are connected.
    private static let maximumMemory = 1_024

    /// Somebody who was told where everybody is.
    private struct Acquaintance {
        /// Where they can be dialed; nil for nowhere.
        var address: String?
        /// Whose places are news for them.
        var untold: Set<DeviceID> = []
        /// When their connection was lost; nil while it is up.
        var lostAt: Instant?
        /// The connection on which they were told of everybody last.
        var toldAllOn: PeerHandle?

        func isThere(at now: Instant) -> Bool { lostAt.map { now < $0 + AddressSharing.memory } ?? true }
    }

    private var acquaintances: [DeviceID: Acquaintance] = [:]
    private var tellAt: Instant?
    private var forgetAt: Instant?
    /// Until when this node may be one that others remember and that remembers nobody.
    private var asksUntil: Instant?
    /// How many strangers' places are passed on.
    private var strangers = TokenBucket(burst: 64, interval: .seconds(1))

    /// When there is something to do.
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
        let known = acquaintances[device].flatMap { $0.isThere(at: now) ? $0 : nil }
        let isNews = known == nil || known?.address != address
        acquaintances[device] = known ?? Acquaintance()
        acquaintances[device]?.address = address
        acquaintances[device]?.lostAt = nil
        guard !isNews || !isStranger || strangers.take(at: now) else { return [] }
        if isNews, address != nil {
            for other in acquaintances.keys where other != device { acquaintances[other]?.untold.insert(device) }
        }
        if isNews || known?.untold.isEmpty == false { tellAt = tellAt ?? now + Self.delay }
        guard known == nil else { return [] }
        let question: [PeerMessage] = asksUntil.map { now < $0 } == true ? [.addresses([])] : []
        return tellAll(device, on: handle, now: now) + question
    }

    /// Takes in what somebody says of others' places. Of nobody's, it is a question.
    ///
    /// - Returns: what to answer.
    mutating func hear(_ places: [PeerAddress], from device: DeviceID, on handle: PeerHandle, now: Instant)
        -> [PeerMessage]
    {
        // Whoever says it knows it.
        for place in places where acquaintances[place.device]?.address == place.address {
            acquaintances[device]?.untold.remove(place.device)
        }
        guard places.isEmpty, let known = acquaintances[device], known.toldAllOn != handle else { return [] }
        return tellAll(device, on: handle, now: now)
    }

    /// Somebody is not connected any more.
    mutating func lose(_ device: DeviceID, isStranger: Bool, now: Instant) {
        // Of strangers there may be any number.
        if isStranger { acquaintances[device] = nil }
        acquaintances[device]?.lostAt = now
        forgetAt = forgetAt ?? now + Self.memory
    }

    /// What is due.
    ///
    /// - Returns: messages for those who are connected.
    mutating func tell(at now: Instant) -> [(device: DeviceID, messages: [PeerMessage])] {
        guard let moment = tellAt, moment <= now else { return [] }
        tellAt = nil
        let waiting = acquaintances.filter { $0.value.lostAt == nil && !$0.value.untold.isEmpty }.keys.sorted()
        return waiting.map { device in
            defer { acquaintances[device]?.untold = [] }
            return (device, messages(of: acquaintances[device]?.untold ?? [], now: now))
        }
    }

    private mutating func tellAll(_ device: DeviceID, on handle: PeerHandle, now: Instant) -> [PeerMessage] {
        acquaintances[device]?.untold = []
        acquaintances[device]?.toldAllOn = handle
        return messages(of: Set(acquaintances.keys).subtracting([device]), now: now)
    }

    private func messages(of devices: Set<DeviceID>, now: Instant) -> [PeerMessage] {
        let places = devices.sorted().compactMap { device -> PeerAddress? in
            guard let known = acquaintances[device], known.isThere(at: now), let address = known.address else {
                return nil
            }
            return PeerAddress(device: device, address: address)
        }
        return stride(from: 0, to: places.count, by: PeerMessage.maximumAddresses).map { start in
            .addresses(Array(places[start..<min(places.count, start + PeerMessage.maximumAddresses)]))
        }
    }

    private mutating func forget(at now: Instant) {
        let isCrowded = acquaintances.count >= Self.maximumMemory
        guard isCrowded || forgetAt.map({ $0 <= now }) == true else { return }
        acquaintances = acquaintances.filter { isCrowded ? $0.value.lostAt == nil : $0.value.isThere(at: now) }
        forgetAt = acquaintances.values.contains { $0.lostAt != nil } ? now + Self.memory : nil
    }
}
