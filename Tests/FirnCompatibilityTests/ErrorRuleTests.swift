import Firn
import Foundation
import Testing

@Suite struct ErrorRuleTests {
  @Test func codes() {
    let codes: [(Realm.Error.Code, Int)] = [
      (Realm.Error.fail, 1), (Realm.Error.fileAccess, 2), (Realm.Error.filePermissionDenied, 3),
      (Realm.Error.fileExists, 4), (Realm.Error.fileNotFound, 5), (Realm.Error.fileFormatUpgradeRequired, 6),
      (Realm.Error.incompatibleLockFile, 8), (Realm.Error.addressSpaceExhausted, 9), (Realm.Error.schemaMismatch, 10),
      (Realm.Error.alreadyOpen, 12), (Realm.Error.invalidInput, 13), (Realm.Error.outOfDiskSpace, 14),
      (Realm.Error.incompatibleSession, 15), (Realm.Error.unsupportedFileFormatVersion, 16),
      (Realm.Error.multipleSyncAgents, 17), (Realm.Error.subscriptionFailed, 18), (Realm.Error.fileOperationFailed, 19),
      (Realm.Error.invalidDatabase, 20), (Realm.Error.incompatibleHistories, 21),
      (Realm.Error.noSubscriptionForWrite, 22), (Realm.Error.deadlineExceeded, 100), (Realm.Error.storeClosed, 101),
      (Realm.Error.ownedByOtherProcess, 102), (Realm.Error.corrupted, 103), (Realm.Error.durabilityLost, 104),
      (Realm.Error.deletionDenied, 105), (Realm.Error.duplicatePrimaryKey, 106), (Realm.Error.duplicateValue, 107),
    ]
    for (code, raw) in codes {
      #expect(code.rawValue == raw)
      #expect(Realm.Error.Code(rawValue: raw) == code)
    }
  }

  @Test func matching() {
    func kind(_ error: any Error) -> String {
      do {
        throw error
      } catch Realm.Error.fileNotFound {
        return "not found"
      } catch let error as Realm.Error where error.code == .fail {
        return "fail"
      } catch {
        return "other"
      }
    }
    #expect(kind(Realm.Error(.fileNotFound)) == "not found")
    #expect(kind(Realm.Error.callFailed) == "fail")
    #expect(kind(CancellationError()) == "other")
  }

  @Test func equality() {
    let (one, two): (any Error, any Error) = (Realm.Error(.fail), Realm.Error(.fail, userInfo: ["a": 1]))
    #expect(one == two)
    #expect(Realm.Error(.fail) == Realm.Error(.fail, userInfo: ["a": 1]))
    #expect(Realm.Error(.fail) != Realm.Error(.fileAccess))
    let other: any Error = CocoaError(.fileNoSuchFile)
    #expect(!(one == other))
    #expect(other == (CocoaError(.fileNoSuchFile) as any Error))
  }

  @Test func content() {
    let userInfo: [String: Any] = [NSLocalizedDescriptionKey: "Sentence.", NSFilePathErrorKey: "/a/b", "x": [1]]
    let error = Realm.Error(.fileAccess, userInfo: userInfo)
    #expect(error.localizedDescription == "Sentence." && (error as any Error).localizedDescription == "Sentence.")
    #expect(error.fileURL?.path == "/a/b" && error.userInfo["x"] as? [Int] == [1])
    #expect(error.errorUserInfo.count == 3 && error.errorCode == 2 && Realm.Error.errorDomain == "io.realm")
    #expect(Realm.Error(.fail).fileURL == nil && !Realm.Error(.fail).localizedDescription.isEmpty)
    #expect(Realm.Error(.fail).invalidInput == nil && Realm.Error(.fail).schemaProblems.isEmpty)
  }
}
