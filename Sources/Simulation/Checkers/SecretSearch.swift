/// Looks for secrets in bytes.
struct SecretSearch {
    /// Whether some secret begins with these two bytes.
    private var beginnings = [Bool](repeating: false, count: 1 << 16)
    private var secrets: [UInt16: [[UInt8]]] = [:]

    init(_ secrets: [[UInt8]]) {
        for secret in secrets where secret.count > 2 {
            let beginning = UInt16(secret[0]) << 8 | UInt16(secret[1])
            beginnings[Int(beginning)] = true
            self.secrets[beginning, default: []].append(secret)
        }
    }

    /// Whether a secret is anywhere in the bytes.
    func isIn(_ bytes: [UInt8]) -> Bool {
        guard bytes.count > 2 else { return false }
        var beginning = UInt16(bytes[0])
        for place in 1..<bytes.count {
            beginning = beginning << 8 | UInt16(bytes[place])
            guard beginnings[Int(beginning)] else { continue }
            if secrets[beginning]?.contains(where: { bytes[(place - 1)...].starts(with: $0) }) == true { return true }
        }
        return false
    }
}
