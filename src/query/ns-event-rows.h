/* Finds the rows that a record belongs to, by what it mentions.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "query/ns-fields.h"

G_BEGIN_DECLS

/* Numbers of one record that are looked up. */
#define NS_EVENT_ROWS_MAX_KEYS 32
/* Rows that one record is said to belong to. */
#define NS_EVENT_ROWS_MAX 8

/* What a record has in common with a row. */
typedef enum
{
  NS_EVENT_ROW_KEY,       /* a pointer or handle */
  NS_EVENT_ROW_ACTIVITY,  /* the identifier that Windows gave the work */
  NS_EVENT_ROW_ADDRESSES, /* both ends of a connection */
} NsEventRowReason;

/**
 * NsEventRowLink:
 * @table: a table
 * @row: a row of it, 0-based
 * @reason: why it is the row
 * @key: (nullable): the field of the row that has the same value; keys only
 * @value: of @key
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
 * @links: (element-type NsEventRowLink): rows of the layers, the one that says most first
 * @activity: row of the master table, 0-based, or %G_MAXUINT32
 * @time_ns: when it was written
 * @pid: process in the header of the record, or %NS_PID_UNKNOWN
 * @owner_pid: process of the first row, or %NS_PID_UNKNOWN
 *
 * What was found.
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
