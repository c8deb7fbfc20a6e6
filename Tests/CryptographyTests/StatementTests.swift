import Cryptography
import CryptographyFixtures
import Testing

@Suite("Statements")
struct StatementTests {
    @Test
    func `a statement is its label and its fields, each after its length`() throws {
        for vector in try Vectors.load().statements {
            #expect(vector.kind == "moot/1/test")
            var statement = Statement("moot/1/test")
            for field in vector.fields { statement.append(field.bytes) }
            #expect(statement.bytes == vector.bytes.bytes)
        }
    }

    @Test
    func `fields that run together the same way are still different statements`() {
        var one = Statement("moot/1/test")
        one.append([1, 2])
        one.append([3])
        var two = Statement("moot/1/test")
        two.append([1])
        two.append([2, 3])
        #expect(one != two)
    }
}
