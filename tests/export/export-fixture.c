/* Fixture of the export tests.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "export-fixture.h"

#define FRAME                                                                                      \
  "000102030405060708090809"                                                                       \
  "0800"                                                                                           \
  "450000281234000040060000"                                                                       \
  "0a000005"                                                                                       \
  "01020304"                                                                                       \
  "c35101bb"                                                                                       \
  "00000001"                                                                                       \
  "00000000"                                                                                       \
  "5002ffff00000000"

/**
 * export_fixture_open_packets:
 *
 * Opens a trace of two captured packets.
 *
 * Returns: (transfer full): a trace of two packets
 */
NsTrace *
export_fixture_open_packets (void)
{
  g_autoptr (Story) story = story_new ();

  story->keyword = G_GUINT64_CONSTANT (0x1c0000000);
  story_write (story, 10, STORY_NDIS, 1001, "ddX", 7, 7, FRAME);
  story_write (story, 20, STORY_NDIS, 1001, "ddX", 8, 8, FRAME);
  story->keyword = 0;
  return story_open (story, 100);
}

/**
 * export_fixture_collect:
 * @data: output of the export
 * @n_bytes: size of @data in bytes
 * @user_data: a #GByteArray
 * @error: never set
 *
 * Appends the output of an export to the array.
 *
 * Returns: %TRUE
 */
gboolean
export_fixture_collect (const char *data, gsize n_bytes, gpointer user_data, GError **error)
{
  g_byte_array_append (user_data, (const guint8 *) data, (guint) n_bytes);
  return TRUE;
}

/**
 * export_fixture_get_number:
 * @json: a document
 * @object: an object of @json
 * @key: a key that @object must have
 *
 * Reads a number.
 *
 * Returns: the value of @key
 */
double
export_fixture_get_number (const NsJsonDoc *json, guint object, const char *key)
{
  g_autofree char *text = ns_json_doc_dup_string (json, ns_json_doc_get (json, object, key));

  g_assert_nonnull (text);
  return g_ascii_strtod (text, NULL);
}
