/// Whether an operation counts.
public enum Verdict<ID: Hashable & Sendable>: Hashable, Sendable {
    /// It counts.
    case effective
    /// It does not count, and why.
    indirect case void(VoidReason<ID>)

    /// Why it does not count; nil if it does.
    public var voidReason: VoidReason<ID>? {
        switch self {
        case .effective: nil
        case .void(let voidReason): voidReason
        }
    }
}
