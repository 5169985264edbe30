#include "FileSystem.h"

#include <sys/statvfs.h>
#include <sys/time.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <thread>

#include "Commands.h"

namespace power_loss {

namespace {

/// Does one thing that the kernel asks for, under the lock. `body` answers it, or throws a `Failure`, which is the
/// answer then.
template <typename Body>
void serve(fuse_req_t request, Body body) {
  auto &shared = *static_cast<SharedMachine *>(fuse_req_userdata(request));
  std::unique_lock lock(shared.mutex);
  try {
    body(*shared.machine, lock);
  } catch (const Failure &failure) {
    fuse_reply_err(request, failure.code);
  }
}

pid_t caller(fuse_req_t request) { return fuse_req_ctx(request)->pid; }

struct stat attributes(const Node &node) {
  struct stat status {};
  status.st_ino = node.id;
  status.st_mode = node.mode;
  status.st_nlink = node.isFolder() && node.nameCount > 0 ? 2 : node.nameCount;
  status.st_size = static_cast<off_t>(node.isFile() ? node.file.shown.size() : node.target.size());
  status.st_blocks = static_cast<blkcnt_t>(Disk::blockByteCount(status.st_size) / 512);
  status.st_blksize = 4096;
  status.st_mtim = status.st_ctim = status.st_atim = node.modified;
  return status;
}

/// The kernel keeps nothing: another image of the disk may be there the next moment.
fuse_entry_param entry(Machine &machine, const NodeReference &node) {
  machine.disk().remember(node);
  fuse_entry_param entry{};
  entry.ino = node->id;
  entry.attr = attributes(*node);
  return entry;
}

NodeReference folder(Machine &machine, fuse_ino_t id) {
  auto node = machine.node(id);
  if (!node->isFolder()) throw Failure{ENOTDIR};
  return node;
}

NodeReference named(const Node &folder, const char *name) {
  auto found = folder.folder.shown.find(name);
  if (found == folder.folder.shown.end()) throw Failure{ENOENT};
  return found->second;
}

void requireFree(const Node &folder, const char *name) {
  if (folder.folder.shown.contains(name)) throw Failure{EEXIST};
}

// MARK: Names

void lookup(fuse_req_t request, fuse_ino_t parent, const char *name) {
  serve(request, [&](Machine &machine, auto &) {
    auto found = entry(machine, named(*folder(machine, parent), name));
    fuse_reply_entry(request, &found);
  });
}

void forget(fuse_req_t request, fuse_ino_t id, std::uint64_t count) {
  serve(request, [&](Machine &machine, auto &) {
    machine.disk().forget(id, count);
    fuse_reply_none(request);
  });
}

NodeReference make(Machine &machine, fuse_req_t request, const char *operation, fuse_ino_t parent, const char *name,
                   mode_t mode) {
  auto into = folder(machine, parent);
  requireFree(*into, name);
  machine.claimRoomForName();
  machine.begin(operation, *into, caller(request));
  auto made = machine.disk().makeNode(mode);
  machine.disk().addName(*into, name, made);
  return made;
}

void makeFolder(fuse_req_t request, fuse_ino_t parent, const char *name, mode_t mode) {
  serve(request, [&](Machine &machine, auto &) {
    auto made = entry(machine, make(machine, request, "mkdir in", parent, name, S_IFDIR | (mode & 07777)));
    fuse_reply_entry(request, &made);
  });
}

void makeLink(fuse_req_t request, const char *target, fuse_ino_t parent, const char *name) {
  serve(request, [&](Machine &machine, auto &) {
    auto node = make(machine, request, "symlink in", parent, name, S_IFLNK | 0777);
    node->target = target;
    auto made = entry(machine, node);
    fuse_reply_entry(request, &made);
  });
}

void create(fuse_req_t request, fuse_ino_t parent, const char *name, mode_t mode, fuse_file_info *file) {
  serve(request, [&](Machine &machine, auto &) {
    auto made = entry(machine, make(machine, request, "create in", parent, name, S_IFREG | (mode & 07777)));
    file->direct_io = 1;
    fuse_reply_create(request, &made, file);
  });
}

void removeFile(fuse_req_t request, fuse_ino_t parent, const char *name) {
  serve(request, [&](Machine &machine, auto &) {
    auto from = folder(machine, parent);
    auto node = named(*from, name);
    if (node->isFolder()) throw Failure{EISDIR};
    machine.begin("unlink", *node, caller(request));
    machine.disk().removeName(*from, name);
    fuse_reply_err(request, 0);
  });
}

void removeFolder(fuse_req_t request, fuse_ino_t parent, const char *name) {
  serve(request, [&](Machine &machine, auto &) {
    auto from = folder(machine, parent);
    auto node = named(*from, name);
    if (!node->isFolder()) throw Failure{ENOTDIR};
    if (!node->folder.shown.empty()) throw Failure{ENOTEMPTY};
    machine.begin("rmdir", *node, caller(request));
    machine.disk().removeName(*from, name);
    fuse_reply_err(request, 0);
  });
}

/// Within a folder only: so one change of one folder is all there is to become durable.
void rename(fuse_req_t request, fuse_ino_t parent, const char *name, fuse_ino_t newParent, const char *newName,
            unsigned flags) {
  serve(request, [&](Machine &machine, auto &) {
    if (flags & ~unsigned{RENAME_NOREPLACE}) throw Failure{EINVAL};
    if (parent != newParent) throw Failure{EXDEV};
    auto in = folder(machine, parent);
    auto node = named(*in, name);
    if (flags & RENAME_NOREPLACE) requireFree(*in, newName);
    if (auto replaced = in->folder.shown.find(newName); replaced != in->folder.shown.end()) {
      const auto &other = *replaced->second;
      if (other.isFolder() && !node->isFolder()) throw Failure{EISDIR};
      if (!other.isFolder() && node->isFolder()) throw Failure{ENOTDIR};
      if (other.isFolder() && !other.folder.shown.empty()) throw Failure{ENOTEMPTY};
    }
    machine.begin("rename", *node, caller(request));
    machine.disk().rename(*in, name, newName);
    fuse_reply_err(request, 0);
  });
}

void readLink(fuse_req_t request, fuse_ino_t id) {
  serve(request, [&](Machine &machine, auto &) { fuse_reply_readlink(request, machine.node(id)->target.c_str()); });
}

void readFolder(fuse_req_t request, fuse_ino_t id, std::size_t size, off_t offset, fuse_file_info *) {
  serve(request, [&](Machine &machine, auto &) {
    auto listed = folder(machine, id);
    std::vector<std::pair<std::string, const Node *>> entries{{".", listed.get()}, {"..", machine.disk().root().get()}};
    for (const auto &[name, node] : listed->folder.shown) entries.emplace_back(name, node.get());
    std::vector<char> buffer(size);
    std::size_t used = 0;
    for (auto index = static_cast<std::size_t>(offset); index < entries.size(); ++index) {
      auto status = attributes(*entries[index].second);
      auto needed = fuse_add_direntry(request, buffer.data() + used, size - used, entries[index].first.c_str(), &status,
                                      static_cast<off_t>(index + 1));
      if (needed > size - used) break;
      used += needed;
    }
    fuse_reply_buf(request, buffer.data(), used);
  });
}

// MARK: Files

void getAttributes(fuse_req_t request, fuse_ino_t id, fuse_file_info *) {
  serve(request, [&](Machine &machine, auto &) {
    // Programs that look for mounted file systems have to find this one whether it has power or not.
    auto node = id == Disk::rootID ? machine.disk().root() : machine.node(id);
    auto status = attributes(*node);
    fuse_reply_attr(request, &status, 0);
  });
}

void setAttributes(fuse_req_t request, fuse_ino_t id, struct stat *wanted, int which, fuse_file_info *) {
  serve(request, [&](Machine &machine, auto &) {
    auto node = machine.node(id);
    if (which & FUSE_SET_ATTR_SIZE) {
      machine.claimRoom(*node, wanted->st_size);
      machine.begin("truncate", *node, caller(request));
      machine.disk().resize(*node, wanted->st_size);
    }
    if (which & FUSE_SET_ATTR_MODE) node->mode = (node->mode & S_IFMT) | (wanted->st_mode & 07777);
    auto status = attributes(*node);
    fuse_reply_attr(request, &status, 0);
  });
}

/// Nothing is cached, so that every write and every read arrives here. The kernel itself cuts a file that is opened to
/// be emptied.
void openFile(fuse_req_t request, fuse_ino_t id, fuse_file_info *file) {
  serve(request, [&](Machine &machine, auto &) {
    machine.node(id);
    file->direct_io = 1;
    fuse_reply_open(request, file);
  });
}

void readFile(fuse_req_t request, fuse_ino_t id, std::size_t size, off_t offset, fuse_file_info *) {
  serve(request, [&](Machine &machine, auto &) {
    auto node = machine.node(id);
    const auto &content = node->file.shown;
    auto start = std::min<std::uint64_t>(offset, content.size());
    auto count = std::min<std::uint64_t>(size, content.size() - start);
    machine.read(node, start, count);
    fuse_reply_buf(request, reinterpret_cast<const char *>(content.data()) + start, count);
  });
}

/// The write is in the memory of the system when the power goes, so that an image may have it.
void writeFile(fuse_req_t request, fuse_ino_t id, const char *bytes, std::size_t size, off_t offset, fuse_file_info *) {
  serve(request, [&](Machine &machine, auto &) {
    auto node = machine.node(id);
    machine.write(*node, offset, {reinterpret_cast<const std::uint8_t *>(bytes), size});
    machine.begin("write", *node, caller(request));
    fuse_reply_write(request, size);
  });
}

void allot(fuse_req_t request, fuse_ino_t id, int mode, off_t offset, off_t count, fuse_file_info *) {
  serve(request, [&](Machine &machine, auto &) {
    auto node = machine.node(id);
    if (mode != 0) throw Failure{EOPNOTSUPP};
    std::uint64_t end = offset + count;
    machine.claimRoom(*node, end);
    machine.begin("fallocate", *node, caller(request));
    if (end > node->file.shown.size()) {
      machine.disk().resize(*node, end);
      node->file.reservedEnd = end;
    }
    fuse_reply_err(request, 0);
  });
}

void synchronize(fuse_req_t request, fuse_ino_t id, int, fuse_file_info *) {
  serve(request, [&](Machine &machine, std::unique_lock<std::mutex> &lock) {
    auto sync = machine.beginSync(machine.node(id), caller(request));
    // Others are served meanwhile. The sync covers what was there when it began.
    lock.unlock();
    std::this_thread::sleep_for(sync.duration);
    lock.lock();
    machine.endSync(sync);
    fuse_reply_err(request, 0);
  });
}

void nothing(fuse_req_t request, fuse_ino_t, fuse_file_info *) { fuse_reply_err(request, 0); }

void describe(fuse_req_t request, fuse_ino_t) {
  serve(request, [&](Machine &machine, auto &) {
    struct statvfs description {};
    auto used = machine.disk().usedByteCount();
    // A disk of a tebibyte where no limit is set.
    auto all = std::min<std::uint64_t>(machine.faults.byteCountMax, std::uint64_t{1} << 40);
    description.f_bsize = description.f_frsize = 4096;
    description.f_blocks = all / 4096;
    description.f_bfree = description.f_bavail = used < all ? (all - used) / 4096 : 0;
    description.f_files = 100'000;
    description.f_ffree = description.f_favail = 90'000;
    description.f_namemax = 255;
    fuse_reply_statfs(request, &description);
  });
}

}  // namespace

fuse_lowlevel_ops fileSystemOperations() {
  fuse_lowlevel_ops operations{};
  operations.lookup = lookup;
  operations.forget = forget;
  operations.getattr = getAttributes;
  operations.setattr = setAttributes;
  operations.readlink = readLink;
  operations.mkdir = makeFolder;
  operations.symlink = makeLink;
  operations.create = create;
  operations.unlink = removeFile;
  operations.rmdir = removeFolder;
  operations.rename = rename;
  operations.open = openFile;
  operations.read = readFile;
  operations.write = writeFile;
  operations.fallocate = allot;
  operations.flush = nothing;
  operations.release = nothing;
  operations.fsync = synchronize;
  operations.fsyncdir = synchronize;
  operations.readdir = readFolder;
  operations.statfs = describe;
  return operations;
}

}  // namespace power_loss
