/* Writes the single events of a large generated trace: payload, stack, processor.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "big-events.h"

#include <string.h>

#define N_SERVERS 3000
#define N_IMAGES 40
#define N_VARIANTS 12
#define MIN_FRAMES 12
#define MAX_FRAMES 44
#define IMAGE_BASE G_GUINT64_CONSTANT (0x7ff800000000)
#define IMAGE_STEP 0x1000000
#define IMAGE_SIZE 0x200000
#define DRIVER_BASE G_GUINT64_CONSTANT (0xfffff80200000000)

/* Steps of a connection, one letter each. D d: DNS query, answer. Q q f: work queued, started,
 * finished. S B C c: socket created, bound, connecting, connected. T t: TCP connecting, connected.
 * A a: bytes sent, received by the socket. s m r: TCP posted, sent, received. z: socket closed. x
 * y: TCP shut down, closed. R w V n N h G g k l: WebIO. I i j J o p u v: WinINet. */
const char *const big_scripts[] = {
  "QqRwVnDdSBCTtcNGsmrmgrahrglkzxyf", /* WebIO */
  "QqIDdijSBCTtcJosmrrapvuzxyf",      /* WinINet */
  "QqDdSBCTtcAsmrarazxyf",            /* a plain socket after a DNS query */
  "SBCTtcAsmraazxy",
  "SBCTtcAsmrzxy",
  "SBCcAaz", /* without TCPIP events */
  "TtsmrxY", /* without AFD events */
  "TtsrrxY",
  "TtsY",
};
const guint n_big_scripts = G_N_ELEMENTS (big_scripts);

const char *const big_dense_scripts[] = { "RwGgk", "Iijopvu", "SBCcAaz", "TtsrY" };
const guint n_big_dense_scripts = G_N_ELEMENTS (big_dense_scripts);

typedef enum
{
  WEBIO,
  WININET,
  TCPIP,
  AFD,
  DNS,
} Provider;

static const NsGuid providers[] = {
  [WEBIO] =
      NS_GUID_INIT (0x50b3e73c, 0x9370, 0x461d, 0xbb, 0x9f, 0x26, 0xf3, 0x2d, 0x68, 0x88, 0x7d),
  [WININET] =
      NS_GUID_INIT (0x43d1a55c, 0x76d6, 0x4f7e, 0x99, 0x5c, 0x64, 0xc7, 0x11, 0xe5, 0xca, 0xfe),
  [TCPIP] =
      NS_GUID_INIT (0x2f07e2ee, 0x15db, 0x40f1, 0x90, 0xef, 0x9d, 0x7b, 0xa2, 0x82, 0x18, 0x8a),
  [AFD] = NS_GUID_INIT (0xe53c6823, 0x7bb8, 0x44bb, 0x90, 0xdc, 0x3f, 0x86, 0x09, 0x0d, 0x48, 0xa6),
  [DNS] = NS_GUID_INIT (0x1c95126e, 0x7eea, 0x49a9, 0xa3, 0xfe, 0xa3, 0x78, 0xb0, 0x3d, 0xdb, 0x4d),
};

static const NsGuid office =
    NS_GUID_INIT (0xa019725f, 0xcff1, 0x47e8, 0x8c, 0x9e, 0x8f, 0xe2, 0x63, 0x5b, 0x63, 0x88);

static guint
below (BigSink *self, guint n)
{
  return (guint) g_rand_int_range (self->rand, 0, (gint32) n);
}

/* Fills the stack of a step: the same step of a process has one of a few stacks. */
static guint
fill_stack (BigSink *self, guint64 stack[MAX_FRAMES], guint32 pid, char step)
{
  guint64 state =
      ((guint64) pid << 24 | (guint64) (guint8) step << 8 | below (self, N_VARIANTS)) + 1;
  guint n = MIN_FRAMES + (guint) (state * 7 % (MAX_FRAMES - MIN_FRAMES + 1));
  guint i;

  for (i = 0; i < n; i++)
    {
      state = state * G_GUINT64_CONSTANT (6364136223846793005) + 1442695040888963407;
      stack[i] = IMAGE_BASE + (state >> 40) % N_IMAGES * IMAGE_STEP + (state >> 20) % IMAGE_SIZE;
      if (i < 3)
        stack[i] = DRIVER_BASE + (state >> 20) % IMAGE_SIZE;
    }
  return n;
}

static guint8
server_byte (const BigLife *life, guint which)
{
  guint server = life->number * 2654435761u % N_SERVERS;

  return (guint8) (which == 0 ? server / 250 + 1 : server % 250 + 1);
}

static void
put_sockaddr (GByteArray *p, const guint8 ip[4], guint port)
{
  ns_etl_bytes_u32 (p, 16);
  ns_etl_bytes_u16 (p, 2);
  ns_etl_bytes_u16be (p, (guint16) port);
  ns_etl_bytes_data (p, ip, 4);
  ns_etl_bytes_zero (p, 8);
}

static void
put_local (GByteArray *p, const BigLife *life)
{
  guint8 ip[4] = { 10, 0, 0, 5 };

  put_sockaddr (p, ip, 1025 + life->number % 64000);
}

static void
put_remote (GByteArray *p, const BigLife *life)
{
  guint8 ip[4] = { 198, 51, server_byte (life, 0), server_byte (life, 1) };

  put_sockaddr (p, ip, 443);
}

static void
host_of (const BigLife *life, char *text, gsize size)
{
  g_snprintf (text, size, "www%u.site%u.example", server_byte (life, 1), server_byte (life, 0));
}

static guint64
object_of (const BigLife *life, guint what)
{
  return G_GUINT64_CONSTANT (0xffffa00000000000) + (guint64) what * 0x100000000 +
         (guint64) life->number * 0x100;
}

static void
put_event (BigSink *self, const BigLife *life, Provider provider, guint id, char step)
{
  guint64 stack[MAX_FRAMES];
  NsEtlWriterEvent event = { .guid = providers[provider], .level = 4 };

  event.cpu = life->cpu;
  event.raw = self->raw;
  event.id = (guint16) id;
  event.pid = life->pid;
  event.tid = life->tid;
  event.payload = self->payload;
  if (provider == WEBIO || provider == WININET)
    {
      guint64 activity = GUINT64_TO_LE (object_of (life, 9));

      memcpy (event.activity.bytes, &activity, sizeof activity);
    }
  if (self->is_dense)
    event.n_stack = 0;
  else if (strchr ("mrtyY", step) == NULL)
    {
      event.n_stack = fill_stack (self, stack, life->pid, step);
      event.stack = stack;
    }
  if (strchr ("mrtyY", step) != NULL)
    {
      event.pid = 4;
      event.tid = 8 + life->cpu;
    }
  self->n_records += ns_etl_writer_add_event (self->writer, &event);
}

static void
step_dns (BigSink *self, const BigLife *life, char step)
{
  GByteArray *p = self->payload;
  char text[64];

  host_of (life, text, sizeof text);
  ns_etl_bytes_wstr (p, text);
  ns_etl_bytes_u32 (p, 1);
  ns_etl_bytes_u64 (p, 0);
  if (step == 'D')
    {
      ns_etl_bytes_wstr (p, "");
      ns_etl_bytes_zero (p, 16);
    }
  else
    {
      g_snprintf (text, sizeof text, "198.51.%u.%u;", server_byte (life, 0), server_byte (life, 1));
      ns_etl_bytes_u32 (p, 0);
      ns_etl_bytes_wstr (p, text);
    }
  put_event (self, life, DNS, step == 'D' ? 3006 : 3008, step);
}

static void
step_tcp (BigSink *self, const BigLife *life, char step)
{
  static const char letters[] = "TtsmrxyY";
  static const guint16 ids[] = { 1002, 1033, 1159, 1332, 1074, 1044, 1038, 1038 };
  GByteArray *p = self->payload;

  switch (step)
    {
    case 'T':
      ns_etl_bytes_u64 (p, object_of (life, 1));
      put_local (p, life);
      put_remote (p, life);
      ns_etl_bytes_u32 (p, 2);
      ns_etl_bytes_u32 (p, 0);
      break;
    case 's':
      ns_etl_bytes_u64 (p, object_of (life, 1));
      ns_etl_bytes_wstr (p, "");
      ns_etl_bytes_u32 (p, 100 + below (self, 1400));
      ns_etl_bytes_u32 (p, 0);
      break;
    case 'm':
      ns_etl_bytes_u64 (p, object_of (life, 1));
      ns_etl_bytes_u32 (p, 1);
      ns_etl_bytes_u32 (p, 2);
      ns_etl_bytes_u32 (p, 100 + below (self, 1400));
      ns_etl_bytes_u32 (p, (guint32) self->raw);
      ns_etl_bytes_zero (p, 12);
      break;
    case 'r':
      ns_etl_bytes_u64 (p, object_of (life, 1));
      ns_etl_bytes_u32 (p, 100 + below (self, 14000));
      ns_etl_bytes_u32 (p, 0);
      break;
    default:
      put_local (p, life);
      put_remote (p, life);
      ns_etl_bytes_u32 (p, 0);
      ns_etl_bytes_u32 (p, life->pid);
      ns_etl_bytes_u32 (p, 1);
      ns_etl_bytes_u64 (p, object_of (life, 1));
      break;
    }
  put_event (self, life, TCPIP, ids[strchr (letters, step) - letters], step);
}

static void
step_socket (BigSink *self, const BigLife *life, char step)
{
  static const char letters[] = "SBCcAaz";
  static const guint16 ids[] = { 1000, 1030, 1021, 1021, 1003, 1004, 1001 };
  static const guint16 locations[] = { 1002, 7022, 5031, 5032, 3051, 4116, 2001 };
  guint at = (guint) (strchr (letters, step) - letters);
  GByteArray *p = self->payload;

  ns_etl_bytes_u32 (p, step != 'S' && step != 'C');
  ns_etl_bytes_u32 (p, locations[at]);
  ns_etl_bytes_u64 (p, G_GUINT64_CONSTANT (0xffffbb0000000000) + life->pid);
  ns_etl_bytes_u64 (p, object_of (life, 2));
  switch (step)
    {
    case 'S':
      ns_etl_bytes_u32 (p, 2);
      ns_etl_bytes_u32 (p, 1);
      ns_etl_bytes_u32 (p, 6);
      ns_etl_bytes_u64 (p, life->pid);
      ns_etl_bytes_u32 (p, 0);
      break;
    case 'A':
    case 'a':
      ns_etl_bytes_u32 (p, 1);
      ns_etl_bytes_u64 (p, 0xb0);
      ns_etl_bytes_u32 (p, 100 + below (self, 1400));
      ns_etl_bytes_u32 (p, 0);
      break;
    case 'C':
    case 'c':
      ns_etl_bytes_zero (p, 16);
      put_remote (p, life);
      break;
    default:
      ns_etl_bytes_u32 (p, 0);
      if (step == 'B')
        put_local (p, life);
      break;
    }
  put_event (self, life, AFD, ids[at], step);
}

static void
put_url (GByteArray *p, const BigLife *life, gboolean is_wide)
{
  char host[64];
  char url[128];

  host_of (life, host, sizeof host);
  g_snprintf (url,
              sizeof url,
              "https://%s/path/%u/item?q=%u",
              host,
              life->number % 300,
              life->number);
  if (is_wide)
    ns_etl_bytes_wstr (p, url);
  else
    ns_etl_bytes_astr (p, url);
}

static void
put_counted (GByteArray *p, const char *text)
{
  ns_etl_bytes_u16 (p, (guint16) strlen (text));
  ns_etl_bytes_data (p, text, strlen (text));
}

/* Appends the address as text with its length in characters before it. */
static void
put_remote_text (GByteArray *p, const BigLife *life)
{
  char text[64];

  g_snprintf (text, sizeof text, "198.51.%u.%u:443", server_byte (life, 0), server_byte (life, 1));
  ns_etl_bytes_u32 (p, (guint32) strlen (text) + 1);
  ns_etl_bytes_wstr (p, text);
}

static void
webio_connection (BigSink *self, const BigLife *life, char step)
{
  GByteArray *p = self->payload;
  char text[64];

  ns_etl_bytes_u64 (p, object_of (life, 4));
  switch (step)
    {
    case 'V':
      host_of (life, text, sizeof text);
      ns_etl_bytes_wstr (p, text);
      ns_etl_bytes_wstr (p, text);
      ns_etl_bytes_u32 (p, 1);
      ns_etl_bytes_u32 (p, 20);
      put_remote (p, life);
      put_event (self, life, WEBIO, 206, step);
      return;
    case 'n':
      ns_etl_bytes_u64 (p, object_of (life, 5));
      put_remote_text (p, life);
      ns_etl_bytes_u64 (p, 51);
      ns_etl_bytes_zero (p, 12);
      put_event (self, life, WEBIO, 200, step);
      return;
    case 'N':
      ns_etl_bytes_u64 (p, object_of (life, 5));
      ns_etl_bytes_u32 (p, 0);
      ns_etl_bytes_u64 (p, 51);
      ns_etl_bytes_zero (p, 12);
      put_event (self, life, WEBIO, 201, step);
      return;
    case 'l':
      ns_etl_bytes_u64 (p, object_of (life, 5));
      ns_etl_bytes_zero (p, 8);
      put_event (self, life, WEBIO, 204, step);
      return;
    default:
      ns_etl_bytes_u64 (p, 0x51);
      ns_etl_bytes_u64 (p, object_of (life, 5));
      ns_etl_bytes_u64 (p, 0x52);
      ns_etl_bytes_u64 (p, step == 'G' ? 0x4400 : 0x4500);
      ns_etl_bytes_u32 (p, 0);
      ns_etl_bytes_u64 (p, 100 + below (self, 5000));
      put_event (self, life, WEBIO, step == 'G' ? 214 : 216, step);
      return;
    }
}

static void
webio_request (BigSink *self, const BigLife *life, char step)
{
  GByteArray *p = self->payload;

  ns_etl_bytes_u64 (p, object_of (life, 3));
  switch (step)
    {
    case 'R':
      ns_etl_bytes_u64 (p, object_of (life, 9));
      ns_etl_bytes_u64 (p, 0x5000 + life->pid);
      ns_etl_bytes_u64 (p, 1);
      ns_etl_bytes_astr (p, "GET");
      put_url (p, life, TRUE);
      ns_etl_bytes_u16 (p, 1);
      ns_etl_bytes_u16 (p, 1);
      ns_etl_bytes_u32 (p, 0);
      put_event (self, life, WEBIO, 17, step);
      return;
    case 'w':
      ns_etl_bytes_u64 (p, 0xd00001);
      ns_etl_bytes_u64 (p, object_of (life, 4));
      put_event (self, life, WEBIO, 104, step);
      return;
    case 'h':
      put_counted (p, "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 1234\r\n\r\n");
      put_event (self, life, WEBIO, 101, step);
      return;
    default:
      ns_etl_bytes_u64 (p, object_of (life, 9));
      ns_etl_bytes_zero (p, 12);
      put_event (self, life, WEBIO, 30, step);
      return;
    }
}

static void
wininet_handle (BigSink *self, const BigLife *life)
{
  GByteArray *p = self->payload;
  char host[64];

  ns_etl_bytes_u64 (p, object_of (life, 6));
  ns_etl_bytes_u64 (p, 0xcc0000);
  put_counted (p, "GET");
  put_counted (p, "/path");
  put_counted (p, "HTTP/1.1");
  ns_etl_bytes_zero (p, 8);
  put_event (self, life, WININET, 104, 'I');
  g_byte_array_set_size (p, 0);
  host_of (life, host, sizeof host);
  ns_etl_bytes_u64 (p, object_of (life, 6));
  put_counted (p, host);
  ns_etl_bytes_u32 (p, 443);
  ns_etl_bytes_u16 (p, 0);
  self->raw++;
  put_event (self, life, WININET, 108, 'I');
}

static void
step_wininet (BigSink *self, const BigLife *life, char step)
{
  static const char letters[] = "ijJopvu";
  static const guint16 ids[] = { 1007, 1045, 1046, 1031, 1037, 1008, 105 };
  static const char answer[] = "HTTP/1.1 200 OK";
  GByteArray *p = self->payload;

  if (step == 'I')
    {
      wininet_handle (self, life);
      return;
    }
  ns_etl_bytes_u64 (p, object_of (life, step == 'u' ? 6 : 7));
  if (step == 'i')
    put_url (p, life, FALSE);
  if (step == 'J')
    ns_etl_bytes_u32 (p, 1025 + life->number % 64000);
  if (step == 'o' || step == 'p')
    ns_etl_bytes_u32 (p, 100 + below (self, 5000));
  if (step == 'v')
    {
      ns_etl_bytes_u32 (p, sizeof answer - 1);
      ns_etl_bytes_data (p, answer, sizeof answer - 1);
    }
  put_event (self, life, WININET, ids[strchr (letters, step) - letters], step);
}

static void
put_group (BigSink *self, const NsEtlWriterGroup *group)
{
  self->n_records += ns_etl_writer_add_group (self->writer, group);
}

static void
step_pool (BigSink *self, const BigLife *life, char step)
{
  GByteArray *p = self->payload;
  NsEtlWriterGroup group = { .cpu = life->cpu,
                             .raw = self->raw,
                             .group = 0x1c,
                             .version = 2,
                             .pid = life->pid,
                             .tid = life->tid,
                             .payload = p };

  group.opcode = step == 'Q' ? 32 : step == 'q' ? 34 : 35;
  if (step == 'Q')
    group.tid = life->tid ^ 4;
  ns_etl_bytes_u64 (p, 0x20000000000 + life->pid);
  ns_etl_bytes_u64 (p, 0x30000000000 + (guint64) life->number * 0x80);
  ns_etl_bytes_u64 (p, IMAGE_BASE + 0x1000);
  ns_etl_bytes_zero (p, 16);
  put_group (self, &group);
}

/**
 * big_step:
 * @self: output of the generator
 * @life: a connection
 * @step: a letter of its script
 *
 * Writes the event of one step of a connection.
 */
void
big_step (BigSink *self, const BigLife *life, char step)
{
  g_byte_array_set_size (self->payload, 0);
  if (strchr ("Dd", step) != NULL)
    step_dns (self, life, step);
  else if (strchr ("TtsmrxyY", step) != NULL)
    step_tcp (self, life, step);
  else if (strchr ("SBCcAaz", step) != NULL)
    step_socket (self, life, step);
  else if (strchr ("Qqf", step) != NULL)
    step_pool (self, life, step);
  else if (strchr ("VnNGgl", step) != NULL)
    webio_connection (self, life, step);
  else if (strchr ("Rwhk", step) != NULL)
    webio_request (self, life, step);
  else
    step_wininet (self, life, step);
}

/**
 * big_background:
 * @self: output of the generator
 * @pid: a process
 * @tid: its thread
 *
 * Writes an event that is unrelated to the network.
 */
void
big_background (BigSink *self, guint32 pid, guint32 tid)
{
  static const guint8 fields[] = "Reason\0\002Count\0\010Elapsed\0\012";
  g_autoptr (GByteArray) description = NULL;
  g_autoptr (GByteArray) schema = NULL;
  NsEtlWriterEvent event = { .guid = office, .level = 5, .payload = self->payload };

  g_byte_array_set_size (self->payload, 0);
  event.cpu = below (self, self->n_cpus);
  event.raw = self->raw;
  event.pid = pid;
  event.tid = tid;
  if (below (self, 2) == 0)
    {
      description = g_byte_array_new ();
      ns_etl_bytes_data (description, fields, sizeof fields - 1);
      schema = ns_etl_writer_schema_tl ("Something", description);
      ns_etl_bytes_astr (self->payload, "because");
      ns_etl_bytes_u32 (self->payload, below (self, 1000));
      ns_etl_bytes_u64 (self->payload, self->raw);
      event.schema_tl = schema;
      event.guid.bytes[0] ^= 0x55;
    }
  else
    {
      event.id = 40;
      ns_etl_bytes_u64 (self->payload, tid);
    }
  self->n_records += ns_etl_writer_add_event (self->writer, &event);
}

static void
put_process (BigSink *self, guint process)
{
  GByteArray *p = self->payload;
  NsEtlWriterGroup group = { .raw = self->raw,
                             .group = 3,
                             .opcode = 3,
                             .version = 4,
                             .payload = p };
  char name[32];

  g_byte_array_set_size (p, 0);
  g_snprintf (name, sizeof name, "program%u.exe", process);
  ns_etl_bytes_u64 (p, G_GUINT64_CONSTANT (0xffffbb0000000000) + big_pid (process));
  ns_etl_bytes_u32 (p, big_pid (process));
  ns_etl_bytes_u32 (p, 4);
  ns_etl_bytes_u32 (p, 1);
  ns_etl_bytes_zero (p, 4 + 8 + 4 + 4);
  ns_etl_bytes_astr (p, name);
  ns_etl_bytes_wstr (p, name);
  ns_etl_bytes_wstr (p, "");
  ns_etl_bytes_wstr (p, "");
  put_group (self, &group);
}

static void
put_thread (BigSink *self, guint process, guint thread)
{
  GByteArray *p = self->payload;
  NsEtlWriterGroup group = { .raw = self->raw,
                             .group = 5,
                             .opcode = 3,
                             .version = 3,
                             .payload = p };

  g_byte_array_set_size (p, 0);
  ns_etl_bytes_u32 (p, big_pid (process));
  ns_etl_bytes_u32 (p, big_tid (process, thread));
  ns_etl_bytes_zero (p, 32);
  ns_etl_bytes_u64 (p, 3);
  ns_etl_bytes_u64 (p, IMAGE_BASE + 0x5000);
  ns_etl_bytes_zero (p, 18);
  put_group (self, &group);
}

static void
put_image (BigSink *self, guint process, guint image)
{
  GByteArray *p = self->payload;
  NsEtlWriterGroup group = { .raw = self->raw,
                             .kind = NS_RECORD_PERFINFO64,
                             .group = 0x14,
                             .opcode = 3,
                             .version = 3,
                             .payload = p };
  char path[64];

  g_byte_array_set_size (p, 0);
  g_snprintf (path, sizeof path, "\\Windows\\System32\\library%u.dll", image);
  ns_etl_bytes_u64 (p, IMAGE_BASE + (guint64) image * IMAGE_STEP);
  ns_etl_bytes_u64 (p, IMAGE_SIZE);
  ns_etl_bytes_u32 (p, big_pid (process));
  ns_etl_bytes_zero (p, 36);
  ns_etl_bytes_wstr (p, image == 0 ? "\\Windows\\System32\\ntdll.dll" : path);
  put_group (self, &group);
}

/**
 * big_rundown:
 * @self: output of the generator
 * @n_processes: number of processes
 * @n_threads: number of threads of each
 *
 * Writes the rundown events of the processes, threads and images that exist when the trace begins.
 */
void
big_rundown (BigSink *self, guint n_processes, guint n_threads)
{
  guint process;
  guint i;

  for (process = 0; process < n_processes; process++)
    {
      self->raw++;
      put_process (self, process);
      for (i = 0; i < n_threads; i++)
        put_thread (self, process, i);
      for (i = 0; i < N_IMAGES; i++)
        put_image (self, process, i);
    }
}
