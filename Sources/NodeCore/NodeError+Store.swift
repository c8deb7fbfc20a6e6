import Conversations
import Storage

extension NodeError {
    /// A failure of the database in the words of the interface.
    public init(_ error: StoreError) {
        let code: Code =
            switch error {
            case .diskFull: .diskFull
            case .quotaReached: .quotaReached
            case .ioError: .storageFailed
            case .corrupted, .beforeRelease: .damagedHome
            case .inUse: .homeInUse
            case .newerVersion: .newerDatabase
            case .permissionDenied: .permissionDenied
            }
        self.init(code, error.description, hint: error.hint)
    }
}
