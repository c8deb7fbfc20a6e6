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

    private static var clocksAndRandomness: [(pattern: Regex<Substring>, reason: String)] {
        [
            (/\b(?:Date|DispatchTime|DispatchWallTime)\s*[(.]/, "a core reads no clock: take the time as an argument"),
            (/\b(?:ContinuousClock|SuspendingClock|clock_gettime|gettimeofday)\b/, "a core reads no clock"),
            (/\bTask\s*\.\s*sleep\b/, "a core does not wait: return an effect that asks for a timer"),
            (/\bSystemRandomNumberGenerator\b/, "a core draws no randomness: take a generator as an argument"),
            (/\bUUID\s*\(/, "a core makes up no identifiers: take them as arguments"),
            (/\.hashValue\b|\bHasher\s*\(/, "Swift's hashes differ from process to process"),
        ]
    }

    /// Calls such as `.random(in:)` and `.shuffled()` that were given no generator and so use the system's.
    private static func undirectedRandomness(in file: SwiftSource) -> [Finding] {
        let code = file.codeLines.joined(separator: "\n")
        return code.matches(of: /\.(?:random|randomElement|shuffled|shuffle)\s*\(/).compactMap { match in
            let arguments = code[match.range.upperBound...].prefixToClosingParenthesis
            guard !arguments.contains("using:") else { return nil }
            let line = code[..<match.range.lowerBound].count(where: { $0 == "\n" }) + 1
            return Finding(line: line, reason: "a core draws no randomness: pass `using:`")
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
