import KeyStore
import LocalAPIModel

/// Where root writes for itself.
enum RootPath {
    /// Refuses a path on which another user could lead root elsewhere.
    static func check(_ path: String) throws(Failure) {
        guard PathOwner.redirecting(path) == nil else {
            throw Failure(
                .permissionDenied, "Another user decides what is at \(path)", hint: "Save into a folder of your own.")
        }
    }
}
