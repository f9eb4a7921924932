/* Functions that add events to the sample trace, at a time and in any order.
 *
 * Payloads follow the layouts that Windows 10 publishes for its providers.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "sample-story.h"

#include "sample-headers.h"

#define N_PROCESSORS 4
/* 10 MHz: ten ticks a microsecond. */
#define TICKS_PER_US 10
/* SystemConfig_CPU up to the end of the computer's name (wmicore.mof). */
#define MACHINE_BYTES 532
#define BASE_RAW G_GUINT64_CONSTANT (5000000000)
/* 2026-03-02 13:14:05 UTC. */
#define START_FILETIME G_GUINT64_CONSTANT (134169308450000000)

static const NsGuid tcpip =
    NS_GUID_INIT (0x2f07e2ee, 0x15db, 0x40f1, 0x90, 0xef, 0x9d, 0x7b, 0xa2, 0x82, 0x18, 0x8a);
static const NsGuid afd =
    NS_GUID_INIT (0xe53c6823, 0x7bb8, 0x44bb, 0x90, 0xdc, 0x3f, 0x86, 0x09, 0x0d, 0x48, 0xa6);
static const NsGuid dns =
    NS_GUID_INIT (0x1c95126e, 0x7eea, 0x49a9, 0xa3, 0xfe, 0xa3, 0x78, 0xb0, 0x3d, 0xdb, 0x4d);
static const NsGuid webio =
    NS_GUID_INIT (0x50b3e73c, 0x9370, 0x461d, 0xbb, 0x9f, 0x26, 0xf3, 0x2d, 0x68, 0x88, 0x7d);
static const NsGuid ldap =
    NS_GUID_INIT (0x099614a5, 0x5dd7, 0x4788, 0x8b, 0xc9, 0xe2, 0x9f, 0x43, 0xdb, 0x28, 0xfc);

/* A record, written in time order at the end. */
typedef struct
{
  guint64 us;
  guint order;
  gboolean is_group;
  NsEtlWriterEvent event;
  NsEtlWriterGroup group;
  GByteArray *payload;
  guint64 *stack;
} Record;

struct _SampleStory
{
  GPtrArray *records; /* element-type Record */
};

static void
record_free (gpointer data)
{
  Record *record = data;

  g_byte_array_unref (record->payload);
  g_free (record->stack);
  g_free (record);
}

SampleStory *
sample_story_new (void)
{
  SampleStory *self = g_new0 (SampleStory, 1);

  self->records = g_ptr_array_new_with_free_func (record_free);
  return self;
}

static Record *
add_record (SampleStory *self, guint64 us)
{
  Record *record = g_new0 (Record, 1);

  record->us = us;
  record->order = self->records->len;
  record->payload = g_byte_array_new ();
  g_ptr_array_add (self->records, record);
  return record;
}

static GByteArray *
add_event (SampleStory *self, guint64 us, const NsGuid *guid, guint16 id, SampleActor actor)
{
  Record *record = add_record (self, us);

  record->event.guid = *guid;
  record->event.id = id;
  sample_set_header (&record->event);
  record->event.pid = actor.pid;
  record->event.tid = actor.tid;
  return record->payload;
}

static GByteArray *
add_group (SampleStory *self,
           guint64 us,
           NsRecordKind kind,
           guint8 group,
           guint8 opcode,
           guint8 version)
{
  Record *record = add_record (self, us);

  record->is_group = TRUE;
  record->group.kind = kind;
  record->group.group = group;
  record->group.opcode = opcode;
  record->group.version = version;
  return record->payload;
}

static Record *
get_last (SampleStory *self)
{
  return g_ptr_array_index (self->records, self->records->len - 1);
}

static int
compare_records (gconstpointer a, gconstpointer b)
{
  const Record *left = *(const Record *const *) a;
  const Record *right = *(const Record *const *) b;

  if (left->us != right->us)
    return left->us < right->us ? -1 : 1;
  return left->order < right->order ? -1 : 1;
}

static void
write_record (NsEtlWriter *writer, Record *record)
{
  guint64 raw = BASE_RAW + record->us * TICKS_PER_US;

  if (record->is_group)
    {
      record->group.raw = raw;
      record->group.cpu = record->group.tid % N_PROCESSORS;
      record->group.payload = record->payload;
      ns_etl_writer_add_group (writer, &record->group);
      return;
    }
  record->event.raw = raw;
  record->event.cpu = record->event.tid % N_PROCESSORS;
  record->event.payload = record->payload;
  ns_etl_writer_add_event (writer, &record->event);
}

/* Writes the trace with the values of @header, and frees @self. */
gboolean
sample_story_write_as (SampleStory *self,
                       const char *path,
                       const SampleHeader *header,
                       GError **error)
{
  guint64 start = header->start_filetime != 0 ? header->start_filetime : START_FILETIME;
  NsEtlWriterOptions options = { .buffer_size = 16 * 1024,
                                 .n_processors = N_PROCESSORS,
                                 .pointer_size = 8,
                                 .clock = NS_CLOCK_QPC,
                                 .frequency = 10000000,
                                 .start_filetime = start,
                                 .end_filetime = start + 20 * NS_TICKS_PER_SECOND,
                                 .base_raw = BASE_RAW,
                                 .session = "Sample",
                                 .log_file = "C:\\Traces\\sample.etl",
                                 .bias_min = -60,
                                 .os_build = 22631,
                                 .events_lost = header->events_lost,
                                 .buffers_lost = header->buffers_lost };
  g_autoptr (NsEtlWriter) writer = ns_etl_writer_new (&options);
  gboolean ok;
  guint i;

  g_ptr_array_sort (self->records, compare_records);
  for (i = 0; i < self->records->len; i++)
    write_record (writer, g_ptr_array_index (self->records, i));
  ok = ns_etl_writer_finish_to_file (writer, path, error);
  g_ptr_array_unref (self->records);
  g_free (self);
  return ok;
}

/* Writes the trace and frees @self. */
gboolean
sample_story_write (SampleStory *self, const char *path, GError **error)
{
  static const SampleHeader usual = { 0 };

  return sample_story_write_as (self, path, &usual, error);
}

/* ---- the kernel ---- */

/* Adds the name of the computer, which is part of SystemConfig_CPU. */
void
sample_machine (SampleStory *self, const char *name)
{
  GByteArray *p = add_group (self, 0, NS_RECORD_SYSTEM64, 0x0b, 10, 2);

  ns_etl_bytes_u32 (p, 2400);
  ns_etl_bytes_u32 (p, N_PROCESSORS);
  ns_etl_bytes_u32 (p, 8192);
  ns_etl_bytes_u32 (p, 4096);
  ns_etl_bytes_u32 (p, 65536);
  ns_etl_bytes_wstr (p, name);
  ns_etl_bytes_zero (p, MACHINE_BYTES - p->len);
}

void
sample_process (SampleStory *self,
                guint64 us,
                guint32 pid,
                guint32 parent,
                const char *image,
                const char *command)
{
  sample_program (self, us, pid, parent, image, command, "");
}

/* Adds a process of an application package, whose name contains its version. */
void
sample_program (SampleStory *self,
                guint64 us,
                guint32 pid,
                guint32 parent,
                const char *image,
                const char *command,
                const char *package)
{
  GByteArray *p = add_group (self,
                             us,
                             us == 0 ? NS_RECORD_PERFINFO64 : NS_RECORD_SYSTEM64,
                             3,
                             us == 0 ? 3 : 1,
                             4);

  get_last (self)->group.pid = parent;
  get_last (self)->group.tid = parent + 4;
  ns_etl_bytes_u64 (p, G_GUINT64_CONSTANT (0xffffe00000000000) + pid * 0x1000u);
  ns_etl_bytes_u32 (p, pid);
  ns_etl_bytes_u32 (p, parent);
  ns_etl_bytes_u32 (p, 1);
  ns_etl_bytes_u32 (p, 0x103);
  ns_etl_bytes_u64 (p, 0x100000u + pid * 0x1000u);
  ns_etl_bytes_u32 (p, 0);
  ns_etl_bytes_u32 (p, 0); /* no SID */
  ns_etl_bytes_astr (p, image);
  ns_etl_bytes_wstr (p, command);
  ns_etl_bytes_wstr (p, package);
  ns_etl_bytes_wstr (p, "");
}

void
sample_thread (SampleStory *self,
               guint64 us,
               SampleActor actor,
               SampleActor creator,
               guint64 start,
               gboolean rundown)
{
  GByteArray *p = add_group (self, us, NS_RECORD_SYSTEM64, 5, rundown ? 3 : 1, 3);
  guint i;

  get_last (self)->group.pid = rundown ? actor.pid : creator.pid;
  get_last (self)->group.tid = rundown ? actor.tid : creator.tid;
  ns_etl_bytes_u32 (p, actor.pid);
  ns_etl_bytes_u32 (p, actor.tid);
  for (i = 0; i < 7; i++)
    ns_etl_bytes_u64 (p, i == 5 ? start : i == 4 ? 0xff : 0x7ff600000000u + i * 0x10000u);
  ns_etl_bytes_u32 (p, 0);
  ns_etl_bytes_u32 (p, 0);
  ns_etl_bytes_wstr (p, "");
}

void
sample_image (SampleStory *self, guint32 pid, guint64 base, guint64 size, const char *path)
{
  GByteArray *p = add_group (self, 0, NS_RECORD_PERFINFO64, 0x14, 3, 3);

  ns_etl_bytes_u64 (p, base);
  ns_etl_bytes_u64 (p, size);
  ns_etl_bytes_u32 (p, pid);
  ns_etl_bytes_u32 (p, 0);
  ns_etl_bytes_u32 (p, 0x65a0f000u + (guint32) (base >> 16));
  ns_etl_bytes_u32 (p, 0);
  ns_etl_bytes_u64 (p, base);
  ns_etl_bytes_zero (p, 16);
  ns_etl_bytes_wstr (p, path);
}

/* Adds the stack of the classic event with this time and thread. */
void
sample_stack (SampleStory *self,
              guint64 us,
              SampleActor actor,
              const guint64 *frames,
              guint n_frames)
{
  GByteArray *p = add_group (self, us + 1, NS_RECORD_PERFINFO64, 0x18, 32, 2);
  guint i;

  get_last (self)->group.tid = actor.tid;
  ns_etl_bytes_u64 (p, BASE_RAW + us * TICKS_PER_US);
  ns_etl_bytes_u32 (p, actor.pid);
  ns_etl_bytes_u32 (p, actor.tid);
  for (i = 0; i < n_frames; i++)
    ns_etl_bytes_u64 (p, frames[i]);
}

/* Adds an event of a callback of the Windows thread pool: 32 enqueue, 33 dequeue, 34 start, 35
 * stop. */
void
sample_pool (SampleStory *self, guint64 us, SampleActor actor, guint8 opcode, guint64 task)
{
  GByteArray *p = add_group (self, us, NS_RECORD_SYSTEM64, 0x1c, opcode, 2);

  get_last (self)->group.pid = actor.pid;
  get_last (self)->group.tid = actor.tid;
  ns_etl_bytes_u64 (p, 0x1d0000u + actor.pid);
  ns_etl_bytes_u64 (p, task);
  ns_etl_bytes_u64 (p, G_GUINT64_CONSTANT (0x7ff812340000));
  ns_etl_bytes_u64 (p, task + 0x40);
  ns_etl_bytes_u64 (p, 0);
}

/* ---- names ---- */

/* Adds a query that is sent to a DNS server. */
void
sample_dns_asked (SampleStory *self,
                  guint64 us,
                  SampleActor actor,
                  const char *name,
                  const char *server)
{
  GByteArray *p = add_event (self, us, &dns, 3010, actor);

  ns_etl_bytes_wstr (p, name);
  ns_etl_bytes_u32 (p, 1);
  ns_etl_bytes_wstr (p, server);
}

void
sample_dns (SampleStory *self,
            guint64 us,
            guint64 took_us,
            SampleActor actor,
            const char *name,
            const char *result,
            guint32 status)
{
  GByteArray *p = add_event (self, us, &dns, 3006, actor);

  ns_etl_bytes_wstr (p, name);
  ns_etl_bytes_u32 (p, 1);
  ns_etl_bytes_u64 (p, 0x40026010);
  ns_etl_bytes_wstr (p, "");
  ns_etl_bytes_u32 (p, 1);
  ns_etl_bytes_u32 (p, 0);
  ns_etl_bytes_u32 (p, 0);
  ns_etl_bytes_u32 (p, 0);

  p = add_event (self, us + took_us, &dns, 3008, actor);
  ns_etl_bytes_wstr (p, name);
  ns_etl_bytes_u32 (p, 1);
  ns_etl_bytes_u64 (p, 0x40026010);
  ns_etl_bytes_u32 (p, status);
  ns_etl_bytes_wstr (p, result);
}

/* ---- sockets ---- */

static void
afd_common (GByteArray *p, const SampleConnection *c, guint32 is_exit, guint32 location)
{
  ns_etl_bytes_u32 (p, is_exit);
  ns_etl_bytes_u32 (p, location);
  ns_etl_bytes_u64 (p, c->process);
  ns_etl_bytes_u64 (p, c->endpoint);
}

static void
counted_sockaddr (GByteArray *p, const char *endpoint)
{
  gsize at = p->len;

  ns_etl_bytes_u32 (p, 0);
  ns_etl_bytes_sockaddr_text (p, endpoint);
  ns_etl_bytes_set_u32 (p, at, (guint32) (p->len - at - 4));
}

void
sample_socket (SampleStory *self,
               guint64 us,
               const SampleConnection *c,
               gboolean is_udp,
               const guint64 *stack,
               guint n_stack)
{
  GByteArray *p = add_event (self, us, &afd, 1000, c->actor);

  if (n_stack > 0)
    {
      get_last (self)->stack = g_memdup2 (stack, n_stack * sizeof *stack);
      get_last (self)->event.stack = get_last (self)->stack;
      get_last (self)->event.n_stack = n_stack;
    }
  afd_common (p, c, 0, 1002);
  ns_etl_bytes_u32 (p, NS_AF_INET);
  ns_etl_bytes_u32 (p, is_udp ? 2 : 1);
  ns_etl_bytes_u32 (p, is_udp ? 17 : 6);
  ns_etl_bytes_u64 (p, c->actor.pid);
  ns_etl_bytes_u32 (p, 0);

  p = add_event (self, us + 40, &afd, 1030, c->actor);
  afd_common (p, c, 1, 7022);
  ns_etl_bytes_u32 (p, 0);
  counted_sockaddr (p, c->local);
}

static GByteArray *
tcp_ends (SampleStory *self,
          guint64 us,
          guint16 id,
          SampleActor actor,
          const SampleConnection *c,
          guint32 status)
{
  GByteArray *p = add_event (self, us, &tcpip, id, actor);

  counted_sockaddr (p, c->local);
  counted_sockaddr (p, c->remote);
  ns_etl_bytes_u32 (p, status);
  ns_etl_bytes_u32 (p, c->actor.pid);
  ns_etl_bytes_u32 (p, 1);
  ns_etl_bytes_u64 (p, c->tcb);
  return p;
}

static void
begin_connect (SampleStory *self, guint64 us, const SampleConnection *c)
{
  GByteArray *p = add_event (self, us, &afd, 1021, c->actor);

  afd_common (p, c, 0, 5031);
  ns_etl_bytes_u64 (p, 0);
  ns_etl_bytes_u32 (p, 0);
  ns_etl_bytes_u32 (p, 0);
  counted_sockaddr (p, c->remote);

  p = add_event (self, us + 20, &tcpip, 1002, c->actor);
  ns_etl_bytes_u64 (p, c->tcb);
  counted_sockaddr (p, c->local);
  counted_sockaddr (p, c->remote);
  ns_etl_bytes_u32 (p, 2);
  ns_etl_bytes_u32 (p, 0);
  tcp_ends (self, us + 30, 1031, c->actor, c, 0);
}

static void
end_connect (SampleStory *self, guint64 us, const SampleConnection *c, guint32 status)
{
  GByteArray *p = add_event (self, us, &afd, 1021, c->actor);

  afd_common (p, c, 1, 5031);
  ns_etl_bytes_u64 (p, 0);
  ns_etl_bytes_u32 (p, 0);
  ns_etl_bytes_u32 (p, status);
  counted_sockaddr (p, c->remote);
}

void
sample_connect (SampleStory *self, guint64 us, guint64 took_us, SampleConnection *c)
{
  static const SampleActor nobody = { 0, 0 };

  begin_connect (self, us, c);
  tcp_ends (self, us + took_us, 1033, nobody, c, 0);
  end_connect (self, us + took_us + 15, c, 0);
  c->sequence = 1000;
}

void
sample_connect_failed (SampleStory *self,
                       guint64 us,
                       guint64 took_us,
                       SampleConnection *c,
                       guint32 status)
{
  static const SampleActor nobody = { 0, 0 };

  begin_connect (self, us, c);
  tcp_ends (self, us + took_us, 1034, nobody, c, status);
  end_connect (self, us + took_us + 15, c, status);
}

void
sample_send (SampleStory *self, guint64 us, SampleConnection *c, guint32 n_bytes)
{
  static const SampleActor nobody = { 0, 0 };
  GByteArray *p = add_event (self, us, &afd, 1003, c->actor);

  afd_common (p, c, 0, 3047);
  ns_etl_bytes_u32 (p, 1);
  ns_etl_bytes_u64 (p, 0x2000);
  ns_etl_bytes_u32 (p, n_bytes);
  ns_etl_bytes_u32 (p, 0);

  p = add_event (self, us + 10, &tcpip, 1159, c->actor);
  ns_etl_bytes_u64 (p, c->tcb);
  ns_etl_bytes_wstr (p, "");
  ns_etl_bytes_u32 (p, n_bytes);
  ns_etl_bytes_u32 (p, c->sequence);

  p = add_event (self, us + 25, &tcpip, 1332, nobody);
  ns_etl_bytes_u64 (p, c->tcb);
  ns_etl_bytes_u32 (p, 14600);
  ns_etl_bytes_u32 (p, 65535);
  ns_etl_bytes_u32 (p, n_bytes);
  ns_etl_bytes_u32 (p, c->sequence);
  ns_etl_bytes_u32 (p, 24);
  ns_etl_bytes_u32 (p, 3);
  ns_etl_bytes_u32 (p, 300);
  c->sequence += n_bytes;

  p = add_event (self, us + 30, &afd, 1003, c->actor);
  afd_common (p, c, 1, 3051);
  ns_etl_bytes_u32 (p, 1);
  ns_etl_bytes_u64 (p, 0x2000);
  ns_etl_bytes_u32 (p, n_bytes);
  ns_etl_bytes_u32 (p, 0);
}

void
sample_receive (SampleStory *self, guint64 us, SampleConnection *c, guint32 n_bytes)
{
  static const SampleActor nobody = { 0, 0 };
  GByteArray *p = add_event (self, us, &tcpip, 1074, nobody);

  ns_etl_bytes_u64 (p, c->tcb);
  ns_etl_bytes_u32 (p, n_bytes);
  ns_etl_bytes_u32 (p, 0);

  p = add_event (self, us + 30, &afd, 1004, c->actor);
  afd_common (p, c, 1, 4116);
  ns_etl_bytes_u32 (p, 1);
  ns_etl_bytes_u64 (p, 0x3000);
  ns_etl_bytes_u32 (p, n_bytes);
  ns_etl_bytes_u32 (p, 0);
}

static void
tcp_trouble (SampleStory *self, guint64 us, guint16 id, const SampleConnection *c)
{
  static const SampleActor nobody = { 0, 0 };
  GByteArray *p = add_event (self, us, &tcpip, id, nobody);

  ns_etl_bytes_u64 (p, c->tcb);
  counted_sockaddr (p, c->local);
  counted_sockaddr (p, c->remote);
}

/* Adds a retransmission. */
void
sample_send_again (SampleStory *self, guint64 us, const SampleConnection *c)
{
  tcp_trouble (self, us, 1187, c);
}

/* Adds a reset by the server. */
void
sample_reset (SampleStory *self, guint64 us, const SampleConnection *c)
{
  tcp_trouble (self, us, 1184, c);
}

void
sample_close (SampleStory *self, guint64 us, SampleConnection *c)
{
  static const SampleActor system = { 4, 92 };
  GByteArray *p = add_event (self, us, &afd, 1001, c->actor);

  afd_common (p, c, 1, 2001);
  ns_etl_bytes_u32 (p, 0);
  if (c->tcb == 0)
    return;
  tcp_ends (self, us + 50, 1038, system, c, 0);
  tcp_ends (self, us + 900, 1044, system, c, 0xc0000237);
}

void
sample_datagram (SampleStory *self,
                 guint64 us,
                 const SampleConnection *c,
                 guint32 n_bytes,
                 gboolean is_receive)
{
  GByteArray *p;

  if (!is_receive)
    {
      p = add_event (self, us, &afd, 1013, c->actor);
      afd_common (p, c, 0, 3044);
      ns_etl_bytes_u32 (p, 1);
      ns_etl_bytes_u64 (p, 0x4000);
      ns_etl_bytes_u32 (p, n_bytes);
      ns_etl_bytes_u32 (p, 0);
      counted_sockaddr (p, c->remote);
    }
  p = add_event (self, us + 10, &tcpip, is_receive ? 1170 : 1169, c->actor);
  ns_etl_bytes_u64 (p, c->endpoint + 0x800);
  ns_etl_bytes_u32 (p, 1);
  ns_etl_bytes_u32 (p, n_bytes);
  counted_sockaddr (p, c->local);
  counted_sockaddr (p, c->remote);
  ns_etl_bytes_u32 (p, c->actor.pid);
  if (is_receive)
    {
      p = add_event (self, us + 20, &afd, 1009, c->actor);
      afd_common (p, c, 1, 4052);
      ns_etl_bytes_u32 (p, 1);
      ns_etl_bytes_u64 (p, 0x4000);
      ns_etl_bytes_u32 (p, n_bytes);
      ns_etl_bytes_u32 (p, 0);
      counted_sockaddr (p, c->remote);
    }
}

/* ---- WinHTTP ---- */

static GByteArray *
add_webio (SampleStory *self, guint64 us, guint16 id, const SampleRequest *r)
{
  GByteArray *p = add_event (self, us, &webio, id, r->actor);
  NsGuid *activity = &get_last (self)->event.activity;
  guint64 handle = GUINT64_TO_LE (r->handle);
  guint32 low = GUINT32_TO_LE ((guint32) r->request);

  memcpy (activity->bytes, &handle, 8);
  memcpy (activity->bytes + 8, &low, 4);
  return p;
}

void
sample_request (SampleStory *self,
                guint64 us,
                const SampleRequest *r,
                const guint64 *stack,
                guint n_stack)
{
  GByteArray *p = add_webio (self, us, 17, r);

  if (n_stack > 0)
    {
      get_last (self)->stack = g_memdup2 (stack, n_stack * sizeof *stack);
      get_last (self)->event.stack = get_last (self)->stack;
      get_last (self)->event.n_stack = n_stack;
    }
  ns_etl_bytes_u64 (p, r->request);
  ns_etl_bytes_u64 (p, r->handle);
  ns_etl_bytes_u64 (p, 0x1e0000u + r->actor.pid);
  ns_etl_bytes_u64 (p, 0x10);
  ns_etl_bytes_astr (p, r->method);
  ns_etl_bytes_wstr (p, r->url);
  ns_etl_bytes_u16 (p, 1);
  ns_etl_bytes_u16 (p, 1);
  ns_etl_bytes_u32 (p, 0);

  p = add_webio (self, us + 300, 104, r);
  ns_etl_bytes_u64 (p, r->request);
  ns_etl_bytes_u64 (p, 0x1f0000);
  ns_etl_bytes_u64 (p, r->connection);
}

void
sample_request_resolve (SampleStory *self,
                        guint64 us,
                        guint64 took_us,
                        const SampleRequest *r,
                        const char *address)
{
  GByteArray *p = add_webio (self, us, 205, r);
  gsize at;

  ns_etl_bytes_u64 (p, r->connection);
  ns_etl_bytes_wstr (p, r->host);
  ns_etl_bytes_u32 (p, 0);
  ns_etl_bytes_u64 (p, 0);

  p = add_webio (self, us + took_us, 206, r);
  ns_etl_bytes_u64 (p, r->connection);
  ns_etl_bytes_wstr (p, r->host);
  ns_etl_bytes_wstr (p, r->host);
  ns_etl_bytes_u32 (p, 1);
  at = p->len;
  ns_etl_bytes_u32 (p, 0);
  ns_etl_bytes_sockaddr_text (p, address);
  ns_etl_bytes_set_u32 (p, at, (guint32) (p->len - at - 4));
}

static void
add_socket_connect (SampleStory *self,
                    guint64 us,
                    guint16 id,
                    const SampleRequest *r,
                    guint32 error)
{
  GByteArray *p = add_webio (self, us, id, r);
  gboolean has_address = id == 200;

  ns_etl_bytes_u64 (p, r->connection);
  ns_etl_bytes_u64 (p, r->socket);
  ns_etl_bytes_u32 (p, has_address ? (guint32) strlen (r->address) + 1 : 0);
  if (has_address)
    ns_etl_bytes_wstr (p, r->address);
  ns_etl_bytes_u64 (p, 0);
  ns_etl_bytes_u64 (p, 0);
  ns_etl_bytes_u32 (p, error);
}

void
sample_request_connect (SampleStory *self,
                        guint64 us,
                        guint64 took_us,
                        const SampleRequest *r,
                        guint32 error)
{
  add_socket_connect (self, us, 200, r, 0);
  add_socket_connect (self, us + took_us, error == 0 ? 201 : 202, r, error);
}

void
sample_request_tls (SampleStory *self, guint64 us, guint64 took_us, const SampleRequest *r)
{
  guint i;

  for (i = 0; i < 2; i++)
    {
      GByteArray *p = add_webio (self, us + i * took_us, i == 0 ? 700 : 703, r);

      ns_etl_bytes_u64 (p, r->connection);
      ns_etl_bytes_zero (p, 32);
      ns_etl_bytes_wstr (p, r->host);
      ns_etl_bytes_zero (p, 4 + 8 + 4 + 4 + 4 + 8 + 4 + 4);
    }
}

/* Adds a request whose server certificate is rejected: SEC_E_UNTRUSTED_ROOT,
 * ERROR_WINHTTP_SECURE_FAILURE. */
void
sample_request_tls_failed (SampleStory *self, guint64 us, guint64 took_us, const SampleRequest *r)
{
  const guint32 untrusted_root = 0x80090325;
  const guint32 secure_failure = 12175;
  GByteArray *p;

  sample_request_tls (self, us, took_us, r);
  p = get_last (self)->payload;
  g_byte_array_set_size (p, p->len - 4);
  ns_etl_bytes_u32 (p, untrusted_root);

  p = add_webio (self, us + took_us + 100, 713, r);
  ns_etl_bytes_u64 (p, r->connection);
  ns_etl_bytes_zero (p, 16 + 4 + 4);
  ns_etl_bytes_u32 (p, untrusted_root);
  ns_etl_bytes_u32 (p, 0);

  p = add_webio (self, us + took_us + 300, 135, r);
  ns_etl_bytes_u64 (p, r->request);
  ns_etl_bytes_u32 (p, 0);
  ns_etl_bytes_u32 (p, secure_failure);
  ns_etl_bytes_u64 (p, 0);
}

static void
add_transfer (SampleStory *self, guint64 us, guint16 id, const SampleRequest *r, guint64 n_bytes)
{
  GByteArray *p = add_webio (self, us, id, r);

  ns_etl_bytes_u64 (p, r->connection);
  ns_etl_bytes_u64 (p, 0x5000);
  ns_etl_bytes_u64 (p, r->socket);
  ns_etl_bytes_u64 (p, 0x6000);
  ns_etl_bytes_u64 (p, r->request + 0x80);
  ns_etl_bytes_u32 (p, 0);
  ns_etl_bytes_u64 (p, n_bytes);
}

void
sample_request_send (SampleStory *self, guint64 us, const SampleRequest *r, guint32 n_bytes)
{
  add_transfer (self, us, 213, r, 0);
  add_transfer (self, us + 400, 214, r, n_bytes);
}

void
sample_request_answer (SampleStory *self, guint64 us, const SampleRequest *r, const char *headers)
{
  GByteArray *p = add_webio (self, us, 101, r);

  ns_etl_bytes_u64 (p, r->request);
  ns_etl_bytes_u16 (p, (guint16) strlen (headers));
  ns_etl_bytes_data (p, headers, strlen (headers));
}

void
sample_request_receive (SampleStory *self, guint64 us, const SampleRequest *r, guint32 n_bytes)
{
  add_transfer (self, us, 215, r, 0);
  add_transfer (self, us + 500, 216, r, n_bytes);
}

void
sample_request_end (SampleStory *self, guint64 us, const SampleRequest *r)
{
  GByteArray *p = add_webio (self, us, 30, r);

  ns_etl_bytes_u64 (p, r->request);
  ns_etl_bytes_u64 (p, r->handle);
  ns_etl_bytes_u64 (p, 0);
  ns_etl_bytes_u32 (p, 0);
}

/* ---- LDAP ---- */

void
sample_ldap_search (SampleStory *self,
                    guint64 us,
                    SampleActor actor,
                    const char *base,
                    const char *filter)
{
  GByteArray *p = add_event (self, us, &ldap, 30, actor);
  NsEtlWriterEvent *event = &get_last (self)->event;

  event->level = 0;
  event->opcode = 0;
  event->task = 0;
  event->keyword = 1; /* search; WebIO uses the same event ID */

  ns_etl_bytes_u32 (p, 2);
  ns_etl_bytes_wstr (p, filter);
  ns_etl_bytes_wstr (p, base);
  ns_etl_bytes_wstr (p, "cn,mail");
  ns_etl_bytes_u32 (p, actor.pid);
}
