/// A whole simulation, written down: with the same plan everything happens in the same way again.
package struct Plan: Hashable, Codable, Sendable {
    /// Where everything random in the run comes from: keys, latencies, losses.
    package var seed: UInt64
    /// What the run is hard on.
    package var profile: Profile
    /// How many hosts there are.
    package var nodes: Int
    /// Which hosts lie; the others are honest.
    package var liars: [Int]
    /// The hosts that are further devices of a user, each with the host on which that user began. Until it is linked
    /// such a host is nobody.
    package var owners: [Int: Int]
    /// Those among them that are given the user's root as well.
    package var rootHolders: [Int]
    /// What happens, by time.
    package var steps: [Step]
    /// When the faults end and everything heals, in milliseconds.
    package var end: Int

    /// As many hosts as one group may have members.
    package static let maximumNodes = 256

    /// The share of nodes that may lie.
    static let liarShare = 3

    /// Makes up a plan from a seed.
    ///
    /// - Parameters:
    ///   - nodes: hosts, 2 or more.
    ///   - operations: about how many operations people write.
    ///   - siege: with which lies about sizes and counts liars are to attack, and with no others of them; nil for what
    ///     the seed chooses.
    ///   - devices: how many of the hosts become further devices of others' users, at most; nil for what the seed
    ///     chooses.
    package init(
        seed: UInt64, profile: Profile, nodes: Int, operations: Int, siege: Step.Kind? = nil, devices: Int? = 0
    ) {
        guard profile != .crowd else {
            self = Plan(crowdOf: nodes, messages: operations, seed: seed)
            return
        }
        var random = SeededRandom(seed: seed)
        self.seed = seed
        self.profile = profile
        self.nodes = nodes
        let liarCount = profile.hasLiars ? Int.random(in: 1...max(1, nodes / Self.liarShare), using: &random) : 0
        liars = Array((0..<nodes).shuffled(using: &random).prefix(liarCount)).sorted()
        (owners, rootHolders) = ([:], [])
        end = 2_000 + operations * (profile == .soak ? 200 : 60)
        steps = []
        appendCommands(operations, using: &random)
        appendFaults(operations, using: &random)
        appendTyping(operations)
        appendFiles(operations)
        appendSieges(operations, only: siege)
        appendDevices(devices)
        comeLate()
        steps.sort { ($0.at, $0.host, $0.kind.rawValue) < ($1.at, $1.host, $1.kind.rawValue) }
    }

    /// A plan in which nothing happens and nobody lies.
    init(seed: UInt64, nodes: Int, profile: Profile) {
        self.seed = seed
        self.profile = profile
        self.nodes = nodes
        (liars, owners, rootHolders, steps, end) = ([], [:], [], [], 0)
    }

    /// The honest hosts.
    package var honest: [Int] { (0..<nodes).filter { !liars.contains($0) } }

    /// In some plans everybody does nothing for a while at first, so that strangers have parted. Drawn by itself, as
    /// typing is.
    private mutating func comeLate() {
        var random = SeededRandom(seed: seed, part: 605)
        guard Int.random(in: 0..<6, using: &random) == 0 else { return }
        for index in steps.indices { steps[index].at += Self.lateness }
        end += Self.lateness
    }

    /// How long that is, in milliseconds.
    private static let lateness = 45_000

    private mutating func appendCommands(_ operations: Int, using random: inout SeededRandom) {
        // A group of everybody and one that some may still join, while all is well, so that there is something to fight
        // about.
        for index in 0..<2 {
            steps.append(
                Step(
                    at: 1_500 + index * 100, host: Int.random(in: 0..<nodes, using: &random), kind: .create,
                    conversation: 0, other: index, value: nodes - 3 * index))
        }
        var written = 0
        while written < operations {
            let kind = Self.commands.draw(using: &random)
            let value = kind == .send ? Int.random(in: 1...4, using: &random) : Int.random(in: 0..<64, using: &random)
            steps.append(
                Step(
                    at: Int.random(in: 1_700..<end, using: &random), host: Int.random(in: 0..<nodes, using: &random),
                    kind: kind, conversation: Int.random(in: 0..<64, using: &random),
                    other: Int.random(in: 0..<64, using: &random), value: value))
            written += kind == .send ? value : 1
        }
    }

    private mutating func appendFaults(_ operations: Int, using random: inout SeededRandom) {
        let faults = profile.faults
        guard !faults.isEmpty else { return }
        for _ in 0..<(operations / 12) {
            let kind = faults.draw(using: &random)
            let isLie = kind.isLie
            guard !isLie || !liars.isEmpty else { continue }
            let host =
                isLie
                ? liars[Int.random(in: 0..<liars.count, using: &random)] : Int.random(in: 0..<nodes, using: &random)
            steps.append(
                Step(
                    at: Int.random(in: 1_800..<end, using: &random), host: host, kind: kind,
                    conversation: Int.random(in: 0..<64, using: &random),
                    other: Int.random(in: 0..<64, using: &random), value: Int.random(in: 50...6_000, using: &random)))
        }
    }

    /// Keys that people press in bursts, and what liars make of it. Drawn by itself, so that all else is as it would be
    /// without.
    private mutating func appendTyping(_ operations: Int) {
        var random = SeededRandom(seed: seed, part: 601)
        for _ in 0..<(operations / 8) {
            var at = Int.random(in: 1_700..<end, using: &random)
            let host = Int.random(in: 0..<nodes, using: &random)
            let conversation = Int.random(in: 0..<64, using: &random)
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                steps.append(Step(at: at, host: host, kind: .type, conversation: conversation, other: 0, value: 0))
                at += Int.random(in: 20...1_500, using: &random)
            }
        }
        guard !liars.isEmpty else { return }
        for _ in 0..<(operations / 16) {
            steps.append(
                Step(
                    at: Int.random(in: 1_800..<end, using: &random),
                    host: liars[Int.random(in: 0..<liars.count, using: &random)], kind: .falsifyTyping,
                    conversation: Int.random(in: 0..<64, using: &random),
                    other: Int.random(in: 0..<64, using: &random), value: Int.random(in: 0..<64, using: &random)))
        }
    }

    /// Files that people send, of one chunk to three. Drawn by itself, as typing is.
    private mutating func appendFiles(_ operations: Int) {
        var random = SeededRandom(seed: seed, part: 602)
        for _ in 0..<max(1, operations / 40) {
            steps.append(
                Step(
                    at: Int.random(in: 1_700..<end, using: &random), host: Int.random(in: 0..<nodes, using: &random),
                    kind: .attach, conversation: Int.random(in: 0..<64, using: &random),
                    other: Int.random(in: 0..<64, using: &random), value: Int.random(in: 0..<64, using: &random)))
        }
    }

    private static let commands = WeightedChoice<Step.Kind>([
        (.send, 40), (.read, 16), (.annotate, 24), (.create, 2), (.direct, 3), (.add, 10), (.remove, 10),
        (.promote, 14),
        (.demote, 8), (.rename, 8),
        (.announce, 2), (.letAdd, 3), (.invite, 5), (.answer, 6), (.offer, 5), (.redeem, 10), (.leave, 5),
        (.profile, 2),
    ])
}

extension Plan {
    private enum CodingKeys: CodingKey {
        case seed, profile, nodes, liars, owners, rootHolders, steps, end
    }

    /// Reads a plan. In those of earlier versions everybody has one device.
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        seed = try values.decode(UInt64.self, forKey: .seed)
        profile = try values.decode(Profile.self, forKey: .profile)
        nodes = try values.decode(Int.self, forKey: .nodes)
        liars = try values.decode([Int].self, forKey: .liars)
        owners = try values.decodeIfPresent([Int: Int].self, forKey: .owners) ?? [:]
        rootHolders = try values.decodeIfPresent([Int].self, forKey: .rootHolders) ?? []
        steps = try values.decode([Step].self, forKey: .steps)
        end = try values.decode(Int.self, forKey: .end)
    }
}

extension Profile {
    /// Whether some nodes lie.
    var hasLiars: Bool { self == .byzantine || self == .soak }

    /// What goes wrong, and how often.
    var faults: WeightedChoice<Step.Kind> {
        switch self {
        case .calm, .crowd: WeightedChoice([])
        case .lossy: WeightedChoice([(.reset, 6), (.stall, 3), (.cutOneWay, 1), (.freeze, 1), (.setClock, 1)])
        case .partitioned: WeightedChoice([(.isolate, 6), (.cutOneWay, 3), (.reset, 1), (.stall, 1)])
        case .byzantine:
            WeightedChoice([
                (.fork, 4), (.forge, 3), (.overreach, 6), (.corrupt, 2), (.withhold, 2), (.flood, 2), (.impersonate, 1),
                (.hide, 2), (.misseal, 4), (.presume, 4), (.falsifyReceipts, 4), (.setClock, 2), (.isolate, 3),
                (.reset, 2),
            ])
        case .crash:
            WeightedChoice([
                (.kill, 5), (.loseBeforeWriting, 2), (.loseBeforeSyncing, 3), (.loseAfterSyncing, 3), (.freeze, 2),
                (.setClock, 2), (.fillDisk, 2), (.breakDisk, 1), (.backUp, 1), (.restore, 1), (.reset, 2),
                (.isolate, 1),
            ])
        case .soak:
            // Who stole a device has steps of their own.
            WeightedChoice(Step.Kind.allCases.filter { !$0.isCommand && !$0.isSiege && $0 != .steal }.map { ($0, 1) })
        }
    }
}
