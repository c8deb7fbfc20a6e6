import Foundation
import Fuzzing
import Testing

@Suite("The corpus of the decoders")
struct CorpusTests {
    @Test(arguments: try Corpus.files())
    func `decodes to what each name tells, and keeps every promise`(file: Corpus.File) throws {
        #expect(try file.decoder.check(file.bytes).word == file.expected)
    }

    @Test
    func `holds every example`() throws {
        let examples = try Example.all()
        #expect(Set(examples.map(\.path)).count == examples.count, "every example has its own name")
        if ProcessInfo.processInfo.environment["MOOT_WRITE_CORPUS"] != nil { try Corpus.write(examples) }
        let files = Dictionary(uniqueKeysWithValues: try Corpus.files().map { ($0.path, $0.bytes) })
        for example in examples {
            #expect(
                files[example.path] == example.bytes, "\(example.path): MOOT_WRITE_CORPUS=1 writes what is new")
        }
    }

    @Test(arguments: Decoder.all.map(\.name))
    func `has bytes that are accepted and bytes that are refused of every decoder`(name: String) throws {
        let expected = Set(try Corpus.files().filter { $0.decoder.name == name }.map(\.expected))
        #expect(expected.contains("accepted"))
        #expect(expected.count > 1)
    }

    @Test
    func `shows every way in which bytes can be malformed`() throws {
        let expected = Set(try Corpus.files().map(\.expected))
        #expect(
            expected.isSuperset(of: [
                "truncated", "trailing_bytes", "non_canonical_number", "too_long", "unsorted", "invalid_value",
                "bad_signature",
            ]))
    }

    @Test
    func `stays small enough for the repository`() throws {
        #expect(try Corpus.files().map(\.bytes.count).reduce(0, +) < 200_000)
    }
}
