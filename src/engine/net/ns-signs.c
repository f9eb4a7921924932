/* Collects records that prove a failure or its cause.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/catalog/ns-catalog.h"
#include "engine/net/ns-signs.h"

#include "engine/build/ns-builder.h"
#include "engine/net/tcpip/ns-tcpip-private.h"
#include "schema/ns-payload.h"
#include "wire/ns-sockaddr.h"

#include <string.h>

#define MAX_WORDS_BYTES 200
#define MAX_HEAD_BYTES 16384
#define MAX_ENABLES 10000
/* Number of event IDs considered; the events used have lower IDs. */
#define N_IDS 2048
/* Event IDs of Kernel-EventTracing: a session enables a provider. */
#define ID_ENABLE 14
#define ID_ENABLE_AGAIN 40

struct _NsSigns
{
  guint8 bits[NS_N_SIGN_SOURCES][N_IDS / 8]; /* by event ID: set if the event is examined */
  guint8 when[NS_N_SIGN_SOURCES][N_IDS];     /* by event ID: an enum When */
};

/* Condition for keeping an event. */
typedef enum
{
  ALWAYS = 1,
  ON_ERROR, /* if its status is an error */
  ON_END,   /* if its status is an error, or no bytes were received */
  ANSWER,   /* if it is an HTTP response header */
  SUMMARY,  /* summary of a connection: there is one for each connection, so half of the capacity is
               reserved for failures */
} When;

/* clang-format off */
static const struct
{
  NsSignSource source;
  guint16 id;
  When when;
} wanted[] = {
  { NS_SIGN_TCPIP, 1006, ALWAYS }, { NS_SIGN_TCPIP, 1020, ALWAYS },
  { NS_SIGN_TCPIP, 1021, ALWAYS }, { NS_SIGN_TCPIP, 1034, ALWAYS }, { NS_SIGN_TCPIP, 1035, ALWAYS },
  { NS_SIGN_TCPIP, 1039, ALWAYS }, { NS_SIGN_TCPIP, 1044, ON_ERROR }, { NS_SIGN_TCPIP, 1045, ALWAYS },
  { NS_SIGN_TCPIP, 1046, ALWAYS }, { NS_SIGN_TCPIP, 1047, ALWAYS }, { NS_SIGN_TCPIP, 1048, ALWAYS },
  { NS_SIGN_TCPIP, 1050, ALWAYS }, { NS_SIGN_TCPIP, 1106, ALWAYS }, { NS_SIGN_TCPIP, 1130, ALWAYS },
  { NS_SIGN_TCPIP, 1183, ALWAYS }, { NS_SIGN_TCPIP, 1184, ALWAYS }, { NS_SIGN_TCPIP, 1190, ALWAYS },
  { NS_SIGN_TCPIP, 1200, ALWAYS }, { NS_SIGN_TCPIP, 1214, ALWAYS }, { NS_SIGN_TCPIP, 1215, ALWAYS },
  { NS_SIGN_TCPIP, 1352, SUMMARY }, { NS_SIGN_TCPIP, 1477, SUMMARY },
  { NS_SIGN_TCPIP, 1394, ALWAYS }, { NS_SIGN_TCPIP, 1423, ALWAYS }, { NS_SIGN_TCPIP, 1454, ON_ERROR },
  { NS_SIGN_TCPIP, 1455, ON_ERROR }, { NS_SIGN_TCPIP, 1478, ALWAYS },
  { NS_SIGN_AFD, 1033, ALWAYS },
  { NS_SIGN_WEBIO, 101, ANSWER }, { NS_SIGN_WEBIO, 135, ON_ERROR }, { NS_SIGN_WEBIO, 202, ON_ERROR },
  { NS_SIGN_WEBIO, 214, ON_ERROR }, { NS_SIGN_WEBIO, 216, ON_END }, { NS_SIGN_WEBIO, 703, ALWAYS },
  { NS_SIGN_WEBIO, 712, ALWAYS }, { NS_SIGN_WEBIO, 713, ALWAYS },
  { NS_SIGN_WININET, 203, ALWAYS }, { NS_SIGN_WININET, 308, ALWAYS }, { NS_SIGN_WININET, 601, ALWAYS }, { NS_SIGN_WININET, 703, ALWAYS },
  { NS_SIGN_WININET, 704, ALWAYS }, { NS_SIGN_WININET, 801, ALWAYS }, { NS_SIGN_WININET, 808, ALWAYS },
  { NS_SIGN_WININET, 810, ALWAYS }, { NS_SIGN_WININET, 816, ALWAYS }, { NS_SIGN_WININET, 817, ALWAYS },
  { NS_SIGN_WININET, 834, ALWAYS }, { NS_SIGN_WININET, 835, ALWAYS },
  { NS_SIGN_WINHTTP, 801, ALWAYS }, { NS_SIGN_WINHTTP, 808, ALWAYS }, { NS_SIGN_WINHTTP, 810, ALWAYS },
  { NS_SIGN_WINHTTP, 816, ALWAYS }, { NS_SIGN_WINHTTP, 817, ALWAYS }, { NS_SIGN_WINHTTP, 834, ALWAYS },
  { NS_SIGN_WINHTTP, 835, ALWAYS },
  { NS_SIGN_DNS, 1013, ALWAYS }, { NS_SIGN_DNS, 1014, ALWAYS }, { NS_SIGN_DNS, 1015, ALWAYS },
  { NS_SIGN_WFP, 1001, ALWAYS }, { NS_SIGN_WFP, 1003, ALWAYS }, { NS_SIGN_WFP, 1011, ALWAYS },
  { NS_SIGN_WFP, 1029, ALWAYS },
  { NS_SIGN_LDAP, 8, ALWAYS }, { NS_SIGN_LDAP, 21, ALWAYS }, { NS_SIGN_LDAP, 30, ALWAYS },
  { NS_SIGN_LOST, 32, ALWAYS }, { NS_SIGN_LOST, 33, ALWAYS }, { NS_SIGN_LOST, 34, ALWAYS },
  { NS_SIGN_POWER, 42, ALWAYS }, { NS_SIGN_POWER, 107, ALWAYS },
};
/* clang-format on */

/* Value that a field of an event provides. */
typedef enum
{
  TO_KEY = 1,
  TO_VALUE,
  TO_COUNT,
  TO_NAME,
  TO_LOCAL,
  TO_REMOTE,
  TO_PID,
  TO_LENGTH, /* digits */
} Part;

static const struct
{
  const char *name;
  Part part;
} fields[] = {
  { "Tcb", TO_KEY },
  { "Endpoint", TO_KEY },
  { "Request", TO_KEY },
  { "RequestHandle", TO_KEY },
  { "Connection", TO_KEY },
  { "UniqueId", TO_KEY },
  { "InterfaceIndex", TO_KEY },
  { "Interface", TO_KEY },
  { "Status", TO_VALUE },
  { "Error", TO_VALUE },
  { "Result", TO_VALUE },
  { "Reason", TO_VALUE },
  { "DropReason", TO_VALUE },
  { "OperationalStatus", TO_VALUE },
  { "FilterId", TO_VALUE },
  { "FailureStatus", TO_VALUE },
  { "PacketCount", TO_COUNT },
  { "Information", TO_COUNT },
  { "QueryName", TO_NAME },
  { "HostName", TO_NAME },
  { "Scheme", TO_NAME },
  { "Message", TO_NAME },
  { "SearchFilter", TO_NAME },
  { "ConfigurationURL", TO_NAME },
  { "TraceString", TO_NAME },
  { "LocalAddress", TO_LOCAL },
  { "LocalSockAddr", TO_LOCAL },
  { "DestAddress", TO_LOCAL },
  { "RemoteAddress", TO_REMOTE },
  { "RemoteSockAddr", TO_REMOTE },
  { "SourceAddress", TO_REMOTE },
  { "Address", TO_REMOTE },
  { "ProcessId", TO_PID },
  { "ClientPID", TO_PID },
  { "AppId", TO_NAME },
  { "LayerId", TO_COUNT },
  { "ResponseCode", TO_VALUE },
  { "ContentLength", TO_LENGTH },
};

typedef struct
{
  NsTrace *trace;
  NsSign *sign;
  When when;
} Reading;

static Part
part_of (const char *name)
{
  guint i;

  for (i = 0; name != NULL && i < G_N_ELEMENTS (fields); i++)
    if (fields[i].name[0] == name[0] && strcmp (fields[i].name, name) == 0)
      return fields[i].part;
  return 0;
}

static const NsEndpoint *
read_end (NsTrace *trace, const NsPayloadItem *item)
{
  NsCursor cursor;
  NsEndpoint end = { 0 };

  ns_cursor_init (&cursor, item->data, item->size);
  if (item->size < 8 || !ns_sockaddr_take (&cursor, item->size, &end) || ns_ip_is_empty (&end.ip))
    return NULL;
  return ns_endpoint_pool_add (trace->ends, &end);
}

static NsString
read_text (NsTrace *trace, const NsPayloadItem *item)
{
  g_autoptr (GString) text = g_string_new (NULL);

  ns_value_append_text (item, trace->secrets, text);
  g_string_truncate (text, MIN (text->len, MAX_WORDS_BYTES));
  return text->len > 0 ? ns_strings_add_len (trace->strings, text->str, text->len) : NS_STRING_NONE;
}

/* Parses a body length from the header. */
static gint64
read_length (const NsPayloadItem *item)
{
  g_autoptr (GString) text = g_string_new (NULL);
  guint64 number = 0;

  ns_value_append_text (item, NULL, text);
  return g_ascii_string_to_unsigned (g_strstrip (text->str), 10, 1, G_MAXINT64, &number, NULL)
             ? (gint64) number
             : NS_UNKNOWN;
}

static gboolean
read_item (const NsPayloadItem *item, gpointer user_data)
{
  Reading *self = user_data;
  NsSign *sign = self->sign;
  guint64 number = 0;
  Part part;

  if (item->kind != NS_ITEM_VALUE || item->field == NULL)
    return TRUE;
  part = part_of (item->field->name);
  if (part == 0)
    return TRUE;
  if (part != TO_NAME && part != TO_LOCAL && part != TO_REMOTE && part != TO_LENGTH &&
      !ns_value_get_uint (item, &number))
    return TRUE;
  switch (part)
    {
    case TO_KEY:
      if (sign->key == 0)
        sign->key = number;
      break;
    case TO_VALUE:
      sign->value = (gint64) number;
      if (item->field->map != NULL)
        sign->words = read_text (self->trace, item);
      break;
    case TO_COUNT:
      sign->count = (gint64) MIN (number, G_MAXINT64);
      break;
    case TO_NAME:
      sign->name = read_text (self->trace, item);
      break;
    case TO_LOCAL:
      sign->local = read_end (self->trace, item);
      break;
    case TO_REMOTE:
      sign->remote = read_end (self->trace, item);
      break;
    case TO_LENGTH:
      sign->count = read_length (item);
      break;
    case TO_PID:
    default:
      if (number != 0 && number != G_MAXUINT32)
        sign->pid = (guint32) number;
      break;
    }
  return TRUE;
}

/* Returns the value of a header field, with its length. */
static const char *
find_header (const char *head, gsize n_bytes, const char *name, gsize *length)
{
  gsize n_name = strlen (name);
  const char *end = head + n_bytes;
  const char *line = memchr (head, '\n', n_bytes);

  while (line != NULL && ++line < end)
    {
      const char *next = memchr (line, '\n', (gsize) (end - line));
      const char *stop = next != NULL ? next : end;

      if ((gsize) (stop - line) > n_name && line[n_name] == ':' &&
          g_ascii_strncasecmp (line, name, n_name) == 0)
        {
          line += n_name + 1;
          while (line < stop && g_ascii_isspace (*line))
            line++;
          while (stop > line && g_ascii_isspace (stop[-1]))
            stop--;
          *length = (gsize) (stop - line);
          return line;
        }
      line = next;
    }
  return NULL;
}

static gboolean
says (const char *value, gsize length, const char *word)
{
  g_autofree char *lower = value != NULL ? g_ascii_strdown (value, (gssize) length) : NULL;

  return lower != NULL && strstr (lower, word) != NULL;
}

/* Parses “HTTP/1.1 302 Found” and the header lines with the redirect target and the body length. */
static gboolean
read_answer (Reading *self, const NsRecord *record)
{
  NsSign *sign = self->sign;
  NsCursor cursor;
  const char *head;
  const char *value;
  gsize n_bytes;
  gsize n = 0;

  ns_record_cursor (record, &cursor);
  sign->key = ns_cursor_ptr (&cursor, record->pointer_size);
  n_bytes = ns_cursor_u16 (&cursor);
  n_bytes = MIN (n_bytes, MIN (ns_cursor_left (&cursor), MAX_HEAD_BYTES));
  sign->n_bytes = (guint32) n_bytes;
  head = (const char *) ns_cursor_take (&cursor, n_bytes);
  if (head == NULL || n_bytes < 12 || strncmp (head, "HTTP/", 5) != 0)
    return FALSE;
  value = memchr (head, ' ', n_bytes - 3);
  if (value != NULL && g_ascii_isdigit (value[1]) && g_ascii_isdigit (value[2]) &&
      g_ascii_isdigit (value[3]))
    sign->value = (value[1] - '0') * 100 + (value[2] - '0') * 10 + (value[3] - '0');
  value = find_header (head, n_bytes, "Content-Length", &n);
  if (value != NULL && n > 0 && n < 19)
    {
      g_autofree char *digits = g_strndup (value, n);

      sign->count = g_ascii_strtoll (digits, NULL, 10);
    }
  value = find_header (head, n_bytes, "Transfer-Encoding", &n);
  if (says (value, n, "chunked"))
    sign->flags |= NS_ANSWER_CHUNKED;
  value = find_header (head, n_bytes, "Connection", &n);
  if (says (value, n, "close") || strncmp (head, "HTTP/1.0", 8) == 0)
    sign->flags |= NS_ANSWER_CLOSES;
  value = find_header (head, n_bytes, "Location", &n);
  if (value == NULL && (sign->value == 401 || sign->value == 407))
    {
      value = find_header (head,
                           n_bytes,
                           sign->value == 401 ? "WWW-Authenticate" : "Proxy-Authenticate",
                           &n);
      sign->flags |= value != NULL ? NS_ANSWER_ASKS_WHO : 0;
      if (value != NULL)
        n = MIN (n, strcspn (value, " ,\r\n"));
    }
  if (value != NULL && n > 0)
    sign->name = ns_strings_add_len (self->trace->strings, value, n);
  return TRUE;
}

/* Returns whether the condition for keeping the record is true. An error status may be a Win32 code
 * or an NTSTATUS. */
static gboolean
is_kept (const Reading *self)
{
  switch (self->when)
    {
    case ON_ERROR:
      return self->sign->value != 0;
    case ON_END:
      return self->sign->value != 0 || self->sign->count == 0;
    case ALWAYS:
    case ANSWER:
    case SUMMARY:
    default:
      return TRUE;
    }
}

/* Finds the connection of a TCPIP record. */
static void
find_tcp (NsBuilder *builder, NsSign *sign)
{
  const NsTcpRec *rec = sign->key != 0 && builder->tcpip->by_key != NULL
                            ? ns_tcpip_newest (builder->tcpip, sign->key, FALSE)
                            : NULL;

  if (rec == NULL)
    return;
  sign->tcp = rec->row;
  if (rec->is_unanswered)
    sign->flags |= NS_SIGN_UNANSWERED;
}

static void
note (NsBuilder *builder, const NsRecord *record, NsSignSource source, guint16 id, When when)
{
  NsTrace *trace = builder->trace;
  NsSign sign = { .time_ns = record->time_ns,
                  .count = NS_UNKNOWN,
                  .name = NS_STRING_NONE,
                  .words = NS_STRING_NONE,
                  .event = (guint32) (trace->n_records - 1),
                  .pid = record->pid,
                  .tid = record->tid,
                  .id = id,
                  .source = (guint8) source };
  Reading reading = { trace, &sign, when };
  const NsSchema *schema;

  if (trace->signs->len >= (when == SUMMARY ? NS_SIGNS_MAX / 2 : NS_SIGNS_MAX))
    return;
  if (when == ANSWER)
    {
      if (!read_answer (&reading, record))
        return;
    }
  else if ((schema = ns_schemas_find (trace->schemas, record)) != NULL)
    ns_payload_walk (schema, record, read_item, &reading);
  if (!is_kept (&reading))
    return;
  if (source == NS_SIGN_TCPIP)
    find_tcp (builder, &sign);
  g_array_append_val (trace->signs, sign);
}

/* Examines a record; one bit per event ID rejects most of them. */
static void
look_at (NsBuilder *builder, const NsRecord *record, NsSignSource source)
{
  guint16 id = (record->flags & NS_RECORD_MANIFEST) != 0 ? record->id : record->opcode;

  if (id < N_IDS && (builder->signs->bits[source][id / 8] >> id % 8 & 1) != 0)
    note (builder, record, source, id, builder->signs->when[source][id]);
}

#define LOOK(name, source)                                                                         \
  static void look_at_##name (NsBuilder *builder, const NsRecord *record)                          \
  {                                                                                                \
    look_at (builder, record, source);                                                             \
  }

LOOK (tcpip, NS_SIGN_TCPIP)
LOOK (afd, NS_SIGN_AFD)
LOOK (webio, NS_SIGN_WEBIO)
LOOK (wininet, NS_SIGN_WININET)
LOOK (winhttp, NS_SIGN_WINHTTP)
LOOK (dns, NS_SIGN_DNS)
LOOK (wfp, NS_SIGN_WFP)
LOOK (ldap, NS_SIGN_LDAP)
LOOK (lost, NS_SIGN_LOST)
LOOK (power, NS_SIGN_POWER)

/* A provider enabled by a session. */
typedef struct
{
  NsEnableRow row;
  NsString session;
  guint n_found;
} Enabling;

typedef struct
{
  NsTrace *trace;
  Enabling *enabling;
} EnablingRead;

static gboolean
read_enabling (const NsPayloadItem *item, gpointer user_data)
{
  EnablingRead *self = user_data;
  Enabling *enabling = self->enabling;
  guint64 number = 0;

  if (item->kind != NS_ITEM_VALUE || item->field == NULL || item->field->name == NULL)
    return TRUE;
  if (strcmp (item->field->name, "ProviderName") == 0 && item->size == sizeof (NsGuid))
    {
      memcpy (&enabling->row.guid, item->data, sizeof (NsGuid));
      enabling->n_found++;
    }
  else if (strcmp (item->field->name, "SessionName") == 0)
    enabling->session = read_text (self->trace, item);
  else if (strcmp (item->field->name, "MatchAnyKeyword") == 0 && ns_value_get_uint (item, &number))
    {
      enabling->row.any = number;
      enabling->n_found++;
    }
  else if (strcmp (item->field->name, "MatchAllKeyword") == 0 && ns_value_get_uint (item, &number))
    enabling->row.all = number;
  else if (strcmp (item->field->name, "Level") == 0 && ns_value_get_uint (item, &number))
    {
      enabling->row.level = (guint8) MIN (number, G_MAXUINT8);
      enabling->n_found++;
    }
  return TRUE;
}

/* Reads which providers this trace's session enabled; the rundown of Kernel-EventTracing lists
 * all sessions of the machine. */
static void
look_at_enabling (NsBuilder *builder, const NsRecord *record)
{
  NsTrace *trace = builder->trace;
  const NsEtlHeader *header = ns_etl_file_get_header (trace->file);
  Enabling enabling = { .session = NS_STRING_NONE };
  EnablingRead reading = { trace, &enabling };
  const NsSchema *schema;

  if ((record->id != ID_ENABLE && record->id != ID_ENABLE_AGAIN) ||
      trace->enables->len >= MAX_ENABLES)
    return;
  schema = ns_schemas_find (trace->schemas, record);
  if (schema == NULL)
    return;
  ns_payload_walk (schema, record, read_enabling, &reading);
  if (enabling.n_found == 3 && enabling.session != NS_STRING_NONE && header->session != NULL &&
      g_ascii_strcasecmp (ns_trace_text (trace, enabling.session), header->session) == 0)
    g_array_append_val (trace->enables, enabling.row);
}

static void
start (NsBuilder *builder)
{
  NsSigns *self = g_new0 (NsSigns, 1);
  guint i;

  for (i = 0; i < G_N_ELEMENTS (wanted); i++)
    {
      self->bits[wanted[i].source][wanted[i].id / 8] |= (guint8) (1 << wanted[i].id % 8);
      self->when[wanted[i].source][wanted[i].id] = wanted[i].when;
    }
  builder->signs = self;
}

static void
stop (NsBuilder *builder)
{
  g_clear_pointer (&builder->signs, g_free);
}

/* clang-format off */
static const NsProviderOps ops[] = {
  { NS_GUID_TCPIP, NULL, look_at_tcpip },
  { NS_GUID_WINSOCK_AFD, NULL, look_at_afd },
  { NS_GUID_WEBIO, NULL, look_at_webio },
  { NS_GUID_WININET, NULL, look_at_wininet },
  { NS_GUID_WINHTTP, NULL, look_at_winhttp },
  { NS_GUID_DNS_CLIENT, NULL, look_at_dns },
  { NS_GUID_WFP, NULL, look_at_wfp },
  { NS_GUID_LDAP_CLIENT, NULL, look_at_ldap },
  { NS_GUID_LOST_EVENT, NULL, look_at_lost },
  { NS_GUID_KERNEL_POWER, NULL, look_at_power },
  { NS_GUID_KERNEL_EVENT_TRACING, NULL, look_at_enabling },
};
/* clang-format on */

static const NsPartTable tables[] = {
  NS_PART_TABLE (signs, NsSign, NULL),
  NS_PART_TABLE (enables, NsEnableRow, NULL),
};

const NsPart ns_signs_part = {
  .name = "signs",
  .tables = tables,
  .n_tables = G_N_ELEMENTS (tables),
  .start = start,
  .stop = stop,
  .ops = ops,
  .n_ops = G_N_ELEMENTS (ops),
};
