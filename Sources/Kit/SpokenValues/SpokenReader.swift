package import IntentKit

/// Reads values as people say them, and says values as people expect to hear them.
///
/// It has no state: the same text gives the same reading.
package struct SpokenReader: Sendable {
    /// The largest number of bytes of UTF-8 in a text that is read.
    package static let maximumLength = 256
    /// The largest number of words, numbers and marks in a text that is read.
    package static let maximumTokens = 48
    /// The largest number of candidates.
    package static let maximumCandidates = 6

    private let locale: String
    private let languages: [LanguageIndex]
    /// Seconds since 1970.
    private let now: Int
    private let zone: ZoneRules

    /// Creates a reader for a user's turn.
    ///
    /// - Parameters:
    ///   - locale: The user's locale, such as `de-AT`; values are said in its language, or in English.
    ///   - languages: The languages to read in, as codes such as `fr`; the first in which the text has a reading counts.
    ///     By default that of the locale, then English.
    ///   - now: The turn's instant in seconds since 1970.
    ///   - zone: The user's time zone.
    package init(locale: String, languages: [String]? = nil, now: Int, zone: ZoneRules) {
        let own = locale.prefix { $0 != "-" && $0 != "_" }.lowercased()
        var codes: [String] = []
        for code in languages ?? [own, "en"] where !codes.contains(code) { codes.append(code) }
        self.locale = locale
        self.languages = codes.compactMap { LanguageIndex.with(code: $0) }
        self.now = now
        self.zone = zone
    }

    /// Whether values of a type can be read.
    package static func reads(_ typeName: String) -> Bool { Kind(typeName) != nil }

    /// The readings of a text as a value of the type with that name.
    package func read(_ text: String, as typeName: String) -> SpokenReading {
        var reading = SpokenReading(candidates: [], language: self.languages.first?.language.code ?? "en")
        guard let kind = Kind(typeName), text.utf8.count <= Self.maximumLength,
            let tokens = Token.tokens(text, limit: Self.maximumTokens), !tokens.isEmpty
        else { return reading }
        for index in self.languages {
            let candidates = self.candidates(tokens, text, kind, index)
            guard !candidates.isEmpty else { continue }
            reading.candidates = candidates
            reading.language = index.language.code
            break
        }
        return reading
    }

    /// A value in words of the user's language; nil for a value that is not of the type, or a type that is not read.
    package func words(for value: JSONValue, as typeName: String) -> String? {
        guard let kind = Kind(typeName) else { return nil }
        return self.speaker.words(value, kind)
    }

    private var speaker: Speaker {
        let own = self.locale.prefix { $0 != "-" && $0 != "_" }.lowercased()
        let language = Language.with(code: own) ?? .english
        return Speaker(language: language, region: Region(locale: self.locale, language: language), zone: self.zone)
    }

    /// The types that are read.
    enum Kind {
        case date, time, dateTime, dateRange, duration, money, integer, number, boolean

        init?(_ typeName: String) {
            switch typeName {
            case CalendarDate.typeName: self = .date
            case TimeOfDay.typeName: self = .time
            case OffsetDateTime.typeName: self = .dateTime
            case INDateComponentsRange.typeName: self = .dateRange
            case TimeSpan.typeName: self = .duration
            case INCurrencyAmount.typeName: self = .money
            case Int.typeName: self = .integer
            case Double.typeName: self = .number
            case Bool.typeName: self = .boolean
            default: return nil
            }
        }
    }
}

extension SpokenReader {
    private func candidates(
        _ tokens: [Token],
        _ text: String,
        _ kind: Kind,
        _ index: LanguageIndex
    ) -> [SpokenCandidate] {
        let region = Region(locale: self.locale, language: index.language)
        let tape = Tape(lexemes: index.lexicon.lexemes(tokens), language: index.language, region: region)
        let found: [(JSONValue, SpokenCandidate.Note?)] =
            switch kind {
            case .boolean: Self.answer(text, index).map { [(.bool($0), nil)] } ?? []
            case .integer: tape.integers().map { (Int($0).json, nil) }
            case .number: tape.decimals().map { (.number($0), nil) }
            case .money: tape.money().compactMap { Self.amount($0.amount, $0.code).map { ($0, nil) } }
            case .duration: tape.duration().map { [($0.json, nil)] } ?? []
            case .date: self.moments(tape, .date)
            case .time: self.moments(tape, .time)
            case .dateTime: self.moments(tape, .dateTime)
            case .dateRange: self.moments(tape, .dateRange)
            }
        let speaker = self.speaker
        var candidates: [SpokenCandidate] = []
        for (value, note) in found where !candidates.contains(where: { $0.value == value }) {
            guard candidates.count < Self.maximumCandidates, let words = speaker.words(value, kind) else { continue }
            candidates.append(SpokenCandidate(value: value, words: words, note: note))
        }
        return candidates
    }

    private static func answer(_ text: String, _ index: LanguageIndex) -> Bool? {
        let key = LanguageIndex.key(text)
        if index.yes.contains(key) { return true }
        return index.no.contains(key) ? false : nil
    }

    private static func amount(_ amount: Quantity, _ code: String) -> JSONValue? {
        amount.text.flatMap { INCurrencyAmount(amount: $0, currencyCode: code) }?.json
    }

    // MARK: Moments

    private func moments(_ tape: Tape, _ goal: Moment.Goal) -> [(JSONValue, SpokenCandidate.Note?)] {
        let parser = MomentParser(
            tape: tape,
            resolver: MomentResolver(
                now: self.now,
                localNow: self.now + self.zone.offset(self.now),
                language: tape.language
            )
        )
        return parser.moments(goal).flatMap { self.values($0) }
    }

    private func values(_ moment: Moment) -> [(JSONValue, SpokenCandidate.Note?)] {
        switch moment {
        case .clock(let seconds): return [(.string(Self.clock(seconds)), nil)]
        case .point(let point): return self.texts(point).map { (.string($0.text), $0.note) }
        case .range(let start, let end):
            let first = start.map { self.texts($0).first }
            let last = end.map { self.texts($0).first }
            // An end that does not exist, such as a day after the year 9999.
            if case .some(.none) = first { return [] }
            if case .some(.none) = last { return [] }
            let value = JSONValue.members([
                "start": first.flatMap { $0 }.map { .string($0.text) },
                "end": last.flatMap { $0 }.map { .string($0.text) },
            ])
            return [(value, first.flatMap { $0 }?.note ?? last.flatMap { $0 }?.note)]
        }
    }

    /// The point on the wire; two if clocks show it twice.
    private func texts(_ point: Moment.Point) -> [(text: String, note: SpokenCandidate.Note?)] {
        switch point {
        case .day(let day):
            return CalendarDate(day.text).map { [($0.text, nil)] } ?? []
        case .instant(let instant):
            return Self.text(instant, offset: self.zone.offset(instant)).map { [($0, nil)] } ?? []
        case .local(let local, let zone?):
            return Self.text(local - zone * 60, offset: zone * 60).map { [($0, nil)] } ?? []
        case .local(let local, nil):
            let instants: [(Int, SpokenCandidate.Note?)] =
                switch self.zone.instants(ofLocal: local) {
                case .one(let instant): [(instant, nil)]
                case .repeated(let first, let second): [(first, .repeatedTime), (second, .repeatedTime)]
                case .skipped(let instant): [(instant, .skippedTime)]
                }
            return instants.compactMap { instant, note in
                Self.text(instant, offset: self.zone.offset(instant)).map { ($0, note) }
            }
        }
    }

    private static func text(_ instant: Int, offset: Int) -> String? {
        let local = instant + offset
        let day = CivilDay(localSeconds: local)
        let seconds = local - day.number * 86_400
        let minutes = Int(offset.magnitude) / 60
        let zone = "\(offset < 0 ? "-" : "+")\((minutes / 60).digits(2)):\((minutes % 60).digits(2))"
        let time = "\((seconds / 3_600).digits(2)):\((seconds / 60 % 60).digits(2)):\((seconds % 60).digits(2))"
        return OffsetDateTime("\(day.text)T\(time)\(zone)")?.text
    }

    private static func clock(_ seconds: Int) -> String {
        let text = "\((seconds / 3_600).digits(2)):\((seconds / 60 % 60).digits(2))"
        return seconds % 60 == 0 ? text : text + ":" + (seconds % 60).digits(2)
    }
}
