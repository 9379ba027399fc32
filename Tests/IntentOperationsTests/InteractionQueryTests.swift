import Foundation
import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import Testing

@testable import IntentOperations
@testable import IntentRecords

@Suite("R90: queries for interactions, their columns, and those that are saved")
struct InteractionQueryTests {
    private struct TableIntent: Intent {
        static let intentName = "TableIntent"
        enum Code: String, IntentResponseCode { case ready, success, failure, failureFull }

        @Parameter(isSearchable: true) var covers: Int?
        @Parameter(isSearchable: true) var user: String?
        @Parameter(isSensitive: true) var phone: String?
    }

    private struct TableHandler: IntentHandler {
        var handling: Handling<TableIntent> { Handle { _, _ in IntentResponse(code: .success) } }
    }

    /// Declares what the registry must refuse.
    private struct LeakyIntent: Intent {
        static let intentName = "LeakyIntent"
        enum Code: String, IntentResponseCode { case ready, success, failure }

        @Parameter(isSensitive: true, isSearchable: true) var phone: String?
    }

    private struct LeakyHandler: IntentHandler {
        var handling: Handling<LeakyIntent> { Handle { _, _ in IntentResponse(code: .success) } }
    }

    private let directory: TemporaryDirectory
    private let now = Timestamp(milliseconds: 1_790_000_000_000)

    init() throws { self.directory = try TemporaryDirectory() }

    private func known() throws -> KnownNames {
        var sources = HandlerSources()
        sources.own = [IntentExtension("Tests") { IntentRegistration { TableHandler() } }]
        let file = try self.directory.write("prefix: intents\n", to: "intentd.yaml")
        let configuration = try ConfigurationReader.read(file: file, environment: [:], options: [])
        return KnownNames(try IntentSet(configuration, sources: sources))
    }

    private func query(_ fields: [InteractionQuery.Field: String], _ parameters: [String: String] = [:])
        -> InteractionQuery
    {
        var query = InteractionQuery()
        for (field, text) in fields { query[field] = text }
        for (name, value) in parameters { query.require(value, of: name) }
        return query
    }

    @Test(
        "M10: a value that no interaction can have is an error that says what is meant",
        arguments: [
            (.status, "succes", "did you mean success?"), (.status, "nosuch", "unknown status 'nosuch'"),
            (.stage, "handel", "did you mean handle?"), (.state, "opened", "did you mean open?"),
            (.since, "yesterday", "is not a time"), (.until, "1 h", "is not a time"),
        ] as [(InteractionQuery.Field, String, String)]
    )
    func refusesUnknownValues(field: InteractionQuery.Field, text: String, message: String) throws {
        let query = self.query([field: text])
        let known = try self.known()
        let error = #expect(throws: OperationError.self) { try query.search(known, now: self.now) }
        #expect(error?.code == .usage && error?.message.contains(message) == true, "\(error?.message ?? "")")
    }

    @Test("Names of intents and codes are suggested when nothing was found with them")
    func suggestsNames() throws {
        let known = try self.known()
        #expect(known.problem(of: self.query([.intent: "TableIntent", .code: "failureFull"])) == nil)
        #expect(known.problem(of: self.query([.code: "timeout"])) == nil)
        let intent = known.problem(of: self.query([.intent: "TabelIntent"]))
        #expect(intent?.contains("did you mean TableIntent?") == true)
        #expect(known.problem(of: self.query([.code: "failureFul"]))?.contains("did you mean failureFull?") == true)
    }

    @Test("R90a: each state can be asked for, and a slip is suggested")
    func namesStates() throws {
        for state in ["open"] + InteractionState.allCases.map(\.rawValue) {
            #expect(try self.query([.state: state]).search(self.known(), now: self.now).state?.rawValue == state)
        }
        let error = #expect(throws: OperationError.self) {
            try self.query([.state: "retriyng"]).search(self.known(), now: self.now)
        }
        #expect(error?.message.contains("did you mean retrying?") == true)
    }

    @Test("Columns and filters may name searchable parameters, and no others")
    func namesSearchableParameters() throws {
        let known = try self.known()
        #expect(known.searchable(of: "TableIntent") == ["covers", "user"])
        #expect(known.searchable(of: "Other") == [])
        let columns = try self.query([.columns: "interaction, covers,user,parameters.user"]).columns(known)
        #expect(columns == [.interaction, .parameter("covers"), .user, .parameter("user")])
        for text in ["phone", "cover", "", ","] {
            var query = self.query([.columns: text])
            if text.isEmpty { query = self.query([.columns: " "]) }
            #expect(throws: OperationError.self, "\(text)") { try query.columns(known) }
        }
        let search = try self.query([:], ["covers": "4"]).search(known, now: self.now)
        #expect(search.parameters == [.init(name: "covers", value: "4", intents: ["TableIntent"])])
        #expect(throws: OperationError.self) { try self.query([:], ["phone": "5"]).search(known, now: self.now) }
        #expect(throws: OperationError.self) {
            try self.query([:], ["covers": "4"]).search(KnownNames(nil), now: self.now)
        }
    }

    @Test("R90: a sensitive parameter cannot be declared searchable")
    func sensitiveIsNotSearchable() {
        let error = #expect(throws: IntentRegistry.ConfigurationError.self) {
            _ = try IntentRegistry([IntentExtension("Tests") { IntentRegistration { LeakyHandler() } }])
        }
        #expect("\(error.map { "\($0)" } ?? "")".contains("cannot be searchable"))
    }

    @Test("A column of a parameter shows its value in a few words, and masks another intent's sensitive one")
    func showsParameters() {
        var interaction = RecordedInteraction(
            position: RecordPosition(.requests, 0, 1),
            turns: 1,
            prompts: 0,
            terminalResponses: 0
        )
        interaction.intent = "TableIntent"
        interaction.parameters = ["covers": 4, "guest": ["displayName": "Ada", "handle": "x"]]
        let masking = Masking(["Other": ["covers"]])
        #expect(InteractionColumn.parameter("covers").text(of: interaction, masking) == "4")
        #expect(InteractionColumn.parameter("guest").text(of: interaction, masking) == "Ada")
        #expect(InteractionColumn.parameter("none").text(of: interaction, masking) == nil)
        interaction.intent = "Other"
        #expect(InteractionColumn.parameter("covers").text(of: interaction, masking) == Masking.mask)
    }

    @Test("Saved queries come back as they were, in a private file; a name is suggested, and limits hold")
    func savesQueries() async throws {
        let data = DataDirectory(path: self.directory.path)
        let queries = SavedQueries(data)
        #expect(try await queries.all().isEmpty)
        let query = self.query([.intent: "TableIntent", .since: "1h", .columns: "user,covers"], ["covers": "4"])
        try await queries.save(query, as: "full tables")
        try await queries.save(self.query([.code: "timeout"]), as: "a")
        #expect(try await queries.all().map(\.name) == ["a", "full tables"])
        #expect(try await queries.query("full tables") == query)
        #expect(query.options == "--intent TableIntent --since 1h --columns user,covers --where covers=4")
        let mode = try FileManager.default.attributesOfItem(atPath: data.queries)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let missing = await #expect(throws: OperationError.self) { try await queries.query("full table") }
        #expect(missing?.code == .noInput && missing?.message.contains("did you mean full tables?") == true)
        for name in ["", "-a", String(repeating: "x", count: 81), "a\nb"] {
            await #expect(throws: OperationError.self) { try await queries.save(query, as: name) }
        }
        await #expect(throws: OperationError.self) { try await queries.save(InteractionQuery(), as: "all") }
        try await queries.remove("a")
        await #expect(throws: OperationError.self) { try await queries.remove("a") }
        _ = try self.directory.write("{\"x\": {\"nosuch\": \"1\"}}", to: "queries.json")
        let damaged = await #expect(throws: OperationError.self) { try await queries.all() }
        #expect(damaged?.code == .badData)
    }

    @Test("Options override what a saved query says")
    func optionsOverride() {
        let saved = self.query([.intent: "A", .user: "u"], ["covers": "4"])
        let merged = saved.overridden(by: self.query([.intent: "B"], ["user": "x"]))
        #expect(merged == self.query([.intent: "B", .user: "u"], ["covers": "4", "user": "x"]))
    }
}
