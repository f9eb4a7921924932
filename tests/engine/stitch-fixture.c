/* Builds traces of queued work from short specifications, and formats their chains.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "stitch-fixture.h"

#include "engine/activities/ns-chain.h"
#include "engine/build/ns-builder.h"
#include "engine/open/ns-parts.h"

#include <string.h>

#define EXE_BASE 0x7ff600000000
#define NTDLL_BASE 0x7ffa00000000
#define CLR_BASE 0x7ffb00000000
#define CRT_BASE 0x7ffc00000000
#define IMAGE_SIZE 0x100000
#define MAX_WORDS 8

static const NsGuid afd =
    NS_GUID_INIT (0xe53c6823, 0x7bb8, 0x44bb, 0x90, 0xdc, 0x3f, 0x86, 0x09, 0x0d, 0x48, 0xa6);
static const NsGuid office =
    NS_GUID_INIT (0xa019725f, 0xcff1, 0x47e8, 0x8c, 0x9e, 0x8f, 0xe2, 0x63, 0x5b, 0x63, 0x88);
static const NsGuid queues =
    NS_GUID_INIT (0x559a5658, 0x8100, 0x4d84, 0xb7, 0x56, 0x0a, 0x47, 0xa4, 0x76, 0x28, 0x0c);
static const NsGuid idle =
    NS_GUID_INIT (0x8736922d, 0xe8b2, 0x47eb, 0x85, 0x64, 0x23, 0xe7, 0x7e, 0x72, 0x8c, 0xf3);
static const NsGuid winhttp =
    NS_GUID_INIT (0x7d44233d, 0x3055, 0x4b9c, 0xba, 0x64, 0x0d, 0x47, 0xca, 0x40, 0xa2, 0x32);
static const NsGuid webio =
    NS_GUID_INIT (0x50b3e73c, 0x9370, 0x461d, 0xbb, 0x9f, 0x26, 0xf3, 0x2d, 0x68, 0x88, 0x7d);

/* One parsed item of a script. */
typedef struct
{
  NsEtlWriter *writer;
  GByteArray *payload;
  guint64 raw;
  guint32 tid;
  guint32 pid;
  guint cpu;
  guint64 stack[3]; /* return addresses; all 0 for no stack */
  char **words;
  guint n_words;
  guint *n_connections;
} Item;

static void
set_stack (guint64 stack[3], guint number)
{
  stack[0] = EXE_BASE + number * 0x1000 + 0x123;
  stack[1] = EXE_BASE + number * 0x1000 + 0x45;
  stack[2] = EXE_BASE + 0xf010;
}

/* Parses a number, or maps a letter with an optional digit to a distinct address. */
static guint64
value_of (const char *word)
{
  if (g_ascii_isalpha (word[0]))
    return 0x20000000000 + (guint64) word[0] * 0x1000 +
           (g_ascii_isdigit (word[1]) ? (guint64) (word[1] - '0' + 1) * 0x100 : 0);
  return (guint64) g_ascii_strtoll (word, NULL, 0);
}

static guint64
argument (const Item *self, guint n)
{
  g_assert_cmpuint (n, <, self->n_words);
  return value_of (self->words[n]);
}

static void
write_stack_walk (const Item *self)
{
  g_autoptr (GByteArray) payload = g_byte_array_new ();
  NsEtlWriterGroup walk = { .cpu = self->cpu,
                            .raw = self->raw + 20,
                            .kind = NS_RECORD_PERFINFO64,
                            .group = 0x18,
                            .opcode = 32,
                            .version = 2,
                            .payload = payload };
  guint i;

  if (self->stack[0] == 0)
    return;
  ns_etl_bytes_u64 (payload, self->raw);
  ns_etl_bytes_u32 (payload, self->pid);
  ns_etl_bytes_u32 (payload, self->tid);
  for (i = 0; i < G_N_ELEMENTS (self->stack); i++)
    ns_etl_bytes_u64 (payload, self->stack[i]);
  g_assert_true (ns_etl_writer_add_group (self->writer, &walk));
}

static void
write_group (const Item *self, guint group, guint opcode, guint version)
{
  NsEtlWriterGroup record = { .cpu = self->cpu,
                              .raw = self->raw,
                              .group = (guint8) group,
                              .opcode = (guint8) opcode,
                              .version = (guint8) version,
                              .pid = self->pid,
                              .tid = self->tid,
                              .payload = self->payload };

  g_assert_true (ns_etl_writer_add_group (self->writer, &record));
  write_stack_walk (self);
}

static void
write_event (const Item *self, const NsGuid *guid, guint id, guint64 activity)
{
  NsEtlWriterEvent record = { .cpu = self->cpu,
                              .raw = self->raw,
                              .guid = *guid,
                              .id = (guint16) id,
                              .level = 4,
                              .pid = self->pid,
                              .tid = self->tid,
                              .payload = self->payload };

  memcpy (record.activity.bytes, &activity, sizeof activity);
  if (self->stack[0] != 0)
    {
      record.stack = self->stack;
      record.n_stack = G_N_ELEMENTS (self->stack);
    }
  g_assert_true (ns_etl_writer_add_event (self->writer, &record));
}

/* WE WD WS WX WC: Windows thread pool; pool, task, number of cancelled callbacks. */
static void
write_pool (const Item *self)
{
  const char *events = "EDSXC";
  guint opcode = 32 + (guint) (strchr (events, self->words[0][1]) - events);

  ns_etl_bytes_u64 (self->payload, argument (self, 1));
  ns_etl_bytes_u64 (self->payload, argument (self, 2));
  ns_etl_bytes_u64 (self->payload, 0x7ff600001000);
  ns_etl_bytes_zero (self->payload, 16);
  if (opcode == 36)
    ns_etl_bytes_u32 (self->payload, (guint32) (self->n_words > 3 ? argument (self, 3) : 1));
  if (self->n_words > 4) /* newer event versions have more fields */
    ns_etl_bytes_zero (self->payload, 4);
  write_group (self, 0x1c, opcode, 2);
}

/* TS TE TB TN TK: thread-pool timer; sub-queue, timer, period. */
static void
write_timer (const Item *self)
{
  char what = self->words[0][1];
  guint opcode = what == 'S' ? 42 : what == 'K' ? 43 : what == 'B' ? 46 : what == 'N' ? 47 : 48;

  if (opcode == 42 || opcode == 48)
    ns_etl_bytes_u64 (self->payload, 0);
  ns_etl_bytes_u64 (self->payload, argument (self, 1));
  if (opcode != 46 && opcode != 47)
    ns_etl_bytes_u64 (self->payload, argument (self, 2));
  if (opcode == 42 || opcode == 48)
    {
      ns_etl_bytes_u32 (self->payload, (guint32) (self->n_words > 3 ? argument (self, 3) : 0));
      ns_etl_bytes_u32 (self->payload, 0);
    }
  if (opcode == 42)
    ns_etl_bytes_u32 (self->payload, 0);
  write_group (self, 0x1c, opcode, 2);
}

static guint64
start_address (const char *where)
{
  if (strcmp (where, "ntdll") == 0)
    return NTDLL_BASE + 0x5000;
  if (strcmp (where, "clr") == 0)
    return CLR_BASE + 0x5000;
  if (strcmp (where, "crt") == 0)
    return CRT_BASE + 0x5000;
  if (strcmp (where, "unknown") == 0)
    return 0;
  return EXE_BASE + 0x3000 + (guint64) where[strlen (where) - 1];
}

/* TC, RD: thread start and rundown with the new thread, its start address and process; TX: thread
 * exit. */
static void
write_thread (const Item *self)
{
  gboolean is_rundown = strcmp (self->words[0], "RD") == 0;
  gboolean is_end = strcmp (self->words[0], "TX") == 0;
  guint32 tid = (guint32) argument (self, 1);

  ns_etl_bytes_u32 (self->payload,
                    (guint32) (self->n_words > 3 ? argument (self, 3)
                               : tid < 8         ? STITCH_PID
                                                 : STITCH_OTHER_PID));
  ns_etl_bytes_u32 (self->payload, tid);
  ns_etl_bytes_zero (self->payload, 32);
  ns_etl_bytes_u64 (self->payload, 3);
  ns_etl_bytes_u64 (self->payload, self->n_words > 2 ? start_address (self->words[2]) : 0);
  ns_etl_bytes_zero (self->payload, 18);
  write_group (self, 5, is_rundown ? 3 : is_end ? 2 : 1, 3);
}

/* OC OD OT OS OE OF OW: Office task queue; worker, type or period. */
static void
write_office (const Item *self)
{
  static const struct
  {
    char letter;
    guint8 id;
  } ids[] = { { 'C', 32 }, { 'D', 33 }, { 'T', 62 }, { 'S', 40 },
              { 'E', 41 }, { 'F', 52 }, { 'W', 34 } };
  guint id = 0;
  guint i;

  for (i = 0; i < G_N_ELEMENTS (ids); i++)
    if (ids[i].letter == self->words[0][1])
      id = ids[i].id;
  ns_etl_bytes_u64 (self->payload, argument (self, 1));
  if (id == 32)
    {
      ns_etl_bytes_u64 (self->payload, 0x7ff600002000);
      ns_etl_bytes_u32 (self->payload, (guint32) argument (self, 2));
    }
  if (id == 62)
    {
      ns_etl_bytes_zero (self->payload, 8);
      ns_etl_bytes_u32 (self->payload, (guint32) (self->n_words > 2 ? argument (self, 2) : 0));
    }
  if (id == 32 && self->n_words > 3)
    g_byte_array_set_size (self->payload, 6);
  write_event (self, &office, id, 0);
}

/* QP QB QI QE: task queue with kind of queue, queue, callback; QQ: the post event of the looper
 * itself. */
static void
write_queue (const Item *self)
{
  static const struct
  {
    const char *kind;
    guint8 post;
    guint8 begin;
  } kinds[] = {
    { "UI", 65, 66 }, { "CC", 99, 101 }, { "SQ", 133, 130 }, { "LP", 116, 119 }, { "LC", 104, 113 },
  };
  char what = self->words[0][1];
  guint id = 56;
  guint i;

  for (i = 0; i < G_N_ELEMENTS (kinds) && what != 'I'; i++)
    if (strcmp (kinds[i].kind, self->words[1]) == 0)
      id = what == 'P' ? kinds[i].post : kinds[i].begin + (what == 'E');
  if (what == 'I')
    ns_etl_bytes_u64 (self->payload, 0x1234);
  ns_etl_bytes_u64 (self->payload, argument (self, what == 'I' ? 1 : 2));
  if (what == 'P' || what == 'I')
    ns_etl_bytes_u64 (self->payload, argument (self, what == 'I' ? 2 : 3));
  if (what == 'I')
    ns_etl_bytes_u32 (self->payload, 0);
  write_event (self, &queues, id, 0);
}

/* IU, IR IX ID, IB, IE: idle tasks of the main thread; id and cookie for IR IX ID. */
static void
write_idle (const Item *self)
{
  char what = self->words[0][1];

  if (what == 'U')
    {
      ns_etl_bytes_u64 (self->payload, 0);
      ns_etl_bytes_u32 (self->payload, 1);
    }
  else if (what == 'B')
    {
      ns_etl_bytes_zero (self->payload, 12);
    }
  else if (what != 'E')
    {
      ns_etl_bytes_u64 (self->payload, argument (self, 2));
      ns_etl_bytes_u32 (self->payload, (guint32) argument (self, 1));
      ns_etl_bytes_wstr (self->payload, "task");
      ns_etl_bytes_zero (self->payload, 20);
    }
  write_event (self,
               &idle,
               what == 'U'   ? 50
               : what == 'R' ? 36
               : what == 'B' ? 39
               : what == 'X' ? 44
               : what == 'D' ? 37
                             : 40,
               0);
}

/* HQ HS HX HC: WinHTTP actions, BQ …: WebIO actions; context, activity, type. */
static void
write_action (const Item *self)
{
  char what = self->words[0][1];

  ns_etl_bytes_u64 (self->payload, argument (self, 1));
  ns_etl_bytes_u32 (self->payload, (guint32) (self->n_words > 3 ? argument (self, 3) : 2));
  write_event (self,
               self->words[0][0] == 'H' ? &winhttp : &webio,
               what == 'Q'   ? 59996
               : what == 'S' ? 59998
               : what == 'X' ? 59997
                             : 59995,
               argument (self, 2));
}

/* NET: creates a socket and connects it to an address of its own. */
static void
write_connection (Item *self)
{
  guint n = ++*self->n_connections;
  guint64 endpoint = 0xffffcc0000000000 + n * 0x100;
  char address[32];

  g_snprintf (address, sizeof address, "198.51.100.%u:%u", n % 250 + 1, 8000 + n);
  ns_etl_bytes_u32 (self->payload, 0);
  ns_etl_bytes_u32 (self->payload, 1002);
  ns_etl_bytes_u64 (self->payload, 0xffffbb0000000000 + self->pid);
  ns_etl_bytes_u64 (self->payload, endpoint);
  ns_etl_bytes_u32 (self->payload, 2);
  ns_etl_bytes_u32 (self->payload, 1);
  ns_etl_bytes_u32 (self->payload, 6);
  ns_etl_bytes_u64 (self->payload, self->pid);
  ns_etl_bytes_u32 (self->payload, 0);
  write_event (self, &afd, 1000, 0);

  g_byte_array_set_size (self->payload, 0);
  memset (self->stack, 0, sizeof self->stack);
  self->raw += 10;
  ns_etl_bytes_u32 (self->payload, 0);
  ns_etl_bytes_u32 (self->payload, 5023);
  ns_etl_bytes_u64 (self->payload, 0xffffbb0000000000 + self->pid);
  ns_etl_bytes_u64 (self->payload, endpoint);
  ns_etl_bytes_zero (self->payload, 16);
  ns_etl_bytes_u32 (self->payload, 16);
  ns_etl_bytes_sockaddr_text (self->payload, address);
  write_event (self, &afd, 1018, 0);
}

void
stitch_image_write (NsEtlWriter *writer, guint32 pid, guint64 base, guint64 size, const char *path)
{
  g_autoptr (GByteArray) payload = g_byte_array_new ();
  NsEtlWriterGroup record = { .raw = ns_etl_writer_get_base_raw (writer),
                              .kind = NS_RECORD_PERFINFO64,
                              .group = 0x14,
                              .opcode = 3,
                              .version = 3,
                              .payload = payload };

  ns_etl_bytes_u64 (payload, base);
  ns_etl_bytes_u64 (payload, size);
  ns_etl_bytes_u32 (payload, pid);
  ns_etl_bytes_zero (payload, 36);
  ns_etl_bytes_wstr (payload, path);
  g_assert_true (ns_etl_writer_add_group (writer, &record));
}

void
stitch_images_write (NsEtlWriter *writer)
{
  static const guint32 pids[] = { STITCH_PID, STITCH_OTHER_PID };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (pids); i++)
    {
      stitch_image_write (writer,
                          pids[i],
                          EXE_BASE,
                          IMAGE_SIZE,
                          "\\Device\\HarddiskVolume3\\app.exe");
      stitch_image_write (writer,
                          pids[i],
                          NTDLL_BASE,
                          IMAGE_SIZE,
                          "\\Windows\\System32\\ntdll.dll");
      stitch_image_write (writer,
                          pids[i],
                          CLR_BASE,
                          IMAGE_SIZE,
                          "\\Windows\\System32\\coreclr.dll");
      stitch_image_write (writer,
                          pids[i],
                          CRT_BASE,
                          IMAGE_SIZE,
                          "\\Windows\\System32\\ucrtbase.dll");
    }
}

static void
write_item (Item *self)
{
  const char *what = self->words[0];

  if (strcmp (what, "NET") == 0)
    write_connection (self);
  else if (strcmp (what, "TC") == 0 || strcmp (what, "TX") == 0 || strcmp (what, "RD") == 0)
    write_thread (self);
  else if (what[0] == 'W')
    write_pool (self);
  else if (what[0] == 'T')
    write_timer (self);
  else if (what[0] == 'O')
    write_office (self);
  else if (what[0] == 'Q')
    write_queue (self);
  else if (what[0] == 'I')
    write_idle (self);
  else if (what[0] == 'H' || what[0] == 'B')
    write_action (self);
  else
    g_error ("no such event: %s", what);
}

/* Writes one item: `TIME:THREAD[@CPU]:EVENT ARGUMENTS… 'STACK`. */
static void
write_line (NsEtlWriter *writer, const char *line, guint *n_connections)
{
  g_autoptr (GByteArray) payload = g_byte_array_new ();
  g_auto (GStrv) parts = g_strsplit (line, ":", 3);
  g_auto (GStrv) words = NULL;
  char *cpu;
  Item self = { .writer = writer, .payload = payload, .n_connections = n_connections };

  g_assert_cmpuint (g_strv_length (parts), ==, 3);
  g_strstrip (parts[2]);
  words = g_strsplit (parts[2], " ", MAX_WORDS);
  self.words = words;
  self.n_words = g_strv_length (words);
  self.raw = ns_etl_writer_get_base_raw (writer) +
             (guint64) (g_ascii_strtod (parts[0], NULL) * STITCH_MS + 0.5);
  self.tid = (guint32) g_ascii_strtoull (parts[1], &cpu, 10);
  self.pid = self.tid < 8 ? STITCH_PID : STITCH_OTHER_PID;
  self.cpu = *cpu == '@' ? (guint) g_ascii_strtoull (cpu + 1, NULL, 10) : self.tid % 8;
  if (words[self.n_words - 1][0] == '\'')
    {
      set_stack (self.stack, (guint) g_ascii_strtoull (words[self.n_words - 1] + 2, NULL, 10));
      self.n_words--;
    }
  write_item (&self);
}

/* Writes the items of a script into a trace that may hold other records. */
void
stitch_script_write (NsEtlWriter *writer, const char *script)
{
  g_auto (GStrv) lines = g_strsplit (script, ";", -1);
  guint n_connections = 0;
  guint i;

  for (i = 0; lines[i] != NULL; i++)
    write_line (writer, g_strstrip (lines[i]), &n_connections);
}

NsTrace *
stitch_trace_from_writer (NsEtlWriter *writer)
{
  return stitch_trace_from_writer_within (writer, 0);
}

NsTrace *
stitch_trace_from_writer_within (NsEtlWriter *writer, guint64 least_stack_bytes)
{
  const NsTraceOptions options = { .want_events = TRUE, .least_stack_bytes = least_stack_bytes };
  g_autoptr (GBytes) bytes = ns_etl_writer_finish (writer);
  g_autoptr (GError) error = NULL;
  NsEtlFile *file = ns_etl_file_open_bytes (bytes, "stitch.etl", &error);
  NsTrace *trace;

  g_assert_no_error (error);
  trace = ns_trace_build (file, ns_schemas_new (NULL), &options, NULL, NULL, &error);
  g_assert_no_error (error);
  return trace;
}

NsTrace *
stitch_trace_new (const char *script)
{
  static const NsEtlWriterOptions options = { .n_processors = 16 };
  g_autoptr (NsEtlWriter) writer = ns_etl_writer_new (&options);

  stitch_images_write (writer);
  stitch_script_write (writer, script);
  return stitch_trace_from_writer (writer);
}

static void
append_tid (GString *text, guint32 tid)
{
  if (tid == NS_PID_UNKNOWN)
    g_string_append_c (text, '?');
  else
    g_string_append_printf (text, "%u", tid);
}

static void
append_element (const NsTrace *trace,
                const NsChainElement *element,
                gboolean is_last,
                GString *text)
{
  guint n_frames;
  const guint64 *frames = ns_stacks_get (trace->stacks, element->stack, &n_frames);

  if (element->kind != NS_TASK_NONE)
    g_string_append_printf (text,
                            " |%s %s| ",
                            ns_task_kind_to_text (element->kind),
                            element->subtype);
  if (n_frames == 0)
    g_string_append_c (text, '-');
  else
    g_string_append_printf (text, "S%u", (guint) ((frames[0] - EXE_BASE) / 0x1000));
  g_string_append_c (text, '[');
  if (!is_last)
    {
      append_tid (text, element->tid_enqueue);
      g_string_append_c (text, '>');
    }
  append_tid (text, element->tid_run);
  g_string_append_c (text, ']');
  if (element->omitted > 0)
    g_string_append_printf (text, "(%u)", element->omitted);
}

char *
stitch_chain_to_text (const NsTrace *trace, guint n)
{
  g_autoptr (NsChain) chain = ns_chain_new_for_activity (trace, n + 1);
  GString *text = g_string_new (NULL);
  guint i;

  g_assert_nonnull (chain);
  for (i = 0; i < chain->elements->len; i++)
    append_element (trace,
                    &g_array_index (chain->elements, NsChainElement, i),
                    i + 1 == chain->elements->len,
                    text);
  return g_string_free (text, FALSE);
}

void
stitch_assert (const char *script, const char *chains)
{
  NsTrace *trace = stitch_trace_new (script);
  g_autoptr (GString) text = g_string_new (NULL);
  guint i;

  for (i = 0; i < trace->activities->len; i++)
    {
      g_autofree char *chain = stitch_chain_to_text (trace, i);

      g_string_append_printf (text, "%s%s", i > 0 ? "; " : "", chain);
    }
  g_assert_cmpstr (text->str, ==, chains);
  ns_trace_unref (trace);
}
