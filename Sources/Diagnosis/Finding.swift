/// Something that keeps hosts from seeing or reaching each other, or a node from working: what was measured, what it
/// means, and what mends it.
public struct Finding: Hashable, Sendable {
    /// How much it matters.
    public enum Severity: String, Hashable, Sendable, Codable {
        /// Something does not work.
        case problem
        /// Everything may work; it is worth knowing if something does not.
        case note
    }

    /// What was found. A code never changes its meaning.
    public enum Code: String, Hashable, Sendable, Codable, CaseIterable {
        case portTaken = "port_taken"
        case loopbackOnly = "loopback_only"
        case beaconPortTaken = "beacon_port_taken"
        case ownPortFiltered = "own_port_filtered"
        case ipv6Disabled = "ipv6_disabled"
        case noInterface = "no_interface"
        case noMulticastRoute = "no_multicast_route"
        case multicastTaken = "multicast_taken"
        case linkLocalOnly = "link_local_only"
        case firewallDropsTCP = "firewall_drops_tcp"
        case firewallDropsUDP = "firewall_drops_udp"
        case beaconNotHeard = "beacon_not_heard"
        case nobodyFound = "nobody_found"
        case otherSubnet = "other_subnet"
        case seenNotReached = "seen_not_reached"
        case reachedNotSeen = "reached_not_seen"
        case placeNotReached = "place_not_reached"
        case wrongDevice = "wrong_device"
        case otherVersion = "other_version"
        case slowPeer = "slow_peer"
        case clockDiffers = "clock_differs"
        case largePacketsLost = "large_packets_lost"
        case noSharedConversation = "no_shared_conversation"
        case peerNotConnected = "peer_not_connected"
        case peerSilent = "peer_silent"
        case notReachedByPeer = "not_reached_by_peer"
        case peerHearsNoBeacons = "peer_hears_no_beacons"
        case beaconsNotHeardByPeer = "beacons_not_heard_by_peer"
        case programDiffers = "program_differs"
        case diskFull = "disk_full"
        case inodesLow = "inodes_low"
        case homeReadOnly = "home_read_only"
        case homePermissions = "home_permissions"
        case slowDisk = "slow_disk"
        case fewDescriptors = "few_descriptors"
        case lowMemory = "low_memory"
        case clockUnsynchronized = "clock_unsynchronized"
        case networkFileSystem = "network_file_system"
        case homeCopied = "home_copied"
        case storageFails = "storage_fails"
        case gap = "gap"
        case pending = "pending"
        case banned = "banned"
        case keysMissing = "keys_missing"
    }

    /// What was found.
    public let code: Code
    /// How much it matters.
    public let severity: Severity
    /// What it is about: an interface, a port, a person, a folder.
    public let subject: String
    /// What was measured.
    public let measured: String
    /// What that means.
    public let meaning: String
    /// The command that mends it, or what to do where no command does.
    public let remedy: String

    init(
        _ code: Code, _ severity: Severity = .problem, about subject: String, measured: String, meaning: String,
        remedy: String
    ) {
        self.code = code
        self.severity = severity
        self.subject = subject
        self.measured = measured
        self.meaning = meaning
        self.remedy = remedy
    }
}
