/* What an event of Microsoft-Windows-CAPI2 says: one field, an XML text.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define NS_SCHEMA_CAPI2_MAX_TAG_BYTES 4096

/**
 * NsSchemaCapi2:
 * @task: (nullable): identifier of the task, in braces
 * @subject: (nullable): of the first certificate
 * @url: (nullable): what is retrieved
 * @seq: number of the event within the task, from 1; 0: unknown
 * @result: what came of it
 * @error: what an action met
 *
 * As much as could be read of it.
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
