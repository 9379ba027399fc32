import NIOCore
import Testing

@testable import EmbeddedBroker

@Suite("Requests are read field by field, by version")
struct RequestVersionTests {
    /// Reads a request of these fields; nothing may be left.
    private static func read<Request: WireDecodable>(
        _: Request.Type = Request.self,
        version: Int16,
        isFlexible: Bool,
        _ write: (inout WireWriter) -> Void
    ) throws -> Request {
        var writer = WireWriter(ByteBuffer(), isFlexible: isFlexible)
        write(&writer)
        writer.tags()
        var reader = WireReader(writer.buffer, isFlexible: isFlexible)
        let request = try Request(from: &reader, version: version)
        #expect(reader.remaining == 0, "version \(version) leaves \(reader.remaining) bytes")
        return request
    }

    @Test("ListGroups: the states are read from version 4")
    func listGroupsReadsStatesFromVersion4() throws {
        let before = try Self.read(ListGroupsRequest.self, version: 3, isFlexible: true) { _ in }
        #expect(before.statesFilter.isEmpty)
        let since = try Self.read(ListGroupsRequest.self, version: 4, isFlexible: true) { writer in
            writer.write(["Empty", "Stable"] as [String]?)
        }
        #expect(since.statesFilter == ["Empty", "Stable"])
    }

    @Test("DescribeGroups: includeAuthorizedOperations is read from version 3")
    func describeGroupsReadsAuthorizedOperationsFromVersion3() throws {
        let before = try Self.read(DescribeGroupsRequest.self, version: 2, isFlexible: false) { writer in
            writer.write(["g"] as [String]?)
        }
        #expect(before.groups == ["g"])
        #expect(!before.includeAuthorizedOperations)
        let since = try Self.read(DescribeGroupsRequest.self, version: 3, isFlexible: false) { writer in
            writer.write(["g"] as [String]?)
            writer.write(true)
        }
        #expect(since.groups == ["g"])
        #expect(since.includeAuthorizedOperations)
    }

    @Test("CreateAcls: the pattern type is read from version 1; before, names are literal")
    func createAclsReadsPatternTypeFromVersion1() throws {
        func creation(_ version: Int16, _ pattern: Int8?) throws -> CreateAclsRequest.Creation? {
            try Self.read(CreateAclsRequest.self, version: version, isFlexible: false) { writer in
                writer.write(Int32(1))
                writer.write(Int8(2))
                writer.write("t")
                if let pattern { writer.write(pattern) }
                writer.write("User:u")
                writer.write("*")
                writer.write(Int8(3))
                writer.write(Int8(4))
            }
            .creations.first
        }
        #expect(try creation(0, nil)?.resourcePatternType == 3)
        let since = try creation(1, 4)
        #expect(since?.resourcePatternType == 4)
        #expect(since?.resourceName == "t")
        #expect(since?.principal == "User:u")
        #expect(since?.permissionType == 4)
    }

    @Test("FindCoordinator: one key up to version 3, its type from version 1, several keys from version 4")
    func findCoordinatorReadsKeysByVersion() throws {
        let first = try Self.read(FindCoordinatorRequest.self, version: 0, isFlexible: false) { $0.write("g") }
        #expect(first.key == "g")
        for version in [1, 3] as [Int16] {
            let one = try Self.read(FindCoordinatorRequest.self, version: version, isFlexible: version >= 3) { writer in
                writer.write("t")
                writer.write(Int8(1))
            }
            #expect(one.key == "t")
            #expect(one.keyType == 1)
            #expect(one.coordinatorKeys.isEmpty)
        }
        let several = try Self.read(FindCoordinatorRequest.self, version: 4, isFlexible: true) { writer in
            writer.write(Int8(1))
            writer.write(["t", "u"] as [String]?)
        }
        #expect(several.key == "")
        #expect(several.keyType == 1)
        #expect(several.coordinatorKeys == ["t", "u"])
    }
}
