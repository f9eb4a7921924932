/* The session's providers that nobody knows by a name, and what the user calls them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-provider-labels.h"
#include "model/ns-session-private.h"

/**
 * ns_session_can_name_provider:
 * @self: a session
 * @row: of the table of providers, 0-based
 *
 * Returns: %TRUE if nobody knows the provider by a name but the user
 */
gboolean
ns_session_can_name_provider (NsSession *self, guint row)
{
  const GArray *providers = self->trace->providers;

  return row < providers->len &&
         g_array_index (providers, NsProviderRow, row).name == NS_STRING_NONE;
}

/**
 * ns_session_name_provider:
 * @self: a session
 * @row: of the table of providers, 0-based
 * @name: (nullable): what to call it in all traces; blank: as before
 * @error: return location
 *
 * Returns: %TRUE if the name is kept
 */
gboolean
ns_session_name_provider (NsSession *self, guint row, const char *name, GError **error)
{
  const GArray *providers = self->trace->providers;

  g_return_val_if_fail (row < providers->len, FALSE);
  if (!ns_provider_labels_set (&g_array_index (providers, NsProviderRow, row).guid, name, error))
    return FALSE;
  g_signal_emit_by_name (self, "names-changed");
  return TRUE;
}
