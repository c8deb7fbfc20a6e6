import Cryptography
import OperationLog
import OperationLogFixtures
import Testing
import Time

/// Bob, who writes whatever a chain allows, with as few signatures as they like.
private struct Chain {
    let author: Author
    let conversation: ConversationID
    let head: OperationID
    private(set) var operations: [Operation] = []

    init(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        author = Person(using: &random).author
        conversation = ConversationID(digest: .hash("test", [1]))
        head = OperationID(digest: .hash("test", [2]))
    }

    /// Names that nobody has given to an operation.
    static func names(_ range: Range<Int>) -> [OperationID] {
        range.map {
            OperationID(digest: .hash("test/name", [UInt8($0 >> 16 & 0xFF), UInt8($0 >> 8 & 0xFF), UInt8($0 & 0xFF)]))
        }
    }

    mutating func write(body: [UInt8] = [], dependencies: [OperationID] = [], isSigned: Bool = false) {
        let header = OperationHeader(
            type: .message, conversation: conversation, lane: .content, device: author.device.id,
            sequenceNumber: UInt64(operations.count) + 1, previous: operations.last?.id,
            dependencies: dependencies.sorted(), membershipHeads: [head], time: .earliest, bodyLength: body.count,
            bodyDigest: Operation.digest(of: body))
        operations.append(author.write(header, body: body, signing: isSigned))
    }
}

/// What holds a message back at the channel.
private let maximumMessageBytes = 4 * 1024 * 1024

private func batches(of operations: [Operation]) -> [Batch] {
    var rest = operations[...]
    var batches: [Batch] = []
    while let batch = Batch.next(of: &rest, in: .content) { batches.append(batch) }
    return batches
}

@Suite("What cannot be cut fits a message all the same")
struct UncuttableBatchTests {
    @Test func `where bodies came later than their headers, those beyond a mebibyte are left out`() throws {
        var bob = Chain(seed: 1)
        let body = Array(repeating: 7 as UInt8, count: 2_000)
        for number in 1...Limits.maximumBatchOperations {
            bob.write(body: body, isSigned: number == Limits.maximumBatchOperations)
        }
        let batches = batches(of: bob.operations)
        #expect(batches.count == 1)
        let encoded = try #require(batches.first).encoded
        #expect(encoded.count <= maximumMessageBytes)
        let read = try Batch(decoding: encoded, of: bob.conversation)
        #expect(read.operations.map(\.id) == bob.operations.map(\.id))
        #expect(read.operations.count { $0.body != nil } == Limits.targetBatchBytes / body.count)
    }

    @Test func `and so where a receiver holds half of it, to which the rest refers`() throws {
        var bob = Chain(seed: 2)
        for _ in 0..<2_048 { bob.write() }
        let body = Array(repeating: 7 as UInt8, count: 2_000)
        for number in 0..<2_048 {
            bob.write(body: body, dependencies: [bob.operations[number].id], isSigned: number == 2_047)
        }
        let rest = Array(bob.operations.dropFirst(2_047))
        let encoded = try #require(batches(of: rest).first).encoded
        #expect(encoded.count <= maximumMessageBytes)
        #expect(try Batch(decoding: encoded, of: bob.conversation).operations.map(\.id) == rest.map(\.id))
    }

    @Test(arguments: [-1, 0, 1])
    func `a batch refers to so many operations at most, inside it and outside`(surplus: Int) throws {
        var bob = Chain(seed: 3)
        let inner = 100
        for _ in 0..<inner + 1 { bob.write() }
        let count = Limits.maximumBatchReferences - inner + surplus
        for start in stride(from: 0, to: count, by: 15) {
            let outer = Chain.names(start..<min(count, start + 15))
            let number = start / 15
            let target = number < inner ? [bob.operations[number].id] : []
            bob.write(dependencies: outer + target, isSigned: start + 15 >= count)
        }
        let encoded = Batch(lane: .content, operations: bob.operations).encoded
        if surplus <= 0 {
            #expect(try Batch(decoding: encoded, of: bob.conversation).operations.count == bob.operations.count)
            // Whatever a receiver holds already, what is left keeps the limit.
            for held in [1, inner / 2, inner] {
                let rest = Array(bob.operations.dropFirst(held))
                let cut = try #require(batches(of: rest).first)
                #expect(cut.operations.count == rest.count)
                #expect(try Batch(decoding: cut.encoded, of: bob.conversation).operations.count == rest.count)
            }
        } else {
            let error = MalformedBytes.tooLong(field: "references", limit: Limits.maximumBatchReferences)
            #expect(throws: error) { try Batch(decoding: encoded, of: bob.conversation) }
            #expect(!error.isOffense, "the sender may be honest")
        }
    }
}

@Suite("Who sends a batch keeps what its receiver asks for")
struct BatchSenderTests {
    private func expectReadable(_ batches: [Batch], of chain: Chain, count: Int) throws {
        for batch in batches {
            let encoded = batch.encoded
            #expect(encoded.count <= maximumMessageBytes)
            #expect(
                try Batch(decoding: encoded, of: chain.conversation).operations.map(\.id) == batch.operations.map(\.id))
        }
        #expect(batches.map(\.operations.count).reduce(0, +) == count)
    }

    @Test(arguments: [-1, 0, 1])
    func `operations`(surplus: Int) throws {
        var bob = Chain(seed: 4)
        let count = Limits.maximumBatchOperations + surplus
        for number in 1...count { bob.write(isSigned: number == count || number == Limits.maximumBatchOperations) }
        let batches = batches(of: bob.operations)
        #expect(batches.count == (surplus > 0 ? 2 : 1))
        try expectReadable(batches, of: bob, count: count)
    }

    @Test(arguments: [-1, 0, 1])
    func `chains`(surplus: Int) throws {
        let chains = (0..<Limits.maximumBatchChains + surplus).map { number in
            var chain = Chain(seed: UInt64(number) + 1_000)
            chain.write(isSigned: true)
            return chain
        }
        let batches = batches(of: chains.flatMap(\.operations))
        #expect(batches.count == (surplus > 0 ? 2 : 1))
        try expectReadable(batches, of: chains[0], count: chains.count)
    }

    @Test(arguments: [-1, 0, 1])
    func `references`(surplus: Int) throws {
        var bob = Chain(seed: 5)
        let count = Limits.maximumBatchReferences + surplus
        for start in stride(from: 0, to: count, by: 16) {
            bob.write(dependencies: Chain.names(start..<min(count, start + 16)), isSigned: true)
        }
        let batches = batches(of: bob.operations)
        #expect(batches.count == (surplus > 0 ? 2 : 1))
        try expectReadable(batches, of: bob, count: bob.operations.count)
    }

    @Test(arguments: [-1, 0, 1])
    func `bytes`(surplus: Int) throws {
        var bob = Chain(seed: 6)
        let body = Array(repeating: 7 as UInt8, count: Limits.maximumBodyBytes)
        for _ in 0..<Limits.targetBatchBytes / Limits.maximumBodyBytes + surplus {
            bob.write(body: body, isSigned: true)
        }
        let batches = batches(of: bob.operations)
        #expect(batches.allSatisfy { $0.encoded.count <= Limits.targetBatchBytes })
        #expect(batches.allSatisfy { $0.operations.allSatisfy { $0.body != nil } })
        try expectReadable(batches, of: bob, count: bob.operations.count)
    }
}
