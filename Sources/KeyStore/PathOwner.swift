import Foundation
import Glibc

/// Who decides what a path leads to.
package enum PathOwner {
    /// Who else can change what a path leads to.
    package enum Other: Hashable, Sendable {
        /// Another user, who owns a folder, a link or a file on the path.
        case owner(uid_t)
        /// The users who may write to a folder on the path, and can rename what is in it, or to the file to which it
        /// leads.
        case writer(place: String)
    }

    /// Links that are followed at most, as by the kernel.
    private static let maximumLinks = 40

    /// The first on a path who can change what it leads to, besides the user and root; nil if there is none, now or
    /// later.
    ///
    /// In a folder with the sticky bit only the owner of a file can rename it.
    ///
    /// - Parameter user: who would use the path.
    package static func redirecting(_ path: String, for user: uid_t = geteuid()) -> Other? {
        var place = stat()
        let whole = path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
        var (reached, links) = ("", 0)
        var left = Array(whole.split(separator: "/").map(String.init).reversed())
        while let part = left.popLast() {
            if part == "." { continue }
            if part == ".." {
                reached = reached.split(separator: "/").dropLast().map { "/" + $0 }.joined()
                continue
            }
            let folder = reached.isEmpty ? "/" : reached
            if stat(folder, &place) == 0, mayBeWritten(place, byOthersThan: user) { return .writer(place: folder) }
            guard lstat(reached + "/" + part, &place) == 0 else { return nil }
            guard isTrusted(place.st_uid, by: user) else { return .owner(place.st_uid) }
            guard place.st_mode & S_IFMT == S_IFLNK else {
                reached += "/" + part
                continue
            }
            links += 1
            guard links <= maximumLinks,
                let target = try? FileManager.default.destinationOfSymbolicLink(atPath: reached + "/" + part)
            else { return nil }
            if target.hasPrefix("/") { reached = "" }
            left += target.split(separator: "/").map(String.init).reversed()
        }
        // What is in a folder is another question.
        let isFile = stat(reached, &place) == 0 && place.st_mode & S_IFMT == S_IFREG
        return isFile && mayBeWritten(place, byOthersThan: user) ? .writer(place: reached) : nil
    }

    /// Whether only a user and root decide what is in an opened file or folder.
    package static func isOwn(_ opened: Int32, of user: uid_t = geteuid()) -> Bool {
        var place = stat()
        return fstat(opened, &place) == 0 && isTrusted(place.st_uid, by: user)
            && !mayBeWritten(place, byOthersThan: user)
    }

    /// Whether others than a user rename what is in a folder, or write to a file.
    private static func mayBeWritten(_ place: stat, byOthersThan user: uid_t) -> Bool {
        guard place.st_mode & S_ISVTX == 0 else { return false }
        if place.st_mode & S_IWOTH != 0 { return true }
        return place.st_mode & S_IWGRP != 0 && place.st_gid != 0 && !isAlone(user, in: place.st_gid)
    }

    /// Whether a group is a user's own, as on systems where each user has one of their name.
    private static func isAlone(_ user: uid_t, in number: gid_t) -> Bool {
        var (account, entry) = (passwd(), group())
        var (foundAccount, foundEntry): (UnsafeMutablePointer<passwd>?, UnsafeMutablePointer<group>?) = (nil, nil)
        var (names, members) = ([CChar](repeating: 0, count: 16_384), [CChar](repeating: 0, count: 65_536))
        guard getpwuid_r(user, &account, &names, names.count, &foundAccount) == 0, foundAccount != nil,
            getgrgid_r(number, &entry, &members, members.count, &foundEntry) == 0, foundEntry != nil,
            account.pw_gid == number, strcmp(account.pw_name, entry.gr_name) == 0
        else { return false }
        var next = entry.gr_mem
        while let member = next?.pointee {
            guard strcmp(member, account.pw_name) == 0 else { return false }
            next = next?.successor()
        }
        return true
    }

    /// Whether an owner is the user or root. In a user namespace what belongs to root may show as nobody's.
    package static func isTrusted(_ owner: uid_t, by user: uid_t) -> Bool {
        owner == user || owner == 0 || user != 0 && owner == overflowUser && isInUserNamespace
    }

    private static let overflowUser: uid_t = 65_534
    private static let isInUserNamespace =
        (try? String(contentsOfFile: "/proc/self/uid_map", encoding: .utf8))
        .map { !$0.contains("\(uid_t.max)") } ?? false
}
