/* Providers and events of each layer: one row per provider.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-guid.h"
#include "export/ns-export-recipe.h"

G_BEGIN_DECLS

/* Level of a provider that has none: all of its events are recorded. */
#define NS_RECIPE_NO_LEVEL G_MAXUINT
/* Maximum number of IDs in an ETW filter (MAX_EVENT_FILTER_EVENT_ID_COUNT of evntprov.h). */
#define NS_RECIPE_MAX_IDS 64

/**
 * NsRecipeRow:
 * @layer: its layer
 * @id: its ID in the profile, after `EP_` and the layer
 * @name: its registered name
 * @guid: its GUID
 * @reads: users of its events: tables, columns and findings
 * @since: first Windows version that has it
 * @level: event level
 * @light: keywords of a light recording, 0: all
 * @keywords: keywords of other recordings, 0: all
 * @plain_level: level for formats without ID filters, which excludes secrets
 * @plain_keywords: likewise, keywords
 * @on_start: keywords for capturing its state at the start, 0: none
 * @on_save: likewise when the recording is saved
 * @is_nonpaged: whether it needs nonpaged buffers
 * @ids: (nullable): event IDs of a light recording, such as `5-8 17`; %NULL: none
 * @more: (nullable): additional IDs of other recordings; %NULL with @ids %NULL: all
 * @never: (nullable): IDs with secrets, excluded if all others are recorded
 * @content: (nullable): IDs with contents sent and received
 * @headers: (nullable): IDs with headers of requests and responses
 * @no_headers: (nullable): IDs with the status, used if headers are left out
 * @stacks: (nullable): IDs with a call stack
 * @more_stacks: (nullable): further IDs with a call stack, except in a light recording
 * @verbose_stacks: (nullable): likewise in a verbose recording
 *
 * A provider of a layer. The IDs of light and default recordings, with stacks, are those that the
 * engine and the findings read; the keywords include them, by the manifests of Windows 10 and 11.
 */
typedef struct
{
  NsRecipeLayer layer;
  const char *id;
  const char *name;
  NsGuid guid;
  const char *reads;
  const char *since;
  guint level;
  guint64 light;
  guint64 keywords;
  guint plain_level;
  guint64 plain_keywords;
  guint64 on_start;
  guint64 on_save;
  gboolean is_nonpaged;
  const char *ids;
  const char *more;
  const char *never;
  const char *content;
  const char *headers;
  const char *no_headers;
  const char *stacks;
  const char *more_stacks;
  const char *verbose_stacks;
} NsRecipeRow;

const NsRecipeRow *ns_recipe_table_get_rows (guint *n_rows);
gboolean ns_recipe_row_is_recorded (const NsRecipeRow *row, const NsRecipeOptions *options);
guint ns_recipe_row_get_level (const NsRecipeRow *row, const NsRecipeOptions *options);
guint64 ns_recipe_row_get_keywords (const NsRecipeRow *row, const NsRecipeOptions *options);
GArray *ns_recipe_row_list_ids (const NsRecipeRow *row, const NsRecipeOptions *options);
GArray *ns_recipe_row_list_refused (const NsRecipeRow *row, const NsRecipeOptions *options);
GArray *ns_recipe_row_list_stacks (const NsRecipeRow *row, const NsRecipeOptions *options);

G_END_DECLS
