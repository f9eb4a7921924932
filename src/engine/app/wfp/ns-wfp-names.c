/* Names of filters and layers of the Windows Filtering Platform (`providers.md` 3 W5).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-small-file.h"
#include "engine/app/wfp/ns-wfp-private.h"
#include "etl/ns-etl-beside.h"
#include "schema/ns-schema-filters.h"

#include <glib/gi18n-lib.h>

/* Maximum number of files tried. */
#define MAX_TRIED 8

/* Run-time layer IDs (FWPS_LAYER_* of fwpsk.h), each for IPv4 and IPv6, with and without discard.
 */
static const struct
{
  guint first;
  const char *name;
} layers[] = {
  { 0, "inbound IP packet" },
  { 4, "outbound IP packet" },
  { 8, "forward" },
  { 12, "inbound transport" },
  { 16, "outbound transport" },
  { 20, "stream" },
  { 24, "datagram data" },
  { 28, "inbound ICMP error" },
  { 32, "outbound ICMP error" },
  { 36, "ALE resource assignment" },
  { 40, "ALE listen" },
  { 44, "ALE receive/accept" },
  { 48, "ALE connect" },
  { 52, "ALE flow established" },
};

static char *
dup_layer_name (guint32 layer)
{
  static const char *const kinds[] = { " v4", " v4 discard", " v6", " v6 discard" };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (layers); i++)
    if (layer / 4 * 4 == layers[i].first)
      return g_strconcat (layers[i].name, kinds[layer % 4], NULL);
  return NULL;
}

/* Reports that a file with names was not used. @why: a reason on one line, without a full stop */
static void
refuse (NsTrace *trace, const char *name, const char *why)
{
  g_autofree char *text =
      name != NULL ? g_strdup_printf (_ ("names of filters in %s are not read: %s"), name, why)
                   : g_strdup_printf (_ ("names of filters are not read: %s"), why);

  ns_etl_file_add_beside (trace->file,
                          NULL,
                          ns_trace_text (trace, ns_strings_add (trace->strings, text)));
}

static NsSchemaFilters *
read_chosen (NsTrace *trace, const char *path)
{
  g_autoptr (GError) error = NULL;
  gsize n_bytes;
  g_autofree char *data = ns_small_file_read (path, NS_SCHEMA_FILTERS_MAX_BYTES, &n_bytes, &error);
  NsSchemaFilters *filters = NULL;

  if (data == NULL)
    refuse (trace, NULL, error->message);
  else if ((filters = ns_schema_filters_new (data, n_bytes, &error)) == NULL)
    refuse (trace, path, error->message);
  return filters;
}

static NsSchemaFilters *
read_beside (NsTrace *trace, const NsEtlBeside *beside)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *damage = NULL;
  g_autoptr (GBytes) bytes = ns_etl_beside_read (beside, NS_SCHEMA_FILTERS_MAX_BYTES, &damage);
  NsSchemaFilters *filters = NULL;
  gsize n_bytes = 0;
  const char *data = bytes != NULL ? g_bytes_get_data (bytes, &n_bytes) : NULL;

  if (bytes != NULL)
    filters = ns_schema_filters_new (data != NULL ? data : "", n_bytes, &error);
  if (filters == NULL)
    refuse (trace, beside->name, bytes == NULL ? damage : error->message);
  return filters;
}

/* Reads the first readable file: the nearest to the trace. */
static NsSchemaFilters *
find_names (NsTrace *trace, char **found)
{
  g_autoptr (GPtrArray) all = ns_etl_file_list_filters (trace->file);
  guint i;

  for (i = 0; i < MIN (all->len, MAX_TRIED); i++)
    {
      const NsEtlBeside *beside = g_ptr_array_index (all, i);
      NsSchemaFilters *filters = read_beside (trace, beside);

      if (filters == NULL)
        continue;
      *found = g_strdup (beside->name);
      return filters;
    }
  return NULL;
}

static NsString
keep (NsTrace *trace, const char *text)
{
  return text != NULL ? ns_strings_add (trace->strings, text) : NS_STRING_NONE;
}

static void
name_row (NsTrace *trace, NsWfpRow *row, const NsSchemaFilters *names, const char *evidence)
{
  const char *layer = NULL;
  g_autofree char *usual = NULL;

  if (names != NULL && row->has_filter && row->filter != 0)
    {
      row->filter_name = keep (trace, ns_schema_filters_get_name (names, row->filter));
      row->filter_provider = keep (trace, ns_schema_filters_get_provider (names, row->filter));
      if (row->filter_name != NS_STRING_NONE)
        row->layer.evidence[NS_MAX_EVIDENCE - 1] = evidence;
    }
  if (row->layer_id == NS_WFP_NO_LAYER)
    return;
  if (names != NULL)
    layer = ns_schema_filters_get_layer (names, row->layer_id);
  usual = layer == NULL ? dup_layer_name (row->layer_id) : NULL;
  row->layer_name = keep (trace, layer != NULL ? layer : usual);
}

/**
 * ns_wfp_name_rows: (skip)
 * @trace: a trace with drops
 * @names_path: (nullable): the chosen file with names; %NULL: those beside the trace
 *
 * Names filters and layers. A file that cannot be read is listed in the report.
 */
void
ns_wfp_name_rows (NsTrace *trace, const char *names_path)
{
  g_autofree char *found = g_strdup (names_path);
  g_autoptr (NsSchemaFilters) names =
      names_path != NULL ? read_chosen (trace, names_path) : find_names (trace, &found);
  g_autofree char *text = names != NULL ? g_strconcat ("names from ", found, NULL) : NULL;
  const char *evidence = text != NULL ? ns_arena_strndup (trace->arena, text, strlen (text)) : NULL;
  guint i;

  for (i = 0; i < trace->wfp->len; i++)
    name_row (trace, &g_array_index (trace->wfp, NsWfpRow, i), names, evidence);
}
