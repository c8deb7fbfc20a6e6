/// Where the local API is on its server.
public enum APIPath {
    /// What all routes begin with.
    public static let prefix = "/api/v1"
}
