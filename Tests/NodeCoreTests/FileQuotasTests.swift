import Blobs
import Cryptography
import OperationLog
import Testing

@testable import NodeCore

/// Files may take 1,000 bytes.
@Suite("The quotas of files")
struct FileQuotasTests {
    private var quotas = FileQuotas()
    private var count: UInt8 = 0
    private let quota = 1_000

    private mutating func blob(of length: Int) throws -> BlobAddress {
        count += 1
        return try #require(BlobAddress(top: .hash("test", [count]), length: length))
    }

    private mutating func person() -> FileQuotas.Claimant {
        count += 1
        return .author(UserID(digest: .hash("test", [count])))
    }

    @Test mutating func `one person takes a fifth, and all together leave the user a quarter`() throws {
        for _ in 0..<3 {
            let author = person()
            let (first, second) = (try blob(of: 200), try blob(of: 1))
            #expect(quotas.fits(first, of: author, quota: quota))
            quotas.reserve(first, for: author)
            #expect(!quotas.fits(second, of: author, quota: quota))
        }
        #expect(!quotas.fits(try blob(of: 200), of: person(), quota: quota))
        #expect(quotas.fits(try blob(of: 150), of: person(), quota: quota))
        #expect(quotas.fits(try blob(of: 400), of: .user, quota: quota))
    }

    @Test mutating func `what is not given is counted no longer, and all of it once somebody gives it again`() throws {
        let author = person()
        let (given, other) = (try blob(of: 150), try blob(of: 100))
        quotas.reserve(given, for: author)
        quotas.keep(20, of: given)
        #expect(quotas.reserved.isEmpty)
        #expect(quotas.fits(other, of: author, quota: quota))
        quotas.reserve(other, for: author)
        #expect(!quotas.fits(given, of: author, quota: quota))
        quotas.release(other)
        #expect(quotas.fits(given, of: author, quota: quota))
        quotas.reserve(given, for: author)
        #expect(quotas.reserved == [given])
        #expect(quotas.fits(given, of: author, quota: quota), "what is counted has room")
        #expect(!quotas.fits(other, of: author, quota: quota))
    }
}
