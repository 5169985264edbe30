#pragma once

#include <span>
#include <string>
#include <unordered_map>

#include "Node.h"
#include "Random.h"

namespace power_loss {

/// A tree of files as the system shows it, and beside it what would be left of it without power.
///
/// Bytes and sizes of files are durable once the file was synchronized, names once their folder was.
/// Before that each sector, each size and each name may be there or not.
class Disk {
 public:
  static constexpr std::uint64_t rootID = 1;

  explicit Disk(std::uint64_t firstID);

  const NodeReference &root() const { return root_; }
  /// Greater than the ids of all nodes.
  std::uint64_t nextID() const { return nextID_; }
  /// The moment of the last change.
  Moment now() const { return now_; }

  // MARK: Nodes that the kernel knows

  /// Notes that the kernel was given a node.
  void remember(const NodeReference &node);
  /// The node of an id that the kernel was given; null if it is of another disk.
  NodeReference known(std::uint64_t id) const;
  void forget(std::uint64_t id, std::uint64_t lookupCount);

  // MARK: Changes

  NodeReference makeNode(mode_t mode);
  void addName(Node &folder, const std::string &name, const NodeReference &node);
  void removeName(Node &folder, const std::string &name);
  /// Gives what has one name another one, in place of what may have that.
  void rename(Node &folder, const std::string &from, const std::string &to);
  void write(Node &file, std::uint64_t offset, std::span<const std::uint8_t> bytes);
  void resize(Node &file, std::uint64_t size);

  // MARK: Becoming durable

  /// Brings what was changed up to a moment onto the disk.
  static void synchronize(Node &node, Moment upTo);
  /// Brings any part of it onto the disk, and never the rest. Reading shows the rest, or does not any more.
  static void failToSynchronize(Node &file, Moment upTo, Random &random);

  /// The bytes of the blocks that all files with a name take.
  std::uint64_t usedByteCount() const;
  static std::uint64_t blockByteCount(std::uint64_t size) { return (size + 4095) / 4096 * 4096; }

 private:
  friend class ImageMaker;

  NodeReference root_;
  std::uint64_t nextID_;
  Moment now_ = 0;
  std::unordered_map<std::uint64_t, NodeReference> known_;

  void change(Node &folder, NameChange change);
};

}  // namespace power_loss
