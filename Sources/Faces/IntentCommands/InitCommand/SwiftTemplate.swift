import Foundation

/// A Swift package with an intent, its handler, a program that serves it, a test and scenarios: the output of `intentd
/// init`.
enum SwiftTemplate {
    /// Names that a package of this kind cannot have: Swift's keywords, and the modules that it imports.
    static let reservedNames: Set<String> = [
        "Any", "Foundation", "IntentCommands", "IntentKit", "IntentTesting", "Self", "Swift", "Testing", "as",
        "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer", "deinit", "do", "else",
        "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if", "import", "in",
        "init",
        "inout", "internal", "intentd", "is", "let", "nil", "operator", "precedencegroup", "private", "protocol",
        "public", "repeat", "rethrows", "return", "self", "static", "struct", "subscript", "super", "switch", "throw",
        "throws", "true", "try", "typealias", "var", "where", "while",
    ]

    /// The files of a package.
    ///
    /// - Parameters:
    ///   - intent: The package's name; the intent's is `<name>Intent`.
    ///   - package: The absolute path of intentd's package; nil when it still has to be filled in.
    /// - Returns: The files, each with its name.
    static func files(intent: String, package: String?) -> [(name: String, text: String)] {
        let dependency = package.map(Self.dependency) ?? Self.placeholder
        let build = package.map(Self.scratchPath) ?? "../intentd/.build"
        return [
            ("Package.swift", Self.manifest),
            (".gitignore", ".build/\nvar/\n"),
            ("Sources/INTENT/INTENTIntent.swift", Self.intent),
            ("Sources/INTENT/INTENTHandler.swift", Self.handler),
            ("Sources/INTENT/INTENTExtension.swift", Self.intentExtension),
            ("Sources/INTENTServer/INTENTServer.swift", Self.server),
            ("Tests/INTENTTests/INTENTTests.swift", Self.tests),
            ("scenarios.jsonl", Self.scenarios),
            ("README.md", Self.readme),
        ]
        .map { name, text in
            // The path comes last, so that its content is not replaced.
            (
                name.replacing("INTENT", with: intent),
                text.replacing("INTENT", with: intent).replacing("DEPENDENCY", with: dependency)
                    .replacing("BUILD", with: build)
            )
        }
    }

    /// The dependency on intentd's package at a path.
    private static func dependency(_ path: String) -> String {
        let literal = path.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        return ".package(name: \"intentd\", path: \"\(literal)\")"
    }

    /// The build directory of a package at a path, as a shell takes it.
    private static func scratchPath(_ path: String) -> String {
        "'\(path.replacing("'", with: "'\\''"))/.build'"
    }

    /// The dependency that still has to be filled in.
    private static let placeholder = """
        // Set the location of intentd: its repository's URL, or .package(name: "intentd", path: "../intentd").
                .package(url: "https://git.example.com/intentd.git", branch: "main")
        """

    private static let manifest = """
        // swift-tools-version: 6.2
        import PackageDescription

        let package = Package(
            name: "INTENT",
            platforms: [.macOS(.v15)],
            dependencies: [
                DEPENDENCY
            ],
            targets: [
                // The intent, its handler and its tables.
                .target(name: "INTENT", dependencies: [.product(name: "IntentKit", package: "intentd")]),
                // intentd with that intent in it.
                .executableTarget(
                    name: "INTENTServer",
                    dependencies: ["INTENT", .product(name: "IntentCommands", package: "intentd")]
                ),
                .testTarget(
                    name: "INTENTTests",
                    dependencies: ["INTENT", .product(name: "IntentTesting", package: "intentd")]
                ),
            ]
        )

        """

    private static let intent = """
        import IntentKit

        /// The intent that users can request.
        struct INTENTIntent: Intent {
            /// The item.
            @Parameter(title: "Item", prompt: "What would you like?") var item: String?
            /// The number of items.
            @Parameter(prompt: "How many?", isRequired: true, in: 1...99) var count: Int?
        }

        """

    private static let handler = """
        import IntentKit

        /// Resolves the item with the user, asks for confirmation of large orders, and orders once.
        struct INTENTHandler: IntentHandler {
            static let items = ["green tea", "black tea", "coffee"]

            var handling: Handling<INTENTIntent> {
                // Resolves the user's words. The property's constraints have been checked before.
                Resolve(\\.$item) { said, context in
                    guard let said else { return .needsValue() }
                    let matches = Self.items.filter { $0.contains(said.lowercased()) }
                    if matches.count == 1 { return .success(with: matches[0]) }
                    return .disambiguation(with: matches.isEmpty ? Self.items : matches)
                }

                // Whether the intent can be handled now. Makes no effects.
                Confirm { intent, context in
                    IntentResponse(code: .ready, requiresUserConfirmation: (intent.count ?? 0) > 4)
                }

                // Performs the task. An effect happens once, however often the handler is called after a crash.
                Handle { intent, context in
                    let user = JSONValue.string(context.user.id)
                    let (item, count) = (intent.item ?? "", intent.count ?? 0)
                    let orders = try await context.effect("order") { store in
                        try store.execute(
                            "INSERT INTO orders (user_id, item, count) VALUES (?, ?, ?)",
                            [user, .string(item), .integer(Int64(count))]
                        )
                        return try store.query("SELECT count(*) FROM orders WHERE user_id = ?", [user], as: Int.self)[0]
                    }
                    return IntentResponse(code: .success, details: ["ordersSoFar": .integer(Int64(orders))])
                }
            }
        }

        """

    private static let intentExtension = """
        import IntentKit

        extension IntentExtension {
            /// The intents of this package. Change a handler's version when its decisions change.
            public static let app = IntentExtension(
                "INTENT",
                migrations: [
                    StoreMigration(
                        "INTENT/1",
                        sql: "CREATE TABLE orders (user_id TEXT NOT NULL, item TEXT NOT NULL, count INTEGER NOT NULL)"
                    )
                ]
            ) {
                IntentRegistration(version: "1") { INTENTHandler() }
            }
        }

        """

    private static let server = """
        import INTENT
        import IntentCommands

        /// All of intentd's commands, with the intents of this package.
        @main
        enum INTENTServer {
            static func main() async {
                await IntentdCommand.main(extensions: [.app])
            }
        }

        """

    private static let tests = """
        import Foundation
        import INTENT
        import IntentKit
        import IntentTesting
        import Testing

        @Suite("INTENT")
        struct INTENTTests {
            @Test("The user is asked which one and how many, and confirms a large order")
            func asksAndConfirmsLargeOrders() async throws {
                try await TestDeployment.with(.app) { app in
                    let order = try await app.ask("INTENTIntent", ["item": "tea"])
                    let choice = try await order.prompt(.disambiguation, of: "item")
                    #expect(choice.options == ["green tea", "black tea"])
                    try await order.choose("black tea")
                    try await order.prompt(.needsValue, of: "count")
                    try await order.answer(5)
                    try await order.prompt(.intentConfirmation)
                    try await order.accept()
                    let response = try await order.response()
                    #expect(response.code == "success")
                    #expect(response.details["ordersSoFar"] == 1)
                    // Replays every turn from the journal alone, and compares the bytes.
                    try await app.replay()
                }
            }

            @Test("It is ordered once, however often the handler is called after a crash")
            func ordersOnceDespiteCrashes() async throws {
                let handler = try TestHandler("INTENTIntent", of: .app)
                for _ in 0..<2 {
                    let response = try await handler.handle(["item": "coffee", "count": 1])
                    #expect(response.details["ordersSoFar"] == 1)
                }
                #expect(try await handler.effects() == ["order"])
            }

            @Test("The scenarios end as expected")
            func scenariosEndAsExpected() async throws {
                let folder = URL(filePath: #filePath)
                    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
                try await TestDeployment.with(.app) { app in
                    try await app.play(scenarios: folder.appending(path: "scenarios.jsonl"))
                }
            }
        }

        """

    private static let scenarios = #"""
        {"name": "which-tea-and-how-many", "user": "ann", "intent": {"name": "INTENTIntent", "parameters": {"item": "tea"}}, "choices": {"item": "black tea"}, "answers": {"count": 2}, "expect": {"code": "success", "effects": ["order"], "parameters": {"item": "black tea", "count": 2}, "prompts": ["disambiguation:item", "needsValue:count"]}}
        {"name": "many-are-confirmed", "user": "bob", "intent": {"name": "INTENTIntent", "parameters": {"item": "Coffee", "count": 20}}, "confirmations": [{"action": "decline"}], "expect": {"endReason": "declined", "effects": [], "prompts": ["intentConfirmation"]}}
        {"name": "more-than-there-may-be", "user": "cid", "intent": {"name": "INTENTIntent", "parameters": {"item": "coffee", "count": 100}}, "answers": {"count": 1}, "expect": {"code": "success", "parameters": {"item": "coffee", "count": 1}, "prompts": ["unsupported:count"]}}

        """#

    private static let readme = """
        # INTENT

        An intent for intentd, with its handler in Swift.

        ```sh
        build=BUILD
        # The handler, a conversation, the scenarios: in milliseconds.
        swift test --scratch-path "$build"
        # Its parameters and codes.
        swift run --scratch-path "$build" INTENTServer intents INTENTIntent
        # The same scenarios, through the embedded broker.
        swift run --scratch-path "$build" INTENTServer test scenarios.jsonl
        # Serves it, until Ctrl-C.
        swift run --scratch-path "$build" INTENTServer up
        # In another terminal, with `build` set as above.
        swift run --scratch-path "$build" INTENTServer ask INTENTIntent item=tea
        ```

        `Package.swift` has the location of intentd. intentd's `Tests/setup.sh` installs the libraries that it needs. In
        intentd's own build directory only this package is left to build; without `--scratch-path` the first build takes
        minutes.

        - `Sources/INTENT/INTENTIntent.swift`: the parameters and their constraints.
        - `Sources/INTENT/INTENTHandler.swift`: resolves, confirms and handles the intent.
        - `Sources/INTENT/INTENTExtension.swift`: the table that it needs, and its registration.
        - `Tests/INTENTTests`, `scenarios.jsonl`: conversations and their expected results.

        """
}
