/* Selects the database for the locations of IP addresses.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-geo-file.h"

/**
 * ns_places_use:
 * @view: settings for reading traces
 * @path: (nullable): a database file; %NULL or an empty text for none
 * @error: return location
 *
 * Sets the database that the location column is filled from.
 *
 * Returns: %FALSE if the file is not a database; the column is empty then
 */
gboolean
ns_places_use (NsViewContext *view, const char *path, GError **error)
{
  gboolean is_wanted = path != NULL && *path != '\0';
  NsGeo *geo = is_wanted ? ns_geo_open (path, error) : NULL;

  ns_view_context_set_geo (view, geo);
  return geo != NULL || !is_wanted;
}
