import Foundation
import Glibc
import NodeCore

/// A file system whose files are on another host, where no home can be.
///
/// Two hosts could open such a home at a time: a lock is not sure to keep the second one out. And the database shares
/// memory between connections by a file, which works on one host alone (sqlite.org/wal.html).
package struct NetworkFileSystem: Equatable {
    /// What the kernel calls it, as `nfs4`.
    package let type: String

    /// Those that Linux has for files of other hosts. What `fuse` serves may be anything, and is often a disk of this
    /// host.
    private static let types: Set<String> = [
        "9p", "afs", "ceph", "cifs", "coda", "fuse.sshfs", "gfs2", "glusterfs", "fuse.glusterfs", "lustre", "ncpfs",
        "nfs", "nfs4",
        "ocfs2", "smb3", "smbfs",
    ]

    /// The one that a folder is on; nil for every other file system.
    package init?(of folder: String) {
        var status = stat()
        guard stat(folder, &status) == 0, let mounts = FileManager.default.contents(atPath: "/proc/self/mountinfo")
        else {
            return nil
        }
        self.init(device: UInt64(status.st_dev), in: String(decoding: mounts, as: UTF8.self))
    }

    /// The one that a device number stands for in a table of mounts, as proc_pid_mountinfo(5) describes it.
    init?(device: UInt64, in mounts: String) {
        let major = device >> 8 & 0xFFF | device >> 32 & ~0xFFF
        let minor = device & 0xFF | device >> 12 & ~0xFF
        for line in mounts.split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count > 3, words[2] == "\(major):\(minor)", let end = words.firstIndex(of: "-"),
                let type = words.dropFirst(end + 1).first, Self.types.contains(String(type))
            else { continue }
            self.type = String(type)
            return
        }
        return nil
    }

    /// Why a home cannot be there.
    func refusal(of folder: String) -> NodeError {
        NodeError(
            .badConfiguration,
            "The folder \(folder) is on a network file system (\(type)), where a second host could open it at the same time",
            hint: "Choose a folder on a disk of this host with --home or MOOT_HOME.")
    }
}
