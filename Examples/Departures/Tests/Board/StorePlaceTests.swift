import Firn
import Foundation
import Testing

@testable import DepartureBoard

@Suite struct StorePlaceTests {
  private func path(_ path: String?, _ environment: [String: String]) -> String? {
    StoreLocation(path: path, environment: environment).path
  }

  @Test func usesTheFolderForState() {
    let own = "/firn-departures/departures.firn"
    #expect(path(nil, ["XDG_STATE_HOME": "/state", "HOME": "/home/me"]) == "/state" + own)
    #expect(path(nil, ["XDG_STATE_HOME": "state", "HOME": "/home/me"]) == "/home/me/.local/state" + own)
    #expect(path(nil, ["HOME": "/home/me"]) == "/home/me/.local/state" + own)
    #expect(path(nil, [:])?.hasSuffix(own) == true)
    #expect(path("/tmp/x.firn", ["HOME": "/home/me"]) == "/tmp/x.firn")
    #expect(
      StoreLocation(path: "/tmp/x.firn", environment: [:]) == .file(URL(fileURLWithPath: "/tmp/x.firn"), isOwn: false))
  }

  @Test(arguments: [
    (Realm.Error.Code.ownedByOtherProcess, "is in use, perhaps by another board: end that one, or name"),
    (.schemaMismatch, "was not written by this version of the program: name another file"),
    (.invalidDatabase, "was not written by this version of the program: name another file"),
    (.corrupted, "is damaged: move it and /tmp/x.firn.journal away to begin anew, or name"),
    (.filePermissionDenied, "cannot be opened: name another file"),
    (.fileNotFound, "cannot be opened: name another file"),
    (.fileOperationFailed, "cannot be opened: name another file"),
    (.outOfDiskSpace, "finds no room: make some, or name another file"),
  ])
  func saysWhatIsWrongAndWhatToDo(code: Realm.Error.Code, expected: String) {
    let error = Realm.Error(code, userInfo: [NSLocalizedDescriptionKey: "the reason"])
    let location = StoreLocation.file(URL(fileURLWithPath: "/tmp/x.firn"), isOwn: false)
    let text = StoreProblem(error, at: location).description
    #expect(text.hasPrefix("the store /tmp/x.firn \(expected)"))
    #expect(text.hasSuffix("--memory (the reason)"))
  }
}
