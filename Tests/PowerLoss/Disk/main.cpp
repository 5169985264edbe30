// A file system in memory that loses power.
//
// Usage: losing-disk MOUNT-POINT
//
// Commands come as lines from standard input, see Commands.h, and each is answered by a line on standard output; the
// first line says that the file system is mounted. It is unmounted when the input ends, so that it never outlives who
// started it. The status is 3 where the system does not let it be mounted.

#include <pthread.h>
#include <signal.h>

#include <iostream>
#include <thread>

#include "Commands.h"
#include "FileSystem.h"

namespace {

using power_loss::SharedMachine;

void takeCommands(SharedMachine &shared, pthread_t main) {
  std::cout << power_loss::answer(shared, "state") << std::endl;
  for (std::string line; std::getline(std::cin, line);) std::cout << power_loss::answer(shared, line) << std::endl;
  // Ends the loop that serves the kernel.
  pthread_kill(main, SIGTERM);
}

/// A thread that is not interrupted by what is to end the loop in the main thread.
std::thread startTakingCommands(SharedMachine &shared) {
  sigset_t ending, before;
  sigemptyset(&ending);
  for (int signal : {SIGTERM, SIGINT, SIGHUP}) sigaddset(&ending, signal);
  pthread_sigmask(SIG_BLOCK, &ending, &before);
  std::thread thread(takeCommands, std::ref(shared), pthread_self());
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return thread;
}

}  // namespace

int main(int argumentCount, char **arguments) {
  if (argumentCount != 2) {
    std::cerr << "Usage: losing-disk MOUNT-POINT\n";
    return 2;
  }
  SharedMachine shared;
  char *fuseArguments[] = {arguments[0], const_cast<char *>("-ofsname=losing-disk")};
  fuse_args options = FUSE_ARGS_INIT(2, fuseArguments);
  auto operations = power_loss::fileSystemOperations();
  auto *session = fuse_session_new(&options, &operations, sizeof operations, &shared);
  if (!session || fuse_set_signal_handlers(session) != 0) return 1;
  if (fuse_session_mount(session, arguments[1]) != 0) return 3;
  startTakingCommands(shared).detach();
  fuse_loop_config configuration{};
  configuration.max_idle_threads = 10;
  int result = fuse_session_loop_mt(session, &configuration);
  fuse_session_unmount(session);
  // The thread that takes commands may wait for input for ever, and nothing is left to be kept.
  _exit(result < 0 ? 1 : 0);
}
