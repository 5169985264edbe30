#pragma once

#include <chrono>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "Disk.h"
#include "Image.h"

namespace power_loss {

/// An operation that fails with an error number of the system.
struct Failure {
  int code;
};

/// Everything that is to go wrong. Operations, syncs and reads are counted from the last start of the machine.
struct Faults {
  std::optional<std::uint64_t> powerLossAtOperation;
  std::optional<std::uint64_t> failureAtOperation;
  std::optional<std::uint64_t> failureAtSync;
  std::optional<std::uint64_t> failureAtRead;
  /// Whether the sectors of the read that failed stay unreadable.
  bool readFailureStays = false;
  /// The bytes that all files may take.
  std::uint64_t byteCountMax = std::numeric_limits<std::uint64_t>::max();
  std::chrono::microseconds shortestSync{0};
  std::chrono::microseconds longestSync{0};

  // Faults that no disk may have. They are planted, to see whether they are noticed.

  /// How probably a sync of a file, or of a folder, does nothing and reports success.
  double lyingFileSyncs = 0;
  double lyingFolderSyncs = 0;
  /// Whether a write for which there is no room is lost and reports success.
  bool losesWritesWithoutRoom = false;
};

/// Everything that happened so far.
struct Counts {
  /// Operations that change the disk, syncs included.
  std::uint64_t operations = 0;
  std::uint64_t syncs = 0;
  std::uint64_t reads = 0;
  std::uint64_t refusalsForRoom = 0;
};

/// A machine with one disk, whose power goes away when it is told to.
///
/// Callers hold a lock. Members throw a `Failure` with the error that the system would answer.
class Machine {
 public:
  /// - Parameter firstID: Above the ids of all nodes that the kernel may know.
  explicit Machine(std::uint64_t seed, std::uint64_t firstID = 0);

  Disk &disk() { return *disk_; }
  Faults faults;
  const Counts &counts() const { return counts_; }
  bool hasPower() const { return hasPower_; }
  /// The operation at which the power went, or that was made to fail.
  const std::string &lastFault() const { return lastFault_; }

  // MARK: Operations

  /// The node that the kernel names.
  NodeReference node(std::uint64_t id);
  /// Counts an operation that changes `node`; throws when it does not happen.
  ///
  /// - Parameter caller: The process or thread; when the power goes, its process group dies.
  void begin(const char *operation, const Node &node, pid_t caller);
  /// Throws when a file may not become so long.
  void claimRoom(const Node &file, std::uint64_t size);
  /// Throws when there is no room at all.
  void claimRoomForName();
  void write(Node &file, std::uint64_t offset, std::span<const std::uint8_t> bytes);
  void read(const NodeReference &file, std::uint64_t offset, std::uint64_t byteCount);

  /// A sync between its beginning and its end, in which others may write.
  struct Sync {
    NodeReference node;
    Moment upTo;
    std::chrono::microseconds duration;
    pid_t caller;
    bool fails;
    bool losesPower;
  };
  Sync beginSync(const NodeReference &node, pid_t caller);
  void endSync(const Sync &sync);

  // MARK: Power

  /// Nothing reaches the disk from here on; a process group, if one is given, dies.
  void losePower(const std::string &operation, pid_t caller);
  /// Keeps what the disk was when the power went, under a name.
  void keep(const std::string &name);
  /// Starts with an image of the disk that lost the power last, or of one that was kept, as often as wanted. Counts
  /// begin anew, and what was to happen once does not happen any more. False if there is no such disk.
  bool start(const Image &image, const std::optional<std::string> &kept = std::nullopt);
  /// Makes what is unreadable readable again.
  void heal();

 private:
  std::shared_ptr<Disk> disk_;
  bool hasPower_ = true;
  /// The disk as it was when the power went last.
  std::shared_ptr<Disk> stopped_;
  std::map<std::string, std::shared_ptr<Disk>> kept_;
  Counts counts_;
  Random random_;
  std::string lastFault_;

  void requirePower() const;
  bool isDue(const std::optional<std::uint64_t> &moment, std::uint64_t count) const;
};

}  // namespace power_loss
