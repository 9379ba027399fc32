// swift-tools-version: 6.2
import PackageDescription

/// The executables of the benchmarks, and the framework that nothing else needs.
///
/// The code itself is the main package's target `IntentBenchmarks`: the measured code has `package` access.
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]

let package = Package(
    name: "intentd-benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "intentd", path: "../"),
        // Without its traits: their allocation counters require jemalloc.
        .package(url: "https://github.com/ordo-one/benchmark", exact: "1.38.1", traits: []),
    ],
    targets: [
        .executableTarget(
            name: "pipeline-benchmark",
            dependencies: [.product(name: "IntentBenchmarks", package: "intentd")],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "turn-benchmark",
            dependencies: [.product(name: "IntentBenchmarks", package: "intentd")],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "Micro",
            dependencies: [
                .product(name: "Benchmark", package: "benchmark"),
                .product(name: "IntentBenchmarks", package: "intentd"),
            ],
            path: "Benchmarks/Micro",
            swiftSettings: settings,
            plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]
        ),
    ]
)
