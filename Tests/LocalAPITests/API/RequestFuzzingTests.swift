import LocalAPIModel
import Testing

@testable import LocalAPIClient

@Suite("Request bodies with anything in them")
struct RequestFuzzingTests {
    private static let examples = [
        #"{"kind":"group","name":"Ship \u00e4","members":["Bob","Carol"]}"#,
        #"{"text":"Hello \ud83d\ude80","reply_to":null,"client_id":"7"}"#,
        #"{"texts":["a","b"],"client_id":"x"}"#,
        #"{"name":"x","description":"y","settings":{"add":"everybody"}}"#,
        #"{"successor":"Bob","force":false,"archive":true}"#,
        #"{"pinned":true,"muted_until":"forever","tags":["a"],"add_tags":null,"draft":null}"#,
        #"{"days":30}"#,
    ]

    @Test(arguments: 1...40 as ClosedRange<UInt64>)
    func `are read or refused with a sentence, never more`(seed: UInt64) throws {
        var random = SplitMix64(state: seed)
        for _ in 0..<50 {
            var bytes = Array(Self.examples.randomElement(using: &random, or: "{}").utf8)
            for _ in 0..<Int.random(in: 0...4, using: &random) { mutate(&bytes, &random) }
            try tryReading(bytes)
        }
    }

    private func tryReading(_ bytes: [UInt8]) throws {
        func attempt<Body: RequestFields>(_ type: Body.Type) throws {
            do throws(UnreadableJSON) {
                let body = try WireFormat.decodeRequest(type, from: bytes)
                // What was read can be written and read again.
                _ = try WireFormat.decodeRequest(type, from: WireFormat.encode(body))
            } catch {
                #expect(!error.sentence.isEmpty)
            }
        }
        try attempt(CreateConversation.self)
        try attempt(SendMessages.self)
        try attempt(ChangeConversation.self)
        try attempt(LeaveConversation.self)
        try attempt(ChangePrivate.self)
        try attempt(ChangeRetention.self)
        try attempt(ReadConversation.self)
    }

    private func mutate(_ bytes: inout [UInt8], _ random: inout SplitMix64) {
        let place = Int.random(in: 0...bytes.count, using: &random)
        switch Int.random(in: 0...3, using: &random) {
        case 0: bytes.insert(UInt8.random(in: .min ... .max, using: &random), at: place)
        case 1: bytes.removeSubrange(place..<min(bytes.count, place + 3))
        case 2: bytes.insert(contentsOf: Array("[{\"\\u0000\":1e999}]".utf8), at: place)
        default: bytes.append(contentsOf: bytes[place...])
        }
    }
}

extension [String] {
    fileprivate func randomElement(using random: inout some RandomNumberGenerator, or fallback: String) -> String {
        randomElement(using: &random) ?? fallback
    }
}
