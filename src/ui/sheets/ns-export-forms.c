/* The forms of file that rows can be exported in.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/sheets/ns-export-forms.h"

#include "model/ns-export-job.h"

#include <glib/gi18n.h>

static const NsExportForm forms[] = {
  { N_ ("Comma-separated values (.csv)"), ".csv", NS_N_TABLES, TRUE, NULL },
  { N_ ("Tab-separated values (.tsv)"), ".tsv", NS_N_TABLES, TRUE, NULL },
  { N_ ("JSON (.json)"), ".json", NS_N_TABLES, TRUE, NULL },
  { N_ ("JSON, one row a line (.jsonl)"), ".jsonl", NS_N_TABLES, TRUE, NULL },
  { N_ ("Markdown (.md)"), ".md", NS_N_TABLES, TRUE, NULL },
  { N_ ("Table for analysis: Parquet (.parquet)"), ".parquet", NS_N_TABLES, FALSE, NULL },
  { N_ ("Tables for analysis: SQLite (.sqlite)"),
    ".sqlite",
    NS_N_TABLES,
    FALSE,
    N_ ("The names in the other tables are replaced, too; listed are those of the table in "
        "front.") },
  { N_ ("Report (.html)"),
    ".html",
    NS_N_TABLES,
    TRUE,
    N_ ("What the trace is called, the filter, notes and the timeline are left out.") },
  { N_ ("Report as text (.report.txt)"),
    ".report.txt",
    NS_N_TABLES,
    TRUE,
    N_ ("What the trace is called, the filter and notes are left out.") },
  { N_ ("Hand-over: rows, names, notes (.etl.zip)"), ".etl.zip", NS_N_TABLES, TRUE, NULL },
  { N_ ("Part of the trace (.etl)"), ".etl", NS_N_TABLES, FALSE, NULL },
  { N_ ("HTTP archive (.har)"),
    ".har",
    NS_TABLE_ACTIVITIES,
    FALSE,
    N_ ("Bodies are left out, and values of headers that may tell of somebody.") },
  { N_ ("Perfetto (.perfetto.json)"), ".perfetto.json", NS_TABLE_ACTIVITIES, FALSE, NULL },
  { N_ ("Speedscope (.speedscope.json)"), ".speedscope.json", NS_TABLE_ACTIVITIES, FALSE, NULL },
  { N_ ("Packet capture (.pcapng)"), ".pcapng", NS_TABLE_PACKETS, FALSE, NULL },
  { N_ ("Older packet capture (.pcap)"), ".pcap", NS_TABLE_PACKETS, FALSE, NULL },
  { N_ ("Packets of the conversations (.pcapng)"), ".pcapng", NS_TABLE_FLOWS, FALSE, NULL },
};

G_STATIC_ASSERT (G_N_ELEMENTS (forms) <= NS_EXPORT_FORMS_MAX);

/**
 * ns_export_forms_list:
 * @table: a table
 * @offered: (out caller-allocates) (array fixed-size=NS_EXPORT_FORMS_MAX): the forms of its rows
 *
 * Returns: how many there are
 */
guint
ns_export_forms_list (NsTableId table, const NsExportForm *offered[NS_EXPORT_FORMS_MAX])
{
  guint n_offered = 0;
  guint i;

  for (i = 0; i < G_N_ELEMENTS (forms); i++)
    if ((forms[i].table == NS_N_TABLES || forms[i].table == table) &&
        ns_export_job_can_hold (table, forms[i].ending))
      offered[n_offered++] = &forms[i];
  return n_offered;
}
