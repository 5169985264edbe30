#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "Disk.h"

namespace power_loss {

/// Tells which of the things that were not synchronized are there when the power comes back.
enum class ImageKind {
  /// Nothing.
  nothing,
  /// Everything, and a later power loss may still take it: this time only the process died.
  everything,
  /// Everything up to one moment.
  prefix,
  /// Any part of each file and each folder, from nothing to everything; sectors, sizes and names each by themselves.
  random,
  /// Everything, but of the very last write a part.
  torn,
};

struct Image {
  ImageKind kind;
  /// How probably a sector or a name survives, where only some do.
  double keeping;
  std::uint64_t seed;
  /// Whether what was lost behind the old end of a file shows what the disk held there before, instead of zeros.
  bool isStale;
};

std::optional<ImageKind> imageKind(const std::string &name);

/// A disk as it is when the power comes back; the one that lost it stays as it is.
std::shared_ptr<Disk> makeImage(const Disk &stopped, const Image &image, std::uint64_t firstID);

}  // namespace power_loss
