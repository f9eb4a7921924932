/* Writes a trace of requests made through named functions on several threads, and its symbols.
 *
 * usage: make-paths FOLDER [--long]
 *
 * Writes FOLDER/trace.etl, and FOLDER/symbols with the symbols of most modules and with those of
 * another build of contoso_fw.dll; addin7.dll has none. With --long every name has the maximum
 * length.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ns-test-folder.h"
#include "ns-test-pdb.h"
#include "story.h"

#include <string.h>

#define RAW_PER_MS 10000
#define MODULE_SIZE 0x100000
#define FUNCTION_SIZE 0x40

/* A call path, outermost frame first, separated by `;`. `>WAIT_MS` is a thread switch; a negative
 * wait writes its events in the wrong order. A frame without `!` is inside a module without
 * symbols, `?` is in no module. */
typedef struct
{
  const char *process;
  guint n_rows;
  guint fail_every; /* every nth request fails; 0: none */
  const char *path;
} Path;

#define START "ntdll!RtlUserThreadStart;kernel32!BaseThreadInitThunk;"
#define WORKER "ntdll!TppWorkerThread;ntdll!TppWorkpExecuteCallback;ntdll!TppExecute;"
#define LOOP                                                                                       \
  "user32!GetMessageW;win32u!NtUserGetMessage;user32!DispatchMessageWorker;"                       \
  "user32!UserCallWinProcCheckWow;ntdll!KiUserCallbackDispatcher;"
#define OUTLOOK START "OUTLOOK!WinMain;" LOOP "OUTLOOK!CMainWnd::OnIdle;"
#define SYNC OUTLOOK "OUTLOOK!SyncManager::Kick>4;" START "OLMAPI32!SyncFolder;"
#define SEND                                                                                       \
  "OLMAPI32!RequestTask::Run;OLMAPI32!EwsRequest::Submit;OLMAPI32!HttpTransport::Send;"            \
  "winhttp!WinHttpSendRequest"
#define EXCEL START "EXCEL!WinMain;"

static const Path paths[] = {
  { "OUTLOOK.EXE",
    22,
    4,
    SYNC "OLMAPI32!SyncFolder::NextBatch;OLMAPI32!TaskQueue::Post>31;" START WORKER SEND },
  { "OUTLOOK.EXE", 4, 0, SYNC "OLMAPI32!SyncFolder::Free>12;" START WORKER SEND },
  { "OUTLOOK.EXE", 4, 2, OUTLOOK "OUTLOOK!SyncManager::Kick>-0.02;" START "OLMAPI32!Retry;" SEND },
  { "OUTLOOK.EXE",
    10,
    0,
    OUTLOOK "OUTLOOK!Prefetch>9;" START WORKER "OLMAPI32!Prefetch;winhttp!WinHttpSendRequest;"
            "webio!WaSendHttpRequest" },
  { "OUTLOOK.EXE", 5, 0, OUTLOOK "OUTLOOK!Calendar;addin7+0x4410;?;winhttp!WinHttpSendRequest" },
  { "EXCEL.EXE",
    11,
    3,
    EXCEL "EXCEL!OpenWorkbook>112;" START WORKER
          "mso40uiwin32client!OpenUrl;wininet!HttpSendRequestW;wininet!ConnectSocket" },
  { "EXCEL.EXE", 6, 0, EXCEL "EXCEL!ResolveLink;contoso_fw+0x1200;ws2_32!WSAConnect" },
  { "msedgewebview2.exe",
    9,
    0,
    START "msedgewebview2!main;" LOOP "msedgewebview2!net::URLRequest::Start;ws2_32!WSASend" },
  { "svchost.exe", 3, 0, NULL },
};

typedef struct
{
  char *name; /* without suffix */
  guint64 base;
  GPtrArray *functions; /* (element-type utf8) */
} Module;

typedef struct
{
  Story *story;
  GPtrArray *modules; /* (element-type Module) */
  gboolean is_long;
  guint n_told;
} Maker;

/* Returns the name, or with --long a name that exceeds the space of every view. */
static char *
dup_long (const Maker *self, const char *name, guint length)
{
  GString *text = g_string_new (name);

  while (self->is_long && text->len < length)
    g_string_append_printf (text, "_%s%u", name, (guint) text->len);
  if (self->is_long && length > strlen (name))
    g_string_truncate (text, length);
  return g_string_free (text, FALSE);
}

static void
module_free (gpointer data)
{
  Module *self = data;

  g_free (self->name);
  g_ptr_array_unref (self->functions);
  g_free (self);
}

static Module *
get_module (Maker *self, const char *name)
{
  Module *module;

  for (guint i = 0; i < self->modules->len; i++)
    {
      module = g_ptr_array_index (self->modules, i);
      if (strcmp (module->name, name) == 0)
        return module;
    }
  module = g_new0 (Module, 1);
  module->name = g_strdup (name);
  module->base = G_GUINT64_CONSTANT (0x7ff600000000) + self->modules->len * 0x10000000u;
  module->functions = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (self->modules, module);
  return module;
}

/* Returns the address of a frame; functions get addresses in order of appearance. */
static guint64
address_of (Maker *self, const char *frame)
{
  const char *function = strchr (frame, '!');
  const char *offset = strchr (frame, '+');
  g_autofree char *name = g_strndup (frame, strcspn (frame, "!+"));
  g_autofree char *long_name = NULL;
  Module *module;
  guint at;

  if (*frame == '?')
    return G_GUINT64_CONSTANT (0x7fff8a1b2c3d);
  module = get_module (self, name);
  if (function == NULL)
    return module->base + g_ascii_strtoull (offset + 1, NULL, 16);
  long_name = dup_long (self, function + 1, 600);
  if (!g_ptr_array_find_with_equal_func (module->functions, long_name, g_str_equal, &at))
    {
      at = module->functions->len;
      g_ptr_array_add (module->functions, g_steal_pointer (&long_name));
    }
  return module->base + 0x1000 + at * FUNCTION_SIZE + 0x1d;
}

/* Sets the stack of the next event, innermost frame first. */
static guint
set_stack (Maker *self, char **frames)
{
  guint n = g_strv_length (frames);

  g_assert_cmpuint (n, <, STORY_MAX_FRAMES);
  for (guint i = 0; i < n; i++)
    self->story->stack[n - 1 - i] = address_of (self, frames[i]);
  return n;
}

static guint64
raw_at (const Maker *self, double ms)
{
  return ns_etl_writer_get_base_raw (self->story->writer) + (guint64) (ms * RAW_PER_MS + 0.5);
}

/* Writes a thread-pool event with the current stack: 32 enqueue, 33 dequeue, 34 start, 35 stop. */
static void
report_pool (Maker *self, double ms, guint8 opcode, guint64 task)
{
  Story *story = self->story;
  g_autoptr (GByteArray) payload = g_byte_array_new ();
  g_autoptr (GByteArray) walked = g_byte_array_new ();
  NsEtlWriterGroup event = { .raw = raw_at (self, ms),
                             .group = 0x1c,
                             .opcode = opcode,
                             .version = 2,
                             .pid = story->pid,
                             .tid = story->tid,
                             .payload = payload };
  NsEtlWriterGroup walk = { .raw = event.raw + 1,
                            .kind = NS_RECORD_PERFINFO64,
                            .group = 0x18,
                            .opcode = 32,
                            .version = 2,
                            .payload = walked };

  ns_etl_bytes_u64 (payload, 0x1d0000);
  ns_etl_bytes_u64 (payload, task);
  ns_etl_bytes_u64 (payload, G_GUINT64_CONSTANT (0x7ff600001000));
  ns_etl_bytes_zero (payload, 16);
  g_assert_true (ns_etl_writer_add_group (story->writer, &event));
  if (story->stack[0] == 0)
    return;
  ns_etl_bytes_u64 (walked, event.raw);
  ns_etl_bytes_u32 (walked, story->pid);
  ns_etl_bytes_u32 (walked, story->tid);
  for (guint i = 0; story->stack[i] != 0; i++)
    ns_etl_bytes_u64 (walked, story->stack[i]);
  g_assert_true (ns_etl_writer_add_group (story->writer, &walk));
  memset (story->stack, 0, sizeof story->stack);
}

/* Queues work for another thread, and returns its start time there. */
static double
report_thread_switch (Maker *self, double ms, double wait_ms, guint64 task)
{
  guint32 tid = self->story->tid;
  double begin_ms = ms + wait_ms;

  if (wait_ms < 0)
    {
      guint64 stack[STORY_MAX_FRAMES];

      /* Records must be written in time order, so here the start precedes the enqueue. */
      memcpy (stack, self->story->stack, sizeof stack);
      memset (self->story->stack, 0, sizeof stack);
      self->story->tid = tid + 8;
      report_pool (self, begin_ms - 0.01, 33, task);
      report_pool (self, begin_ms, 34, task);
      self->story->tid = tid;
      memcpy (self->story->stack, stack, sizeof stack);
      report_pool (self, ms, 32, task);
      self->story->tid = tid + 8;
      return ms;
    }
  report_pool (self, ms, 32, task);
  self->story->tid = tid + 8;
  report_pool (self, begin_ms - 0.01, 33, task);
  report_pool (self, begin_ms, 34, task);
  return begin_ms;
}

static void
report_request (Maker *self, double ms, gboolean is_failed)
{
  Story *story = self->story;
  guint n = ++self->n_told;
  guint64 ptr = 0x1a0000 + n * 0x1000;
  guint64 h = 0x900000 + n;
  guint64 connection = 0x2c0000 + n * 0x100;
  g_autofree char *label = dup_long (self, "mail", 63);
  g_autofree char *second = dup_long (self, "tail", 63);
  g_autofree char *third = dup_long (self, "node", 63);
  g_autofree char *query = dup_long (self, "Exchange.asmx", 1700);
  g_autofree char *host =
      self->is_long ? g_strdup_printf ("%s.%s.%s.%.40s.example.com", label, second, third, label)
                    : g_strdup_printf ("mail%u.example.com", n % 3 + 1);
  g_autofree char *url = g_strdup_printf ("https://%s/EWS/%s", host, query);
  g_autofree char *address = g_strdup_printf ("198.51.100.%u:443", n % 3 + 1);
  double took_ms = 20 + n % 7 * 30;

  story_request (story, ms, ptr, h, 0x10000, url);
  story_wait (story, ms + 1, ptr, h, connection);
  story_connect (story, ms + 2, h, connection, 0x5100 + n, address);
  story_connected (story, ms + 8, h, connection, 0x5100 + n, 0);
  story_send (story, ms + 9, h, connection, 0x5100 + n, 600 + n);
  story_receive (story, ms + took_ms - 2, h, connection, 0x5100 + n, 20000 + n * 31);
  story_header (story,
                ms + took_ms - 1,
                ptr,
                is_failed ? "HTTP/1.1 503 Service Unavailable\r\n\r\n" : "HTTP/1.1 200 OK\r\n\r\n");
  story_request_close (story, ms + took_ms, ptr, h);
}

static void
report_path (Maker *self, const Path *path, guint number)
{
  Story *story = self->story;
  g_auto (GStrv) parts = g_strsplit (path->path != NULL ? path->path : "", ">", -1);
  double ms = 300 + number * 137;
  guint64 task = 0x40000 + number * 0x100;

  story->tid = 4312 + story->pid;
  for (guint i = 0; parts[i] != NULL; i++)
    {
      const char *frames_text = i > 0 ? strchr (parts[i], ';') + 1 : parts[i];
      g_auto (GStrv) frames = g_strsplit (frames_text, ";", -1);

      if (i > 0)
        ms = report_thread_switch (self, ms, g_ascii_strtod (parts[i], NULL), task + i);
      set_stack (self, frames);
    }
  report_request (self, ms, path->fail_every > 0 && number % path->fail_every == 0);
}

static void
report_process (Maker *self, guint32 pid, const char *name)
{
  g_autofree char *long_name = dup_long (self, name, 240);
  g_autofree char *line = g_strdup_printf ("\"C:\\Program Files\\%s\"", long_name);

  story_process (self->story, pid, long_name, line);
}

static char *
name_pdb (const Maker *self, const Module *module)
{
  g_autofree char *name = dup_long (self, module->name, 200);

  return g_strconcat (name, ".pdb", NULL);
}

static gboolean
is_program (const char *module)
{
  for (guint i = 0; i < G_N_ELEMENTS (paths); i++)
    if (g_ascii_strncasecmp (paths[i].process, module, strlen (module)) == 0)
      return TRUE;
  return FALSE;
}

/* Writes an image of a process and the identity of its symbols. */
static void
report_module (Maker *self, const Module *module, guint32 pid)
{
  static const NsGuid image_id =
      NS_GUID_INIT (0xb3e675d7, 0x2554, 0x4f18, 0x83, 0x0b, 0x27, 0x62, 0x73, 0x25, 0x60, 0xde);
  NsEtlWriter *writer = self->story->writer;
  NsGuid guid = NS_TEST_PDB_GUID;
  g_autoptr (GByteArray) identity = g_byte_array_new ();
  g_autofree char *pdb = name_pdb (self, module);
  g_autofree char *name = dup_long (self, module->name, 200);
  g_autofree char *path = g_strdup_printf ("\\Device\\HarddiskVolume3\\Programs\\%s.%s",
                                           name,
                                           is_program (module->name) ? "EXE" : "dll");
  NsEtlWriterFull merged = { .raw = ns_etl_writer_get_base_raw (writer),
                             .guid = image_id,
                             .opcode = 36,
                             .version = 2,
                             .payload = identity };

  story_image (self->story, pid, module->base, MODULE_SIZE, path);
  ns_etl_bytes_u64 (identity, module->base);
  ns_etl_bytes_u32 (identity, pid);
  ns_etl_bytes_guid (identity, &guid);
  ns_etl_bytes_u32 (identity, NS_TEST_PDB_AGE);
  ns_etl_bytes_astr (identity, pdb);
  g_assert_true (ns_etl_writer_add_full (writer, &merged));
}

static void
write_symbols (const Maker *self, NsTestFolder *folder, const Module *module)
{
  g_autoptr (NsTestPdb) pdb = NULL;
  g_autoptr (GByteArray) bytes = NULL;
  g_autofree char *name = name_pdb (self, module);
  g_autofree char *path = g_strdup_printf ("symbols/%s", name);
  g_autofree char *source = g_strdup_printf ("C:\\src\\%s.cpp", module->name);

  if (strcmp (module->name, "contoso_fw") == 0)
    ns_test_folder_write_other_pdb (folder, path);
  if (module->functions->len == 0)
    return;
  pdb = ns_test_pdb_new_named ((const char *const *) module->functions->pdata,
                               module->functions->len,
                               source);
  bytes = ns_test_pdb_write (pdb, 0);
  ns_test_folder_write (folder, path, bytes->data, bytes->len);
}

int
main (int argc, char *argv[])
{
  Maker self = { .story = story_new (),
                 .modules = g_ptr_array_new_with_free_func (module_free),
                 .is_long = argc == 3 && strcmp (argv[2], "--long") == 0 };
  NsTestFolder folder = { .root = argv[1] };
  g_autoptr (GBytes) bytes = NULL;
  guint number = 0;

  if (argc < 2)
    return 2;
  story_session (self.story, 1, 0x10000);
  for (guint i = 0; i < G_N_ELEMENTS (paths); i++)
    {
      self.story->pid = 1000 + i * 8;
      for (guint k = 0; k < i; k++)
        if (strcmp (paths[k].process, paths[i].process) == 0)
          self.story->pid = MIN (self.story->pid, 1000 + k * 8);
      if (self.story->pid == 1000 + i * 8)
        report_process (&self, self.story->pid, paths[i].process);
      for (guint k = 0; k < paths[i].n_rows; k++)
        report_path (&self, &paths[i], number++);
    }
  for (guint i = 0; i < self.modules->len; i++)
    {
      for (guint k = 0; k < G_N_ELEMENTS (paths); k++)
        report_module (&self, g_ptr_array_index (self.modules, i), 1000 + k * 8);
      write_symbols (&self, &folder, g_ptr_array_index (self.modules, i));
    }
  bytes = ns_etl_writer_finish (self.story->writer);
  ns_test_folder_write (&folder,
                        "trace.etl",
                        g_bytes_get_data (bytes, NULL),
                        (gssize) g_bytes_get_size (bytes));
  g_ptr_array_unref (self.modules);
  story_free (self.story);
  return 0;
}
