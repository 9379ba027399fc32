// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Hazards",
    platforms: [.macOS(.v15)],
    // As in the tests of intentd, so that both can share a build.
    traits: [.trait(name: "PostgreSQL")],
    dependencies: [
        .package(
            name: "intentd",
            path: "../../..",
            traits: [.trait(name: "PostgreSQL", condition: .when(traits: ["PostgreSQL"]))]
        )
    ],
    targets: [
        // intentd with handlers that end, block or kill the process: for the judges `killers.py`, `blockers.py` and others.
        .executableTarget(
            name: "hazardd",
            dependencies: [
                .product(name: "IntentKit", package: "intentd"), .product(name: "IntentCommands", package: "intentd"),
            ]
        )
    ]
)
