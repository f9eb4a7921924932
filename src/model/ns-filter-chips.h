/* A filter as a list of conditions that can be switched off individually.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "analysis/ns-follow.h"
#include "query/ns-filter.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/* Maximum number of undo steps. */
#define NS_FILTER_CHIPS_MAX_UNDO 50

/* One condition. name: label, NULL to show the text. n_rows: rows left by it and the conditions
 * before it. */
typedef struct
{
  char *text;
  char *name;
  gboolean is_on;
  gboolean is_counted;
  guint n_rows;
} NsFilterChip;

typedef struct _NsFilterChips NsFilterChips;

NsFilterChips *ns_filter_chips_new (NsTableId table);
void ns_filter_chips_free (NsFilterChips *self);
guint ns_filter_chips_get_n_chips (const NsFilterChips *self);
const NsFilterChip *ns_filter_chips_get_chip (const NsFilterChips *self, guint index);
const char *ns_filter_chips_get_draft (const NsFilterChips *self);
const char *ns_filter_chips_get_settled (const NsFilterChips *self);
char *ns_filter_chips_to_filter (const NsFilterChips *self);
/* Type of the state: ((text, is on, name) …, draft). */
#define NS_FILTER_CHIPS_STATE "(a(sbs)s)"
GVariant *ns_filter_chips_to_state (const NsFilterChips *self);

gboolean ns_filter_chips_set_text (NsFilterChips *self,
                                   const char *text,
                                   NsFilterSpan *where,
                                   GError **error);
gboolean ns_filter_chips_set_draft (NsFilterChips *self,
                                    const char *text,
                                    NsFilterSpan *where,
                                    GError **error);
gboolean ns_filter_chips_take_draft (NsFilterChips *self, NsFilterSpan *where, GError **error);
void ns_filter_chips_add (NsFilterChips *self, const char *condition, const char *name);
void ns_filter_chips_set_named (NsFilterChips *self, const char *condition, const char *name);
const char *ns_filter_chip_get_label (const NsFilterChip *chip);
void ns_filter_chips_add_also (NsFilterChips *self, const char *field, const char *condition);
void ns_filter_chips_remove (NsFilterChips *self, guint index);
void ns_filter_chips_keep (NsFilterChips *self, guint n_chips);
void ns_filter_chips_toggle (NsFilterChips *self, guint index);
char *ns_filter_chips_edit (NsFilterChips *self, guint index);
void ns_filter_chips_set_state (NsFilterChips *self, GVariant *state);
gboolean ns_filter_chips_can_undo (const NsFilterChips *self);
gboolean ns_filter_chips_has_filtered (const NsFilterChips *self);
gboolean ns_filter_chips_undo (NsFilterChips *self);

void ns_filter_chips_count_async (const NsFilterChips *self,
                                  NsTrace *trace,
                                  GCancellable *cancellable,
                                  GAsyncReadyCallback callback,
                                  gpointer user_data);
void ns_filter_chips_take_count (NsFilterChips *self, guint n_rows);
gboolean ns_filter_chips_count_finish (NsFilterChips *self, GAsyncResult *result, GError **error);

void ns_filter_chips_names_changed (NsFilterChips *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsFilterChips, ns_filter_chips_free)

G_END_DECLS
