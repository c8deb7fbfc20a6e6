extension Character {
    /// How many columns a terminal gives the character: two for East Asian wide ones and emoji, else one.
    var displayWidth: Int {
        guard let scalar = unicodeScalars.first else { return 0 }
        if scalar.properties.isEmojiPresentation || unicodeScalars.contains("\u{FE0F}") { return 2 }
        switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
            0xFFE0...0xFFE6, 0x2_0000...0x3_FFFD:
            return 2
        default:
            return 1
        }
    }
}

extension String {
    /// How many columns a terminal gives the text.
    var displayWidth: Int {
        reduce(0) { $0 + $1.displayWidth }
    }

    /// The text, or as much of it as fits before "…".
    func shortened(toWidth width: Int) -> String {
        guard displayWidth > width else { return self }
        var kept = ""
        var used = 1
        for character in self {
            used += character.displayWidth
            guard used <= width else { break }
            kept.append(character)
        }
        return kept + "…"
    }
}
