/// A target of the package and what its files may import: the table of targets in ARCHITECTURE.md, made checkable.
struct Target {
    /// Whether the target decides or acts.
    enum Kind {
        /// Decides. Everything it needs to know comes in as arguments.
        case core
        /// Acts: it may use the clock, the disk and the network.
        case shell
    }

    let name: String
    let kind: Kind

    /// The targets it stands on. It may also import what they stand on in turn.
    let uses: [String]

    /// Modules from outside the package that it, and not whoever uses it, may import.
    let external: Set<String>

    private init(_ name: String, _ kind: Kind, uses: [String] = [], external: Set<String> = []) {
        self.name = name
        self.kind = kind
        self.uses = uses
        self.external = kind == .shell ? external.union(Self.system) : external
    }

    /// What every shell may use to reach the operating system.
    private static let system: Set<String> = [
        "Dispatch", "Foundation", "FoundationEssentials", "Glibc", "Synchronization",
    ]

    private static let nio: Set<String> = ["NIOCore", "NIOHTTP1", "NIOPosix"]

    private static let web = nio.union(["HTTPTypes", "Hummingbird", "HummingbirdCore", "Logging", "ServiceLifecycle"])

    /// Every Swift target of the package, what stands on nothing first.
    static let all: [Target] = [
        Target("ReplicatedTypes", .core),
        Target("Membership", .core, uses: ["ReplicatedTypes"]),
        Target("Cryptography", .core, external: ["CSodium", "Synchronization"]),
        Target("Photos", .core),
        Target("PhotoRendering", .core, uses: ["Photos"], external: ["CPictures"]),
        Target("Time", .core),
        Target("ErrorCodes", .core),
        Target("Diagnosis", .core),
        Target("OperationLog", .core, uses: ["Cryptography", "Time"], external: ["Synchronization"]),
        Target("Blobs", .core, uses: ["OperationLog"]),
        Target("Storage", .core, uses: ["Blobs"]),
        Target("Conversations", .core, uses: ["Membership", "ReplicatedTypes", "Storage"]),
        Target("Replication", .core, uses: ["Blobs", "OperationLog"]),
        Target("NodeCore", .core, uses: ["Conversations", "ErrorCodes", "Replication"]),
        Target("Simulation", .core, uses: ["NodeCore"]),

        Target("MembershipScenarios", .shell, uses: ["Membership"]),
        Target("SQLiteStore", .shell, uses: ["Storage"], external: ["GRDB", "GRDBSQLite"]),
        Target("StreamTransport", .shell, uses: ["Replication"], external: ["CEpoll"]),
        Target("PhotoWorkers", .shell, uses: ["Photos"], external: ["CProcess"]),
        Target("KeyStore", .shell, uses: ["NodeCore"]),
        Target("BlobStore", .shell, uses: ["Storage"]),
        Target("Supervision", .shell),
        Target("QRCodes", .shell, external: ["CQRencode"]),
        Target("TOMLFiles", .shell, external: ["CTOML"]),
        Target("LocalAPIModel", .shell, uses: ["ErrorCodes"]),
        Target("LocalAPIClient", .shell, uses: ["LocalAPIModel"], external: nio),
        Target(
            "Node", .shell,
            uses: [
                "BlobStore", "KeyStore", "LocalAPIModel", "NodeCore", "PhotoWorkers", "SQLiteStore", "StreamTransport",
            ], external: ["Logging"]),
        Target(
            "LocalAPIServer", .shell,
            uses: ["LocalAPIClient", "LocalAPIModel", "MembershipScenarios", "Node", "QRCodes"],
            external: web.union(["COpenAPI", "CPage"])),
        Target("DesktopNotifications", .shell, uses: ["Node"], external: ["CDBus", "Logging"]),

        Target(
            "moot", .shell,
            uses: [
                "DesktopNotifications", "Diagnosis", "LocalAPIClient", "LocalAPIServer", "MembershipScenarios",
                "Supervision", "TOMLFiles",
            ],
            external: ["ArgumentParser", "CProcess", "Logging", "ServiceLifecycle", "UnixSignals"]),
        Target("moot-photo", .shell, uses: ["PhotoRendering"], external: ["CProcess"]),
        Target("moot-sim", .shell, uses: ["Simulation"], external: ["ArgumentParser"]),
        Target(
            "moot-bench", .shell, uses: ["LocalAPIServer", "MembershipScenarios", "PhotoWorkers"],
            external: ["ArgumentParser", "CPictures", "CProcess", "GRDB", "Logging"]),
    ]

    static func named(_ name: String) -> Target? {
        all.first { $0.name == name }
    }

    /// Every module that a file of this target may import.
    var importable: Set<String> {
        uses.reduce(into: external) { modules, name in
            modules.insert(name)
            guard let target = Self.named(name) else { return }
            modules.formUnion(target.importable.subtracting(target.external))
        }
    }
}
