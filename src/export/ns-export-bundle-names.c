/* Companion files of a hand-over file: function names of its stacks, and the view.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-hash.h"
#include "base/ns-map.h"
#include "engine/trace/ns-embedded-labels.h"
#include "engine/trace/ns-event-index.h"
#include "export/ns-export-bundle.h"

/* Fields that identify a row in the part, where it has another number. */
static const char *const identity_ids[] = { "open_ns", "time_ns",  "start_ns", "create_ns",
                                            "load_ns", "pid",      "tid",      "method",
                                            "url",     "query",    "ip",       "port",
                                            "tcb",     "endpoint", "request",  "name" };
/* Maximum number of selected rows that are searched in the part. */
#define MAX_ROWS 10000

typedef struct
{
  const NsExportChains *chains;
  const NsTrace *part;
  GHashTable *modules; /* identity → GString, its lines */
  GPtrArray *order;    /* keys of @modules, in order */
  NsMap *seen;         /* (RVA, image row in the part and is-return flag) → 1 */
  gsize n_bytes;
} Names;

static void
free_lines (gpointer data)
{
  g_string_free (data, TRUE);
}

/* Replaces tabs and line ends, which delimit fields and lines in the file. */
static void
append_field (GString *text, const char *value)
{
  g_autofree char *valid = g_utf8_make_valid (value, -1);

  g_strdelimit (valid, "\t\r\n", ' ');
  g_string_append_c (text, '\t');
  g_string_append (text, *valid != '\0' ? valid : NS_EMBEDDED_LABELS_NONE);
}

static GString *
ensure_lines (Names *self, NsRow image)
{
  g_autofree char *identity = ns_embedded_labels_dup_identity (self->part, image);
  GString *lines = g_hash_table_lookup (self->modules, identity);

  if (lines != NULL)
    return lines;
  lines = g_string_new (NULL);
  g_string_append_printf (lines, "m\t%s\n", identity);
  g_ptr_array_add (self->order, lines);
  g_hash_table_insert (self->modules, g_steal_pointer (&identity), lines);
  return lines;
}

static void
add_frame (Names *self, guint32 pid, guint64 address, gint64 time_ns, gboolean is_return)
{
  NsRow image = ns_trace_find_image (self->part, pid, address, time_ns);
  NsRow whole = ns_trace_find_image (self->chains->trace, pid, address, time_ns);
  NsExportSymbol symbol = { 0 };
  GString *lines;
  gsize n_before;
  guint64 rva;

  if (image == 0 || whole == 0)
    return;
  rva = address - NS_ROW_AT (self->part->images, NsImageRow, image)->base;
  if (ns_map_get (self->seen, rva, (guint64) image << 1 | (guint) is_return) != 0)
    return;
  ns_map_set (self->seen, rva, (guint64) image << 1 | (guint) is_return, 1);
  if (self->n_bytes >= NS_ETL_MAX_NAMES_BYTES ||
      !ns_export_chains_resolve (self->chains, whole, rva, is_return, &symbol) ||
      symbol.symbol == NULL)
    return;
  lines = ensure_lines (self, image);
  n_before = lines->len;
  g_string_append_printf (lines,
                          "f\t%" G_GINT64_MODIFIER "x\t%c\t%" G_GINT64_MODIFIER "x",
                          rva,
                          is_return ? 'r' : 'c',
                          symbol.offset);
  append_field (lines, symbol.symbol);
  if (symbol.file != NULL || symbol.inlined != NULL)
    {
      g_string_append_printf (lines, "\t%u", symbol.line);
      append_field (lines, symbol.file != NULL ? symbol.file : NS_EMBEDDED_LABELS_NONE);
    }
  if (symbol.inlined != NULL)
    append_field (lines, symbol.inlined);
  g_string_append_c (lines, '\n');
  self->n_bytes += lines->len - n_before;
}

/**
 * ns_export_bundle_list_names:
 * @chains: the whole trace, and the symbol resolver
 * @part: a part of it, with its table of events
 *
 * Returns: (transfer full): the companion file with the names of all functions in the stacks of
 *   @part
 */
GString *
ns_export_bundle_list_names (const NsExportChains *chains, const NsTrace *part)
{
  GString *text = g_string_new (NS_EMBEDDED_LABELS_HEAD);
  g_autoptr (GHashTable) modules =
      g_hash_table_new_full (ns_hash_text, g_str_equal, g_free, free_lines);
  g_autoptr (GPtrArray) order = g_ptr_array_new ();
  g_autoptr (NsMap) seen = ns_map_new ();
  Names self = { chains, part, modules, order, seen, 0 };

  for (guint i = 0; i < part->events->len; i++)
    {
      NsStackId stack = ns_trace_get_event (part, i)->stack;
      guint n_frames = 0;
      const guint64 *frames;
      guint32 pid;

      if (stack == 0)
        continue;
      frames = ns_stacks_get (part->stacks, stack, &n_frames);
      pid = ns_stacks_get_pid (part->stacks, stack);
      for (guint k = 0; k < n_frames; k++)
        add_frame (&self, pid, frames[k], ns_trace_get_event_time (part, i), k > 0);
    }
  for (guint i = 0; i < order->len; i++)
    {
      const GString *lines = g_ptr_array_index (order, i);

      g_string_append_len (text, lines->str, (gssize) lines->len);
    }
  return text;
}

static char *
dup_identity (const NsTrace *trace, NsTableId table, guint32 row)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (identity_ids); i++)
    {
      const NsField *field = ns_table_find_field (table, identity_ids[i]);
      NsFieldValue value;

      if (field == NULL)
        continue;
      ns_field_get (trace, field, row, &value);
      if (!value.is_null)
        ns_field_append_raw (field, &value, text);
      ns_field_value_clear (&value);
      g_string_append_c (text, '\t');
    }
  return g_string_free (text, FALSE);
}

/* Finds the part's rows of the selection; missing rows are skipped. */
static GVariant *
find_rows (const NsTrace *trace,
           NsTableId table,
           const guint32 *rows,
           gsize n_rows,
           const NsTrace *part)
{
  g_autoptr (GHashTable) by_identity =
      g_hash_table_new_full (ns_hash_text, g_str_equal, g_free, NULL);
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (guint32));

  for (guint32 i = 0; n_rows > 0 && i < ns_table_get_n_rows (part, table); i++)
    {
      char *identity = dup_identity (part, table, i);

      if (g_hash_table_contains (by_identity, identity))
        g_free (identity);
      else
        g_hash_table_insert (by_identity, identity, GUINT_TO_POINTER (i + 1));
    }
  for (gsize i = 0; i < MIN (n_rows, MAX_ROWS); i++)
    if (rows[i] < ns_table_get_n_rows (trace, table))
      {
        g_autofree char *identity = dup_identity (trace, table, rows[i]);
        guint32 row = GPOINTER_TO_UINT (g_hash_table_lookup (by_identity, identity));

        if (row != 0 && --row < G_MAXUINT32)
          g_array_append_val (found, row);
      }
  return g_variant_new_fixed_array (G_VARIANT_TYPE_UINT32,
                                    found->data,
                                    found->len,
                                    sizeof (guint32));
}

/**
 * ns_export_bundle_make_view:
 * @report: rows of a trace, and its view
 * @part: the trace of these rows
 *
 * Converts row numbers of the view, which differ in the part.
 *
 * Returns: (transfer full): the view of the part: an `a{sv}`
 */
GVariant *
ns_export_bundle_make_view (const NsExportReport *report, const NsTrace *part)
{
  g_autoptr (GVariant) selected =
      report->view != NULL
          ? g_variant_lookup_value (report->view, "selected", G_VARIANT_TYPE ("au"))
          : NULL;
  const char *name = NULL;
  GVariantDict dict;
  NsTableId table;

  g_variant_dict_init (&dict, report->view);
  g_variant_dict_remove (&dict, "selected");
  if (selected != NULL && g_variant_lookup (report->view, "selected-table", "&s", &name) &&
      ns_table_from_name (name, &table))
    {
      gsize n_rows;
      const guint32 *rows = g_variant_get_fixed_array (selected, &n_rows, sizeof (guint32));

      g_variant_dict_insert_value (&dict,
                                   "selected",
                                   find_rows (report->rows.trace, table, rows, n_rows, part));
    }
  return g_variant_ref_sink (g_variant_dict_end (&dict));
}
