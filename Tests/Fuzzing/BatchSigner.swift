import Cryptography
import OperationLog
import Time

/// Signs again what the fuzzer changed in a batch of Alice's and Bob's devices, so that a change is judged by all that
/// follows the check of a signature.
///
/// It reads the layout of Protocol.md as leniently as it can and gives up where there is nothing to read; what a batch
/// may not contain is for the decoder under test to say.
struct BatchSigner {
    private struct Run {
        let device: DeviceID
        var sequenceNumber: UInt64
        var previous: OperationID?
    }

    private var bytes: [UInt8]
    private var reader: CanonicalReader
    private var lane = Lane.content
    private var runs: [Run] = []
    private var references: [OperationID] = []
    private var headLists: [[OperationID]] = []
    private var ids: [OperationID] = []
    private var time: Int64 = 0

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
        reader = CanonicalReader(bytes)
    }

    /// The batch with valid signatures as far as it can be read.
    static func resigned(_ bytes: [UInt8]) -> [UInt8] {
        var signer = BatchSigner(bytes)
        do throws(MalformedBytes) {
            try signer.sign()
        } catch {
            return signer.bytes
        }
        return signer.bytes
    }

    private mutating func sign() throws(MalformedBytes) {
        lane = Lane(rawValue: try reader.byte()) ?? .content
        for _ in 0..<(try reader.count(of: "chains", limit: 64)) {
            let user: UserID = try reader.identifier()
            let device = Device(user: user, key: try reader.verifyingKey(of: "device key"))
            let base = try reader.number()
            runs.append(
                Run(device: device.id, sequenceNumber: base, previous: base > 0 ? try reader.identifier() : nil))
        }
        for _ in 0..<(try reader.count(of: "references", limit: 64)) { references.append(try reader.identifier()) }
        if lane == .content {
            for _ in 0..<(try reader.count(of: "head lists", limit: 64)) {
                headLists.append(try reader.ascending(of: "membership heads", limit: Limits.maximumDependencies))
            }
        }
        for _ in 0..<(try reader.count(of: "operations", limit: 64)) { try signOperation() }
    }

    private mutating func signOperation() throws(MalformedBytes) {
        let flags = try reader.byte()
        let run = try index(in: runs.count)
        let type = OperationType(rawValue: try reader.number())
        time &+= try reader.difference()
        var dependencies: [OperationID] = []
        for _ in 0..<(try reader.count(of: "dependencies", limit: Limits.maximumDependencies)) {
            dependencies.append(try reference())
        }
        let heads = lane == .content ? headLists[try index(in: headLists.count)] : []
        let epoch = flags & 4 != 0 ? try reference() : nil
        let length = try reader.count(of: "body length", limit: Limits.maximumBodyBytes)
        let digest = flags & 1 != 0 ? Operation.digest(of: try reader.raw(length)) : try reader.digest()
        guard let claimed = Timestamp(milliseconds: time) else { throw .invalid(field: "time") }
        let header = OperationHeader(
            type: type, conversation: type == .create ? nil : Cast.conversation, lane: lane, device: runs[run].device,
            sequenceNumber: runs[run].sequenceNumber &+ 1, previous: runs[run].previous, dependencies: dependencies,
            membershipHeads: heads, epoch: epoch, time: claimed, bodyLength: length, bodyDigest: digest)
        let id = Operation.id(of: header.encoded)
        if flags & 2 != 0 {
            let start = reader.position
            _ = try reader.signature()
            if let author = Cast.author(of: runs[run].device) {
                // The statement of an operation is its id, framed under the label of signatures.
                var statement = Statement("moot/1/sig")
                statement.append(id.digest.bytes)
                bytes.replaceSubrange(start..<reader.position, with: author.sign(statement).bytes)
            }
        }
        runs[run].sequenceNumber &+= 1
        runs[run].previous = id
        ids.append(id)
    }

    private mutating func index(in count: Int) throws(MalformedBytes) -> Int {
        let index = try reader.number()
        guard index < count else { throw .invalid(field: "index") }
        return Int(index)
    }

    private mutating func reference() throws(MalformedBytes) -> OperationID {
        let value = try reader.number()
        let list = value % 2 == 1 ? references : ids.reversed()
        guard value / 2 < list.count else { throw .invalid(field: "reference") }
        return list[Int(value / 2)]
    }
}
