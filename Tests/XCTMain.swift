import Testing

/// The program of all tests. By its name SwiftPM finds it, and does not look in an index of all sources for tests of
/// XCTest: there are none.
@main
struct TestProgram {
    static func main() async {
        // `swift test` runs it once for each library.
        guard !CommandLine.arguments.contains("xctest") else { return }
        await Testing.__swiftPMEntryPoint() as Never
    }
}
