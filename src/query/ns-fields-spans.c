/* The fields of spans that applications report.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "query/ns-field-get.h"

#include <glib/gi18n-lib.h>

#define SPAN(member) NS_FIELD_AT (NS_TABLE_SPANS, NsSpanRow, member)
#define SPAN2(first, second) NS_FIELD_AT2 (NS_TABLE_SPANS, NsSpanRow, first, second)

/* clang-format off */
static const NsField fields[] = {
  NS_FIELD ("id", N_("Row"), N_("Number of the row"), UINT, 68, 0, ns_get_id, SPAN (pid)),
  NS_FIELD ("parent", N_("Parent"), N_("Enclosing span on the same thread"), ROW, 58, 0, ns_get_nonzero_u32, SPAN (parent)),
  NS_FIELD ("depth", N_("Depth"), N_("Number of enclosing spans"), COUNT, 58, 8, ns_get_u32, SPAN (depth)),
  NS_FIELD ("provider", N_("Provider"), N_("Provider that reported it"), TEXT, 180, 3, ns_get_string, SPAN (provider)),
  NS_FIELD ("name", N_("Name"), N_("Name of the activity"), TEXT, 260, 1, ns_get_string, SPAN (name)),
  NS_FIELD ("detail", N_("Result"), N_("Result of the activity"), TEXT, 180, 4, ns_get_string, SPAN (detail)),
  NS_FIELD ("process", N_("Process Name"), N_("File name of the process"), TEXT, 120, 2, ns_get_process, SPAN2 (pid, open_ns)),
  NS_FIELD ("pid", N_("PID"), N_("Process identifier"), UINT, 68, 0, ns_get_known_u32, SPAN (pid)),
  NS_FIELD ("tid", N_("Thread"), N_("Thread on which it started"), UINT, 68, 5, ns_get_known_u32, SPAN (tid)),
  NS_FIELD ("open_ns", N_("Open (s)"), N_("When it began"), TIME, 84, 6, ns_get_time, SPAN (open_ns)),
  NS_FIELD ("close_ns", N_("Close (s)"), N_("When it ended"), TIME, 84, 0, ns_get_time, SPAN (close_ns)),
  NS_FIELD ("duration_ns", N_("Duration (ms)"), N_("Time from its start to its end, or to the end of the trace"), DURATION, 90, 7, ns_get_duration, SPAN2 (open_ns, close_ns)),
  NS_FIELD ("activity_guid", N_("Activity ID"), N_("Identifier assigned by the application"), GUID, 260, 0, ns_get_guid, SPAN (activity_id)),
  NS_INPUT_COLUMN (NS_FIELD_AT2 (NS_TABLE_SPANS, NsSpanRow, open_ns, close_ns)),
  NS_MACHINE_COLUMN (NS_FIELD_AT2 (NS_TABLE_SPANS, NsSpanRow, open_ns, close_ns)),
};
/* clang-format on */

const NsFieldTable ns_fields_spans = {
  .name = "spans",
  .title = N_ ("Spans"),
  .needs = { NS_PROVIDER_TWAPI },
  .needs_else = "an application that logs starts and stops",
  .fields = fields,
  .n_fields = G_N_ELEMENTS (fields),
};
