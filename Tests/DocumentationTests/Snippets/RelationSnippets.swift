import Firn

/// The code in comments about relations.
private enum Relations {
  class Author: Object {
    @Persisted var books: List<Book>
  }
  class Book: Object {
    @Persisted(originProperty: "books") var authors: LinkingObjects<Author>
  }
}

private enum Embedding {
  class Address: EmbeddedObject {
    @Persisted var street: String
  }
  class Customer: Object {
    @Persisted var home: Address?
    @Persisted var previous: List<Address>
  }
}

private enum DeleteRules {
  class OrderLine: Object {
    @Persisted var text: String
  }

  class Bill: Object {
    @Persisted var number: Int
  }

  class Order: Object {
    @Persisted(deleteRule: .cascade) var lines: List<OrderLine>
    @Persisted(deleteRule: .deny) var bill: Bill?
  }
}
