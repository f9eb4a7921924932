/* Tests the accounting of a file: bytes read and bytes skipped add up to its size.
 *
 * The expected totals are computed here independently, from the sizes of buffers and events only.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "story.h"

#include "engine/build/ns-builder.h"
#include "engine/open/ns-parts.h"
#include "etl/ns-etl-lz77.h"

#include <glib/gstdio.h>
#include <string.h>

#define HEADER_SIZE 0x48
#define BUFFER_SIZE 2048
#define N_CONNECTIONS 120
#define N_MUTANTS 2000
/* Traces larger than this are mutated only once. */
#define MAX_OFTEN_CHANGED 400000
#define MAX_BUFFER_SIZE (64u << 20)
#define MODE_COMPRESSED 0x04000000
#define FLAG_COMPRESSED 0x40

typedef struct
{
  guint64 n_records;
  guint64
      n_left; /* bytes after the last valid record of a buffer, and bytes of unreadable buffers */
  guint64 n_empty; /* buffers never written */
} Counted;

static guint32
u32_at (const guint8 *data, gsize at)
{
  guint32 value;

  memcpy (&value, data + at, sizeof value);
  return GUINT32_FROM_LE (value);
}

static gboolean
is_zero (const guint8 *data, gsize n)
{
  while (n > 0 && data[n - 1] == 0)
    n--;
  return n == 0;
}

/* Returns the size in the record header at @at, or 0 if there is no valid record. */
static guint
size_at (const guint8 *data, gsize at, gsize left)
{
  static const guint8 least[] = {
    0,    0x20, 0x20, 0x18, 0x18, 0,    0,    0,    0,    0,    0x30,
    0x48, 8,    8,    8,    0,    0x10, 0x10, 0x50, 0x50, 0x30, 0x48
  };
  guint32 first = u32_at (data, at);
  guint kind = (first >> 16) & 0xff;
  gboolean is_group = kind < 5 || kind == 0x10 || kind == 0x11;
  guint size = (is_group ? u32_at (data, at + 4) : first) & 0xffff;
  guint header = 8;

  if (first >> 24 == 0x90)
    size = first & 0xffff;
  else if (first >> 24 != 0xc0 || kind >= G_N_ELEMENTS (least) || least[kind] == 0)
    return 0;
  else
    header = least[kind] + (is_group ? ((first >> 15) & 1) * 8 + ((first >> 8) & 7) * 8 : 0);
  return size < header || size > left ? 0 : size;
}

static void
count_records (const guint8 *data, gsize end, Counted *counted)
{
  gsize at = HEADER_SIZE;

  while (at + 8 <= end && u32_at (data, at) != G_MAXUINT32)
    {
      guint size = size_at (data, at, end - at);

      if (size == 0)
        break;
      counted->n_records++;
      at += (size + 7) & ~7u;
    }
  if (at < end)
    counted->n_left += end - at;
}

static void
count_expanded (const guint8 *data, gsize size, guint32 most, Counted *counted)
{
  guint32 filled = u32_at (data, 0x30);
  g_autofree guint8 *room = NULL;

  if (filled >= HEADER_SIZE && filled <= most)
    {
      room = g_malloc (filled);
      if (ns_etl_lz77_expand (data + HEADER_SIZE,
                              size - HEADER_SIZE,
                              room + HEADER_SIZE,
                              filled - HEADER_SIZE))
        {
          count_records (room, filled, counted);
          return;
        }
    }
  counted->n_left += size;
}

/* Counts a buffer; @size of its @whole bytes are in the file. */
static void
count_buffer (const guint8 *data, gsize size, gsize whole, guint32 most, Counted *counted)
{
  guint32 filled = u32_at (data, 0x30);

  if ((data[0x34] & FLAG_COMPRESSED) != 0)
    {
      count_expanded (data, size, most, counted);
      return;
    }
  if (filled < HEADER_SIZE || filled > whole)
    filled = u32_at (data, 4); /* SavedOffset */
  if (filled < HEADER_SIZE || filled > whole)
    filled = (guint32) whole;
  if (filled > size)
    counted->n_left += filled - size;
  count_records (data, MIN (filled, size), counted);
}

/* Counts buffers of equal length, the length of the first one. */
static void
count_plain (const guint8 *data, gsize size, guint32 most, Counted *counted)
{
  guint32 length = u32_at (data, 0);
  gsize at;

  for (at = 0; at < size; at += length)
    {
      gsize here = MIN (length, size - at);

      if (here < HEADER_SIZE)
        counted->n_left += here;
      else if (is_zero (data + at, HEADER_SIZE))
        counted->n_empty++;
      else if (u32_at (data, at) != length)
        counted->n_left += here;
      else
        count_buffer (data + at, here, length, most, counted);
    }
}

/* Counts buffers that each have their own length; nothing after an invalid length can be read. */
static void
count_compressed (const guint8 *data, gsize size, guint32 most, Counted *counted)
{
  gsize at = 0;

  while (size - at >= HEADER_SIZE)
    {
      guint32 length = u32_at (data, at);

      if (length < HEADER_SIZE || length > MAX_BUFFER_SIZE || length > size - at)
        break;
      count_buffer (data + at, length, length, most, counted);
      at += length;
    }
  counted->n_left += size - at;
}

static void
assert_table_is_complete (const NsTrace *trace)
{
  guint64 n_of_providers = 0;
  guint64 n_of_kinds = 0;
  guint i;

  for (i = 0; i < trace->providers->len; i++)
    n_of_providers += g_array_index (trace->providers, NsProviderRow, i).n_events;
  for (i = 0; i < trace->kinds->len; i++)
    n_of_kinds += g_array_index (trace->kinds, NsKindRow, i).n_events;
  g_assert_cmpuint (trace->events->len, ==, trace->n_records);
  g_assert_cmpuint (n_of_providers, ==, trace->n_records);
  g_assert_cmpuint (n_of_kinds, ==, trace->n_records);
}

/* Asserts that delivered records plus records of unknown kind equal the records of the file, that
 * all other bytes are reported as dropped, and that dropped bytes come with a damage location.
 *
 * Returns FALSE if the file cannot be opened. */
static gboolean
assert_adds_up (const guint8 *data, gsize size)
{
  const NsTraceOptions options = { .want_events = TRUE };
  g_autoptr (GBytes) bytes = g_bytes_new (data, size);
  NsEtlFile *file = ns_etl_file_open_bytes (bytes, "counted", NULL);
  Counted counted = { 0, 0, 0 };
  const NsEtlHeader *header;
  const NsEtlReport *report;
  NsTrace *trace;
  guint32 most;

  if (file == NULL)
    return FALSE;
  header = ns_etl_file_get_header (file);
  most = CLAMP (header->buffer_size, u32_at (data, 0), MAX_BUFFER_SIZE);
  if ((header->mode & MODE_COMPRESSED) != 0)
    count_compressed (data, size, most, &counted);
  else
    count_plain (data, size, most, &counted);

  trace = ns_trace_build (file, ns_schemas_new (NULL), &options, NULL, NULL, NULL);
  g_assert_nonnull (trace);
  report = ns_etl_file_get_report (trace->file);
  g_assert_cmpuint (trace->n_records, ==, report->n_records);
  g_assert_cmpuint (report->n_records + report->n_unknown_kind, ==, counted.n_records);
  g_assert_cmpuint (report->n_bytes_dropped, ==, counted.n_left);
  g_assert_cmpuint (report->n_empty, ==, counted.n_empty);
  g_assert_true (report->n_bytes_dropped == 0 || report->damage->len > 0);
  assert_table_is_complete (trace);
  ns_trace_unref (trace);
  return TRUE;
}

/* Makes a trace of connections in many small buffers. */
static GBytes *
make_trace (gboolean is_compressed)
{
  const NsEtlWriterOptions options = { .buffer_size = BUFFER_SIZE, .is_compressed = is_compressed };
  g_autoptr (Story) story = story_new ();
  guint i;

  for (i = 0; i < N_CONNECTIONS; i++)
    {
      guint64 endpoint = 0xffffa000 + (guint64) i * 0x10;

      story->cpu = i % 3;
      story_socket (story, i, endpoint, 50000 + i % 1000, "198.51.100.7:443");
      story_socket_bytes (story, i + 0.3, 1003, endpoint, 100 + i);
      story_tcp_connect (story, i + 0.4, endpoint + 1, "10.0.0.5:50001", "198.51.100.7:443");
      story_socket_close (story, i + 0.8, endpoint);
    }
  return story_finish_as (story, &options);
}

/* A trace file to damage. */
typedef struct
{
  GRand *rand;
  GArray *starts; /* gsize: offset of each buffer, then the end of the last one */
  guint8 *data;
  gsize size;
} Mutant;

static gsize
choose (Mutant *self, gsize end)
{
  return (gsize) g_rand_int_range (self->rand, 0, (gint32) end);
}

static void
flip (Mutant *self, gsize at)
{
  self->data[at] ^= (guint8) g_rand_int_range (self->rand, 1, 256);
}

static void
flip_bytes (Mutant *self)
{
  guint n = 1 + (guint) choose (self, 6);

  while (n-- > 0)
    flip (self, choose (self, self->size));
}

/* Flips a byte of a buffer header, which random offsets rarely hit. */
static void
flip_header (Mutant *self)
{
  gsize start = g_array_index (self->starts, gsize, choose (self, self->starts->len - 1));

  flip (self, start + choose (self, HEADER_SIZE));
}

/* Swaps two buffers. Their lengths may differ, so the buffers between them move. */
static void
swap_buffers (Mutant *self)
{
  guint i = (guint) choose (self, self->starts->len - 1);
  guint j = (guint) choose (self, self->starts->len - 1);
  const gsize *one = &g_array_index (self->starts, gsize, MIN (i, j));
  const gsize *other = &g_array_index (self->starts, gsize, MAX (i, j));
  g_autoptr (GByteArray) bytes = g_byte_array_new ();

  if (i == j)
    return;
  g_byte_array_append (bytes, self->data, (guint) one[0]);
  g_byte_array_append (bytes, self->data + other[0], (guint) (other[1] - other[0]));
  g_byte_array_append (bytes, self->data + one[1], (guint) (other[0] - one[1]));
  g_byte_array_append (bytes, self->data + one[0], (guint) (one[1] - one[0]));
  memcpy (self->data, bytes->data, bytes->len);
}

static void
zero_span (Mutant *self)
{
  gsize at = choose (self, self->size);
  gsize n = choose (self, 3 * BUFFER_SIZE);

  memset (self->data + at, 0, MIN (n, self->size - at));
}

static GArray *
list_starts (const guint8 *data, gsize size)
{
  GArray *starts = g_array_new (FALSE, FALSE, sizeof (gsize));
  gsize at;

  for (at = 0; at < size; at += u32_at (data, at))
    g_array_append_val (starts, at);
  g_assert_cmpuint (at, ==, size);
  g_assert_cmpuint (starts->len, >, 20);
  g_array_append_val (starts, at);
  return starts;
}

static void
check_mutants (gboolean is_compressed, guint n_mutants)
{
  static void (*const damage[]) (Mutant *
                                 mutant) = { flip_bytes, flip_header, swap_buffers, zero_span };
  g_autoptr (GBytes) bytes = make_trace (is_compressed);
  g_autoptr (GRand) rand = g_rand_new_with_seed (17);
  gsize whole;
  const guint8 *data = g_bytes_get_data (bytes, &whole);
  g_autoptr (GArray) starts = list_starts (data, whole);
  guint n_opened = 0;
  guint i;

  g_assert_true (assert_adds_up (data, whole));
  for (i = 0; i < n_mutants; i++)
    {
      g_autofree guint8 *copy = g_memdup2 (data, whole);
      Mutant mutant = { rand, starts, copy, whole };

      damage[i % G_N_ELEMENTS (damage)](&mutant);
      if (i % 3 == 2)
        damage[choose (&mutant, G_N_ELEMENTS (damage))](&mutant);
      n_opened += assert_adds_up (copy, i % 5 == 4 ? choose (&mutant, whole) + 1 : whole);
    }
  g_test_message ("%u of %u mutants open", n_opened, n_mutants);
  g_assert_cmpuint (n_opened, >, n_mutants / 2);
}

static void
test_mutants_are_explained_whole (void)
{
  check_mutants (FALSE, N_MUTANTS / 2);
}

static void
test_compressed_mutants_are_explained_whole (void)
{
  check_mutants (TRUE, N_MUTANTS / 2);
}

static void
check_file (const char *path)
{
  g_autofree char *text = NULL;
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);
  Mutant mutant = { rand, NULL, NULL, 0 };
  gboolean is_opened;
  guint n_changes;
  guint i;

  g_assert_true (g_file_get_contents (path, &text, &mutant.size, NULL));
  mutant.data = (guint8 *) text;
  is_opened = assert_adds_up (mutant.data, mutant.size);
  n_changes = !is_opened ? 0 : mutant.size < MAX_OFTEN_CHANGED ? 12 : 1;
  for (i = 0; i < n_changes; i++)
    {
      flip (&mutant, choose (&mutant, mutant.size));
      assert_adds_up (mutant.data, mutant.size);
    }
}

static void
test_traces_there_are_explained_whole (void)
{
  const char *traces = g_getenv ("NETSTITCH_TEST_TRACES");
  g_autofree char *made = traces != NULL ? g_build_filename (traces, "synthetic", NULL) : NULL;

  if (story_check_folder (traces, check_file) + story_check_folder (made, check_file) == 0)
    g_test_skip ("no traces");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/account/mutants-are-explained-whole", test_mutants_are_explained_whole);
  g_test_add_func ("/account/compressed-mutants-are-explained-whole",
                   test_compressed_mutants_are_explained_whole);
  g_test_add_func ("/account/traces-there-are-explained-whole",
                   test_traces_there_are_explained_whole);
  return g_test_run ();
}
