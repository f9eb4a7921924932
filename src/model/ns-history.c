/* Navigation history: view states to go back and forward through.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-history.h"

/* Maximum pause between wheel, drag and key events of one step. */
#define ONE_GO_US (G_USEC_PER_SEC * 3 / 4)

struct _NsHistory
{
  GPtrArray *states; /* GVariant; the first is the initial state */
  guint at;          /* index of the current state */
  NsHistoryKind kind;
  gint64 changed_us;
  gboolean is_fresh; /* the newest state is the last one recorded, and there was no navigation
                      * since */
};

/**
 * ns_history_new:
 * @start: the initial state, consumed if floating
 *
 * Returns: (transfer full): a history with that state
 */
NsHistory *
ns_history_new (GVariant *start)
{
  NsHistory *self = g_new0 (NsHistory, 1);

  self->states = g_ptr_array_new_with_free_func ((GDestroyNotify) g_variant_unref);
  g_ptr_array_add (self->states, g_variant_ref_sink (start));
  return self;
}

/**
 * ns_history_free:
 * @self: (transfer full) (nullable): a history
 */
void
ns_history_free (NsHistory *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->states);
  g_free (self);
}

/**
 * ns_history_record:
 * @self: a history
 * @kind: what has changed
 * @now_us: monotonic time of the change
 * @state: the new state, consumed if floating
 *
 * Adds a step and discards the steps after the current one.
 */
void
ns_history_record (NsHistory *self, NsHistoryKind kind, gint64 now_us, GVariant *state)
{
  gboolean is_one_go;

  g_variant_ref_sink (state);
  if (g_variant_equal (state, g_ptr_array_index (self->states, self->at)))
    {
      g_variant_unref (state);
      return;
    }
  is_one_go = self->is_fresh && self->at > 0 && kind == self->kind && kind != NS_HISTORY_FILTER &&
              now_us - self->changed_us < ONE_GO_US;
  if (is_one_go)
    self->at--;
  g_ptr_array_set_size (self->states, (int) self->at + 1);
  /* A change that was undone within one step leaves no step behind. */
  if (is_one_go && g_variant_equal (state, g_ptr_array_index (self->states, self->at)))
    {
      self->is_fresh = FALSE;
      g_variant_unref (state);
      return;
    }
  if (self->states->len > NS_HISTORY_MAX_STEPS)
    g_ptr_array_remove_index (self->states, 1);
  g_ptr_array_add (self->states, state);
  self->at = self->states->len - 1;
  self->kind = kind;
  self->changed_us = now_us;
  self->is_fresh = TRUE;
}

/**
 * ns_history_amend:
 * @self: a history
 * @state: another representation of the current state, consumed if floating
 *
 * Replaces the current state without adding a step.
 */
void
ns_history_amend (NsHistory *self, GVariant *state)
{
  gpointer *place = &g_ptr_array_index (self->states, self->at);

  g_variant_unref (*place);
  *place = g_variant_ref_sink (state);
  self->is_fresh = FALSE;
}

/**
 * ns_history_can_go:
 * @self: a history
 * @by: number of steps; negative ones go back
 *
 * Returns: whether there is such a state
 */
gboolean
ns_history_can_go (const NsHistory *self, int by)
{
  gint64 to = (gint64) self->at + by;

  return to >= 0 && to < (gint64) self->states->len;
}

/**
 * ns_history_go:
 * @self: a history
 * @by: number of steps; negative ones go back
 *
 * Returns: (transfer none) (nullable): the new current state
 */
GVariant *
ns_history_go (NsHistory *self, int by)
{
  if (!ns_history_can_go (self, by))
    return NULL;
  self->at = (guint) ((gint64) self->at + by);
  self->is_fresh = FALSE;
  return g_ptr_array_index (self->states, self->at);
}
