/// How an exported page looks: the one thing besides text that is in it.
enum HTMLStyle {
    /// What the page's policy allows: the SHA-256 of the text, which a test compares.
    static let digest = "sha256-43BLF2S2TkDrZanrmUWBmxGdn0xMbNujEUfGrE96dQo="

    /// Everything between the tags of the style.
    static let text = """

        :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
        body { max-width: 46rem; margin: 0 auto; padding: 1rem; }
        h1, p { margin: 0 0 .25rem; overflow-wrap: anywhere; }
        h2 { margin: 1.5rem 0 .5rem; font-size: 1rem; text-align: center; }
        article { margin: 0 0 .75rem; content-visibility: auto; contain-intrinsic-size: auto 4rem; }
        article:target { outline: 2px solid Highlight; }
        time, small, .system, .missing, .file, .reactions { color: GrayText; font-size: .875rem; }
        .system { text-align: center; }
        .text { white-space: pre-wrap; }
        .quote { border-left: 3px solid GrayText; padding-left: .5rem; font-size: .875rem; }
        img { max-width: 100%; height: auto; max-height: 30rem; }

        """
}
