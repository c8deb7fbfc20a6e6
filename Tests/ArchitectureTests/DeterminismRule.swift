extension Rule {
    /// A core reads no clock and draws no randomness of its own: the same events give the same effects, in every
    /// process, so that a simulation with the same seed can repeat whatever happened.
    static var coresNameNoClockAndNoRandomness: Rule {
        Rule { file, target in
            switch target.kind {
            case .shell:
                []
            case .core:
                search(file, for: clocksAndRandomness) + undirectedRandomness(in: file)
            }
        }
    }

    private static var clocksAndRandomness: [Ban] {
        [
            Ban(
                "Date", "DispatchTime", "DispatchWallTime", pattern: /\b(?:Date|DispatchTime|DispatchWallTime)\s*[(.]/,
                reason: "a core reads no clock: take the time as an argument"),
            Ban(
                "ContinuousClock", "SuspendingClock", "clock_gettime", "gettimeofday", pattern: /./,
                reason: "a core reads no clock: take the time as an argument"),
            Ban(
                "Task", pattern: /\bTask\s*\.\s*sleep\b/,
                reason: "a core does not wait: return an effect that asks for a timer"),
            Ban(
                "SystemRandomNumberGenerator", pattern: /./,
                reason: "a core draws no randomness: take a generator as an argument"),
            Ban("UUID", pattern: /\bUUID\s*\(/, reason: "a core makes up no identifiers: take them as arguments"),
            Ban(
                "hashValue", "Hasher", pattern: /\.hashValue\b|\bHasher\s*\(/,
                reason: "Swift's hashes differ from process to process"),
        ]
    }

    /// Calls such as `.random(in:)` and `.shuffled()` that were given no generator and so use the system's.
    private static func undirectedRandomness(in file: SwiftSource) -> [Finding] {
        let calls = file.code(naming: ["random", "randomElement", "shuffled", "shuffle"])
        return calls.flatMap { number, code in
            // The arguments may go on over the next lines.
            let text = ([code] + file.codeLines.dropFirst(number).prefix(20)).joined(separator: "\n")
            return text.matches(of: /\.(?:random|randomElement|shuffled|shuffle)\s*\(/)
                .filter { $0.range.lowerBound < text.index(text.startIndex, offsetBy: code.count) }
                .filter { !text[$0.range.upperBound...].prefixToClosingParenthesis.contains("using:") }
                .map { _ in Finding(line: number, reason: "a core draws no randomness: pass `using:`") }
        }
    }
}

extension Substring {
    /// What stands before the parenthesis that closes one opened before.
    fileprivate var prefixToClosingParenthesis: Substring {
        var depth = 0
        let end = firstIndex { character in
            if character == "(" { depth += 1 }
            if character == ")" { depth -= 1 }
            return depth < 0
        }
        return self[..<(end ?? endIndex)]
    }
}
