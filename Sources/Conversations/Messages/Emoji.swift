/// Tells one emoji from anything else.
public enum Emoji {
    /// Whether a text is one emoji, as a person sees it, and short enough to be a reaction.
    ///
    /// Asked of what this node writes only. What others write is judged by its length: which scalars make one emoji
    /// changes with every version of Unicode, and replicas must agree.
    public static func isOne(_ text: String) -> Bool {
        guard text.count == 1, text.utf8.count <= AnnotationBody.maximumEmojiBytes,
            let first = text.unicodeScalars.first
        else {
            return false
        }
        // Digits count as emoji for Unicode, because keycaps begin with them.
        return first.properties.isEmoji && (!first.isASCII || text.unicodeScalars.count > 1)
    }
}
