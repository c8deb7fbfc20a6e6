import Cryptography

/// The name of a file in a backup, which is its path below the folder of the node.
///
/// Only names that a backup of a home has can be made: whoever restores one writes nowhere else.
struct BackupEntry: Hashable {
    let name: String

    /// Bytes of a name at most.
    static let maximumNameByteCount = 100
    /// What the backup is of, as JSON, in front of all files.
    static let contents = BackupEntry(checked: "contents.json")
    /// The database of a home.
    static let database = BackupEntry(checked: "replica.sqlite")
    /// What a node that did not end cleanly had not moved to the database.
    static let databaseLog = BackupEntry(checked: "replica.sqlite-wal")

    private init(checked name: String) { self.name = name }

    /// Takes over a name; nil if no file of a home is called so.
    init?(_ name: String) {
        self.name = name
        guard self != .contents, self != .database, self != .databaseLog else { return }
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, name.utf8.count <= Self.maximumNameByteCount else { return nil }
        switch parts[0] {
        case "keys":
            guard !parts[1].isEmpty, parts[1].utf8.allSatisfy(Self.isOfKey), !parts[1].hasPrefix("."),
                !parts[1].hasSuffix(".new")
            else { return nil }
        case "blobs":
            let root = parts[1].prefix(2 * Digest.byteCount)
            guard Digest(hexadecimal: root) != nil, ["", ".cancelled"].contains(parts[1].dropFirst(root.count))
            else { return nil }
        default: return nil
        }
    }

    /// Whether it is a file that somebody sent.
    var isOfConversation: Bool { name.hasPrefix("blobs/") }

    /// Whether it is a key of the device that was backed up, or says what that device was about to do.
    var isOfDevice: Bool {
        ["device.sealed", "channel.sealed", "device", "channel", "linking", Home.newDeviceName]
            .contains { name == "keys/\($0)" }
    }

    private static func isOfKey(_ letter: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(letter)
            || [UInt8(ascii: "."), UInt8(ascii: "-")].contains(letter)
    }
}
