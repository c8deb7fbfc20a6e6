import LocalAPIModel

/// The emoji of one scalar, by the Unicode tables of the Swift that the program is built with: those of several, such
/// as flags and families, have no names there.
enum EmojiNames {
    /// All of them, in the order of Unicode, which has those of one kind next to each other.
    static let all: [EmojiDescription] = (0x203C...0x1FAFF as ClosedRange<UInt32>).compactMap { number in
        guard let scalar = Unicode.Scalar(number) else { return nil }
        let properties = scalar.properties
        // The parts of flags and the colors of skin are emoji, but nothing to choose.
        guard properties.isEmoji, !properties.isEmojiModifier, !(0x1F1E6...0x1F1FF).contains(number),
            let name = properties.name
        else { return nil }
        // Without the selector some are shown as letters are, in one color.
        let text = String(scalar) + (properties.isEmojiPresentation ? "" : "\u{FE0F}")
        return EmojiDescription(emoji: text, name: name.lowercased())
    }
}
