/* The catalogue: one row for each known provider, from etl/ns-provider-guids.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/catalog/ns-catalog.h"

#define PROVIDER(id, name, use) [NS_PROVIDER_##id] = { NS_GUID_##id, name, NS_PROVIDER_USE_##use },

static const struct
{
  NsGuid guid;
  const char *name;
  NsProviderUse use;
} providers[NS_N_PROVIDERS] = { [NS_PROVIDER_UNKNOWN] = { .name = "" },
                                NS_PROVIDER_ROWS (PROVIDER) };

/**
 * ns_catalog_find:
 * @guid: GUID of a provider or of an event class
 *
 * Returns: its row of the catalogue, %NS_PROVIDER_UNKNOWN if it has none
 */
NsProviderId
ns_catalog_find (const NsGuid *guid)
{
  guint i;

  for (i = NS_PROVIDER_UNKNOWN + 1; i < NS_N_PROVIDERS; i++)
    if (ns_guid_equal (&providers[i].guid, guid))
      return i;
  return NS_PROVIDER_UNKNOWN;
}

/**
 * ns_catalog_find_name:
 * @name: name of a provider or of an event class; case does not matter
 *
 * Returns: its row of the catalogue, %NS_PROVIDER_UNKNOWN if it has none
 */
NsProviderId
ns_catalog_find_name (const char *name)
{
  guint i;

  for (i = NS_PROVIDER_UNKNOWN + 1; i < NS_N_PROVIDERS; i++)
    if (g_ascii_strcasecmp (providers[i].name, name) == 0)
      return i;
  return NS_PROVIDER_UNKNOWN;
}

/**
 * ns_catalog_get_guid:
 * @provider: a row of the catalogue
 *
 * Returns: (transfer none): its GUID; all zero for %NS_PROVIDER_UNKNOWN
 */
const NsGuid *
ns_catalog_get_guid (NsProviderId provider)
{
  g_return_val_if_fail (provider < NS_N_PROVIDERS, NULL);
  return &providers[provider].guid;
}

/**
 * ns_catalog_get_name:
 * @provider: a row of the catalogue
 *
 * Returns: (transfer none): its name in the spelling of Windows or of its vendor; "" for
 *   %NS_PROVIDER_UNKNOWN
 */
const char *
ns_catalog_get_name (NsProviderId provider)
{
  g_return_val_if_fail (provider < NS_N_PROVIDERS, NULL);
  return providers[provider].name;
}

/**
 * ns_catalog_get_use:
 * @provider: a row of the catalogue
 *
 * Returns: the kind of its records
 */
NsProviderUse
ns_catalog_get_use (NsProviderId provider)
{
  g_return_val_if_fail (provider < NS_N_PROVIDERS, NS_PROVIDER_USE_OTHER);
  return providers[provider].use;
}
