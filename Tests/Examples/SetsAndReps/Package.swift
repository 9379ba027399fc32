// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "SetsAndReps",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "intentd", path: "../../..")],
    targets: [
        // What the gym knows: intents, handlers, tables.
        .target(name: "SetsAndReps", dependencies: [.product(name: "IntentKit", package: "intentd")]),
        // intentd with the gym in it.
        .executableTarget(
            name: "gymd",
            dependencies: ["SetsAndReps", .product(name: "IntentCommands", package: "intentd")]
        ),
        .testTarget(
            name: "SetsAndRepsTests",
            dependencies: ["SetsAndReps", "gymd", .product(name: "IntentTesting", package: "intentd")]
        ),
    ]
)
