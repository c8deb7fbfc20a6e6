import Conversations
import Cryptography
import OperationLog
import OperationLogFixtures
import Time

/// Writes a batch of the content lane field by field as Protocol.md lays it out, and can do it wrong. What it signs is
/// valid.
struct BatchScribe {
    /// A run of somebody's chain.
    struct Run {
        var person: Person
        var base: UInt64 = 0
        /// The operation before the run, where it does not begin the chain.
        var previous: OperationID?
    }

    /// An operation of the batch.
    struct Entry {
        var flags: UInt8 = 3
        var chain = 0
        /// The difference to the operation before.
        var time: Int64
        /// References.
        var dependencies: [UInt64] = []
        var body: [UInt8]
        /// Another length than the body's.
        var bodyLength: Int?
    }

    var lane: UInt8 = 1
    var chains = [Run(person: Cast.alice)]
    /// Another number of chains than there are.
    var chainCount: Int?
    var references: [OperationID] = []
    /// Another number of references than there are.
    var referenceCount: Int?
    var headLists = [Stage.ready.log.membership.heads]
    var operations: [Entry]
    /// Another number of operations than there are.
    var operationCount: Int?

    /// Alice's batch of one message.
    init(text: String) {
        let body = MessageBody(text: text)?.encoded ?? []
        operations = [Entry(time: Cast.time.milliseconds, body: body)]
    }

    /// The batch after a change.
    func with(_ change: (inout BatchScribe) -> Void) -> [UInt8] {
        var copy = self
        change(&copy)
        return copy.encoded
    }

    /// Lets Alice's first operation begin a second chain too.
    mutating func repeatFirstOperation() {
        chains.append(Run(person: Cast.alice))
        operations.append(operations[0])
        operations[1].chain = 1
        operations[1].time = 0
    }

    /// Lets Alice's second message, in a chain of its own, stand before the first.
    mutating func turnRound(first: OperationID) {
        chains = [Run(person: Cast.alice, base: 1, previous: first), Run(person: Cast.alice)]
        operations.append(operations[0])
        operations[1].chain = 1
        operations[1].time = 0
    }

    /// The bytes.
    var encoded: [UInt8] {
        BatchSigner.resigned(
            wire { writer in
                writer.write(byte: lane)
                writer.write(count: chainCount ?? chains.count)
                for run in chains {
                    writer.write(run.person.user)
                    writer.write(raw: run.person.author.device.key.bytes)
                    writer.write(number: run.base)
                    if let previous = run.previous { writer.write(previous) }
                }
                writer.write(count: referenceCount ?? references.count)
                for reference in references { writer.write(reference) }
                writer.write(count: headLists.count)
                for heads in headLists { writer.write(ascending: heads) }
                writer.write(count: operationCount ?? operations.count)
                for operation in operations { write(operation, to: &writer) }
            })
    }

    private func write(_ operation: Entry, to writer: inout CanonicalWriter) {
        writer.write(byte: operation.flags)
        writer.write(count: operation.chain)
        writer.write(number: OperationType.message.rawValue)
        writer.write(difference: operation.time)
        writer.write(count: operation.dependencies.count)
        for dependency in operation.dependencies { writer.write(number: dependency) }
        writer.write(count: 0)
        writer.write(count: operation.bodyLength ?? operation.body.count)
        writer.write(raw: operation.body)
        if operation.flags & 2 != 0 { writer.write(raw: Array(repeating: 0, count: 64)) }
    }
}
