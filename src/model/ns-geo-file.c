/* Which database tells where addresses are.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-geo-file.h"

/**
 * ns_places_use:
 * @view: what the user wants of traces
 * @path: (nullable): a database file; nothing or an empty text for none
 * @error: return location
 *
 * Has the column of places filled from this file from now on.
 *
 * Returns: %FALSE if that is no such file; the column is empty then
 */
gboolean
ns_places_use (NsViewContext *view, const char *path, GError **error)
{
  gboolean is_wanted = path != NULL && *path != '\0';
  NsGeo *geo = is_wanted ? ns_geo_open (path, error) : NULL;

  ns_view_context_set_geo (view, geo);
  return geo != NULL || !is_wanted;
}
