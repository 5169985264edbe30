#include "kernels.h"

// CRC-32C. The instruction has a latency of three cycles and a throughput of one, so long inputs are read as three
// streams whose values are then joined: shifting a value over n zero bytes is linear, hence four look-ups in a table
// for that n. The method is Mark Adler's.

#define FIRN_CRC_POLYNOMIAL 0x82F63B78u
#define FIRN_CRC_LONG 4096
#define FIRN_CRC_SHORT 256

static uint32_t byte_table[8][256];

#if FIRN_AVX2
static bool has_crc_instruction;
static uint32_t long_shift[4][256];
static uint32_t short_shift[4][256];

/// Fills `table` so that `shift` moves a value over `count` zero bytes.
static void make_shift(uint32_t table[4][256], long count) {
  uint32_t image[32];
  for (int bit = 0; bit < 32; bit++) {
    uint32_t crc = 1u << bit;
    for (long k = 0; k < count; k++) crc = (crc >> 8) ^ byte_table[0][crc & 255];
    image[bit] = crc;
  }
  for (int place = 0; place < 4; place++) {
    for (uint32_t value = 0; value < 256; value++) {
      uint32_t crc = 0;
      for (int bit = 0; bit < 8; bit++) {
        if (value >> bit & 1) crc ^= image[8 * place + bit];
      }
      table[place][value] = crc;
    }
  }
}
#endif

__attribute__((constructor)) static void make_tables(void) {
  for (uint32_t value = 0; value < 256; value++) {
    uint32_t crc = value;
    for (int bit = 0; bit < 8; bit++) crc = crc >> 1 ^ (crc & 1 ? FIRN_CRC_POLYNOMIAL : 0);
    byte_table[0][value] = crc;
  }
  for (uint32_t value = 0; value < 256; value++) {
    for (int k = 1; k < 8; k++) {
      uint32_t crc = byte_table[k - 1][value];
      byte_table[k][value] = crc >> 8 ^ byte_table[0][crc & 255];
    }
  }
#if FIRN_AVX2
  __builtin_cpu_init();
  has_crc_instruction = __builtin_cpu_supports("sse4.2");
  if (has_crc_instruction) {
    make_shift(long_shift, FIRN_CRC_LONG);
    make_shift(short_shift, FIRN_CRC_SHORT);
  }
#endif
}

uint32_t firn_crc32c_portable(uint32_t crc, const void *bytes, long count) {
  const uint8_t *next = bytes;
  crc = ~crc;
  for (; count >= 8; count -= 8, next += 8) {
    crc ^= next[0] | (uint32_t)next[1] << 8 | (uint32_t)next[2] << 16 | (uint32_t)next[3] << 24;
    crc = byte_table[7][crc & 255] ^ byte_table[6][crc >> 8 & 255] ^ byte_table[5][crc >> 16 & 255] ^
          byte_table[4][crc >> 24] ^ byte_table[3][next[4]] ^ byte_table[2][next[5]] ^ byte_table[1][next[6]] ^
          byte_table[0][next[7]];
  }
  for (; count > 0; count--) crc = crc >> 8 ^ byte_table[0][(crc ^ *next++) & 255];
  return ~crc;
}

#if FIRN_AVX2
FIRN_INLINE uint32_t shift(const uint32_t table[4][256], uint32_t crc) {
  return table[0][crc & 255] ^ table[1][crc >> 8 & 255] ^ table[2][crc >> 16 & 255] ^ table[3][crc >> 24];
}

__attribute__((target("sse4.2"))) FIRN_INLINE uint64_t crc_word(uint64_t crc, const uint8_t *bytes) {
  uint64_t word;
  memcpy(&word, bytes, 8);
  return _mm_crc32_u64(crc, word);
}

/// Reads as many triples of `length` bytes as there are.
__attribute__((target("sse4.2"))) FIRN_INLINE const uint8_t *crc_streams(
    uint64_t *crc, const uint8_t *next, long *count, long length, const uint32_t table[4][256]) {
  uint64_t first = *crc;
  while (*count >= 3 * length) {
    uint64_t second = 0;
    uint64_t third = 0;
    for (long k = 0; k < length; k += 8) {
      first = crc_word(first, next + k);
      second = crc_word(second, next + length + k);
      third = crc_word(third, next + 2 * length + k);
    }
    first = shift(table, (uint32_t)first) ^ second;
    first = shift(table, (uint32_t)first) ^ third;
    next += 3 * length;
    *count -= 3 * length;
  }
  *crc = first;
  return next;
}

__attribute__((target("sse4.2"))) static uint32_t crc32c_hardware(uint32_t start, const uint8_t *next, long count) {
  uint64_t crc = ~start;
  next = crc_streams(&crc, next, &count, FIRN_CRC_LONG, long_shift);
  next = crc_streams(&crc, next, &count, FIRN_CRC_SHORT, short_shift);
  for (; count >= 8; count -= 8, next += 8) crc = crc_word(crc, next);
  for (; count > 0; count--) crc = _mm_crc32_u8((uint32_t)crc, *next++);
  return ~(uint32_t)crc;
}
#endif

uint32_t firn_crc32c(uint32_t crc, const void *bytes, long count) {
#if FIRN_AVX2
  if (has_crc_instruction) return crc32c_hardware(crc, bytes, count);
#endif
  return firn_crc32c_portable(crc, bytes, count);
}
