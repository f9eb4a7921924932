/* Tests the catalogue of providers: one row each, with its identity.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/catalog/ns-catalog.h"

static void
test_each_row_is_found_by_its_guid (void)
{
  guint i;

  for (i = NS_PROVIDER_UNKNOWN + 1; i < NS_N_PROVIDERS; i++)
    {
      const NsGuid *guid = ns_catalog_get_guid (i);

      g_test_message ("%s", ns_catalog_get_name (i));
      g_assert_false (ns_guid_is_zero (guid));
      g_assert_cmpuint (ns_catalog_find (guid), ==, i);
      g_assert_cmpstr (ns_catalog_get_name (i), !=, NULL);
      g_assert_cmpstr (ns_catalog_get_name (i), !=, "");
    }
}

static void
test_who_is_not_known_has_no_row (void)
{
  static const NsGuid nobody = { { 1, 2, 3 } };

  g_assert_cmpuint (ns_catalog_find (&nobody), ==, NS_PROVIDER_UNKNOWN);
  g_assert_cmpstr (ns_catalog_get_name (NS_PROVIDER_UNKNOWN), ==, "");
  g_assert_cmpuint (ns_catalog_get_use (NS_PROVIDER_UNKNOWN), ==, NS_PROVIDER_USE_OTHER);
}

static void
test_names_are_those_of_windows (void)
{
  static const NsGuid tcpip = { { 0xee,
                                  0xe2,
                                  0x07,
                                  0x2f,
                                  0xdb,
                                  0x15,
                                  0xf1,
                                  0x40,
                                  0x90,
                                  0xef,
                                  0x9d,
                                  0x7b,
                                  0xa2,
                                  0x82,
                                  0x18,
                                  0x8a } };

  g_assert_cmpuint (ns_catalog_find (&tcpip), ==, NS_PROVIDER_TCPIP);
  g_assert_cmpstr (ns_catalog_get_name (NS_PROVIDER_TCPIP), ==, "Microsoft-Windows-TCPIP");
  g_assert_cmpuint (ns_catalog_get_use (NS_PROVIDER_TCPIP), ==, NS_PROVIDER_USE_NETWORK);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/catalog/each-row-is-found-by-its-guid", test_each_row_is_found_by_its_guid);
  g_test_add_func ("/catalog/who-is-not-known-has-no-row", test_who_is_not_known_has_no_row);
  g_test_add_func ("/catalog/names-are-those-of-windows", test_names_are_those_of_windows);
  return g_test_run ();
}
