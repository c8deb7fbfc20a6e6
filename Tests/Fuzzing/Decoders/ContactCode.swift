import OperationLog
import StreamTransport

extension Decoder {
    /// The line by which people find each other where discovery does not reach.
    static let contactCode = Decoder("contact-code") { bytes in
        guard let text = String(validating: bytes, as: UTF8.self) else { return .refused("not_utf8") }
        let contact: ContactCode
        do throws(MalformedCode) {
            contact = try ContactCode(text)
        } catch {
            return .refused(error.code)
        }
        try promise("a contact code has one text", contact.description.utf8.elementsEqual(bytes))
        try promise("a contact code is bounded", bytes.count <= ContactCode.maximumCharacters)
        try promise(
            "every address can be dialed", contact.addresses.allSatisfy { SocketAddress($0.description) == $0 })
        return .accepted
    }
}
