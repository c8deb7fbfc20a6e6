// swift-tools-version: 6.2
import PackageDescription

/// Settings every Swift target shares. `scripts/test` makes warnings errors; a user with a newer compiler is spared
/// that.
let settings: [SwiftSetting] =
    [
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ] + (Context.environment["MOOT_WARNINGS_AS_ERRORS"] == nil ? [] : [.treatAllWarnings(as: .error)])

/// Settings of the cores. `scripts/test` optimizes them in its debug build, because its tests simulate whole networks
/// of them.
let coreSettings: [SwiftSetting] =
    settings
    + (Context.environment["MOOT_OPTIMIZED_CORES"] == nil
        ? [] : [.unsafeFlags(["-O", "-enable-default-cmo"], .when(configuration: .debug))])

let package = Package(
    name: "moot",
    products: [
        .library(name: "ReplicatedTypes", targets: ["ReplicatedTypes"]),
        .library(name: "Membership", targets: ["Membership"]),
        .executable(name: "moot", targets: ["moot"]),
        .executable(name: "moot-photo", targets: ["moot-photo"]),
        .executable(name: "moot-bench", targets: ["moot-bench"]),
        .executable(name: "moot-sim", targets: ["moot-sim"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        // Without its default traits Hummingbird brings no configuration library.
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        // Pure cores: no clock, no sockets, no database.
        .systemLibrary(
            name: "CSodium", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"])]),
        .systemLibrary(name: "CEpoll"),
        .systemLibrary(
            name: "CQRencode", pkgConfig: "libqrencode", providers: [.apt(["libqrencode-dev"])]),
        .systemLibrary(name: "CProcess"),
        .systemLibrary(name: "CJPEG", pkgConfig: "libjpeg", providers: [.apt(["libjpeg62-turbo-dev"])]),
        .systemLibrary(name: "CPNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev"])]),
        .target(name: "CPictures", dependencies: ["CJPEG", "CPNG"]),
        .systemLibrary(name: "CDBus", pkgConfig: "dbus-1", providers: [.apt(["libdbus-1-dev"])]),
        .target(name: "Photos", swiftSettings: coreSettings),
        .target(name: "PhotoRendering", dependencies: ["CPictures", "Photos"], swiftSettings: coreSettings),
        .target(name: "ReplicatedTypes", swiftSettings: coreSettings),
        .target(name: "Membership", dependencies: ["ReplicatedTypes"], swiftSettings: coreSettings),
        .target(name: "Cryptography", dependencies: ["CSodium"], swiftSettings: coreSettings),
        .target(name: "Time", swiftSettings: coreSettings),
        // Why something was refused: what a node says, and those who ask it.
        .target(name: "ErrorCodes", swiftSettings: coreSettings),
        // What was measured on a host, and what that means.
        .target(name: "Diagnosis", swiftSettings: settings),
        .target(name: "OperationLog", dependencies: ["Cryptography", "Time"], swiftSettings: coreSettings),
        .target(name: "Blobs", dependencies: ["OperationLog", "Time"], swiftSettings: coreSettings),
        // What a node needs of a disk, and what it keeps there.
        .target(
            name: "Storage", dependencies: ["Blobs", "Cryptography", "OperationLog", "Time"],
            swiftSettings: coreSettings),
        .target(
            name: "Conversations",
            dependencies: ["Blobs", "Membership", "OperationLog", "ReplicatedTypes", "Storage", "Time"],
            swiftSettings: coreSettings),
        .target(name: "Replication", dependencies: ["Blobs", "OperationLog", "Time"], swiftSettings: coreSettings),
        .target(
            name: "NodeCore", dependencies: ["Conversations", "ErrorCodes", "Replication", "Storage", "Time"],
            swiftSettings: coreSettings
        ),
        .target(
            name: "Simulation",
            dependencies: [
                "Conversations", "Cryptography", "Membership", "NodeCore", "OperationLog", "Replication", "Storage",
                "Time",
            ],
            swiftSettings: coreSettings),

        // Thin shells.
        .target(name: "MembershipScenarios", dependencies: ["Membership"], swiftSettings: settings),
        .target(
            name: "SQLiteStore",
            dependencies: ["Storage", "Time", .product(name: "GRDB", package: "GRDB.swift")],
            swiftSettings: settings),
        .target(name: "StreamTransport", dependencies: ["CEpoll", "Replication", "Time"], swiftSettings: settings),
        .target(name: "PhotoWorkers", dependencies: ["CProcess", "Photos"], swiftSettings: settings),
        .target(name: "KeyStore", dependencies: ["NodeCore"], swiftSettings: settings),
        .target(name: "Supervision", swiftSettings: settings),
        .target(name: "BlobStore", dependencies: ["Storage"], swiftSettings: settings),
        // What the local API says, for whoever asks and whoever answers.
        .target(name: "LocalAPIModel", dependencies: ["ErrorCodes"], swiftSettings: settings),
        .target(
            name: "LocalAPIClient",
            dependencies: [
                "LocalAPIModel",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: settings),
        .target(
            name: "Node",
            dependencies: [
                "BlobStore", "KeyStore", "LocalAPIModel", "NodeCore", "PhotoWorkers", "Photos", "SQLiteStore",
                "Storage", "StreamTransport", "Time",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings),
        // `openapi.json`, put into the program: it is copied about as one file.
        .target(name: "COpenAPI", exclude: ["openapi.json"]),
        // The page for browsers, put into the program as well.
        .target(name: "CPage", exclude: ["assets"]),
        .target(name: "QRCodes", dependencies: ["CQRencode"], swiftSettings: settings),
        // The library is C++: what Swift sees of it is C.
        .target(
            name: "CTOML", cxxSettings: [.define("TOML_HEADER_ONLY", to: "0"), .define("TOML_SHARED_LIB", to: "1")],
            linkerSettings: [.linkedLibrary("tomlplusplus")]),
        .target(name: "TOMLFiles", dependencies: ["CTOML"], swiftSettings: settings),
        .target(
            name: "LocalAPIServer",
            dependencies: [
                "BlobStore", "Blobs", "COpenAPI", "CPage", "Conversations", "Cryptography", "KeyStore",
                "LocalAPIClient", "LocalAPIModel", "Membership", "MembershipScenarios", "Node", "NodeCore", "Photos",
                "QRCodes", "Storage", "StreamTransport", "Time",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: settings),

        .target(
            name: "DesktopNotifications",
            dependencies: ["CDBus", "LocalAPIModel", "Node", .product(name: "Logging", package: "swift-log")],
            swiftSettings: settings),

        // Programs.
        .executableTarget(
            name: "moot",
            dependencies: [
                "CProcess", "Conversations", "DesktopNotifications", "Diagnosis", "KeyStore", "LocalAPIClient",
                "LocalAPIModel", "LocalAPIServer", "MembershipScenarios", "Node", "QRCodes", "StreamTransport",
                "Supervision", "TOMLFiles", "Time",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
            swiftSettings: settings),

        .executableTarget(
            name: "moot-photo", dependencies: ["CProcess", "PhotoRendering", "Photos"], swiftSettings: settings),

        .executableTarget(
            name: "moot-bench",
            dependencies: [
                "BlobStore", "Blobs", "CPictures", "CProcess", "Conversations", "Cryptography", "KeyStore",
                "LocalAPIClient", "LocalAPIModel", "LocalAPIServer", "Membership", "MembershipScenarios", "Node",
                "OperationLog", "PhotoWorkers", "Photos", "ReplicatedTypes", "SQLiteStore", "Storage", "Time",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings),

        .executableTarget(
            name: "moot-sim",
            dependencies: ["Simulation", .product(name: "ArgumentParser", package: "swift-argument-parser")],
            swiftSettings: settings),

        // Tests.
        .target(name: "Waiting", path: "Tests/Waiting", swiftSettings: settings),
        .target(
            name: "CryptographyFixtures", path: "Tests/CryptographyFixtures", swiftSettings: settings),
        .target(
            name: "OperationLogFixtures", dependencies: ["Cryptography", "OperationLog", "Time"],
            path: "Tests/OperationLogFixtures", swiftSettings: settings),
        .testTarget(name: "ArchitectureTests", swiftSettings: settings),
        .testTarget(
            name: "ReplicatedTypesTests", dependencies: ["OperationLogFixtures", "ReplicatedTypes"],
            swiftSettings: settings),
        .testTarget(
            name: "MembershipTests", dependencies: ["Membership", "OperationLogFixtures", "ReplicatedTypes"],
            swiftSettings: settings),
        .testTarget(
            name: "CryptographyTests", dependencies: ["Cryptography", "CryptographyFixtures"], swiftSettings: settings),
        .testTarget(
            name: "OperationLogTests", dependencies: ["Cryptography", "OperationLog", "OperationLogFixtures", "Time"],
            swiftSettings: settings),
        .testTarget(
            name: "BlobsTests",
            dependencies: [
                "Blobs", "Cryptography", "CryptographyFixtures", "OperationLog", "OperationLogFixtures", "Time",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "ConversationsTests",
            dependencies: [
                "Blobs", "Conversations", "Cryptography", "CryptographyFixtures", "Membership", "OperationLog",
                "OperationLogFixtures", "Storage", "Time",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "ReplicationTests",
            dependencies: [
                "Cryptography", "CryptographyFixtures", "OperationLog", "OperationLogFixtures", "Replication",
                "Time",
            ],
            swiftSettings: settings),
        .target(
            name: "PhotoFixtures", dependencies: ["CPictures", "PhotoRendering", "Photos"], path: "Tests/PhotoFixtures",
            swiftSettings: settings),
        .testTarget(
            name: "PhotosTests", dependencies: ["OperationLogFixtures", "PhotoFixtures", "PhotoRendering", "Photos"],
            swiftSettings: settings),
        .testTarget(
            name: "PhotoRenderingTests",
            dependencies: ["OperationLogFixtures", "PhotoFixtures", "PhotoRendering", "Photos"],
            swiftSettings: settings),
        .testTarget(
            name: "PhotoWorkersTests",
            dependencies: ["PhotoFixtures", "PhotoRendering", "PhotoWorkers", "Photos", "moot-photo"],
            swiftSettings: settings),
        .testTarget(
            name: "MembershipScenariosTests",
            dependencies: ["Membership", "MembershipScenarios", "OperationLogFixtures"], swiftSettings: settings),
        .testTarget(
            name: "NodeCoreTests",
            dependencies: [
                "Blobs", "Conversations", "Cryptography", "CryptographyFixtures", "NodeCore", "OperationLog",
                "OperationLogFixtures", "Replication", "Simulation", "Storage", "Time",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "SimulationTests",
            dependencies: [
                "Blobs", "Conversations", "Cryptography", "Membership", "MembershipScenarios", "NodeCore",
                "OperationLog", "OperationLogFixtures", "Replication", "Simulation", "Storage", "Time", "moot-sim",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "SQLiteStoreTests",
            dependencies: [
                "Conversations", "Cryptography", "OperationLog", "OperationLogFixtures", "SQLiteStore", "Storage",
                "Time",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "StreamTransportTests",
            dependencies: [
                "Cryptography", "CryptographyFixtures", "OperationLog", "Replication", "StreamTransport", "Time",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "KeyStoreTests",
            dependencies: ["Cryptography", "CryptographyFixtures", "KeyStore", "NodeCore", "OperationLog"],
            swiftSettings: settings),
        .testTarget(name: "DiagnosisTests", dependencies: ["Diagnosis"], swiftSettings: settings),
        .target(name: "SupervisionFixtures", path: "Tests/SupervisionFixtures", swiftSettings: settings),
        .testTarget(
            name: "SupervisionTests", dependencies: ["Supervision", "SupervisionFixtures"], swiftSettings: settings),
        .testTarget(
            name: "BlobStoreTests", dependencies: ["BlobStore", "Blobs", "Conversations", "Cryptography", "Storage"],
            swiftSettings: settings),
        .testTarget(
            name: "NodeTests",
            dependencies: [
                "BlobStore", "Blobs", "Conversations", "Cryptography", "KeyStore", "LocalAPIModel", "Node",
                "NodeCore", "OperationLog", "Replication", "SQLiteStore", "StreamTransport", "Time", "Waiting",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "DesktopNotificationsTests",
            dependencies: [
                "CDBus", "DesktopNotifications", "LocalAPIModel", "Node", "Waiting",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "LocalAPITests",
            dependencies: [
                "Cryptography", "KeyStore", "LocalAPIClient", "LocalAPIModel", "LocalAPIServer", "Node",
                "PhotoFixtures", "Photos", "QRCodes", "TOMLFiles", "Waiting", "moot", "moot-photo",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "SystemTests",
            dependencies: [
                "Conversations", "Cryptography", "KeyStore", "OperationLog", "PhotoFixtures", "Photos", "SQLiteStore",
                "SupervisionFixtures", "Waiting", "moot", "moot-photo",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            path: "Tests/System", swiftSettings: settings),

        // Every decoder with its promises: the unit tests hold them to the corpus, `scripts/fuzz` to anything.
        .target(
            name: "Fuzzing",
            dependencies: [
                "Blobs", "Conversations", "Cryptography", "MembershipScenarios", "OperationLog",
                "OperationLogFixtures", "PhotoFixtures", "PhotoRendering", "Photos", "Replication", "Storage",
                "StreamTransport", "Time",
            ],
            path: "Tests/Fuzzing", swiftSettings: settings),
        .testTarget(name: "FuzzingTests", dependencies: ["Fuzzing"], swiftSettings: settings),
    ]
)

// Without a `main` of its own it links with libFuzzer only, so no other build may see it.
if Context.environment["MOOT_FUZZ"] != nil {
    package.targets.append(
        .executableTarget(
            name: "moot-fuzz", dependencies: ["Fuzzing"], path: "Tests/moot-fuzz",
            swiftSettings: settings + [.unsafeFlags(["-parse-as-library"])]))
}
