import GRDB
import IntentEvents
import SQLiteStore

@testable import IntentRecords

/// A record database as the recorder of version 4 wrote it: an interaction began with its opening turn.
enum VersionFourFile {
    /// Converts a file of this version to version 4.
    static func make(at path: String, version: Int = 4) throws {
        let connection = try DatabaseQueue(path: path)
        try connection.writeWithoutTransaction { database in
            try Self.convert(database)
            try database.execute(sql: "PRAGMA user_version = \(version)")
        }
        try connection.close()
    }

    /// Replaces the stored interactions by the table of version 4.
    static func convert(_ database: Database) throws {
        try database.execute(
            sql: """
                DROP VIEW interactions;
                DROP INDEX interactions_by_id;
                DROP INDEX interactions_by_user;
                DROP INDEX interactions_by_time;
                DROP INDEX turns_without_interaction;
                \(Self.interactions)
                INSERT INTO interactions (partition, "offset", interaction_id, user_id, intent, status, code, end_reason,
                    phase, requested_at, first_prompt_at, responded_at, ended_at, turns, prompts, terminal_responses,
                    parameters, response_partition, response_offset)
                SELECT partition, "offset", interaction_id, user_id, intent, status, code, end_reason, phase, opened_at,
                    first_prompt_at, responded_at, ended_at, turns, prompts, terminal_responses, parameters,
                    response_partition, response_offset
                FROM interactions_kept WHERE opened_at IS NOT NULL OR response_partition IS NOT NULL OR turns > 0
                ORDER BY rowid;
                DROP TABLE interactions_kept;
                """
        )
    }

    /// Writes a row.
    static func insert(_ row: InteractionRow, at request: RequestPosition, _ database: Database) throws {
        let (identity, response) = (row.identity, row.response)
        // GRDB would end a text at its first NUL.
        let statement = try PreparedStatement(
            database,
            """
            INSERT INTO interactions (partition, "offset", interaction_id, user_id, intent, status, code, end_reason,
                phase, requested_at, first_prompt_at, responded_at, ended_at, turns, prompts, terminal_responses,
                parameters, response_partition, response_offset)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        )
        let texts: [Int32: String?] = [
            3: identity.interactionID?.text, 4: identity.userID?.text, 5: identity.intent, 6: response?.status,
            7: response?.code, 8: response?.endReason, 9: response?.phase, 17: response?.parameters,
        ]
        let integers: [Int32: Int64?] = [
            1: request.partition, 2: request.offset, 10: identity.requestedAt, 11: row.firstPromptAt, 12: response?.at,
            13: response.flatMap { $0.isTerminal ? $0.at : nil }, 14: row.turns, 15: row.prompts,
            16: row.terminalResponses, 18: response?.partition, 19: response?.offset,
        ]
        for (index, text) in texts { try statement.bind(text, at: index) }
        for (index, integer) in integers { try statement.bind(integer, at: index) }
        try statement.run()
    }

    static let interactions = """
        CREATE TABLE interactions (
            partition          INTEGER NOT NULL,
            "offset"           INTEGER NOT NULL,
            interaction_id     TEXT,
            user_id            TEXT,
            intent             TEXT,
            status             TEXT,
            code               TEXT,
            end_reason         TEXT,
            phase              TEXT,
            requested_at       INTEGER,
            first_prompt_at    INTEGER,
            responded_at       INTEGER,
            ended_at           INTEGER,
            duration           INTEGER GENERATED ALWAYS AS (ended_at - requested_at) VIRTUAL,
            turns              INTEGER NOT NULL,
            prompts            INTEGER NOT NULL,
            terminal_responses INTEGER NOT NULL,
            parameters         TEXT,
            response_partition INTEGER,
            response_offset    INTEGER,
            PRIMARY KEY (partition, "offset")
        ) STRICT;
        CREATE INDEX interactions_by_id ON interactions (interaction_id);
        CREATE INDEX interactions_by_user ON interactions (user_id, requested_at);
        CREATE INDEX interactions_by_time ON interactions (requested_at);

        """
}
