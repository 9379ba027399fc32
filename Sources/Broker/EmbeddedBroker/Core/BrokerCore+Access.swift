extension BrokerCore {
    private static let noAuthorizer = "No Authorizer is configured on the broker"

    /// DescribeAcls: there is no authorizer that would enforce ACLs.
    func describeAcls() -> DescribeAclsResponse {
        DescribeAclsResponse(errorCode: .securityDisabled, errorMessage: Self.noAuthorizer)
    }

    /// CreateAcls: refused one by one, as Kafka does without an authorizer.
    func createAcls(_ request: CreateAclsRequest) -> CreateAclsResponse {
        CreateAclsResponse(
            results: request.creations.map { _ in
                .init(errorCode: .securityDisabled, errorMessage: Self.noAuthorizer)
            }
        )
    }
}
