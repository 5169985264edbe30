// Code that must not compile: Scripts/check-refusals. Names that only the module RealmSwift has.
import RealmSwift

let app = App(id: "board-abcde")  // refused: 'App' is unavailable: Firn has no sync.
