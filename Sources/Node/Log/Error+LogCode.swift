import NodeCore
import Storage

extension Error {
    /// What the log says of an error of which nothing else is known: its code, or its type.
    ///
    /// Never its description: that of an error of another library may quote what somebody wrote.
    package var logCode: String {
        switch self {
        case let error as NodeError: error.code.rawValue
        case let error as StoreError: error.code
        default: "\(type(of: self))"
        }
    }
}
