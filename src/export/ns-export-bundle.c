/* A hand-over: chosen rows as a trace of their own, with what was found out about them.
 *
 * A zip archive of a trace, the names of functions in its stacks, how it was looked at with notes
 * and marks, and a report for who has no program for traces. Any program unpacks it; ours opens it
 * as it is. What is small stands first, so that an archive that was cut off loses rows before
 * names.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "export/ns-export-bundle.h"

#include "engine/ns-builder.h"
#include "export/ns-export-etl.h"
#include "export/ns-export-zip.h"
#include "export/ns-view-file.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <string.h>

#define TRACE_NAME "trace.etl"
#define REPORT_NAME "report.html"
/* Bytes of one file of the archive: it is made in memory. */
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
open_part (GBytes *bytes, GError **error)
{
  static const NsTraceOptions options = { .want_events = TRUE };
  NsEtlFile *file = ns_etl_file_open_bytes (bytes, TRACE_NAME, error);

  return file != NULL ? ns_builder_build (file, ns_schemas_new (), &options, NULL, NULL, error)
                      : NULL;
}

/* Who names frames without waiting is asked for all of them first. */
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

/* As large as who opens it takes it; which rows are selected is the least of it. */
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
add_all (NsExportZip *self,
         const NsExportReport *report,
         GBytes *bytes,
         const NsTrace *part,
         GError **error)
{
  g_autofree char *view_text = make_view_text (report, part, error);
  g_autoptr (GString) names = list_names (report, part, error);
  g_autoptr (GByteArray) page = g_byte_array_new ();

  return view_text != NULL && names != NULL && ns_export_html (report, collect, page, error) &&
         ns_export_zip_add (self,
                            NS_ETL_COMPANION_VIEW_NAME,
                            view_text,
                            strlen (view_text),
                            error) &&
         ns_export_zip_add (self, NS_ETL_COMPANION_NAMES_NAME, names->str, names->len, error) &&
         ns_export_zip_add (self,
                            TRACE_NAME,
                            g_bytes_get_data (bytes, NULL),
                            g_bytes_get_size (bytes),
                            error) &&
         ns_export_zip_add (self, REPORT_NAME, page->data, page->len, error);
}

/* When that was recorded is what the files in it say, too. */
static gint64
get_time (const NsEtlHeader *header)
{
  guint64 filetime = MIN (header->start_filetime, (guint64) G_MAXINT64);

  return MAX (((gint64) filetime - NS_FILETIME_UNIX_EPOCH) / NS_TICKS_PER_SECOND, 0);
}

/**
 * ns_export_bundle:
 * @report: rows of a trace with its table of events, how their stacks are named, and how the trace
 *   is looked at
 * @write: where the archive goes
 * @write_data: for @write
 * @error: as of ns_export_etl_table(), or what @write said
 *
 * Returns: %FALSE if nothing was written, or @write failed
 */
gboolean
ns_export_bundle (const NsExportReport *report,
                  NsExportWriteFunc write,
                  gpointer write_data,
                  GError **error)
{
  g_autoptr (GBytes) bytes = make_trace (report, error);
  g_autoptr (NsTrace) part = bytes != NULL ? open_part (bytes, error) : NULL;
  g_autoptr (NsExportZip) zip = NULL;

  if (part == NULL)
    return FALSE;
  zip =
      ns_export_zip_new (write, write_data, get_time (ns_etl_file_get_header (part->file)), error);
  return zip != NULL && add_all (zip, report, bytes, part, error) &&
         ns_export_zip_close (zip, error);
}
