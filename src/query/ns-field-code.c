/* Texts for numbers in rows: status codes, kinds of queued work, DNS record types.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/activities/ns-activities.h"
#include "engine/tasks/ns-runs.h"
#include "findings/ns-codes.h"
#include "query/ns-field-code.h"

typedef struct
{
  guint32 number;
  const char *name;
} Name;

/* https://www.iana.org/assignments/dns-parameters: resource record types. */
static const Name dns_types[] = {
  { 1, "A" },          { 2, "NS" },     { 5, "CNAME" },  { 6, "SOA" },     { 12, "PTR" },
  { 15, "MX" },        { 16, "TXT" },   { 28, "AAAA" },  { 33, "SRV" },    { 35, "NAPTR" },
  { 39, "DNAME" },     { 43, "DS" },    { 46, "RRSIG" }, { 48, "DNSKEY" }, { 64, "SVCB" },
  { 65, "HTTPS" },     { 252, "AXFR" }, { 255, "ANY" },  { 257, "CAA" },   { 0xff01, "WINS" },
  { 0xff02, "WINSR" },
};

/* https://www.iana.org/assignments/protocol-numbers. */
static const Name ip_protocols[] = {
  { 1, "ICMP" },  { 2, "IGMP" }, { 6, "TCP" },     { 17, "UDP" },
  { 41, "IPv6" }, { 47, "GRE" }, { 58, "ICMPv6" }, { 132, "SCTP" },
};

/* SOCK_* of winsock2.h. */
static const Name socket_types[] = {
  { 1, "STREAM" }, { 2, "DGRAM" }, { 3, "RAW" }, { 4, "RDM" }, { 5, "SEQPACKET" },
};

static const char *const task_kinds[] = {
  [NS_TASK_NONE] = "None",
  [NS_TASK_DISPATCH_QUEUE] = "ODispatchQ",
  [NS_TASK_OFFICE_POOL] = "OTaskPool",
  [NS_TASK_IDLE] = "MsoIdlePool",
  [NS_TASK_POOL] = "WThreadPool",
  [NS_TASK_TIMER] = "WTimer",
  [NS_TASK_WINHTTP] = "WinHTTP",
  [NS_TASK_THREAD] = "Thread",
  [NS_TASK_DOTNET_TASK] = "DotNetTask",
  [NS_TASK_DOTNET_POOL] = "DotNetPool",
};

static const char *
find_name (const Name *names, guint n_names, guint32 number)
{
  guint i;

  for (i = 0; i < n_names; i++)
    if (names[i].number == number)
      return names[i].name;
  return NULL;
}

/* Facility of HRESULTs that contain an HTTP status. */
#define HTTP_FACILITY 0x80190000

/* Formats the number as is usual for its family: NTSTATUS and HRESULT in hexadecimal, others in
 * decimal. */
static char *
format_number (NsCodeFamily family, guint32 code)
{
  /* Fields for Win32 errors may also contain an HRESULT. */
  if (family == NS_CODE_NTSTATUS || family == NS_CODE_HRESULT ||
      (family == NS_CODE_WIN32 && code >= 0x80000000))
    return g_strdup_printf ("0x%08x", code);
  if (family == NS_CODE_CHROMIUM)
    return g_strdup_printf ("%d", (gint32) code);
  return g_strdup_printf ("%u", code);
}

/**
 * ns_field_code_to_text:
 * @family: status family
 * @code: the number
 *
 * Returns: (transfer full) (nullable): `NAME (number)`, or the number if its name is unknown; `HTTP
 *   404 (number)` for an HRESULT with an HTTP status
 */
char *
ns_field_code_to_text (NsCodeFamily family, guint32 code)
{
  gint64 value = family == NS_CODE_CHROMIUM ? (gint64) (gint32) code : (gint64) code;
  g_autofree char *number = NULL;
  const NsCode *known;

  if (family == NS_CODE_NONE)
    return NULL;
  number = format_number (family, code);
  known = ns_codes_find (family, value);
  if (family == NS_CODE_HRESULT && (code & 0xffff0000) == HTTP_FACILITY)
    return g_strdup_printf ("HTTP %u (%s)", code & 0xffff, number);
  if (known == NULL)
    return g_steal_pointer (&number);
  return g_strdup_printf ("%s (%s)", known->name, number);
}

/**
 * ns_field_code_to_words:
 * @family: status family
 * @code: the number
 *
 * Returns: (transfer full) (nullable): name, number and meaning
 */
char *
ns_field_code_to_words (NsCodeFamily family, guint32 code)
{
  if (family == NS_CODE_NONE)
    return NULL;
  if (code == 0)
    return g_strdup ("OK");
  return ns_codes_describe (family,
                            family == NS_CODE_CHROMIUM ? (gint64) (gint32) code : (gint64) code);
}

/**
 * ns_field_task_kind_to_text:
 * @kind: a kind of queued work
 *
 * Returns: its name
 */
const char *
ns_field_task_kind_to_text (NsTaskKind kind)
{
  return (guint) kind < G_N_ELEMENTS (task_kinds) ? task_kinds[kind] : task_kinds[NS_TASK_NONE];
}

/**
 * ns_field_link_to_text:
 * @trace: a trace
 * @link: run in which a row was made; 0: none
 *
 * Returns: (nullable): its kind of queued work
 */
const char *
ns_field_link_to_text (const NsTrace *trace, NsRunId link)
{
  NsRow task;

  if (trace->runs == NULL || link == 0 || link > trace->runs->runs->len)
    return NULL;
  task = ns_runs_get (trace->runs, link)->task;
  if (task == 0 || task > trace->tasks->len)
    return NULL;
  return ns_field_task_kind_to_text (NS_ROW_AT (trace->tasks, NsTaskRow, task)->kind);
}

/**
 * ns_field_dns_type_to_text:
 * @type: type of a resource record
 *
 * Returns: (nullable): its name
 */
const char *
ns_field_dns_type_to_text (guint32 type)
{
  return find_name (dns_types, G_N_ELEMENTS (dns_types), type);
}

/**
 * ns_field_ip_protocol_to_text:
 * @family: address family
 * @protocol: IPPROTO number
 *
 * Returns: (nullable): its name
 */
const char *
ns_field_ip_protocol_to_text (guint32 family, guint32 protocol)
{
  if (family == NS_AF_UNIX)
    return "Unix";
  if (family == NS_AF_HYPERV)
    return "HyperV";
  if (family == NS_AF_VSOCK)
    return "VSock";
  return find_name (ip_protocols, G_N_ELEMENTS (ip_protocols), protocol);
}

/**
 * ns_field_socket_type_to_text:
 * @socket_type: SOCK_STREAM …
 *
 * Returns: (nullable): its name
 */
const char *
ns_field_socket_type_to_text (guint32 socket_type)
{
  return find_name (socket_types, G_N_ELEMENTS (socket_types), socket_type);
}

/**
 * ns_field_ldap_scope_to_text:
 * @scope: scope of a search (RFC 4511, 4.5.1.2)
 *
 * Returns: (nullable): its name
 */
const char *
ns_field_ldap_scope_to_text (guint32 scope)
{
  static const char *const names[] = { "base", "one", "subtree" };

  return scope < G_N_ELEMENTS (names) ? names[scope] : NULL;
}
