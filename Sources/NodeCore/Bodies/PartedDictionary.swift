/// A dictionary in parts: a copy that is changed copies one of them.
struct PartedDictionary<Key: Hashable, Value> {
    private static var partCount: Int { 256 }

    private var parts: [[Key: Value]] = []
    private(set) var count = 0

    /// All keys, in no order.
    var keys: some Sequence<Key> { parts.lazy.flatMap(\.keys) }

    /// The value of a key.
    subscript(key: Key) -> Value? {
        get { parts.isEmpty ? nil : parts[Self.part(of: key)][key] }
        set {
            if parts.isEmpty { parts = Array(repeating: [:], count: Self.partCount) }
            let part = Self.part(of: key)
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

    private static func part(of key: Key) -> Int { Int(UInt(bitPattern: key.hashValue) % UInt(partCount)) }
}
