/* The fields of log lines of other tools.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/open/ns-log.h"
#include "query/ns-field-get.h"

#include <glib/gi18n-lib.h>

#define LOG(member) NS_FIELD_AT (NS_TABLE_LOG, NsLogRow, member)

static void
get_kind (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsLogRow *line = ns_field_get_row (trace, row, field);
  const NsSideLog *log =
      line->log < trace->logs->len ? g_ptr_array_index (trace->logs, line->log) : NULL;

  ns_field_set_chars (value, log != NULL ? ns_side_kind_to_text (log->kind) : NULL);
}

static void
get_confidence (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsLogRow *line = ns_field_get_row (trace, row, field);

  value->v.i = line->confidence;
  value->is_null = line->confidence < 0;
}

/* clang-format off */
static const NsField fields[] = {
  NS_FIELD ("id", N_("Row"), N_("Number of the row"), UINT, 68, 0, ns_get_id, LOG (line)),
  NS_FIELD ("time_ns", N_("Time (s)"), N_("When it was written, on the clock of the trace"), TIME, 102, 1, ns_get_time, LOG (time_ns)),
  NS_FIELD ("uncertainty_ns", N_("± (ms)"), N_("Uncertainty of its time: half of the unit in which it is written"), DURATION, 76, 2, ns_get_i64, LOG (uncertainty_ns)),
  NS_FIELD ("source", N_("Log"), N_("Name of the file that contains it"), TEXT, 120, 3, ns_get_string, LOG (source)),
  NS_FIELD ("kind", N_("Kind"), N_("Type of the log"), TEXT, 76, 0, get_kind, LOG (log)),
  NS_FIELD ("line", N_("Line"), N_("Number of the line in the file, from 1"), UINT, 68, 0, ns_get_u32, LOG (line)),
  NS_FIELD ("action", N_("Action"), N_("Action that it reports: method, operation, verdict"), TEXT, 110, 4, ns_get_string, LOG (action)),
  NS_FIELD ("status", N_("Status"), N_("Final status"), TEXT, 110, 5, ns_get_string, LOG (status)),
  NS_FIELD ("process", N_("Process Name"), N_("Process, or program that wrote the line"), TEXT, 120, 6, ns_get_string, LOG (process)),
  NS_FIELD ("pid", N_("PID"), N_("Process identifier"), UINT, 68, 0, ns_get_known_u32, LOG (pid)),
  NS_FIELD ("tid", N_("Thread"), N_("Thread identifier"), UINT, 68, 0, ns_get_known_u32, LOG (tid)),
  NS_FIELD ("protocol", N_("Protocol"), N_("Protocol in the line"), TEXT, 76, 7, ns_get_string, LOG (protocol)),
  NS_FIELD ("server", N_("Server"), N_("Host in the line"), TEXT, 150, 0, ns_get_string, LOG (server)),
  NS_FIELD ("url", N_("URL"), N_("Requested resource"), TEXT, 260, 0, ns_get_string, LOG (url)),
  NS_FIELD ("ip", N_("IP address"), N_("Remote address"), IP, 120, 0, ns_get_ip_of, LOG (remote)),
  NS_FIELD ("port", N_("Port"), N_("Remote port"), PORT, 58, 0, ns_get_port_of, LOG (remote)),
  NS_FIELD ("local_ip", N_("Local Address"), N_("Address of the computer that wrote the line"), IP, 120, 0, ns_get_ip_of, LOG (local)),
  NS_FIELD ("local_port", N_("Local Port"), N_("Port of the computer that wrote the line"), PORT, 76, 0, ns_get_port_of, LOG (local)),
  NS_FIELD ("duration_ns", N_("Duration (ms)"), N_("Duration according to the line"), DURATION, 90, 0, ns_get_i64, LOG (duration_ns)),
  NS_FIELD ("failed", N_("Failed"), N_("It reports a failure or a drop"), BOOL, 58, 0, ns_get_bool, LOG (failed)),
  NS_FIELD ("text", N_("Text"), N_("Text of the line"), TEXT, 386, 10, ns_get_string, LOG (text)),
  NS_FIELD ("activity", N_("Operation"), N_("Operation with the same addresses and ports at that time"), ROW, 84, 11, ns_get_nonzero_u32, LOG (activity)),
  NS_FIELD ("confidence", N_("Pair"), N_("Confidence of the link to that operation: 1 near in time, 2 at that time"), INT, 58, 0, get_confidence, LOG (confidence)),
  NS_COLUMN ("local_ip_port", N_("Local address:port"), N_("Address and port of the computer that wrote the line"), TEXT, 148, 8, ns_get_ip_port_of, LOG (local)),
  NS_COLUMN ("ip_port", N_("IP address:port"), N_("Remote address and port"), TEXT, 148, 9, ns_get_ip_port_of, LOG (remote)),
  NS_COLUMN ("input", N_("File"), N_("Name of the file that contains it"), TEXT, 150, 0, ns_get_string, LOG (source)),
  NS_MACHINE_COLUMN (LOG (remote)),
};
/* clang-format on */

const NsFieldTable ns_fields_log = {
  .name = "log",
  .title = N_ ("Log lines"),
  .needs_else = "a log of another tool, opened together with the trace",
  .fields = fields,
  .n_fields = G_N_ELEMENTS (fields),
};
