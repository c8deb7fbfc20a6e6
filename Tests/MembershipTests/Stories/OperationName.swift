/// What somebody did in a story, by the name of the operation, such as "3. Alice removes Bob".
typealias OperationName = String
