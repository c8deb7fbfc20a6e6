import Glibc
import KeyStore
import LocalAPIModel

/// Where a user writes for themselves.
enum OwnPath {
    /// Refuses a path on which another user could lead whoever writes there elsewhere.
    static func require(_ path: String, hint: String = "Save into a folder of your own.") throws(Failure) {
        guard PathOwner.redirecting(path) == nil else {
            throw Failure(.permissionDenied, "Another user decides what is at \(path)", hint: hint)
        }
    }

    /// Refuses such a path to root, who may write anywhere. What somebody else saves may go into a folder that they share.
    static func requireOfRoot(_ path: String) throws(Failure) {
        if geteuid() == 0 { try require(path) }
    }
}
