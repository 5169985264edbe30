// Projections that must not compile: Scripts/check-refusals.
import Firn

class Item: Object {
  @Persisted var name: String
}

class ItemLine: Projection<Item> {
  @Projected(\Item.name) var name
}

struct Line {
  @Projected(\Item.name) var name  // refused: can be used only in classes derived from Projection
}

class Holder: Object {
  @Persisted var line: ItemLine?  // refused: conform to '_PersistableInsideOptional'
}

struct Row: ValueProjection {  // refused: does not conform to protocol 'ValueProjection'
  var name: String
}

func objectOfAnotherClass(_ line: ItemLine, _ holder: Holder) {
  _ = ItemLine(projecting: holder)  // refused: cannot convert value of type 'Holder'
  line.rootObject = Item()  // refused: 'rootObject' is a 'let' constant
}
