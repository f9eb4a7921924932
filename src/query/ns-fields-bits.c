/* The fields of BITS transfers.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/app/bits/ns-bits.h"
#include "query/ns-field-get.h"
#include "query/ns-sentence-parts.h"

#include <glib/gi18n-lib.h>

#define BITS(member) NS_FIELD_AT (NS_TABLE_BITS, NsBitsRow, member)
#define BITS2(first, second) NS_FIELD_AT2 (NS_TABLE_BITS, NsBitsRow, first, second)

static void
get_count (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  ns_get_u64 (trace, row, field, value);
  value->is_null = value->v.u == NS_BITS_UNKNOWN;
}

/* Gets the program that created the job: the path in the service's event, else the process with
 * the ID. */
static void
get_job_process (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsBitsRow *bits = ns_field_get_row (trace, row, field);
  const char *text =
      bits->job_path != NS_STRING_NONE ? ns_trace_text (trace, bits->job_path) : NULL;

  if (text == NULL && bits->job_pid != NS_PID_UNKNOWN)
    text = ns_trace_get_process_name (trace, bits->job_pid, bits->layer.open_ns);
  ns_field_set_chars (value, text);
}

static void
get_requests (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsBitsRow *bits = ns_field_get_row (trace, row, field);
  guint i;

  value->list = g_ptr_array_new_with_free_func (g_free);
  for (i = 0; bits->requests != NULL && i < bits->requests->len; i++)
    g_ptr_array_add (value->list, g_strdup_printf ("%u", g_array_index (bits->requests, NsRow, i)));
}

/* clang-format off */
static const NsField fields[] = {
  NS_FIELD ("id", N_("Row"), N_("Number of the row; the same file always gives the same numbers"), UINT, 68, 0, ns_get_id, BITS (url)),
  NS_FIELD ("transfer", N_("Transfer ID"), N_("Identifier of the transfer"), GUID, 260, 0, ns_get_guid, BITS (transfer)),
  NS_FIELD ("job", N_("Job ID"), N_("Identifier of the job it belongs to"), GUID, 260, 0, ns_get_guid, BITS (job)),
  NS_FIELD ("title", N_("Job"), N_("Name that the program gave the job"), TEXT, 150, 3, ns_get_string, BITS (title)),
  NS_FIELD ("url", N_("URL"), N_("Requested resource"), TEXT, 386, 4, ns_get_string, BITS (url)),
  NS_FIELD ("server", N_("Server"), N_("Host of the URL"), TEXT, 150, 2, ns_get_string, BITS (server)),
  NS_FIELD ("peer", N_("Peer"), N_("Computer from which the file was received, other than the server"), TEXT, 150, 0, ns_get_string, BITS (peer)),
  NS_FIELD ("proxy", N_("Proxy"), N_("Proxy that was used"), TEXT, 150, 0, ns_get_string, BITS (proxy)),
  NS_FIELD ("bytes_total", N_("File Size (B)"), N_("Size of the file, if the server reports it"), BYTES, 90, 5, get_count, BITS (bytes_total)),
  NS_FIELD ("transferred", N_("Transferred (B)"), N_("Bytes received by this transfer"), BYTES, 96, 6, get_count, BITS (transferred)),
  NS_FIELD ("from_peer", N_("From Peer (B)"), N_("Bytes received from other computers of the network"), BYTES, 90, 0, get_count, BITS (from_peer)),
  NS_FIELD ("attempt", N_("Attempt"), N_("Number of times that the transfer was started in this trace"), COUNT, 66, 7, ns_get_u32, BITS (attempt)),
  NS_FIELD ("status", N_("Status"), N_("Result, an HRESULT"), HEX, 90, 0, ns_get_layer_status, BITS (layer.status)),
  NS_FIELD ("error", N_("Error"), N_("Reason for the failure"), TEXT, 180, 8, ns_get_hresult, BITS (layer.status)),
  NS_FIELD ("job_process", N_("Job's Program"), N_("Program that created the job; BITS transfers on its behalf"), TEXT, 180, 1, get_job_process, BITS (job_path)),
  NS_FIELD ("job_pid", N_("Job's PID"), N_("Process that created the job"), UINT, 68, 0, ns_get_known_u32, BITS (job_pid)),
  NS_NUMBERS ("requests", N_("WinHTTP Rows"), N_("WinHTTP requests that downloaded the file"), 110, 0, get_requests, BITS (requests)),
  NS_FIELD ("process", N_("Process Name"), N_("File name of the process"), TEXT, 120, 0, ns_get_process, BITS2 (layer.pid, layer.open_ns)),
  NS_FIELD ("pid", N_("PID"), N_("Process identifier of the service"), UINT, 68, 0, ns_get_known_u32, BITS (layer.pid)),
  NS_FIELD ("tid", N_("Thread"), N_("Thread that started it"), UINT, 68, 0, ns_get_known_u32, BITS (layer.tid)),
  NS_FIELD ("open_ns", N_("Open (s)"), N_("When it began"), TIME, 84, 10, ns_get_time, BITS (layer.open_ns)),
  NS_FIELD ("close_ns", N_("Close (s)"), N_("When it ended"), TIME, 84, 11, ns_get_time, BITS (layer.close_ns)),
  NS_FIELD ("duration_ns", N_("Duration (ms)"), N_("Time from its start to its end, or to the end of the trace"), DURATION, 90, 9, ns_get_duration, BITS2 (layer.open_ns, layer.close_ns)),
  NS_FIELD ("opened_before_trace", N_("Before Trace"), N_("It was in progress when the trace began"), BOOL, 76, 0, ns_get_bool, BITS (layer.opened_before_trace)),
  NS_FIELD ("still_open", N_("Still Open"), N_("It was in progress when the trace ended"), BOOL, 76, 0, ns_get_still_open, BITS (layer.close_ns)),
  NS_FIELD ("confidence", N_("Confidence"), N_("Confidence of the link to the requests: 3 by key, 2 by address, URL and time, 1 by thread and time"), UINT, 76, 0, ns_get_layer_confidence, BITS (layer.confidence)),
  NS_FIELD ("evidence", N_("Evidence"), N_("Evidence for the link to the requests"), LIST, 110, 0, ns_get_evidence, BITS (layer.evidence)),
  NS_FIELD ("activity", N_("Activity"), N_("Related row of the master table"), ROW, 66, 0, ns_get_nonzero_u32, BITS (layer.activity)),
  NS_COLUMN ("process_pid", N_("Process"), N_("The process and its identifier"), TEXT, 150, 0, ns_get_process_with_pid, BITS2 (layer.pid, layer.open_ns)),
  NS_INPUT_COLUMN (BITS2 (layer.open_ns, layer.close_ns)),
  NS_MACHINE_COLUMN (BITS2 (layer.pid, layer.open_ns)),
};
/* clang-format on */

static void
add_bits (NsSentence *self)
{
  g_autofree char *subject = ns_sentence_dup_subject (self);
  g_autofree char *job = ns_sentence_dup (self, "title");
  g_autofree char *program = ns_sentence_dup (self, "job_process");
  g_autofree char *url = ns_sentence_dup (self, "url");
  g_autofree char *when = ns_sentence_dup_when (self, "open_ns");
  g_autofree char *bytes = ns_sentence_dup_bytes (self, "transferred");
  g_autofree char *error = ns_sentence_dup (self, "error");
  gint64 attempt;

  /* Translators: “svchost.exe (500) transferred http://… in the background at 1.204 s” */
  ns_sentence_add (self,
                   _ ("%s transferred %s in the background %s"),
                   subject,
                   url != NULL ? url : "?",
                   when);
  if (program != NULL)
    ns_sentence_add (self, _ ("on behalf of %s"), program);
  if (job != NULL)
    ns_sentence_add (self, _ ("for the job “%s”"), job);
  if (ns_sentence_get_number (self, "attempt", &attempt) && attempt > 1)
    ns_sentence_add (self, _ ("in attempt %u"), (guint) attempt);
  if (bytes != NULL)
    ns_sentence_add (self, _ ("received %s"), bytes);
  if (error != NULL)
    ns_sentence_add (self, _ ("failed with %s"), error);
  ns_sentence_add_close (self);
}

/* Formats “a.cab of Update”: the display name of a job is more informative than its path. */
static char *
brief_bits (const NsSentence *self)
{
  return ns_brief_join (" \302\267 ", ns_sentence_dup (self, "title"), ns_brief_dup_path (self));
}

const NsFieldTable ns_fields_bits = {
  .name = "bits",
  .title = N_ ("BITS"),
  .needs = { NS_PROVIDER_BITS_CLIENT },
  .fields = fields,
  .n_fields = G_N_ELEMENTS (fields),
  .brief = brief_bits,
  .add_sentence = add_bits,
};
