// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "duelling-admins",
    dependencies: [.package(name: "moot", path: "../..")],
    targets: [
        .executableTarget(
            name: "duelling-admins", dependencies: [.product(name: "Membership", package: "moot")],
            swiftSettings: [.swiftLanguageMode(.v6)])
    ]
)
