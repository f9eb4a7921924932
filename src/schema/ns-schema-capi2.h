/* Parses events of Microsoft-Windows-CAPI2, whose only field is an XML text.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define NS_SCHEMA_CAPI2_MAX_TAG_BYTES 4096

/**
 * NsSchemaCapi2:
 * @task: (nullable): ID of the task, in braces
 * @subject: (nullable): subject of the first certificate
 * @url: (nullable): URL that is retrieved
 * @seq: number of the event within the task, from 1; 0: unknown
 * @result: result of the operation
 * @error: error of an action
 * @has_result: @result is set
 * @has_error: @error is set
 *
 * The facts that could be read.
 */
typedef struct
{
  char *task;
  char *subject;
  char *url;
  guint32 seq;
  guint32 result;
  guint32 error;
  gboolean has_result;
  gboolean has_error;
} NsSchemaCapi2;

void ns_schema_capi2_read (NsSchemaCapi2 *self, const char *xml, gsize n_bytes);
void ns_schema_capi2_clear (NsSchemaCapi2 *self);

G_END_DECLS
