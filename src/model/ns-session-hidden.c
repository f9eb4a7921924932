/* Frames that the user has hidden in call trees and call stacks.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-session-private.h"

#include <string.h>

/**
 * ns_session_get_hidden_frames:
 * @self: a session
 *
 * Returns: (transfer none) (nullable): the hidden frames, oldest first: `module!*`, the name of a
 *   frame, or %NS_CALL_HIDDEN_SYSTEM; %NULL for none
 */
const char *const *
ns_session_get_hidden_frames (NsSession *self)
{
  g_return_val_if_fail (NS_IS_SESSION (self), NULL);

  return self->hidden != NULL ? (const char *const *) self->hidden->pdata : NULL;
}

static gboolean
find_pattern (NsSession *self, const char *pattern, guint *index)
{
  for (*index = 0; self->hidden != NULL && *index + 1 < self->hidden->len; (*index)++)
    if (strcmp (g_ptr_array_index (self->hidden, *index), pattern) == 0)
      return TRUE;
  return FALSE;
}

/**
 * ns_session_hide_frames:
 * @self: a session
 * @pattern: which frames, see ns_session_get_hidden_frames()
 *
 * Hides frames in call stacks and trees. Rows and counts are not affected.
 */
void
ns_session_hide_frames (NsSession *self, const char *pattern)
{
  guint index;

  g_return_if_fail (NS_IS_SESSION (self));

  if (find_pattern (self, pattern, &index))
    return;
  if (self->hidden == NULL)
    {
      self->hidden = g_ptr_array_new_with_free_func (g_free);
      g_ptr_array_add (self->hidden, NULL);
    }
  g_ptr_array_insert (self->hidden, (int) self->hidden->len - 1, g_strdup (pattern));
  g_signal_emit_by_name (self, "hidden-frames-changed");
}

/**
 * ns_session_show_frames:
 * @self: a session
 * @pattern: (nullable): a hidden pattern; %NULL for all
 *
 * Reverts ns_session_hide_frames().
 */
void
ns_session_show_frames (NsSession *self, const char *pattern)
{
  guint index;

  g_return_if_fail (NS_IS_SESSION (self));

  if (self->hidden == NULL || (pattern != NULL && !find_pattern (self, pattern, &index)))
    return;
  if (pattern != NULL)
    g_ptr_array_remove_index (self->hidden, index);
  if (pattern == NULL || self->hidden->len == 1)
    g_clear_pointer (&self->hidden, g_ptr_array_unref);
  g_signal_emit_by_name (self, "hidden-frames-changed");
}
