import Cryptography
import OperationLog

/// What a device holds of its user's private state, in ``bucketCount`` buckets: a digest for each that is not empty.
///
/// Ids are spread evenly, so where a thousand pieces are held and one differs, only the bucket of that one does.
public struct PrivateSummary: Hashable, Sendable {
    /// How many buckets there are: one for each first byte of an id.
    public static let bucketCount = 256

    /// The digests of the buckets, nil for an empty one.
    private var digests: [UInt64?]

    /// Nothing is held.
    public init() { digests = Array(repeating: nil, count: Self.bucketCount) }

    /// What is held of a bucket; nil for nothing.
    ///
    /// - Precondition: `bucket` is below ``bucketCount``.
    public subscript(bucket: Int) -> UInt64? { digests[bucket] }

    /// Takes over what is held of a bucket now.
    ///
    /// - Parameter versions: all of the bucket, ascending by subject.
    public mutating func replace(_ bucket: Int, with versions: [PrivateVersion]) {
        guard !versions.isEmpty else {
            digests[bucket] = nil
            return
        }
        var writer = CanonicalWriter(capacity: versions.count * PrivateVersion.byteCount)
        for version in versions { version.write(to: &writer) }
        var hash = Blake2b(byteCount: 8)
        hash.update(writer.bytes)
        digests[bucket] = hash.finalize().reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// The buckets of which something else is held than somebody else holds, ascending.
    public func difference(from other: PrivateSummary) -> [Int] {
        digests.indices.filter { digests[$0] != other.digests[$0] }
    }

    /// A digest of all of it.
    public var digest: PrivateDigest {
        var writer = CanonicalWriter(capacity: 32 + 8 * Self.bucketCount)
        write(to: &writer)
        var hash = Blake2b(byteCount: PrivateDigest.byteCount)
        hash.update(writer.bytes)
        return PrivateDigest(bytes: hash.finalize())
    }

    init(from reader: inout CanonicalReader) throws(MalformedBytes) {
        self.init()
        for bucket in try reader.bits(Self.bucketCount) { digests[bucket] = try reader.word() }
    }

    func write(to writer: inout CanonicalWriter) {
        writer.write(bits: digests.indices.filter { digests[$0] != nil }, of: Self.bucketCount)
        for digest in digests.lazy.compactMap({ $0 }) { writer.write(word: digest) }
    }
}

/// What a device holds of its user's private state, as a digest.
public struct PrivateDigest: Hashable, Sendable {
    /// Bytes of a digest.
    public static let byteCount = 16
    /// The bytes.
    public let bytes: [UInt8]
}

/// What a device holds in some buckets of its user's private state. Of what it does not name there, it holds nothing.
public struct PrivateVersions: Hashable, Sendable {
    /// States that one message names.
    public static let maximumCount = 4_096

    /// The buckets it speaks of, ascending.
    public let buckets: [Int]
    /// What is held, ascending by subject.
    public let versions: [PrivateVersion]

    /// Names what is held in some buckets, in as many messages as that takes. Of more than ``maximumCount`` in one
    /// bucket the first are named.
    ///
    /// - Parameter held: for each bucket what is held of it.
    public static func parts(of held: [(bucket: Int, versions: [PrivateVersion])]) -> [PrivateVersions] {
        var parts: [PrivateVersions] = []
        var (buckets, named): ([Int], [PrivateVersion]) = ([], [])
        for (bucket, versions) in held {
            if named.count + versions.count > maximumCount, !buckets.isEmpty {
                parts.append(PrivateVersions(buckets: buckets, versions: named))
                (buckets, named) = ([], [])
            }
            buckets.append(bucket)
            named += versions.prefix(maximumCount)
        }
        if !buckets.isEmpty { parts.append(PrivateVersions(buckets: buckets, versions: named)) }
        return parts
    }

    private init(buckets: [Int], versions: [PrivateVersion]) {
        self.buckets = buckets.sorted()
        self.versions = versions.sorted { $0.subject < $1.subject }
    }

    init(from reader: inout CanonicalReader) throws(MalformedBytes) {
        let buckets = try reader.bits(PrivateSummary.bucketCount)
        let spoken = Set(buckets)
        var versions: [PrivateVersion] = []
        for _ in 0..<(try reader.count(of: "states", limit: Self.maximumCount, each: PrivateVersion.byteCount)) {
            let version = try PrivateVersion(from: &reader)
            if let last = versions.last, last.subject >= version.subject { throw .unsorted(field: "states") }
            guard spoken.contains(version.subject.bucket) else { throw .invalid(field: "bucket") }
            versions.append(version)
        }
        self.buckets = buckets
        self.versions = versions
    }

    func write(to writer: inout CanonicalWriter) {
        writer.write(bits: buckets, of: PrivateSummary.bucketCount)
        writer.write(count: versions.count)
        for version in versions { version.write(to: &writer) }
    }
}
