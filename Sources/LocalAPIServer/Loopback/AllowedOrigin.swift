/// An origin whose pages may use the API as if they were the node's own: a page under development, served by another
/// program.
///
/// Whatever is served there can do everything that the user can, so there is none unless the user names one.
public struct AllowedOrigin: Hashable, Sendable, CustomStringConvertible {
    /// As browsers write it in `Origin`: scheme, host and port, in lower case.
    public let description: String

    /// Reads an origin; nil for what is none, such as `null`, a star, or an address with a path.
    public init?(_ text: String) {
        let text = text.lowercased()
        // A name in ASCII, or an address in brackets; browsers leave out a port that goes without saying.
        let form = /https?:\/\/([a-z0-9]([a-z0-9.\-]*[a-z0-9])?|\[[0-9a-f:]+\])(:[0-9]{1,5})?/
        guard text.wholeMatch(of: form) != nil, !text.hasSuffix(text.hasPrefix("https:") ? ":443" : ":80") else {
            return nil
        }
        description = text
    }
}
