extension ApiVersionsResponse {
    /// Everything the broker serves.
    static func supported(errorCode: ErrorCode = .none) -> ApiVersionsResponse {
        ApiVersionsResponse(
            errorCode: errorCode,
            apiKeys: ApiKey.allCases.map { api in
                Api(apiKey: api.rawValue, minVersion: api.versions.lowerBound, maxVersion: api.versions.upperBound)
            }
        )
    }
}
