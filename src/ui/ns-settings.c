/* What the program remembers; it works without any, too.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-settings.h"

/**
 * ns_settings_get:
 *
 * Returns: (transfer none) (nullable): the settings; %NULL when the schema is not installed, as
 * when the program is run from where it was built
 */
GSettings *
ns_settings_get (void)
{
  static GSettings *settings;
  static gboolean was_tried;
  GSettingsSchemaSource *source;
  g_autoptr (GSettingsSchema) schema = NULL;

  if (was_tried)
    return settings;
  was_tried = TRUE;
  source = g_settings_schema_source_get_default ();
  if (source != NULL)
    schema = g_settings_schema_source_lookup (source, NS_APP_ID, TRUE);
  if (schema != NULL)
    settings = g_settings_new_full (schema, NULL, NULL);
  return settings;
}
