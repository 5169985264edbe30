#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "CFirn.h"

__thread struct firn_reader *firn_thread_reader __attribute__((tls_model("initial-exec"))) = 0;
__thread bool firn_thread_was_noted __attribute__((tls_model("initial-exec"))) = false;
__thread struct firn_release_state firn_thread_releases __attribute__((tls_model("initial-exec"))) = {0, 0, 0, 0};

static struct firn_reader *all_readers = 0;
static pthread_key_t reader_key;
static pthread_once_t reader_once = PTHREAD_ONCE_INIT;

static void give_back(void *reader) {
  // What the thread still reads while it ends needs another one.
  firn_thread_reader = 0;
  __atomic_store_n(&((struct firn_reader *)reader)->isTaken, 0, __ATOMIC_RELEASE);
}

static void make_key(void) { pthread_key_create(&reader_key, give_back); }

struct firn_reader *firn_reader_register(void) {
  pthread_once(&reader_once, make_key);
  struct firn_reader *reader = __atomic_load_n(&all_readers, __ATOMIC_ACQUIRE);
  for (; reader; reader = reader->next) {
    uint64_t free = 0;
    if (__atomic_compare_exchange_n(&reader->isTaken, &free, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) break;
  }
  if (!reader) {
    reader = aligned_alloc(64, sizeof(struct firn_reader));
    if (!reader) abort();
    reader->context = 0;
    reader->isTaken = 1;
    reader->next = __atomic_load_n(&all_readers, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(&all_readers, &reader->next, reader, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) {
    }
  }
  pthread_setspecific(reader_key, reader);
  return firn_thread_reader = reader;
}

void firn_reader_wait(uint64_t context) {
  struct firn_reader *reader = __atomic_load_n(&all_readers, __ATOMIC_SEQ_CST);
  for (; reader; reader = reader->next) {
    while (__atomic_load_n(&reader->context, __ATOMIC_SEQ_CST) == context) sched_yield();
  }
}

static void *main_thread = 0;

__attribute__((constructor)) static void find_main_thread(void) {
  // A library loaded later may be loaded by any thread; then the first look from the main thread finds it.
  if (syscall(SYS_gettid) == getpid()) main_thread = firn_thread_pointer();
}

void *firn_main_thread_pointer(void) { return __atomic_load_n(&main_thread, __ATOMIC_RELAXED); }

bool firn_is_main_thread(void) {
  void *known = __atomic_load_n(&main_thread, __ATOMIC_RELAXED);
  if (known) return known == firn_thread_pointer();
  if (syscall(SYS_gettid) != getpid()) return false;
  __atomic_store_n(&main_thread, firn_thread_pointer(), __ATOMIC_RELAXED);
  return true;
}

uint64_t firn_thread_number(void) {
  static __thread uint64_t number = 0;
  static uint64_t last = 0;
  if (number == 0) number = __atomic_add_fetch(&last, 1, __ATOMIC_RELAXED);
  return number;
}

void firn_yield(void) { sched_yield(); }
