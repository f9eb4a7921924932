/* Finds the rows that a record belongs to, by the keys in its fields.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "query/ns-fields.h"

G_BEGIN_DECLS

/* Maximum number of keys of a record that are looked up. */
#define NS_EVENT_ROWS_MAX_KEYS 32
/* Maximum number of rows found for a record. */
#define NS_EVENT_ROWS_MAX 8

/* Property in which a record matches a row. */
typedef enum
{
  NS_EVENT_ROW_KEY,       /* same pointer or handle */
  NS_EVENT_ROW_ACTIVITY,  /* same activity ID */
  NS_EVENT_ROW_ADDRESSES, /* same endpoints */
} NsEventRowReason;

/**
 * NsEventRowLink:
 * @table: a table
 * @row: a row of it, 0-based
 * @reason: why it matches
 * @key: (nullable): for %NS_EVENT_ROW_KEY, the row's field with the same value
 * @value: value of @key
 *
 * A row that a record belongs to.
 */
typedef struct
{
  NsTableId table;
  guint32 row;
  NsEventRowReason reason;
  const NsField *key;
  guint64 value;
} NsEventRowLink;

/**
 * NsEventRows:
 * @event: the record, 0-based
 * @links: (element-type NsEventRowLink): rows of layers, the most informative first
 * @activity: row of the master table, 0-based, or %G_MAXUINT32
 * @time_ns: time of the record
 * @pid: process in the header of the record, or %NS_PID_UNKNOWN
 * @owner_pid: process of the first row, or %NS_PID_UNKNOWN
 *
 * The rows that a record belongs to.
 */
typedef struct
{
  guint32 event;
  GArray *links;
  guint32 activity;
  gint64 time_ns;
  guint32 pid;
  guint32 owner_pid;
} NsEventRows;

NsEventRows *ns_event_rows_find (const NsTrace *trace,
                                 guint32 event,
                                 NsProgressFunc progress,
                                 gpointer progress_data);
void ns_event_rows_free (NsEventRows *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsEventRows, ns_event_rows_free)

G_END_DECLS
