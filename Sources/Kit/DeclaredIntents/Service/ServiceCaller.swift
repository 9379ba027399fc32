import Foundation
import IntentKit
import LibCurl
import WireRules

/// Asks a service what a handler would be asked (R61).
///
/// The answers are journaled: a replay reads them in the journal, and calls no service (R42).
struct ServiceCaller: Sendable {
    let parameters: [ParameterDefinition]
    /// The codes that the service may report.
    let codes: Set<String>
    let service: ServiceHandling

    /// Resolves parameters: by the definition where it suffices, and otherwise by the service, in one call.
    ///
    /// Where the definition stops the turn, the parameters after it are not asked about yet.
    func resolve(
        _ open: [String],
        _ intent: IntentSnapshot,
        _ context: TurnContext
    ) async throws -> [String: ParameterOutcome] {
        var outcomes: [String: ParameterOutcome] = [:]
        var asked: [ParameterDefinition] = []
        var intent = intent
        for parameter in self.parameters where open.contains(parameter.name) {
            let lookup = WordLookup.asking(
                context,
                intent: intent.name,
                parameter: parameter.name,
                in: parameter.vocabulary
            )
            let outcome = parameter.outcomeBeforeService(&intent.parameters[parameter.name], lookup)
            // Services of earlier versions are never asked for a required value that is missing.
            let offersOthers = self.service.offersOthers && context.declinedValues[parameter.name] != nil
            if let outcome, !offersOthers || outcome != .single(.needsValue) {
                outcomes[parameter.name] = outcome
                break
            }
            asked.append(parameter)
        }
        guard !asked.isEmpty else { return outcomes }
        let answer = try await self.ask(.resolve, ServiceRequest(context).resolve(intent, asked), context)
        let reader = ResolutionReader(parameters: asked, intent: intent, codes: self.codes)
        do throws(ValueRule.Problem) {
            for (name, outcome) in try reader.outcomes(in: answer) { outcomes[name] = outcome }
            for parameter in asked where outcomes[parameter.name] == .single(.notRequired) {
                let isMissing = parameter.isRequired && intent.parameters[parameter.name] == nil
                if isMissing { outcomes[parameter.name] = .single(.needsValue) }
            }
        } catch {
            throw self.unusable(.resolve, error)
        }
        return outcomes
    }

    /// Calls `confirm`, the dry run.
    func confirm(_ intent: IntentSnapshot, _ context: TurnContext) async throws -> HandlerResponse {
        let answer = try await self.ask(.confirm, ServiceRequest(context).body(intent, for: .confirm), context)
        var response = try self.response(in: answer, of: .confirm, about: intent)
        response.requiresUserConfirmation = answer["requiresUserConfirmation"]?.bool ?? false
        response.requiresAuthentication = answer["requiresAuthentication"]?.bool ?? false
        return response
    }

    /// Calls `handle`; a service that has `lookup` is first asked for the outcome of an earlier call.
    func handle(_ intent: IntentSnapshot, _ context: TurnContext) async throws -> HandlerResponse {
        guard self.service.looksUp else { return try await self.post(intent, context) }
        if try await self.mayHavePosted(context), let response = try await self.lookUp(intent, context) {
            return response
        }
        return try await self.postOnce(intent, context)
    }

    /// Calls `handle`, and keeps its answer as an effect of the intent's name, so that it can be undone (R61g).
    ///
    /// A failure or a question, after which nothing was done, is not an effect.
    func handleUndoably(_ intent: IntentSnapshot, _ context: TurnContext) async throws -> HandlerResponse {
        let response = try await self.handle(intent, context)
        if let result = Self.result(of: response) { try await context.effectJSON(intent.name, result) }
        return response
    }

    /// What `undo` gets of an answer; nil for a failure or a question, since then nothing was done.
    static func result(of response: HandlerResponse) -> JSONValue? {
        let status = INIntentHandlingStatus(code: response.code ?? "")
        guard response.question == nil, status != .failure else { return nil }
        return .members([
            "code": response.code.map(JSONValue.string), "details": .object(response.details),
            "dialog": response.dialog?.json,
        ])
    }

    /// Undoes what `handle` has done, given its answer.
    func undo(
        _ intent: IntentSnapshot,
        _ result: JSONValue,
        _ context: TurnContext
    ) async throws -> EffectUndo.Answer {
        let answer = try await self.ask(.undo, ServiceRequest(context).undo(intent, result), context)
        guard answer["code"]?.string == ServiceCall.undoRefused else { return .called(answer) }
        return .refused(answer["dialog"]?.string ?? ServiceCall.undoRefused)
    }

    /// Calls `handle`.
    func post(_ intent: IntentSnapshot, _ context: TurnContext) async throws -> HandlerResponse {
        let answer = try await self.ask(.handle, ServiceRequest(context).body(intent, for: .handle), context)
        let response = try self.response(in: answer, of: .handle, about: intent)
        try self.sendFollowUps(in: answer, context)
        return response
    }

    /// Sends what an answer starts, and cancels what it cancels (R77).
    func sendFollowUps(in answer: JSONValue, _ context: TurnContext) throws {
        for json in answer["start"]?.array ?? [] {
            let name = json["intent"]?.string ?? ""
            let intent = IntentSnapshot(name: name, parameters: json["parameters"]?.object ?? [:])
            try context.send(FollowUp(.intent(intent), in: json))
        }
        for json in answer["notify"]?.array ?? [] {
            try context.send(FollowUp(.notification(json["details"]?.object ?? [:]), in: json))
        }
        for id in answer["cancel"]?.array ?? [] { try context.cancelStarted(id.string ?? "") }
    }

    func status(
        _ intent: IntentSnapshot,
        _ context: TurnContext
    ) async throws -> (response: HandlerResponse, isLast: Bool) {
        let answer = try await self.ask(.status, ServiceRequest(context).body(intent, for: .status), context)
        let response = HandlerResponse(code: "success", details: answer["details"]?.object ?? [:])
        return (response, answer["isLast"]?.bool ?? false)
    }

    /// Posts a call, and checks the shape of the answer.
    func ask(_ call: ServiceCall, _ body: JSONValue, _ context: TurnContext) async throws -> JSONValue {
        let json = try await context.runJSON("service.\(call.rawValue)") { try await self.post(body, call, context) }
        // The answer to `resolve` is checked with the parameters at hand, since it contains their names.
        if call != .resolve, let problem = call.answer.problem(in: json.object ?? [:], .received) {
            throw self.unusable(call, problem)
        }
        return json
    }

    private func post(_ body: JSONValue, _ call: ServiceCall, _ context: TurnContext) async throws -> JSONValue {
        let endpoint = self.service.endpoint.below(call.rawValue)
        let exchange = self.exchange(of: call, endpoint)
        let intent = body["intent"]?["name"]?.string ?? ""
        let name = call == .undo ? "undo \(intent)" : intent
        let key = call.hasKey ? context.idempotencyKey(for: name) : nil
        let reply = try await exchange.post(body, key: key, context)
        if let problem = Self.problem(inStatus: reply.status) {
            let mayPass = HTTPEndpoint.mayPass(reply.status)
            throw exchange.failure(problem, mayPass ? .status(reply.status) : nil, after: reply, context)
        }
        do throws(ServiceProblem) {
            return try Self.object(in: reply.body)
        } catch {
            let mayPass = error.mayPass || call == .handle && self.service.looksUp
            throw exchange.failure(error.text, mayPass ? .connection : nil, context)
        }
    }

    func exchange(of call: ServiceCall, _ endpoint: HTTPEndpoint) -> HTTPExchange {
        HTTPExchange(
            endpoint: call.hasKey ? endpoint : endpoint.withoutRetry,
            isLookedUp: call == .handle && self.service.looksUp
        )
    }

    /// What is wrong with an answer's status; nil when its body counts.
    static func problem(inStatus status: Int) -> String? {
        switch status {
        case 200..<300: nil
        case 300..<400: "it answered \(status): redirections are not followed, name the address that it leads to"
        default: "it answered \(status)"
        }
    }

    /// The object in an answer's body.
    static func object(in body: [UInt8]) throws(ServiceProblem) -> JSONValue {
        let json: JSONValue
        do throws(JSONParsingError) {
            json = try JSONValue(parsing: body, maximumDepth: HTTPEndpoint.maximumAnswerDepth)
        } catch {
            // A service that crashes while it answers, and has not stated the answer's length, cuts it off like this.
            let isCut = Self.isCut(body, error)
            let text =
                body.isEmpty
                ? "is empty" : isCut ? "breaks off" : "is not JSON: \(error.message), at byte \(error.offset)"
            throw ServiceProblem(
                text: "the answer \(text); an object such as {\"code\": \"success\"} is expected",
                mayPass: isCut
            )
        }
        guard json.object != nil else {
            throw ServiceProblem(
                text: "the answer is \(json.kind); an object such as {\"code\": \"success\"} is expected"
            )
        }
        return json
    }

    /// Whether a text that is not JSON may be the beginning of an object.
    private static func isCut(_ body: [UInt8], _ error: JSONParsingError) -> Bool {
        let isSpace: (UInt8) -> Bool = { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
        guard let first = body.first(where: { !isSpace($0) }) else { return true }
        guard first == UInt8(ascii: "{") else { return false }
        return body.last { !isSpace($0) } != UInt8(ascii: "}") || error.offset >= body.count
    }

    /// The response that an answer has, with its question.
    func response(
        in answer: JSONValue,
        of call: ServiceCall,
        about intent: IntentSnapshot
    ) throws -> HandlerResponse {
        var response = try self.report(answer, of: call)
        response.question = try self.question(in: answer, about: intent, of: call)
        return response
    }

    private func report(_ answer: JSONValue, of call: ServiceCall) throws -> HandlerResponse {
        let code = answer["code"]?.string ?? ""
        guard self.codes.contains(code) else {
            let known = self.codes.sorted().joined(separator: ", ")
            let text = "is \(code), which the intent does not declare; it has \(known), and what is listed under codes"
            throw self.unusable(call, ValueRule.Problem(path: ["code"], text: text))
        }
        return HandlerResponse(code: code, reported: answer)
    }

    /// The question with which an answer goes back to the user (R72c); nil when it has none.
    private func question(
        in answer: JSONValue,
        about intent: IntentSnapshot,
        of call: ServiceCall
    ) throws -> HandlerQuestion? {
        guard let question = answer["ask"], !question.isNull else { return nil }
        do throws(ValueRule.Problem) {
            return try ResolutionReader(parameters: self.parameters, intent: intent).question(in: question)
        } catch {
            throw self.unusable(call, error)
        }
    }

    private func unusable(_ call: ServiceCall, _ problem: ValueRule.Problem) -> any Error {
        let url = self.service.endpoint.below(call.rawValue).displayURL
        return HTTPLastingError(description: "POST \(url): in the answer \(problem)")
    }
}

extension FollowUp {
    /// A follow-up in an answer whose shape was checked.
    fileprivate init(_ content: Content, in json: JSONValue) {
        self.init(
            json["name"]?.string ?? "",
            content,
            dialog: json["dialog"]?.string,
            user: json["user"]?.string,
            at: json["at"]?.string.flatMap { OffsetDateTime($0) }?.date
        )
    }
}

extension HandlerResponse {
    /// A service's report with a code that was checked.
    init(code: String, reported answer: JSONValue) {
        self.init(
            code: code,
            details: answer["details"]?.object ?? [:],
            userActivity: answer["userActivity"].flatMap(UserActivity.init(json:))
        )
        self.dialog = answer["dialog"]?.string.map { LocalizedText($0) }
    }
}

/// What is wrong with an answer as a whole.
struct ServiceProblem: Error {
    /// The problem, and what would be right.
    var text: String
    /// Whether another attempt may get an answer.
    var mayPass = false
}
