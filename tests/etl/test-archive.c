/* Tests traces in archives, and files that are not traces.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "etl/ns-etl-archive.h"
#include "etl/ns-etl-writer.h"

#include <archive.h>
#include <archive_entry.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>

static GBytes *
make_trace (guint n_records)
{
  g_autoptr (NsEtlWriter) writer = ns_etl_writer_new (&(NsEtlWriterOptions){ .buffer_size = 4096 });
  guint i;

  for (i = 0; i < n_records; i++)
    {
      NsEtlWriterEvent event = { .raw = ns_etl_writer_get_base_raw (writer) + i,
                                 .id = (guint16) (i * i) };

      ns_etl_writer_add_event (writer, &event);
    }
  return ns_etl_writer_finish (writer);
}

static gboolean
count_cb (const NsRecord *record, gpointer user_data)
{
  (*(guint *) user_data)++;
  return TRUE;
}

static void
assert_n_records (NsEtlFile *file, guint expected)
{
  guint n = 0;

  g_assert_nonnull (file);
  g_assert_true (ns_etl_file_walk (file, 0, NULL, count_cb, &n, NULL, NULL, NULL));
  g_assert_cmpuint (n, ==, expected + 1);
}

/* Packs a trace for each member name; each trace has one record more than the previous one. */
static GBytes *
pack (const char *form, const char *const *names, guint n_records)
{
  gsize room = 1 << 20;
  guint8 *data = g_malloc (room);
  gsize used = 0;
  struct archive *archive = archive_write_new ();
  guint i;

  if (strcmp (form, "gz") == 0)
    {
      archive_write_add_filter_gzip (archive);
      archive_write_set_format_raw (archive);
    }
  else if (strcmp (form, "zip") == 0)
    archive_write_set_format_zip (archive);
  else
    archive_write_set_format_7zip (archive);
  archive_write_open_memory (archive, data, room, &used);
  for (i = 0; names[i] != NULL; i++)
    {
      g_autoptr (GBytes) bytes = make_trace (n_records + i);
      struct archive_entry *entry = archive_entry_new ();
      gsize size;
      const void *content = g_bytes_get_data (bytes, &size);

      archive_entry_set_pathname (entry, names[i]);
      archive_entry_set_filetype (entry, AE_IFREG);
      archive_entry_set_size (entry, (la_int64_t) size);
      g_assert_cmpint (archive_write_header (archive, entry), ==, ARCHIVE_OK);
      g_assert_cmpint (archive_write_data (archive, content, size), ==, (int) size);
      archive_entry_free (entry);
    }
  g_assert_cmpint (archive_write_close (archive), ==, ARCHIVE_OK);
  archive_write_free (archive);
  return g_bytes_new_take (data, used);
}

/* Makes an archive of empty members. */
static GBytes *
pack_empty (const char *form, const char *const *names)
{
  gsize room = 64 << 20;
  guint8 *data = g_malloc (room);
  gsize used = 0;
  struct archive *archive = archive_write_new ();
  guint i;

  if (strcmp (form, "zip") == 0)
    archive_write_set_format_zip (archive);
  else
    archive_write_set_format_7zip (archive);
  archive_write_open_memory (archive, data, room, &used);
  for (i = 0; names[i] != NULL; i++)
    {
      struct archive_entry *entry = archive_entry_new ();

      archive_entry_set_pathname (entry, names[i]);
      archive_entry_set_filetype (entry, AE_IFREG);
      archive_entry_set_size (entry, 0);
      g_assert_cmpint (archive_write_header (archive, entry), ==, ARCHIVE_OK);
      archive_entry_free (entry);
    }
  g_assert_cmpint (archive_write_close (archive), ==, ARCHIVE_OK);
  archive_write_free (archive);
  return g_bytes_new_take (data, used);
}

static void
add_u16 (GByteArray *array, guint value)
{
  guint16 little = GUINT16_TO_LE ((guint16) value);

  g_byte_array_append (array, (const guint8 *) &little, sizeof little);
}

static void
add_u32 (GByteArray *array, gsize value)
{
  guint32 little = GUINT32_TO_LE ((guint32) value);

  g_byte_array_append (array, (const guint8 *) &little, sizeof little);
}

/* Makes a cabinet with one uncompressed member in the format of [MS-CAB]; libarchive cannot write
 * any. */
static GBytes *
pack_cab (GBytes *member)
{
  enum
  {
    HEADER = 36,
    FOLDER = 8,
    ENTRY = 16,
    BLOCK = 32768,
  };
  static const char name[] = "a.etl";
  gsize size;
  const guint8 *data = g_bytes_get_data (member, &size);
  guint n_blocks = (guint) ((size + BLOCK - 1) / BLOCK);
  gsize data_at = HEADER + FOLDER + ENTRY + sizeof name;
  GByteArray *cab = g_byte_array_new ();
  gsize at;

  g_byte_array_append (cab, (const guint8 *) "MSCF", 4);
  add_u32 (cab, 0);
  add_u32 (cab, data_at + n_blocks * 8 + size);
  add_u32 (cab, 0);
  add_u32 (cab, HEADER + FOLDER);
  add_u32 (cab, 0);
  add_u16 (cab, 0x0103); /* version 1.3 */
  add_u16 (cab, 1);      /* folders */
  add_u16 (cab, 1);      /* files */
  add_u16 (cab, 0);
  add_u32 (cab, 0);
  add_u32 (cab, data_at);
  add_u16 (cab, n_blocks);
  add_u16 (cab, 0); /* uncompressed */
  add_u32 (cab, size);
  add_u32 (cab, 0);
  add_u16 (cab, 0);
  add_u16 (cab, 0x5821); /* a date in 2024 */
  add_u16 (cab, 0);
  add_u16 (cab, 0x20);
  g_byte_array_append (cab, (const guint8 *) name, sizeof name);
  for (at = 0; at < size; at += BLOCK)
    {
      guint n = (guint) MIN (BLOCK, size - at);

      add_u32 (cab, 0); /* no checksum */
      add_u16 (cab, n);
      add_u16 (cab, n);
      g_byte_array_append (cab, data + at, n);
    }
  return g_byte_array_free_to_bytes (cab);
}

static void
test_a_cabinet_is_read (void)
{
  g_autoptr (GBytes) trace = make_trace (5000); /* spans several data blocks */
  g_autoptr (GBytes) bytes = pack_cab (trace);
  g_autoptr (NsEtlFile) file = ns_etl_file_open_bytes (bytes, "a.cab", NULL);

  assert_n_records (file, 5000);
}

static void
test_the_only_trace_is_taken (void)
{
  static const char *const names[] = { "folder/a.ETL", NULL };
  static const char *const with_others[] = { "a.etl", "readme.txt", NULL };
  static const char *const forms[] = { "gz", "zip", "7z" };
  g_autoptr (GBytes) mixed = pack ("zip", with_others, 10);
  g_autoptr (NsEtlFile) file = ns_etl_file_open_bytes (mixed, "mixed.zip", NULL);
  guint i;

  assert_n_records (file, 10);
  for (i = 0; i < G_N_ELEMENTS (forms); i++)
    {
      g_autoptr (GBytes) bytes = pack (forms[i], names, 10);
      g_autoptr (NsEtlFile) packed = ns_etl_file_open_bytes (bytes, "packed", NULL);

      assert_n_records (packed, 10);
    }
}

static void
test_several_traces_must_be_told_apart (void)
{
  static const char *const names[] = { "one/a.etl", "two/b.etl", NULL };
  g_autoptr (GBytes) bytes = pack ("zip", names, 10);
  g_autofree char *path = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (NsEtlFile) file = NULL;
  g_auto (GStrv) members = NULL;
  int fd = g_file_open_tmp ("XXXXXX.zip", &path, NULL);

  g_assert_cmpint (fd, >=, 0);
  g_close (fd, NULL);
  g_assert_true (g_file_set_contents (path,
                                      g_bytes_get_data (bytes, NULL),
                                      (gssize) g_bytes_get_size (bytes),
                                      NULL));
  members = ns_etl_file_list_members (path, NULL);
  g_assert_cmpuint (g_strv_length (members), ==, 2);

  g_assert_null (ns_etl_file_open (path, NULL, &error));
  g_assert_error (error, NS_TRACE_ERROR, NS_TRACE_ERROR_MEMBER);
  g_assert_nonnull (strstr (error->message, "one/a.etl, two/b.etl"));
  file = ns_etl_file_open (path, "b.etl", NULL);
  assert_n_records (file, 11);
  g_clear_pointer (&file, ns_etl_file_free);
  file = ns_etl_file_open (path, "one/a.etl", NULL);
  assert_n_records (file, 10);
  g_clear_error (&error);
  g_assert_null (ns_etl_file_open (path, "c.etl", &error));
  g_assert_error (error, NS_TRACE_ERROR, NS_TRACE_ERROR_MEMBER);
  g_unlink (path);
}

/* Returns the report about other members beside the trace, or %NULL. */
static const char *
get_beside (NsEtlFile *file)
{
  const NsEtlReport *report;

  ns_etl_file_report_companions (file);
  report = ns_etl_file_get_report (file);
  return report->damage->len > 0
             ? ((const NsEtlDamage *) g_ptr_array_index (report->damage, 0))->what
             : NULL;
}

/* The first one is read, and the others are reported. */
static void
test_members_of_the_same_name (void)
{
  static const char *const names[] = { "a.etl", "a.etl", "a.etl", NULL };
  static const char *const others[] = { "a.etl", "b/a.etl", NULL };
  g_autoptr (GBytes) same = pack ("zip", names, 10);
  g_autoptr (GBytes) different = pack ("zip", others, 10);
  g_autoptr (NsEtlFile) file = ns_etl_file_open_bytes (same, "same.zip", NULL);

  assert_n_records (file, 10);
  g_assert_nonnull (strstr (get_beside (file), "several files of this name"));
  g_clear_pointer (&file, ns_etl_file_free);
  g_assert_null (ns_etl_file_open_bytes (different, "different.zip", NULL));
}

/* A message lists the first members only, and the search stops at a limit on the names. */
static void
test_a_flood_of_members (void)
{
  enum
  {
    N_NAMES = 600,
    NAME_BYTES = 30000,
  };
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) members = NULL;
  g_autoptr (NsEtlSource) source = NULL;
  NsEtlArchiveOthers others;
  guint i;

  for (i = 0; i < N_NAMES; i++)
    {
      g_autofree char *rest = g_strnfill (NAME_BYTES, 'x');

      g_ptr_array_add (names, g_strdup_printf ("%u%s.etl", i, rest));
    }
  g_ptr_array_add (names, NULL);
  bytes = pack_empty ("zip", (const char *const *) names->pdata);
  source = ns_etl_source_new_bytes (bytes, "flood.zip");
  members = ns_etl_archive_list (source, &others, NULL);
  g_assert_cmpuint (g_strv_length (members), <, N_NAMES);
  g_assert_cmpuint (g_strv_length (members), >, (16 << 20) / NAME_BYTES - 2);
  g_assert_null (ns_etl_file_open_bytes (bytes, "flood.zip", &error));
  g_assert_error (error, NS_TRACE_ERROR, NS_TRACE_ERROR_MEMBER);
  g_assert_cmpuint (strlen (error->message), <, 2000);
  g_assert_nonnull (strstr (error->message, "…, 1xxx"));
  g_assert_true (g_str_has_suffix (error->message, " more"));
}

/* Makes an archive of highly compressible names: some KB that expand to several MB. */
static GBytes *
pack_names (const char *form, guint n_names, gsize n_letters)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *rest = g_strnfill (n_letters, 'x');
  guint i;

  for (i = 0; i < n_names; i++)
    g_ptr_array_add (names, g_strdup_printf ("%u%s.etl", i, rest));
  g_ptr_array_add (names, NULL);
  return pack_empty (form, (const char *const *) names->pdata);
}

static void
test_a_packed_list_of_members_is_so_long_only (void)
{
  g_autoptr (GBytes) few = pack_names ("7z", 100, 1000);
  g_autoptr (GBytes) many = pack_names ("7z", 4500, 1000); /* 2 KB each */
  g_autoptr (NsEtlSource) source = ns_etl_source_new_bytes (few, "few.7z");
  g_autoptr (GError) error = NULL;
  NsEtlArchiveOthers others;
  g_auto (GStrv) members = ns_etl_archive_list (source, &others, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (g_strv_length (members), ==, 100);
  g_assert_cmpuint (g_bytes_get_size (many), <, 1 << 20);
  g_assert_null (ns_etl_file_open_bytes (many, "many.7z", &error));
  g_assert_error (error, NS_TRACE_ERROR, NS_TRACE_ERROR_LIMIT);
  g_assert_nonnull (strstr (error->message, "many.7z"));
  g_assert_nonnull (strstr (error->message, "its list of members is too long"));
}

/* Makes an archive with the given offset and size of its member list. */
static GBytes *
make_7z (guint64 offset, guint64 size, const guint8 *list, gsize n_list)
{
  static const guint8 signature[] = { '7', 'z', 0xbc, 0xaf, 0x27, 0x1c, 0, 4, 0, 0, 0, 0 };
  GByteArray *bytes = g_byte_array_new ();
  guint64 little[] = { GUINT64_TO_LE (offset), GUINT64_TO_LE (size) };

  g_byte_array_append (bytes, signature, sizeof signature);
  g_byte_array_append (bytes, (const guint8 *) little, sizeof little);
  add_u32 (bytes, 0);
  g_byte_array_append (bytes, list, (guint) n_list);
  return g_byte_array_free_to_bytes (bytes);
}

static void
refuses_list (GBytes *bytes, int code, const char *why)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (ns_etl_file_open_bytes (bytes, "made.7z", &error));
  g_assert_error (error, NS_TRACE_ERROR, code);
  g_assert_nonnull (strstr (error->message, why));
}

static void
test_what_a_list_of_members_says_of_itself_is_checked (void)
{
  static const guint8 packed[] = {
    0x17,                                                    /* a compressed list */
    0x06, 0x00, 0x01, 0x09, 0x05, 0x00,                      /* one stream of 5 bytes */
    0x07, 0x0b, 0x01, 0x00,                                  /* one folder */
    0x01, 0x23, 0x03, 0x01, 0x01, 0x05, 0x5d, 0, 0, 0x10, 0, /* LZMA */
    0x0c, 0xff, 0,    0,    0,    0,    0,    1, 0, 0,       /* 2^40 bytes */
    0x00, 0x00,
  };
  static const guint8 coders[] = {
    0x17, 0x06, 0x00, 0x01, 0x09, 0x05, 0x00, 0x07, 0x0b, 0x01,
    0x00, 0xff, 255,  255,  255,  255,  255,  255,  255,  255, /* number of coders */
  };
  static const guint8 parts[] = {
    0x17, 0x06, 0x00, 0x01, 0x09, 0x02, 0x00, 0x07, 0x0b, 0x01, 0x00, 0x01, 0x01, 0x00,
    0x0c, 0x02, 0x00, 0x08, 0x0d, 0xf0, 0xff, 0xe0, 0xf5, 0x05, 0x00, 0x00, 0x00, /* number of parts
                                                                                     of the list */
  };
  static const guint8 wide[] = {
    0x17, 0x06, 0x00, 0x01, 0x09, 0x05, 0x00, 0x07, 0x0b, 0x01, 0x00,
    0x01, 0x23, 0x03, 0x01, 0x01, 0x05, 0x5d, 255,  255,  255,  255, /* LZMA dictionary of 4 GB */
    0x0c, 0x20, 0x00, 0x00,
  };
  g_autoptr (GBytes) backward = make_7z (0, sizeof wide, wide, sizeof wide);
  g_autoptr (GBytes) parted = make_7z (0, sizeof parts, parts, sizeof parts);
  g_autoptr (GBytes) behind = make_7z (G_MAXUINT64 - 8, 64, NULL, 0);
  g_autoptr (GBytes) longer = make_7z (0, (guint64) 1 << 62, packed, sizeof packed);
  g_autoptr (GBytes) huge = make_7z (0, sizeof packed, packed, sizeof packed);
  g_autoptr (GBytes) unknown = make_7z (0, sizeof coders, coders, sizeof coders);
  g_autoptr (GBytes) cut = make_7z (0, 20, packed, 20);

  refuses_list (behind, NS_TRACE_ERROR_ARCHIVE, "beyond the end");
  refuses_list (longer, NS_TRACE_ERROR_ARCHIVE, "beyond the end");
  refuses_list (huge, NS_TRACE_ERROR_LIMIT, "too long");
  refuses_list (unknown, NS_TRACE_ERROR_ARCHIVE, "unsupported compression");
  refuses_list (cut, NS_TRACE_ERROR_ARCHIVE, "unsupported compression");
  refuses_list (parted, NS_TRACE_ERROR_ARCHIVE, "unsupported compression");
  refuses_list (backward, NS_TRACE_ERROR_ARCHIVE, "unsupported compression");
}

#define SO_MANY 0xf0, 0xff, 0xe0, 0xf5, 0x05 /* 99,999,999 */
#define ONE_STREAM 0x06, 0x00, 0x01, 0x09, 0x01, 0x00
#define COPIED 0x01, 0x01, 0x00

static void
append (GByteArray *self, const guint8 *data, gsize n_bytes)
{
  g_byte_array_append (self, data, (guint) n_bytes);
}

/* Asserts that the list is refused, uncompressed and packed by the copy method. */
static void
refuses_counts (const guint8 *list, gsize n_list)
{
  g_autoptr (GByteArray) both = g_byte_array_new ();
  g_autoptr (GBytes) open = make_7z (0, n_list, list, n_list);
  g_autoptr (GBytes) packed = NULL;
  const guint8 size = (guint8) n_list;
  const guint8 info[] = { 0x17, 0x06, 0x00, 0x01,   0x09, size, 0x00, 0x07,
                          0x0b, 0x01, 0x00, COPIED, 0x0c, size, 0x00, 0x00 };

  g_assert_cmpuint (n_list, <, 0x80);
  append (both, list, n_list);
  append (both, info, sizeof info);
  packed = make_7z (n_list, sizeof info, both->data, both->len);
  refuses_list (open, NS_TRACE_ERROR_LIMIT, "announces more entries than it has room for,");
  refuses_list (packed, NS_TRACE_ERROR_LIMIT, "announces more entries than it has room for,");
}

/* libarchive allocates memory for announced items before it has read them. */
static void
test_what_a_list_of_members_announces_has_room (void)
{
  static const guint8 folders[] = { 0x01, 0x04, ONE_STREAM, 0x07, 0x0b, SO_MANY, 0x00 };
  static const guint8 streams[] = { 0x01, 0x04, 0x06, 0x00, SO_MANY, 0x09, 0x01, 0x00 };
  static const guint8 parts[] = { 0x01,   0x04, ONE_STREAM, 0x07, 0x0b, 0x01, 0x00,
                                  COPIED, 0x0c, 0x01,       0x00, 0x08, 0x0d, SO_MANY };
  static const guint8 files[] = { 0x01, 0x05, SO_MANY, 0x00, 0x00 };

  refuses_counts (folders, sizeof folders);
  refuses_counts (streams, sizeof streams);
  refuses_counts (parts, sizeof parts);
  refuses_counts (files, sizeof files);
}

/* The list has more members than the limit. */
static void
test_a_list_of_very_many_members_is_refused (void)
{
  static const guint8 begin[] = { 0x01, 0x05, 0xc1, 0xa1, 0x86 }; /* 100,001 */
  gsize n_list = 1u << 20;
  g_autofree guint8 *list = g_malloc0 (n_list);
  g_autoptr (GBytes) many = NULL;

  memcpy (list, begin, sizeof begin);
  many = make_7z (0, n_list, list, n_list);
  refuses_list (many, NS_TRACE_ERROR_LIMIT, "more than 100000 members");
}

/* A cabinet whose header announces many members but that has one; the rest of the file is zeros. */
static void
test_a_cabinet_holds_what_it_holds (void)
{
  g_autoptr (GBytes) trace = make_trace (20);
  g_autoptr (GBytes) whole = pack_cab (trace);
  gsize size;
  g_autofree guint8 *data = NULL;
  guint at;

  for (at = 26; at <= 28; at += 2) /* folders, files */
    {
      g_autoptr (GBytes) flood = NULL;
      g_autoptr (NsEtlFile) file = NULL;
      g_autoptr (GError) error = NULL;

      g_free (data);
      data = g_memdup2 (g_bytes_get_data (whole, NULL), g_bytes_get_size (whole));
      size = g_bytes_get_size (whole);
      data[at] = data[at + 1] = 0xff;
      flood = g_bytes_new (data, size);
      file = ns_etl_file_open_bytes (flood, "flood.cab", &error);
      g_assert_true (file != NULL || error != NULL);
      if (file == NULL)
        g_assert_nonnull (strstr (error->message, "cannot unpack flood.cab: "));
    }
}

static void
test_a_cut_archive_gives_what_it_holds (void)
{
  static const char *const names[] = { "a.etl", NULL };
  g_autoptr (GBytes) bytes = pack ("gz", names, 20000);
  g_autoptr (GBytes) cut = g_bytes_new_from_bytes (bytes, 0, g_bytes_get_size (bytes) / 2);
  g_autoptr (NsEtlFile) file = ns_etl_file_open_bytes (cut, "cut.gz", NULL);
  guint n = 0;

  g_assert_nonnull (file);
  g_assert_true (ns_etl_file_walk (file, 0, NULL, count_cb, &n, NULL, NULL, NULL));
  g_assert_cmpuint (n, >, 0);
  g_assert_cmpuint (ns_etl_file_get_report (file)->damage->len, >, 0);
}

#define HOLE_SIZE (256 * 1024)

/* Packs a trace as a sparse file: the buffers that were never written are holes. */
static GBytes *
pack_sparse (GBytes *trace, gsize n_before)
{
  gsize room = 1 << 20;
  guint8 *data = g_malloc (room);
  gsize used = 0;
  gsize size;
  const guint8 *content = g_bytes_get_data (trace, &size);
  gsize n_content = size + 2 * HOLE_SIZE;
  g_autofree guint8 *whole = g_malloc0 (n_content);
  struct archive *archive = archive_write_new ();
  struct archive_entry *entry = archive_entry_new ();

  memcpy (whole, content, n_before);
  memcpy (whole + n_before + HOLE_SIZE, content + n_before, size - n_before);
  archive_write_add_filter_gzip (archive);
  archive_write_set_format_pax (archive);
  archive_write_open_memory (archive, data, room, &used);
  archive_entry_set_pathname (entry, "a.etl");
  archive_entry_set_filetype (entry, AE_IFREG);
  archive_entry_set_size (entry, (la_int64_t) n_content);
  archive_entry_sparse_add_entry (entry, 0, (la_int64_t) n_before);
  archive_entry_sparse_add_entry (entry,
                                  (la_int64_t) (n_before + HOLE_SIZE),
                                  (la_int64_t) (size - n_before));
  g_assert_cmpint (archive_write_header (archive, entry), ==, ARCHIVE_OK);
  g_assert_cmpint (archive_write_data (archive, whole, n_content), ==, (int) n_content);
  archive_entry_free (entry);
  g_assert_cmpint (archive_write_close (archive), ==, ARCHIVE_OK);
  archive_write_free (archive);
  g_assert_cmpuint (used, <, n_content - HOLE_SIZE);
  return g_bytes_new_take (data, used);
}

static void
test_holes_of_a_file_are_zeroes (void)
{
  g_autoptr (GBytes) trace = make_trace (1000);
  g_autoptr (GBytes) bytes = pack_sparse (trace, 2 * 4096);
  g_autoptr (NsEtlFile) file = ns_etl_file_open_bytes (bytes, "sparse.tar.gz", NULL);

  assert_n_records (file, 1000);
  g_assert_cmpuint (ns_etl_file_get_size (file), ==, g_bytes_get_size (trace) + 2 * HOLE_SIZE);
  g_assert_cmpuint (ns_etl_file_get_report (file)->damage->len, ==, 0);
}

static void
assert_refused (const char *path, NsTraceError code)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (ns_etl_file_open (path, NULL, &error));
  g_assert_error (error, NS_TRACE_ERROR, (int) code);
  g_assert_nonnull (strstr (error->message, path));
  g_assert_null (strchr (error->message, '\n'));
}

/* A compression ratio of two thousand does not occur in real traces. */
static void
test_a_bomb_is_refused (void)
{
  struct archive *archive = archive_write_new ();
  struct archive_entry *entry = archive_entry_new ();
  g_autofree guint8 *packed = g_malloc (1 << 16);
  g_autofree guint8 *zeros = g_malloc0 (4 << 20);
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (NsEtlSource) source = NULL;
  g_autoptr (NsEtlSource) opened = NULL;
  g_autoptr (GError) error = NULL;
  NsEtlArchiveRest rest;
  gsize used = 0;

  archive_write_set_format_zip (archive);
  archive_write_open_memory (archive, packed, 1 << 16, &used);
  archive_entry_set_pathname (entry, "bomb.etl");
  archive_entry_set_size (entry, 4 << 20);
  archive_entry_set_filetype (entry, AE_IFREG);
  archive_write_header (archive, entry);
  archive_write_data (archive, zeros, 4 << 20);
  archive_entry_free (entry);
  archive_write_close (archive);
  archive_write_free (archive);
  bytes = g_bytes_new (packed, used);
  source = ns_etl_source_new_bytes (bytes, "bomb.zip");
  opened = ns_etl_archive_open_member (source, NULL, &rest, NULL);
  g_assert_nonnull (opened);
  ns_etl_source_free (g_steal_pointer (&opened));
  ns_etl_source_set_least_unpacked (source, 64 * 1024);
  opened = ns_etl_archive_open_member (source, NULL, &rest, &error);
  g_assert_null (opened);
  g_assert_error (error, NS_TRACE_ERROR, NS_TRACE_ERROR_LIMIT);
}

static void
test_what_is_no_file_is_refused_at_once (void)
{
  g_autofree char *folder = g_dir_make_tmp ("XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "x.etl", NULL);

  assert_refused (path, NS_TRACE_ERROR_OPEN);
  assert_refused (folder, NS_TRACE_ERROR_OPEN);
  g_assert_cmpint (mkfifo (path, 0600), ==, 0);
  assert_refused (path, NS_TRACE_ERROR_OPEN); /* must not block for a writer */
  g_unlink (path);
  g_assert_true (g_file_set_contents (path, "", 0, NULL));
  assert_refused (path, NS_TRACE_ERROR_NOT_A_TRACE);
  g_assert_true (g_file_set_contents (path, "just a text, longer than a header", -1, NULL));
  assert_refused (path, NS_TRACE_ERROR_NOT_A_TRACE);
  g_assert_true (g_file_set_contents (path, "PK\003\004 no archive", -1, NULL));
  assert_refused (path, NS_TRACE_ERROR_ARCHIVE);
  g_unlink (path);
  g_rmdir (folder);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/archive/a-bomb-is-refused", test_a_bomb_is_refused);
  g_test_add_func ("/archive/the-only-trace-is-taken", test_the_only_trace_is_taken);
  g_test_add_func ("/archive/a-cabinet-is-read", test_a_cabinet_is_read);
  g_test_add_func ("/archive/several-traces-must-be-told-apart",
                   test_several_traces_must_be_told_apart);
  g_test_add_func ("/archive/same-name", test_members_of_the_same_name);
  g_test_add_func ("/archive/flood", test_a_flood_of_members);
  g_test_add_func ("/archive/a-packed-list-of-members-is-so-long-only",
                   test_a_packed_list_of_members_is_so_long_only);
  g_test_add_func ("/archive/what-a-list-of-members-says-of-itself-is-checked",
                   test_what_a_list_of_members_says_of_itself_is_checked);
  g_test_add_func ("/archive/announced-has-room", test_what_a_list_of_members_announces_has_room);
  g_test_add_func ("/archive/a-list-of-very-many-members-is-refused",
                   test_a_list_of_very_many_members_is_refused);
  g_test_add_func ("/archive/a-cabinet-holds-what-it-holds", test_a_cabinet_holds_what_it_holds);
  g_test_add_func ("/archive/a-cut-archive-gives-what-it-holds",
                   test_a_cut_archive_gives_what_it_holds);
  g_test_add_func ("/archive/what-is-no-file-is-refused-at-once",
                   test_what_is_no_file_is_refused_at_once);
  g_test_add_func ("/archive/holes-of-a-file-are-zeroes", test_holes_of_a_file_are_zeroes);
  return g_test_run ();
}
