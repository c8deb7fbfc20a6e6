import OperationLog

/// The devices of which a part of a list speaks: those after one, through another.
public struct DeviceRange: Hashable, Sendable {
    /// The device before the first; nil where the list begins.
    public let after: DeviceID?
    /// The last device; nil where the list ends.
    public let through: DeviceID?

    /// Describes a part of a list that ascends by device.
    public init(after: DeviceID?, through: DeviceID?) {
        self.after = after
        self.through = through
    }

    /// All devices.
    public static let all = DeviceRange(after: nil, through: nil)

    /// Whether a device is in the part.
    public func contains(_ device: DeviceID) -> Bool {
        after.map { $0 < device } ?? true && through.map { device <= $0 } ?? true
    }
}

/// A part of the list of all chains that a replica holds of a lane.
///
/// A list may be as long as somebody made it who forks their chain or certifies ever newer devices: its length is data,
/// which their author paid for in bytes. So it travels in parts, and each part is a question of its own: of the devices
/// it speaks of, it names every chain. Whoever answers needs to remember nothing, and whoever asks goes on with the
/// next part when this one is answered.
public struct ChainPart: Hashable, Sendable {
    /// The last device of the part before; nil in the first one.
    public let after: DeviceID?
    /// The chains, ascending by device.
    public let chains: [PeerMessage.ChainEntry]
    /// Whether no chain follows.
    public let isLast: Bool

    /// The devices of which the part speaks.
    public var range: DeviceRange { DeviceRange(after: after, through: isLast ? nil : chains.last?.device) }

    init(after: DeviceID?, chains: [PeerMessage.ChainEntry], isLast: Bool) {
        self.after = after
        self.chains = chains
        self.isLast = isLast
    }

    /// The next part of what a replica holds: as many chains as a part may name, and no more tips than
    /// ``PeerMessage/targetTipCount`` where more than one chain has some.
    ///
    /// For a chain with more branches than a message may name, it names those with the highest sequence numbers. The
    /// answer then contains more than is missing.
    public init(of frontier: Frontier, after: DeviceID?) {
        var chains: [PeerMessage.ChainEntry] = []
        var tips = 0
        let rest = frontier.devices.drop { device in after.map { device <= $0 } ?? false }
        for device in rest {
            let branches = frontier.tips[device] ?? []
            guard chains.isEmpty || tips + branches.count <= PeerMessage.targetTipCount,
                chains.count < PeerMessage.maximumChains
            else { break }
            tips += branches.count
            chains.append(.init(device: device, tips: branches.suffix(PeerMessage.maximumBranches)))
        }
        self.init(after: after, chains: chains, isLast: chains.count == rest.count)
    }
}

extension PeerMessage {
    /// As many of some chains as a message may ask for, those of the first devices: what is left is asked for when the
    /// answer has come.
    static func fitting(_ wanted: [DeviceID: KnownChain]) -> [DeviceID: KnownChain] {
        var room = maximumBranches
        var fitting: [DeviceID: KnownChain] = [:]
        for (device, chain) in wanted.sorted(by: { $0.key < $1.key }).prefix(maximumChains) {
            switch chain {
            case .through: fitting[device] = chain
            case .branches(let ends):
                // What is held and not named comes once more.
                guard ends.count <= room || fitting.isEmpty else { return fitting }
                fitting[device] = .branches(Array(ends.prefix(maximumBranches)))
                room = max(0, room - ends.count)
            }
        }
        return fitting
    }
}
