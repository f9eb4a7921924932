/* Prints every record of a trace, decoded, in order of time: `events` and `dump`.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "etl/ns-etl-file.h"
#include "export/ns-export-table.h"

G_BEGIN_DECLS

/**
 * NsCliEventsOpenFunc:
 * @user_data: data of the caller
 * @error: return location
 *
 * Opens the trace with its table of events.
 *
 * Returns: (transfer full) (nullable): the trace; %NULL: with @error set
 */
typedef NsTrace *(*NsCliEventsOpenFunc) (gpointer user_data, GError **error);

/**
 * NsCliEventsTurn:
 * @is_first: the machine is the first one
 * @is_last: the machine is the last one
 * @n_printed: (inout): number of records printed so far
 * @n_passed: (inout): number of records skipped so far because of the offset
 *
 * Position of a machine among several that are printed one after the other.
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
 * @view: (nullable): the view context
 * @format: (nullable): name of the form; %NULL: @is_terminal decides
 * @columns: (nullable): comma-separated column IDs, or "all"; for `dump` also its own names
 * @from: (nullable): seconds since the trace's start, or an ISO 8601 time
 * @to: (nullable): likewise
 * @time: (nullable): name of the time format
 * @filter: (nullable): a filter in the filter language
 * @sort: (nullable): comma-separated field IDs, `-` before one for descending
 * @activity: (nullable): an activity ID: only records that are linked to it
 * @event: (nullable): number of a record: only records that are linked to its activity
 * @limit: maximum number of records; negative: all
 * @offset: number of records to skip first
 * @separator: (nullable): text between the values of a `dump` line; a comma by default
 * @signs: (nullable): IDs of further columns to print
 * @hides_schema: omit records that describe others from output for reading
 * @n_hidden: (inout) (optional): incremented by the number of omitted records
 * @n_printed: (out) (optional): number of printed records
 * @is_raw: keep the endpoints as recorded, in output for reading, too
 * @has_payload: also print the bytes of payloads
 * @is_terminal: the output is a terminal
 * @progress: (nullable): receives the progress
 * @progress_data: for @progress
 * @open: (nullable): opens the whole trace, which an order or a filter may need, and call stacks
 *   that are records of their own; %NULL: these are not available
 * @open_data: for @open
 * @turn: (nullable): position among several machines, which each record then names
 *
 * The options of the command line, not yet checked.
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
