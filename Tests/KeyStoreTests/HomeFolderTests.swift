import Foundation
import NodeCore
import Testing

@testable import KeyStore

@Suite("The folder of a home")
struct HomeFolderTests {
    @Test func `is made with all that is above it, for its owner alone`() throws {
        let scratch = try Scratch()
        let path = scratch.path + "/a/b/home"
        try Home.makeFolder(path)
        try Home.makeFolder(path)
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o700)
    }

    @Test func `that is no folder, or below none, is refused`() throws {
        let scratch = try Scratch()
        try Data().write(to: URL(filePath: scratch.path + "/file"))
        for path in ["/file/home", "/proc/home"] {
            let error = #expect(throws: NodeError.self) {
                try Home.makeFolder(path.hasPrefix("/proc") ? path : scratch.path + path)
            }
            #expect(error?.code == .permissionDenied, "\(path)")
        }
    }

    /// A table of mounts with a disk, a file server and what a desktop has.
    private static let mounts = """
        22 1 254:1 / / rw,relatime shared:1 - ext4 /dev/vda1 rw
        23 22 0:5 / /dev rw,nosuid - devtmpfs udev rw
        40 22 0:52 / /home rw,relatime shared:9 master:2 - nfs4 server:/home rw,vers=4.2
        41 22 0:300 / /mnt rw - cifs //server/share rw
        42 22 0:60 / /media rw - fuse.gocryptfs /crypt rw
        43 22 0:61 garbage
        44
        """

    /// Device numbers as the kernel makes them of the first two: 0:52, 0:300, 254:1, 0:60, 0:61, 0:5 and 0:7.
    private static let devices: [(UInt64, String?)] = [
        (52, "nfs4"), (0x10_002C, "cifs"), (0xFE01, nil), (60, nil), (61, nil), (5, nil), (7, nil),
    ]

    @Test(arguments: devices)
    func `is on a file system of another host only where the kernel says so`(device: UInt64, type: String?) throws {
        let system = NetworkFileSystem(device: device, in: Self.mounts)
        #expect(system?.type == type)
        guard let error = system?.refusal(of: "/home/alice/.local/share/moot") else { return }
        #expect(
            error.code == .badConfiguration && error.message.contains("(\(system?.type ?? ""))"), "\(error.message)")
        #expect(error.hint?.contains("--home") == true)
    }

    @Test func `is accepted on the file systems of this host`() throws {
        let scratch = try Scratch()
        #expect(NetworkFileSystem(of: scratch.path) == nil)
        #expect(NetworkFileSystem(of: "/proc") == nil)
        #expect(NetworkFileSystem(of: "/nowhere") == nil)
    }

    @Test(arguments: [
        (EROFS, NodeError.Code.permissionDenied, "read-only"), (ENOSPC, .diskFull, "No space"),
        (EPERM, .permissionDenied, "somebody else"), (ENOTDIR, .permissionDenied, "Not a directory"),
    ])
    func `is refused with the reason`(reason: Int32, code: NodeError.Code, word: String) {
        let error = Home.refusal(of: "/home", because: reason, otherwise: "It belongs to somebody else")
        #expect(error.code == code && error.message.contains(word) && error.hint != nil, "\(error.message)")
    }
}
