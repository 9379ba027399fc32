/// A set of Unicode scalars.
struct PatternClass: Hashable, Sendable {
    /// A set that Unicode's properties define.
    enum Property: Hashable, Sendable {
        /// `\d`: decimal digits of all scripts (Nd).
        case digit
        /// `\w`: letters, marks, decimal digits, connector punctuation and joiners.
        case word
        /// `\s`: white space.
        case space
        /// `\p{…}`: a general category, or a group of them by its first letter.
        case category(String)

        func contains(_ scalar: Unicode.Scalar) -> Bool {
            let properties = scalar.properties
            switch self {
            case .digit: return properties.generalCategory == .decimalNumber
            case .space: return properties.isWhitespace
            case .word:
                switch properties.generalCategory {
                case .nonspacingMark, .spacingMark, .enclosingMark, .decimalNumber, .connectorPunctuation: return true
                default: return properties.isAlphabetic || scalar.value == 0x200C || scalar.value == 0x200D
                }
            case .category(let name): return Self.abbreviation(properties.generalCategory).hasPrefix(name)
            }
        }

        /// Unicode's two letters for a category.
        static func abbreviation(_ category: Unicode.GeneralCategory) -> String {
            switch category {
            case .uppercaseLetter: "Lu"
            case .lowercaseLetter: "Ll"
            case .titlecaseLetter: "Lt"
            case .modifierLetter: "Lm"
            case .otherLetter: "Lo"
            case .nonspacingMark: "Mn"
            case .spacingMark: "Mc"
            case .enclosingMark: "Me"
            case .decimalNumber: "Nd"
            case .letterNumber: "Nl"
            case .otherNumber: "No"
            case .connectorPunctuation: "Pc"
            case .dashPunctuation: "Pd"
            case .openPunctuation: "Ps"
            case .closePunctuation: "Pe"
            case .initialPunctuation: "Pi"
            case .finalPunctuation: "Pf"
            case .otherPunctuation: "Po"
            case .mathSymbol: "Sm"
            case .currencySymbol: "Sc"
            case .modifierSymbol: "Sk"
            case .otherSymbol: "So"
            case .spaceSeparator: "Zs"
            case .lineSeparator: "Zl"
            case .paragraphSeparator: "Zp"
            case .control: "Cc"
            case .format: "Cf"
            case .surrogate: "Cs"
            case .privateUse: "Co"
            case .unassigned: "Cn"
            @unknown default: "Cn"
            }
        }

        /// All names that `\p{…}` accepts.
        static let categories: Set<String> = [
            "L", "Lu", "Ll", "Lt", "Lm", "Lo", "M", "Mn", "Mc", "Me", "N", "Nd", "Nl", "No", "P", "Pc", "Pd", "Ps",
            "Pe",
            "Pi", "Pf", "Po", "S", "Sm", "Sc", "Sk", "So", "Z", "Zs", "Zl", "Zp", "C", "Cc", "Cf", "Cs", "Co", "Cn",
        ]
    }

    enum Part: Hashable, Sendable {
        case range(ClosedRange<UInt32>)
        case property(Property)
        /// The scalars that are not in another set.
        case not(PatternClass)
    }

    /// Its parts; a scalar must be in one of them.
    var parts: [Part]
    /// Whether it contains everything else instead.
    var isInverted = false
    /// A bit set for ASCII, since nearly all text is ASCII.
    private let ascii: (UInt64, UInt64)

    init(_ parts: [Part], isInverted: Bool = false) {
        self.parts = parts
        self.isInverted = isInverted
        var low: UInt64 = 0
        var high: UInt64 = 0
        for value in UInt8(0)..<64 where Self.contains(Unicode.Scalar(value), parts, isInverted) {
            low |= 1 << UInt64(value)
        }
        for value in UInt8(64)..<128 where Self.contains(Unicode.Scalar(value), parts, isInverted) {
            high |= 1 << UInt64(value - 64)
        }
        self.ascii = (low, high)
    }

    init(_ scalar: Unicode.Scalar) {
        self.init([.range(scalar.value...scalar.value)])
    }

    /// `.`: all but line breaks.
    static let anyButLineBreaks = PatternClass(Self.lineBreaks.parts, isInverted: true)

    static let lineBreaks = PatternClass([.range(0x0A...0x0D), .range(0x85...0x85), .range(0x2028...0x2029)])

    func contains(_ scalar: Unicode.Scalar) -> Bool {
        let value = scalar.value
        if value < 64 { return self.ascii.0 >> UInt64(value) & 1 == 1 }
        if value < 128 { return self.ascii.1 >> UInt64(value - 64) & 1 == 1 }
        return Self.contains(scalar, self.parts, self.isInverted)
    }

    private static func contains(_ scalar: Unicode.Scalar, _ parts: [Part], _ isInverted: Bool) -> Bool {
        let isIn = parts.contains { part in
            switch part {
            case .range(let range): range.contains(scalar.value)
            case .property(let property): property.contains(scalar)
            case .not(let other): !other.contains(scalar)
            }
        }
        return isIn != isInverted
    }

    static func == (lhs: Self, rhs: Self) -> Bool {
        lhs.parts == rhs.parts && lhs.isInverted == rhs.isInverted
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(self.parts)
        hasher.combine(self.isInverted)
    }
}
