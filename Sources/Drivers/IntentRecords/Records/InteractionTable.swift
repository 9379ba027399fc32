internal import GRDB
internal import IntentEvents
internal import SQLiteStore

/// The table `interactions_kept`, inside a transaction.
struct InteractionTable {
    private let select: PreparedStatement
    private let insert: PreparedStatement
    private let update: PreparedStatement
    private let updateAll: PreparedStatement
    private let open: PreparedStatement
    private let addTurns: PreparedStatement
    private let addResponse: PreparedStatement
    private let database: Database

    init(_ database: Database) throws {
        self.database = database
        self.select = try PreparedStatement(
            database,
            """
            SELECT interaction_id, user_id, intent, requested_at, status, code, end_reason, phase, first_prompt_at,
                responded_at, ended_at, turns, prompts, terminal_responses, parameters, response_partition,
                response_offset, is_written, opened_at
            FROM interactions_kept WHERE partition = ? AND "offset" = ?
            """
        )
        self.insert = try PreparedStatement(
            database,
            """
            INSERT INTO interactions_kept (interaction_id, user_id, intent, requested_at, status, code, end_reason,
                phase, first_prompt_at, responded_at, ended_at, turns, prompts, terminal_responses, parameters,
                response_partition, response_offset, partition, "offset", is_written, opened_at)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21)
            ON CONFLICT (partition, "offset") DO NOTHING
            """
        )
        // Of a request that was recorded alone: no column with an index changes, unless it named no interaction.
        self.open = try PreparedStatement(
            database,
            """
            UPDATE interactions_kept SET intent = ?3, opened_at = ?21, \(Self.said)
            WHERE partition = ?18 AND "offset" = ?19 AND is_written = 1 AND opened_at IS NULL AND turns = 0
                AND prompts = 0 AND response_partition IS NULL AND interaction_id IS ?1 AND user_id IS ?2
            """
        )
        // Once the opening turn is known, the identity is settled: no column with an index changes.
        self.addTurns = try PreparedStatement(
            database,
            """
            UPDATE interactions_kept SET turns = turns + ?1
            WHERE partition = ?2 AND "offset" = ?3 AND opened_at IS NOT NULL
            """
        )
        // The same rule as in InteractionRow.Response.supersedes; if the existing response takes precedence, it is
        // merged.
        self.addResponse = try PreparedStatement(
            database,
            """
            UPDATE interactions_kept SET status = ?5, code = ?6, end_reason = ?7, phase = ?8,
                first_prompt_at = coalesce(min(first_prompt_at, ?9), first_prompt_at, ?9), responded_at = ?10,
                ended_at = ?11, turns = turns + ?12, prompts = prompts + ?13,
                terminal_responses = terminal_responses + ?14, parameters = ?15, response_partition = ?16,
                response_offset = ?17
            WHERE partition = ?18 AND "offset" = ?19 AND opened_at IS NOT NULL AND (
                response_partition IS NULL OR ended_at IS NULL
                AND (?11 IS NOT NULL OR (?16, ?17) > (response_partition, response_offset))
            )
            """
        )
        // The columns that have an index are not touched when they are unchanged.
        let key = "WHERE partition = ?18 AND \"offset\" = ?19"
        self.update = try PreparedStatement(database, "UPDATE interactions_kept SET \(Self.said) \(key)")
        self.updateAll = try PreparedStatement(
            database,
            """
            UPDATE interactions_kept SET interaction_id = ?1, user_id = ?2, intent = ?3, requested_at = ?4,
                is_written = ?20, opened_at = ?21, \(Self.said) \(key)
            """
        )
    }

    /// The columns that say what events say, with the arguments that ``write(_:at:with:withIdentity:)`` binds.
    private static let said = """
        status = ?5, code = ?6, end_reason = ?7, phase = ?8, first_prompt_at = ?9, responded_at = ?10,
        ended_at = ?11, turns = ?12, prompts = ?13, terminal_responses = ?14, parameters = ?15,
        response_partition = ?16, response_offset = ?17
        """

    /// Merges what events say into the interaction's row.
    func merge(_ change: InteractionRow, at request: RequestPosition) throws {
        if try self.add(change, at: request) { return }
        guard var row = try self.row(at: request) else {
            return try self.write(change, at: request, with: self.insert, withIdentity: true)
        }
        let identity = row.identity
        row.merge(change)
        if row.identity == identity {
            try self.write(row, at: request, with: self.update, withIdentity: false)
        } else {
            try self.write(row, at: request, with: self.updateAll, withIdentity: true)
        }
    }

    /// Merges with one statement, as is nearly always possible; false when the row has to be read.
    private func add(_ change: InteractionRow, at request: RequestPosition) throws -> Bool {
        if change.identity.requestedAt != nil {
            try self.write(change, at: request, with: self.insert, withIdentity: true)
            guard self.database.changesCount == 0, change.identity.openedAt != nil, change.identity.writtenAt == nil
            else { return self.database.changesCount == 1 }
            try self.write(change, at: request, with: self.open, withIdentity: true)
        } else if change.response != nil {
            try self.write(change, at: request, with: self.addResponse, withIdentity: false)
        } else if change.firstPromptAt == nil, change.prompts == 0, change.terminalResponses == 0 {
            try self.addTurns.bind(change.turns, at: 1)
            try self.addTurns.bind(request.partition, at: 2)
            try self.addTurns.bind(request.offset, at: 3)
            try self.addTurns.run()
        } else {
            return false
        }
        return self.database.changesCount == 1
    }

    private func row(at request: RequestPosition) throws -> InteractionRow? {
        let statement = self.select
        defer { statement.reset() }
        try statement.bind(request.partition, at: 1)
        try statement.bind(request.offset, at: 2)
        guard try statement.step() else { return nil }
        var row = InteractionRow()
        row.identity = InteractionRow.Identity(
            writtenAt: statement.integer(17) == 1 ? statement.integer(3) : nil,
            openedAt: statement.integer(18),
            interactionID: statement.identity(0),
            userID: statement.identity(1),
            intent: statement.text(2)
        )
        row.firstPromptAt = statement.integer(8)
        row.turns = statement.integer(11) ?? 0
        row.prompts = statement.integer(12) ?? 0
        row.terminalResponses = statement.integer(13) ?? 0
        if let partition = statement.integer(15), let offset = statement.integer(16) {
            row.response = InteractionRow.Response(
                isTerminal: !statement.isNull(10),
                partition: partition,
                offset: offset,
                at: statement.integer(9) ?? 0,
                status: statement.text(4),
                code: statement.text(5),
                endReason: statement.text(6),
                phase: statement.text(7),
                parameters: statement.text(14)
            )
        }
        return row
    }

    private func write(
        _ row: InteractionRow,
        at request: RequestPosition,
        with statement: PreparedStatement,
        withIdentity: Bool
    ) throws {
        if withIdentity {
            try statement.bind(row.identity.interactionID, at: 1)
            try statement.bind(row.identity.userID, at: 2)
            try statement.bind(row.identity.intent, at: 3)
            try statement.bind(row.identity.requestedAt, at: 4)
            try statement.bind(row.identity.writtenAt == nil ? 0 : 1, at: 20)
            try statement.bind(row.identity.openedAt, at: 21)
        }
        try statement.bind(row.response?.status, at: 5)
        try statement.bind(row.response?.code, at: 6)
        try statement.bind(row.response?.endReason, at: 7)
        try statement.bind(row.response?.phase, at: 8)
        try statement.bind(row.firstPromptAt, at: 9)
        try statement.bind(row.response?.at, at: 10)
        try statement.bind(row.response.flatMap { $0.isTerminal ? $0.at : nil }, at: 11)
        try statement.bind(row.turns, at: 12)
        try statement.bind(row.prompts, at: 13)
        try statement.bind(row.terminalResponses, at: 14)
        try statement.bind(row.response?.parameters, at: 15)
        try statement.bind(row.response?.partition, at: 16)
        try statement.bind(row.response?.offset, at: 17)
        try statement.bind(request.partition, at: 18)
        try statement.bind(request.offset, at: 19)
        try statement.run()
    }
}
