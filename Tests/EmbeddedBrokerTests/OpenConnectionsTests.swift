import IntentLab
import Logging
import NIOCore
import NIOEmbedded
import Testing

@testable import Connections

@Suite("Which connection is closed to accept a new one")
struct OpenConnectionsTests {
    private let loop = EmbeddedEventLoop()

    /// Adds a connection; nil when it is refused.
    private func add(to connections: OpenConnections) -> (channel: EmbeddedChannel, connection: OpenConnection)? {
        let channel = EmbeddedChannel(handlers: [], loop: self.loop)
        guard let connection = connections.add(channel) else {
            channel.close(promise: nil)
            return nil
        }
        return (channel, connection)
    }

    @Test(
        "The connection that has waited longest for its client is closed, counted from its start or its last response"
    )
    func closesLongestWaitingForClient() throws {
        let connections = OpenConnections(limit: 2, logger: LogLines().logger())
        let first = try #require(self.add(to: connections))
        let second = try #require(self.add(to: connections))
        for one in [first, second] { one.connection.startAnswering() }
        self.loop.advanceTime(by: .seconds(2))
        second.connection.waitForClient(at: self.loop.now)
        self.loop.advanceTime(by: .seconds(2))
        first.connection.waitForClient(at: self.loop.now)
        let third = try #require(self.add(to: connections))
        self.loop.run()
        #expect(connections.channel(second.connection.id) == nil)
        #expect(connections.channel(first.connection.id) != nil)
        #expect(connections.channel(third.connection.id) != nil)
        #expect(connections.count == 2)
    }

    @Test("A client that has sent nothing for a second is closed before one that has; a newer one is not")
    func closesSilentClientsFirst() throws {
        let connections = OpenConnections(limit: 2, logger: LogLines().logger())
        let known = try #require(self.add(to: connections))
        known.connection.startAnswering()
        known.connection.waitForClient(at: self.loop.now)
        self.loop.advanceTime(by: .seconds(60))
        let silent = try #require(self.add(to: connections))
        self.loop.advanceTime(by: OpenConnections.firstRequestGrace)
        let next = try #require(self.add(to: connections))
        #expect(connections.channel(silent.connection.id) == nil)
        #expect(connections.channel(known.connection.id) != nil)
        // This one has just come, and may be about to ask.
        _ = try #require(self.add(to: connections))
        #expect(connections.channel(next.connection.id) != nil)
        #expect(connections.channel(known.connection.id) == nil)
    }

    @Test("A connection that waits for a response is not closed: the new one is refused until one has closed")
    func keepsConnectionsThatWaitForResponse() throws {
        let connections = OpenConnections(limit: 1, logger: LogLines().logger())
        let busy = try #require(self.add(to: connections))
        busy.connection.startAnswering()
        self.loop.advanceTime(by: .seconds(600))
        #expect(self.add(to: connections) == nil)
        busy.channel.close(promise: nil)
        self.loop.run()
        #expect(self.add(to: connections) != nil)
    }

    @Test("A burst is logged as one line with its counts, at most once a minute")
    func logsBurstOncePerMinute() throws {
        let lines = LogLines()
        let connections = OpenConnections(limit: 1, logger: lines.logger())
        for _ in 0..<4 { _ = try #require(self.add(to: connections)) }
        try #require(self.add(to: connections)).connection.startAnswering()
        #expect(self.add(to: connections) == nil)
        #expect(lines.all.isEmpty)
        self.loop.advanceTime(by: .seconds(1))
        #expect(lines.all.count == 1)
        let line = try #require(lines.all.first)
        #expect(line.level == .warning)
        #expect(line.metadata["connections.replaced"] == "4")
        #expect(line.metadata["connections.refused"] == "1")
        for second in 0..<59 {
            #expect(self.add(to: connections) == nil)
            #expect(lines.all.count == 1, "\(second)")
            self.loop.advanceTime(by: .seconds(1))
        }
        self.loop.advanceTime(by: .seconds(1))
        #expect(lines.all.count == 2)
        #expect(lines.all.last?.metadata["connections.refused"] == "59")
        self.loop.advanceTime(by: .seconds(600))
        #expect(lines.all.count == 2)
    }
}
