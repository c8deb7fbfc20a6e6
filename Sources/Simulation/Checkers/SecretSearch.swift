/// Looks for secrets in bytes: in everything that is sent and stored, so it looks at few of them.
///
/// It looks at every 16th place only. Wherever a secret of 32 bytes begins, one of these places is among its first 16.
/// So four bytes from each of these are remembered, and what follows and precedes them is compared where they are
/// found.
struct SecretSearch {
    /// How far apart the places are.
    private static let stride = 16
    /// Bytes that are looked at in each place.
    private static let width = 4
    private static let slots = 1 << 18

    /// Whether some part of a secret falls into a slot.
    private var isLikely = [Bool](repeating: false, count: Self.slots)
    /// The secrets with a part, and where it is in them.
    private var parts: [UInt32: [(secret: [UInt8], offset: Int)]] = [:]

    /// Looks for some secrets.
    ///
    /// - Precondition: each has 19 bytes or more.
    init(_ secrets: [[UInt8]]) {
        for secret in secrets {
            precondition(secret.count >= Self.stride + Self.width - 1, "a shorter secret could lie between two places")
            for offset in 0..<Self.stride {
                let part = secret[offset..<(offset + Self.width)].reduce(0) { $0 << 8 | UInt32($1) }
                isLikely[Self.slot(of: part)] = true
                parts[part, default: []].append((secret, offset))
            }
        }
    }

    private static func slot(of part: UInt32) -> Int { Int((part &* 0x9E37_79B1) >> 14) }

    /// Whether a secret is anywhere in the bytes.
    func isIn(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBufferPointer { bytes in
            isLikely.withUnsafeBufferPointer { isLikely in
                var place = 0
                while place + Self.width <= bytes.count {
                    let part =
                        UInt32(bytes[place]) << 24 | UInt32(bytes[place + 1]) << 16 | UInt32(bytes[place + 2]) << 8
                        | UInt32(bytes[place + 3])
                    if isLikely[Self.slot(of: part)], isAround(place, part, in: bytes) { return true }
                    place += Self.stride
                }
                return false
            }
        }
    }

    /// Whether one of the secrets with a part lies around it.
    private func isAround(_ place: Int, _ part: UInt32, in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        parts[part]?.contains { secret, offset in
            let start = place - offset
            return start >= 0 && start + secret.count <= bytes.count
                && bytes[start..<(start + secret.count)].elementsEqual(secret)
        } ?? false
    }
}
