import ArgumentParser
import KeyStore
import LocalAPIClient
import LocalAPIModel

/// What every command takes.
struct CommonOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The folder of the node. Also: MOOT_HOME.", valueName: "dir"), completion: .directory)
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

    /// Asks the node of the home, also one whose environment put its socket elsewhere than ours would.
    var client: LocalClient {
        let folders = self.folders
        return LocalClient(socketPath: folders.socketPath, owner: LockHolder.owner(ofHome: folders.home)) { path in
            LockHolder.isPrivate(path, ofHome: folders.home)
        } elsewhere: {
            LockHolder(ofHome: folders.home)?.privateSocket
        }
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
                if let holder = LockHolder(ofHome: folders.home), holder.isRunning {
                    detail.message = "The node of \(folders.home) (process \(holder.process)) does not answer"
                    detail.hint = "It may be about to start or to stop. Try again in a moment."
                } else {
                    detail.hint = "Start it with: moot up\(home.map { " --home \($0)" } ?? "")"
                }
            }
            output.report(detail)
            throw ExitCode(ExitStatus.of(code: detail.code).rawValue)
        }
    }
}
