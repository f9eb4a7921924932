/* Finds the records of a row by its keys.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "query/ns-fields.h"

G_BEGIN_DECLS

/* Maximum number of records listed per row. */
#define NS_ROW_EVENTS_MAX 1000
/* Maximum number of keys of a row, including those of lower layers. */
#define NS_ROW_EVENTS_MAX_KEYS 16

/* Minimum value of a key: smaller numbers are too common. */
#define NS_ROW_EVENTS_MIN_KEY 0x10000

/* Lowest kernel addresses, which are the same in every process. */
#define NS_ROW_KERNEL_KEY_64 G_GUINT64_CONSTANT (0xffff800000000000)
#define NS_ROW_KERNEL_KEY_32 0x80000000u

/* A record, and the key that it shares with the row. */
typedef struct
{
  guint32 event; /* row of the table of events */
  guint32 key;   /* index of the key; %G_MAXUINT32: none */
} NsRowEvent;

/* A pointer or handle that occurs in records. */
typedef struct
{
  const NsField *field;
  guint64 value;
} NsRowKey;

/**
 * NsRowEvents:
 * @events: (element-type NsRowEvent): in time order
 * @keys: (element-type NsRowKey): the keys; empty: the row has none, and @events are those of its
 *   thread
 * @span: time span that was searched
 * @activity: its activity ID; zero: none
 * @pid: process of the row, or %NS_PID_UNKNOWN
 * @tid: its thread, or %NS_PID_UNKNOWN
 * @n_looked_at: number of records examined
 * @is_cut: whether there are more records
 *
 * Records of a row, and how they were found.
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
