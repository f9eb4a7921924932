/* The fields of certificate checks.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/app/capi2/ns-capi2.h"
#include "query/ns-field-get.h"
#include "query/ns-sentence-parts.h"

#include <glib/gi18n-lib.h>

#define CAPI2(member) NS_FIELD_AT (NS_TABLE_CAPI2, NsCapi2Row, member)
#define CAPI22(first, second) NS_FIELD_AT2 (NS_TABLE_CAPI2, NsCapi2Row, first, second)

static void
get_kind (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  static const char *const texts[] = {
    [NS_CAPI2_CHAIN] = "chain",
    [NS_CAPI2_REVOCATION] = "revocation",
    [NS_CAPI2_RETRIEVAL] = "retrieval",
    [NS_CAPI2_POLICY] = "policy",
  };
  const NsCapi2Row *check = ns_field_get_row (trace, row, field);

  ns_field_set_chars (value, check->kind < G_N_ELEMENTS (texts) ? texts[check->kind] : NULL);
}

/* clang-format off */
static const NsField fields[] = {
  NS_FIELD ("id", N_("Row"), N_("Number of the row; the same file always gives the same numbers"), UINT, 68, 0, ns_get_id, CAPI2 (url)),
  NS_FIELD ("kind", N_("Kind"), N_("Building a chain, checking revocation, retrieving from the network, or checking a policy"), TEXT, 90, 2, get_kind, CAPI2 (kind)),
  NS_FIELD ("parent", N_("Parent"), N_("Row that contains this row"), ROW, 58, 0, ns_get_nonzero_u32, CAPI2 (parent)),
  NS_FIELD ("task", N_("Task ID"), N_("Identifier of the task"), GUID, 260, 0, ns_get_guid, CAPI2 (task)),
  NS_FIELD ("seq", N_("Sequence"), N_("Number of its first event within the task"), UINT, 66, 0, ns_get_nonzero_u32, CAPI2 (seq)),
  NS_FIELD ("subject", N_("Subject"), N_("Subject of the certificate"), TEXT, 180, 3, ns_get_string, CAPI2 (subject)),
  NS_FIELD ("url", N_("URL"), N_("Retrieved object"), TEXT, 300, 4, ns_get_string, CAPI2 (url)),
  NS_FIELD ("status", N_("Status"), N_("Result"), HEX, 90, 0, ns_get_layer_status, CAPI2 (layer.status)),
  NS_FIELD ("error", N_("Error"), N_("Reason for the failure"), TEXT, 220, 5, ns_get_win32, CAPI2 (layer.status)),
  NS_FIELD ("http", N_("WinHTTP Row"), N_("WinHTTP request that retrieved it"), ROW, 76, 0, ns_get_nonzero_u32, CAPI2 (http)),
  NS_FIELD ("process", N_("Process Name"), N_("File name of the process"), TEXT, 120, 0, ns_get_process, CAPI22 (layer.pid, layer.open_ns)),
  NS_FIELD ("pid", N_("PID"), N_("Process identifier"), UINT, 68, 0, ns_get_known_u32, CAPI2 (layer.pid)),
  NS_FIELD ("tid", N_("Thread"), N_("Thread that performed the check"), UINT, 68, 0, ns_get_known_u32, CAPI2 (layer.tid)),
  NS_FIELD ("open_ns", N_("Open (s)"), N_("When it began"), TIME, 84, 7, ns_get_time, CAPI2 (layer.open_ns)),
  NS_FIELD ("close_ns", N_("Close (s)"), N_("When it ended"), TIME, 84, 8, ns_get_time, CAPI2 (layer.close_ns)),
  NS_FIELD ("duration_ns", N_("Duration (ms)"), N_("Time from its start to its end, or to the end of the trace"), DURATION, 90, 6, ns_get_duration, CAPI22 (layer.open_ns, layer.close_ns)),
  NS_FIELD ("opened_before_trace", N_("Before Trace"), N_("It was in progress when the trace began"), BOOL, 76, 0, ns_get_bool, CAPI2 (layer.opened_before_trace)),
  NS_FIELD ("still_open", N_("Still Open"), N_("It was in progress when the trace ended"), BOOL, 76, 0, ns_get_still_open, CAPI2 (layer.close_ns)),
  NS_FIELD ("confidence", N_("Confidence"), N_("Confidence of the link to the request: 3 by key, 2 by URL and time, 1 by thread and time"), UINT, 76, 0, ns_get_layer_confidence, CAPI2 (layer.confidence)),
  NS_FIELD ("evidence", N_("Evidence"), N_("Evidence for the link"), LIST, 110, 0, ns_get_evidence, CAPI2 (layer.evidence)),
  NS_FIELD ("activity", N_("Activity"), N_("Related row of the master table"), ROW, 66, 0, ns_get_nonzero_u32, CAPI2 (layer.activity)),
  NS_COLUMN ("process_pid", N_("Process"), N_("The process and its identifier"), TEXT, 150, 1, ns_get_process_with_pid, CAPI22 (layer.pid, layer.open_ns)),
  NS_INPUT_COLUMN (CAPI22 (layer.open_ns, layer.close_ns)),
  NS_MACHINE_COLUMN (CAPI22 (layer.pid, layer.open_ns)),
};
/* clang-format on */

static void
add_check (NsSentence *self)
{
  const NsCapi2Row *row = &g_array_index (self->trace->capi2, NsCapi2Row, self->row);
  g_autofree char *subject = ns_sentence_dup_subject (self);
  g_autofree char *certificate = ns_sentence_dup (self, "subject");
  g_autofree char *url = ns_sentence_dup (self, "url");
  g_autofree char *when = ns_sentence_dup_when (self, "open_ns");
  g_autofree char *error = ns_sentence_dup (self, "error");

  switch (row->kind)
    {
    case NS_CAPI2_CHAIN:
      ns_sentence_add (self, _ ("%s checked a certificate chain %s"), subject, when);
      break;
    case NS_CAPI2_REVOCATION:
      ns_sentence_add (self, _ ("%s checked the revocation of a certificate %s"), subject, when);
      break;
    case NS_CAPI2_RETRIEVAL:
      ns_sentence_add (self,
                       _ ("%s retrieved %s for a certificate %s"),
                       subject,
                       url != NULL ? url : "?",
                       when);
      break;
    default:
      ns_sentence_add (self, _ ("%s checked a certificate against a policy %s"), subject, when);
      break;
    }
  if (certificate != NULL)
    ns_sentence_add (self, _ ("subject %s"), certificate);
  if (error != NULL)
    ns_sentence_add (self, _ ("failed with %s"), error);
  ns_sentence_add_close (self);
}

static char *
brief_check (const NsSentence *self)
{
  char *what = ns_sentence_dup (self, "url");

  if (what == NULL)
    what = ns_sentence_dup (self, "subject");
  return ns_brief_join (" \302\267 ", ns_sentence_dup (self, "kind"), what);
}

const NsFieldTable ns_fields_capi2 = {
  .name = "capi2",
  .title = N_ ("CAPI2"),
  .needs = { NS_PROVIDER_CAPI2 },
  .fields = fields,
  .n_fields = G_N_ELEMENTS (fields),
  .brief = brief_check,
  .add_sentence = add_check,
};
