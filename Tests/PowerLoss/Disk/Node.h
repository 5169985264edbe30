#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace power_loss {

/// Counts the changes of a disk: each has one of its own, a later one a greater one. 0 is before all of them.
using Moment = std::uint64_t;

using Bytes = std::vector<std::uint8_t>;

/// A disk writes sectors: after a power loss each of them is old or new, whatever the others are.
constexpr std::uint64_t sectorByteCount = 512;

/// Bytes that were written to a file, or the zeros that are behind its new end once it was cut.
struct ContentChange {
  Moment moment;
  std::uint64_t offset;
  std::uint64_t byteCount;
  /// Empty for zeros.
  Bytes bytes;

  std::uint64_t end() const { return offset + byteCount; }

  /// Makes the part of the change that lies in `from ..< to`, as far as `content` reaches.
  void apply(Bytes &content, std::uint64_t from, std::uint64_t to) const;
};

struct SizeChange {
  Moment moment;
  std::uint64_t size;
};

/// The content of a file.
///
/// Invariant: `durable` with all of `sizes` and then all of `changes` is `shown`, unless a sync has failed.
struct FileData {
  /// The bytes that reading gives.
  Bytes shown;
  /// The bytes that the disk has for sure.
  Bytes durable;
  /// Changes that a power loss may take, ascending by moment.
  std::deque<ContentChange> changes;
  std::deque<SizeChange> sizes;
  /// Bytes before this place were reserved: the disk shows zeros for what was not written there.
  std::uint64_t reservedEnd = 0;
  /// Numbers of sectors that the disk cannot read until they are written again.
  std::set<std::uint64_t> unreadableSectors;
};

struct Node;
using NodeReference = std::shared_ptr<Node>;
using Names = std::map<std::string, NodeReference>;

/// A name that was added, removed, or both: then a node was renamed, which is one change.
struct NameChange {
  Moment moment;
  std::string removed;
  std::string added;
  NodeReference node;

  void apply(Names &names) const;
};

/// The names in a folder. The invariant is that of a file.
struct FolderData {
  Names shown;
  Names durable;
  std::deque<NameChange> changes;
};

/// A file, a folder or a symbolic link.
struct Node {
  const std::uint64_t id;
  mode_t mode;
  timespec modified{};
  /// How many names lead to it; without any it lasts as long as somebody has it open.
  nlink_t nameCount = 0;
  /// How often the kernel was given it and has not forgotten it yet.
  std::uint64_t lookupCount = 0;
  /// The last name that it was given, for people.
  std::string name;

  // One of these, by the kind of the node.
  FileData file;
  FolderData folder;
  std::string target;

  Node(std::uint64_t id, mode_t mode) : id(id), mode(mode) {}

  bool isFile() const { return S_ISREG(mode); }
  bool isFolder() const { return S_ISDIR(mode); }
};

}  // namespace power_loss
