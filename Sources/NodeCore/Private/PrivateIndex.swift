import OperationLog
import Replication

/// Which states are held of a user's private state, kept as the user's devices compare it.
///
/// What changes touches one bucket, so neither a change nor a comparison costs a look at everything.
struct PrivateIndex {
    private var buckets: [[PrivateSubject: Entry]] = Array(repeating: [:], count: PrivateSummary.bucketCount)
    /// What is held, by bucket, but for those of `stale`.
    private var summary = PrivateSummary()
    private var stale: Set<Int> = []

    /// How many states there are.
    private(set) var count = 0
    /// Bytes of their encodings.
    private(set) var byteCount = 0

    private struct Entry {
        let digest: UInt64
        let byteCount: Int
    }

    /// Takes over what is held of a subject now; nil for nothing.
    mutating func replace(_ subject: PrivateSubject, with state: [UInt8]?) {
        let before = buckets[subject.bucket][subject]
        let after = state.map { state in
            Entry(
                digest: PrivateVersion(of: PrivateEntry(of: subject, state: state)).digest, byteCount: state.count)
        }
        buckets[subject.bucket][subject] = after
        count += (after == nil ? 0 : 1) - (before == nil ? 0 : 1)
        byteCount += (after?.byteCount ?? 0) - (before?.byteCount ?? 0)
        stale.insert(subject.bucket)
    }

    /// Bytes of the encoding that is held of a subject; nil where none is.
    func byteCount(of subject: PrivateSubject) -> Int? { buckets[subject.bucket][subject]?.byteCount }

    /// Which state is held of a subject; nil for none.
    func digest(of subject: PrivateSubject) -> UInt64? { buckets[subject.bucket][subject]?.digest }

    /// Everything of which a state is held.
    var subjects: [PrivateSubject] { buckets.flatMap(\.keys) }

    /// What is held otherwise than before, ascending.
    func changes(since before: PrivateIndex) -> [PrivateSubject] {
        zip(before.buckets, buckets).flatMap { old, new in
            Set(old.keys).union(new.keys).filter { old[$0]?.digest != new[$0]?.digest }
        }.sorted()
    }

    /// What is held in a bucket, ascending.
    func versions(in bucket: Int) -> [PrivateVersion] {
        buckets[bucket].sorted { $0.key < $1.key }.map { PrivateVersion(of: $0.key, digest: $0.value.digest) }
    }

    /// What is held, by bucket.
    ///
    /// - Complexity: O(*n* log *n*) in the states of the buckets that changed since it was last asked for.
    mutating func currentSummary() -> PrivateSummary {
        for bucket in stale { summary.replace(bucket, with: versions(in: bucket)) }
        stale = []
        return summary
    }
}
