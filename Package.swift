// swift-tools-version: 6.2
import PackageDescription

/// One list of settings for every target: stricter language features, and warnings as errors.
///
/// The compiler silently ignores a misspelt feature name; `Sources/Kit/IntentKit/FeatureGuards.swift` fails the build if
/// one of these features is not on.
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("ImmutableWeakCaptures"),
    .treatAllWarnings(as: .error),
]

/// The commit that `intentd --version` names: a build made outside a checkout must still be identifiable.
///
/// From the environment (`SOURCE_COMMIT=$(git rev-parse --short=12 HEAD) swift build …`); without it "unknown".
let commit: [CSetting] =
    if let commit = Context.environment["SOURCE_COMMIT"] {
        [.define("INTENTD_COMMIT", to: "\"\(commit.filter { $0.isASCII && ($0.isLetter || $0.isNumber) })\"")]
    } else {
        []
    }

/// Whether `intentd` allocates with jemalloc, as it does unless `WITHOUT_JEMALLOC` is in the environment.
///
/// The sanitizers bring an allocator of their own, which has to see every allocation (`Tests/sanitizers.sh`).
let jemalloc = Context.environment["WITHOUT_JEMALLOC"] == nil

let nioCore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioEmbedded = Target.Dependency.product(name: "NIOEmbedded", package: "swift-nio")
let nioHTTP1 = Target.Dependency.product(name: "NIOHTTP1", package: "swift-nio")
let nioPosix = Target.Dependency.product(name: "NIOPosix", package: "swift-nio")
let coreMetrics = Target.Dependency.product(name: "CoreMetrics", package: "swift-metrics")
let tracing = Target.Dependency.product(name: "Tracing", package: "swift-distributed-tracing")
let instrumentation = Target.Dependency.product(name: "Instrumentation", package: "swift-distributed-tracing")
let inMemoryTracing = Target.Dependency.product(name: "InMemoryTracing", package: "swift-distributed-tracing")
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let grdbSQLite = Target.Dependency.product(name: "GRDBSQLite", package: "GRDB.swift")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let serviceLifecycle = Target.Dependency.product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let unixSignals = Target.Dependency.product(name: "UnixSignals", package: "swift-service-lifecycle")
let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")

let package = Package(
    name: "intentd",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "intentd", targets: ["intentd"]),
        .library(name: "IntentKit", targets: ["IntentKit"]),
        .library(name: "IntentCommands", targets: ["IntentCommands"]),
        .library(name: "IntentTesting", targets: ["IntentTesting"]),
        .library(name: "PostgreSQLLedger", targets: ["PostgreSQLLedger"]),
        .library(name: "SiriKitIntents", targets: ["SiriKitIntents"]),
        .library(name: "SampleApps", targets: ["SampleApps"]),
        .library(name: "IntentBenchmarks", targets: ["IntentBenchmarks"]),
        .library(name: "IntentFuzzing", targets: ["IntentFuzzing"]),
        .executable(name: "intent-simulation", targets: ["intent-simulation"]),
    ],
    traits: [
        .trait(name: "PostgreSQL", description: "Keeps effects in PostgreSQL, through libpq (ledger: postgresql://…).")
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0"),
    ],
    targets: [
        .systemLibrary(
            name: "CRDKafka",
            path: "Sources/System/CRDKafka",
            pkgConfig: "rdkafka",
            providers: [.apt(["librdkafka-dev"]), .brew(["librdkafka"])]
        ),
        .systemLibrary(
            name: "CLibCrypto",
            path: "Sources/System/CLibCrypto",
            pkgConfig: "libcrypto",
            providers: [.apt(["libssl-dev"]), .brew(["openssl"])]
        ),
        .target(
            name: "LibCrypto",
            dependencies: ["CLibCrypto"],
            path: "Sources/System/LibCrypto",
            swiftSettings: settings
        ),
        .systemLibrary(
            name: "CSQLite",
            path: "Sources/System/CSQLite",
            pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite3"])]
        ),
        .systemLibrary(
            name: "CPostgreSQL",
            path: "Sources/System/CPostgreSQL",
            pkgConfig: "libpq",
            providers: [.apt(["libpq-dev"]), .brew(["libpq"])]
        ),
        .systemLibrary(
            name: "CLibCurl",
            path: "Sources/System/CLibCurl",
            pkgConfig: "libcurl",
            providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]
        ),
        .target(name: "LibCurl", dependencies: ["CLibCurl"], path: "Sources/System/LibCurl", swiftSettings: settings),
        .systemLibrary(
            name: "CJemalloc",
            path: "Sources/System/CJemalloc",
            pkgConfig: "jemalloc",
            providers: [.apt(["libjemalloc-dev"]), .brew(["jemalloc"])]
        ),
        .target(name: "CAllocatorOptions", path: "Sources/System/CAllocatorOptions"),
        .systemLibrary(
            name: "CZlib",
            path: "Sources/System/CZlib",
            pkgConfig: "zlib",
            providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]
        ),
        .systemLibrary(
            name: "CLZ4",
            path: "Sources/System/CLZ4",
            pkgConfig: "liblz4",
            providers: [.apt(["liblz4-dev"]), .brew(["lz4"])]
        ),
        .systemLibrary(
            name: "CZstd",
            path: "Sources/System/CZstd",
            pkgConfig: "libzstd",
            providers: [.apt(["libzstd-dev"]), .brew(["zstd"])]
        ),
        .systemLibrary(
            name: "CSnappy",
            path: "Sources/System/CSnappy",
            pkgConfig: "snappy",
            providers: [.apt(["libsnappy-dev"]), .brew(["snappy"])]
        ),
        .target(name: "IntentKit", dependencies: ["LibCrypto"], path: "Sources/Kit/IntentKit", swiftSettings: settings),
        .target(
            name: "Telemetry",
            dependencies: [coreMetrics, instrumentation, tracing],
            path: "Sources/System/Telemetry",
            swiftSettings: settings
        ),
        .target(
            name: "IntentEvents",
            dependencies: ["IntentKit"],
            path: "Sources/Core/IntentEvents",
            swiftSettings: settings
        ),
        .target(name: "WireRules", dependencies: ["IntentKit"], path: "Sources/Kit/WireRules", swiftSettings: settings),
        .target(
            name: "IntentRuntime",
            dependencies: [
                "Telemetry",
                "IntentKit", "IntentEvents", "SpokenValues", "LibCrypto", coreMetrics, logging, tracing,
            ],
            path: "Sources/Core/IntentRuntime",
            swiftSettings: settings
        ),
        .target(
            name: "IntentScenarios",
            dependencies: ["IntentKit", "IntentEvents", "IntentRuntime"],
            path: "Sources/Operations/IntentScenarios",
            swiftSettings: settings
        ),
        .target(
            name: "WireDocuments",
            dependencies: ["IntentKit", "IntentEvents", "IntentRuntime", "WireRules"],
            path: "Sources/Operations/WireDocuments",
            swiftSettings: settings
        ),
        .target(
            name: "InMemoryLog",
            dependencies: ["IntentEvents", "IntentRuntime"],
            path: "Sources/Drivers/InMemoryLog",
            swiftSettings: settings
        ),
        .target(
            name: "KafkaLog",
            dependencies: [
                "Telemetry", "IntentKit", "IntentEvents", "IntentRuntime", "CRDKafka", coreMetrics, logging,
            ],
            path: "Sources/Drivers/KafkaLog",
            swiftSettings: settings
        ),
        .target(
            name: "Connections",
            dependencies: ["Telemetry", nioCore, logging],
            path: "Sources/System/Connections",
            swiftSettings: settings
        ),
        .target(
            name: "LocalHTTP",
            dependencies: ["Connections", nioCore, nioHTTP1, nioPosix, logging, serviceLifecycle],
            path: "Sources/System/LocalHTTP",
            swiftSettings: settings
        ),
        .target(name: "CChecksum", path: "Sources/System/CChecksum"),
        .target(
            name: "EmbeddedBroker",
            dependencies: [
                "Connections", "Telemetry",
                "CChecksum", "CZlib", "CLZ4", "CZstd", "CSnappy", nioCore, nioPosix, grdb, grdbSQLite, logging,
            ],
            path: "Sources/Broker/EmbeddedBroker",
            exclude: ["Messages"],
            swiftSettings: settings
        ),
        // Makes EmbeddedBroker/Generated from EmbeddedBroker/Messages.
        .target(name: "MessageGenerator", path: "Sources/Broker/MessageGenerator", swiftSettings: settings),
        .executableTarget(
            name: "generate-messages",
            dependencies: ["MessageGenerator"],
            path: "Sources/Broker/generate-messages",
            swiftSettings: settings
        ),
        .target(
            name: "SQLiteStore",
            dependencies: ["CSQLite", "IntentKit", "IntentEvents", "IntentRuntime", grdb, grdbSQLite],
            path: "Sources/Drivers/SQLiteStore",
            swiftSettings: settings
        ),
        .target(
            name: "IntentLedger",
            dependencies: ["SQLiteStore", "IntentKit", "IntentEvents", "IntentRuntime", grdb],
            path: "Sources/Drivers/IntentLedger",
            swiftSettings: settings
        ),
        .target(
            name: "IntentRecords",
            dependencies: [
                "SQLiteStore", "Telemetry", "IntentKit", "IntentEvents", "IntentRuntime", grdb, coreMetrics, logging,
                serviceLifecycle,
            ],
            path: "Sources/Drivers/IntentRecords",
            swiftSettings: settings
        ),
        // Empty without the trait.
        .target(
            name: "PostgreSQLLedger",
            dependencies: [
                .target(name: "CPostgreSQL", condition: .when(traits: ["PostgreSQL"])), "IntentKit",
            ],
            path: "Sources/Drivers/PostgreSQLLedger",
            swiftSettings: settings
        ),
        .target(
            name: "IntentAudit",
            dependencies: [
                "IntentKit", "IntentEvents", "IntentRuntime", "IntentScenarios", "SQLiteStore", "IntentLedger",
                "IntentRecords", grdb,
            ],
            path: "Sources/Operations/IntentAudit",
            swiftSettings: settings
        ),
        .target(
            name: "DeclaredIntents",
            dependencies: ["Telemetry", "IntentKit", "WireRules", "LibCrypto", "LibCurl", instrumentation, tracing],
            path: "Sources/Kit/DeclaredIntents",
            swiftSettings: settings
        ),
        .target(
            name: "SpokenValues",
            dependencies: ["IntentKit"],
            path: "Sources/Kit/SpokenValues",
            swiftSettings: settings
        ),
        .target(
            name: "SiriKitIntents",
            dependencies: ["IntentKit"],
            path: "Sources/Kit/SiriKitIntents",
            swiftSettings: settings
        ),
        .target(
            name: "SampleApps",
            dependencies: ["IntentKit", "SiriKitIntents"],
            path: "Sources/Samples/SampleApps",
            swiftSettings: settings
        ),
        .target(
            name: "IntentTesting",
            dependencies: [
                "IntentKit", "IntentEvents", "IntentRuntime", "IntentScenarios", "IntentLedger", "IntentAudit",
                "InMemoryLog", logging,
            ],
            path: "Sources/Faces/IntentTesting",
            swiftSettings: settings
        ),
        .target(
            name: "PrometheusMetrics",
            dependencies: [coreMetrics],
            path: "Sources/System/PrometheusMetrics",
            swiftSettings: settings
        ),
        .target(
            name: "OTLPTraces",
            dependencies: ["Telemetry", "LibCurl", coreMetrics, logging, serviceLifecycle, tracing],
            path: "Sources/System/OTLPTraces",
            swiftSettings: settings
        ),
        .target(name: "CCommit", path: "Sources/System/CCommit", cSettings: commit),
        .target(name: "CCrashMarks", path: "Sources/System/CCrashMarks"),
        .target(
            name: "IntentOperations",
            dependencies: [
                "CCommit", "CCrashMarks", "LocalHTTP", "Telemetry", "IntentKit", "IntentEvents",
                "IntentRuntime", "KafkaLog", "EmbeddedBroker", "SQLiteStore", "IntentLedger", "IntentRecords",
                "IntentAudit", "DeclaredIntents", "LibCrypto", "LibCurl", "PrometheusMetrics", "OTLPTraces",
                coreMetrics,
                logging, serviceLifecycle, unixSignals, tracing,
                .product(name: "Yams", package: "Yams"),
            ],
            path: "Sources/Operations/IntentOperations",
            swiftSettings: settings
        ),
        .target(
            name: "IntentConsole",
            dependencies: [
                "IntentOperations", "LocalHTTP", "Telemetry", "IntentKit", "IntentEvents", "IntentRuntime",
                "IntentRecords", "IntentAudit", serviceLifecycle,
            ],
            path: "Sources/Faces/IntentConsole",
            resources: [.embedInCode("Assets/console.css"), .embedInCode("Assets/console.js")],
            swiftSettings: settings
        ),
        .target(
            name: "IntentGateway",
            dependencies: [
                "IntentOperations", "LocalHTTP", "Telemetry", "IntentKit", "IntentEvents", "IntentRuntime",
                "SQLiteStore", "WireDocuments", "WireRules", "LibCrypto", "LibCurl", grdb, coreMetrics, logging,
                serviceLifecycle,
            ],
            path: "Sources/Faces/IntentGateway",
            resources: [.embedInCode("Demo/demo.html"), .embedInCode("Demo/demo.js"), .embedInCode("Demo/intentd.js")],
            swiftSettings: settings
        ),
        .target(
            name: "IntentCommands",
            dependencies: [
                "IntentOperations", "IntentConsole", "IntentGateway", "LocalHTTP", "Connections", "Telemetry",
                "IntentKit",
                "IntentEvents", "IntentRuntime", "IntentScenarios", "KafkaLog",
                "SQLiteStore", "IntentLedger", "IntentRecords", "IntentAudit", "DeclaredIntents", "WireDocuments",
                "WireRules", "LibCrypto", "LibCurl", argumentParser, logging,
                serviceLifecycle, unixSignals, coreMetrics, tracing,
            ] + (jemalloc ? ["CJemalloc", "CAllocatorOptions"] : []),
            path: "Sources/Faces/IntentCommands",
            swiftSettings: settings + (jemalloc ? [.define("JEMALLOC")] : [])
        ),
        // Only one test target depends on it, since all of them are linked into one program. In a statically linked
        // program, Swift's runtime does not find the arguments after the constructor has called setenv.
        .target(name: "CTestWidth", path: "Tests/CTestWidth", publicHeadersPath: "."),
        .target(
            name: "IntentLab",
            dependencies: [
                "Connections", "IntentKit", "IntentEvents", "IntentRuntime", "IntentScenarios", "SQLiteStore",
                "IntentLedger", "IntentRecords", "InMemoryLog",
                "DeclaredIntents", "WireDocuments", "WireRules", coreMetrics, logging,
            ],
            path: "Tests/IntentLab",
            swiftSettings: settings
        ),
        .target(
            name: "IntentBenchmarks",
            dependencies: [
                "IntentKit", "IntentEvents", "IntentRuntime", "InMemoryLog", "KafkaLog", "EmbeddedBroker",
                "SQLiteStore", "IntentLedger", "IntentRecords", "IntentAudit", "IntentLab", "PrometheusMetrics",
                argumentParser, logging,
            ],
            path: "Benchmarks/IntentBenchmarks",
            swiftSettings: settings
        ),
        .target(name: "CAllocations", path: "Tests/Allocations/CAllocations"),
        .executableTarget(
            name: "turn-allocations",
            dependencies: ["CAllocations", "IntentLab", "IntentRuntime", "OTLPTraces", argumentParser],
            path: "Tests/Allocations/turn-allocations",
            swiftSettings: settings
        ),
        // Uses internals of modules that were built for testing; in other builds it is empty.
        .target(
            name: "IntentFuzzing",
            dependencies: [
                "IntentKit", "IntentEvents", "IntentRuntime", "InMemoryLog", "EmbeddedBroker", "IntentLedger",
                "DeclaredIntents", "SampleApps", "IntentOperations", "IntentLab", "CZlib", "CLZ4", "CZstd", "CSnappy",
                logging, nioCore,
            ],
            path: "Tests/Fuzzing/IntentFuzzing",
            swiftSettings: settings
        ),
        .target(name: "CSimulationHooks", path: "Tests/Simulation/CSimulationHooks"),
        .target(
            name: "IntentSimulation",
            dependencies: [
                "IntentKit", "IntentEvents", "IntentRuntime", "InMemoryLog", "SQLiteStore", "IntentRecords",
                "IntentLab",
                "OTLPTraces", "Telemetry", "CSimulationHooks", grdb, logging,
            ],
            path: "Tests/Simulation/IntentSimulation",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "intent-simulation",
            dependencies: ["IntentSimulation", argumentParser],
            path: "Tests/Simulation/intent-simulation",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "intentd",
            dependencies: [
                "IntentCommands", "IntentKit", "SampleApps", "SiriKitIntents",
                .target(name: "PostgreSQLLedger", condition: .when(traits: ["PostgreSQL"])),
            ],
            path: "Sources/Faces/intentd",
            swiftSettings: settings
        ),
        .testTarget(name: "LibCryptoTests", dependencies: ["LibCrypto"], swiftSettings: settings),
        .testTarget(
            name: "IntentKitTests",
            dependencies: ["IntentKit", "SiriKitIntents", "IntentLab"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "IntentEventsTests",
            dependencies: ["IntentEvents", "IntentKit", "IntentLab"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "WireRulesTests",
            dependencies: ["WireRules", "WireDocuments", "IntentKit", "IntentEvents", "IntentRuntime"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "IntentScenariosTests",
            dependencies: ["IntentScenarios", "IntentKit", "IntentEvents", "IntentRuntime", "InMemoryLog"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "SpokenValuesTests",
            dependencies: ["SpokenValues", "IntentKit"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "SiriKitIntentsTests",
            dependencies: ["SiriKitIntents", "IntentKit", "IntentTesting"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "DeclaredIntentsTests",
            dependencies: ["DeclaredIntents", "IntentKit", "IntentLab"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "SampleAppsTests",
            dependencies: ["SampleApps", "SiriKitIntents", "IntentKit", "IntentLab", grdb],
            swiftSettings: settings
        ),
        .testTarget(
            name: "IntentRuntimeTests",
            dependencies: [
                "Telemetry",
                "IntentRuntime", "IntentEvents", "IntentKit", "IntentLab", "InMemoryLog", "WireDocuments",
                "WireRules", "OTLPTraces", "PrometheusMetrics",
                coreMetrics, logging, tracing, inMemoryTracing,
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "InMemoryLogTests",
            dependencies: ["InMemoryLog", "IntentEvents", "IntentRuntime", "IntentLab"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "KafkaLogTests",
            dependencies: [
                "Telemetry",
                "KafkaLog", "CRDKafka", "EmbeddedBroker", "IntentEvents", "IntentRuntime", "IntentLab",
                "PrometheusMetrics", grdb, logging,
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "IntentCommandsTests",
            dependencies: [
                "IntentCommands", "IntentConsole", "IntentGateway", "IntentOperations", "LocalHTTP", "IntentAudit",
                "DeclaredIntents", "SampleApps", "SiriKitIntents", "IntentKit",
                "IntentEvents", "IntentRuntime", "IntentScenarios", "IntentLedger", "IntentRecords", "InMemoryLog",
                "IntentLab", "EmbeddedBroker", "KafkaLog",
                "Telemetry", "WireDocuments", "LibCurl", nioCore, nioPosix, logging,
            ] + (jemalloc ? ["CJemalloc"] : []),
            swiftSettings: settings + (jemalloc ? [.define("JEMALLOC")] : [])
        ),
        .testTarget(
            name: "IntentOperationsTests",
            dependencies: [
                "IntentOperations", "LocalHTTP", "IntentAudit", "SampleApps", "IntentKit", "IntentEvents",
                "IntentRuntime", "IntentRecords", "IntentScenarios", "InMemoryLog", "IntentFuzzing", "IntentLab",
                "PrometheusMetrics", logging, inMemoryTracing,
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "EmbeddedBrokerTests",
            dependencies: [
                "Connections", "EmbeddedBroker", "IntentFuzzing", "IntentLab", "MessageGenerator",
                "CZlib", "CLZ4", "CZstd", "CSnappy", grdb, logging, nioCore, nioEmbedded, nioPosix,
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "SQLiteStoreTests",
            dependencies: ["SQLiteStore", "IntentRuntime", "IntentEvents", "IntentKit", "IntentLab", grdb],
            swiftSettings: settings
        ),
        .testTarget(
            name: "IntentLedgerTests",
            dependencies: [
                "IntentLedger", "IntentRuntime", "IntentEvents", "IntentKit", "InMemoryLog", "IntentLab", grdb,
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "IntentRecordsTests",
            dependencies: [
                "IntentRecords", "IntentLedger", "SQLiteStore", "IntentRuntime", "IntentEvents", "IntentKit",
                "InMemoryLog", "IntentLab", grdb, logging,
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "PostgreSQLLedgerTests",
            dependencies: [
                .target(
                    name: "CPostgreSQL",
                    condition: .when(traits: ["PostgreSQL"])
                ), "PostgreSQLLedger",
                "IntentLedger",
                "IntentKit", "IntentLab",
                "IntentEvents", "IntentRuntime", "InMemoryLog",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "IntentSimulationTests",
            dependencies: ["intent-simulation"],
            path: "Tests/Simulation/IntentSimulationTests",
            swiftSettings: settings
        ),
        .testTarget(
            name: "IntentAuditTests",
            dependencies: [
                "IntentAudit", "SQLiteStore", "IntentLedger", "IntentRecords", "IntentRuntime", "IntentEvents",
                "IntentKit", "IntentLab", "IntentScenarios", "InMemoryLog", grdb, logging,
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "IntentTestingTests",
            dependencies: ["IntentTesting", "IntentKit"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "IntentConsoleTests",
            dependencies: [
                "LocalHTTP", "IntentConsole", "IntentOperations", "IntentRecords", "IntentAudit", "IntentRuntime",
                "IntentEvents", "IntentKit", "IntentLab", "InMemoryLog", grdb,
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "IntentGatewayTests",
            dependencies: [
                "LocalHTTP", "IntentGateway", "IntentOperations", "WireDocuments", "LibCrypto", "IntentRuntime",
                "IntentEvents", "IntentKit", "IntentLab", "InMemoryLog", "KafkaLog", "EmbeddedBroker",
                "DeclaredIntents", grdb, logging,
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "LocalHTTPTests",
            dependencies: ["LocalHTTP", "IntentLab", logging, nioCore, nioPosix],
            swiftSettings: settings
        ),
        .testTarget(
            name: "PrometheusMetricsTests",
            dependencies: ["PrometheusMetrics", coreMetrics],
            swiftSettings: settings
        ),
        .testTarget(
            name: "OTLPTracesTests",
            dependencies: [
                "OTLPTraces", "Telemetry", instrumentation, tracing,
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "IntegrationTests",
            dependencies: [
                "Telemetry",
                "IntentKit", "IntentEvents", "IntentRuntime", "InMemoryLog", "KafkaLog", "EmbeddedBroker",
                "IntentScenarios", "SQLiteStore", "IntentLedger", "IntentRecords", "IntentAudit", "DeclaredIntents",
                "SampleApps", "SiriKitIntents", "IntentTesting",
                "IntentFuzzing", "IntentLab", "WireDocuments", "WireRules", "LibCurl", "OTLPTraces", "CTestWidth",
                "PrometheusMetrics", logging, serviceLifecycle, tracing, nioCore, nioHTTP1, nioPosix,
            ],
            swiftSettings: settings
        ),
    ]
)
