import OperationLog
import Storage

/// Whether the body of a stored operation is here; the numbers are in the database.
enum Availability: Int64 {
    /// In the row.
    case here = 0
    /// With the members of another moment; it will never be here.
    case unreadable = 1
    /// With others; it is asked for.
    case wanted = 2
    /// Erased, because somebody deleted it for everybody.
    case deleted = 3
    /// Erased, or never fetched, because bodies are kept here for a time only.
    case expired = 4
    /// With others, as there is no room for it here.
    case declined = 5
    /// Here or with others, and not shown: it is of a device that was revoked. It may be shown again.
    case withheld = 6
}

extension EncryptionCommit {
    func availability(of entry: AdmittedOperation) -> Availability {
        if withheld.contains(entry.operation.id) { return .withheld }
        if entry.operation.body != nil { return .here }
        if declined.contains(entry.operation.id) { return .declined }
        return closed.contains(entry.operation.id) ? .unreadable : .wanted
    }
}
