/* Tests cases: several files read as one trace.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "etl/ns-etl-writer.h"

#include <archive.h>
#include <archive_entry.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#define BUFFER_SIZE 1024
#define N_EVENTS 400
#define N_MANY 200
#define MAX_OPEN 64
#define N_AT_ONCE 70000
#define BASE 5000000
#define START G_GUINT64_CONSTANT (133000000000000000)
#define BOOT (START - NS_TICKS_PER_SECOND * 3600)

typedef struct
{
  char *path;
} Folder;

static void
folder_set_up (Folder *self, gconstpointer data)
{
  self->path = g_dir_make_tmp ("netstitch-case-XXXXXX", NULL);
}

static void
remove_all (const char *path)
{
  g_autoptr (GDir) folder = g_dir_open (path, 0, NULL);
  const char *name;

  while (folder != NULL && (name = g_dir_read_name (folder)) != NULL)
    {
      g_autofree char *full = g_build_filename (path, name, NULL);

      if (g_file_test (full, G_FILE_TEST_IS_DIR))
        remove_all (full);
      else
        g_unlink (full);
    }
  g_rmdir (path);
}

static void
folder_tear_down (Folder *self, gconstpointer data)
{
  remove_all (self->path);
  g_free (self->path);
}

static char *
write_bytes (Folder *self, const char *name, const void *bytes, gsize n_bytes)
{
  char *path = g_build_filename (self->path, name, NULL);

  g_assert_true (g_file_set_contents (path, bytes, (gssize) n_bytes, NULL));
  return path;
}

static NsEtlWriterOptions
like_usual (const char *session)
{
  return (NsEtlWriterOptions){ .buffer_size = BUFFER_SIZE,
                               .n_processors = 4,
                               .start_filetime = START,
                               .boot_filetime = BOOT,
                               .base_raw = BASE,
                               .session = session };
}

/* Writes an event; its number is also its payload. */
static void
add_event (NsEtlWriter *writer, guint number, guint64 raw)
{
  g_autoptr (GByteArray) payload = g_byte_array_new ();
  NsEtlWriterEvent event = { .cpu = number * 7 % 4,
                             .raw = raw,
                             .guid = NS_GUID_INIT (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11),
                             .id = (guint16) number,
                             .pid = 8,
                             .tid = 12,
                             .payload = payload };

  g_byte_array_append (payload, (const guint8 *) &number, sizeof number);
  g_assert_true (ns_etl_writer_add_event (writer, &event));
}

/* Makes a trace of the events @from to @to, @apart ticks apart. */
static GBytes *
make_trace (const NsEtlWriterOptions *options, guint from, guint to, guint64 apart, gint64 shift)
{
  g_autoptr (NsEtlWriter) writer = ns_etl_writer_new (options);
  guint64 base = ns_etl_writer_get_base_raw (writer);
  guint i;

  for (i = from; i < to; i++)
    add_event (writer, i, base + apart * (i + 1) + (guint64) shift);
  return ns_etl_writer_finish (writer);
}

static char *
write_trace (Folder *self, const char *name, GBytes *bytes)
{
  gsize n_bytes;
  const void *data = g_bytes_get_data (bytes, &n_bytes);
  char *path = write_bytes (self, name, data, n_bytes);

  g_bytes_unref (bytes);
  return path;
}

/* Chooses a part of a trace's buffers, after the first one. */
typedef gboolean (*ChooseFunc) (guint buffer, guint n_buffers, const guint8 *data);

static gboolean
choose_odd (guint buffer, guint n_buffers, const guint8 *data)
{
  return buffer % 2 != 0;
}

static gboolean
choose_half (guint buffer, guint n_buffers, const guint8 *data)
{
  return buffer < n_buffers / 2;
}

static gboolean
choose_cpu (guint buffer, guint n_buffers, const guint8 *data)
{
  return data[0x28] % 2 != 0;
}

static char *
write_part (Folder *self, const char *name, GBytes *whole, ChooseFunc choose, gboolean want)
{
  g_autoptr (GByteArray) part = g_byte_array_new ();
  gsize n_bytes;
  const guint8 *data = g_bytes_get_data (whole, &n_bytes);
  GArray *places = g_array_new (FALSE, FALSE, sizeof (gsize));
  gsize at;
  guint i;
  char *path;

  /* The length in its header is the distance to the next buffer. */
  for (at = 0; at + 0x48 <= n_bytes;)
    {
      guint32 size;

      memcpy (&size, data + at, sizeof size);
      g_array_append_val (places, at);
      at += GUINT32_FROM_LE (size);
    }
  g_array_append_val (places, at);
  for (i = 0; i + 1 < places->len; i++)
    {
      gsize begin = g_array_index (places, gsize, i);
      gsize end = g_array_index (places, gsize, i + 1);

      if (i == 0 || choose (i, places->len - 1, data + begin) == want)
        g_byte_array_append (part, data + begin, (guint) (end - begin));
    }
  path = write_bytes (self, name, part->data, part->len);
  g_array_unref (places);
  return path;
}

static NsEtlFile *open_these (GError **error, const char *first, ...) G_GNUC_NULL_TERMINATED;

static NsEtlFile *
open_these (GError **error, const char *first, ...)
{
  g_autoptr (GPtrArray) paths = g_ptr_array_new ();
  g_autoptr (GError) unwanted = NULL;
  const char *path = first;
  NsEtlFile *file;
  va_list list;

  va_start (list, first);
  for (; path != NULL; path = va_arg (list, const char *))
    g_ptr_array_add (paths, (gpointer) path);
  va_end (list);
  g_ptr_array_add (paths, NULL);
  file = ns_etl_file_open_case ((const char *const *) paths->pdata,
                                NULL,
                                NS_ETL_CASE_PLAIN,
                                error != NULL ? error : &unwanted);
  g_assert_no_error (unwanted);
  return file;
}

/* Number and time of each event in order of delivery, without headers. */
typedef struct
{
  GString *text;
  NsEtlFile *file;
  guint64 last_raw;
  guint n_events;
  guint most_open;
} Listing;

static guint
count_open (void)
{
  g_autoptr (GDir) folder = g_dir_open ("/proc/self/fd", 0, NULL);
  guint n = 0;

  while (g_dir_read_name (folder) != NULL)
    n++;
  return n;
}

static gboolean
list_record (const NsRecord *record, gpointer user_data)
{
  Listing *self = user_data;

  g_assert_cmpuint (record->raw, >=, self->last_raw);
  self->last_raw = record->raw;
  if (record->kind != NS_RECORD_EVENT64)
    return TRUE;
  if (self->n_events++ % 64 == 0)
    self->most_open = MAX (self->most_open, count_open ());
  g_string_append_printf (self->text, "%u %" G_GINT64_FORMAT "\n", record->id, record->time_ns);
  return TRUE;
}

static char *
list_events (NsEtlFile *file, guint *most_open)
{
  Listing listing = { g_string_new (NULL), file, 0, 0, 0 };
  GError *error = NULL;

  ns_etl_file_walk (file, NS_ETL_WALK_TIME_ORDER, NULL, list_record, &listing, NULL, NULL, &error);
  g_assert_no_error (error);
  if (most_open != NULL)
    *most_open = listing.most_open;
  return g_string_free (listing.text, FALSE);
}

/* Asserts that a walk with a read-ahead thread has the same result. */
static void
assert_same_ahead (NsEtlFile *file, const char *expected)
{
  Listing listing = { g_string_new (NULL), file, 0, 0, 0 };

  g_assert_true (ns_etl_file_walk (file,
                                   NS_ETL_WALK_TIME_ORDER | NS_ETL_WALK_READ_AHEAD,
                                   NULL,
                                   list_record,
                                   &listing,
                                   NULL,
                                   NULL,
                                   NULL));
  g_assert_cmpstr (listing.text->str, ==, expected);
  g_string_free (listing.text, TRUE);
}

static gboolean
list_in_file_order (const NsRecord *record, gpointer user_data)
{
  if (record->kind == NS_RECORD_EVENT64)
    g_string_append_printf (user_data, "%u\n", record->id);
  return TRUE;
}

static char *
list_file_order (NsEtlFile *file)
{
  GString *text = g_string_new (NULL);

  g_assert_true (ns_etl_file_walk (file,
                                   NS_ETL_WALK_FILE_ORDER,
                                   NULL,
                                   list_in_file_order,
                                   text,
                                   NULL,
                                   NULL,
                                   NULL));
  return g_string_free (text, FALSE);
}

static void
assert_split (Folder *self, GBytes *whole, ChooseFunc choose)
{
  g_autofree char *one = write_part (self, "one.etl", whole, choose, TRUE);
  g_autofree char *two = write_part (self, "two.etl", whole, choose, FALSE);
  g_autoptr (NsEtlFile) file = ns_etl_file_open_bytes (whole, "whole", NULL);
  g_autoptr (NsEtlFile) joined = open_these (NULL, one, two, NULL);
  g_autofree char *expected = list_events (file, NULL);
  g_autofree char *found = list_events (joined, NULL);
  g_autofree char *expected_order = list_file_order (file);
  g_autofree char *found_order = list_file_order (joined);

  g_assert_cmpuint (ns_etl_file_get_n_inputs (joined), ==, 2);
  /* The walk in file order has the same result, too. */
  g_assert_cmpstr (found_order, ==, expected_order);
  g_assert_cmpstr (found, ==, expected);
  assert_same_ahead (joined, expected);
  /* Both parts report the events lost by the session, which count once. */
  g_assert_cmpuint (ns_etl_file_get_header (joined)->events_lost, ==, 7);
  g_assert_cmpuint (ns_etl_file_get_header (joined)->buffers_written,
                    ==,
                    ns_etl_file_get_header (file)->buffers_written);
  g_assert_cmpuint (ns_etl_file_get_report (joined)->n_missing, ==, 0);
  g_assert_true (ns_etl_file_get_report (joined)->is_numbered);
  /* Both parts contain the header of the trace. */
  g_assert_cmpuint (ns_etl_file_get_report (joined)->n_records,
                    ==,
                    ns_etl_file_get_report (file)->n_records + 1);
  g_assert_cmpuint (ns_etl_file_get_n_duplicates (joined), ==, 0);
}

/* A trace whose buffers are distributed over two files is read as one trace. */
static void
test_split (Folder *self, gconstpointer data)
{
  static const ChooseFunc ways[] = { choose_odd, choose_half, choose_cpu };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (ways) * 2; i++)
    {
      NsEtlWriterOptions options = like_usual ("split");
      g_autoptr (GBytes) whole = NULL;

      options.is_compressed = i >= G_N_ELEMENTS (ways);
      options.events_lost = 7;
      whole = make_trace (&options, 0, N_EVENTS, 1000, 0);
      assert_split (self, whole, ways[i % G_N_ELEMENTS (ways)]);
    }
}

static gboolean
choose_not_last_but_two (guint buffer, guint n_buffers, const guint8 *data)
{
  return buffer + 3 != n_buffers;
}

/* A gap common to all parts of a session is reported once. */
static void
test_hole (Folder *self, gconstpointer data)
{
  NsEtlWriterOptions options = like_usual ("hole");
  g_autoptr (GBytes) whole = make_trace (&options, 0, N_EVENTS, 1000, 0);
  g_autofree char *kept = write_part (self, "kept.etl", whole, choose_not_last_but_two, TRUE);
  char *bytes;
  gsize n_bytes;
  g_autofree char *one = NULL;
  g_autofree char *two = NULL;
  g_autoptr (GBytes) rest = NULL;
  g_autoptr (NsEtlFile) joined = NULL;
  g_autofree char *found = NULL;

  g_assert_true (g_file_get_contents (kept, &bytes, &n_bytes, NULL));
  rest = g_bytes_new_take (bytes, n_bytes);
  one = write_part (self, "one.etl", rest, choose_odd, TRUE);
  two = write_part (self, "two.etl", rest, choose_odd, FALSE);
  joined = open_these (NULL, one, two, NULL);
  found = list_events (joined, NULL);
  g_assert_cmpuint (ns_etl_file_get_report (joined)->n_missing, ==, 1);
  g_assert_false (ns_etl_file_get_report (joined)->is_numbered);
}

/* Reads a record again by its reference, in whichever file it is. */
static gboolean
read_again (const NsRecord *record, gpointer user_data)
{
  NsEtlReader *reader = user_data;
  NsRecord again;

  g_assert_true (ns_etl_reader_read (reader, record->ref, &again));
  g_assert_cmpuint (again.raw, ==, record->raw);
  g_assert_cmpuint (again.id, ==, record->id);
  g_assert_cmpint (again.time_ns, ==, record->time_ns);
  g_assert_cmpmem (again.payload, again.payload_size, record->payload, record->payload_size);
  return TRUE;
}

static void
test_reader (Folder *self, gconstpointer data)
{
  NsEtlWriterOptions options = like_usual ("read");
  g_autoptr (GBytes) whole = make_trace (&options, 0, N_EVENTS, 1000, 0);
  g_autofree char *one = write_part (self, "one.etl", whole, choose_half, TRUE);
  g_autofree char *two = write_part (self, "two.etl", whole, choose_half, FALSE);
  g_autoptr (NsEtlFile) joined = open_these (NULL, two, one, NULL);
  NsEtlReader *reader = ns_etl_reader_new (joined);

  g_assert_true (ns_etl_file_walk (joined,
                                   NS_ETL_WALK_TIME_ORDER,
                                   NULL,
                                   read_again,
                                   reader,
                                   NULL,
                                   NULL,
                                   NULL));
  ns_etl_reader_free (reader);
}

static gboolean
ignore_record (const NsRecord *record, gpointer user_data)
{
  return TRUE;
}

/* Finds the place of a record again by its byte offset. */
static gboolean
find_again (const NsRecord *record, gpointer user_data)
{
  NsEtlFile *file = user_data;
  guint64 offset;
  guint32 buffer;
  guint32 pos;
  guint16 cpu;

  g_assert_true (ns_etl_file_find_offset (file, record->ref, &offset));
  g_assert_true (ns_etl_file_find_place (file, offset, &buffer, &pos, &cpu));
  g_assert_cmpuint (buffer, ==, record->ref.buffer);
  g_assert_cmpuint (pos, ==, record->ref.offset);
  g_assert_cmpuint (cpu, ==, record->cpu);
  return TRUE;
}

/* Offsets are counted through all files, and so are buffers. */
static void
test_places (Folder *self, gconstpointer data)
{
  NsEtlWriterOptions options = like_usual ("places");
  g_autoptr (GBytes) whole = make_trace (&options, 0, N_EVENTS, 1000, 0);
  g_autofree char *one = write_part (self, "one.etl", whole, choose_half, TRUE);
  g_autofree char *two = write_part (self, "two.etl", whole, choose_half, FALSE);
  g_autoptr (NsEtlFile) joined = open_these (NULL, one, two, NULL);
  guint i;

  /* The processors of buffers are known after the first walk. */
  for (i = 0; i < 2; i++)
    g_assert_true (ns_etl_file_walk (joined,
                                     NS_ETL_WALK_TIME_ORDER,
                                     NULL,
                                     i == 0 ? ignore_record : find_again,
                                     joined,
                                     NULL,
                                     NULL,
                                     NULL));
}

/* A copy of a file adds nothing and is reported. */
static void
test_copy (Folder *self, gconstpointer data)
{
  NsEtlWriterOptions options = like_usual ("copy");
  g_autofree char *one = write_trace (self, "one.etl", make_trace (&options, 0, N_EVENTS, 1000, 0));
  g_autofree char *two = write_trace (self, "two.etl", make_trace (&options, 0, N_EVENTS, 1000, 0));
  g_autoptr (NsEtlFile) file = ns_etl_file_open (one, NULL, NULL);
  g_autoptr (NsEtlFile) joined = open_these (NULL, one, two, NULL);
  g_autofree char *expected = list_events (file, NULL);
  g_autofree char *found = list_events (joined, NULL);
  g_autoptr (GArray) pairs = ns_etl_file_list_pairs (joined);

  g_assert_cmpstr (found, ==, expected);
  g_assert_cmpuint (ns_etl_file_get_n_duplicates (joined), ==, N_EVENTS);
  g_assert_cmpuint (ns_etl_file_get_report (joined)->n_records, ==, N_EVENTS + 2);
  g_assert_cmpuint (pairs->len, ==, 1);
  g_assert_cmpuint (g_array_index (pairs, NsEtlPair, 0).first, ==, 0);
  g_assert_cmpuint (g_array_index (pairs, NsEtlPair, 0).second, ==, 1);
  g_assert_cmpuint (g_array_index (pairs, NsEtlPair, 0).n_in_buffers, ==, N_EVENTS);
}

/* A file named twice is one input. */
static void
test_repeated (Folder *self, gconstpointer data)
{
  NsEtlWriterOptions options = like_usual ("twice");
  g_autofree char *one = write_trace (self, "one.etl", make_trace (&options, 0, 9, 1000, 0));
  g_autoptr (NsEtlFile) joined = open_these (NULL, one, one, NULL);
  const GPtrArray *refused = ns_etl_file_get_refused (joined);

  g_assert_cmpuint (ns_etl_file_get_n_inputs (joined), ==, 1);
  g_assert_cmpuint (refused->len, ==, 1);
  g_assert_true (((const NsEtlRefused *) refused->pdata[0])->is_repeated);
}

/* Asserts that records of one event in two sessions are merged if they are at most 1 ms apart. */
static void
assert_two_sessions (Folder *self, gint64 shift, guint n_duplicates)
{
  NsEtlWriterOptions first = like_usual ("first");
  NsEtlWriterOptions second = like_usual ("second");
  g_autofree char *one = NULL;
  g_autofree char *two = NULL;
  g_autoptr (NsEtlFile) joined = NULL;
  g_autofree char *found = NULL;
  g_autofree char *again = NULL;
  g_auto (GStrv) lines = NULL;

  first.events_lost = 3;
  second.events_lost = 5;
  one = write_trace (self, "one.etl", make_trace (&first, 0, N_EVENTS, 50000, 0));
  two = write_trace (self, "two.etl", make_trace (&second, 0, N_EVENTS, 50000, shift));
  joined = open_these (NULL, one, two, NULL);
  found = list_events (joined, NULL);
  again = list_events (joined, NULL);
  lines = g_strsplit (found, "\n", -1);
  g_assert_cmpuint (ns_etl_file_get_header (joined)->events_lost, ==, 8);

  g_assert_cmpuint (ns_etl_file_get_n_duplicates (joined), ==, n_duplicates);
  g_assert_cmpuint (g_strv_length (lines) - 1, ==, 2 * N_EVENTS - n_duplicates);
  /* A second walk starts its counts anew. */
  g_assert_cmpstr (again, ==, found);
}

static void
test_sessions (Folder *self, gconstpointer data)
{
  assert_two_sessions (self, 1, N_EVENTS);
  assert_two_sessions (self, -2000, N_EVENTS);
  assert_two_sessions (self, 9000, N_EVENTS);
  assert_two_sessions (self, 10001, 0);
}

/* An event recorded twice in one session stays two events. */
static void
test_twice_in_one (Folder *self, gconstpointer data)
{
  NsEtlWriterOptions first = like_usual ("first");
  NsEtlWriterOptions second = like_usual ("second");
  g_autoptr (NsEtlWriter) writer = ns_etl_writer_new (&first);
  g_autoptr (NsEtlWriter) other = ns_etl_writer_new (&second);
  g_autofree char *one = NULL;
  g_autofree char *two = NULL;
  g_autoptr (NsEtlFile) joined = NULL;
  g_autofree char *found = NULL;

  add_event (writer, 3, BASE + 100);
  add_event (writer, 3, BASE + 200);
  add_event (writer, 3, BASE + 300);
  add_event (other, 3, BASE + 110);
  add_event (other, 3, BASE + 310);
  one = write_trace (self, "one.etl", ns_etl_writer_finish (writer));
  two = write_trace (self, "two.etl", ns_etl_writer_finish (other));
  joined = open_these (NULL, one, two, NULL);
  found = list_events (joined, NULL);
  g_assert_cmpstr (found, ==, "3 10000\n3 20000\n3 30000\n");
  g_assert_cmpuint (ns_etl_file_get_n_duplicates (joined), ==, 2);
}

/* The same events in two sessions. */
typedef struct
{
  guint64 shift;         /* clock offset of the second input */
  gboolean has_stack[2]; /* per input, whether its events have stacks */
  guint kept;            /* input whose record is kept */
} Twins;

static void
add_twin (NsEtlWriter *writer, guint number, guint64 raw, gboolean has_stack)
{
  static const guint64 frames[] = { 0x7ff600001000, 0x7ff600002000 };
  g_autoptr (GByteArray) payload = g_byte_array_new ();
  NsEtlWriterEvent event = { .cpu = number % 4,
                             .raw = raw,
                             .guid = NS_GUID_INIT (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11),
                             .id = (guint16) number,
                             .pid = 8,
                             .tid = 12,
                             .payload = payload,
                             .stack = has_stack ? frames : NULL,
                             .n_stack = has_stack ? G_N_ELEMENTS (frames) : 0 };

  g_byte_array_append (payload, (const guint8 *) &number, sizeof number);
  g_assert_true (ns_etl_writer_add_event (writer, &event));
}

static char *
write_twins (Folder *self, const Twins *twins, guint input, guint n_events)
{
  NsEtlWriterOptions options = like_usual (input == 0 ? "first" : "second");
  g_autoptr (NsEtlWriter) writer = ns_etl_writer_new (&options);
  guint i;

  for (i = 0; i < n_events; i++)
    add_twin (writer,
              i,
              BASE + 1000 * (i + 1) + (input == 1 ? twins->shift : 0) - 500,
              twins->has_stack[input]);
  return write_trace (self, input == 0 ? "one.etl" : "two.etl", ns_etl_writer_finish (writer));
}

static gboolean
take_twin (const NsRecord *record, gpointer user_data)
{
  guint32 number = record->id;
  NsExtItem item;

  if (record->kind != NS_RECORD_EVENT64)
    return TRUE;
  /* A record that was held back still has its payload. */
  g_assert_cmpmem (record->payload, record->payload_size, &number, sizeof number);
  g_string_append_printf (user_data,
                          "%u %" G_GINT64_FORMAT "%s\n",
                          record->id,
                          record->time_ns,
                          ns_record_find_item (record, NS_EXT_STACK64, &item) ? " stack" : "");
  return TRUE;
}

static char *
list_twins (NsEtlFile *file, NsEtlWalkFlags flags)
{
  GString *text = g_string_new (NULL);

  g_assert_true (ns_etl_file_walk (file, flags, NULL, take_twin, text, NULL, NULL, NULL));
  return g_string_free (text, FALSE);
}

static void
assert_span (NsEtlFile *file, const char *all, gint64 begin_ns, gint64 end_ns)
{
  const NsTimeSpan span = { begin_ns, end_ns };
  g_autoptr (GString) expected = g_string_new (NULL);
  g_autoptr (GString) found = g_string_new (NULL);
  g_auto (GStrv) lines = g_strsplit (all, "\n", -1);
  guint64 n_before;
  guint i;

  for (i = 0; lines[i][0] != '\0'; i++)
    {
      gint64 time_ns = g_ascii_strtoll (strchr (lines[i], ' '), NULL, 10);

      if (time_ns >= begin_ns && time_ns < end_ns)
        g_string_append_printf (expected, "%s\n", lines[i]);
    }
  g_assert_true (
      ns_etl_file_walk_span (file, &span, &n_before, take_twin, found, NULL, NULL, NULL));
  g_assert_cmpstr (found->str, ==, expected->str);
}

static void
assert_kept (Folder *self, const Twins *twins, guint n_events)
{
  g_autofree char *one = write_twins (self, twins, 0, n_events);
  g_autofree char *two = write_twins (self, twins, 1, n_events);
  g_autoptr (NsEtlFile) joined = open_these (NULL, one, two, NULL);
  g_autoptr (GString) expected = g_string_new (NULL);
  g_autofree char *in_time = list_twins (joined, NS_ETL_WALK_TIME_ORDER);
  g_autofree char *in_file = list_twins (joined, NS_ETL_WALK_FILE_ORDER);
  g_autofree char *ahead = list_twins (joined, NS_ETL_WALK_TIME_ORDER | NS_ETL_WALK_READ_AHEAD);
  g_autoptr (GArray) pairs = ns_etl_file_list_pairs (joined);
  guint i;

  for (i = 0; i < n_events; i++)
    g_string_append_printf (
        expected,
        "%u %" G_GINT64_FORMAT "%s\n",
        i,
        (gint64) (1000 * (i + 1) + (twins->kept == 1 ? twins->shift : 0) - 500) * 100,
        twins->has_stack[twins->kept] ? " stack" : "");
  g_assert_cmpstr (in_time, ==, expected->str);
  g_assert_cmpstr (in_file, ==, expected->str);
  g_assert_cmpstr (ahead, ==, expected->str);
  g_assert_cmpuint (ns_etl_file_get_n_duplicates (joined), ==, n_events);
  g_assert_cmpuint (ns_etl_file_get_n_duplicates (ns_etl_file_get_input (joined, 1 - twins->kept)),
                    ==,
                    n_events);
  g_assert_cmpuint (ns_etl_file_get_report (joined)->n_records, ==, n_events + 2);
  g_assert_cmpuint (pairs->len, ==, 1);
  g_assert_cmpuint (g_array_index (pairs, NsEtlPair, 0).n_records, ==, n_events);
  /* Spans that end between the two records of one event. */
  for (i = 1; i + 20 < n_events; i += n_events / 7 + 1)
    assert_span (joined,
                 expected->str,
                 ((gint64) 1000 * (i + 1) - 500 + 20) * 100,
                 ((gint64) 1000 * (i + 11) - 500 + 20) * 100);
}

/* Of an event in two inputs the record with a stack is kept, else that of the first input,
 * whichever is earlier. */
static void
test_kept (Folder *self, gconstpointer data)
{
  static const Twins all[] = {
    { 40, { FALSE, TRUE }, 1 },
    { 40, { TRUE, FALSE }, 0 },
    { 40, { FALSE, FALSE }, 0 },
    { 40, { TRUE, TRUE }, 0 },
    { (guint64) -40, { FALSE, TRUE }, 1 },
    { (guint64) -40, { TRUE, FALSE }, 0 },
    { (guint64) -40, { FALSE, FALSE }, 0 },
    { (guint64) -40, { TRUE, TRUE }, 0 },
    { 0, { FALSE, TRUE }, 1 },
    { 9000, { FALSE, TRUE }, 1 },
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (all); i++)
    assert_kept (self, &all[i], N_EVENTS);
}

/* If more records are held back within a millisecond than the limit, each still comes once and in
 * time order. */
static void
test_kept_of_many (Folder *self, gconstpointer data)
{
  NsEtlWriterOptions first = like_usual ("first");
  NsEtlWriterOptions second = like_usual ("second");
  g_autoptr (NsEtlWriter) writer = ns_etl_writer_new (&first);
  g_autoptr (NsEtlWriter) other = ns_etl_writer_new (&second);
  g_autofree char *one = NULL;
  g_autofree char *two = NULL;
  g_autoptr (NsEtlFile) joined = NULL;
  g_autofree char *found = NULL;
  guint i;

  for (i = 0; i < N_AT_ONCE; i++)
    {
      add_twin (writer, i, BASE + 100 + i % 4, FALSE);
      add_twin (other, i, BASE + 200 + i % 4, TRUE);
    }
  one = write_trace (self, "one.etl", ns_etl_writer_finish (writer));
  two = write_trace (self, "two.etl", ns_etl_writer_finish (other));
  joined = open_these (NULL, one, two, NULL);
  found = list_events (joined, NULL);
  g_assert_cmpuint (ns_etl_file_get_n_duplicates (joined), ==, N_AT_ONCE);
  g_assert_cmpuint (ns_etl_file_get_report (joined)->n_records, ==, N_AT_ONCE + 2);
}

/* Files of another computer or another boot are another session. */
static void
test_machines (Folder *self, gconstpointer data)
{
  static const struct
  {
    const char *name;
    gint64 boot; /* ticks of later boot */
    guint32 os_build;
    guint32 n_processors;
    guint64 frequency;
    gboolean is_same;
  } others[] = {
    { "near.etl", NS_TICKS_PER_SECOND, 0, 0, 0, TRUE },
    { "boot.etl", 3 * NS_TICKS_PER_SECOND, 0, 0, 0, FALSE },
    { "build.etl", 0, 22631, 0, 0, FALSE },
    { "cpus.etl", 0, 0, 8, 0, FALSE },
    { "clock.etl", 0, 0, 0, 3000000, FALSE },
  };
  NsEtlWriterOptions options = like_usual ("one");
  g_autofree char *one = write_trace (self, "one.etl", make_trace (&options, 0, 9, 1000, 0));
  guint i;

  for (i = 0; i < G_N_ELEMENTS (others); i++)
    {
      NsEtlWriterOptions other = like_usual ("two");
      g_autofree char *two = NULL;
      g_autoptr (NsEtlFile) joined = NULL;
      const GPtrArray *refused;

      other.boot_filetime += (guint64) others[i].boot;
      if (others[i].os_build != 0)
        other.os_build = others[i].os_build;
      if (others[i].n_processors != 0)
        other.n_processors = others[i].n_processors;
      if (others[i].frequency != 0)
        other.frequency = others[i].frequency;
      two = write_trace (self, others[i].name, make_trace (&other, 20, 29, 1000, 0));
      joined = open_these (NULL, one, two, NULL);
      refused = ns_etl_file_get_refused (joined);
      g_assert_cmpuint (ns_etl_file_get_n_inputs (joined), ==, others[i].is_same ? 2 : 1);
      g_assert_cmpint (refused != NULL, ==, !others[i].is_same);
      if (refused == NULL)
        continue;
      g_assert_true (((const NsEtlRefused *) refused->pdata[0])->is_other_machine);
      g_assert_cmpstr (((const NsEtlRefused *) refused->pdata[0])->path, ==, two);
    }
}

static char *
write_named (Folder *self, const char *name, const char *computer)
{
  NsEtlWriterOptions options = like_usual (name);
  g_autoptr (NsEtlWriter) writer = ns_etl_writer_new (&options);
  g_autoptr (GByteArray) payload = g_byte_array_new ();
  NsEtlWriterGroup config = { .raw = BASE + 1,
                              .group = 0x0b,
                              .opcode = 10,
                              .version = 2,
                              .payload = payload };
  gsize i;

  g_byte_array_set_size (payload, 20 + 512 + 264 + 8);
  memset (payload->data, 0, payload->len);
  for (i = 0; computer[i] != '\0'; i++)
    payload->data[20 + 2 * i] = (guint8) computer[i];
  g_assert_true (ns_etl_writer_add_group (writer, &config));
  add_event (writer, 1, BASE + 2);
  return write_trace (self, name, ns_etl_writer_finish (writer));
}

/* Computers with equal properties are distinguished by name. */
static void
test_names (Folder *self, gconstpointer data)
{
  g_autofree char *one = write_named (self, "one.etl", "ALPHA");
  g_autofree char *two = write_named (self, "two.etl", "BETA");
  g_autofree char *more = write_named (self, "more.etl", "alpha");
  g_autoptr (NsEtlFile) joined = open_these (NULL, one, two, more, NULL);
  const GPtrArray *refused = ns_etl_file_get_refused (joined);

  g_assert_cmpstr (ns_etl_file_get_machine (joined), ==, "ALPHA");
  g_assert_cmpuint (ns_etl_file_get_n_inputs (joined), ==, 2);
  g_assert_cmpuint (refused->len, ==, 1);
  g_assert_cmpstr (((const NsEtlRefused *) refused->pdata[0])->reason,
                   ==,
                   "another computer: BETA, not ALPHA");
}

/* Sessions with different clocks are aligned at their start times. */
static void
test_clocks (Folder *self, gconstpointer data)
{
  NsEtlWriterOptions qpc = like_usual ("qpc");
  NsEtlWriterOptions system = like_usual ("system");
  g_autofree char *one = NULL;
  g_autofree char *two = NULL;
  g_autoptr (NsEtlFile) joined = NULL;
  g_autofree char *found = NULL;

  system.clock = NS_CLOCK_SYSTEM;
  system.base_raw = 0;
  system.start_filetime = START + 15;
  one = write_trace (self, "one.etl", make_trace (&qpc, 0, 4, 10, 0));
  two = write_trace (self, "two.etl", make_trace (&system, 10, 12, 1, -10));
  joined = open_these (NULL, one, two, NULL);
  found = list_events (joined, NULL);
  /* 10, 20, 30 and 40 ticks after the start of the first; 15 and 16 more than 1 and 2. */
  g_assert_cmpstr (found, ==, "0 1000\n10 1600\n11 1700\n1 2000\n2 3000\n3 4000\n");
  g_assert_cmpint (ns_etl_file_get_clock_uncertainty (ns_etl_file_get_input (joined, 0)), ==, 0);
  g_assert_cmpint (ns_etl_file_get_clock_uncertainty (ns_etl_file_get_input (joined, 1)),
                   >=,
                   1000000);
}

static void
assert_shifted (const char *const *paths, gint64 offset_ns, const char *expected)
{
  g_autoptr (NsEtlFile) joined = ns_etl_file_open_case (paths, NULL, NS_ETL_CASE_PLAIN, NULL);
  g_autofree char *found = NULL;

  ns_etl_file_shift (joined, 1, 12345);
  ns_etl_file_shift (joined, 1, offset_ns);
  g_assert_cmpint (ns_etl_file_get_offset (ns_etl_file_get_input (joined, 1)), ==, offset_ns);
  found = list_events (joined, NULL);
  g_assert_cmpstr (found, ==, expected);
  assert_same_ahead (joined, expected);
}

/* A file with another clock can be shifted; raw times of a common clock are exact. */
static void
test_corrected_clock (Folder *self, gconstpointer data)
{
  NsEtlWriterOptions qpc = like_usual ("qpc");
  NsEtlWriterOptions system = like_usual ("system");
  NsEtlWriterOptions beside = like_usual ("beside");
  g_autofree char *one = NULL;
  g_autofree char *two = NULL;
  g_autofree char *three = NULL;
  g_autofree char *why = NULL;
  g_autofree char *alone = NULL;
  g_autofree char *exact = NULL;
  g_autoptr (NsEtlFile) joined = NULL;
  g_autoptr (NsEtlFile) single = NULL;
  g_autoptr (NsEtlFile) same = NULL;

  system.clock = NS_CLOCK_SYSTEM;
  system.base_raw = 0;
  system.start_filetime = START + 15;
  one = write_trace (self, "one.etl", make_trace (&qpc, 0, 4, 10, 0));
  two = write_trace (self, "two.etl", make_trace (&system, 10, 12, 1, -10));
  three = write_trace (self, "three.etl", make_trace (&beside, 20, 24, 10, 0));
  {
    const char *const paths[] = { one, two, NULL };

    assert_shifted (paths, 0, "0 1000\n10 1600\n11 1700\n1 2000\n2 3000\n3 4000\n");
    assert_shifted (paths, 1000, "0 1000\n1 2000\n10 2600\n11 2700\n2 3000\n3 4000\n");
    /* The shifted file is now the first, so times count from its start. */
    assert_shifted (paths, -10000, "10 100\n11 200\n0 9500\n1 10500\n2 11500\n3 12500\n");
  }
  joined = open_these (NULL, one, two, NULL);
  g_assert_true (ns_etl_file_can_shift (joined, 1, NULL));
  g_assert_false (ns_etl_file_can_shift (joined, 0, &why));
  g_assert_cmpstr (why,
                   ==,
                   "the clocks of other files are aligned with its clock; correct that of two.etl");
  single = open_these (NULL, one, NULL);
  g_assert_false (ns_etl_file_can_shift (single, 0, &alone));
  g_assert_nonnull (strstr (alone, "no other trace is open that"));
  same = open_these (NULL, one, three, NULL);
  g_assert_false (ns_etl_file_can_shift (same, 1, &exact));
  g_assert_nonnull (strstr (exact, "come from the same clock and are exact"));
}

/* In a folder, files named like traces are read; an archive with several traces counts as
 * several. */
static void
test_folder (Folder *self, gconstpointer data)
{
  NsEtlWriterOptions options = like_usual ("folder");
  NsEtlWriterOptions second = like_usual ("second");
  g_autofree char *below = g_build_filename (self->path, "below", NULL);
  const char *const paths[] = { self->path, NULL };
  g_autofree char *a = write_trace (self, "a.ETL", make_trace (&options, 0, 9, 100000, 0));
  g_autofree char *b = write_trace (self, "b.etl.001", make_trace (&second, 20, 29, 100000, 0));
  g_autofree char *bad = write_bytes (self, "bad.etl", "no trace", 8);
  g_autofree char *text = write_bytes (self, "notes.txt", "nothing", 7);
  g_autoptr (NsEtlFile) flat = NULL;
  g_autoptr (NsEtlFile) deep = NULL;
  g_autofree char *c = NULL;
  g_autofree char *name = NULL;
  const GPtrArray *refused;

  g_assert_cmpint (g_mkdir (below, 0700), ==, 0);
  c = write_trace (self, "below/c.etl", make_trace (&second, 40, 49, 100000, 0));
  flat = ns_etl_file_open_case (paths, NULL, NS_ETL_CASE_PLAIN, NULL);
  g_assert_cmpuint (ns_etl_file_get_n_inputs (flat), ==, 2);
  name = ns_etl_file_dup_input_name (flat, 1);
  g_assert_cmpstr (name, ==, "b.etl.001");
  refused = ns_etl_file_get_refused (flat);
  g_assert_cmpuint (refused->len, ==, 1);
  g_assert_cmpstr (((const NsEtlRefused *) refused->pdata[0])->path, ==, bad);
  g_assert_false (((const NsEtlRefused *) refused->pdata[0])->is_other_machine);
  deep = ns_etl_file_open_case (paths, NULL, NS_ETL_CASE_RECURSIVE, NULL);
  g_assert_cmpuint (ns_etl_file_get_n_inputs (deep), ==, 3);
}

static void
test_nothing (Folder *self, gconstpointer data)
{
  g_autofree char *bad = write_bytes (self, "bad.txt", "no trace", 8);
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) second = NULL;

  g_assert_null (open_these (&error, self->path, NULL));
  g_assert_error (error, NS_TRACE_ERROR, NS_TRACE_ERROR_OPEN);
  g_assert_nonnull (strstr (error->message, "holds no trace"));
  g_assert_null (open_these (&second, bad, bad, NULL));
  g_assert_error (second, NS_TRACE_ERROR, NS_TRACE_ERROR_NOT_A_TRACE);
}

static void
add_member (struct archive *archive, const char *name, GBytes *bytes)
{
  struct archive_entry *entry = archive_entry_new ();
  gsize n_bytes;
  const void *data = g_bytes_get_data (bytes, &n_bytes);

  archive_entry_set_pathname (entry, name);
  archive_entry_set_size (entry, (la_int64_t) n_bytes);
  archive_entry_set_filetype (entry, AE_IFREG);
  archive_entry_set_perm (entry, 0600);
  g_assert_cmpint (archive_write_header (archive, entry), ==, ARCHIVE_OK);
  g_assert_cmpint (archive_write_data (archive, data, n_bytes), ==, (int) n_bytes);
  archive_entry_free (entry);
  g_bytes_unref (bytes);
}

static void
test_archive (Folder *self, gconstpointer data)
{
  NsEtlWriterOptions options = like_usual ("first");
  NsEtlWriterOptions second = like_usual ("second");
  g_autofree char *path = g_build_filename (self->path, "case.zip", NULL);
  struct archive *archive = archive_write_new ();
  const char *const paths[] = { path, NULL };
  g_autoptr (NsEtlFile) all = NULL;
  g_autoptr (NsEtlFile) one = NULL;
  g_autofree char *found = NULL;

  archive_write_set_format_zip (archive);
  g_assert_cmpint (archive_write_open_filename (archive, path), ==, ARCHIVE_OK);
  add_member (archive, "x/a.etl", make_trace (&options, 0, 2, 100000, 0));
  add_member (archive, "x/readme.txt", g_bytes_new ("text", 4));
  add_member (archive, "x/b.etl", make_trace (&second, 2, 4, 100000, 0));
  g_assert_cmpint (archive_write_close (archive), ==, ARCHIVE_OK);
  archive_write_free (archive);

  all = ns_etl_file_open_case (paths, NULL, NS_ETL_CASE_PLAIN, NULL);
  g_assert_cmpuint (ns_etl_file_get_n_inputs (all), ==, 2);
  g_assert_cmpstr (ns_etl_file_get_member (ns_etl_file_get_input (all, 1)), ==, "x/b.etl");
  found = list_events (all, NULL);
  g_assert_cmpstr (found, ==, "0 10000000\n1 20000000\n2 30000000\n3 40000000\n");
  one = ns_etl_file_open_case (paths, "b.etl", NS_ETL_CASE_PLAIN, NULL);
  g_assert_cmpuint (ns_etl_file_get_n_inputs (one), ==, 1);
}

/* An archive is unpacked once per trace, so the number of traces is limited, which is reported. */
static void
test_archive_of_many (Folder *self, gconstpointer data)
{
  NsEtlWriterOptions options = like_usual ("first");
  g_autofree char *path = g_build_filename (self->path, "many.zip", NULL);
  struct archive *archive = archive_write_new ();
  const char *const paths[] = { path, NULL };
  g_autoptr (NsEtlFile) all = NULL;
  const GPtrArray *refused;
  guint i;

  archive_write_set_format_zip (archive);
  g_assert_cmpint (archive_write_open_filename (archive, path), ==, ARCHIVE_OK);
  add_member (archive, "000.etl", make_trace (&options, 0, 2, 100000, 0));
  for (i = 1; i < 150; i++)
    {
      g_autofree char *name = g_strdup_printf ("%03u.etl", i);

      add_member (archive, name, g_bytes_new ("text", 4));
    }
  g_assert_cmpint (archive_write_close (archive), ==, ARCHIVE_OK);
  archive_write_free (archive);

  all = ns_etl_file_open_case (paths, NULL, NS_ETL_CASE_PLAIN, NULL);
  g_assert_nonnull (all);
  refused = ns_etl_file_get_refused (all);
  g_assert_cmpuint (refused->len, ==, 100);
  g_assert_nonnull (strstr (((const NsEtlRefused *) refused->pdata[99])->reason, "of 150 traces"));
}

/* Hundreds of files are read, with a limited number open at a time. */
static void
test_many (Folder *self, gconstpointer data)
{
  const char *const paths[] = { self->path, NULL };
  guint n_before = count_open ();
  guint most_open;
  g_autoptr (NsEtlFile) joined = NULL;
  g_autofree char *found = NULL;
  g_autoptr (GString) expected = g_string_new (NULL);
  guint i;

  for (i = 0; i < N_MANY; i++)
    {
      g_autofree char *name = g_strdup_printf ("%03u.etl", i);
      NsEtlWriterOptions options = like_usual (name);
      g_autofree char *path =
          write_trace (self, name, make_trace (&options, 10 * i, 10 * i + 10, 20000, 0));
    }
  for (i = 0; i < N_MANY * 10; i++)
    g_string_append_printf (expected, "%u %u\n", i, (i + 1) * 2000000);
  joined = ns_etl_file_open_case (paths, NULL, NS_ETL_CASE_PLAIN, NULL);
  g_assert_cmpuint (ns_etl_file_get_n_inputs (joined), ==, N_MANY);
  found = list_events (joined, &most_open);
  g_assert_cmpstr (found, ==, expected->str);
  g_assert_cmpuint (most_open, <=, n_before + MAX_OPEN);
}

/* Damage in one input does not affect the other, and its location names the file. */
static void
test_damage (Folder *self, gconstpointer data)
{
  NsEtlWriterOptions options = like_usual ("first");
  NsEtlWriterOptions second = like_usual ("second");
  g_autofree char *one = write_trace (self, "one.etl", make_trace (&options, 0, 50, 20000, 0));
  g_autoptr (GBytes) bytes = make_trace (&second, 100, 150, 20000, 0);
  gsize n_bytes;
  g_autofree guint8 *copy = g_memdup2 (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  g_autofree char *two = NULL;
  g_autoptr (NsEtlFile) joined = NULL;
  g_autofree char *found = NULL;
  const NsEtlDamage *damage;
  guint64 offset;
  guint i;

  n_bytes = g_bytes_get_size (bytes);
  memset (copy + 2 * BUFFER_SIZE + 0x48, 0xee, BUFFER_SIZE - 0x48);
  two = write_bytes (self, "two.etl", copy, n_bytes);
  joined = open_these (NULL, one, two, NULL);
  found = list_events (joined, NULL);
  for (i = 0; i < 50; i++)
    {
      g_autofree char *line = g_strdup_printf ("%u %u\n", i, (i + 1) * 2000000);

      g_assert_nonnull (strstr (found, line));
    }
  g_assert_cmpuint (ns_etl_file_get_report (joined)->damage->len, ==, 1);
  damage = ns_etl_file_get_report (joined)->damage->pdata[0];
  offset = damage->offset;
  g_assert_cmpuint (ns_etl_file_find_input_of_byte (joined, &offset), ==, 1);
  g_assert_cmpuint (offset, >=, 2 * BUFFER_SIZE);
  g_assert_cmpuint (offset, <, 3 * BUFFER_SIZE);
}

/* A file that was closed temporarily and replaced is detected as changed. */
static void
test_replaced (Folder *self, gconstpointer data)
{
  const char *const paths[] = { self->path, NULL };
  g_autofree char *first = g_build_filename (self->path, "000.etl", NULL);
  g_autofree char *away = g_build_filename (self->path, "away", NULL);
  g_autoptr (NsEtlFile) joined = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *copy = NULL;
  guint i;

  for (i = 0; i < N_MANY / 2; i++)
    {
      g_autofree char *name = g_strdup_printf ("%03u.etl", i);
      NsEtlWriterOptions options = like_usual (name);
      g_autofree char *path =
          write_trace (self, name, make_trace (&options, 10 * i, 10 * i + 10, 20000, 0));
    }
  joined = ns_etl_file_open_case (paths, NULL, NS_ETL_CASE_PLAIN, NULL);
  g_assert_cmpint (g_rename (first, away), ==, 0);
  copy = write_bytes (self, "000.etl", "another", 7);
  g_assert_false (ns_etl_file_walk (joined,
                                    NS_ETL_WALK_FILE_ORDER,
                                    NULL,
                                    ignore_record,
                                    NULL,
                                    NULL,
                                    NULL,
                                    &error));
  g_assert_error (error, NS_TRACE_ERROR, NS_TRACE_ERROR_OPEN);
  g_assert_nonnull (strstr (error->message, "was replaced"));
}

static void
add (const char *name, void (*test) (Folder *, gconstpointer))
{
  g_test_add (name, Folder, NULL, folder_set_up, test, folder_tear_down);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  add ("/case/split", test_split);
  add ("/case/hole", test_hole);
  add ("/case/reader", test_reader);
  add ("/case/places", test_places);
  add ("/case/copy", test_copy);
  add ("/case/repeated", test_repeated);
  add ("/case/sessions", test_sessions);
  add ("/case/twice-in-one", test_twice_in_one);
  add ("/case/kept", test_kept);
  add ("/case/kept-of-many", test_kept_of_many);
  add ("/case/machines", test_machines);
  add ("/case/names", test_names);
  add ("/case/clocks", test_clocks);
  add ("/case/corrected-clock", test_corrected_clock);
  add ("/case/folder", test_folder);
  add ("/case/nothing", test_nothing);
  add ("/case/archive", test_archive);
  add ("/case/archive-of-many", test_archive_of_many);
  add ("/case/many", test_many);
  add ("/case/damage", test_damage);
  add ("/case/replaced", test_replaced);
  return g_test_run ();
}
