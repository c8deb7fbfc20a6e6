/// A signature of which it is settled whether it is valid, for the self-test at start.
///
/// The strange ones were computed by hand from the group's definition (RFC 8032), not with any library's signing
/// function.
struct SelfTestVector: Sendable {
    /// What it shows.
    let about: String
    let key: VerifyingKey
    let message: [UInt8]
    let signature: Signature
    let isValid: Bool

    private init(_ about: String, key: StaticString, message: String, r: StaticString, s: StaticString, isValid: Bool) {
        self.about = about
        self.key = VerifyingKey(digest: Digest(constant: key))
        self.message = Array(message.utf8)
        signature = Signature(Digest(constant: r), Digest(constant: s))
        self.isValid = isValid
    }

    /// Honest signatures, and those on which libraries differ.
    static let all: [SelfTestVector] = [
        SelfTestVector(
            "an honest signature",
            key: "6ae3ef5b4daebdd16a4adfe13ed84aebcf3098685a43f9ed83b0ad573aa07d33", message: "an honest message",
            r: "5a2965659edb8c3071f13c85b4a80532f23bf66a191ce4721b6a5d82db4c87bd",
            s: "af97b5ad046f114ae613e1a64990aad24dc75a200dcfdb58762156f6674b190f", isValid: true),
        SelfTestVector(
            "another message than the signed one",
            key: "6ae3ef5b4daebdd16a4adfe13ed84aebcf3098685a43f9ed83b0ad573aa07d33", message: "another message",
            r: "5a2965659edb8c3071f13c85b4a80532f23bf66a191ce4721b6a5d82db4c87bd",
            s: "af97b5ad046f114ae613e1a64990aad24dc75a200dcfdb58762156f6674b190f", isValid: false),
        SelfTestVector(
            "a scalar that is not reduced",
            key: "6ae3ef5b4daebdd16a4adfe13ed84aebcf3098685a43f9ed83b0ad573aa07d33", message: "an honest message",
            r: "5a2965659edb8c3071f13c85b4a80532f23bf66a191ce4721b6a5d82db4c87bd",
            s: "9c6bab0a1fd223a2bcb0d849288a89e74dc75a200dcfdb58762156f6674b191f", isValid: false),
        SelfTestVector(
            "a key of mixed order whose equation holds as it is",
            key: "a11186e3d1fc0309615bc01bccbb7c430a080693a17c89d516693f41ff587dfb", message: "mixed order 4",
            r: "785bb0262dfb1ab0b420a7a000ac6b1fde14af8e4e340fd8a66d3f5864efe66f",
            s: "82795c9e300a80aea9f5e276e86d998318fcb00297c0c1d4cff9bb83fa7c5208", isValid: true),
        SelfTestVector(
            "an equation that holds only times the cofactor",
            key: "a11186e3d1fc0309615bc01bccbb7c430a080693a17c89d516693f41ff587dfb", message: "mixed order 0",
            r: "785bb0262dfb1ab0b420a7a000ac6b1fde14af8e4e340fd8a66d3f5864efe66f",
            s: "e91d27fb5e8680041cd0c46735b90fec7179c907830e32d11b31b2e35617ce0d", isValid: false),
        SelfTestVector(
            "a key of small order",
            key: "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a", message: "small order 4",
            r: "0100000000000000000000000000000000000000000000000000000000000000",
            s: "0000000000000000000000000000000000000000000000000000000000000000", isValid: false),
    ]
}
