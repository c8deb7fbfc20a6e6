/// Where a sealed secret is stored. It is part of what is sealed, so that nobody can put a secret in the place of
/// another.
public struct StorageLocation: Hashable, Sendable {
    /// The table of a database, or the folder.
    public let table: String
    /// The primary key of the row; empty where there is only one.
    public let row: [UInt8]
    /// What the secret is: the column, or the name of the file.
    public let kind: String

    /// Names a place.
    public init(table: String, row: [UInt8] = [], kind: String) {
        self.table = table
        self.row = row
        self.kind = kind
    }

    /// The associated data of what is sealed here.
    var statement: Statement {
        var statement = Statement("moot/1/cell")
        statement.append(Array(table.utf8))
        statement.append(row)
        statement.append(Array(kind.utf8))
        return statement
    }
}
