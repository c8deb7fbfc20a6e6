/// Why a line is no scenario.
///
/// An operation that breaks a membership rule is none of these: it is void, which is a result. These lines cannot be
/// asked about.
public enum MalformedScenario: Error, Hashable, Sendable {
    /// The line has more bytes than one may have.
    case tooLong(limit: Int)
    /// The bytes are no UTF-8.
    case notUnicode
    /// The text is no JSON.
    case notJSON
    /// A field holds another kind of value than it must, such as a number for a string.
    case wrongKind(field: String, expected: String)
    /// A field that every scenario or every operation has is not there.
    case missingField(String)
    /// An operation lacks what its type needs.
    case incomplete(operation: Name, field: String)
    /// There is no such type of operation.
    case unknownType(operation: Name, type: String)
    /// There is no such role.
    case unknownRole(operation: Name, role: String)
    /// A group cannot have fewer than no members.
    case negativeCapacity(Int)
    /// Two operations have one id.
    case repeatedOperation(Name)
    /// A parent is not among the operations, or what content follows is not there before it.
    case missingParent(Name, of: Name)
    /// An operation is in its own past.
    case circularParents(Name)
    /// There is no operation at all.
    case noCreation
    /// An operation without parents is not the creation.
    case rootIsNoCreation(Name)
    /// More than one operation has no parents.
    case severalRoots(Name, Name)

    /// What is wrong, in words.
    public var sentence: String {
        switch self {
        case .tooLong(let limit): "the line is longer than \(limit >> 20) MiB"
        case .notUnicode: "the line is not UTF-8"
        case .notJSON: "the line is not JSON"
        case .wrongKind(let field, let expected):
            "\(field.isEmpty ? "the line" : "the field \(field)") must be \(expected)"
        case .missingField(let field): "the field \(field) is missing"
        case .incomplete(let operation, let field): "operation \(operation.quoted) lacks the field \(field)"
        case .unknownType(let operation, let type):
            "operation \(operation.quoted) has the unknown type \(Name(type).quoted)"
        case .unknownRole(let operation, let role):
            "operation \(operation.quoted) names the unknown role \(Name(role).quoted)"
        case .negativeCapacity(let capacity): "the capacity \(capacity) is negative"
        case .repeatedOperation(let operation): "two operations have the id \(operation.quoted)"
        case .missingParent(let parent, let operation):
            "the parent \(parent.quoted) of operation \(operation.quoted) is missing"
        case .circularParents(let operation): "operation \(operation.quoted) is among its own ancestors"
        case .noCreation: "no operation creates the group"
        case .rootIsNoCreation(let operation):
            "operation \(operation.quoted) has no parents and is not the creation"
        case .severalRoots(let first, let second):
            "operations \(first.quoted) and \(second.quoted) both have no parents; only the creation has none"
        }
    }
}

extension Name {
    /// The name between quotation marks, without its end if it is very long.
    fileprivate var quoted: String {
        let beginning = String(text.unicodeScalars.prefix(Self.maximumQuotedLength))
        return beginning.utf8.count < text.utf8.count ? "\"\(beginning)…\"" : "\"\(text)\""
    }

    private static var maximumQuotedLength: Int { 64 }
}
