import CSodium

/// libsodium itself: started once, and checked before anything relies on it.
public enum Sodium {
    /// Whether libsodium is initialized; the first call does it, from any thread.
    static let isReady: Bool = sodium_init() >= 0

    /// Starts libsodium and checks that it decides about signatures and points as every other node does.
    ///
    /// Which signatures of strange keys are valid differs between libraries and between versions of this one: nodes
    /// that disagree would admit different operations, and their replicas would never be equal again.
    ///
    /// - Throws: ``CryptographyError/selfTest(_:)``; then a node refuses to run.
    public static func start() throws(CryptographyError) {
        guard isReady else { throw .selfTest("libsodium does not start") }
        for vector in SelfTestVector.all {
            guard vector.key.verifies(vector.signature, of: vector.message) == vector.isValid else {
                throw .selfTest("libsodium is wrong about \(vector.about)")
            }
        }
        for known in SelfTestPoint.all {
            guard known.key.isValidPoint == known.isValid else {
                throw .selfTest("libsodium is wrong about \(known.about)")
            }
        }
    }
}
