// swift-tools-version: 6.2
import PackageDescription

/// The fuzz targets: one executable, built with coverage for libFuzzer (`run.sh`).
///
/// The code that they drive is the tests' own, the product `IntentFuzzing`, so that a crash found here is the same test
/// there.
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]

let package = Package(
    name: "intentd-fuzzing",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "intentd", path: "../../")],
    targets: [
        .target(name: "CLibFuzzer"),
        .executableTarget(
            name: "fuzz",
            dependencies: [
                "CLibFuzzer",
                .product(name: "IntentFuzzing", package: "intentd"),
            ],
            swiftSettings: settings
        ),
    ]
)
