/* The fields of packets and connections blocked by the Windows Filtering Platform.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/app/wfp/ns-wfp.h"
#include "query/ns-field-get.h"
#include "query/ns-sentence-parts.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define WFP(member) NS_FIELD_AT (NS_TABLE_WFP, NsWfpRow, member)
#define WFP2(first, second) NS_FIELD_AT2 (NS_TABLE_WFP, NsWfpRow, first, second)

static void
get_source (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsWfpRow *drop = ns_field_get_row (trace, row, field);

  ns_field_set_chars (value, drop->is_tcpip ? "TCPIP" : "WFP");
}

static void
get_kind (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  static const char *const texts[] = {
    [NS_WFP_DROP] = "drop",
    [NS_WFP_IPSEC_DROP] = "ipsec drop",
    [NS_WFP_DOS_DROP] = "dos drop",
    [NS_WFP_MAC_DROP] = "mac drop",
    [NS_WFP_CONNECT_BLOCKED] = "connect blocked",
    [NS_WFP_INSPECTION_DROP] = "inspection drop",
  };
  const NsWfpRow *drop = ns_field_get_row (trace, row, field);

  ns_field_set_chars (value, drop->kind < G_N_ELEMENTS (texts) ? texts[drop->kind] : NULL);
}

static void
get_filter (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsWfpRow *drop = ns_field_get_row (trace, row, field);

  value->v.u = drop->filter;
  value->is_null = !drop->has_filter;
}

static void
get_loopback (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsWfpRow *drop = ns_field_get_row (trace, row, field);

  value->is_null = drop->loopback < 0;
  value->v.u = drop->loopback > 0;
}

/* Gets the process, else the program in the event. */
static void
get_process (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsWfpRow *drop = ns_field_get_row (trace, row, field);
  const char *app = drop->app != NS_STRING_NONE ? ns_trace_text (trace, drop->app) : NULL;
  const char *name = drop->layer.pid != NS_PID_UNKNOWN
                         ? ns_trace_get_process_name (trace, drop->layer.pid, drop->layer.open_ns)
                         : NULL;

  if (name == NULL && app != NULL)
    name = strrchr (app, '\\') != NULL ? strrchr (app, '\\') + 1 : app;
  ns_field_set_chars (value, name);
}

/* clang-format off */
static const NsField fields[] = {
  NS_FIELD ("id", N_("Row"), N_("Number of the row; the same file always gives the same numbers"), UINT, 68, 0, ns_get_id, WFP (filter)),
  NS_FIELD ("source", N_("Source"), N_("Provider that reports it: WFP or TCPIP"), TEXT, 66, 0, get_source, WFP (kind)),
  NS_FIELD ("kind", N_("Kind"), N_("Type of the drop or block"), TEXT, 110, 2, get_kind, WFP (kind)),
  NS_FIELD ("direction", N_("Direction"), N_("Direction: in, out, forward or both"), TEXT, 72, 3, ns_get_chars, WFP (direction)),
  NS_FIELD ("protocol", N_("Protocol"), N_("Protocol of the connection; WFP events do not report it"), TEXT, 66, 0, ns_get_chars, WFP (protocol)),
  NS_FIELD ("local_ip", N_("Local Address"), N_("Address of this machine"), IP, 110, 0, ns_get_ip, WFP (local)),
  NS_FIELD ("local_port", N_("Local Port"), N_("Port of this machine"), PORT, 72, 5, ns_get_port, WFP (local)),
  NS_FIELD ("ip", N_("IP Address"), N_("Remote address"), IP, 110, 0, ns_get_ip, WFP (remote)),
  NS_FIELD ("port", N_("Port"), N_("Remote port"), PORT, 48, 0, ns_get_port, WFP (remote)),
  NS_FIELD ("app", N_("Application"), N_("Path of the program, as reported by the filtering platform"), TEXT, 260, 0, ns_get_string, WFP (app)),
  NS_FIELD ("user", N_("User"), N_("Security identifier of the user"), TEXT, 180, 0, ns_get_string, WFP (user)),
  NS_FIELD ("filter", N_("Filter ID"), N_("Run-time number of the filter; valid until the machine restarts"), UINT, 84, 7, get_filter, WFP (filter)),
  NS_FIELD ("filter_name", N_("Filter"), N_("Name of the filter, from the file of filter names"), TEXT, 220, 6, ns_get_string, WFP (filter_name)),
  NS_FIELD ("filter_provider", N_("Filter Provider"), N_("Provider that added the filter, from the file of filter names"), TEXT, 150, 0, ns_get_string, WFP (filter_provider)),
  NS_FIELD ("layer", N_("Layer ID"), N_("Run-time number of the layer"), UINT, 66, 0, ns_get_known_u32, WFP (layer_id)),
  NS_FIELD ("layer_name", N_("Layer"), N_("Layer of the stack at which it was filtered"), TEXT, 150, 8, ns_get_string, WFP (layer_name)),
  NS_FIELD ("reason", N_("Reason"), N_("Reason reported by TCPIP"), TEXT, 110, 0, ns_get_chars, WFP (reason)),
  NS_FIELD ("loopback", N_("Loopback"), N_("Both ends are on this machine"), BOOL, 76, 0, get_loopback, WFP (loopback)),
  NS_FIELD ("count", N_("Packets"), N_("Number of packets that the event reports"), COUNT, 66, 9, ns_get_u32, WFP (count)),
  NS_FIELD ("status", N_("Status"), N_("Result, an NTSTATUS"), HEX, 90, 0, ns_get_layer_status, WFP (layer.status)),
  NS_FIELD ("error", N_("Error"), N_("Reason for the failure"), TEXT, 180, 0, ns_get_ntstatus, WFP (layer.status)),
  NS_FIELD ("tcp", N_("TCP Row"), N_("Underlying connection"), ROW, 66, 0, ns_get_nonzero_u32, WFP (tcp)),
  NS_FIELD ("process", N_("Process Name"), N_("File name of the process; if the process is not known, of the program"), TEXT, 120, 1, get_process, WFP (app)),
  NS_FIELD ("pid", N_("PID"), N_("Process identifier, if only one process of the program was running"), UINT, 68, 0, ns_get_known_u32, WFP (layer.pid)),
  NS_FIELD ("tid", N_("Thread"), N_("Thread; drop events do not report it"), UINT, 68, 0, ns_get_known_u32, WFP (layer.tid)),
  NS_FIELD ("open_ns", N_("Open (s)"), N_("Time of the event"), TIME, 84, 10, ns_get_time, WFP (layer.open_ns)),
  NS_FIELD ("close_ns", N_("Close (s)"), N_("Time of the event"), TIME, 84, 0, ns_get_time, WFP (layer.close_ns)),
  NS_FIELD ("duration_ns", N_("Duration (ms)"), N_("Always 0: an event has no duration"), DURATION, 90, 0, ns_get_duration, WFP2 (layer.open_ns, layer.close_ns)),
  NS_FIELD ("opened_before_trace", N_("Before Trace"), N_("It was in progress when the trace began"), BOOL, 76, 0, ns_get_bool, WFP (layer.opened_before_trace)),
  NS_FIELD ("still_open", N_("Still Open"), N_("It was in progress when the trace ended"), BOOL, 76, 0, ns_get_still_open, WFP (layer.close_ns)),
  NS_FIELD ("confidence", N_("Confidence"), N_("Confidence of the link to the connection: 3 by key, 2 by addresses and time, 1 by thread and time"), UINT, 76, 0, ns_get_layer_confidence, WFP (layer.confidence)),
  NS_FIELD ("evidence", N_("Evidence"), N_("Evidence for the link and the names"), LIST, 150, 0, ns_get_evidence, WFP (layer.evidence)),
  NS_FIELD ("activity", N_("Activity"), N_("Related row of the master table"), ROW, 66, 0, ns_get_nonzero_u32, WFP (layer.activity)),
  NS_COLUMN ("ip_port", N_("IP address:port"), N_("Remote address and port"), TEXT, 150, 4, ns_get_ip_port, WFP (remote)),
  NS_INPUT_COLUMN (WFP2 (layer.open_ns, layer.close_ns)),
  NS_MACHINE_COLUMN (WFP (remote)),
};
/* clang-format on */

static void
add_drop (NsSentence *self)
{
  g_autofree char *kind = ns_sentence_dup (self, "kind");
  g_autofree char *direction = ns_sentence_dup (self, "direction");
  g_autofree char *process = ns_sentence_dup (self, "process");
  g_autofree char *peer = ns_sentence_dup (self, "ip_port");
  g_autofree char *when = ns_sentence_dup_when (self, "open_ns");
  g_autofree char *name = ns_sentence_dup (self, "filter_name");
  g_autofree char *filter = ns_sentence_dup (self, "filter");
  g_autofree char *layer = ns_sentence_dup (self, "layer_name");
  g_autofree char *error = ns_sentence_dup (self, "error");
  g_autofree char *port = ns_sentence_dup (self, "local_port");
  gboolean is_in = direction != NULL && strcmp (direction, "in") == 0;
  gboolean is_connect = kind != NULL && strcmp (kind, "connect blocked") == 0;
  const char *near = process != NULL ? process : "?";
  const char *far = peer != NULL ? peer : "?";

  if (is_in)
    ns_sentence_add (self, _ ("Windows dropped data that %s sent to %s %s"), far, near, when);
  else if (is_connect)
    /* Translators: “Windows blocked a connect of app.exe to 1.2.3.4:443 at 1.204 s” */
    ns_sentence_add (self,
                     _ ("Windows blocked a connection attempt by %s to %s %s"),
                     near,
                     far,
                     when);
  else if (direction != NULL && strcmp (direction, "out") == 0)
    ns_sentence_add (self, _ ("Windows dropped data that %s sent to %s %s"), near, far, when);
  else
    ns_sentence_add (self, _ ("Windows dropped a packet between %s and %s %s"), near, far, when);
  if (is_in && port != NULL)
    ns_sentence_add (self, _ ("to port %s"), port);
  if (kind != NULL && strcmp (kind, "drop") != 0 && !is_connect)
    /* Translators: what WFP calls it, such as “ipsec drop” */
    ns_sentence_add (self, _ ("as “%s”"), kind);
  if (name != NULL)
    ns_sentence_add (self, _ ("by the filter “%s”"), name);
  else if (filter != NULL)
    ns_sentence_add (self, _ ("by filter %s"), filter);
  if (layer != NULL)
    ns_sentence_add (self, _ ("at the layer %s"), layer);
  if (error != NULL)
    ns_sentence_add (self, _ ("with %s"), error);
}

static char *
brief_drop (const NsSentence *self)
{
  return ns_brief_join (" \302\267 ",
                        ns_sentence_dup (self, "ip_port"),
                        ns_sentence_dup (self, "kind"));
}

const NsFieldTable ns_fields_wfp = {
  .name = "wfp",
  .title = N_ ("WFP"),
  .needs = { NS_PROVIDER_WFP, NS_PROVIDER_TCPIP },
  .needs_else = "Microsoft-Windows-WFP, drops of Microsoft-Windows-TCPIP",
  .fields = fields,
  .n_fields = G_N_ELEMENTS (fields),
  .brief = brief_drop,
  .add_sentence = add_drop,
};
