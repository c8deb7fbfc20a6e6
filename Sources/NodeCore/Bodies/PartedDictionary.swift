import Cryptography
import OperationLog

/// A key that says in which part of a dictionary it is.
protocol PartedKey: Hashable {
    /// One of 256 parts, which are about equally full.
    var part: UInt8 { get }
}

extension OperationID: PartedKey {
    var part: UInt8 { digest.withUnsafeBytes { $0[Digest.byteCount - 1] } }
}

/// A dictionary in parts: a copy that is changed copies one of them.
struct PartedDictionary<Key: PartedKey, Value> {
    private var parts: [[Key: Value]] = []
    private(set) var count = 0

    /// All keys, in no order.
    var keys: some Sequence<Key> { parts.lazy.flatMap(\.keys) }

    /// The value of a key.
    subscript(key: Key) -> Value? {
        get { parts.isEmpty ? nil : parts[Int(key.part)][key] }
        set {
            if parts.isEmpty { parts = Array(repeating: [:], count: Int(UInt8.max) + 1) }
            let part = Int(key.part)
            count -= parts[part].count
            parts[part][key] = newValue
            count += parts[part].count
        }
    }

    /// The value of a key, or another where it has none.
    subscript(key: Key, default value: @autoclosure () -> Value) -> Value {
        get { self[key] ?? value() }
        set { self[key] = newValue }
    }

}
