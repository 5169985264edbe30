#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "CFirn.h"

__thread struct firn_reader *firn_thread_reader __attribute__((tls_model("initial-exec"))) = 0;
__thread int32_t firn_accessor_flag __attribute__((tls_model("initial-exec"))) = 0;

static struct firn_reader *all_readers = 0;
static pthread_key_t reader_key;
static pthread_once_t reader_once = PTHREAD_ONCE_INIT;

static void give_back(void *reader) {
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
    while (!__atomic_compare_exchange_n(&all_readers, &reader->next, reader, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
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

bool firn_is_main_thread(void) {
  static __thread int state = 0;
  if (state == 0) state = syscall(SYS_gettid) == getpid() ? 1 : 2;
  return state == 1;
}

void firn_yield(void) { sched_yield(); }
