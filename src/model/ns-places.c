/* Which database tells where addresses are.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-places.h"

#include "query/ns-geo.h"

/**
 * ns_places_use:
 * @path: (nullable): a database file; nothing or an empty text for none
 * @error: return location
 *
 * Has the column of places filled from this file from now on.
 *
 * Returns: %FALSE if that is no such file; the column is empty then
 */
gboolean
ns_places_use (const char *path, GError **error)
{
  ns_geo_close ();
  return path == NULL || *path == '\0' || ns_geo_open (path, error);
}
