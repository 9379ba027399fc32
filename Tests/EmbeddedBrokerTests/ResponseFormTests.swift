import NIOCore
import Testing

@testable import EmbeddedBroker

@Suite("Responses are written field by field, by version")
struct ResponseFormTests {
    private static func bytes(_ response: some WireEncodable, version: Int16, isFlexible: Bool) -> [UInt8] {
        var writer = WireWriter(ByteBuffer(), isFlexible: isFlexible)
        response.write(to: &writer, version: version)
        return Array(writer.finish().readableBytesView)
    }

    @Test("AlterConfigs: the throttle time, then each resource")
    func alterConfigsWritesThrottleTimeFirst() {
        let response = AlterConfigsResponse(
            throttleTimeMs: 7,
            responses: [.init(errorMessage: "m", resourceType: 2, resourceName: "t")]
        )
        #expect(
            Self.bytes(response, version: 1, isFlexible: false)
                == [0, 0, 0, 7, 0, 0, 0, 1, 0, 0, 0, 1, 0x6D, 2, 0, 1, 0x74]
        )
        #expect(
            Self.bytes(response, version: 2, isFlexible: true)
                == [0, 0, 0, 7, 2, 0, 0, 2, 0x6D, 2, 2, 0x74, 0, 0]
        )
    }

    @Test("OffsetFetch: topics up to version 7, with tags from version 6")
    func offsetFetchWritesTopicsByVersion() {
        let response = OffsetFetchResponse(
            throttleTimeMs: 7,
            topics: [.init(name: "t", partitions: [.init(partitionIndex: 1, offset: 5, leaderEpoch: 3, metadata: "")])]
        )
        let partition: [UInt8] = [0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 3]
        #expect(
            Self.bytes(response, version: 5, isFlexible: false)
                == [0, 0, 0, 7, 0, 0, 0, 1, 0, 1, 0x74, 0, 0, 0, 1] + partition + [0, 0, 0, 0, 0, 0]
        )
        #expect(
            Self.bytes(response, version: 7, isFlexible: true)
                == [0, 0, 0, 7, 2, 2, 0x74, 2] + partition + [1, 0, 0, 0, 0, 0, 0, 0]
        )
        #expect(Self.bytes(response, version: 8, isFlexible: true) == [0, 0, 0, 7, 1, 0])
    }

    @Test("DeleteTopics: the throttle time from version 1, tags from 4, an error message from 5, the topic's id from 6")
    func deleteTopicsWritesFieldsByVersion() {
        let response = DeleteTopicsResponse(
            throttleTimeMs: 7,
            responses: [.init(name: "t", errorCode: .unknownTopicOrPartition, errorMessage: "m")]
        )
        #expect(Self.bytes(response, version: 0, isFlexible: false) == [0, 0, 0, 1, 0, 1, 0x74, 0, 3])
        #expect(Self.bytes(response, version: 1, isFlexible: false) == [0, 0, 0, 7, 0, 0, 0, 1, 0, 1, 0x74, 0, 3])
        #expect(Self.bytes(response, version: 4, isFlexible: true) == [0, 0, 0, 7, 2, 2, 0x74, 0, 3, 0, 0])
        #expect(Self.bytes(response, version: 5, isFlexible: true) == [0, 0, 0, 7, 2, 2, 0x74, 0, 3, 2, 0x6D, 0, 0])
        let id = [UInt8](repeating: 0, count: 16)
        #expect(
            Self.bytes(response, version: 6, isFlexible: true)
                == [0, 0, 0, 7, 2, 2, 0x74] + id + [0, 3, 2, 0x6D, 0, 0]
        )
    }
}
