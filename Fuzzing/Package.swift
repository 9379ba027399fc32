// swift-tools-version: 6.2
import PackageDescription

/// The fuzz targets: one executable, built with coverage for libFuzzer (`run.sh`).
///
/// What they drive is the tests' own: `Sources/fuzz/Shared` links to files in `../Tests`, so that a crash found here is
/// the same test there. Warnings stay warnings, since from here those files extend another package's types.
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

let package = Package(
    name: "intentd-fuzzing",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "intentd", path: "../")],
    targets: [
        .target(name: "CLibFuzzer"),
        .executableTarget(
            name: "fuzz",
            dependencies: [
                "CLibFuzzer",
                .product(name: "IntentCommands", package: "intentd"),
                .product(name: "IntentTestKit", package: "intentd"),
                .product(name: "IntentBenchmarks", package: "intentd"),
            ],
            swiftSettings: settings
        ),
    ]
)
