import Cryptography
import OperationLog

/// The epochs of a conversation, as far as this device can use them.
///
/// Derived from the content lane: from its epoch, complaint and wrap operations, in any order that keeps each after its
/// parents.
public struct Epochs: Sendable {
    /// What this device has of an epoch's key.
    public enum Key: Sendable {
        /// The key, checked against the commitment.
        case held(EpochKey)
        /// It is for others.
        case foreign
        /// It is for other devices of this user, which pass it on.
        case elsewhere
        /// It was here, and was erased for good.
        case erased
        /// It should be here, but is not.
        case missing(Unreadable)
    }

    /// What a device that knows an epoch already has kept of its key.
    public enum KeptKey: Sendable {
        /// The key.
        case key(EpochKey)
        /// That it was erased.
        case erased
    }

    /// One epoch.
    public struct Epoch: Sendable {
        /// Its operation.
        public let id: OperationID
        /// The operation's header.
        public let header: OperationHeader
        /// The view at the heads of its operation.
        public let view: View
        /// What its author bound the key to.
        public let commitment: Digest
        /// This device's key.
        public fileprivate(set) var key: Key
        /// The devices of the view that wrote under it since this node started: whoever did holds its key, or lies.
        public fileprivate(set) var writers: Set<DeviceID> = []
        /// How often each device of the view said that it could not open the key.
        private(set) var complaintCounts: [DeviceID: Int] = [:]
        /// Who sealed the key once more for each device, and to which of its keys. What they sealed, only that device
        /// can tell.
        private(set) var helpers: [DeviceID: Set<Help>] = [:]

        /// One sealing.
        struct Help: Hashable, Sendable {
            let helper: DeviceID
            let wrapKey: [UInt8]
        }

        /// Whose device made it.
        public var maker: UserID? { user(of: header.device) }

        /// The people whose messages wait for its key: who made it, and who wrote under it.
        public var claimants: Set<UserID> { Set(writers.union([header.device]).compactMap(user)) }

        private func user(of device: DeviceID) -> UserID? { view.place(of: device).map { view.readers[$0].user } }

        /// The devices that said they could not open it more often than they were helped, ascending.
        public var complaints: [DeviceID] {
            complaintCounts.keys.filter { isWaiting($0) }.sorted()
        }

        private func isWaiting(_ device: DeviceID) -> Bool {
            complaintCounts[device, default: 0] > (helpers[device]?.count ?? 0)
        }

        /// How often a device should say that it cannot open the key: once, and once more for everybody whose help was
        /// none.
        public func complaintsOwed(by device: DeviceID) -> Int {
            guard case .missing = key else { return 0 }
            return max(0, (helpers[device]?.count ?? 0) + 1 - complaintCounts[device, default: 0])
        }

        /// Whether a device has sealed the key for another to that key already: doing it again would help nobody.
        public func hasHelped(_ helper: DeviceID, _ device: DeviceID, sealingTo wrapKey: [UInt8]) -> Bool {
            helpers[device]?.contains(Help(helper: helper, wrapKey: wrapKey)) == true
        }

        fileprivate mutating func count(complaintOf device: DeviceID) { complaintCounts[device, default: 0] += 1 }

        fileprivate mutating func note(helper: DeviceID, with body: WrapBody) {
            helpers[body.device, default: []].insert(Help(helper: helper, wrapKey: body.wrapKey))
        }
    }

    /// The epochs that are for the view at their own heads, by name.
    public private(set) var all: [OperationID: Epoch] = [:]
    /// The epochs of each view, ascending.
    private var byView: [ViewID: [OperationID]] = [:]
    /// The last epoch that this device made for each view.
    private var own: [ViewID: OperationID] = [:]
    /// The epochs that some device complains of.
    public private(set) var complained: Set<OperationID> = []
    /// The epochs that should open for this device and do not.
    public private(set) var missing: Set<OperationID> = []
    /// Those of them about which this device has to complain, once or once more.
    public private(set) var owed: Set<OperationID> = []
    /// This device.
    private var device: DeviceID?
    /// The epochs whose keys other devices of this user have.
    public private(set) var elsewhere: Set<OperationID> = []
    /// Epoch operations that are not what they should be.
    private var refused: [OperationID: Unreadable] = [:]

    /// Knows none.
    public init() {}

    /// The epoch of a name, or why it cannot be used.
    public func epoch(_ id: OperationID) throws(Unreadable) -> Epoch {
        if let epoch = all[id] { return epoch }
        throw refused[id] ?? .notAnEpoch
    }

    /// Whether this device has the key of an epoch.
    public func holdsKey(of id: OperationID) -> Bool {
        guard case .held = all[id]?.key else { return false }
        return true
    }

    /// The epoch for the next message to a view, of those that open for this device: one that it made itself, and else
    /// the smallest that nobody complains of.
    ///
    /// A device knows that what it made is right, whoever complains. Were the smallest always used, a member could make
    /// ever smaller ones that do not open for everybody.
    public func usable(for view: ViewID) -> (id: OperationID, key: EpochKey)? {
        if let id = own[view], case .held(let key) = all[id]?.key { return (id, key) }
        for id in byView[view] ?? [] {
            guard !complained.contains(id), case .held(let key) = all[id]?.key else { continue }
            return (id, key)
        }
        return nil
    }

    /// Takes in an epoch operation.
    ///
    /// It is false unless its author is a reader of its view: who is out could else make the key under which the others
    /// go on, and read it.
    ///
    /// - Parameters:
    ///   - view: the view at its membership heads.
    ///   - device: this one; nil for none, which holds no keys.
    ///   - kept: what this device has kept of the key; nil if the epoch is new to it. Of an epoch that is for other
    ///     devices of the user only another device can have brought it.
    ///   - open: opens a wrap with the keys of this device.
    public mutating func insert(
        _ operation: Operation, view: View, for device: Device?, kept: KeptKey?,
        open: (_ wrap: [UInt8], _ place: View.Reader) -> EpochKey?
    ) {
        guard let bytes = operation.body, let body = try? EpochBody(decoding: bytes), body.view == view.id,
            body.wraps.count == view.readers.count, view.contains(operation.author.id)
        else {
            refused[operation.id] = .falseEpoch
            return
        }
        var epoch = Epoch(
            id: operation.id, header: operation.header, view: view, commitment: body.commitment, key: .foreign)
        if let device, view.contains(device.user) {
            epoch.key =
                switch (kept, view.place(of: device.id)) {
                case (.key(let key), _): Self.check(key, against: epoch)
                case (.erased, _): .erased
                case (nil, let place?): Self.check(open(body.wraps[place], view.readers[place]), against: epoch)
                case (nil, nil): Self.open(body, of: epoch, sealedFor: device.user, with: open) ?? .elsewhere
                }
        }
        all[operation.id] = epoch
        self.device = device?.id
        updateOwed(operation.id)
        switch epoch.key {
        case .missing: missing.insert(operation.id)
        case .elsewhere: elsewhere.insert(operation.id)
        case .held, .foreign, .erased: break
        }
        byView[view.id, default: []].insertSorted(operation.id)
        if operation.author.id == device?.id, case .held = epoch.key { own[view.id] = operation.id }
    }

    /// Notes that a device wrote a message to a view under an epoch.
    public mutating func note(writer: DeviceID, under id: OperationID, to view: ViewID) {
        guard let epoch = all[id], epoch.view.id == view, !epoch.writers.contains(writer) else { return }
        all[id]?.writers.insert(writer)
    }

    /// Takes in a key that another device of this user passed on; whether it is one that was lacking, and the one its
    /// author committed to.
    public mutating func insert(_ key: EpochKey, of id: OperationID) -> Bool {
        guard let epoch = all[id], elsewhere.contains(id) || missing.contains(id),
            case .held = Self.check(key, against: epoch)
        else { return false }
        all[id]?.key = .held(key)
        elsewhere.remove(id)
        missing.remove(id)
        updateOwed(id)
        return true
    }

    /// Forgets keys for good: what they close cannot be read here any more.
    public mutating func erase(_ ids: some Sequence<OperationID>) {
        for id in ids {
            guard case .held = all[id]?.key else { continue }
            all[id]?.key = .erased
        }
    }

    /// A key that was sealed to a device of the user whose secrets are here, because its home was restored on this one;
    /// nil where there is none.
    private static func open(
        _ body: EpochBody, of epoch: Epoch, sealedFor user: UserID,
        with open: (_ wrap: [UInt8], _ place: View.Reader) -> EpochKey?
    ) -> Key? {
        for (wrap, reader) in zip(body.wraps, epoch.view.readers) where reader.user == user {
            if let key = open(wrap, reader), case .held = check(key, against: epoch) { return .held(key) }
        }
        return nil
    }

    private static func check(_ key: EpochKey?, against epoch: Epoch) -> Key {
        guard let key else { return .missing(.wrapBroken) }
        let commitment = key.commitment(of: epoch.header, view: epoch.view.id)
        return commitment == epoch.commitment ? .held(key) : .missing(.commitBroken)
    }

    /// Takes in a complaint; of strangers to the view it is ignored.
    public mutating func insert(complaintOf device: DeviceID, about id: OperationID) {
        guard all[id]?.view.contains(device) == true else { return }
        all[id]?.count(complaintOf: device)
        updateComplained(id)
    }

    /// Takes in a key that was sealed once more. Only one that opens for this device and fits the commitment is kept.
    ///
    /// It counts as help if it is by a reader of the epoch, as nobody else has the key, and sealed to the key that the
    /// lane knew for the device: else a liar could answer with noise as often as they like, and each time the device
    /// would have to complain once more.
    ///
    /// - Parameter view: the view at the operation's membership heads.
    public mutating func insert(
        wrap body: WrapBody, by helper: DeviceID, about id: OperationID, under view: View, for device: DeviceID?,
        open: (_ wrap: [UInt8], _ wrapKey: [UInt8]) -> EpochKey?
    ) {
        guard let epoch = all[id], epoch.view.contains(body.device), epoch.view.contains(helper),
            let place = view.place(of: body.device), view.readers[place].wrapKey == body.wrapKey
        else { return }
        all[id]?.note(helper: helper, with: body)
        updateComplained(id)
        guard body.device == device, case .missing = epoch.key else { return }
        let key = Self.check(open(body.wrap, body.wrapKey), against: epoch)
        guard case .held = key else { return }
        all[id]?.key = key
        missing.remove(id)
        updateOwed(id)
    }

    private mutating func updateComplained(_ id: OperationID) {
        if all[id]?.complaints.isEmpty == false { complained.insert(id) } else { complained.remove(id) }
        updateOwed(id)
    }

    private mutating func updateOwed(_ id: OperationID) {
        let isOwed = device.flatMap { all[id]?.complaintsOwed(by: $0) } ?? 0 > 0
        if isOwed { owed.insert(id) } else { owed.remove(id) }
    }

    /// What can be seen of a content operation that only its view may read.
    ///
    /// - Parameter view: the view at its membership heads.
    public func read(_ operation: Operation, view: View?, for user: UserID) -> Reading {
        guard let view, view.contains(user) else { return .closed }
        guard let body = operation.body else { return .wanted }
        do throws(Unreadable) {
            guard let id = operation.header.epoch else { throw .noEpoch }
            let epoch = try epoch(id)
            guard epoch.view.id == view.id else { throw .wrongEpoch }
            switch epoch.key {
            case .held(let key): return .open(try key.open(body, of: operation.header))
            case .missing(let reason): throw reason
            case .erased: throw .keyErased
            case .elsewhere: throw .keyElsewhere
            case .foreign: throw .wrapBroken
            }
        } catch {
            return .unreadable(error)
        }
    }
}
