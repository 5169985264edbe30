// Code that must not compile: Scripts/check-refusals. Names that only the module RealmSwift has.
import RealmSwift

let app = App(id: "board-abcde")  // refused: 'App' is unavailable: Firn has no sync.

func open(for user: User) {}  // refused: 'User' is unavailable: Firn has no sync, and no users of it.

func login(_ credentials: Credentials) {}  // refused: 'Credentials' is unavailable: Firn has no sync
