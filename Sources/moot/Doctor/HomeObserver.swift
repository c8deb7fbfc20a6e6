import Diagnosis
import Foundation
import Glibc
import KeyStore

/// Looks at the folder of a node and the disk under it.
enum HomeObserver {
    /// Writes that are timed; the one in the middle counts.
    private static let flushes = 3

    /// Looks at a folder, or at the nearest one above it that is there.
    static func observe(_ home: String) -> HomeObservation? {
        var place = stat()
        let isThere = stat(home, &place) == 0
        let folder = isThere ? home : existing(above: home)
        var disk = statvfs()
        guard statvfs(folder, &disk) == 0 else { return nil }
        let isReadOnly = disk.f_flag & UInt(ST_RDONLY) != 0
        return HomeObservation(
            folder: home, freeBytes: UInt64(disk.f_bavail) * UInt64(disk.f_frsize),
            freeInodes: disk.f_files == 0 ? nil : UInt64(disk.f_favail), isReadOnly: isReadOnly,
            permissions: isThere ? place.st_mode & 0o7777 : nil, isOwn: isThere && place.st_uid == geteuid(),
            flushMilliseconds: isReadOnly ? nil : flushMilliseconds(in: home),
            networkFileSystem: NetworkFileSystem(of: folder)?.type)
    }

    private static func existing(above folder: String) -> String {
        var folder = folder
        while let slash = folder.lastIndex(of: "/"), slash > folder.startIndex {
            folder = String(folder[..<slash])
            if access(folder, F_OK) == 0 { return folder }
        }
        return "/"
    }

    /// How long it takes until what is written is on the disk; nil where that cannot be tried, or another user decides
    /// what is there.
    private static func flushMilliseconds(in home: String) -> Double? {
        let folder = open(home, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { return nil }
        defer { close(folder) }
        guard PathOwner.redirecting(home) == nil, PathOwner.isOwn(folder) else { return nil }
        let name = "doctor-\(getpid()).tmp"
        let file = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { return nil }
        defer {
            close(file)
            unlinkat(folder, name, 0)
        }
        let page = [UInt8](repeating: 0x6D, count: 4_096)
        var times: [Double] = []
        for _ in 0..<flushes {
            let start = ContinuousClock.now
            guard write(file, page, page.count) == page.count, fsync(file) == 0 else { return nil }
            times.append(start.duration(to: .now) / .milliseconds(1))
        }
        return times.sorted()[flushes / 2]
    }
}
