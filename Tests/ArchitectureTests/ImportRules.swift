extension Rule {
    /// A target imports only what its row in the table allows.
    static var importsOnlyWhatTheTableAllows: Rule {
        Rule { file, target in
            let importable = target.importable
            return file.imports.filter { !importable.contains($0.module) && $0.module != "Swift" }
                .map { Finding(line: $0.line, reason: "\(target.name) may not import \($0.module)") }
        }
    }

    /// Each library that acts on the world has its targets that import it, mostly one, and no other target knows of it.
    ///
    /// The table says the same; this rule keeps saying it when somebody widens the table.
    static var keepsLibrariesToTheirTarget: Rule {
        Rule { file, target in
            file.imports.compactMap { module, line in
                guard let owners = owners(of: module), !owners.contains(target.name), !measuresTheMachine(target) else {
                    return nil
                }
                let names = owners.joined(separator: ", ")
                return Finding(line: line, reason: "only \(names) imports \(module), not \(target.name)")
            }
        }
    }

    /// Clients of the local API do not link the daemon: what they stand on leads to no part of it.
    ///
    /// The table says the same; this rule keeps saying it when somebody widens the table.
    static var keepsTheDaemonOutOfClients: Rule {
        Rule { file, target in
            guard clients.contains(target.name) else { return [] }
            return file.imports.filter { Target.named($0.module).map { !clients.contains($0.name) } ?? false }
                .map { Finding(line: $0.line, reason: "a client of the API does not link \($0.module)") }
        }
    }

    /// What a client of the local API is made of.
    static let clients: Set<String> = ["ErrorCodes", "LocalAPIClient", "LocalAPIModel"]

    /// The benchmark sets our figures next to those of the bare machine: sockets and a database with nothing of Moot in
    /// between.
    private static func measuresTheMachine(_ target: Target) -> Bool {
        target.name == "moot-bench"
    }

    private static func owners(of module: String) -> [String]? {
        switch module {
        case "GRDB", "GRDBSQLite", "SQLite3": ["SQLiteStore"]
        case "CSodium", "Clibsodium": ["Cryptography"]
        case "CEpoll": ["StreamTransport"]
        case "CDBus": ["DesktopNotifications"]
        case "CJPEG", "CPNG", "CPictures": ["PhotoRendering"]
        case "COpenAPI", "CPage": ["LocalAPIServer"]
        case "CProcess": ["moot", "moot-bench", "moot-photo", "PhotoWorkers"]
        case "CQRencode": ["QRCodes"]
        case "CTOML": ["TOMLFiles"]
        case _ where module.hasPrefix("Hummingbird"): ["LocalAPIServer"]
        case _ where module.hasPrefix("NIO"): ["LocalAPIClient", "LocalAPIServer"]
        default: nil
        }
    }

    /// Only `StreamTransport` opens sockets, whatever a target is allowed to import, and `Supervision` the one to the
    /// service manager.
    ///
    /// `LocalAPIServer` listens through Hummingbird and NIO, `LocalAPIClient` connects through NIO; the rules on
    /// imports keep both to them.
    static var opensSocketsOnlyInStreamTransport: Rule {
        Rule { file, target in
            guard !["StreamTransport", "Supervision"].contains(target.name), !measuresTheMachine(target) else {
                return []
            }
            return search(
                file,
                for: [
                    Ban(
                        "socket", "socketpair",
                        pattern: /(?:^|[^.\w]|\bGlibc\.)socket(?:pair)?\s*\((?!AF_NETLINK\b)/,
                        reason: "only StreamTransport opens sockets, but for what the kernel is asked"),
                    Ban(
                        "getaddrinfo", pattern: /\bgetaddrinfo\s*\(/, reason: "only StreamTransport looks up addresses"),
                    Ban("URLSession", pattern: /URLSession/, reason: "only StreamTransport talks to the network"),
                ])
        }
    }
}
