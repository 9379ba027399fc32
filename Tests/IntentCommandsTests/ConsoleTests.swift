import Foundation
import IntentConsole
import IntentEvents
import IntentGateway
import IntentKit
import IntentLab
import IntentRuntime
import LibCurl
import LocalHTTP
import Testing

@testable import IntentCommands
@testable import IntentOperations

@Suite("The console of a working deployment", .timeLimit(.minutes(2)))
struct ConsoleTests {
    private static let definition = """
        name: OrderLemonade
        confirmation: always
        parameters:
          - {name: flavour, type: string, required: true, values: [lemon, rhubarb]}
          - {name: code, type: string, sensitive: true}
        """

    /// The pages of a deployment, as a browser gets them.
    private struct Browser {
        let address: String

        func get(_ path: String) async throws -> (status: Int, text: String) { try await self.ask(path, nil) }

        /// Sends a form of a page, with the secret of our own pages.
        func post(_ path: String, _ fields: [(String, String?)], from page: String) async throws -> (
            status: Int, text: String
        ) {
            let text = try await self.get(page).text
            let secret = text.split(separator: "name=\"form\" value=\"").dropFirst().first?.prefix { $0 != "\"" }
            let form = Fields(fields + [("form", secret.map(String.init))])
            return try await self.ask(path, Array(form.query.utf8.dropFirst()))
        }

        /// Asks for lemonade until the gateway has read its topics and takes the request.
        func begin(_ fields: [(String, String?)]) async throws {
            try await eventually {
                try await self.post("/talk", fields, from: "/talk?intent=OrderLemonade").status == 303
            }
        }

        private func ask(_ path: String, _ body: [UInt8]?) async throws -> (status: Int, text: String) {
            let request = HTTPRequest(
                body,
                to: "http://\(self.address)\(path)",
                timeout: .seconds(20),
                maximumBytes: 8 << 20
            )
            let reply = try await HTTPSession.shared.reply(to: request)
            return (reply.status, String(decoding: reply.body, as: UTF8.self))
        }

        /// Gets a page until it is as expected.
        func wait(_ path: String, until isDone: (String) -> Bool) async throws -> String {
            try await eventually(isDone) { try await self.get(path).text }
        }
    }

    /// Where a console finds its gateway.
    private enum GatewayChoice: Equatable {
        case own
        case none
        case at(String)
    }

    /// Runs everything in this process on an embedded broker while the body runs.
    private func withConsole(
        allowsWrites: Bool,
        gateway choice: GatewayChoice = .own,
        _ body: @escaping @Sendable (Browser, Assembly) async throws -> Void
    ) async throws {
        try await LemonadeStand.open(Self.definition, listening: .consoleListen) { assembly, configuration, intents in
            let services = try assembly.services(WorkerRole.allCases, name: "test", lanes: 1, isScripted: false)
            var settings = GatewaySettings(configuration)
            settings.address = choice == .own ? .anyLoopbackPort : nil
            let gateway = try await GatewayService.start(assembly, settings, isUsual: false, monitor: nil)
            let address = if case .at(let address) = choice { address } else { gateway?.link }
            let operations = Operations(
                configuration.usingGateway(at: address),
                intents: intents,
                topics: (assembly.log, assembly.deployment),
                allowsWrites: allowsWrites
            )
            let console = try #require(try await ConsoleService.start(operations))
            try await assembly.run(services + (gateway?.services ?? []) + [console])
                .during { try await body(Browser(address: console.server.address), assembly) }
        }
    }

    @Test("A conversation takes place in the browser alone, and its page shows it masked and replays it")
    func browserHoldsMaskedConversationAndReplaysIt() async throws {
        try await self.withConsole(allowsWrites: true) { browser, _ in
            let fields: [(String, String?)] = [
                ("intent", "OrderLemonade"), ("p-code", "s3cretcode"), ("user", "<b>ada</b>"), ("device", "phone"),
            ]
            // A form that is sent twice is one interaction.
            try await browser.begin(fields + [Self.id])
            try await browser.begin(fields + [Self.id])
            let list = try await browser.wait("/interactions") { $0.contains("awaiting a value") }
            #expect(list.contains("&lt;b&gt;ada&lt;/b&gt;"))
            #expect(list.split(separator: "<td class=\"id\">").count == 2)
            let other = try await browser.post(
                "/talk",
                [("intent", "OrderLemonade"), ("user", "<b>ada</b>"), ("p-flavour", "lemon"), Self.id],
                from: "/talk?intent=OrderLemonade"
            )
            #expect(other.status == 400 && other.text.contains("answered 409 Conflict: "))
            #expect(other.text.contains("<option selected>lemon</option>"))
            #expect(!other.text.contains("name=\"id\" value=\"\(Self.id.1 ?? "")\""))
            let position = try #require(
                list.split(separator: "href=\"/interactions/").dropFirst().first?.prefix { $0 != "\"" }
            )
            let page = "/interactions/\(position)"
            _ = try await browser.wait(page) { $0.contains("name=\"line\" value=\"cancel\"") }
            let empty = try await browser.post("\(page)/say", [], from: page)
            #expect(empty.status == 303)
            _ = try await browser.post("\(page)/say", [("typed", "rhubarb"), ("device", "phone")], from: page)
            _ = try await browser.wait(page) { $0.contains("name=\"line\" value=\"yes\"") }
            _ = try await browser.post("\(page)/say", [("line", "yes"), ("device", "phone")], from: page)
            // The recorder reads topics in its own order: a page is complete when all of it is recorded.
            let whole = [
                "pill good\">success", "<div>rhubarb</div>", "<div>Yes.</div>",
                "<strong>handle</strong><span>ended</span>",
            ]
            let told = try await browser.wait(page) { text in whole.allSatisfy(text.contains) }
            #expect(!told.contains("s3cretcode"))
            let state = try await browser.get("\(page)/turns/2")
            #expect(state.status == 200)
            #expect(!state.text.contains("s3cretcode"))
            let replayed = try await browser.post("\(page)/replay", [], from: page)
            #expect(replayed.text.contains("turns reproduced identically"))
            // A search does not find masked values either.
            let secret = try await browser.get("/interactions?text=s3cret").text
            #expect(!secret.contains("/interactions/\(position)"))
            let known = try await browser.get("/interactions?text=RHUB").text
            #expect(known.contains("/interactions/\(position)"))
        }
    }

    /// The id in a form.
    private static let id: (String, String?) = ("id", "0B5C9C26-9C51-4A35-8F4C-0C5F3E1B7A11")

    @Test("What cannot be sent is kept in the form with its id, and the page says why")
    func unsentFormIsKept() async throws {
        // Nothing listens on the port for discarding.
        try await self.withConsole(allowsWrites: true, gateway: .at("http://127.0.0.1:9")) { browser, _ in
            let fields: [(String, String?)] = [
                ("intent", "OrderLemonade"), ("p-flavour", "rhubarb"), ("user", "<b>ada</b>"), ("locked", "yes"),
                Self.id,
            ]
            let page = try await browser.post("/talk", fields, from: "/talk?intent=OrderLemonade")
            #expect(page.status == 503)
            #expect(page.text.contains("Cannot reach the gateway at http://127.0.0.1:9: "))
            #expect(page.text.contains(". Check console.gateway."))
            #expect(page.text.contains("<option selected>rhubarb</option>"))
            #expect(page.text.contains("name=\"user\" value=\"&lt;b&gt;ada&lt;/b&gt;\""))
            #expect(page.text.contains("name=\"locked\" value=\"yes\" checked"))
            #expect(page.text.contains("name=\"id\" value=\"\(Self.id.1 ?? "")\""))
        }
    }

    @Test("Without a gateway there are no conversations, and the page names the setting")
    func noGatewayNoConversations() async throws {
        try await self.withConsole(allowsWrites: true, gateway: .none) { browser, _ in
            let talk = try await browser.get("/talk")
            #expect(talk.status == 404 && talk.text.contains("<code>console.gateway</code>"))
            let fields: [(String, String?)] = [("intent", "OrderLemonade"), ("user", "ada")]
            let sent = try await browser.post("/talk", fields, from: "/audit")
            #expect(sent.status == 404 && sent.text.contains("<code>console.gateway</code>"))
            let intent = try await browser.get("/intents/OrderLemonade").text
            #expect(intent.contains(">Pause</a>") && !intent.contains("/talk"))
            #expect(intent.contains("Writes allowed"))
        }
    }

    @Test("Without permission to write nothing is sent, and forms from other pages are refused")
    func readOnlyConsoleSendsNothing() async throws {
        try await self.withConsole(allowsWrites: false) { browser, _ in
            let talk = try await browser.get("/talk").status
            #expect(talk == 404)
            let fields: [(String, String?)] = [("intent", "OrderLemonade"), ("user", "ada")]
            let sent = try await browser.post("/talk", fields, from: "/audit").status
            #expect(sent == 404)
            let foreign = try await browser.post("/audit", [("kind", "verify")], from: "/intents").status
            #expect(foreign == 403)
            let letters = try await browser.post("/dead-letters", [("do", "send")], from: "/audit").status
            #expect(letters == 404)
            let marked = try await browser.post("/dead-letters", [("do", "handle")], from: "/audit").status
            #expect(marked == 404)
            let waiting = try await browser.get("/waiting")
            #expect(waiting.status == 200 && waiting.text.contains("No interaction waits for an operator."))
            let decided = try await browser.post("/waiting", Self.decision("done"), from: "/audit").status
            #expect(decided == 404)
        }
    }

    private static func decision(_ outcome: String, details: String? = nil) -> [(String, String?)] {
        [("interaction", "i1"), ("user", "ada"), ("decision", outcome), ("details", details)]
    }

    @Test("R76: the page answers an invalid decision, and one about an interaction that does not wait")
    func decisionsThatCannotBeMade() async throws {
        try await self.withConsole(allowsWrites: true) { browser, _ in
            let none = try await browser.post("/waiting", Self.decision("done"), from: "/audit")
            #expect(none.status == 200 && none.text.contains("does not wait for an operator"))
            let odd = try await browser.post("/waiting", Self.decision("done", details: "17"), from: "/audit")
            #expect(odd.status == 200 && odd.text.contains("The details are no JSON object"))
            let unknown = try await browser.post("/waiting", Self.decision("perhaps"), from: "/audit").status
            #expect(unknown == 404)
        }
    }

    @Test("R82: an open interaction is cancelled from its page, with the operator's name and the reason")
    func cancelsFromPage() async throws {
        try await self.withConsole(allowsWrites: true) { browser, assembly in
            try await browser.begin([("intent", "OrderLemonade"), ("user", "ada"), Self.id])
            let list = try await browser.wait("/interactions") { $0.contains("awaiting a value") }
            let position = try #require(
                list.split(separator: "href=\"/interactions/").dropFirst().first?.prefix { $0 != "\"" }
            )
            let page = "/interactions/\(position)"
            let open = try await browser.wait(page) { $0.contains("name=\"do\" value=\"cancel\"") }
            // It waits for the user: there is no attempt that could begin.
            #expect(!open.contains("name=\"do\" value=\"retry\""))
            let unreasoned = try await browser.post("\(page)/act", [("do", "cancel")], from: page)
            #expect(unreasoned.status == 400 && unreasoned.text.contains("needs a reason for this act"))
            let retried = try await browser.post("\(page)/act", [("do", "retry"), ("reason", "why not")], from: page)
            #expect(retried.status == 400 && retried.text.contains("has no attempt to begin"))
            let unknown = try await browser.post("\(page)/act", [("do", "prune")], from: page).status
            #expect(unknown == 404)
            let act: [(String, String?)] = [("do", "cancel"), ("by", "<b>eve</b>"), ("reason", "asked by phone")]
            let cancelled = try await browser.post("\(page)/act", act, from: page).status
            #expect(cancelled == 303)
            let ended = try await browser.wait(page) {
                $0.contains("abortedByOperator") && $0.contains("asked by phone")
            }
            #expect(ended.contains("&lt;b&gt;eve&lt;/b&gt;") && !ended.contains("name=\"do\" value=\"cancel\""))
            let log = try await browser.get("/operators?act=cancel")
            #expect(log.status == 200 && log.text.contains("asked by phone"))
            let other = try await browser.get("/operators?act=retry").text
            #expect(!other.contains("asked by phone"))
            let wrong = try await browser.get("/operators?act=cancle").status
            #expect(wrong == 400)
        }
    }

    @Test("R84e: dead letters are marked as handled with a note, shown at once, and left out of a redrive of all")
    func marksLettersAsHandled() async throws {
        try await self.withConsole(allowsWrites: true) { browser, assembly in
            let junk = OutgoingRecord(
                topicPartition: TopicPartition(Topic.requests.name(prefix: assembly.deployment.prefix), 0),
                content: RecordContent(key: nil, value: Array("junk".utf8), headers: [])
            )
            try await assembly.log.write([junk])
            let letters = try await browser.wait("/dead-letters") { $0.contains("pill bad") }
            let name = String(
                try #require(letters.split(separator: "href=\"/dead-letters/").dropFirst().first?.prefix { $0 != "\"" })
            )
            func mark(_ note: String) async throws -> (status: Int, text: String) {
                try await browser.post(
                    "/dead-letters",
                    [("letter-\(name)", name), ("do", "handle"), ("by", "eve"), ("reason", note)],
                    from: "/dead-letters"
                )
            }
            let silent = try await mark("")
            #expect(silent.status == 400 && silent.text.contains("write a note"))
            let marked = try await mark("a test of the network")
            #expect(marked.status == 200 && marked.text.contains("by eve at"))
            let letter = try await browser.wait("/dead-letters/\(name)") { $0.contains("a test of the network") }
            #expect(!letter.contains("value=\"handle\""))
            let all = try await browser.post("/dead-letters", [("all", "1"), ("do", "ask")], from: "/dead-letters")
            #expect(all.status == 400 && all.text.contains("Select at least one dead letter."))
            let unhandled = try await browser.get("/dead-letters?handled=no").text
            #expect(unhandled.contains("No dead letters match."))
            _ = try await browser.wait("/") { $0.contains("<small>and 1 handled</small>") }
        }
    }

    @Test("Foreign records do no harm, audits run, and the overview counts")
    func hostileRecordsAuditsAndCounts() async throws {
        try await self.withConsole(allowsWrites: false) { browser, assembly in
            let producer = try await assembly.log.makeProducer()
            let requests = Topic.requests.name(prefix: assembly.deployment.prefix)
            let junk = OutgoingRecord(
                topicPartition: TopicPartition(requests, 0),
                content: RecordContent(
                    key: nil,
                    value: Array("<script>alert(1)</script>".utf8),
                    headers: [LogHeader(EventHeaderName.type, "<script>")]
                )
            )
            _ = try await producer.send([junk])
            await producer.close()
            let letters = try await browser.wait("/dead-letters") { $0.contains("pill bad") }
            #expect(!letters.contains("<script>"))
            let name = try #require(
                letters.split(separator: "href=\"/dead-letters/").dropFirst().first?.prefix { $0 != "\"" }
            )
            let letter = try await browser.get("/dead-letters/\(name)")
            #expect(letter.status == 200 && !letter.text.contains("<script>"))
            let dry = try await browser.post(
                "/dead-letters",
                [("letter-\(name)", String(name)), ("do", "ask")],
                from: "/dead-letters"
            )
            #expect(dry.status == 200)
            _ = try await browser.post("/audit", [("kind", "verify")], from: "/audit")
            let verified = try await browser.wait("/audit/1") { !$0.contains("data-live=\"/live/audit") }
            #expect(verified.contains("Verified: no discrepancies"), "\(verified.suffix(600))")
            _ = try await browser.wait("/") {
                $0.contains("<h2><a href=\"/dead-letters\">Dead letters</a></h2><p>1</p>")
            }
        }
    }
}
