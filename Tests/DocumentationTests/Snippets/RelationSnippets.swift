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
