import Blobs
import Conversations
import Cryptography
import OperationLog
import Testing

@testable import NodeCore
@testable import Simulation

@Suite("What names files")
struct FileIndexTests {
    @Test func `whoever names a file a thousand times hides nobody's message with it`() throws {
        var random = SeededRandom(seed: 3)
        let people = (0..<3).map { UserID(digest: .hash("person", [UInt8($0)])) }
        let ship = ConversationID(directBetween: people[0], and: people[1])
        var encoder = BlobEncoder(key: .generate(using: &random))
        _ = encoder.seal([1])
        let (address, _) = encoder.finish()
        let reference = BlobReference(address: address, key: .generate(using: &random), mediaType: .photo)
        var index = FileIndex()
        func id(by author: Int, number: Int) -> OperationID {
            OperationID(digest: .hash("operation", Array("\(author) \(number)".utf8)))
        }
        func name(by author: Int, number: Int) {
            let namer = FileIndex.Namer.operation(id(by: author, number: number), in: ship)
            let mention = FileIndex.Mention(
                namer: namer, readers: .members, author: people[author], message: nil, file: nil, name: "ship",
                reference: reference)
            index.set([mention], by: namer)
        }
        for number in 0..<1_000 { name(by: 0, number: number) }
        for number in 0..<2 { for author in 1..<3 { name(by: author, number: number) } }

        let tried = index.mentions(of: address, atMost: 64)
        #expect(tried.count == 64)
        #expect(tried.prefix(6).map(\.author) == people + people)
        #expect(index.mentions(of: address, atMost: 2).map(\.author) == Array(people.prefix(2)))

        let namers = (0..<2).map { FileIndex.Namer.operation(id(by: 1, number: $0), in: ship) }
        let forgotten = index.remove(namers)
        #expect(forgotten.isEmpty, "others name it")
        #expect(index.mentions(of: address, atMost: 4).map(\.author) == [people[0], people[2], people[0], people[2]])
        name(by: 1, number: 5)
        #expect(index.mentions(of: address, atMost: 3).map(\.author) == [people[0], people[2], people[1]])
        #expect(index.mentions(of: address).count == 1_003)
        #expect(index.count(in: ship) == 1_003)
        let gone = index.remove(index.mentions(of: address).map(\.namer))
        #expect(gone == [address])
        #expect(!index.names(address) && index.count(in: ship) == 0)
    }
}
