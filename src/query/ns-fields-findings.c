/* The fields of findings.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "findings/ns-finding.h"
#include "query/ns-field-code.h"
#include "query/ns-field-get.h"
#include "query/ns-finding-events.h"

#include <glib/gi18n-lib.h>

#define AT(member) NS_FIELD_AT (NS_TABLE_FINDINGS, NsFindingRow, member)
#define AT2(first, second) NS_FIELD_AT2 (NS_TABLE_FINDINGS, NsFindingRow, first, second)

static void
get_severity (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsFindingRow *finding = ns_field_get_row (trace, row, field);

  ns_field_set_chars (value, ns_severity_to_text (finding->severity));
}

/* Returns the rank of a severity, the most severe first, as in the table. */
static guint
rank_severity (const NsTrace *trace, guint row)
{
  const GArray *findings = ns_findings_get (trace);

  return NS_SEVERITY_PROBLEM - g_array_index (findings, NsFindingRow, row).severity;
}

static void
get_verdict (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsFindingRow *finding = ns_field_get_row (trace, row, field);

  ns_field_set_chars (value, ns_verdict_to_text (finding->verdict));
}

static void
get_confidence (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsFindingRow *finding = ns_field_get_row (trace, row, field);

  ns_field_set_chars (value, ns_finding_trust_to_text (finding->trust));
}

/* Gets the event numbers; unknown until the findings are computed. */
static void
get_evidence (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsFindingRow *finding = ns_field_get_row (trace, row, field);
  guint i;

  value->list = g_ptr_array_new_with_free_func (g_free);
  if (!ns_finding_events_are_known (trace))
    return;
  for (i = 0; i < finding->evidence->len; i++)
    g_ptr_array_add (value->list,
                     g_strdup_printf ("%u", g_array_index (finding->evidence, guint32, i)));
}

static void
get_activities (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsFindingRow *finding = ns_field_get_row (trace, row, field);
  guint i;

  value->list = g_ptr_array_new_with_free_func (g_free);
  for (i = 0; finding->activities != NULL && i < finding->activities->len; i++)
    g_ptr_array_add (value->list,
                     g_strdup_printf ("%u", g_array_index (finding->activities, NsRow, i)));
}

static void
get_needs (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsFindingRow *finding = ns_field_get_row (trace, row, field);
  guint i;

  value->list = g_ptr_array_new ();
  for (i = 0; finding->needs != NULL && i < finding->needs->len; i++)
    g_ptr_array_add (value->list, g_ptr_array_index (finding->needs, i));
}

/* Gets the thresholds of the rule. */
static void
get_thresholds (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsFindingRow *finding = ns_field_get_row (trace, row, field);

  value->list = ns_thresholds_list (trace->thresholds, finding->rule);
}

/* Formats “dns:3”. */
static void
get_rows (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsFindingRow *finding = ns_field_get_row (trace, row, field);
  guint i;

  value->list = g_ptr_array_new_with_free_func (g_free);
  for (i = 0; finding->refs != NULL && i < finding->refs->len; i++)
    {
      const NsFindingRef *ref = &g_array_index (finding->refs, NsFindingRef, i);

      g_ptr_array_add (value->list,
                       g_strdup_printf ("%s:%u", ns_table_get_name (ref->table), ref->row));
    }
}

/* clang-format off */
static const NsField fields[] = {
  NS_FIELD ("id", N_("Rule Number"), N_("Number of the rule that reported it"), TEXT, 52, 2, ns_get_chars, AT (rule)),
  NS_FIELD ("title", N_("Rule"), N_("Name of the rule"), TEXT, 210, 3, ns_get_chars, AT (title)),
  NS_RANKED ("severity", N_("Severity"), N_("problem, warning, or info"), 76, 1, get_severity, AT (severity), rank_severity),
  NS_FIELD ("verdict", N_("Verdict"), N_("found, not found, or cannot be judged from the recorded events"), TEXT, 134, 5, get_verdict, AT (verdict)),
  NS_FIELD ("confidence", N_("Confidence"), N_("Confidence of the finding: high, medium, low; lost events lower it"), TEXT, 84, 8, get_confidence, AT (trust)),
  NS_FIELD ("process", N_("Process Name"), N_("File name of the process"), TEXT, 120, 0, ns_get_process, AT2 (pid, process_ns)),
  NS_FIELD ("subject", N_("Subject"), N_("Host, address or name it is about"), TEXT, 180, 0, ns_get_chars, AT (subject)),
  NS_FIELD ("open_ns", N_("Open (s)"), N_("When it began"), TIME, 84, 9, ns_get_time, AT (open_ns)),
  NS_FIELD ("close_ns", N_("Close (s)"), N_("When it ended"), TIME, 84, 0, ns_get_time, AT (close_ns)),
  NS_FIELD ("cost_ns", N_("Cost (ms)"), N_("Time that was lost; overlapping times count once"), DURATION, 90, 6, ns_get_i64, AT (cost_ns)),
  NS_FIELD ("count", N_("Count"), N_("Number of occurrences"), COUNT, 58, 7, ns_get_u32, AT (count)),
  NS_NUMBERS ("evidence", N_("Evidence"), N_("Numbers of the events that support the finding"), 120, 0, get_evidence, AT (refs)),
  NS_NUMBERS ("activities", N_("Activities"), N_("Rows of the master table it is about"), 120, 0, get_activities, AT (activities)),
  NS_FIELD ("text", N_("Finding"), N_("What happened, with its figures"), TEXT, 520, 4, ns_get_chars, AT (text)),
  NS_FIELD ("advice", N_("Advice"), N_("Recommended next step"), TEXT, 386, 10, ns_get_chars, AT (advice)),
  NS_FIELD ("needs", N_("Needs"), N_("Providers that were not recorded"), LIST, 220, 0, get_needs, AT (needs)),
  NS_FIELD ("pid", N_("PID"), N_("Process identifier"), UINT, 68, 0, ns_get_known_u32, AT (pid)),
  NS_FIELD ("rows", N_("Rows"), N_("Rows of all tables that support the finding, each with its table"), LIST, 160, 0, get_rows, AT (refs)),
  NS_FIELD ("thresholds", N_("Thresholds"), N_("Limits from which its rule reports a finding; none if it reports every occurrence"), LIST, 220, 0, get_thresholds, AT (rule)),
  NS_MACHINE_COLUMN (AT (rule)),
};
/* clang-format on */

const NsFieldTable ns_fields_findings = {
  .name = "findings",
  .title = N_ ("Findings"),
  .fields = fields,
  .n_fields = G_N_ELEMENTS (fields),
};
