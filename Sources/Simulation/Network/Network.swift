/// Which hosts hear which, and how long it takes.
struct Network {
    /// Until when nothing gets from one host to another, in microseconds; rows send, columns receive.
    private var blockedUntil: [[Int]]
    /// The share of beacons that are lost.
    var beaconLoss: Double
    /// The share of beacons that arrive twice.
    let beaconDoubling = 0.1
    /// How long a packet takes, in microseconds.
    let latency: ClosedRange<Int>
    /// How long it takes at most once people write, in milliseconds; 0 for as long as before.
    var slowness = 0
    /// The share of packets that are cut into pieces on the way.
    let splitting: Double

    init(hosts: Int, profile: Profile) {
        blockedUntil = Array(repeating: Array(repeating: 0, count: hosts), count: hosts)
        switch profile {
        case .calm:
            (beaconLoss, latency, splitting) = (0, 100...600, 0)
        case .crowd:
            (beaconLoss, latency, splitting) = (0, 5_000...5_000, 0)
        case .lossy, .soak:
            (beaconLoss, latency, splitting) = (0.3, 200...60_000, 0.3)
        case .partitioned, .byzantine, .crash:
            (beaconLoss, latency, splitting) = (0.05, 100...3_000, 0.1)
        }
    }

    /// When something that arrives now gets through: now, or when the way is open again.
    func passage(from sender: Int, to receiver: Int, at now: Int) -> Int {
        max(now, blockedUntil[sender][receiver])
    }

    /// Whether packets get through now.
    func isOpen(from sender: Int, to receiver: Int, at now: Int) -> Bool {
        blockedUntil[sender][receiver] <= now
    }

    /// Whether nothing got through, in one direction or the other, at some moment since a time.
    func wasBlocked(between one: Int, and other: Int, since time: Int) -> Bool {
        max(blockedUntil[one][other], blockedUntil[other][one]) > max(0, time)
    }

    /// Lets nothing through until a time.
    mutating func block(from sender: Int, to receiver: Int, until time: Int) {
        blockedUntil[sender][receiver] = max(blockedUntil[sender][receiver], time)
    }

    /// Lets everything through from now on.
    mutating func heal() {
        for row in blockedUntil.indices {
            blockedUntil[row] = Array(repeating: 0, count: blockedUntil.count)
        }
        beaconLoss = 0
    }
}
