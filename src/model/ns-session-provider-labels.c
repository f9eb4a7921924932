/* Labels that the user gives to unnamed providers of a session.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/trace/ns-view-context.h"
#include "model/ns-session-private.h"

/**
 * ns_session_can_name_provider:
 * @self: a session
 * @row: row of the table of providers, 0-based
 *
 * Returns: %TRUE if the provider has no name, other than a label by the user
 */
gboolean
ns_session_can_name_provider (NsSession *self, guint row)
{
  const GArray *providers = self->trace->providers;

  return row < providers->len &&
         g_array_index (providers, NsProviderRow, row).name == NS_STRING_NONE;
}

/**
 * ns_session_get_provider_label:
 * @self: a session
 * @row: row of the table of providers, 0-based
 *
 * Returns: (transfer none) (nullable): the label that the user gave to it
 */
const char *
ns_session_get_provider_label (NsSession *self, guint row)
{
  const GArray *providers = self->trace->providers;
  NsProviderLabels *labels = ns_view_context_get_labels (self->trace->view);

  g_return_val_if_fail (row < providers->len, NULL);
  return ns_provider_labels_find (labels, &g_array_index (providers, NsProviderRow, row).guid);
}

/**
 * ns_session_name_provider:
 * @self: a session
 * @row: row of the table of providers, 0-based
 * @name: (nullable): its label in all traces; a blank one removes the label
 * @error: return location
 *
 * Returns: %TRUE if the label was stored
 */
gboolean
ns_session_name_provider (NsSession *self, guint row, const char *name, GError **error)
{
  const GArray *providers = self->trace->providers;
  NsProviderLabels *labels = ns_view_context_get_labels (self->trace->view);

  g_return_val_if_fail (row < providers->len, FALSE);
  if (!ns_provider_labels_set (labels,
                               &g_array_index (providers, NsProviderRow, row).guid,
                               name,
                               error))
    return FALSE;
  g_signal_emit_by_name (self, "names-changed");
  return TRUE;
}
