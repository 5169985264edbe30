#include "Image.h"

#include <algorithm>
#include <unordered_map>

#include "Survival.h"

namespace power_loss {

namespace {

constexpr Moment never = 0;
constexpr Moment allTime = ~Moment{0};

}  // namespace

std::optional<ImageKind> imageKind(const std::string &name) {
  if (name == "nothing") return ImageKind::nothing;
  if (name == "everything") return ImageKind::everything;
  if (name == "prefix") return ImageKind::prefix;
  if (name == "random") return ImageKind::random;
  if (name == "torn") return ImageKind::torn;
  return std::nullopt;
}

/// Copies the nodes that the disk has after all, each once.
class ImageMaker {
 public:
  ImageMaker(const Disk &stopped, const Image &image, std::uint64_t firstID)
      : stopped_(stopped), image_(image), random_(image.seed), disk_(std::make_shared<Disk>(firstID)) {
    // A prefix ends anywhere between the oldest and the newest change that is not durable.
    Moment oldest = stopped.now() + 1;
    visitAll([&](const Node &node) {
      for (const auto &change : node.file.changes) oldest = std::min(oldest, change.moment);
      for (const auto &change : node.file.sizes) oldest = std::min(oldest, change.moment);
      for (const auto &change : node.folder.changes) oldest = std::min(oldest, change.moment);
    });
    end_ = oldest - 1 + random_.below(stopped.now() - oldest + 2);
    visitAll([&](const Node &node) {
      if (!node.file.changes.empty()) lastWrite_ = std::max(lastWrite_, node.file.changes.back().moment);
      if (!node.file.shown.empty()) contents_.push_back(&node.file.shown);
    });
  }

  std::shared_ptr<Disk> make() {
    copies_[stopped_.root().get()] = disk_->root();
    disk_->now_ = stopped_.now();
    fill(*disk_->root(), *stopped_.root());
    return disk_;
  }

 private:
  const Disk &stopped_;
  const Image image_;
  Random random_;
  std::shared_ptr<Disk> disk_;
  /// The moment at which a prefix ends.
  Moment end_;
  Moment lastWrite_ = never;
  std::unordered_map<const Node *, NodeReference> copies_;
  /// Stale sectors may show parts of these.
  std::vector<const Bytes *> contents_;

  template <typename Body>
  void visitAll(Body body) {
    std::set<const Node *> visited;
    visit(*stopped_.root(), visited, body);
  }

  template <typename Body>
  void visit(const Node &node, std::set<const Node *> &visited, Body &body) {
    if (!visited.insert(&node).second) return;
    body(node);
    for (const auto &entry : node.folder.durable) visit(*entry.second, visited, body);
    for (const auto &change : node.folder.changes) {
      if (change.node) visit(*change.node, visited, body);
    }
  }

  NodeReference copy(const Node &node) {
    auto &copy = copies_[&node];
    if (copy) return copy;
    auto made = disk_->makeNode(node.mode);
    copy = made;
    fill(*made, node);
    return made;
  }

  void fill(Node &copy, const Node &node) {
    copy.modified = node.modified;
    copy.name = node.name;
    copy.target = node.target;
    if (node.isFile()) fillFile(copy.file, node.file);
    if (node.isFolder()) fillFolder(copy.folder, node.folder);
  }

  // MARK: Folders

  void fillFolder(FolderData &copy, const FolderData &folder) {
    if (image_.kind == ImageKind::everything) return copyFolder(copy, folder);
    Names names = folder.durable;
    double keeping = random_.pick({0.0, 0.5, image_.keeping, 1.0});
    for (const auto &change : folder.changes) {
      if (survives(change, keeping)) change.apply(names);
    }
    for (const auto &[name, node] : names) {
      auto there = this->copy(*node);
      ++there->nameCount;
      copy.durable[name] = there;
    }
    copy.shown = copy.durable;
  }

  /// With what a later power loss would still take.
  void copyFolder(FolderData &copy, const FolderData &folder) {
    for (const auto &[name, node] : folder.durable) copy.durable[name] = this->copy(*node);
    for (const auto &[name, node] : folder.shown) {
      copy.shown[name] = this->copy(*node);
      ++copy.shown[name]->nameCount;
    }
    for (auto change : folder.changes) {
      if (change.node) change.node = this->copy(*change.node);
      copy.changes.push_back(std::move(change));
    }
  }

  bool survives(const NameChange &change, double keeping) {
    switch (image_.kind) {
      case ImageKind::nothing: return false;
      case ImageKind::everything:
      case ImageKind::torn: return true;
      case ImageKind::prefix: return change.moment <= end_;
      case ImageKind::random: return random_.chance(keeping);
    }
    return false;
  }

  // MARK: Files

  void fillFile(FileData &copy, const FileData &file) {
    if (image_.kind == ImageKind::everything) {
      copy = file;
      return;
    }
    if (image_.kind == ImageKind::torn) {
      copy.durable = tornContent(file);
    } else {
      double keeping = random_.pick({0.0, image_.keeping, image_.keeping, 1.0});
      copy.durable = survivingContent(file, survivingSize(file), allTime, [&](std::span<const Moment> moments) {
        return lastChange(moments, keeping);
      });
      if (image_.isStale && image_.kind == ImageKind::random) makeStale(copy.durable, file);
    }
    copy.shown = copy.durable;
    copy.unreadableSectors = file.unreadableSectors;
  }

  std::uint64_t survivingSize(const FileData &file) {
    std::uint64_t size = file.durable.size();
    if (image_.kind == ImageKind::prefix) {
      for (const auto &change : file.sizes) {
        if (change.moment <= end_) size = change.size;
      }
    }
    if (image_.kind == ImageKind::random && !file.sizes.empty()) {
      auto choice = random_.below(file.sizes.size() + 2);
      if (choice < file.sizes.size()) size = file.sizes[choice].size;
      if (choice == file.sizes.size()) size = file.sizes.back().size;
    }
    return size;
  }

  Moment lastChange(std::span<const Moment> moments, double keeping) {
    switch (image_.kind) {
      case ImageKind::nothing: return never;
      case ImageKind::everything:
      case ImageKind::torn: return allTime;
      case ImageKind::prefix: return end_;
      case ImageKind::random:
        if (random_.chance(keeping)) return allTime;
        return random_.chance(0.3) ? moments[random_.below(moments.size())] : never;
    }
    return never;
  }

  /// Everything, and a part of the last write if it was to this file: a beginning, or some sectors.
  Bytes tornContent(const FileData &file) {
    auto all = [](std::span<const Moment>) { return allTime; };
    std::uint64_t size = file.sizes.empty() ? file.durable.size() : file.sizes.back().size;
    if (file.changes.empty() || file.changes.back().moment != lastWrite_) {
      return survivingContent(file, size, allTime, all);
    }
    const auto &last = file.changes.back();
    Bytes content = survivingContent(file, size, last.moment - 1, all);
    auto tear = last.offset + random_.below(last.byteCount + 1);
    auto nextSector = (tear + sectorByteCount - 1) / sectorByteCount * sectorByteCount;
    switch (random_.below(3)) {
      case 0: last.apply(content, last.offset, tear); break;
      case 1: last.apply(content, last.offset, nextSector); break;
      default:
        for (auto sector = last.offset / sectorByteCount; sector * sectorByteCount < last.end(); ++sector) {
          if (random_.chance(0.5)) last.apply(content, sector * sectorByteCount, (sector + 1) * sectorByteCount);
        }
    }
    return content;
  }

  /// Puts what was on the disk before into sectors that were never written nor reserved, as far as they show.
  void makeStale(Bytes &content, const FileData &file) {
    auto known = std::max<std::uint64_t>(file.durable.size(), file.reservedEnd);
    auto start = (known + sectorByteCount - 1) / sectorByteCount * sectorByteCount;
    for (; start < content.size(); start += sectorByteCount) {
      auto end = std::min<std::uint64_t>(start + sectorByteCount, content.size());
      bool isWritten = std::any_of(content.begin() + start, content.begin() + end, [](auto byte) { return byte != 0; });
      if (isWritten) continue;
      const Bytes &other = *contents_[random_.below(contents_.size())];
      if (random_.chance(0.5) || other.size() < sectorByteCount) {
        for (auto place = start; place < end; ++place) content[place] = static_cast<std::uint8_t>(random_.below(256));
      } else {
        auto from = random_.below(other.size() / sectorByteCount) * sectorByteCount;
        std::copy_n(other.begin() + from, end - start, content.begin() + start);
      }
    }
  }
};

std::shared_ptr<Disk> makeImage(const Disk &stopped, const Image &image, std::uint64_t firstID) {
  return ImageMaker(stopped, image, firstID).make();
}

}  // namespace power_loss
