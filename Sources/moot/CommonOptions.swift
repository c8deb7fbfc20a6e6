import ArgumentParser
import LocalAPIClient
import LocalAPIModel

/// What every command takes.
struct CommonOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The folder of the node. Also: MOOT_HOME.", valueName: "dir"))
    var home: String?

    @Flag(help: "Print JSON: one value, or one a line where it goes on.")
    var json = false

    @Flag(help: "Print no words for people, only data and errors.")
    var quiet = false

    @Flag(help: "Never ask; refuse instead.")
    var noInput = false

    var folders: Folders {
        Folders(home: home, environment: Folders.processEnvironment)
    }

    var output: Output {
        Output(isJSON: json, isQuiet: quiet)
    }

    /// Whether there is somebody to ask.
    var mayAsk: Bool {
        !noInput && !json && Terminal.isTerminal(.input)
    }

    /// Does the work and reports what it throws: a sentence for people or JSON for programs on standard error, and the
    /// exit status that fits.
    func reporting(_ work: (Output) async throws -> Void) async throws {
        let output = self.output
        do {
            try await work(output)
        } catch let error as CleanExit {
            throw error
        } catch let error as ExitCode {
            throw error
        } catch {
            var detail = Failure.detail(of: error)
            if case LocalClientError.notRunning = error {
                detail.hint = "Start it with: moot up\(home.map { " --home \($0)" } ?? "")"
            }
            output.report(detail)
            throw ExitCode(ExitStatus.of(code: detail.code).rawValue)
        }
    }
}
