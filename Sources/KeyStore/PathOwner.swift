import Foundation
import Glibc

/// Who owns what a path leads through.
package enum PathOwner {
    /// Links that are followed at most, as by the kernel.
    private static let maximumLinks = 40

    /// The first other user who owns a folder, a link or a file on a path, and so could lead root elsewhere; nil for nobody.
    ///
    /// Anybody but root is stopped by the permissions of the file system, so for them it is nil.
    ///
    /// - Parameter user: who would use the path.
    package static func redirecting(_ path: String, for user: uid_t = geteuid()) -> uid_t? {
        guard user == 0 else { return nil }
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
            guard lstat(reached + "/" + part, &place) == 0 else { return nil }
            guard place.st_uid == 0 else { return place.st_uid }
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
        return nil
    }
}
