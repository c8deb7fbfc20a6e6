import Glibc
import KeyStore
import LocalAPIModel

/// Where a user writes for themselves.
enum OwnPath {
    /// Refuses a path if another user can change what it leads to.
    static func require(_ path: String, hint: String = "Save into a folder of your own.") throws(Failure) {
        guard PathOwner.redirecting(path) == nil else {
            throw Failure(.permissionDenied, "Another user decides what is at \(path)", hint: hint)
        }
    }

    /// Refuses such a path to root only: other users may save files into a folder that they share.
    static func requireOfRoot(_ path: String) throws(Failure) {
        if geteuid() == 0 { try require(path) }
    }
}
