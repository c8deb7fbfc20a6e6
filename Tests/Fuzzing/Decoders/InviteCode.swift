import OperationLog
import StreamTransport

extension Decoder {
    /// The line by which somebody joins a group.
    static let inviteCode = Decoder("invite-code") { bytes in
        guard let text = String(validating: bytes, as: UTF8.self) else { return .refused("not_utf8") }
        let code: InviteCode
        do throws(MalformedCode) {
            code = try InviteCode(text)
        } catch {
            return .refused(error.code)
        }
        try promise("an invite code has one text", code.description.utf8.elementsEqual(bytes))
        try promise("an invite code is bounded", bytes.count <= InviteCode.maximumCharacters)
        try promise("every address can be dialed", code.addresses.allSatisfy { SocketAddress($0.description) == $0 })
        return .accepted
    }
}
