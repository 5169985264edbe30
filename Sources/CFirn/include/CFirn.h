#ifndef CFIRN_H
#define CFIRN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Vectorised kernels over the leaves of a cluster, and the few machine words Swift cannot express itself.
//
// Conventions of all kernels:
// - `n` is the number of slots, 0 ... 256. A mask is four words; bit `k & 63` of word `k >> 6` stands for slot k.
//   Result masks are overwritten completely, bits from n on are 0. Selection masks may have bits set from n on; they
//   are ignored.
// - Not a single byte beyond the n elements (or beyond the end of the last string) is read: the writer may be
//   appending there.
// - `X` picks the AVX2 path once per process where there is one; `X_portable` is plain C with identical results, bit
//   for bit.

#ifdef __cplusplus
extern "C" {
#endif

// ---- Comparing a column with constants ----

/// Slots with lo <= x <= hi; no slot when lo > hi.
void firn_range_u8(const uint8_t *values, long n, uint8_t lo, uint8_t hi, uint64_t mask[4]);
void firn_range_u16(const uint16_t *values, long n, uint16_t lo, uint16_t hi, uint64_t mask[4]);
void firn_range_u32(const uint32_t *values, long n, uint32_t lo, uint32_t hi, uint64_t mask[4]);
void firn_range_i64(const int64_t *values, long n, int64_t lo, int64_t hi, uint64_t mask[4]);
void firn_range_u8_portable(const uint8_t *values, long n, uint8_t lo, uint8_t hi, uint64_t mask[4]);
void firn_range_u16_portable(const uint16_t *values, long n, uint16_t lo, uint16_t hi, uint64_t mask[4]);
void firn_range_u32_portable(const uint32_t *values, long n, uint32_t lo, uint32_t hi, uint64_t mask[4]);
void firn_range_i64_portable(const int64_t *values, long n, int64_t lo, int64_t hi, uint64_t mask[4]);

/// Operators of the floating-point comparisons. A NaN on either side never matches.
#define FIRN_GREATER 0
#define FIRN_GREATER_OR_EQUAL 1
#define FIRN_LESS 2
#define FIRN_LESS_OR_EQUAL 3
#define FIRN_EQUAL 4

/// Slots with x `op` constant.
void firn_compare_f64(const double *values, long n, int32_t op, double constant, uint64_t mask[4]);
void firn_compare_f32(const float *values, long n, int32_t op, float constant, uint64_t mask[4]);
void firn_compare_f64_portable(const double *values, long n, int32_t op, double constant, uint64_t mask[4]);
void firn_compare_f32_portable(const float *values, long n, int32_t op, float constant, uint64_t mask[4]);

// ---- Aggregates over the selected slots ----

/// Sum of the selected slots; 64-bit sums wrap around.
uint64_t firn_sum_u8(const uint8_t *values, long n, const uint64_t mask[4]);
uint64_t firn_sum_u16(const uint16_t *values, long n, const uint64_t mask[4]);
uint64_t firn_sum_u32(const uint32_t *values, long n, const uint64_t mask[4]);
int64_t firn_sum_i64(const int64_t *values, long n, const uint64_t mask[4]);
uint64_t firn_sum_u8_portable(const uint8_t *values, long n, const uint64_t mask[4]);
uint64_t firn_sum_u16_portable(const uint16_t *values, long n, const uint64_t mask[4]);
uint64_t firn_sum_u32_portable(const uint32_t *values, long n, const uint64_t mask[4]);
int64_t firn_sum_i64_portable(const int64_t *values, long n, const uint64_t mask[4]);

/// Sum in double precision with eight interleaved accumulators. A selected NaN makes the sum NaN.
double firn_sum_f64(const double *values, long n, const uint64_t mask[4]);
double firn_sum_f32(const float *values, long n, const uint64_t mask[4]);
double firn_sum_f64_portable(const double *values, long n, const uint64_t mask[4]);
double firn_sum_f32_portable(const float *values, long n, const uint64_t mask[4]);

/// Smallest and largest selected value; false (and nothing written) when no slot is selected. NaNs are passed over.
bool firn_minmax_u8(const uint8_t *values, long n, const uint64_t mask[4], uint8_t *min, uint8_t *max);
bool firn_minmax_u16(const uint16_t *values, long n, const uint64_t mask[4], uint16_t *min, uint16_t *max);
bool firn_minmax_u32(const uint32_t *values, long n, const uint64_t mask[4], uint32_t *min, uint32_t *max);
bool firn_minmax_i64(const int64_t *values, long n, const uint64_t mask[4], int64_t *min, int64_t *max);
bool firn_minmax_f64(const double *values, long n, const uint64_t mask[4], double *min, double *max);
bool firn_minmax_f32(const float *values, long n, const uint64_t mask[4], float *min, float *max);
bool firn_minmax_u8_portable(const uint8_t *values, long n, const uint64_t mask[4], uint8_t *min, uint8_t *max);
bool firn_minmax_u16_portable(const uint16_t *values, long n, const uint64_t mask[4], uint16_t *min, uint16_t *max);
bool firn_minmax_u32_portable(const uint32_t *values, long n, const uint64_t mask[4], uint32_t *min, uint32_t *max);
bool firn_minmax_i64_portable(const int64_t *values, long n, const uint64_t mask[4], int64_t *min, int64_t *max);
bool firn_minmax_f64_portable(const double *values, long n, const uint64_t mask[4], double *min, double *max);
bool firn_minmax_f32_portable(const float *values, long n, const uint64_t mask[4], float *min, float *max);

/// Number of set bits of a mask.
long firn_mask_count(const uint64_t mask[4]);
long firn_mask_count_portable(const uint64_t mask[4]);

// ---- Bytes ----

/// Offset of the first occurrence of the needle, or -1. An empty needle is found at 0.
long firn_find(const void *haystack, long haystackCount, const void *needle, long needleCount);
long firn_find_portable(const void *haystack, long haystackCount, const void *needle, long needleCount);

/// How a string has to relate to the needle.
#define FIRN_EQUALS 0
#define FIRN_CONTAINS 1
#define FIRN_HAS_PREFIX 2
#define FIRN_HAS_SUFFIX 3

/// Slots of an arena leaf that match the needle byte by byte. An empty needle is contained in, and is a prefix and a
/// suffix of, everything. String k is `arena[ends[k - 1] ..< ends[k]]`; `ends[-1]` must exist and be 0, and the 8
/// bytes before `arena` must be readable.
void firn_match_bytes16(
    const uint16_t *ends, const void *arena, long n, int32_t relation, const void *needle, long needleCount,
    uint64_t mask[4]);
void firn_match_bytes16_portable(
    const uint16_t *ends, const void *arena, long n, int32_t relation, const void *needle, long needleCount,
    uint64_t mask[4]);

/// The same for 32-bit ends. The top bit of an end says that the arena holds a pointer to an external value: its
/// length is the u32 at byte 16, its bytes start at byte 24.
void firn_match_bytes32(
    const uint32_t *ends, const void *arena, long n, int32_t relation, const void *needle, long needleCount,
    uint64_t mask[4]);
void firn_match_bytes32_portable(
    const uint32_t *ends, const void *arena, long n, int32_t relation, const void *needle, long needleCount,
    uint64_t mask[4]);

// ---- Threads ----

/// Gives the calling thread a name of at most 15 bytes, which tools show.
void firn_name_thread(const char *name);

/// An address that identifies the calling thread.
static inline void *firn_thread_pointer(void) { return __builtin_thread_pointer(); }

/// A lock in one word (0 = free) for critical sections of nanoseconds: spins, then yields the processor. Understood
/// by ThreadSanitizer.
void firn_spin_lock(uint32_t *lock);
void firn_spin_unlock(uint32_t *lock);

static inline uint64_t firn_atomic_load_relaxed(const uint64_t *word) {
  return __atomic_load_n(word, __ATOMIC_RELAXED);
}
static inline uint64_t firn_atomic_load_acquire(const uint64_t *word) {
  return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}
static inline uint64_t firn_atomic_load_seq_cst(const uint64_t *word) {
  return __atomic_load_n(word, __ATOMIC_SEQ_CST);
}
static inline void firn_atomic_store_relaxed(uint64_t *word, uint64_t value) {
  __atomic_store_n(word, value, __ATOMIC_RELAXED);
}
static inline void firn_atomic_store_release(uint64_t *word, uint64_t value) {
  __atomic_store_n(word, value, __ATOMIC_RELEASE);
}
static inline uint64_t firn_atomic_exchange_seq_cst(uint64_t *word, uint64_t value) {
  return __atomic_exchange_n(word, value, __ATOMIC_SEQ_CST);
}
/// Replaces `expected` by `desired`; returns whether it did.
static inline bool firn_atomic_compare_exchange_seq_cst(uint64_t *word, uint64_t expected, uint64_t desired) {
  return __atomic_compare_exchange_n(word, &expected, desired, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

// ---- References ----

/// Retains a Swift object unless its deinit has begun; then null. The memory must still be there.
void *swift_tryRetain(void *object);

// ---- Actors ----

struct firn_executor {
  void *identity;
  uintptr_t implementation;
};
__attribute__((swiftcall)) struct firn_executor swift_task_getCurrentExecutor(void);

/// The address of the actor that the caller is isolated to, in synchronous functions as well. Something else for actors
/// with executors of their own; null where there is no actor.
static inline void *firn_current_actor(void) { return swift_task_getCurrentExecutor().identity; }

// ---- Queues ----

/// How many blocks a queue of libdispatch runs at a time at most; 0 when that is not known.
uint32_t firn_queue_width(const void *queue);

// ---- Readers ----

/// One thread that reads: which context it is reading in, 0 = none. A cache line of its own; never freed, but handed on
/// when its thread ends.
struct firn_reader {
  uint64_t context;
  uint64_t isTaken;
  struct firn_reader *next;
  uint64_t padding[5];
};

extern __thread struct firn_reader *firn_thread_reader __attribute__((tls_model("initial-exec")));

/// Gives the calling thread its reader.
struct firn_reader *firn_reader_register(void);

/// The reader of the calling thread.
static inline struct firn_reader *firn_reader_get(void) {
  struct firn_reader *reader = firn_thread_reader;
  return __builtin_expect(reader != 0, 1) ? reader : firn_reader_register();
}
static inline void firn_reader_begin(struct firn_reader *reader, uint64_t context) {
  __atomic_store_n(&reader->context, context, __ATOMIC_SEQ_CST);
}
static inline void firn_reader_end(struct firn_reader *reader) {
  __atomic_store_n(&reader->context, 0, __ATOMIC_RELEASE);
}

/// Returns when no thread is reading in the context any more.
void firn_reader_wait(uint64_t context);

// ---- Reads that are observed ----

/// Whether somebody noted what the thread read last; see `RealmTracking`.
extern __thread bool firn_thread_was_noted __attribute__((tls_model("initial-exec")));

static inline void firn_note_read(void) { firn_thread_was_noted = true; }
static inline void firn_forget_read(void) { firn_thread_was_noted = false; }
static inline bool firn_was_read_noted(void) { return firn_thread_was_noted; }

// ---- Objects that are made ----

/// The bytes before the fields of an object: its metadata and its reference counts.
#define FIRN_OBJECT_HEADER 16

/// A new object of a class, with one reference, whose fields are copied byte by byte from an image of `size` bytes. The
/// image must hold no references; what it has in place of a header is left alone.
void *firn_copy_instance(const void *metadata, const void *image, size_t size, size_t alignment_mask);

// ---- Objects that go ----

/// What a thread knows while objects go that refer to others.
struct firn_release_state {
  /// How many objects that are going lie within each other on the stack.
  int64_t depth;
  /// A retained list of what is to be released later; nil when there is nothing.
  void *list;
  /// The class asked for last, and its references.
  const void *last_class;
  void *last_references;
};
extern __thread struct firn_release_state firn_thread_releases __attribute__((tls_model("initial-exec")));

static inline struct firn_release_state *firn_releases(void) { return &firn_thread_releases; }

bool firn_is_main_thread(void);

/// The `firn_thread_pointer` of the main thread; null until it is known.
void *firn_main_thread_pointer(void);

/// A number that no other thread of the process has or had, unlike `firn_thread_pointer`, which a new thread may inherit
/// from one that ended.
uint64_t firn_thread_number(void);

static inline void firn_prefetch(const void *address) { __builtin_prefetch(address, 0, 3); }

/// Lets other threads run.
void firn_yield(void);

/// Tells the processor that the thread waits in a loop.
static inline void firn_pause(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__) || defined(__arm__)
  __asm__ volatile("yield");
#endif
}

// ---- Small strings ----

extern int32_t firn_small_string_flag;

/// Whether building a short String from its two words was found to agree with the standard library; false until
/// checked.
static inline bool firn_small_strings_agree(void) {
  return __atomic_load_n(&firn_small_string_flag, __ATOMIC_RELAXED) != 0;
}
static inline void firn_small_strings_set_agree(bool agree) {
  __atomic_store_n(&firn_small_string_flag, agree ? 1 : 0, __ATOMIC_RELAXED);
}

// ---- Files ----

/// CRC-32C of what `crc` covers followed by `count` more bytes; the CRC of nothing is 0. The CRC of "123456789" is
/// 0xE3069283.
uint32_t firn_crc32c(uint32_t crc, const void *bytes, long count);
uint32_t firn_crc32c_portable(uint32_t crc, const void *bytes, long count);

/// `O_PATH`, which Swift does not know.
extern const int32_t firn_o_path;

/// Gives a file another name that nothing has, in an open folder each: 0, or a value of errno; EEXIST when something has it.
/// Where the file system cannot tell at once, the file has both names for a moment, or, if it knows no second names,
/// something that gets the name in the same moment is replaced.
int32_t firn_rename_new(int32_t folder, const char *name, int32_t new_folder, const char *new_name);

/// The same in the two other ways. For tests.
int32_t firn_rename_new_by_link(int32_t folder, const char *name, int32_t new_folder, const char *new_name);
int32_t firn_rename_new_after_looking(int32_t folder, const char *name, int32_t new_folder, const char *new_name);

/// Takes an exclusive open-file-description lock on the whole file without waiting. 0, or an errno: EAGAIN or EACCES
/// when another open file description has it.
int32_t firn_try_lock_file(int32_t descriptor);

/// Lets that lock go, also for duplicates of the descriptor, which a forked process may have.
void firn_unlock_file(int32_t descriptor);

/// Takes room on the disk for the bytes from `offset` on, which may lie behind the end of the file: it grows then. 0, or
/// a value of errno; EOPNOTSUPP where the file system cannot.
int32_t firn_reserve_file(int32_t descriptor, int64_t offset, int64_t byte_count);

/// The first place at or behind `offset` that is not in a hole of the file. `offset` itself where the file system knows no
/// holes; INT64_MAX when there are only holes behind it. Moves the position of the file, which nothing else may use.
int64_t firn_find_data(int32_t descriptor, int64_t offset);

/// Takes the lock on a folder that is open for reading, unless another opening of it has it: 0, `EWOULDBLOCK` or another
/// `errno`, where folders cannot be locked.
int32_t firn_try_lock_folder(int32_t descriptor);

void firn_unlock_folder(int32_t descriptor);

/// Tells whether another open file description has the lock, without taking it. 0, or an errno.
int32_t firn_is_file_locked(int32_t descriptor, bool *is_locked);

#ifdef __cplusplus
}
#endif

#endif
