extension DisplayRepresentation {
    /// The form in state: a text, or texts by locale; members without a value are omitted.
    package var json: JSONValue {
        .members([
            "image": self.image?.json,
            "subtitle": self.subtitle?.json,
            "synonyms": self.synonyms.isEmpty ? nil : .array(self.synonyms.map(\.json)),
            "title": self.title.json,
        ])
    }

    /// Reads the form in state; nil when it is none.
    package init?(json: JSONValue) {
        guard let title = json["title"].flatMap(LocalizedText.init(json:)) else { return nil }
        self.init(
            title: title,
            subtitle: json["subtitle"].flatMap(LocalizedText.init(json:)),
            image: json["image"].flatMap(Image.init(json:)),
            synonyms: (json["synonyms"]?.array ?? []).compactMap(LocalizedText.init(json:))
        )
    }
}

extension DisplayRepresentation.Image {
    /// An object with one member, `url` or `systemName`.
    package var json: JSONValue {
        switch self {
        case .url(let address): ["url": .string(address)]
        case .systemName(let name): ["systemName": .string(name)]
        }
    }

    package init?(json: JSONValue) {
        if let address = json["url"]?.string {
            self = .url(address)
        } else if let name = json["systemName"]?.string {
            self = .systemName(name)
        } else {
            return nil
        }
    }
}

extension DisplayRepresentation {
    /// Its size in bytes of UTF-8, without what surrounds the texts.
    fileprivate var size: Int {
        let texts = [self.title] + [self.subtitle].compactMap(\.self) + self.synonyms
        let image =
            switch self.image {
            case .url(let text)?, .systemName(let text)?: text.utf8.count
            case nil: 0
            }
        return image + texts.reduce(0) { $0 + $1.size }
    }
}

extension [DisplayRepresentation?] {
    /// The largest size of the words of one prompt, in bytes of UTF-8.
    private static var maximumBytes: Int { 256 * 1_024 }

    /// The words without subtitles, then without images, then without synonyms, until all together are within the limit
    /// for one prompt; titles are never left out.
    package var withinLimit: Self {
        guard self.reduce(0, { $0 + ($1?.size ?? 0) }) > Self.maximumBytes else { return self }
        var displays = self
        let steps: [(DisplayRepresentation) -> DisplayRepresentation] = [
            { DisplayRepresentation(title: $0.title, image: $0.image, synonyms: $0.synonyms) },
            { DisplayRepresentation(title: $0.title, synonyms: $0.synonyms) },
            { DisplayRepresentation(title: $0.title) },
        ]
        for step in steps {
            displays = displays.map { $0.map(step) }
            if displays.reduce(0, { $0 + ($1?.size ?? 0) }) <= Self.maximumBytes { break }
        }
        return displays
    }
}
