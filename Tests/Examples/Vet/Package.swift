// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Vet",
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
        // What the practice knows: intents, handlers, tables.
        .target(name: "Vet", dependencies: [.product(name: "IntentKit", package: "intentd")]),
        // intentd with the practice in it.
        .executableTarget(
            name: "vetd",
            dependencies: ["Vet", .product(name: "IntentCommands", package: "intentd")]
        ),
        .testTarget(
            name: "VetTests",
            dependencies: ["Vet", "vetd", .product(name: "IntentTesting", package: "intentd")]
        ),
    ]
)
