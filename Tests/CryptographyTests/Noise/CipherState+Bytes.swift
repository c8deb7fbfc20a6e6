import Cryptography

extension CipherState {
    /// The sealed form of some bytes.
    mutating func sealing(_ plaintext: [UInt8], authenticating data: [UInt8] = []) throws(CryptographyError) -> [UInt8]
    {
        var bytes = plaintext
        try seal(&bytes, from: 0, authenticating: data)
        return bytes
    }

    /// The plaintext of sealed bytes.
    mutating func opening(_ sealed: [UInt8], authenticating data: [UInt8] = []) throws(CryptographyError) -> [UInt8] {
        var bytes = sealed
        return try Array(bytes[open(&bytes, in: bytes.indices, authenticating: data)])
    }
}
