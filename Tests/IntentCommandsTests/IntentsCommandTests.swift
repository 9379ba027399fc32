import DeclaredIntents
import Foundation
import IntentKit
import IntentLab
import SampleApps
import SiriKitIntents
import Testing

@testable import IntentCommands
@testable import IntentOperations

@Suite("intentd intents")
struct IntentsCommandTests {
    private enum Size: String, EnumerationValue { case small, large }

    private struct OrderCakeIntent: Intent {
        enum Code: String, IntentResponseCode { case ready, success, failure, failureNoCake }

        static let title: LocalizedText? = "Order a cake"

        @Parameter var cake: String?
        @Parameter(isRequired: true, in: 1...12) var pieces: Int?
        @Parameter(dependsOn: [\Self.$cake]) var size: Size?
        @Parameter(values: ["cream", "sugar"]) var toppings: [String]?
        @Parameter(in: 0..., default: 2, isSensitive: true) var tip: Double?
        @Parameter var note: String?
    }

    private struct OrderCakeHandler: IntentHandler {
        var handling: Handling<OrderCakeIntent> {
            Resolve(\.$cake) { said, _ in said.map { .success(with: $0) } ?? .needsValue() }
            Handle { _, _ in IntentResponse(code: .success) }
        }
    }

    private let directory: TemporaryDirectory

    init() throws { self.directory = try TemporaryDirectory() }

    private func intents(_ definitions: String? = nil, servesSamples: Bool = true) throws -> IntentSet {
        var own = HandlerSources.intentd
        own.own = [
            IntentExtension("Bakery", restrictedWhileLocked: ["OrderCakeIntent"]) {
                IntentRegistration(version: "7") { OrderCakeHandler() }
            }
        ]
        var options: [(setting: Setting, option: String, value: SettingValue)] = []
        if let definitions {
            let path = try self.directory.write(definitions, to: "intents.yaml")
            options.append((.definitions, "--definitions", .list([path])))
        }
        let file = try self.directory.write("samples: \(servesSamples)\n", to: "intentd.yaml")
        let configuration = try ConfigurationReader.read(file: file, environment: [:], options: options)
        return try IntentSet(configuration, sources: own)
    }

    private func json(_ name: String, of intents: IntentSet) throws -> JSONValue {
        try #require(IntentListing(name, of: intents)).json
    }

    @Test("Everything that a Swift intent declares is described as JSON")
    func describesSwiftIntentAsJSON() throws {
        let json = try self.json("OrderCakeIntent", of: self.intents())
        #expect(json["from"] == ["extension": "Bakery", "sample": false])
        #expect(json["handler"] == ["name": "OrderCakeHandler", "version": "7"])
        #expect(json["title"] == "Order a cake")
        #expect(json["confirmation"] == "byHandler")
        #expect(json["restrictedWhileLocked"] == true)
        #expect(json["codes"] == ["failure", "failureNoCake", "ready", "success"])
        let parameters = try #require(json["parameters"]?.array)
        #expect(parameters.map { $0["name"] } == ["cake", "pieces", "size", "toppings", "tip", "note"])
        #expect(parameters.map { $0["type"] } == ["string", "integer", "enum", "string", "number", "string"])
        #expect(parameters.map { $0["list"] } == [false, false, false, true, false, false])
        #expect(parameters.map { $0["required"] } == [false, true, false, false, false, false])
        #expect(parameters.map { $0["resolvedByHandler"] } == [true, false, false, false, false, false])
        #expect(parameters.map { $0["values"] } == [nil, nil, ["small", "large"], ["cream", "sugar"], nil, nil])
        #expect(parameters.map { $0["minimum"]?.number } == [nil, 1, nil, nil, 0, nil])
        #expect(parameters.map { $0["maximum"]?.number } == [nil, 12, nil, nil, nil, nil])
        #expect(parameters.map { $0["default"]?.number } == [nil, nil, nil, nil, 2, nil])
        #expect(parameters.map { $0["dependsOn"] } == [nil, nil, ["cake"], nil, nil, nil])
        #expect(parameters.map { $0["sensitive"] } == [false, false, false, false, true, false])
    }

    @Test("The same is described as text")
    func describesSwiftIntentAsText() throws {
        let listing = try #require(IntentListing("OrderCakeIntent", of: self.intents()))
        #expect(
            listing.lines == [
                "OrderCakeIntent: Order a cake", "from: Bakery (this program)", "handler: OrderCakeHandler, version 7",
                "confirmation: if the handler requires it", "while locked: waits for an unlocked device",
                "codes: failure, failureNoCake, ready, success", "",
                "PARAMETER  TYPE      IF MISSING       VALUES        NOTES",
                "cake       string    handler decides  any           resolved by the handler",
                "pieces     integer   prompted         1 to 12",
                "size       enum      omitted          small, large  depends on cake",
                "toppings   [string]  omitted          cream, sugar",
                "tip        number    default 2        0 or more     sensitive",
                "note       string    omitted          any",
            ]
        )
        #expect(listing.row.prefix(4) == ["OrderCakeIntent", "Bakery (this program)", "byHandler", "waits"])
        #expect(listing.row[4].hasPrefix("cake: string, pieces: integer, size: enum, toppings: [string], "))
    }

    @Test("An intent's origin is named: a sample app, a file with its line, or a file and Swift")
    func namesOriginOfIntent() throws {
        let definitions = """
            intents:
              - name: BookTable
                confirmation: always
                parameters:
                  - {name: city, type: string, required: true, pattern: "[A-Z].*"}
                  - {name: people, type: integer, minimum: 1, default: 2}
              - name: OrderCakeIntent
                handler: swift
                parameters:
                  - {name: cake, type: string}
            """
        let intents = try self.intents(definitions)
        let path = self.directory.file("intents.yaml")
        let table = try self.json("BookTable", of: intents)
        #expect(table["from"] == ["definition": .string("\(path):2")])
        #expect(table["confirmation"] == "always")
        #expect(table["parameters"]?.array?.first?["pattern"] == "[A-Z].*")
        #expect(table["parameters"]?.array?.first?["required"] == true)
        #expect(table["parameters"]?.array?.last?["default"] == 2)
        #expect(table["parameters"]?.array?.last?["minimum"] == 1)
        let cake = try self.json("OrderCakeIntent", of: intents)
        #expect(cake["from"] == ["definition": .string("\(path):7"), "extension": "Bakery", "sample": false])
        #expect(cake["parameters"]?.array?.first?["resolvedByHandler"] == true)
        let payment = try self.json("INSendPaymentIntent", of: intents)
        #expect(payment["from"] == ["extension": "UnicornPay", "sample": true])
        #expect(payment["confirmation"] == "always")
        #expect(payment["restrictedWhileLocked"] == true)
    }

    @Test("Every supported intent is listed, and no other")
    func listsEverySupportedIntent() throws {
        for servesSamples in [true, false] {
            let intents = try self.intents(servesSamples: servesSamples)
            let names = intents.registry.intentNames
            #expect(names.compactMap { IntentListing($0, of: intents) }.count == names.count)
            #expect(names.contains("INSendMessageIntent") == servesSamples)
            #expect(Set(intents.origins.keys) == Set(names))
        }
    }

    @Test("A parameter that a service resolves is shown as resolved by the handler")
    func serviceResolvedParameterCountsAsHandlers() throws {
        let definitions = """
            name: OrderLunch
            handler: {service: {url: "http://127.0.0.1:1"}}
            parameters: [{name: dish, type: string}]
            """
        let lunch = try self.json("OrderLunch", of: self.intents(definitions))
        #expect(lunch["parameters"]?.array?.first?["resolvedByHandler"] == true)
    }

    @Test("An unknown intent exits with 66 and suggests similar names")
    func unknownIntentSuggestsSimilarNames() async throws {
        #expect(await RootCommand.run(["intents", "INSendMesageIntent"]) == ExitStatus.noInput.rawValue)
        let sample = await HandlerSources.$current.withValue(.intentd) {
            await RootCommand.run(["intents", "INSendMessageIntent", "--json"])
        }
        #expect(sample == 0)
        #expect(await RootCommand.run(["intents"]) == 0)
        let intents = try self.intents()
        let failure = #expect(throws: OperationError.self) { try IntentListing.find("OrderCakIntent", in: intents) }
        #expect(failure?.code == .noInput)
        #expect(failure?.message == "unknown intent OrderCakIntent; did you mean OrderCakeIntent?")
        let far = #expect(throws: OperationError.self) { try IntentListing.find("x", in: intents) }
        #expect(far?.message == "unknown intent x; `intentd intents` lists the supported intents")
    }
}
