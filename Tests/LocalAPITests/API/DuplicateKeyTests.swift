import Testing

@testable import LocalAPIModel

@Suite("Keys that an object has twice")
struct DuplicateKeyTests {
    @Test(arguments: [
        (#"{"a":1,"a":2}"#, "a"), (#"{"a":1,"\u0061":2}"#, "a"), (#"{"b":{"a":1,"c":[{}],"a":2}}"#, "a"),
        (#"[{"a":1},{"b":1,"b":1}]"#, "b"), (#"{"a\"":1,"b":2,"a\"":3}"#, "a\""), (#"{"":1,"":2}"#, ""),
        (#"{ "a" : [1,2,"a"] , "b":"a", "a" : 0 }"#, "a"), (#"{"a":{},"a":{}}"#, "a"), (#"{"é":1,"\u00e9":1}"#, "é"),
    ])
    func `are found`(json: String, key: String) {
        #expect(DuplicateKey.find(in: Array(json.utf8)) == key)
    }

    @Test(arguments: [
        "{}", "[]", "\"a\"", #"{"a":"a","b":["a","a"]}"#, #"{"a":{"a":{"a":1}},"b":{"a":1}}"#, #"[{"a":1},{"a":1}]"#,
        #"{"a":"\"b\":1,\"b\":2"}"#, #"{"a":"}{","A":"\\"}"#, "", "{\"", "}}]]", #"{"a\"#,
    ])
    func `are not seen where there are none`(json: String) {
        #expect(DuplicateKey.find(in: Array(json.utf8)) == nil)
    }

    @Test func `are looked for without recursion`() {
        let deep = String(repeating: #"{"a":["#, count: 100_000)
        #expect(DuplicateKey.find(in: Array(deep.utf8)) == nil)
    }
}
