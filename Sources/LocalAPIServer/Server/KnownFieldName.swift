import HTTPTypes

extension HTTPField.Name {
    /// A name of a header field that HTTPTypes has no constant for.
    ///
    /// - Precondition: it is written as RFC 9110 allows.
    static func known(_ name: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(name) else { preconditionFailure("\(name) is a valid name of a header") }
        return name
    }
}
