extension Diagnosis {
    private static let fewBytes: UInt64 = 200 << 20
    private static let fewInodes: UInt64 = 1_000
    /// Half of them would make every message wait visibly.
    private static let slowFlush = 200.0

    /// What is wrong with the folder of the node and the disk under it.
    var homeFindings: [Finding] {
        let home = host.home
        // A disk that takes nothing has room enough.
        let space = home.isReadOnly ? [] : [diskFull(home), inodesLow(home), slowDisk(home)]
        return ([networkFileSystem(home), readOnly(home), permissions(home)] + space).compactMap { $0 }
    }

    private func networkFileSystem(_ home: HomeObservation) -> Finding? {
        guard let type = home.networkFileSystem else { return nil }
        return Finding(
            .networkFileSystem, about: home.folder,
            measured: "The folder \(home.folder) is on a network file system (\(type)).",
            meaning: "A second host could open it at the same time, so no node starts there.",
            remedy: "moot up --home FOLDER on a disk of this host, or MOOT_HOME")
    }

    private func readOnly(_ home: HomeObservation) -> Finding? {
        guard home.isReadOnly else { return nil }
        return Finding(
            .homeReadOnly, about: home.folder, measured: "The disk of \(home.folder) is mounted without write access.",
            meaning: "Nothing new is stored. A disk with errors is often remounted so by the system.",
            remedy: "dmesg | tail; sudo mount -o remount,rw $(findmnt -no TARGET -T \(home.folder))")
    }

    private func permissions(_ home: HomeObservation) -> Finding? {
        guard let mode = home.permissions, home.isOwn, mode & 0o077 != 0 else { return nil }
        return Finding(
            .homePermissions, about: home.folder,
            measured: "Others may look into \(home.folder) (mode \(String(mode & 0o777, radix: 8))).",
            meaning: "Whoever reads the keys there is you to everybody.", remedy: "chmod 700 \(home.folder)")
    }

    private func diskFull(_ home: HomeObservation) -> Finding? {
        guard let bytes = home.freeBytes, bytes < Self.fewBytes else { return nil }
        return Finding(
            .diskFull, about: home.folder, measured: "\(bytes >> 20) MiB are free on the disk of \(home.folder).",
            meaning: "Soon nothing new can be stored.",
            remedy: "df -h \(home.folder); make room, or: moot files CONVERSATION")
    }

    private func inodesLow(_ home: HomeObservation) -> Finding? {
        guard let count = home.freeInodes, count < Self.fewInodes else { return nil }
        return Finding(
            .inodesLow, about: home.folder, measured: "\(count) more files can be made on the disk of \(home.folder).",
            meaning: "Soon no file can be stored, whatever room there is.",
            remedy: "df -i \(home.folder); remove small files")
    }

    private func slowDisk(_ home: HomeObservation) -> Finding? {
        guard let time = home.flushMilliseconds, time >= Self.slowFlush else { return nil }
        return Finding(
            .slowDisk, about: home.folder, measured: "The disk takes \(Int(time)) ms to make a small write last.",
            meaning: "A message counts as sent only once it is on the disk, so everything waits for that.",
            remedy: "moot up --home FOLDER on a faster disk")
    }
}
