internal import IntentEvents
internal import IntentKit
internal import IntentOperations
internal import IntentRecords
internal import IntentRuntime
internal import LocalHTTP

extension Console {
    private var savedQueries: SavedQueries { SavedQueries(self.operations.configuration.data) }

    /// The list that an address asks for.
    ///
    /// - Parameters:
    ///   - fields: The fields of the address.
    ///   - problem: What is wrong with what was just sent; nil for nothing.
    /// - Returns: The page; with status 400 if the query cannot be read.
    /// - Throws: `StoreError`; `StoreBusyError`.
    func interactions(_ fields: Fields, problem: String? = nil) async throws -> HTTPServerResponse {
        let query = InteractionsPage.query(fields)
        let known = KnownNames(self.operations.intents)
        var problem = problem
        var columns: [InteractionColumn]?
        var found: InteractionPage?
        var search: InteractionSearch?
        do throws(OperationError) {
            columns = try query.columns(known)
            search = try query.search(known, now: self.clock.now)
        } catch {
            problem = error.message
        }
        if var search {
            search.after = InteractionsPage.mark(fields)
            var page = try await self.records.archive().page(search)
            if let text = search.text {
                page.interactions.removeAll { !self.operations.masking.finds(text, in: $0) }
            }
            if page.interactions.isEmpty, page.next == nil { problem = problem ?? known.problem(of: query) }
            found = page
        }
        var page = InteractionsPage(
            query: fields,
            found: found,
            intents: self.intents.compactMap { $0["name"]?.string },
            problem: problem
        )
        page.searchable = known.searchable(of: query[.intent])
        page.columns = columns
        if let found {
            page.progress = try await self.records.archive().progress(of: found.interactions, now: self.clock.now)
        }
        page.masking = self.operations.masking
        page.formToken = self.operations.allowsWrites ? self.gate.formToken : nil
        do {
            page.saved = try await self.savedQueries.all()
        } catch let error as OperationError {
            page.problem = page.problem ?? error.message
        }
        return HTTPServerResponse(page.page(in: self.frame), status: search == nil ? 400 : 200)
    }

    /// Saves the query of a form, and shows its list.
    func save(_ form: Fields) async throws -> HTTPServerResponse? {
        guard self.operations.allowsWrites, let name = form["saveAs"] else { return nil }
        let fields = form.with("saveAs", nil).with("form", nil)
        let query = InteractionsPage.query(fields)
        do {
            let known = KnownNames(self.operations.intents)
            _ = try query.search(known, now: self.clock.now)
            _ = try query.columns(known)
            try await self.savedQueries.save(query, as: name)
        } catch let error as OperationError {
            return try await self.interactions(fields, problem: error.message)
        }
        return .seeOther("/interactions\(fields.query)")
    }
}
