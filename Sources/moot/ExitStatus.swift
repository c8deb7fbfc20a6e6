import LocalAPIModel

/// How the program ends, for scripts. The numbers are those of `sysexits.h` where it has a fitting one.
enum ExitStatus: Int32, CaseIterable {
    case done = 0
    /// The node refused, or something failed.
    case refused = 1
    /// What was asked for could not be looked at.
    case couldNotLook = 2
    case wrongUsage = 64
    case notRunning = 69
    /// It may work at another time.
    case tryAgain = 75
    /// The operating system does not permit it.
    case noPermission = 77
    case badConfiguration = 78

    /// The status of an error's stable code; one that this version does not know is a refusal.
    static func of(code: String) -> ExitStatus {
        ErrorCode(rawValue: code).flatMap { ExitStatus(rawValue: $0.ends.program) } ?? .refused
    }
}
