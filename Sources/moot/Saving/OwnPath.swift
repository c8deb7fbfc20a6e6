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

    /// Why a path is not used on which a link is another user's.
    static func foreignLink(_ link: String, on path: String, hint: String) -> Failure {
        Failure(.permissionDenied, "Another user has put the link \"\(link)\" of \(path) there", hint: hint)
    }

    /// Refuses such a path to root only: other users may save files into a folder that they share.
    static func requireOfRoot(_ path: String) throws(Failure) {
        if geteuid() == 0 { try require(path) }
    }
}
