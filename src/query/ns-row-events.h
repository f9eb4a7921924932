/* Finds the records of a row by its keys.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "query/ns-fields.h"

G_BEGIN_DECLS

/* Records of one row that are listed. */
#define NS_ROW_EVENTS_MAX 1000
/* Keys of a row, with those of the rows below it. */
#define NS_ROW_EVENTS_MAX_KEYS 16

/* Smaller numbers than this are too common to be a key. */
#define NS_ROW_EVENTS_MIN_KEY 0x10000

/* From here on a pointer leads into the kernel, and means the same in every process. */
#define NS_ROW_KERNEL_KEY_64 G_GUINT64_CONSTANT (0xffff800000000000)
#define NS_ROW_KERNEL_KEY_32 0x80000000u

/* What one record has in common with the row. */
typedef struct
{
  guint32 event; /* row of the table of events */
  guint32 key;   /* number of the key it mentions; %G_MAXUINT32: none */
} NsRowEvent;

/* A pointer or handle that records tell of. */
typedef struct
{
  const NsField *field;
  guint64 value;
} NsRowKey;

/**
 * NsRowEvents:
 * @events: (element-type NsRowEvent): in time order
 * @keys: (element-type NsRowKey): what was looked for; empty: the row has none, and @events are
 *   those of its thread
 * @span: time that was looked through
 * @activity: what Windows called it; zero: nothing
 * @pid: process of the row, or %NS_PID_UNKNOWN
 * @tid: its thread, or %NS_PID_UNKNOWN
 * @n_looked_at: records looked at
 * @is_cut: there are more
 *
 * What was found, and how.
 */
typedef struct
{
  GArray *events;
  GArray *keys;
  NsTimeSpan span;
  NsGuid activity;
  guint32 pid;
  guint32 tid;
  guint32 n_looked_at;
  gboolean is_cut;
} NsRowEvents;

NsRowEvents *ns_row_events_describe_all (const NsTrace *trace, NsTableId table, guint32 row);
NsRowEvents *ns_row_events_find (const NsTrace *trace,
                                 NsTableId table,
                                 guint32 row,
                                 NsProgressFunc progress,
                                 gpointer progress_data);
NsRowEvents *ns_row_events_describe (const NsTrace *trace, NsTableId table, guint32 row);
gboolean ns_row_events_is_key_field (const NsField *field);
gboolean ns_row_events_means_the_same (guint32 pid, guint64 key, const NsRecord *record);
gboolean ns_row_events_is_own_key (const NsRowEvents *self, guint32 key);
void ns_row_events_free (NsRowEvents *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsRowEvents, ns_row_events_free)

G_END_DECLS
