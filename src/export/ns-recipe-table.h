/* What each layer records: one row a provider.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-guid.h"
#include "export/ns-export-recipe.h"

G_BEGIN_DECLS

/* A provider that has no level: each of its events passes. */
#define NS_RECIPE_NO_LEVEL G_MAXUINT
/* Ids that an ETW filter takes at most (MAX_EVENT_FILTER_EVENT_ID_COUNT of evntprov.h). */
#define NS_RECIPE_MAX_IDS 64

/**
 * NsRecipeRow:
 * @layer: whose it is
 * @id: its name in the profile, behind `EP_` and the layer
 * @name: its name, as Windows knows it
 * @guid: its GUID
 * @reads: what of ours reads it: tables, columns and findings
 * @since: the first Windows that has it
 * @level: of its events
 * @light: keywords of a light recording, 0: all
 * @keywords: those of others, 0: all
 * @plain_level: where ids cannot be chosen, so that nothing secret passes
 * @plain_keywords: likewise
 * @on_start: keywords of the state it is asked for at the start, 0: none
 * @on_save: likewise when the recording is saved
 * @is_nonpaged: whether it logs where memory must not be paged
 * @ids: (nullable): ids of a light recording, such as `5-8 17`; %NULL: it has none
 * @more: (nullable): ids besides; %NULL with @ids %NULL: all
 * @never: (nullable): ids that are left out where all others are taken: what they hold is secret
 * @content: (nullable): ids that hold what people sent and received
 * @headers: (nullable): ids that hold headers of requests and answers
 * @no_headers: (nullable): ids that tell the status where headers are left out
 * @stacks: (nullable): ids with a call stack
 * @more_stacks: (nullable): ids with a call stack besides, if the recording is not light
 * @verbose_stacks: (nullable): likewise in a verbose recording
 *
 * One provider of a layer. The ids of light and default, with stacks, are those that the engine and
 * the findings read; the keywords let them pass, by the manifests of Windows 10 and 11.
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
