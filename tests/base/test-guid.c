/* Tests GUIDs.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-guid.h"

static void
test_text_and_bytes_agree (void)
{
  static const NsGuid constant =
      NS_GUID_INIT (0x7dd42a49, 0x5329, 0x4832, 0x8d, 0xfd, 0x43, 0xd9, 0x79, 0x15, 0x3a, 0x88);
  char text[NS_GUID_TEXT_SIZE];
  NsGuid parsed;

  g_assert_cmpstr (ns_guid_to_text (&constant, text), ==, "7dd42a49-5329-4832-8dfd-43d979153a88");
  g_assert_true (ns_guid_from_text (&parsed, "{7DD42A49-5329-4832-8DFD-43D979153A88}"));
  g_assert_true (ns_guid_equal (&parsed, &constant));
  g_assert_cmphex (constant.bytes[0], ==, 0x49);
}

static void
test_what_is_no_guid_is_refused (void)
{
  static const char *const wrong[] = { "",
                                       "7dd42a49",
                                       "7dd42a49-5329-4832-8dfd-43d979153a8",
                                       "7dd42a49-5329-4832-8dfd-43d979153a888",
                                       "7dd42a49-5329-4832-8dfd-43d979153a88}",
                                       "{7dd42a49-5329-4832-8dfd-43d979153a88",
                                       "7dd42a49x5329-4832-8dfd-43d979153a88" };
  NsGuid guid;
  guint i;

  for (i = 0; i + 2 < G_N_ELEMENTS (wrong); i++)
    g_assert_false (ns_guid_from_text (&guid, wrong[i]));
  g_assert_false (ns_guid_from_text (&guid, wrong[G_N_ELEMENTS (wrong) - 1]));
  g_assert_false (ns_guid_from_text (&guid, NULL));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/guid/text-and-bytes-agree", test_text_and_bytes_agree);
  g_test_add_func ("/guid/what-is-no-guid-is-refused", test_what_is_no_guid_is_refused);
  return g_test_run ();
}
