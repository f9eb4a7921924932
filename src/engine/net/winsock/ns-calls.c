/* WinSock and name-resolution calls, each made of an enter and an exit event.
 *
 * The exit may be logged on another thread than the enter; the two are paired by socket, operation
 * and buffer, oldest first.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-map.h"
#include "base/ns-meanwhile.h"
#include "engine/build/ns-activities-row.h"
#include "engine/build/ns-builder.h"
#include "engine/catalog/ns-catalog.h"
#include "engine/net/winsock/ns-call-link.h"
#include "engine/net/winsock/ns-call-lives.h"
#include "engine/net/winsock/ns-winsock.h"
#include "wire/ns-sockaddr.h"

/* Exits at these locations repeat what the enclosing operation reports (correlation 1.2). */
#define SITE_SEND_TWICE_A 3073
#define SITE_SEND_TWICE_B 3024

/* Minimum number of calls that are linked in a separate thread. */
#define MIN_SHARED_CALLS 16384

/* Layout of the fields after the common ones of an AFD event. */
typedef enum
{
  BODY_NONE,
  BODY_CREATE,
  BODY_STATUS,
  BODY_BUFFER,         /* count, buffer, length, status */
  BODY_BUFFER_ADDRESS, /* as BODY_BUFFER, then an address */
  BODY_CONNECT,        /* buffer, length, status, address */
  BODY_BIND,           /* status, address */
  BODY_ABORT,
  BODY_OPTION,
  BODY_LISTEN,
} Body;

typedef struct
{
  guint16 id;
  guint8 body;
  guint8 kind; /* an NsCallKind */
} Operation;

static const Operation operations[] = {
  { 1000, BODY_CREATE, NS_CALL_SOCKET },         { 1001, BODY_STATUS, NS_CALL_CLOSE },
  { 1003, BODY_BUFFER, NS_CALL_SEND },           { 1004, BODY_BUFFER, NS_CALL_RECV },
  { 1005, BODY_BUFFER, NS_CALL_SENDTO },         { 1006, BODY_BUFFER, NS_CALL_RECVFROM },
  { 1007, BODY_BUFFER_ADDRESS, NS_CALL_SENDTO }, { 1009, BODY_BUFFER_ADDRESS, NS_CALL_RECVFROM },
  { 1011, BODY_BUFFER, NS_CALL_SENDMSG },        { 1012, BODY_BUFFER, NS_CALL_RECVMSG },
  { 1013, BODY_BUFFER_ADDRESS, NS_CALL_SENDTO }, { 1015, BODY_BUFFER_ADDRESS, NS_CALL_RECVFROM },
  { 1017, BODY_STATUS, NS_CALL_CONNECT },        { 1018, BODY_CONNECT, NS_CALL_CONNECT },
  { 1020, BODY_STATUS, NS_CALL_CONNECT },        { 1021, BODY_CONNECT, NS_CALL_CONNECT },
  { 1023, BODY_STATUS, NS_CALL_ACCEPT },         { 1024, BODY_CONNECT, NS_CALL_ACCEPT },
  { 1026, BODY_STATUS, NS_CALL_ACCEPT },         { 1027, BODY_CONNECT, NS_CALL_ACCEPT },
  { 1029, BODY_STATUS, NS_CALL_BIND },           { 1030, BODY_BIND, NS_CALL_BIND },
  { 1032, BODY_ABORT, NS_CALL_ABORT },           { 1035, BODY_OPTION, NS_CALL_SETSOCKOPT },
  { 1037, BODY_LISTEN, NS_CALL_LISTEN },         { 3006, BODY_STATUS, NS_CALL_SHUTDOWN },
};

/* Open calls, in a queue for each key. */
typedef struct
{
  guint32 head; /* row + 1, oldest */
  guint32 tail;
} Line;

struct _NsCalls
{
  GArray *owners; /* element-type NsCallOwner, one a row */
  GArray *next;   /* element-type guint32, one a row: the next one in its queue, row + 1 */
  GArray *lines;  /* element-type Line */
  guint32 unused; /* number of an empty queue, whose tail is the number of the next one; 0: none */
  NsMap *line_of; /* key → number of the queue + 1 */
  /* Texts of the calls' parameters: the thread that reads them may not add texts to the trace,
   * so parameters refer to these until calls_number() runs. */
  NsStrings *texts;
  NsMeanwhile linking; /* links calls with sockets, in a thread */
};

typedef struct
{
  gboolean is_exit;
  guint32 location;
  guint64 process;
  guint64 endpoint;
  guint64 buffer;
  gint64 length;
  guint32 status;
  gboolean has_status;
  NsEndpoint remote;
  NsString params;
} Afd;

static void
calls_start (NsBuilder *builder)
{
  NsCalls *self = builder->calls = g_new0 (NsCalls, 1);

  self->owners = g_array_new (FALSE, TRUE, sizeof (NsCallOwner));
  self->next = g_array_new (FALSE, TRUE, sizeof (guint32));
  self->lines = g_array_new (FALSE, TRUE, sizeof (Line));
  self->line_of = ns_map_new ();
  self->texts = ns_strings_new ();
}

static void
calls_stop (NsBuilder *builder)
{
  NsCalls *self = builder->calls;

  g_array_unref (self->owners);
  g_array_unref (self->next);
  g_array_unref (self->lines);
  ns_map_free (self->line_of);
  ns_strings_free (self->texts);
  g_clear_pointer (&builder->calls, g_free);
}

static NsCallRow *
get_row (NsBuilder *builder, guint32 number)
{
  return NS_ROW_AT (builder->trace->calls, NsCallRow, number);
}

/* Appends a row; returns its number, 1-based. */
static guint32
add_row (NsBuilder *builder, const NsCallRow *row, const NsCallOwner *owner)
{
  NsCalls *self = builder->calls;
  guint32 none = 0;

  g_array_append_val (builder->trace->calls, *row);
  g_array_append_val (self->owners, *owner);
  g_array_append_val (self->next, none);
  return builder->trace->calls->len;
}

static void
line_push (NsCalls *self, guint64 a, guint64 b, guint32 row)
{
  guint32 number = ns_map_get (self->line_of, a, b);
  Line *line;

  if (number == 0 && self->unused != 0)
    {
      number = self->unused;
      line = &g_array_index (self->lines, Line, number - 1);
      self->unused = line->tail;
      line->tail = 0;
      ns_map_set (self->line_of, a, b, number);
    }
  else if (number == 0)
    {
      Line empty = { 0, 0 };

      g_array_append_val (self->lines, empty);
      number = self->lines->len;
      ns_map_set (self->line_of, a, b, number);
    }
  line = &g_array_index (self->lines, Line, number - 1);
  if (line->tail != 0)
    g_array_index (self->next, guint32, line->tail - 1) = row;
  else
    line->head = row;
  line->tail = row;
}

/* Removes the oldest open call of the key; 0: none. */
static guint32
line_pop (NsCalls *self, guint64 a, guint64 b)
{
  guint32 number = ns_map_get (self->line_of, a, b);
  Line *line;
  guint32 row;

  if (number == 0)
    return 0;
  line = &g_array_index (self->lines, Line, number - 1);
  row = line->head;
  line->head = g_array_index (self->next, guint32, row - 1);
  if (line->head == 0)
    {
      /* There are as many keys as calls: reuse the empty queue for another key. */
      ns_map_take (self->line_of, a, b);
      line->tail = self->unused;
      self->unused = number;
    }
  return row;
}

static const char *
family_name (guint32 family)
{
  switch (family)
    {
    case NS_AF_UNIX:
      return "AF_UNIX";
    case NS_AF_INET:
      return "AF_INET";
    case NS_AF_INET6:
      return "AF_INET6";
    case NS_AF_BTH:
      return "AF_BTH";
    case NS_AF_HYPERV:
      return "AF_HYPERV";
    case NS_AF_VSOCK:
      return "AF_VSOCK";
    default:
      return NULL;
    }
}

static NsString
params_of_create (NsBuilder *builder, guint32 family, guint32 type, guint32 protocol)
{
  static const char *const types[] = { NULL,       "SOCK_STREAM", "SOCK_DGRAM",
                                       "SOCK_RAW", "SOCK_RDM",    "SOCK_SEQPACKET" };
  g_autoptr (GString) text = g_string_new (NULL);

  if (family_name (family) != NULL)
    g_string_append (text, family_name (family));
  else
    g_string_append_printf (text, "family %u", family);
  if (type > 0 && type < G_N_ELEMENTS (types))
    g_string_append_printf (text, ", %s", types[type]);
  else
    g_string_append_printf (text, ", type %u", type);
  switch (protocol)
    {
    case 6:
      g_string_append (text, ", IPPROTO_TCP");
      break;
    case 17:
      g_string_append (text, ", IPPROTO_UDP");
      break;
    default:
      g_string_append_printf (text, ", protocol %u", protocol);
    }
  return ns_strings_add (builder->calls->texts, text->str);
}

static NsString
params_of_number (NsBuilder *builder, const char *name, guint32 value)
{
  char text[64];

  g_snprintf (text, sizeof text, "%s %u", name, value);
  return ns_strings_add (builder->calls->texts, text);
}

/* Returns the names of a socket option and its value, which are numbers of the kernel
 * (correlation 1.2). */
static NsString
params_of_option (NsBuilder *builder, guint32 option, guint32 value)
{
  static const char *const names[] = {
    [1] = "SO_OOBINLINE",
    [2] = "FIONBIO",
    [6] = "SO_RCVBUF",
    [7] = "SO_SNDBUF",
    [9] = "SIO_ENABLE_CIRCULAR_QUEUEING",
    [0xb] = "SIO_UDP_CONNRESET",
    [0xd] = "IPV6_V6ONLY",
    [0xf] = "SIO_UDP_NETRESET",
  };
  char text[64];

  if (option < G_N_ELEMENTS (names) && names[option] != NULL)
    g_snprintf (text, sizeof text, "%s %u", names[option], value);
  else
    g_snprintf (text, sizeof text, "option %u, %u", option, value);
  return ns_strings_add (builder->calls->texts, text);
}

static void
read_status (Afd *afd, NsCursor *cursor)
{
  afd->status = ns_cursor_u32 (cursor);
  afd->has_status = ns_cursor_ok (cursor);
}

static void
read_buffer (Afd *afd, NsCursor *cursor, guint pointer_size)
{
  afd->buffer = ns_cursor_ptr (cursor, pointer_size);
  afd->length = ns_cursor_u32 (cursor);
  if (!ns_cursor_ok (cursor))
    afd->length = NS_UNKNOWN;
}

static void
read_body (NsBuilder *builder, Afd *afd, Body body, NsCursor *cursor, guint pointer_size)
{
  guint32 family;
  guint32 option;
  guint32 type;

  switch (body)
    {
    case BODY_CREATE:
      family = ns_cursor_u32 (cursor);
      type = ns_cursor_u32 (cursor);
      afd->params = params_of_create (builder, family, type, ns_cursor_u32 (cursor));
      ns_cursor_ptr (cursor, pointer_size);
      read_status (afd, cursor);
      break;
    case BODY_STATUS:
      read_status (afd, cursor);
      break;
    case BODY_BUFFER:
    case BODY_BUFFER_ADDRESS:
      ns_cursor_u32 (cursor);
      read_buffer (afd, cursor, pointer_size);
      read_status (afd, cursor);
      if (body == BODY_BUFFER_ADDRESS)
        ns_sockaddr_take_counted (cursor, &afd->remote);
      break;
    case BODY_CONNECT:
      read_buffer (afd, cursor, pointer_size);
      read_status (afd, cursor);
      ns_sockaddr_take_counted (cursor, &afd->remote);
      afd->buffer = 0;
      afd->length = NS_UNKNOWN;
      break;
    case BODY_BIND:
      read_status (afd, cursor);
      ns_sockaddr_take_counted (cursor, &afd->remote);
      break;
    case BODY_ABORT:
      afd->params = params_of_number (builder, "reason", ns_cursor_u32 (cursor));
      break;
    case BODY_OPTION:
      option = ns_cursor_u32 (cursor);
      afd->params = params_of_option (builder, option, ns_cursor_u32 (cursor));
      read_status (afd, cursor);
      break;
    case BODY_LISTEN:
      afd->params = params_of_number (builder, "backlog", ns_cursor_u32 (cursor));
      read_status (afd, cursor);
      break;
    case BODY_NONE:
    default:
      break;
    }
}

static const Operation *
find_operation (guint16 id)
{
  guint i;

  for (i = 0; i < G_N_ELEMENTS (operations); i++)
    if (operations[i].id == id)
      return &operations[i];
  return NULL;
}

/* Returns the return value of the function: a byte count, 0, or SOCKET_ERROR; none if the status
 * is pending. */
static gint64
return_of (const Operation *operation, const Afd *afd)
{
  const guint32 pending = 0x103;

  if (!afd->has_status || afd->status == pending)
    return NS_CALL_NO_RETURN;
  if ((afd->status & 0xc0000000) == 0xc0000000)
    return -1;
  return operation->body == BODY_BUFFER || operation->body == BODY_BUFFER_ADDRESS ? afd->length : 0;
}

static void
fill_row (NsCallRow *row, const Afd *afd)
{
  if (row->remote.ip.family == NS_AF_NONE && row->remote.port == 0)
    row->remote = afd->remote;
  if (afd->length != NS_UNKNOWN)
    row->length = afd->length;
  if (row->params == NS_STRING_NONE)
    row->params = afd->params;
}

static void
end_call (NsCallRow *row, const Operation *operation, const Afd *afd, const NsRecord *record)
{
  row->close_ns = record->time_ns;
  row->pending = FALSE;
  row->tid_done = record->tid;
  row->status = afd->status;
  row->has_status = afd->has_status;
  row->status_family = NS_CODE_NTSTATUS;
  row->ret = return_of (operation, afd);
  fill_row (row, afd);
}

static void
add_operation (NsBuilder *builder, const NsRecord *record, const Operation *operation)
{
  NsCallRow row = { .length = NS_UNKNOWN,
                    .asked = NS_UNKNOWN,
                    .ret = NS_CALL_NO_RETURN,
                    .tid_done = NS_PID_UNKNOWN };
  Afd afd = { .length = NS_UNKNOWN };
  NsCallOwner owner = { 0 };
  guint64 line;
  guint32 number;
  NsCursor cursor;

  ns_record_cursor (record, &cursor);
  afd.is_exit = ns_cursor_u32 (&cursor) != 0;
  afd.location = ns_cursor_u32 (&cursor);
  afd.process = ns_cursor_ptr (&cursor, record->pointer_size);
  afd.endpoint = ns_cursor_ptr (&cursor, record->pointer_size);
  if (!ns_cursor_ok (&cursor))
    return;
  read_body (builder, &afd, operation->body, &cursor, record->pointer_size);

  /* All event IDs of a call share a queue. */
  line = ns_map_mix (operation->kind, afd.buffer);
  number = afd.is_exit ? line_pop (builder->calls, afd.endpoint, line) : 0;
  if (number != 0)
    {
      end_call (get_row (builder, number), operation, &afd, record);
      return;
    }
  if (afd.is_exit && (afd.location == SITE_SEND_TWICE_A || afd.location == SITE_SEND_TWICE_B))
    return;

  row.kind = operation->kind;
  row.endpoint = afd.endpoint;
  row.pid = record->pid;
  row.tid = record->tid;
  row.open_ns = record->time_ns;
  row.close_ns = NS_TIME_OPEN;
  row.pending = !afd.is_exit;
  row.asked = afd.is_exit ? NS_UNKNOWN : afd.length;
  row.status_family = NS_CODE_NTSTATUS;
  /* An abort ends at once; many have no exit event. */
  if (operation->body == BODY_ABORT && !afd.is_exit)
    {
      row.close_ns = record->time_ns;
      row.pending = FALSE;
      row.tid_done = record->tid;
    }
  fill_row (&row, &afd);
  owner.process = afd.process;
  if (afd.is_exit)
    {
      row.open_ns = NS_TIME_NONE;
      row.before_trace = TRUE;
      end_call (&row, operation, &afd, record);
    }
  number = add_row (builder, &row, &owner);
  if (!afd.is_exit)
    line_push (builder->calls, afd.endpoint, line, number);
}

static void
afd_event (NsBuilder *builder, const NsRecord *record)
{
  const Operation *operation;

  if (builder->options.skip_calls)
    return;
  operation = find_operation (record->id);
  if (operation != NULL)
    add_operation (builder, record, operation);
}

/* Handles name resolution: getaddrinfo ends on its own thread, GetAddrInfoEx on any thread with
 * the same activity ID. */
static void
resolution_event (NsBuilder *builder, const NsRecord *record)
{
  gboolean is_ex = record->id == 1002 || record->id == 1004;
  gboolean is_end = record->id == 1001 || record->id == 1004;
  NsCallRow row = { .length = NS_UNKNOWN,
                    .asked = NS_UNKNOWN,
                    .ret = NS_CALL_NO_RETURN,
                    .tid_done = NS_PID_UNKNOWN };
  NsCallOwner owner = { 0 };
  const guint8 *text;
  NsCursor cursor;
  guint64 who;
  guint32 number;
  gsize n;

  if ((record->id != 1000 && !is_ex && !is_end) || builder->options.skip_calls)
    return;
  ns_record_cursor (record, &cursor);
  text = ns_cursor_wstr (&cursor, &n);
  row.params = ns_strings_add_utf16 (builder->calls->texts, text, n);
  who = is_ex && !ns_guid_is_zero (&record->activity)
            ? ns_map_mix (ns_guid_low (&record->activity), ns_guid_high (&record->activity))
            : (guint64) record->pid << 32 | record->tid;

  number = is_end ? line_pop (builder->calls, who, row.params) : 0;
  row.kind = is_ex ? NS_CALL_GETADDRINFO_EX : NS_CALL_GETADDRINFO;
  row.pid = record->pid;
  row.tid = record->tid;
  row.open_ns = is_end ? NS_TIME_NONE : record->time_ns;
  row.close_ns = NS_TIME_OPEN;
  row.before_trace = is_end;
  row.pending = !is_end;
  row.status_family = NS_CODE_WIN32;
  if (number == 0)
    number = add_row (builder, &row, &owner);
  if (!is_end)
    {
      line_push (builder->calls, who, row.params, number);
      return;
    }
  get_row (builder, number)->close_ns = record->time_ns;
  get_row (builder, number)->pending = FALSE;
  get_row (builder, number)->tid_done = record->tid;
  get_row (builder, number)->status = ns_cursor_u32 (&cursor);
  get_row (builder, number)->has_status = ns_cursor_ok (&cursor);
  if (ns_cursor_ok (&cursor))
    get_row (builder, number)->ret = get_row (builder, number)->status;
}

/* Converts parameters to texts of the trace. Most calls have none, and consecutive calls often
 * the same. */
static void
calls_number (NsBuilder *builder)
{
  const NsStrings *texts = builder->calls->texts;
  NsString before = NS_STRING_NONE;
  NsString after = NS_STRING_NONE;
  guint i;

  for (i = 0; i < builder->trace->calls->len; i++)
    {
      NsCallRow *row = get_row (builder, i + 1);

      if (row->params == NS_STRING_NONE)
        continue;
      if (row->params != before)
        {
          before = row->params;
          after = ns_strings_add (builder->trace->strings, ns_strings_get (texts, before));
        }
      row->params = after;
    }
}

/* Links the calls with processes and sockets, once both are complete. */
static gpointer
link_cb (gpointer data)
{
  NsBuilder *builder = data;
  NsCalls *self = builder->calls;
  guint i;

  for (i = 0; i < builder->trace->calls->len; i++)
    {
      NsCallRow *row = get_row (builder, i + 1);
      const NsCallOwner *owner = &g_array_index (self->owners, NsCallOwner, i);
      guint32 pid;

      if (owner->process == 0)
        continue;
      pid = ns_winsock_find_pid (builder,
                                 owner->process,
                                 row->before_trace ? row->close_ns : row->open_ns);
      if (pid != NS_PID_UNKNOWN)
        row->pid = pid;
    }
  ns_call_link_sockets (builder->trace, self->owners);
  ns_call_lives_mark (builder->trace->calls);
  return NULL;
}

/* Starts linking calls with sockets in a thread: building the master table meanwhile neither
 * uses the calls nor changes the keys of sockets. A small table is linked later. */
static void
calls_write (NsBuilder *builder)
{
  if (builder->trace->calls->len >= MIN_SHARED_CALLS)
    ns_meanwhile_begin (&builder->calls->linking, "calls", link_cb, builder);
}

static void
calls_tie (NsBuilder *builder)
{
  if (builder->trace->calls->len >= MIN_SHARED_CALLS)
    ns_meanwhile_end (&builder->calls->linking);
  else
    link_cb (builder);
  ns_call_link_activities (builder->trace, builder->calls->owners);
}

static const NsProviderOps calls_ops[] = {
  { .guid = NS_GUID_WINSOCK_AFD, .beside = afd_event },
  { .guid = NS_GUID_WINSOCK_NAME_RESOLUTION, .beside = resolution_event },
};

static const NsPartTable tables[] = {
  NS_PART_TABLE (calls, NsCallRow, NULL),
};

const NsPart ns_calls_part = {
  .name = "calls",
  .tables = tables,
  .n_tables = G_N_ELEMENTS (tables),
  .start = calls_start,
  .number = calls_number,
  .write = calls_write,
  .tie = calls_tie,
  .stop = calls_stop,
  .ops = calls_ops,
  .n_ops = G_N_ELEMENTS (calls_ops),
};
