import Cryptography
import LocalAPIModel
import Testing

@testable import LocalAPIClient
@testable import LocalAPIServer

@Suite("The local API about the user's devices")
struct DeviceRouteTests {
    /// What changes a device.
    private enum Change: CaseIterable {
        case rename, retire, revoke

        func make(
            on device: DeviceDescription, _ client: LocalClient, _ passphrase: String?
        ) async throws(LocalClientError) -> DeviceDescription {
            switch self {
            case .rename: try await client.renameDevice(device.id, to: "kitchen", passphrase: passphrase)
            case .retire: try await client.retireDevice(device.id, passphrase: passphrase)
            case .revoke: try await client.revokeDevice(device.id, passphrase: passphrase)
            }
        }
    }

    @Test func `asks for the passphrase whenever a device is renamed or taken out`() async throws {
        let secret = "correct horse"
        let passphrase = try #require(Passphrase(secret))
        try await Alice.tells(knowing: [], passphrase: passphrase) { alice in
            let client = alice.client
            let device = try #require(try await client.devices().first)
            for change in Change.allCases {
                let answers = [
                    nil: "passphrase_needed", "battery staple": "wrong_passphrase", "": "invalid_request",
                    String(repeating: "a", count: 1_025): "invalid_request",
                ]
                for (text, code) in answers {
                    #expect(await refusal { try await change.make(on: device, client, text) } == code)
                }
            }
            #expect(try await client.devices() == [device])

            #expect(try await client.renameDevice(device.id, to: "kitchen", passphrase: secret).name == "kitchen")
            // Nobody takes out the device that they use, passphrase or not.
            #expect(await refusal { try await Change.retire.make(on: device, client, secret) } == "invalid_operation")
            #expect(await refusal { try await Change.revoke.make(on: device, client, secret) } == "invalid_operation")
            // It was not kept.
            #expect(await refusal { try await Change.rename.make(on: device, client, nil) } == "passphrase_needed")
        }
    }

    @Test func `refuses a passphrase where none guards the home`() async throws {
        try await Alice.tells(knowing: []) { alice in
            let device = try #require(try await alice.client.devices().first)
            #expect(
                await refusal {
                    try await alice.client.renameDevice(device.id, to: "kitchen", passphrase: "correct horse")
                } == "invalid_operation")
            #expect(try await alice.client.renameDevice(device.id, to: "kitchen").name == "kitchen")
        }
    }

    /// A script that got into the page for a moment would else own the identity for good.
    @Test func `the key of the identity is handed over on the Unix socket only`() async throws {
        try await Alice.tells(knowing: [], web: LocalServer.Web(port: 0)) { alice in
            let page = try await BrowserSession(of: alice)
            let target = "/api/v1/device-links/00/agreement"
            let refused = try await page.ask(target, method: "POST", body: #"{"with_root":true}"#)
            #expect(refused.status == 403 && refused.code == "socket_only")
            #expect(refused.body.contains("moot devices add CODE --with-root"))
            #expect(try await page.ask(target, method: "POST", body: #"{"with_root":false}"#).code == "code_expired")
            #expect(
                await refusal { try await alice.client.agree(toDeviceLink: "00", withRoot: true) } == "code_expired")
        }
    }

    @Test func `a host is linked by the user, on the page too, and by no program with a token`() async throws {
        try await Alice.tells(knowing: [], web: LocalServer.Web(port: 0)) { alice in
            let page = try await BrowserSession(of: alice)
            let tokens = [
                try await alice.client.webToken().token,
                try await alice.client.createToken(named: "bot", readOnly: false).token,
            ]
            for (method, target, body, code) in [
                ("POST", "/api/v1/device-links", #"{"code":"moot:link:x"}"#, "code_invalid"),
                ("POST", "/api/v1/device-links/00/agreement", "{}", "code_expired"),
                ("DELETE", "/api/v1/device-links/00", "", "code_expired"),
            ] {
                #expect(try await page.ask(target, method: method, body: body).code == code)
                for token in tokens {
                    let bearer = ("Authorization", "Bearer \(token)")
                    let refused = try await page.browser.ask(method, target, [bearer], body: body)
                    #expect(refused.status == 403 && refused.code == "user_only")
                }
            }
        }
    }
}
