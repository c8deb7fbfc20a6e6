/// The register that decides who adds people.
public enum AddSetting {
    /// The name of the register.
    public static let field = "members-add"
    /// The value by which every member adds people; with any other, and while none was written, only moderators and
    /// those above.
    public static let everyone = "everyone"
}
