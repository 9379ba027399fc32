import Foundation
import Testing

/// The picture of the targets in the article on the design, compared with the manifest.
@Suite("Design.md's picture of the targets")
struct TargetPictureTests {
    private static let package = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: Self.package.appending(path: path), encoding: .utf8)
    }

    /// The Swift targets except those of tests, each with the targets that it names as its dependencies.
    static func targets(inManifest manifest: String) throws -> [String: Set<String>] {
        let list = try #require(manifest.range(of: "\n    targets: [")).upperBound
        var targets: [String: Set<String>] = [:]
        // The text before the first one is empty.
        let declarations = manifest[list...]
            .split(separator: #/\n {8}\.(?=(?:executableTarget|target|testTarget|systemLibrary)\()/#)
        for declaration in declarations
        where declaration.hasPrefix("target(") || declaration.hasPrefix("executableTarget(") {
            let name = try #require(declaration.firstMatch(of: #/name: "([^"]+)"/#)).output.1
            let dependencies =
                declaration.firstMatch(of: #/dependencies: \[((?:[^\[\]]|\[[^\]]*\])*)\]/#)?.output.1 ?? ""
            targets[String(name)] = Set(dependencies.matches(of: #/"([^"]+)"/#).map { String($0.output.1) })
        }
        let inC = Set(targets.keys.filter { $0.wholeMatch(of: #/C[A-Z].*/#) != nil })
        return targets.filter { !inC.contains($0.key) }
            .mapValues { $0.filter { targets[$0] != nil && !inC.contains($0) } }
    }

    /// The arrows from which the others follow.
    static func arrows(of targets: [String: Set<String>]) -> Set<String> {
        func reached(from name: String) -> Set<String> {
            (targets[name] ?? []).reduce(into: []) { $0.formUnion(reached(from: $1).union([$1])) }
        }
        var arrows: Set<String> = []
        for (name, direct) in targets {
            let indirect = direct.reduce(into: Set<String>()) { $0.formUnion(reached(from: $1)) }
            for other in direct.subtracting(indirect) { arrows.insert("\(name) --> \(other)") }
        }
        return arrows
    }

    /// The lines of the picture that are arrows.
    static func arrows(inArticle article: String) throws -> Set<String> {
        let picture = try #require(article.firstMatch(of: #/```mermaid\n([\s\S]*?)```/#), "there is no picture").output
            .1
        let lines = picture.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        return Set(lines.filter { $0.contains("-->") })
    }

    @Test("The picture has each arrow from which the others follow, and no other")
    func drawsExactlyTheManifestsArrows() throws {
        let drawn = try Self.arrows(inArticle: Self.text("Sources/Core/IntentRuntime/Documentation.docc/Design.md"))
        let wanted = Self.arrows(of: try Self.targets(inManifest: Self.text("Package.swift")))
        #expect(wanted.subtracting(drawn).sorted() == [], "not in the picture")
        #expect(drawn.subtracting(wanted).sorted() == [], "not in the manifest")
    }

    @Test("A missing arrow would be detected")
    func detectsMissingArrow() throws {
        let manifest = """
            let package = Package(
                targets: [
                    .systemLibrary(name: "CLib", pkgConfig: "lib"),
                    .target(name: "A", dependencies: ["CLib"]),
                    .target(
                        name: "B",
                        dependencies: ["A", logging]
                    ),
                    .executableTarget(
                        name: "c",
                        dependencies: ["B", .target(name: "A", condition: .when(traits: ["All"]))]
                    ),
                    .testTarget(name: "BTests", dependencies: ["B"]),
                ]
            )
            """
        let wanted = Self.arrows(of: try Self.targets(inManifest: manifest))
        #expect(wanted == ["B --> A", "c --> B"])
        #expect(try Self.arrows(inArticle: "```mermaid\nflowchart BT\n  B --> A\n```\n") != wanted)
    }

    @Test("a package with handlers of its own builds no sample apps")
    func commandsAlone() throws {
        let targets = try Self.targets(inManifest: Self.text("Package.swift"))
        func reached(from name: String) -> Set<String> {
            (targets[name] ?? []).reduce(into: []) { $0.formUnion(reached(from: $1).union([$1])) }
        }
        #expect(reached(from: "IntentCommands").isDisjoint(with: ["SampleApps", "SiriKitIntents"]))
        #expect(reached(from: "intentd").contains("SampleApps"))
    }

    /// The layers that each layer's targets may depend on, its own included; the folders of `Sources` are the layers.
    private static let below: [String: Set<String>] = [
        "Faces": ["Faces", "Operations", "Drivers", "Core", "Kit", "System", "Broker", "Samples"],
        "Operations": ["Operations", "Drivers", "Core", "Kit", "System", "Broker"],
        "Drivers": ["Drivers", "Core", "Kit", "System"],
        "Core": ["Core", "Kit", "System"],
        "Kit": ["Kit", "System"],
        "System": ["System"],
        "Broker": ["Broker", "System"],
        "Samples": ["Samples", "Kit"],
    ]

    @Test("Targets depend only on their own layer and on layers below it")
    func targetsDependOnLowerLayers() throws {
        let manifest = try Self.text("Package.swift")
        let paths = manifest.matches(of: #/path: "Sources\/(\w+)\/([\w-]+)"/#)
        let layers = Dictionary(uniqueKeysWithValues: paths.map { (String($0.output.2), String($0.output.1)) })
        #expect(Set(layers.values) == Set(Self.below.keys))
        for (name, dependencies) in try Self.targets(inManifest: manifest) {
            guard let layer = layers[name] else { continue }
            let allowed = try #require(Self.below[layer])
            for other in dependencies {
                let reached = try #require(layers[other], "\(other) is not below Sources")
                #expect(allowed.contains(reached), "\(layer)/\(name) depends on \(reached)/\(other)")
            }
        }
    }

    @Test("No released target depends on a test target")
    func releasedTargetsDoNotDependOnTests() throws {
        let manifest = try Self.text("Package.swift")
        let targets = try Self.targets(inManifest: manifest)
        let judging = Set(
            manifest.matches(of: #/name: "([^"]+)",(?:[^()]|\([^()]*\))*?path: "(?:Tests|Benchmarks)/#)
                .map { String($0.output.1) }
        )
        #expect(judging.contains("IntentLab"))
        for (name, dependencies) in targets where !judging.contains(name) {
            #expect(dependencies.isDisjoint(with: judging), "\(name)")
        }
    }
}
