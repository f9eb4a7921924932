/* The fields of remote procedure calls.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/app/rpc/ns-rpc.h"
#include "findings/ns-codes.h"
#include "query/ns-field-code.h"
#include "query/ns-field-get.h"
#include "query/ns-sentence-parts.h"

#include <glib/gi18n-lib.h>

#define RPC(member) NS_FIELD_AT (NS_TABLE_RPC, NsRpcRow, member)
#define RPC2(first, second) NS_FIELD_AT2 (NS_TABLE_RPC, NsRpcRow, first, second)

static void
get_side (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsRpcRow *rpc = ns_field_get_row (trace, row, field);

  ns_field_set_chars (value, rpc->is_server ? "server" : "client");
}

static void
get_interface_name (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsRpcRow *rpc = ns_field_get_row (trace, row, field);

  ns_field_set_chars (value, ns_rpc_interface_name (&rpc->interface_id));
}

static void
get_protocol (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  static const char *const texts[NS_RPC_N_PROTOCOLS] = {
    [NS_RPC_TCP] = "ncacn_ip_tcp",
    [NS_RPC_PIPE] = "ncacn_np",
    [NS_RPC_LOCAL] = "ncalrpc",
    [NS_RPC_HTTP] = "ncacn_http",
  };
  const NsRpcRow *rpc = ns_field_get_row (trace, row, field);

  ns_field_set_chars (value, rpc->protocol < NS_RPC_N_PROTOCOLS ? texts[rpc->protocol] : NULL);
}

/* Formats RPC_C_AUTHN_* of rpcdce.h. */
static void
get_auth_service (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  static const char *const texts[] = {
    [0] = "none",      [9] = "Negotiate", [10] = "NTLM",
    [14] = "Schannel", [16] = "Kerberos", [20] = "kernel",
  };
  const NsRpcRow *rpc = ns_field_get_row (trace, row, field);
  guint32 service = rpc->auth_service;

  if (service < G_N_ELEMENTS (texts) && texts[service] != NULL)
    ns_field_set_chars (value, texts[service]);
  else
    ns_field_take_text (value, service != G_MAXUINT32 ? g_strdup_printf ("%u", service) : NULL);
}

/* Returns the status family: NTSTATUS for values that only NTSTATUS has, else Win32. */
static NsCodeFamily
family_of (gint64 status)
{
  return status >= 0xc0000000 ? NS_CODE_NTSTATUS : NS_CODE_WIN32;
}

static void
take_error (NsFieldValue *value, gint64 status)
{
  ns_field_take_text (value,
                      status > 0 && ns_codes_is_error (family_of (status), status)
                          ? ns_field_code_to_text (family_of (status), (guint32) status)
                          : NULL);
}

static void
get_error (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsRpcRow *rpc = ns_field_get_row (trace, row, field);

  take_error (value, rpc->layer.status);
}

static void
get_extended_error (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsRpcRow *rpc = ns_field_get_row (trace, row, field);

  take_error (value, rpc->extended);
}

/* clang-format off */
static const NsField fields[] = {
  NS_FIELD ("id", N_("Row"), N_("Number of the row; the same file always gives the same numbers"), UINT, 68, 0, ns_get_id, RPC (endpoint)),
  NS_FIELD ("side", N_("Side"), N_("Side that reports the call: client or server"), TEXT, 72, 2, get_side, RPC (is_server)),
  NS_FIELD ("interface", N_("Interface"), N_("Identifier of the interface"), GUID, 260, 0, ns_get_guid, RPC (interface_id)),
  NS_FIELD ("interface_name", N_("Interface Name"), N_("Name of the interface, if it is published"), TEXT, 110, 3, get_interface_name, RPC (interface_id)),
  NS_FIELD ("opnum", N_("Opnum"), N_("Number of the procedure within the interface"), UINT, 76, 4, ns_get_i64, RPC (opnum)),
  NS_FIELD ("protocol", N_("Protocol"), N_("Protocol sequence: ncacn_ip_tcp, ncacn_np (named pipe), ncalrpc (this machine) or ncacn_http"), TEXT, 100, 5, get_protocol, RPC (protocol)),
  NS_FIELD ("address", N_("Address"), N_("Network address in the binding"), TEXT, 150, 6, ns_get_string, RPC (address)),
  NS_FIELD ("endpoint", N_("Endpoint"), N_("Port, pipe or name of the endpoint"), TEXT, 110, 7, ns_get_string, RPC (endpoint)),
  NS_FIELD ("auth_level", N_("Authentication Level"), N_("1 none, 2 connect, 3 call, 4 packet, 5 integrity, 6 privacy"), UINT, 90, 0, ns_get_known_u32, RPC (auth_level)),
  NS_FIELD ("auth_service", N_("Authentication"), N_("Authentication service"), TEXT, 100, 0, get_auth_service, RPC (auth_service)),
  NS_FIELD ("status", N_("Status"), N_("Result"), HEX, 90, 0, ns_get_layer_status, RPC (layer.status)),
  NS_FIELD ("error", N_("Error"), N_("Reason for the failure"), TEXT, 220, 9, get_error, RPC (layer.status)),
  NS_FIELD ("extended_error", N_("Extended Error"), N_("Extended error information"), TEXT, 220, 0, get_extended_error, RPC (extended)),
  NS_FIELD ("blocked", N_("Blocked"), N_("An RPC filter blocked it"), BOOL, 66, 0, ns_get_bool, RPC (is_blocked)),
  NS_FIELD ("activity_id", N_("Activity ID"), N_("Identifier that Windows assigned to the call"), GUID, 260, 0, ns_get_guid, RPC (activity_id)),
  NS_FIELD ("peer", N_("Peer Row"), N_("Row of the same call as reported by the other side"), ROW, 66, 0, ns_get_nonzero_u32, RPC (peer)),
  NS_FIELD ("smb", N_("SMB Row"), N_("Operation on the named pipe"), ROW, 66, 0, ns_get_nonzero_u32, RPC (smb)),
  NS_FIELD ("ip", N_("IP Address"), N_("Remote address"), IP, 110, 0, ns_get_ip, RPC (remote)),
  NS_FIELD ("port", N_("Port"), N_("Remote port"), PORT, 48, 0, ns_get_port, RPC (remote)),
  NS_FIELD ("tcp", N_("TCP Row"), N_("Underlying connection"), ROW, 66, 0, ns_get_nonzero_u32, RPC (tcp)),
  NS_FIELD ("process", N_("Process Name"), N_("File name of the process"), TEXT, 120, 0, ns_get_process, RPC2 (layer.pid, layer.open_ns)),
  NS_FIELD ("pid", N_("PID"), N_("Process identifier"), UINT, 68, 0, ns_get_known_u32, RPC (layer.pid)),
  NS_FIELD ("tid", N_("Thread"), N_("Thread that made or served the call"), UINT, 68, 0, ns_get_known_u32, RPC (layer.tid)),
  NS_FIELD ("open_ns", N_("Open (s)"), N_("When it began"), TIME, 84, 10, ns_get_time, RPC (layer.open_ns)),
  NS_FIELD ("close_ns", N_("Close (s)"), N_("When it ended"), TIME, 84, 11, ns_get_time, RPC (layer.close_ns)),
  NS_FIELD ("duration_ns", N_("Duration (ms)"), N_("Time from its start to its end, or to the end of the trace"), DURATION, 90, 8, ns_get_duration, RPC2 (layer.open_ns, layer.close_ns)),
  NS_FIELD ("opened_before_trace", N_("Before Trace"), N_("It was in progress when the trace began"), BOOL, 76, 0, ns_get_bool, RPC (layer.opened_before_trace)),
  NS_FIELD ("still_open", N_("Still Open"), N_("It was in progress when the trace ended"), BOOL, 76, 0, ns_get_still_open, RPC (layer.close_ns)),
  NS_FIELD ("confidence", N_("Confidence"), N_("Confidence of the link to the connection: 2 by address and port, 1 by thread and time"), UINT, 76, 0, ns_get_layer_confidence, RPC (layer.confidence)),
  NS_FIELD ("evidence", N_("Evidence"), N_("Evidence for its links"), LIST, 130, 0, ns_get_evidence, RPC (layer.evidence)),
  NS_FIELD ("activity", N_("Activity"), N_("Related row of the master table"), ROW, 66, 0, ns_get_nonzero_u32, RPC (layer.activity)),
  NS_COLUMN ("process_pid", N_("Process"), N_("The process and its identifier"), TEXT, 150, 1, ns_get_process_with_pid, RPC2 (layer.pid, layer.open_ns)),
  NS_INPUT_COLUMN (RPC2 (layer.open_ns, layer.close_ns)),
  NS_MACHINE_COLUMN (RPC2 (layer.pid, layer.open_ns)),
};
/* clang-format on */

static void
add_rpc (NsSentence *self)
{
  const NsRpcRow *row = &g_array_index (self->trace->rpc, NsRpcRow, self->row);
  g_autofree char *subject = ns_sentence_dup_subject (self);
  g_autofree char *name = ns_sentence_dup (self, "interface_name");
  g_autofree char *id = ns_sentence_dup (self, "interface");
  g_autofree char *opnum = ns_sentence_dup (self, "opnum");
  g_autofree char *address = ns_sentence_dup (self, "address");
  g_autofree char *when = ns_sentence_dup_when (self, "open_ns");
  g_autofree char *error = ns_sentence_dup (self, "error");
  const char *interface = name != NULL ? name : id != NULL ? id : "?";

  if (row->is_server)
    /* Translators: “svchost.exe (500) was called: procedure 45 of netlogon at 1.204 s” */
    ns_sentence_add (self,
                     _ ("%s was called: procedure %s of %s %s"),
                     subject,
                     opnum != NULL ? opnum : "?",
                     interface,
                     when);
  else
    /* Translators: “app.exe (100) called procedure 45 of netlogon at 1.204 s” */
    ns_sentence_add (self,
                     _ ("%s called procedure %s of %s %s"),
                     subject,
                     opnum != NULL ? opnum : "?",
                     interface,
                     when);
  if (address != NULL)
    ns_sentence_add (self, _ ("on %s"), address);
  if (row->is_blocked)
    ns_sentence_add (self, _ ("was blocked by an RPC filter"));
  if (error != NULL)
    ns_sentence_add (self, _ ("failed with %s"), error);
  ns_sentence_add_close (self);
}

/* Formats “netlogon · 45”. */
static char *
brief_rpc (const NsSentence *self)
{
  char *name = ns_sentence_dup (self, "interface_name");

  if (name == NULL)
    name = ns_sentence_dup (self, "interface");
  if (name == NULL)
    name = ns_sentence_dup (self, "side");
  return ns_brief_join (" \302\267 ", name, ns_sentence_dup (self, "opnum"));
}

const NsFieldTable ns_fields_rpc = {
  .name = "rpc",
  .title = N_ ("RPC"),
  .needs = { NS_PROVIDER_RPC },
  .fields = fields,
  .n_fields = G_N_ELEMENTS (fields),
  .brief = brief_rpc,
  .add_sentence = add_rpc,
};
