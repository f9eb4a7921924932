/* Tests processes, threads and images: lifetimes, identity, lookups, and real traces.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/trace/ns-trace-lookup.h"
#include "stitch-fixture.h"

#define MS STITCH_MS
#define NS_OF_MS 1000000

static const NsGuid kernel_process =
    NS_GUID_INIT (0x22fb2cd6, 0x0e7b, 0x422b, 0xa0, 0xc7, 0x2f, 0xad, 0x1f, 0xd0, 0xe7, 0x16);

typedef struct
{
  NsEtlWriter *writer;
  guint64 base;
} Fixture;

static void
set_up (Fixture *self)
{
  static const NsEtlWriterOptions options = { .n_processors = 4 };

  self->writer = ns_etl_writer_new (&options);
  self->base = ns_etl_writer_get_base_raw (self->writer);
}

static NsTrace *
finish (Fixture *self)
{
  NsTrace *trace = stitch_trace_from_writer (self->writer);

  ns_etl_writer_free (self->writer);
  return trace;
}

static void
add (Fixture *self, guint ms, guint group, guint opcode, guint version, GByteArray *payload)
{
  NsEtlWriterGroup record = { .raw = self->base + ms * MS,
                              .group = (guint8) group,
                              .opcode = (guint8) opcode,
                              .version = (guint8) version,
                              .pid = 4,
                              .tid = 77,
                              .payload = payload };

  g_assert_true (ns_etl_writer_add_group (self->writer, &record));
}

/* Writes a process event of version 4, the version of Windows 10. */
static void
add_process (Fixture *self,
             guint ms,
             guint opcode,
             guint64 key,
             guint32 pid,
             guint32 flags,
             const char *name)
{
  static const guint8 system_sid[] = { 1, 1, 0, 0, 0, 0, 0, 5, 18, 0, 0, 0 };
  g_autoptr (GByteArray) payload = g_byte_array_new ();

  ns_etl_bytes_u64 (payload, key);
  ns_etl_bytes_u32 (payload, pid);
  ns_etl_bytes_u32 (payload, 8);
  ns_etl_bytes_u32 (payload, 1);
  ns_etl_bytes_u32 (payload, opcode == 2 ? 3 : 0x103);
  ns_etl_bytes_u64 (payload, 0);
  ns_etl_bytes_u32 (payload, flags);
  ns_etl_bytes_u64 (payload, 0xffffa00000000000);
  ns_etl_bytes_u64 (payload, 0);
  ns_etl_bytes_data (payload, system_sid, sizeof system_sid);
  ns_etl_bytes_astr (payload, name);
  ns_etl_bytes_wstr (payload, "app.exe --flag");
  ns_etl_bytes_wstr (payload, "Package_1.0");
  ns_etl_bytes_wstr (payload, "App");
  add (self, ms, 3, opcode, 4, payload);
}

static void
add_image (Fixture *self,
           guint ms,
           guint group,
           guint opcode,
           guint32 pid,
           guint64 base,
           guint64 size,
           const char *path)
{
  g_autoptr (GByteArray) payload = g_byte_array_new ();

  ns_etl_bytes_u64 (payload, base);
  ns_etl_bytes_u64 (payload, size);
  ns_etl_bytes_u32 (payload, pid);
  ns_etl_bytes_u32 (payload, 0x1111);
  ns_etl_bytes_u32 (payload, 0x5f000000);
  ns_etl_bytes_zero (payload, 28);
  ns_etl_bytes_wstr (payload, path);
  add (self, ms, group, opcode, 3, payload);
}

static const NsProcessRow *
process (const NsTrace *trace, NsRow row)
{
  g_assert_cmpuint (row, >, 0);
  g_assert_cmpuint (row, <=, trace->processes->len);
  return &g_array_index (trace->processes, NsProcessRow, row - 1);
}

static void
test_a_process_is_read_whole (void)
{
  Fixture self;
  NsTrace *trace;
  const NsProcessRow *row;

  set_up (&self);
  add_process (&self, 1, 1, 0xf00, 100, 2, "app.exe");
  add_image (&self, 2, 3, 10, 100, 0x400000, 0x10000, "\\Device\\HarddiskVolume3\\x\\app.exe");
  add_process (&self, 9, 2, 0xf00, 100, 2, "app.exe");
  trace = finish (&self);
  g_assert_cmpuint (trace->processes->len, ==, 1);
  row = process (trace, 1);
  g_assert_cmpstr (ns_trace_text (trace, row->name), ==, "app.exe");
  g_assert_cmpstr (ns_trace_text (trace, row->command_line), ==, "app.exe --flag");
  g_assert_cmpstr (ns_trace_text (trace, row->package), ==, "Package_1.0");
  g_assert_cmpstr (ns_trace_text (trace, row->app_id), ==, "App");
  g_assert_cmpstr (ns_trace_text (trace, row->user_sid), ==, "S-1-5-18");
  g_assert_cmpstr (ns_trace_text (trace, row->path), ==, "\\Device\\HarddiskVolume3\\x\\app.exe");
  g_assert_cmpuint (row->pointer_size, ==, 4);
  g_assert_cmpuint (row->parent_pid, ==, 8);
  g_assert_cmpuint (row->session_id, ==, 1);
  g_assert_cmpuint (row->exit_status, ==, 3);
  g_assert_true (row->has_exit_status);
  g_assert_false (row->before_trace);
  g_assert_cmpint (row->start_ns, ==, 1 * NS_OF_MS);
  g_assert_cmpint (row->end_ns, ==, 9 * NS_OF_MS);
  /* The image is unloaded when its process ends. */
  g_assert_cmpint (g_array_index (trace->images, NsImageRow, 0).unload_ns, ==, 9 * NS_OF_MS);
  g_assert_cmpuint (g_array_index (trace->images, NsImageRow, 0).process, ==, 1);
  ns_trace_unref (trace);
}

static void
test_an_id_used_again_is_another_process (void)
{
  Fixture self;
  NsTrace *trace;

  set_up (&self);
  add_process (&self, 0, 3, 0xf00, 100, 0, "old.exe");
  add_process (&self, 10, 2, 0xf00, 100, 0, "old.exe");
  add_process (&self, 20, 1, 0xe00, 100, 0, "new.exe");
  /* The end event of the process is missing. */
  add_process (&self, 40, 1, 0xd00, 100, 0, "third.exe");
  add_process (&self, 50, 4, 0xd00, 100, 0, "third.exe");
  trace = finish (&self);
  g_assert_cmpuint (trace->processes->len, ==, 3);
  g_assert_true (process (trace, 1)->before_trace);
  g_assert_cmpint (process (trace, 2)->end_ns, ==, 40 * NS_OF_MS);
  g_assert_cmpint (process (trace, 3)->end_ns, ==, NS_TIME_OPEN);
  g_assert_cmpstr (ns_trace_get_process_name (trace, 100, -5), ==, "old.exe");
  g_assert_cmpstr (ns_trace_get_process_name (trace, 100, 10 * NS_OF_MS), ==, "old.exe");
  /* Between two processes with the same PID, the nearer one is returned. */
  g_assert_cmpstr (ns_trace_get_process_name (trace, 100, 13 * NS_OF_MS), ==, "old.exe");
  g_assert_cmpstr (ns_trace_get_process_name (trace, 100, 18 * NS_OF_MS), ==, "new.exe");
  g_assert_cmpstr (ns_trace_get_process_name (trace, 100, 20 * NS_OF_MS), ==, "new.exe");
  g_assert_cmpstr (ns_trace_get_process_name (trace, 100, 99 * NS_OF_MS), ==, "third.exe");
  g_assert_null (ns_trace_get_process_name (trace, 101, 0));
  ns_trace_unref (trace);
}

static void
test_what_is_told_twice_is_one_row (void)
{
  Fixture self;
  NsTrace *trace;

  set_up (&self);
  add_process (&self, 0, 3, 0xf00, 100, 0, "app.exe");
  add_process (&self, 1, 3, 0xf00, 100, 0, "app.exe");
  add_image (&self, 0, 0x14, 3, 100, 0x400000, 0x1000, "\\a.exe");
  add_image (&self, 1, 0x14, 3, 100, 0x400000, 0x1000, "\\a.exe");
  add_process (&self, 5, 1, 0xe00, 200, 0, "new.exe");
  add_process (&self, 5, 1, 0xe00, 200, 0, "new.exe");
  add_process (&self, 9, 4, 0xf00, 100, 0, "app.exe");
  add_process (&self, 9, 39, 0xe00, 200, 0, "new.exe");
  trace = finish (&self);
  g_assert_cmpuint (trace->processes->len, ==, 2);
  g_assert_cmpuint (trace->images->len, ==, 1);
  g_assert_true (g_array_index (trace->images, NsImageRow, 0).before_trace);
  g_assert_cmpint (process (trace, 2)->end_ns, ==, 9 * NS_OF_MS);
  ns_trace_unref (trace);
}

/* The lookup tries a limited number of images, nearest base first; an image that contains all
 * others is found only within that limit. */
static void
test_images_are_searched_so_far_only (void)
{
  guint n;

  for (n = NS_TRACE_MAX_IMAGE_STEPS - 1; n <= NS_TRACE_MAX_IMAGE_STEPS; n++)
    {
      Fixture self;
      NsTrace *trace;
      guint i;

      set_up (&self);
      add_image (&self, 1, 3, 10, 100, 0x10000000, 0x40000000, "\\x\\all.dll");
      for (i = 0; i < n; i++)
        add_image (&self, 2, 3, 10, 100, 0x20000000 + i * 0x10000, 0x1000, "\\x\\one.dll");
      trace = finish (&self);
      g_assert_cmpuint (trace->images->len, ==, n + 1);
      g_assert_cmpuint (ns_trace_find_image (trace, 100, 0x4f000000, 5 * NS_OF_MS),
                        ==,
                        n < NS_TRACE_MAX_IMAGE_STEPS ? 1 : 0);
      ns_trace_unref (trace);
    }
}

/* The buffers of the processors are in any order; the process takes the name of its earliest
 * program. */
static void
test_the_earliest_program_names_a_process (void)
{
  Fixture self;
  g_autoptr (NsTrace) trace = NULL;

  set_up (&self);
  add_image (&self, 5, 3, 10, 100, 0x500000, 0x10000, "\\x\\later.exe");
  add_image (&self, 2, 3, 10, 100, 0x400000, 0x10000, "\\x\\first.exe");
  trace = finish (&self);
  g_assert_cmpuint (trace->processes->len, ==, 1);
  g_assert_cmpstr (ns_trace_text (trace, process (trace, 1)->name), ==, "first.exe");
}

static void
test_images_are_found_by_address_and_time (void)
{
  Fixture self;
  NsTrace *trace;
  g_autofree char *frame = NULL;
  g_autofree char *nothing = NULL;

  set_up (&self);
  add_image (&self, 0, 0x14, 3, 0, 0xfffff80000000000, 0x100000, "\\SystemRoot\\ntoskrnl.exe");
  add_image (&self, 1, 3, 10, 100, 0x400000, 0x10000, "\\x\\first.dll");
  add_image (&self, 5, 0x14, 2, 100, 0x400000, 0x10000, "\\x\\first.dll");
  add_image (&self, 6, 3, 10, 100, 0x3f0000, 0x20000, "\\x\\second.dll");
  trace = finish (&self);
  g_assert_cmpuint (trace->images->len, ==, 3);
  g_assert_cmpuint (ns_trace_find_image (trace, 100, 0x400010, 2 * NS_OF_MS), ==, 2);
  g_assert_cmpuint (ns_trace_find_image (trace, 100, 0x400010, 7 * NS_OF_MS), ==, 3);
  g_assert_cmpuint (ns_trace_find_image (trace, 100, 0x400000 + 0x10000, 7 * NS_OF_MS), ==, 0);
  g_assert_cmpuint (ns_trace_find_image (trace, 200, 0x400010, 2 * NS_OF_MS), ==, 0);
  g_assert_cmpuint (ns_trace_find_image (trace, 200, 0xfffff80000000010, 2 * NS_OF_MS), ==, 1);
  frame = ns_trace_frame_to_text (trace, 100, 0x4012f0, 2 * NS_OF_MS);
  g_assert_cmpstr (frame, ==, "first.dll+0x12f0");
  nothing = ns_trace_frame_to_text (trace, 100, 0x7ff8abcd, 2 * NS_OF_MS);
  g_assert_cmpstr (nothing, ==, "0x7ff8abcd");
  ns_trace_unref (trace);
}

static void
test_the_merge_names_the_pdb_and_the_drive (void)
{
  static const NsGuid image_id =
      NS_GUID_INIT (0xb3e675d7, 0x2554, 0x4f18, 0x83, 0x0b, 0x27, 0x62, 0x73, 0x25, 0x60, 0xde);
  static const NsGuid config_ex =
      NS_GUID_INIT (0x9b79ee91, 0xb5fd, 0x41c0, 0xa2, 0x43, 0x42, 0x48, 0xe2, 0x66, 0xe9, 0xd0);
  g_autoptr (GByteArray) payload = g_byte_array_new ();
  g_autoptr (GByteArray) volume = g_byte_array_new ();
  NsEtlWriterFull record = { .guid = image_id, .opcode = 36, .version = 2, .payload = payload };
  NsEtlWriterFull drive = { .guid = config_ex, .opcode = 35, .payload = volume };
  const NsImageRow *image;
  Fixture self;
  NsTrace *trace;

  set_up (&self);
  add_image (&self, 1, 3, 10, 100, 0x400000, 0x10000, "\\Device\\HarddiskVolume3\\x\\a.dll");
  ns_etl_bytes_u64 (payload, 0x400000);
  ns_etl_bytes_u32 (payload, 100);
  ns_etl_bytes_guid (payload, &image_id);
  ns_etl_bytes_u32 (payload, 7);
  ns_etl_bytes_astr (payload, "a.pdb");
  record.raw = self.base + 1 * MS;
  g_assert_true (ns_etl_writer_add_full (self.writer, &record));
  ns_etl_bytes_wstr (volume, "\\Device\\HarddiskVolume3");
  ns_etl_bytes_wstr (volume, "C:");
  drive.raw = self.base + 2 * MS;
  g_assert_true (ns_etl_writer_add_full (self.writer, &drive));
  trace = finish (&self);
  image = &g_array_index (trace->images, NsImageRow, 0);
  g_assert_cmpstr (ns_trace_text (trace, image->path), ==, "C:\\x\\a.dll");
  g_assert_cmpstr (ns_trace_text (trace, image->name), ==, "a.dll");
  g_assert_cmpstr (ns_trace_text (trace, image->pdb), ==, "a.pdb");
  g_assert_cmpuint (image->age, ==, 7);
  g_assert_true (image->has_guid);
  g_assert_true (ns_guid_equal (&image->guid, &image_id));
  ns_trace_unref (trace);
}

static void
add_identity (Fixture *self,
              guint ms,
              guint32 pid,
              guint64 base,
              const NsGuid *guid,
              const char *pdb)
{
  static const NsGuid image_id =
      NS_GUID_INIT (0xb3e675d7, 0x2554, 0x4f18, 0x83, 0x0b, 0x27, 0x62, 0x73, 0x25, 0x60, 0xde);
  g_autoptr (GByteArray) payload = g_byte_array_new ();
  NsEtlWriterFull record = { .raw = self->base + ms * MS,
                             .guid = image_id,
                             .opcode = 36,
                             .version = 2,
                             .payload = payload };

  ns_etl_bytes_u64 (payload, base);
  ns_etl_bytes_u32 (payload, pid);
  ns_etl_bytes_guid (payload, guid);
  ns_etl_bytes_u32 (payload, 1);
  ns_etl_bytes_astr (payload, pdb);
  g_assert_true (ns_etl_writer_add_full (self->writer, &record));
}

static void
assert_identity (const NsTrace *trace,
                 guint32 pid,
                 guint64 address,
                 guint ms,
                 const NsGuid *guid,
                 const char *pdb)
{
  NsRow row = ns_trace_find_image (trace, pid, address, (gint64) ms * NS_OF_MS);
  const NsImageRow *image = &g_array_index (trace->images, NsImageRow, row - 1);

  g_assert_cmpuint (row, !=, 0);
  g_assert_cmpstr (ns_trace_text (trace, image->pdb), ==, pdb);
  g_assert_true (ns_guid_equal (&image->guid, guid));
}

/* A 32-bit process loads two images of one name, a driver is replaced by another one at the same
 * address, and merged files may have the debug ID before the image. */
static void
test_each_module_has_its_own_identity (void)
{
  const NsGuid guids[] = {
    NS_GUID_INIT (1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0),
    NS_GUID_INIT (2, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0),
    NS_GUID_INIT (3, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0),
    NS_GUID_INIT (4, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0),
  };
  const guint64 driver = 0xfffff80100000000;
  Fixture self;
  NsTrace *trace;

  set_up (&self);
  add_identity (&self, 1, 100, 0x77000000, &guids[0], "wntdll.pdb");
  add_image (&self, 2, 0x14, 10, 100, 0x77000000, 0x10000, "\\Windows\\SysWOW64\\ntdll.dll");
  add_image (&self, 2, 0x14, 10, 100, 0x7ff800000000, 0x10000, "\\Windows\\System32\\ntdll.dll");
  add_identity (&self, 3, 100, 0x7ff800000000, &guids[1], "ntdll.pdb");
  add_image (&self, 3, 0x14, 10, 4, driver, 0x10000, "\\SystemRoot\\first.sys");
  add_identity (&self, 4, 4, driver, &guids[2], "first.pdb");
  add_image (&self, 6, 0x14, 2, 4, driver, 0x10000, "\\SystemRoot\\first.sys");
  add_image (&self, 8, 0x14, 10, 4, driver, 0x10000, "\\SystemRoot\\second.sys");
  add_identity (&self, 9, 0, driver, &guids[3], "second.pdb");
  trace = finish (&self);
  assert_identity (trace, 100, 0x77000010, 5, &guids[0], "wntdll.pdb");
  assert_identity (trace, 100, 0x7ff800000010, 5, &guids[1], "ntdll.pdb");
  /* Kernel images are visible in every process. */
  assert_identity (trace, 100, driver + 0x10, 5, &guids[2], "first.pdb");
  assert_identity (trace, 200, driver + 0x10, 9, &guids[3], "second.pdb");
  ns_trace_unref (trace);
}

static void
test_the_manifest_provider_will_do (void)
{
  g_autoptr (GByteArray) payload = g_byte_array_new ();
  NsEtlWriterEvent event = { .guid = kernel_process, .id = 1, .payload = payload, .pid = 50 };
  Fixture self;
  NsTrace *trace;

  set_up (&self);
  ns_etl_bytes_u32 (payload, 100);
  ns_etl_bytes_u64 (payload, 0);
  ns_etl_bytes_u32 (payload, 50);
  ns_etl_bytes_u32 (payload, 2);
  ns_etl_bytes_wstr (payload, "\\Device\\HarddiskVolume3\\x\\app.exe");
  event.raw = self.base + 1 * MS;
  g_assert_true (ns_etl_writer_add_event (self.writer, &event));
  trace = finish (&self);
  g_assert_cmpuint (trace->processes->len, ==, 1);
  g_assert_cmpstr (ns_trace_get_process_name (trace, 100, 2 * NS_OF_MS), ==, "app.exe");
  g_assert_cmpuint (process (trace, 1)->parent_pid, ==, 50);
  g_assert_cmpuint (process (trace, 1)->session_id, ==, 2);
  ns_trace_unref (trace);
}

static void
test_every_payload_may_be_cut_off (void)
{
  static const guint8 bytes[96] = { 0 };
  guint size;

  for (size = 0; size < sizeof bytes; size += 3)
    {
      Fixture self;
      guint version;

      set_up (&self);
      for (version = 0; version <= 5; version++)
        {
          g_autoptr (GByteArray) payload = g_byte_array_new ();
          static const guint8 kinds[][2] = {
            { 3, 1 },     { 3, 39 },    { 3, 10 },    { 5, 1 },     { 5, 72 },    { 0x14, 3 },
            { 0x18, 32 }, { 0x18, 34 }, { 0x18, 37 }, { 0x1c, 32 }, { 0x1c, 36 }, { 0x1c, 48 }
          };
          guint i;

          ns_etl_bytes_data (payload, bytes, size);
          for (i = 0; i < G_N_ELEMENTS (kinds); i++)
            add (&self, 1, kinds[i][0], kinds[i][1], version, payload);
        }
      ns_trace_unref (finish (&self));
    }
}

/* Opens a real trace if the folder of real traces is available. */
static NsTrace *
open_real (const char *name)
{
  const char *folder = g_getenv ("NETSTITCH_TEST_TRACES");
  g_autofree char *path = folder != NULL ? g_build_filename (folder, name, NULL) : NULL;
  g_autoptr (GError) error = NULL;
  NsTrace *trace;

  if (path == NULL || !g_file_test (path, G_FILE_TEST_EXISTS))
    {
      g_test_skip ("no such trace here");
      return NULL;
    }
  trace = ns_trace_open (path, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  return trace;
}

/* Counts from independent readers of these files. */
static void
test_real_traces_agree (void)
{
  static const struct
  {
    const char *name;
    guint n_processes;
    guint n_threads;
    guint n_images;
    guint n_stacks;
  } files[] = {
    { "net.4.5.2.x64.etl", 35, 671, 1798, 8401 },
    { "net.4.5.2.x86.etl", 38, 713, 1867, 10736 },
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (files); i++)
    {
      NsTrace *trace = open_real (files[i].name);

      if (trace == NULL)
        return;
      g_assert_cmpuint (trace->processes->len, ==, files[i].n_processes);
      g_assert_cmpuint (trace->threads->len, ==, files[i].n_threads);
      g_assert_cmpuint (trace->images->len, ==, files[i].n_images);
      g_assert_cmpuint (trace->n_stacks_attached, ==, files[i].n_stacks);
      ns_trace_unref (trace);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/kernel/a-process-is-read-whole", test_a_process_is_read_whole);
  g_test_add_func ("/kernel/an-id-used-again-is-another-process",
                   test_an_id_used_again_is_another_process);
  g_test_add_func ("/kernel/what-is-told-twice-is-one-row", test_what_is_told_twice_is_one_row);
  g_test_add_func ("/kernel/the-earliest-program-names-a-process",
                   test_the_earliest_program_names_a_process);
  g_test_add_func ("/kernel/images-are-searched-so-far-only", test_images_are_searched_so_far_only);
  g_test_add_func ("/kernel/images-are-found-by-address-and-time",
                   test_images_are_found_by_address_and_time);
  g_test_add_func ("/kernel/the-merge-names-the-pdb-and-the-drive",
                   test_the_merge_names_the_pdb_and_the_drive);
  g_test_add_func ("/kernel/each-module-has-its-own-identity",
                   test_each_module_has_its_own_identity);
  g_test_add_func ("/kernel/the-manifest-provider-will-do", test_the_manifest_provider_will_do);
  g_test_add_func ("/kernel/every-payload-may-be-cut-off", test_every_payload_may_be_cut_off);
  g_test_add_func ("/kernel/real-traces-agree", test_real_traces_agree);
  return g_test_run ();
}
