/* A hand-over file: chosen rows as a trace of their own, with notes and results.
 *
 * A zip archive of a trace, the function names of its stacks, the view with notes and bookmarks,
 * and a report for receivers without a trace viewer. Any unzip program unpacks it; Netstitch opens
 * it directly. Small files come first, so that a truncated archive loses rows rather than names.
 * For several machines, each has a folder with these files.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "export/ns-export-bundle.h"

#include "engine/build/ns-builder.h"
#include "engine/open/ns-log.h"
#include "engine/open/ns-parts.h"
#include "export/ns-export-etl.h"
#include "export/ns-export-zip.h"
#include "export/ns-view-file.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <string.h>

#define TRACE_NAME "trace.etl"
#define REPORT_NAME "report.html"
#define LOG_COLUMNS                                                                                \
  "time_ns,uncertainty_ns,source,kind,line,action,status,process,pid,tid,protocol,server,url,ip,"  \
  "port,local_ip,local_port,duration_ns,failed,text"
/* Maximum length of a machine's folder name. */
#define MAX_FOLDER 60
/* Maximum size of one file in the archive, which is made in memory. */
#define MAX_MEMBER_BYTES 0x7fffffffu

static gboolean
collect (const char *data, gsize n_bytes, gpointer user_data, GError **error)
{
  GByteArray *bytes = user_data;

  if (n_bytes > MAX_MEMBER_BYTES - bytes->len)
    return ns_trace_refuse_query (error, _ ("that is more than 2 GiB: choose fewer rows"));
  g_byte_array_append (bytes, (const guint8 *) data, (guint) n_bytes);
  return TRUE;
}

static GBytes *
make_trace (const NsExportReport *report, GError **error)
{
  const NsExportRows *rows = &report->rows;
  g_autoptr (GByteArray) bytes = g_byte_array_new ();

  if (!ns_export_etl_table (rows->trace,
                            rows->table,
                            rows->rows,
                            rows->n_rows,
                            collect,
                            bytes,
                            error))
    return NULL;
  return g_byte_array_free_to_bytes (g_steal_pointer (&bytes));
}

static NsTrace *
open_part (const NsTrace *trace, GBytes *bytes, GError **error)
{
  NsTraceOptions options = { .view = trace->view, .want_events = TRUE };
  NsEtlFile *file = ns_etl_file_open_bytes (bytes, TRACE_NAME, error);

  return file != NULL ? ns_trace_build (file,
                                        ns_schemas_new (ns_view_context_get_schemas (trace->view)),
                                        &options,
                                        NULL,
                                        NULL,
                                        error)
                      : NULL;
}

/* Lists function names. All names are requested before any is waited for, so that a resolver
 * that does not block resolves them at the same time. */
static GString *
list_names (const NsExportReport *report, const NsTrace *part, GError **error)
{
  if (report->settle != NULL)
    {
      g_string_free (ns_export_bundle_list_names (&report->chains, part), TRUE);
      if (!report->settle (report->settle_data, error))
        return NULL;
    }
  return ns_export_bundle_list_names (&report->chains, part);
}

/* Formats the view within the size limit of readers; if it is too large, the selection is left
 * out. */
static char *
make_view_text (const NsExportReport *report, const NsTrace *part, GError **error)
{
  g_autoptr (GVariant) view = ns_export_bundle_make_view (report, part);
  g_autofree char *text = ns_view_file_to_text (view);
  g_autoptr (GVariant) less = NULL;
  GVariantDict dict;

  if (strlen (text) <= NS_ETL_MAX_VIEW_BYTES)
    return g_steal_pointer (&text);
  g_variant_dict_init (&dict, view);
  g_variant_dict_remove (&dict, "selected");
  less = g_variant_ref_sink (g_variant_dict_end (&dict));
  g_free (text);
  text = ns_view_file_to_text (less);
  if (strlen (text) <= NS_ETL_MAX_VIEW_BYTES)
    return g_steal_pointer (&text);
  ns_trace_refuse_query (error, _ ("the notes take more than 128 KiB: remove some"));
  return NULL;
}

static gboolean
is_chosen (GHashTable *chosen, const NsLogRow *row)
{
  return chosen != NULL && row->activity != 0 &&
         g_hash_table_contains (chosen, GUINT_TO_POINTER (row->activity));
}

/* Lists log lines within the time of the part, or linked to one of its rows. */
static GArray *
list_log_rows (const NsExportReport *report, const NsTrace *part)
{
  const NsExportRows *rows = &report->rows;
  const NsTrace *trace = rows->trace;
  g_autoptr (GHashTable) chosen =
      rows->table == NS_TABLE_ACTIVITIES ? g_hash_table_new (NULL, NULL) : NULL;
  gint64 begin_ns = ns_trace_filetime_to_ns (trace, ns_etl_file_ns_to_filetime (part->file, 0));
  gint64 end_ns =
      ns_trace_filetime_to_ns (trace, ns_etl_file_ns_to_filetime (part->file, part->end_ns));
  GArray *list = g_array_new (FALSE, FALSE, sizeof (guint32));
  gsize i;
  guint32 n;

  for (i = 0; chosen != NULL && i < rows->n_rows; i++)
    g_hash_table_add (chosen,
                      GUINT_TO_POINTER ((rows->rows != NULL ? rows->rows[i] : (guint32) i) + 1));
  for (n = 0; n < trace->log->len; n++)
    {
      const NsLogRow *row = &g_array_index (trace->log, NsLogRow, n);

      if ((row->time_ns >= begin_ns - row->uncertainty_ns &&
           row->time_ns <= end_ns + row->uncertainty_ns) ||
          is_chosen (chosen, row))
        g_array_append_val (list, n);
    }
  return list;
}

/* State while a machine is added. */
typedef struct
{
  NsExportZip *zip;
  const NsExportReport *report;
  GBytes *bytes;      /* trace of its rows */
  NsTrace *part;      /* the same trace, opened */
  const char *folder; /* folder of its files; %NULL: there is one machine */
} Adding;

static gboolean
add_file (const Adding *self, const char *name, const void *data, gsize n_bytes, GError **error)
{
  g_autofree char *path =
      self->folder != NULL ? g_strconcat (self->folder, "/", name, NULL) : g_strdup (name);

  return ns_export_zip_add (self->zip, path, data, n_bytes, error);
}

/* Adds the trace, named after its machine. */
static gboolean
add_trace (const Adding *self, GError **error)
{
  g_autofree char *name =
      self->folder != NULL ? g_strconcat (self->folder, ".etl", NULL) : g_strdup (TRACE_NAME);

  return add_file (self,
                   name,
                   g_bytes_get_data (self->bytes, NULL),
                   g_bytes_get_size (self->bytes),
                   error);
}

/* Adds log lines as CSV; they are parsed again when the hand-over is opened. */
static gboolean
add_log (const Adding *self, GError **error)
{
  g_autoptr (GArray) list = list_log_rows (self->report, self->part);
  g_autoptr (GPtrArray) fields = NULL;
  g_autoptr (GByteArray) table = g_byte_array_new ();
  NsExportOptions options = { .format = NS_EXPORT_CSV, .time = NS_EXPORT_TIME_ISO };
  NsExportRows rows = { .trace = self->report->rows.trace, .table = NS_TABLE_LOG };

  if (rows.trace->logs->len == 0)
    return TRUE;
  fields = ns_export_parse_columns (NS_TABLE_LOG, LOG_COLUMNS, error);
  if (fields == NULL)
    return FALSE;
  rows.rows = (const guint32 *) (gpointer) list->data;
  rows.n_rows = list->len;
  rows.fields = (const NsField *const *) fields->pdata;
  rows.n_fields = fields->len;
  if (!ns_export_table (&rows, &options, collect, table, error))
    return FALSE;
  if (table->len > NS_ETL_MAX_LOG_BYTES)
    return ns_trace_refuse_query (
        error,
        _ ("the lines of logs take more than 128 MiB: choose fewer rows, or open fewer logs"));
  return add_file (self, NS_ETL_COMPANION_LOG_NAME, table->data, table->len, error);
}

static gboolean
add_all (const Adding *self, GError **error)
{
  g_autofree char *view_text = make_view_text (self->report, self->part, error);
  g_autoptr (GString) names = list_names (self->report, self->part, error);
  g_autoptr (GByteArray) page = g_byte_array_new ();

  return view_text != NULL && names != NULL &&
         ns_export_html (self->report, collect, page, error) &&
         add_file (self, NS_ETL_COMPANION_VIEW_NAME, view_text, strlen (view_text), error) &&
         add_file (self, NS_ETL_COMPANION_NAMES_NAME, names->str, names->len, error) &&
         add_trace (self, error) && add_file (self, REPORT_NAME, page->data, page->len, error) &&
         add_log (self, error);
}

/* Returns the recording time, used as file time. */
static gint64
get_time (const NsEtlHeader *header)
{
  guint64 filetime = MIN (header->start_filetime, (guint64) G_MAXINT64);

  return MAX (((gint64) filetime - NS_FILETIME_UNIX_EPOCH) / NS_TICKS_PER_SECOND, 0);
}

/* Makes a unique folder name from a machine's name, valid on every system. */
static char *
dup_folder (const char *machine, const GPtrArray *folders)
{
  gsize length = strlen (machine);
  g_autofree char *plain = NULL;
  char *folder;
  guint n = 1;

  if (length > strlen (".etl") &&
      g_ascii_strcasecmp (machine + length - strlen (".etl"), ".etl") == 0)
    length -= strlen (".etl");
  plain = g_strndup (machine, MIN (length, MAX_FOLDER));
  g_strcanon (plain, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "-_.", '_');
  if (*plain == '\0' || *plain == '.')
    {
      g_free (plain);
      plain = g_strdup ("machine");
    }
  folder = g_strdup (plain);
  while (g_ptr_array_find_with_equal_func ((GPtrArray *) folders, folder, g_str_equal, NULL))
    {
      g_free (folder);
      folder = g_strdup_printf ("%s-%u", plain, ++n);
    }
  return folder;
}

/* Adds a machine; the first one creates the archive. */
static gboolean
add_machine (Adding *self, NsExportWriteFunc write, gpointer write_data, GError **error)
{
  g_autoptr (GBytes) bytes = make_trace (self->report, error);
  g_autoptr (NsTrace) part =
      bytes != NULL ? open_part (self->report->chains.trace, bytes, error) : NULL;

  if (part != NULL && self->zip == NULL)
    self->zip = ns_export_zip_new (write,
                                   write_data,
                                   get_time (ns_etl_file_get_header (part->file)),
                                   error);
  if (part == NULL || self->zip == NULL)
    return FALSE;
  self->bytes = bytes;
  self->part = part;
  return add_all (self, error);
}

/**
 * ns_export_bundle_machines:
 * @reports: (array length=n_reports): for each machine the rows of its trace, see
 *   ns_export_bundle()
 * @machines: (array length=n_reports) (nullable): names of the machines; %NULL: there is one
 * @n_reports: number of machines, at least one
 * @write: receives the archive
 * @write_data: for @write
 * @error: see ns_export_etl_table(), or the error of @write
 *
 * Returns: %FALSE if nothing was written, or @write failed
 */
gboolean
ns_export_bundle_machines (const NsExportReport *reports,
                           const char *const *machines,
                           guint n_reports,
                           NsExportWriteFunc write,
                           gpointer write_data,
                           GError **error)
{
  g_autoptr (GPtrArray) folders = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (NsExportZip) zip = NULL;
  guint i;

  for (i = 0; i < n_reports; i++)
    {
      Adding adding = { .zip = zip, .report = &reports[i] };
      gboolean is_added;

      if (machines != NULL)
        {
          g_ptr_array_add (folders, dup_folder (machines[i], folders));
          adding.folder = g_ptr_array_index (folders, i);
        }
      is_added = add_machine (&adding, write, write_data, error);
      zip = adding.zip;
      if (!is_added)
        return FALSE;
    }
  return ns_export_zip_close (zip, error);
}

/**
 * ns_export_bundle:
 * @report: rows of a trace with its table of events, the symbol resolver, and the view
 * @write: receives the archive
 * @write_data: for @write
 * @error: see ns_export_etl_table(), or the error of @write
 *
 * Returns: %FALSE if nothing was written, or @write failed
 */
gboolean
ns_export_bundle (const NsExportReport *report,
                  NsExportWriteFunc write,
                  gpointer write_data,
                  GError **error)
{
  return ns_export_bundle_machines (report, NULL, 1, write, write_data, error);
}
