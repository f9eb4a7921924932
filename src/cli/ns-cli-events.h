/* The verbs `events` and `dump`: every record of a trace, decoded, in the order of time.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "etl/ns-etl-file.h"
#include "export/ns-export-table.h"

G_BEGIN_DECLS

/**
 * NsCliEventsOpenFunc:
 * @user_data: the caller's
 * @error: return location
 *
 * Opens the trace with the table of its records.
 *
 * Returns: (transfer full) (nullable): the trace; without it only stacks inside records count
 */
typedef NsTrace *(*NsCliEventsOpenFunc) (gpointer user_data, GError **error);

/**
 * NsCliEventsTurn:
 * @is_first: nothing was printed before
 * @is_last: nothing will be printed after it
 * @n_printed: (inout): records printed so far
 * @n_passed: (inout): records left out so far of those to leave out first
 *
 * The place of a machine among several, which are printed one after the other.
 */
typedef struct
{
  gboolean is_first;
  gboolean is_last;
  guint64 n_printed;
  guint64 n_passed;
} NsCliEventsTurn;

/**
 * NsCliEvents:
 * @format: (nullable): name of the form; %NULL: @is_terminal decides
 * @columns: (nullable): ids with commas between, or "all"; of `dump` also its own names
 * @from: (nullable): seconds since the trace's start, or an ISO 8601 stamp
 * @to: (nullable): the same
 * @time: (nullable): name of the form of moments
 * @limit: most records to print; negative: all
 * @offset: records to leave out first
 * @filter: (nullable): only records of which this is true, in the filter language
 * @sort: (nullable): ids of fields with commas between, `-` before one for descending
 * @activity: (nullable): an activity id: only records that are linked to it
 * @event: (nullable): number of a record: only records that are linked to its activity
 * @separator: (nullable): what stands between the values of a line of `dump`; a comma by default
 * @signs: (nullable): ids of columns to print, too
 * @hides_schema: records that describe others are left out of what is printed for eyes
 * @n_hidden: (inout) (optional): to which is added how many were
 * @n_printed: (out) (optional): how many were printed
 * @is_raw: both ends of a connection stand as they were recorded in what is printed for eyes, too
 * @has_payload: the bytes of payloads are wanted too
 * @is_terminal: the output is a terminal
 * @view: (nullable): what the reader wants
 * @progress: (nullable): told how far it is
 * @progress_data: for @progress
 * @open: (nullable): called when the trace has stacks beside its records, or a filter or an order
 *   needs all of it; without it neither can be asked for
 * @open_data: for @open
 * @turn: (nullable): of several machines, which each record names
 *
 * What was asked on the command line, not yet checked.
 */
typedef struct
{
  NsViewContext *view;
  const char *format;
  const char *columns;
  const char *from;
  const char *to;
  const char *time;
  const char *filter;
  const char *sort;
  const char *activity;
  const char *event;
  gint64 limit;
  gint64 offset;
  const char *separator;
  const char *signs;
  gboolean hides_schema;
  guint64 *n_hidden;
  guint64 *n_printed;
  gboolean is_raw;
  gboolean has_payload;
  gboolean is_terminal;
  NsProgressFunc progress;
  gpointer progress_data;
  NsCliEventsOpenFunc open;
  gpointer open_data;
  NsCliEventsTurn *turn;
} NsCliEvents;

gboolean ns_cli_events_check (const NsCliEvents *self, GError **error);
gboolean ns_cli_events_print (const NsCliEvents *self,
                              NsEtlFile *file,
                              NsSchemas *schemas,
                              NsExportWriteFunc write,
                              gpointer write_data,
                              GError **error);
gboolean ns_cli_dump_check (const NsCliEvents *self, GError **error);
gboolean ns_cli_dump_print (const NsCliEvents *self,
                            NsEtlFile *file,
                            NsSchemas *schemas,
                            NsExportWriteFunc write,
                            gpointer write_data,
                            GError **error);

G_END_DECLS
