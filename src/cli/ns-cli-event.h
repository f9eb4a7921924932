/* The columns of one record for `events` and `dump`.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-map.h"
#include "engine/activities/ns-activity-ids.h"
#include "export/ns-export-time.h"
#include "schema/ns-payload.h"

G_BEGIN_DECLS

/* The columns, in the order of the JSON object. */
typedef enum
{
  NS_CLI_EVENT_N,
  NS_CLI_EVENT_TIME,
  NS_CLI_EVENT_CPU,
  NS_CLI_EVENT_PID,
  NS_CLI_EVENT_TID,
  NS_CLI_EVENT_PROVIDER,
  NS_CLI_EVENT_PROVIDER_NAME,
  NS_CLI_EVENT_ID,
  NS_CLI_EVENT_VERSION,
  NS_CLI_EVENT_OPCODE,
  NS_CLI_EVENT_OPCODE_NAME,
  NS_CLI_EVENT_TASK,
  NS_CLI_EVENT_TASK_NAME,
  NS_CLI_EVENT_LEVEL,
  NS_CLI_EVENT_KEYWORD,
  NS_CLI_EVENT_ACTIVITY,
  NS_CLI_EVENT_RELATED_ACTIVITY,
  NS_CLI_EVENT_KERNEL_TIME,
  NS_CLI_EVENT_USER_TIME,
  NS_CLI_EVENT_HEADER,
  NS_CLI_EVENT_NAME,
  NS_CLI_EVENT_FIELDS,
  NS_CLI_EVENT_PAYLOAD_HEX,
  NS_CLI_EVENT_STACK_DEPTH,
  NS_CLI_EVENT_SCHEMA,
  NS_CLI_EVENT_SCHEMA_BUILD,
  NS_CLI_EVENT_DEPTH, /* only for `correlate` */
  NS_CLI_EVENT_N_COLUMNS,
} NsCliEventColumn;

/* Columns from this number on are the other fields of the table of events, in its order. */
#define NS_CLI_EVENT_FIRST_FIELD 1000u

/* A record and its context; valid as long as the record. */
typedef struct
{
  NsTrace *trace;           /* provides file and schemas */
  const NsActivityIds *ids; /* (nullable): for `correlate` */
  const NsMap *depths;      /* (nullable): position of a record → frames of its call stack */
  const NsRecord *record;
  const NsSchema *schema;
  guint64 n;
  NsExportTime time;
  gboolean is_raw;    /* keep the endpoints as recorded, on a terminal, too */
  gboolean is_screen; /* output for reading: unnamed values appear as numbers or bytes */
} NsCliEvent;

const char *ns_cli_event_get_column_name (guint column);
gboolean ns_cli_event_column_from_name (const char *name, guint *column);
gboolean ns_cli_event_column_reads_tables (guint column);
gboolean ns_cli_event_column_is_text (guint column);
void ns_cli_event_append_json (const NsCliEvent *self, guint column, GString *text);
void ns_cli_event_append_text (const NsCliEvent *self, guint column, GString *text);

G_END_DECLS
