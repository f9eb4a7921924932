/* Tests the limits on what a trace or archive may request.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "etl/ns-etl-writer.h"

#include <archive.h>
#include <archive_entry.h>
#include <string.h>

#define BUFFER_SIZE 1024
#define HEADER_SIZE 0x48
#define MAX_BUFFER_SIZE (64u << 20)
#define MAX_DAMAGE 1000
#define MAX_LOSSES 10000
#define MAX_MEMBERS 100000
#define FLAG_EVENTS_LOST 2

/* Makes @n_buffers buffers with one event each, after the first buffer. */
static GByteArray *
make_trace (guint n_buffers, gboolean is_compressed)
{
  const NsEtlWriterOptions options = { .buffer_size = BUFFER_SIZE, .is_compressed = is_compressed };
  g_autoptr (NsEtlWriter) writer = ns_etl_writer_new (&options);
  guint i;

  for (i = 0; i < n_buffers; i++)
    {
      NsEtlWriterEvent event = { .raw = ns_etl_writer_get_base_raw (writer) + i * 10,
                                 .id = (guint16) i };

      ns_etl_writer_next_buffer (writer, 0);
      g_assert_true (ns_etl_writer_add_event (writer, &event));
    }
  return g_bytes_unref_to_array (ns_etl_writer_finish (writer));
}

static void
set_u32 (GByteArray *file, gsize at, guint32 value)
{
  value = GUINT32_TO_LE (value);
  memcpy (file->data + at, &value, sizeof value);
}

static gboolean
take_cb (const NsRecord *record, gpointer user_data)
{
  return TRUE;
}

static NsEtlFile *
read_all (const GByteArray *file, GError **error)
{
  g_autoptr (GBytes) bytes = g_bytes_new (file->data, file->len);
  NsEtlFile *opened = ns_etl_file_open_bytes (bytes, "test", error);

  if (opened != NULL)
    g_assert_true (ns_etl_file_walk (opened, 0, NULL, take_cb, NULL, NULL, NULL, NULL));
  return opened;
}

static void
test_buffers_are_so_long_only (void)
{
  g_autoptr (GByteArray) file = make_trace (2, FALSE);
  g_autoptr (NsEtlFile) longest = NULL;
  g_autoptr (GError) error = NULL;

  set_u32 (file, 0, MAX_BUFFER_SIZE);
  longest = read_all (file, NULL);
  g_assert_nonnull (longest);
  set_u32 (file, 0, MAX_BUFFER_SIZE + BUFFER_SIZE);
  g_assert_null (read_all (file, &error));
  g_assert_error (error, NS_TRACE_ERROR, NS_TRACE_ERROR_NOT_A_TRACE);
}

static void
assert_damage (const GByteArray *file, const char *words)
{
  g_autoptr (NsEtlFile) opened = read_all (file, NULL);
  const NsEtlReport *report = ns_etl_file_get_report (opened);

  g_assert_cmpuint (report->damage->len, >, 0);
  g_assert_nonnull (
      strstr (((const NsEtlDamage *) g_ptr_array_index (report->damage, 0))->what, words));
}

/* The size of expanded buffers is limited, whatever the trace header says. */
static void
test_expanded_buffers_are_so_long_only (void)
{
  g_autoptr (GByteArray) file = make_trace (2, TRUE);
  guint32 second;

  memcpy (&second, file->data, sizeof second);
  second = GUINT32_FROM_LE (second);
  /* BufferSize of the trace header, after the buffer header and the record header. */
  set_u32 (file, HEADER_SIZE + 0x20, 0xf0000000);
  set_u32 (file, second + 0x30, MAX_BUFFER_SIZE);
  assert_damage (file, "does not expand");
  set_u32 (file, second + 0x30, MAX_BUFFER_SIZE + 8);
  assert_damage (file, "fill mark");
  set_u32 (file, second, MAX_BUFFER_SIZE + 8);
  assert_damage (file, "buffer size");
}

static void
test_damage_is_told_so_often_only (void)
{
  g_autoptr (GByteArray) file = make_trace (MAX_DAMAGE + 100, FALSE);
  g_autoptr (NsEtlFile) opened = NULL;
  const NsEtlReport *report;
  guint i;

  for (i = 1; i * BUFFER_SIZE < file->len; i++)
    set_u32 (file, i * BUFFER_SIZE + HEADER_SIZE, 0);
  opened = read_all (file, NULL);
  report = ns_etl_file_get_report (opened);
  g_assert_cmpuint (report->n_damaged, >=, MAX_DAMAGE + 100);
  g_assert_cmpuint (report->damage->len, ==, MAX_DAMAGE);
}

static void
test_losses_are_told_so_often_only (void)
{
  g_autoptr (GByteArray) file = make_trace (MAX_LOSSES + 100, FALSE);
  g_autoptr (NsEtlFile) opened = NULL;
  const NsEtlReport *report;
  guint i;

  for (i = 1; i * BUFFER_SIZE < file->len; i++)
    file->data[i * BUFFER_SIZE + 0x34] |= FLAG_EVENTS_LOST;
  opened = read_all (file, NULL);
  report = ns_etl_file_get_report (opened);
  g_assert_cmpuint (report->n_flag_events_lost, >=, MAX_LOSSES + 100);
  g_assert_cmpuint (report->losses->len, ==, MAX_LOSSES);
}

static void
add_member (struct archive *archive, const char *name, const GByteArray *content)
{
  struct archive_entry *entry = archive_entry_new ();
  gsize n_bytes = content != NULL ? content->len : 0;

  archive_entry_set_pathname (entry, name);
  archive_entry_set_size (entry, (la_int64_t) n_bytes);
  archive_entry_set_filetype (entry, AE_IFREG);
  archive_write_header (archive, entry);
  if (content != NULL)
    archive_write_data (archive, content->data, n_bytes);
  archive_entry_free (entry);
}

/* Opens a zip with the only trace after @n_before other members. */
static NsEtlFile *
open_behind (guint n_before)
{
  const gsize room = (gsize) 32 << 20;
  g_autofree guint8 *packed = g_malloc (room);
  g_autoptr (GByteArray) trace = make_trace (1, FALSE);
  struct archive *archive = archive_write_new ();
  g_autoptr (GByteArray) file = g_byte_array_new ();
  gsize used = 0;
  guint i;

  archive_write_set_format_zip (archive);
  archive_write_set_format_option (archive, "zip", "compression", "store");
  archive_write_open_memory (archive, packed, room, &used);
  for (i = 0; i < n_before; i++)
    add_member (archive, "a", NULL);
  add_member (archive, "b.etl", trace);
  archive_write_close (archive);
  archive_write_free (archive);
  g_byte_array_append (file, packed, (guint) used);
  return read_all (file, NULL);
}

static void
test_members_are_looked_at_so_far_only (void)
{
  g_autoptr (NsEtlFile) last = NULL;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  g_test_skip ("a hundred thousand members take minutes with a sanitizer");
  return;
#endif
  last = open_behind (MAX_MEMBERS - 1);
  g_assert_nonnull (last);
  g_assert_null (open_behind (MAX_MEMBERS));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/etl-limits/buffers-are-so-long-only", test_buffers_are_so_long_only);
  g_test_add_func ("/etl-limits/expanded-buffers-are-so-long-only",
                   test_expanded_buffers_are_so_long_only);
  g_test_add_func ("/etl-limits/damage-is-told-so-often-only", test_damage_is_told_so_often_only);
  g_test_add_func ("/etl-limits/losses-are-told-so-often-only", test_losses_are_told_so_often_only);
  g_test_add_func ("/etl-limits/members-are-looked-at-so-far-only",
                   test_members_are_looked_at_so_far_only);
  return g_test_run ();
}
