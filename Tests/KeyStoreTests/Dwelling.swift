import Cryptography
import Foundation
import NodeCore
import OperationLog
import Testing

@testable import KeyStore

/// Alice's home and its files, without a node in it.
struct Dwelling {
    private let scratch: Scratch
    let path: String

    static let secretNames = ["root", "device", "channel"]

    init(at path: String? = nil) throws {
        scratch = try Scratch()
        self.path = path ?? scratch.path + "/home"
    }

    /// Opens it as a start of the node would, and returns who lives there and under which key.
    @discardableResult
    func open(_ passphrase: Passphrase? = nil) throws(NodeError) -> Resident {
        var random = SystemRandom()
        let home = try Home(folder: path, passphrase: passphrase, cost: .least, random: &random)
        try home.markInUse()
        return Resident(
            root: home.keys.root?.verifyingKey, device: home.keys.author.device.key,
            channel: home.keys.channelKey.publicKey, sealing: home.sealing.withUnsafeBytes { Array($0) })
    }

    /// Who the keys of a home say that it is.
    struct Resident: Equatable {
        let root: VerifyingKey?
        let device: VerifyingKey
        let channel: [UInt8]
        let sealing: [UInt8]
    }

    /// Sets a passphrase or changes it.
    func set(_ passphrase: Passphrase, current: Passphrase? = nil) throws(NodeError) {
        try StoppedHome(path).setPassphrase(passphrase, current: current, cost: .least)
    }

    // MARK: - Files

    /// The names of the files next to the secrets that say what guards them, and of those that should not be there.
    var otherFiles: Set<String> {
        get throws {
            Set(try FileManager.default.contentsOfDirectory(atPath: path + "/keys"))
                .subtracting(Self.secretNames.map { $0 + ".sealed" }).subtracting(["used"])
        }
    }

    /// Every file of the keys with its bytes.
    var files: [String: [UInt8]] {
        get throws {
            let names = try FileManager.default.contentsOfDirectory(atPath: path + "/keys")
            return try Dictionary(uniqueKeysWithValues: names.map { ($0, try read($0)) })
        }
    }

    func read(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: "\(path)/keys/\(name)")))
    }

    func write(_ bytes: [UInt8], to name: String) throws {
        try Data(bytes).write(to: URL(filePath: "\(path)/keys/\(name)"))
    }

    func remove(_ name: String) throws {
        try FileManager.default.removeItem(atPath: "\(path)/keys/\(name)")
    }

    /// Whether bytes stand anywhere in any file.
    func contains(_ bytes: [UInt8]) throws -> Bool {
        try files.values.contains { Data($0).range(of: Data(bytes)) != nil }
    }

    /// Expects that a start is refused with a code, in words that name a file, and that no file is changed by it.
    func expectRefusal(
        _ code: NodeError.Code, naming name: String? = nil, _ passphrase: Passphrase? = nil, about: String = "",
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let before = try files
        let error = #expect(throws: NodeError.self, "\(about)", sourceLocation: sourceLocation) {
            try open(passphrase)
        }
        #expect(error?.code == code, "\(about)", sourceLocation: sourceLocation)
        if let name {
            #expect(error?.message.contains("/keys/\(name) ") == true, "\(about)", sourceLocation: sourceLocation)
        }
        #expect(try files == before, "\(about)", sourceLocation: sourceLocation)
    }
}
