/// The register that decides who writes messages.
public enum AnnouncementSetting {
    /// The name of the register.
    public static let field = "announcement"
    /// The value with which only moderators and those above write; with any other, and while none was written, every
    /// member.
    public static let moderators = "on"
}
