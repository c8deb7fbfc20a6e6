import Testing

@testable import moot

@Suite("Folders")
struct FoldersTests {
    @Test func `are all one folder when one is chosen`() {
        let folders = Folders(
            home: "/srv/moot/", environment: ["MOOT_HOME": "/other", "XDG_RUNTIME_DIR": "/run/user/1"])
        #expect(folders.home == "/srv/moot")
        #expect(folders.socketPath == "/srv/moot/moot.sock")
        #expect(folders.logFile == "/srv/moot/log/moot.log")
        #expect(folders.settingsFiles == ["/srv/moot/moot.toml", "/srv/moot/config.toml"])
    }

    @Test func `follow the environment before the desktop`() {
        #expect(Folders(home: nil, environment: ["MOOT_HOME": "/m", "HOME": "/h"]).home == "/m")
    }

    @Test func `are the desktop's otherwise`() {
        let environment = [
            "HOME": "/h", "XDG_DATA_HOME": "/data", "XDG_RUNTIME_DIR": "/run/user/1", "XDG_STATE_HOME": "relative",
        ]
        let folders = Folders(home: nil, environment: environment)
        #expect(folders.home == "/data/moot")
        #expect(folders.socketPath == "/run/user/1/moot/moot.sock")
        #expect(folders.log == "/h/.local/state/moot/log")
        #expect(folders.settingsFiles.first == "/h/.config/moot/moot.toml")
        #expect(Folders(home: nil, environment: ["HOME": "/h"]).socketPath == "/h/.local/share/moot/moot.sock")
    }

    @Test func `are absolute`() {
        #expect(Folders(home: "here", environment: [:]).home.hasPrefix("/"))
        #expect(Folders(home: "here", environment: [:]).home.hasSuffix("/here"))
    }
}
