#include "CAccessorPath.h"
#include <sched.h>
#include <stdlib.h>
__thread int32_t firn_making_accessor_flag;
__thread struct firn_hazard *firn_my_hazard;
static struct firn_hazard *all;
void firn_lock_slow(void *p) {
  for (int i = 0;; i++) {
    if (__atomic_load_n((uint32_t *)p, __ATOMIC_RELAXED) == 0 && __atomic_exchange_n((uint32_t *)p, 1, __ATOMIC_ACQUIRE) == 0) return;
    if (i < 100) __builtin_ia32_pause(); else sched_yield();
  }
}
struct firn_hazard *firn_register_hazard(void) {
  struct firn_hazard *h = aligned_alloc(64, 64);
  h->context = 0;
  h->next = __atomic_load_n(&all, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(&all, &h->next, h, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {}
  return firn_my_hazard = h;
}
void firn_wait_hazards(uint64_t context) {
  for (struct firn_hazard *h = __atomic_load_n(&all, __ATOMIC_ACQUIRE); h; h = h->next)
    while (__atomic_load_n(&h->context, __ATOMIC_SEQ_CST) == context) sched_yield();
}
void *firn_opaque(void *p) { return p; }
extern void *swift_retain(void *);
extern void swift_release(void *);
void firn_learn_count_words(void *object, uint64_t *one, uint64_t *two) {
  *one = firn_load_acquire((char *)object + 8);
  swift_retain(object);
  *two = firn_load_acquire((char *)object + 8);
  swift_release(object);
}
#include <sys/mman.h>
// Regions of 32 MB with huge pages, as the engine's own allocator takes them.
void *firn_bump(unsigned long size) {
  static char *at, *end;
  size = (size + 63) & ~63ul;
  if (end - at < (long)size) {
    unsigned long r = 32ul << 20;
    char *m = mmap(0, r + (2 << 20), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    m = (char *)(((unsigned long)m + (2 << 20) - 1) & ~((2ul << 20) - 1));
    madvise(m, r, MADV_HUGEPAGE);
    at = m; end = m + r;
  }
  void *p = at; at += size; return p;
}
