import OperationLog

/// What is pushed of a local commit: batches within their limits, and no more bytes than an answer may have under way.
/// The rest is asked for, like everything that was written while nobody was connected.
struct PushedParts {
    private let batches: [Batch]
    private let readers: Set<DeviceID>?
    private var whole: [[UInt8]] = []
    private var closed: [[UInt8]]?

    /// Whether all that was committed is pushed.
    let areAll: Bool

    init(of push: Replicator.Push?) {
        readers = push?.readers
        var rest = push?.batch.operations[...] ?? []
        var batches: [Batch] = []
        var bytes = 0
        while bytes < Replicator.credit, let push, let part = Batch.next(of: &rest, in: push.batch.lane) {
            let encoded = part.encoded
            bytes += encoded.count
            batches.append(part)
            whole.append(encoded)
        }
        self.batches = batches
        areAll = push != nil && rest.isEmpty
    }

    /// What a device is sent: closed bodies only if it may read them.
    mutating func parts(for device: DeviceID) -> [[UInt8]] {
        guard let readers, !readers.contains(device) else { return whole }
        let parts = closed ?? batches.map { $0.withoutBodies(where: \.header.type.isClosed).encoded }
        closed = parts
        return parts
    }
}
