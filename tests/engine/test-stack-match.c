/* Tests the assignment of stacks to events.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/build/ns-builder.h"
#include "engine/open/ns-parts.h"
#include "engine/trace/ns-event-index.h"
#include "stitch-fixture.h"

#include <glib/gstdio.h>

#define KERNEL 0xfffff80000001000
#define USER 0x7ff600001000
#define MS STITCH_MS

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
add_group (Fixture *self,
           guint cpu,
           guint64 raw,
           NsRecordKind kind,
           guint group,
           guint opcode,
           guint32 tid)
{
  g_autoptr (GByteArray) payload = g_byte_array_new ();
  NsEtlWriterGroup record = { .cpu = cpu,
                              .raw = self->base + raw,
                              .kind = kind,
                              .group = (guint8) group,
                              .opcode = (guint8) opcode,
                              .version = 2,
                              .pid = STITCH_PID,
                              .tid = tid,
                              .payload = payload };

  ns_etl_bytes_zero (payload, 40);
  g_assert_true (ns_etl_writer_add_group (self->writer, &record));
}

/* Writes a stack record: time stamp, process and thread, unless the record defines a key; then
 * addresses up to a 0. */
static void
add_walk (Fixture *self,
          guint cpu,
          guint64 raw,
          guint opcode,
          guint64 stamp,
          guint32 tid,
          const guint64 *words)
{
  g_autoptr (GByteArray) payload = g_byte_array_new ();
  NsEtlWriterGroup record = { .cpu = cpu,
                              .raw = self->base + raw,
                              .kind = NS_RECORD_PERFINFO64,
                              .group = 0x18,
                              .opcode = (guint8) opcode,
                              .version = 2,
                              .payload = payload };
  guint i;

  if (opcode == 32 || opcode == 37 || opcode == 38)
    {
      ns_etl_bytes_u64 (payload, self->base + stamp);
      ns_etl_bytes_u32 (payload, STITCH_PID);
      ns_etl_bytes_u32 (payload, tid);
    }
  for (i = 0; words[i] != 0; i++)
    ns_etl_bytes_u64 (payload, words[i]);
  g_assert_true (ns_etl_writer_add_group (self->writer, &record));
}

static guint
event_at (const NsTrace *trace, guint64 raw, guint32 nth)
{
  guint i;

  for (i = 0; i < trace->events->len; i++)
    if (ns_trace_get_event_time (trace, i) == (gint64) raw * 100 && nth-- == 0)
      return i;
  g_assert_not_reached ();
}

static void
assert_stack (const NsTrace *trace, guint64 raw, guint nth, const guint64 *frames)
{
  guint event = event_at (trace, raw, nth);
  guint n_frames;
  const guint64 *got =
      ns_stacks_get (trace->stacks, ns_trace_get_event (trace, event)->stack, &n_frames);
  guint i;

  for (i = 0; frames[i] != 0; i++)
    {
      g_assert_cmpuint (i, <, n_frames);
      g_assert_cmphex (got[i], ==, frames[i]);
    }
  g_assert_cmpuint (n_frames, ==, i);
}

static const guint64 no_stack[] = { 0 };
static const guint64 user1[] = { USER, USER + 1, 0 };
static const guint64 user2[] = { USER + 8, USER + 9, 0 };
static const guint64 kernel1[] = { KERNEL, KERNEL + 1, 0 };
static const guint64 whole1[] = { KERNEL, KERNEL + 1, USER, USER + 1, 0 };

static void
test_exact_time_and_thread (void)
{
  Fixture self;
  NsTrace *trace;

  set_up (&self);
  add_group (&self, 0, 1 * MS, NS_RECORD_SYSTEM64, 0x1c, 32, 2);
  add_walk (&self, 0, 1 * MS + 5, 32, 1 * MS, 2, user1);
  add_group (&self, 0, 2 * MS, NS_RECORD_SYSTEM64, 0x1c, 32, 2);
  add_walk (&self, 0, 2 * MS + 5, 32, 2 * MS, 3, user1);
  add_walk (&self, 0, 2 * MS + 6, 32, 2 * MS + 1, 2, user1);
  trace = finish (&self);
  assert_stack (trace, 1 * MS, 0, user1);
  assert_stack (trace, 2 * MS, 0, no_stack);
  g_assert_cmpuint (trace->n_stacks_attached, ==, 1);
  ns_trace_unref (trace);
}

static void
test_parts_are_joined (void)
{
  static const guint64 kernel2[] = { KERNEL + 8, 0 };
  static const guint64 whole2[] = { KERNEL + 8, USER, USER + 1, 0 };
  Fixture self;
  NsTrace *trace;

  set_up (&self);
  /* Kernel and user part in one record; two kernel parts that are completed by the thread's next
   * user part. */
  add_group (&self, 0, 1 * MS, NS_RECORD_SYSTEM64, 5, 1, 2);
  add_walk (&self, 0, 1 * MS + 5, 32, 1 * MS, 2, user1);
  add_walk (&self, 1, 1 * MS + 3, 32, 1 * MS, 2, kernel1);
  add_group (&self, 0, 2 * MS, NS_RECORD_SYSTEM64, 5, 1, 3);
  add_walk (&self, 0, 2 * MS + 1, 32, 2 * MS, 3, kernel1);
  add_group (&self, 0, 3 * MS, NS_RECORD_SYSTEM64, 5, 1, 3);
  add_walk (&self, 0, 3 * MS + 1, 32, 3 * MS, 3, kernel2);
  add_walk (&self, 0, 4 * MS, 32, 3 * MS, 3, user1);
  /* No user part follows on this thread. */
  add_group (&self, 0, 5 * MS, NS_RECORD_SYSTEM64, 5, 1, 4);
  add_walk (&self, 0, 5 * MS + 1, 32, 5 * MS, 4, kernel1);
  trace = finish (&self);
  assert_stack (trace, 1 * MS, 0, whole1);
  assert_stack (trace, 2 * MS, 0, whole1);
  assert_stack (trace, 3 * MS, 0, whole2);
  assert_stack (trace, 5 * MS, 0, kernel1);
  g_assert_cmpuint (trace->n_stacks_attached, ==, 4);
  ns_trace_unref (trace);
}

static void
test_a_key_means_its_next_definition (void)
{
  static const guint64 key[] = { 0x10, 0 };
  static const guint64 user_frames[] = { 0x10, USER, USER + 1, 0 };
  static const guint64 other_frames[] = { 0x10, USER + 8, USER + 9, 0 };
  static const guint64 kernel_frames[] = { 0x10, KERNEL, KERNEL + 1, 0 };
  Fixture self;
  NsTrace *trace;

  set_up (&self);
  /* Defined before its use, so not this one; and the same key among the kernel keys. */
  add_walk (&self, 0, MS / 2, 35, 0, 0, other_frames);
  add_group (&self, 0, 1 * MS, NS_RECORD_SYSTEM64, 5, 1, 2);
  add_walk (&self, 0, 1 * MS + 1, 37, 1 * MS, 2, key);
  add_walk (&self, 1, 1 * MS + 2, 38, 1 * MS, 2, key);
  add_walk (&self, 2, 2 * MS, 35, 0, 0, user_frames);
  add_walk (&self, 2, 2 * MS + 1, 36, 0, 0, kernel_frames);
  /* The key is reused for other frames. */
  add_group (&self, 0, 3 * MS, NS_RECORD_SYSTEM64, 5, 1, 2);
  add_walk (&self, 0, 3 * MS + 1, 38, 3 * MS, 2, key);
  add_walk (&self, 1, 4 * MS, 34, 0, 0, other_frames);
  /* The key is never defined. */
  add_group (&self, 0, 5 * MS, NS_RECORD_SYSTEM64, 5, 1, 2);
  add_walk (&self, 0, 5 * MS + 1, 38, 5 * MS, 2, key);
  trace = finish (&self);
  assert_stack (trace, 1 * MS, 0, whole1);
  assert_stack (trace, 3 * MS, 0, user2);
  assert_stack (trace, 5 * MS, 0, no_stack);
  ns_trace_unref (trace);
}

/* Maximum number of records with one time that wait for a stack (ns-stack-match-private.h). */
#define MAX_WAITING 1024

/* Only the last of them has the processor of the stack. */
static void
test_so_many_records_wait_only (void)
{
  guint n;

  for (n = MAX_WAITING; n <= MAX_WAITING + 1; n++)
    {
      Fixture self;
      NsTrace *trace;
      guint i;

      set_up (&self);
      for (i = 1; i < n; i++)
        add_group (&self, 0, 2 * MS, NS_RECORD_PERFINFO64, 15, 46, 0);
      add_group (&self, 1, 2 * MS, NS_RECORD_PERFINFO64, 15, 46, 0);
      add_walk (&self, 1, 2 * MS + 1, 32, 2 * MS, 9, user1);
      trace = finish (&self);
      assert_stack (trace, 2 * MS, n - 1, n <= MAX_WAITING ? user1 : no_stack);
      ns_trace_unref (trace);
    }
}

static void
test_records_without_a_thread_take_what_is_left (void)
{
  Fixture self;
  NsTrace *trace;

  set_up (&self);
  /* One of the records with this time has the thread. */
  add_group (&self, 0, 1 * MS, NS_RECORD_PERFINFO64, 15, 46, 0);
  add_group (&self, 1, 1 * MS, NS_RECORD_SYSTEM64, 5, 1, 2);
  add_walk (&self, 1, 1 * MS + 1, 32, 1 * MS, 2, user1);
  /* Neither has a thread: the processor decides. */
  add_group (&self, 0, 2 * MS, NS_RECORD_PERFINFO64, 15, 46, 0);
  add_group (&self, 1, 2 * MS, NS_RECORD_PERFINFO64, 15, 46, 0);
  add_walk (&self, 1, 2 * MS + 1, 32, 2 * MS, 9, user1);
  /* A single record. */
  add_group (&self, 0, 3 * MS, NS_RECORD_PERFINFO64, 15, 46, 0);
  add_walk (&self, 2, 3 * MS + 1, 32, 3 * MS, 7, user2);
  trace = finish (&self);
  assert_stack (trace, 1 * MS, 0, no_stack);
  assert_stack (trace, 1 * MS, 1, user1);
  assert_stack (trace, 2 * MS, 0, no_stack);
  assert_stack (trace, 2 * MS, 1, user1);
  assert_stack (trace, 3 * MS, 0, user2);
  g_assert_cmpuint (trace->n_stacks_attached, ==, 3);
  ns_trace_unref (trace);
}

static void
test_merged_records_own_no_stack (void)
{
  static const NsGuid image_id =
      NS_GUID_INIT (0xb3e675d7, 0x2554, 0x4f18, 0x83, 0x0b, 0x27, 0x62, 0x73, 0x25, 0x60, 0xde);
  static const NsGuid pool =
      NS_GUID_INIT (0xc861d0e2, 0xa2c1, 0x4d36, 0x9f, 0x9c, 0x97, 0x0b, 0xab, 0x94, 0x3a, 0x12);
  g_autoptr (GByteArray) payload = g_byte_array_new ();
  NsEtlWriterFull record = { .guid = image_id,
                             .opcode = 40,
                             .version = 1,
                             .pid = STITCH_PID,
                             .tid = 2,
                             .payload = payload };
  Fixture self;
  NsTrace *trace;

  set_up (&self);
  ns_etl_bytes_zero (payload, 40);
  record.raw = self.base + 1 * MS;
  g_assert_true (ns_etl_writer_add_full (self.writer, &record));
  add_walk (&self, 0, 1 * MS + 1, 32, 1 * MS, 2, user1);
  record.raw = self.base + 2 * MS;
  record.guid = pool;
  record.opcode = 32;
  g_assert_true (ns_etl_writer_add_full (self.writer, &record));
  add_walk (&self, 0, 2 * MS + 1, 32, 2 * MS, 2, user1);
  trace = finish (&self);
  assert_stack (trace, 1 * MS, 0, no_stack);
  assert_stack (trace, 2 * MS, 0, user1);
  ns_trace_unref (trace);
}

static void
add_event (Fixture *self, guint64 raw, const NsEtlWriterEvent *like)
{
  NsEtlWriterEvent event = *like;

  event.raw = self->base + raw;
  event.pid = STITCH_PID;
  if (event.tid == 0)
    event.tid = 2;
  if (event.id == 0)
    event.guid.bytes[0] = 1;
  g_assert_true (ns_etl_writer_add_event (self->writer, &event));
}

static void
test_items_of_events (void)
{
  Fixture self;
  NsTrace *trace;

  set_up (&self);
  /* The address width is that of the extended data item, not of the event header. */
  add_event (&self, 1 * MS, &(NsEtlWriterEvent){ .stack = user1, .n_stack = 2, .is_32bit = TRUE });
  add_event (&self, 2 * MS, &(NsEtlWriterEvent){ .n_stack = 0 });
  trace = finish (&self);
  assert_stack (trace, 1 * MS, 0, user1);
  assert_stack (trace, 2 * MS, 0, no_stack);
  g_assert_cmpuint (trace->n_stacks_attached, ==, 1);
  ns_trace_unref (trace);
}

static void
test_items_with_a_match_id (void)
{
  static const NsGuid event_tracing =
      NS_GUID_INIT (0xb675ec37, 0xbdb6, 0x4648, 0xbc, 0x92, 0xf3, 0xfd, 0xc7, 0x4d, 0x3c, 0xa2);
  NsEtlWriterEvent carrier = { .guid = event_tracing,
                               .id = 18,
                               .opcode = 24,
                               .stack = user1,
                               .n_stack = 2 };
  Fixture self;
  NsTrace *trace;

  set_up (&self);
  add_event (&self,
             1 * MS,
             &(NsEtlWriterEvent){ .stack = kernel1, .n_stack = 2, .stack_match_id = 7 });
  add_event (&self,
             2 * MS,
             &(NsEtlWriterEvent){ .stack = kernel1, .n_stack = 2, .stack_match_id = 8 });
  carrier.stack_match_id = 7;
  add_event (&self, 3 * MS, &carrier);
  /* On another thread: its kernel part is completed by a user part without a match ID. */
  add_event (&self,
             4 * MS,
             &(NsEtlWriterEvent){ .stack = kernel1, .n_stack = 2, .stack_match_id = 9, .tid = 3 });
  carrier.stack_match_id = 0;
  carrier.tid = 3;
  add_event (&self, 5 * MS, &carrier);
  trace = finish (&self);
  assert_stack (trace, 1 * MS, 0, whole1);
  assert_stack (trace, 2 * MS, 0, kernel1);
  assert_stack (trace, 4 * MS, 0, whole1);
  ns_trace_unref (trace);
}

static void
test_items_with_a_key (void)
{
  static const guint64 user_frames[] = { 0x20, USER, USER + 1, 0 };
  static const guint64 kernel_frames[] = { 0x30, KERNEL, KERNEL + 1, 0 };
  Fixture self;
  NsTrace *trace;

  set_up (&self);
  add_event (&self, 1 * MS, &(NsEtlWriterEvent){ .stack_key = 0x20 });
  add_event (&self, 2 * MS, &(NsEtlWriterEvent){ .stack_key = 0x30 });
  add_event (&self, 3 * MS, &(NsEtlWriterEvent){ .stack_key = 0x40 });
  add_walk (&self, 1, 4 * MS, 36, 0, 0, user_frames);
  add_walk (&self, 1, 4 * MS + 1, 36, 0, 0, kernel_frames);
  trace = finish (&self);
  assert_stack (trace, 1 * MS, 0, user1);
  assert_stack (trace, 2 * MS, 0, kernel1);
  assert_stack (trace, 3 * MS, 0, no_stack);
  ns_trace_unref (trace);
}

#define N_KERNEL_PARTS 3000

/* Many short kernel parts share one long user part. Each becomes a complete stack, though the user
 * part is in the file once. */
static NsTrace *
share_user_part (guint64 least_stack_bytes)
{
  guint64 user[600];
  NsTrace *trace;
  Fixture self;
  guint i;

  set_up (&self);
  for (i = 0; i < N_KERNEL_PARTS; i++)
    {
      const guint64 kernel[] = { KERNEL + i, 0 };

      add_group (&self, 0, 10 * i, NS_RECORD_SYSTEM64, 5, 1, 2);
      add_walk (&self, 0, 10 * i + 5, 32, 10 * i, 2, kernel);
    }
  for (i = 0; i + 1 < G_N_ELEMENTS (user); i++)
    user[i] = USER + i;
  user[i] = 0;
  add_walk (&self, 0, 10 * N_KERNEL_PARTS, 32, 10 * (N_KERNEL_PARTS - 1), 2, user);
  trace = stitch_trace_from_writer_within (self.writer, least_stack_bytes);
  ns_etl_writer_free (self.writer);
  return trace;
}

static guint
count_stacks (const NsTrace *trace)
{
  guint n = 0;
  guint i;

  for (i = 0; i < trace->events->len; i++)
    n += ns_trace_get_event (trace, i)->stack != 0;
  return n;
}

static void
test_stacks_are_bounded_by_their_trace (void)
{
  NsTrace *trace = share_user_part (0);

  g_assert_cmpuint (count_stacks (trace), ==, N_KERNEL_PARTS);
  g_assert_cmpuint (ns_etl_file_get_report (trace->file)->damage->len, ==, 0);
  ns_trace_unref (trace);

  trace = share_user_part (1 << 20);
  g_assert_cmpuint (count_stacks (trace), >, 0);
  g_assert_cmpuint (count_stacks (trace), <, N_KERNEL_PARTS);
  g_assert_cmpuint (ns_stacks_get_bytes (trace->stacks),
                    <,
                    NS_STACKS_PER_BYTE * ns_etl_file_get_size (trace->file) + (1 << 20));
  g_assert_cmpuint (ns_etl_file_get_report (trace->file)->damage->len, ==, 1);
  ns_trace_unref (trace);
}

/* Maximum number of leaf frames in which the LDAP library is searched (ns-activities-winsock.c). */
#define MAX_LDAP_FRAMES 64
#define LDAP_BASE 0x7ff800000000

/* A socket to an unknown port, opened by a stack whose outermost frame is in the LDAP library. */
static void
test_a_library_is_searched_for_in_so_many_frames_only (void)
{
  guint n;

  for (n = MAX_LDAP_FRAMES; n <= MAX_LDAP_FRAMES + 1; n++)
    {
      g_autoptr (NsEtlWriter) writer = ns_etl_writer_new (NULL);
      g_autoptr (GByteArray) payload = g_byte_array_new ();
      guint64 stack[MAX_LDAP_FRAMES + 1];
      NsEtlWriterEvent event = { .raw = ns_etl_writer_get_base_raw (writer) + 10 * STITCH_MS,
                                 .id = 1000,
                                 .pid = STITCH_PID,
                                 .tid = 2,
                                 .stack = stack,
                                 .n_stack = n,
                                 .payload = payload };
      NsTrace *trace;
      guint i;

      stitch_image_write (writer,
                          STITCH_PID,
                          LDAP_BASE,
                          0x10000,
                          "\\Windows\\System32\\Wldap32.dll");
      for (i = 0; i < n; i++)
        stack[i] = i + 1 < n ? 0x1000 + i : LDAP_BASE + 0x100;
      ns_guid_from_text (&event.guid, "e53c6823-7bb8-44bb-90dc-3f86090d48a6");
      ns_etl_bytes_u32 (payload, 0);
      ns_etl_bytes_u32 (payload, 1002);
      ns_etl_bytes_u64 (payload, 0xbb00);
      ns_etl_bytes_u64 (payload, 0xcc00);
      ns_etl_bytes_u32 (payload, 2);
      ns_etl_bytes_u32 (payload, 1);
      ns_etl_bytes_u32 (payload, 6);
      ns_etl_bytes_u64 (payload, STITCH_PID);
      ns_etl_bytes_u32 (payload, 0);
      g_assert_true (ns_etl_writer_add_event (writer, &event));
      g_byte_array_set_size (payload, 0);
      event.id = 1018;
      event.n_stack = 0;
      event.raw += 10;
      ns_etl_bytes_u32 (payload, 0);
      ns_etl_bytes_u32 (payload, 5023);
      ns_etl_bytes_u64 (payload, 0xbb00);
      ns_etl_bytes_u64 (payload, 0xcc00);
      ns_etl_bytes_zero (payload, 16);
      ns_etl_bytes_u32 (payload, 16);
      ns_etl_bytes_sockaddr_text (payload, "198.51.100.1:40389");
      g_assert_true (ns_etl_writer_add_event (writer, &event));
      trace = stitch_trace_from_writer (writer);
      g_assert_cmpuint (trace->activities->len, ==, 1);
      g_assert_cmpstr (ns_trace_text (trace,
                                      g_array_index (trace->activities, NsActivityRow, 0).method),
                       ==,
                       n == MAX_LDAP_FRAMES ? "LDAP" : "TCP");
      ns_trace_unref (trace);
    }
}

/* Events 1 and 3 have stacks in extended data items, 2 and 4 in separate records; each input has
 * the stacks of two events. */
static char *
write_input (const char *folder, guint input, guint64 shift, gboolean has_first)
{
  const NsEtlWriterOptions options = { .n_processors = 4,
                                       .start_filetime = 133000000000000000,
                                       .boot_filetime = 133000000000000000,
                                       .session = input == 0 ? "first" : "second" };
  g_autofree char *name = g_strdup_printf ("%u.etl", input);
  char *path = g_build_filename (folder, name, NULL);
  Fixture self = { .writer = ns_etl_writer_new (&options) };
  guint i;

  self.base = ns_etl_writer_get_base_raw (self.writer);
  for (i = 1; i <= 4; i++)
    {
      guint64 raw = i * 5 * MS + shift;
      gboolean has_stack = has_first == (i <= 2);

      if (i % 2 != 0)
        {
          const NsEtlWriterEvent event = { .raw = self.base + raw,
                                           .guid = NS_GUID_INIT (1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2),
                                           .id = (guint16) i,
                                           .pid = STITCH_PID,
                                           .tid = 2,
                                           .stack = has_stack ? user1 : NULL,
                                           .n_stack = has_stack ? 2 : 0 };

          g_assert_true (ns_etl_writer_add_event (self.writer, &event));
          continue;
        }
      add_group (&self, 0, raw, NS_RECORD_SYSTEM64, 0x1c, 32, i);
      if (has_stack)
        {
          add_walk (&self, 0, raw + 5, 32, raw, i, kernel1);
          /* Logged when the thread leaves the kernel, which may be late. */
          add_walk (&self, 0, raw + 2 * MS, 32, raw, i, user1);
        }
    }
  g_assert_true (ns_etl_writer_finish_to_file (self.writer, path, NULL));
  ns_etl_writer_free (self.writer);
  return path;
}

static void
assert_stacks_of_both (guint64 shift, gboolean has_first)
{
  static const NsTraceOptions options = { .want_events = TRUE };
  g_autofree char *folder = g_dir_make_tmp ("netstitch-stacks-XXXXXX", NULL);
  g_autofree char *one = write_input (folder, 0, 0, has_first);
  g_autofree char *two = write_input (folder, 1, shift, !has_first);
  const char *const paths[] = { one, two, NULL };
  g_autoptr (GError) error = NULL;
  NsEtlFile *file = ns_etl_file_open_case (paths, NULL, NS_ETL_CASE_PLAIN, &error);
  NsTrace *trace;
  guint i;

  g_assert_no_error (error);
  trace = ns_trace_build (file, ns_schemas_new (NULL), &options, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (ns_etl_file_get_n_duplicates (file), ==, 4);
  for (i = 1; i <= 4; i++)
    assert_stack (trace,
                  i * 5 * MS + (has_first == (i <= 2) ? 0 : shift),
                  0,
                  i % 2 != 0 ? user1 : whole1);
  ns_trace_unref (trace);
  g_unlink (one);
  g_unlink (two);
  g_rmdir (folder);
}

/* If two sessions recorded an event, the record with the stack is kept. */
static void
test_events_of_two_sessions (void)
{
  assert_stacks_of_both (7, TRUE);
  assert_stacks_of_both (7, FALSE);
  assert_stacks_of_both (3000, TRUE);
  assert_stacks_of_both (3000, FALSE);
}

/* Starts one of the two files of a merged trace. */
static void
begin_half (Fixture *self, guint number, NsClock clock)
{
  const NsEtlWriterOptions options = { .n_processors = 4,
                                       .start_filetime = 133000000000000000,
                                       .boot_filetime = 133000000000000000,
                                       .clock = clock,
                                       .session = number == 0 ? "kernel" : "user" };

  self->writer = ns_etl_writer_new (&options);
  self->base = ns_etl_writer_get_base_raw (self->writer);
}

static NsTrace *
open_halves (Fixture *halves)
{
  static const NsTraceOptions options = { .want_events = TRUE };
  g_autofree char *folder = g_dir_make_tmp ("netstitch-stacks-XXXXXX", NULL);
  g_autofree char *kernel = g_build_filename (folder, "x.kernel.etl", NULL);
  g_autofree char *user = g_build_filename (folder, "x.etl", NULL);
  const char *const paths[] = { kernel, user, NULL };
  g_autoptr (GError) error = NULL;
  NsTrace *trace;
  guint i;

  for (i = 0; i < 2; i++)
    {
      g_assert_true (ns_etl_writer_finish_to_file (halves[i].writer, paths[i], NULL));
      ns_etl_writer_free (halves[i].writer);
    }
  trace = ns_trace_build (ns_etl_file_open_case (paths, NULL, NS_ETL_CASE_PLAIN, &error),
                          ns_schemas_new (NULL),
                          &options,
                          NULL,
                          NULL,
                          &error);
  g_assert_no_error (error);
  g_assert_cmpuint (ns_etl_file_get_n_inputs (trace->file), ==, 2);
  g_unlink (kernel);
  g_unlink (user);
  g_rmdir (folder);
  return trace;
}

/* Returns the report about stacks without an event in file @input, or NULL. */
static const char *
find_told (const NsTrace *trace, guint input)
{
  const NsEtlReport *report = ns_etl_file_get_report (trace->file);
  guint i;

  for (i = 0; i < report->damage->len; i++)
    {
      const NsEtlDamage *damage = g_ptr_array_index (report->damage, i);

      guint64 offset = damage->offset;

      if (strstr (damage->what, "without an event") == NULL)
        continue;
      g_assert_cmpuint (ns_etl_file_find_input_of_byte (trace->file, &offset), ==, input);
      return damage->what;
    }
  return NULL;
}

/* Opens a kernel file with an event and its stack and with the stacks of two events of the other
 * file, one of which has no thread. */
static NsTrace *
open_pair (NsClock kernel)
{
  Fixture halves[2];
  guint i;

  for (i = 0; i < 2; i++)
    begin_half (&halves[i], i, i == 0 ? kernel : NS_CLOCK_QPC);
  add_group (&halves[0], 0, MS, NS_RECORD_SYSTEM64, 0x1c, 32, 1);
  add_walk (&halves[0], 0, MS + 5, 32, MS, 1, whole1);
  add_group (&halves[1], 0, 5 * MS, NS_RECORD_SYSTEM64, 0x1c, 32, 2);
  add_walk (&halves[0], 0, 5 * MS + 5, 32, 5 * MS, 2, user1);
  add_group (&halves[1], 1, 9 * MS, NS_RECORD_PERFINFO64, 0x1c, 32, 0);
  add_walk (&halves[0], 1, 9 * MS + 5, 32, 9 * MS, 3, user2);
  add_group (&halves[1], 0, 20 * MS, NS_RECORD_SYSTEM64, 0x1c, 32, 2);
  return open_halves (halves);
}

static void
test_halves_of_one_recording (void)
{
  NsTrace *trace = open_pair (NS_CLOCK_QPC);

  assert_stack (trace, MS, 0, whole1);
  assert_stack (trace, 5 * MS, 0, user1);
  assert_stack (trace, 9 * MS, 0, user2);
  assert_stack (trace, 20 * MS, 0, no_stack);
  g_assert_cmpuint (trace->n_stacks_attached, ==, 3);
  g_assert_null (find_told (trace, 0));
  ns_trace_unref (trace);

  /* The times of the kernel file are converted and still match its own events. The other file uses
   * another clock, so equal times have no meaning. */
  trace = open_pair (NS_CLOCK_SYSTEM);
  assert_stack (trace, MS, 0, whole1);
  assert_stack (trace, 5 * MS, 0, no_stack);
  assert_stack (trace, 9 * MS, 0, no_stack);
  g_assert_cmpuint (trace->n_stacks_attached, ==, 1);
  g_assert_cmpstr (find_told (trace, 0),
                   ==,
                   "stacks without an event in the session of x.kernel.etl: 2; times of files "
                   "with another clock are not exact enough to match them");
  ns_trace_unref (trace);
}

/* A duplicate record was discarded, and its stack arrives too late. The stack must not attach to
 * another event of the thread that has the same time in the other file. */
static void
test_a_late_stack_of_a_duplicate (void)
{
  Fixture halves[2];
  NsTrace *trace;
  guint i;

  for (i = 0; i < 2; i++)
    {
      begin_half (&halves[i], i, NS_CLOCK_QPC);
      add_group (&halves[i], 0, 5 * MS + i * 3000, NS_RECORD_SYSTEM64, 0x1c, 32, 2);
    }
  add_group (&halves[0], 0, 5 * MS + 3000, NS_RECORD_SYSTEM64, 0x1c, 33, 2);
  add_walk (&halves[1], 0, 8 * MS, 32, 5 * MS + 3000, 2, whole1);
  trace = open_halves (halves);
  g_assert_cmpuint (ns_etl_file_get_n_duplicates (trace->file), ==, 1);
  assert_stack (trace, 5 * MS, 0, no_stack);
  assert_stack (trace, 5 * MS + 3000, 0, no_stack);
  g_assert_cmpuint (trace->n_stacks_attached, ==, 0);
  g_assert_cmpstr (find_told (trace, 1),
                   ==,
                   "stacks without an event in the session of x.etl: 1; the event was recorded "
                   "twice, and the record of another file is used");
  ns_trace_unref (trace);
}

/* Parts of a stack and frame keys are matched within one session only. */
static void
test_parts_and_keys_of_two_sessions (void)
{
  static const guint64 key[] = { 0x77, 0 };
  static const guint64 first[] = { 0x77, USER, USER + 1, 0 };
  static const guint64 second[] = { 0x77, USER + 8, USER + 9, 0 };
  Fixture halves[2];
  NsTrace *trace;
  guint i;

  for (i = 0; i < 2; i++)
    {
      begin_half (&halves[i], i, NS_CLOCK_QPC);
      add_group (&halves[i], 0, 5 * MS + i * 10, NS_RECORD_SYSTEM64, 0x1c, 32 + i, 2);
      add_walk (&halves[i], 0, 5 * MS + i * 10 + 2, 38, 5 * MS + i * 10, 2, key);
      /* Only the kernel part; the user part is in the other file. */
      add_group (&halves[i], 0, 7 * MS + i * 10, NS_RECORD_SYSTEM64, 0x1c, 34 + i, 2);
      add_walk (&halves[i], 0, 7 * MS + i * 10 + 2, 32, 7 * MS + i * 10, 2, kernel1);
    }
  add_walk (&halves[1], 0, 7 * MS + 20, 32, 7 * MS + 10, 2, user1);
  add_walk (&halves[1], 0, 30 * MS, 34, 0, 0, second);
  add_walk (&halves[0], 0, 31 * MS, 34, 0, 0, first);
  trace = open_halves (halves);
  assert_stack (trace, 5 * MS, 0, user1);
  assert_stack (trace, 5 * MS + 10, 0, user2);
  assert_stack (trace, 7 * MS, 0, kernel1);
  assert_stack (trace, 7 * MS + 10, 0, whole1);
  ns_trace_unref (trace);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/stack-match/so-many-records-wait-only", test_so_many_records_wait_only);
  g_test_add_func ("/stack-match/exact-time-and-thread", test_exact_time_and_thread);
  g_test_add_func ("/stack-match/parts-are-joined", test_parts_are_joined);
  g_test_add_func ("/stack-match/a-key-means-its-next-definition",
                   test_a_key_means_its_next_definition);
  g_test_add_func ("/stack-match/records-without-a-thread-take-what-is-left",
                   test_records_without_a_thread_take_what_is_left);
  g_test_add_func ("/stack-match/merged-records-own-no-stack", test_merged_records_own_no_stack);
  g_test_add_func ("/stack-match/items-of-events", test_items_of_events);
  g_test_add_func ("/stack-match/items-with-a-match-id", test_items_with_a_match_id);
  g_test_add_func ("/stack-match/items-with-a-key", test_items_with_a_key);
  g_test_add_func ("/stack-match/events-of-two-sessions", test_events_of_two_sessions);
  g_test_add_func ("/stack-match/halves-of-one-recording", test_halves_of_one_recording);
  g_test_add_func ("/stack-match/a-late-stack-of-a-duplicate", test_a_late_stack_of_a_duplicate);
  g_test_add_func ("/stack-match/parts-and-keys-of-two-sessions",
                   test_parts_and_keys_of_two_sessions);
  g_test_add_func ("/stack-match/stacks-are-bounded-by-their-trace",
                   test_stacks_are_bounded_by_their_trace);
  g_test_add_func ("/stack-match/a-library-is-searched-for-in-so-many-frames-only",
                   test_a_library_is_searched_for_in_so_many_frames_only);
  return g_test_run ();
}
