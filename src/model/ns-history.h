/* Navigation history: view states to go back and forward through.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Maximum number of steps; the initial state is always kept. */
#define NS_HISTORY_MAX_STEPS 50

/* What has changed. Changes of the same kind in quick succession are one step. */
typedef enum
{
  NS_HISTORY_ZOOM,
  NS_HISTORY_SPAN,
  NS_HISTORY_FILTER,
  NS_HISTORY_TYPING,
} NsHistoryKind;

typedef struct _NsHistory NsHistory;

NsHistory *ns_history_new (GVariant *start);
void ns_history_free (NsHistory *self);
void ns_history_record (NsHistory *self, NsHistoryKind kind, gint64 now_us, GVariant *state);
void ns_history_amend (NsHistory *self, GVariant *state);
gboolean ns_history_can_go (const NsHistory *self, int by);
GVariant *ns_history_go (NsHistory *self, int by);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsHistory, ns_history_free)

G_END_DECLS
