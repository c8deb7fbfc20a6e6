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
            flushMilliseconds: isThere && !isReadOnly ? flushMilliseconds(in: home) : nil,
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

    private static func flushMilliseconds(in folder: String) -> Double? {
        let path = folder + "/doctor-\(getpid()).tmp"
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { return nil }
        defer {
            close(file)
            unlink(path)
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
