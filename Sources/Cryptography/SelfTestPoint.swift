/// 32 bytes of which it is settled whether they are a key a device may have, for the self-test at start.
struct SelfTestPoint: Sendable {
    /// What it shows.
    let about: String
    let key: VerifyingKey
    let isValid: Bool

    private init(_ about: String, _ key: StaticString, isValid: Bool) {
        self.about = about
        self.key = VerifyingKey(digest: Digest(constant: key))
        self.isValid = isValid
    }

    /// An honest key, and what libraries have taken for one.
    static let all: [SelfTestPoint] = [
        SelfTestPoint(
            "an honest key", "6ae3ef5b4daebdd16a4adfe13ed84aebcf3098685a43f9ed83b0ad573aa07d33",
            isValid: true),
        SelfTestPoint(
            "the neutral element", "0100000000000000000000000000000000000000000000000000000000000000",
            isValid: false),
        SelfTestPoint(
            "a point of order 8", "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
            isValid: false),
        // Accepted by libsodium until CVE-2025-69277 was mended.
        SelfTestPoint(
            "a point of mixed order, with a part of order 2",
            "9599999999999999999999999999999999999999999999999999999999999999",
            isValid: false),
        SelfTestPoint(
            "a point of mixed order, with a part of order 8",
            "98519eadf35b995233b51b5cd23e9cc5a28b639b5a4af0ec903cb960d81b7819",
            isValid: false),
        SelfTestPoint(
            "a coordinate that is not reduced", "f0ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
            isValid: false),
    ]
}

extension Digest {
    /// Reads a constant of this module.
    init(constant digits: StaticString) {
        guard let digest = Digest(hexadecimal: digits.description) else {
            preconditionFailure("a constant is mistyped")
        }
        self = digest
    }
}
