/* The command line: two traces, request by request.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "cli/ns-cli-rows.h"
#include "query/ns-difference.h"

static const char *const columns[] = {
  "change", "process",        "method",        "server",        "url",
  "row_a",  "row_b",          "duration_a_ns", "duration_b_ns", "delta_ns",
  "phase",  "phase_delta_ns", "status_a",      "status_b",      NULL,
};

static NsTrace *
open_one (NsCli *cli, guint n, GError **error)
{
  NsTraceOptions options = {
    .member = cli->options.member,
    .manifests = cli->options.manifests,
    .compat_reference = cli->options.is_like_reference,
    .skip_calls = TRUE,
  };
  NsTrace *trace = ns_trace_open (cli->options.files[n], &options, ns_cli_progress, cli, error);

  if (trace != NULL)
    ns_cli_tell_damage (cli, trace->file);
  return trace;
}

static void
add_number (NsCliRows *rows, gboolean is_known, gint64 number)
{
  g_autofree char *text = g_strdup_printf ("%" G_GINT64_FORMAT, number);

  if (is_known)
    ns_cli_rows_add_json (rows, text, text);
  else
    ns_cli_rows_add_null (rows);
}

/* The value of a field of the master table; NULL: unknown. */
static char *
dup_value (const NsTrace *trace, const char *id, NsRow row)
{
  const NsField *field = ns_table_find_field (NS_TABLE_ACTIVITIES, id);
  g_autoptr (GString) text = g_string_new (NULL);
  NsFieldValue value;
  gboolean is_known;

  if (row == 0)
    return NULL;
  ns_field_get (trace, field, row - 1, &value);
  is_known = !value.is_null;
  if (is_known)
    ns_field_append_raw (field, &value, text);
  ns_field_value_clear (&value);
  return is_known ? g_string_free (g_steal_pointer (&text), FALSE) : NULL;
}

static void
add_value (NsCliRows *rows, const NsTrace *trace, const char *id, NsRow row)
{
  g_autofree char *text = dup_value (trace, id, row);

  ns_cli_rows_add_text (rows, text);
}

static void
add_duration (NsCliRows *rows, const NsTrace *trace, NsRow row)
{
  g_autofree char *text = dup_value (trace, "duration_ns", row);

  if (text != NULL)
    ns_cli_rows_add_json (rows, text, text);
  else
    ns_cli_rows_add_null (rows);
}

/* What came of it: the status of HTTP, or why it failed. */
static void
add_status (NsCliRows *rows, const NsTrace *trace, NsRow row)
{
  g_autofree char *error = dup_value (trace, "error", row);
  g_autofree char *status = dup_value (trace, "http_status", row);

  ns_cli_rows_add_text (rows, status != NULL ? status : error);
}

static gboolean
add_change (NsCliRows *rows,
            const NsTrace *before,
            const NsTrace *after,
            const NsChange *change,
            GError **error)
{
  const NsTrace *trace = change->before != 0 ? before : after;
  NsRow row = change->before != 0 ? change->before : change->after;
  gboolean is_pair = change->before != 0 && change->after != 0;
  gboolean has_phase = change->phase != NS_N_PHASES;

  ns_cli_rows_add_text (rows, ns_change_kind_to_text (change->kind));
  add_value (rows, trace, "process", row);
  add_value (rows, trace, "method", row);
  add_value (rows, trace, "server", row);
  add_value (rows, trace, "url", row);
  add_number (rows, change->before != 0, change->before);
  add_number (rows, change->after != 0, change->after);
  add_duration (rows, before, change->before);
  add_duration (rows, after, change->after);
  add_number (rows, is_pair, change->duration_ns);
  ns_cli_rows_add_text (rows, has_phase ? ns_phase_to_text (change->phase) : NULL);
  add_number (rows, has_phase, change->phase_ns);
  add_status (rows, before, change->before);
  add_status (rows, after, change->after);
  return ns_cli_rows_end_row (rows, error);
}

static gboolean
print (NsCli *cli,
       NsExportFormat format,
       const NsTrace *before,
       const NsTrace *after,
       GError **error)
{
  g_autoptr (GArray) changes = ns_difference_new (before, after);
  g_autoptr (NsCliRows) rows = ns_cli_rows_new (format, columns, ns_cli_write, cli);
  guint i;

  for (i = 0; i < changes->len; i++)
    if (!add_change (rows, before, after, &g_array_index (changes, NsChange, i), error))
      return FALSE;
  return ns_cli_rows_finish (rows, FALSE, error);
}

/**
 * ns_cli_diff:
 * @cli: what was asked; two files
 * @error: return location
 *
 * Returns: %FALSE if it could not be done
 */
gboolean
ns_cli_diff (NsCli *cli, GError **error)
{
  g_autoptr (NsTrace) before = NULL;
  g_autoptr (NsTrace) after = NULL;
  NsExportFormat format;

  if (!ns_cli_rows_get_format (cli, &format, error))
    return FALSE;
  before = open_one (cli, 0, error);
  if (before != NULL)
    after = open_one (cli, 1, error);
  return after != NULL && print (cli, format, before, after, error);
}
