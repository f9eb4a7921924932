/* Tests the verb `codes`.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-error.h"
#include "cli/ns-cli-codes.h"

static gboolean
append_cb (const char *data, gsize n_bytes, gpointer user_data, GError **error)
{
  g_string_append_len (user_data, data, (gssize) n_bytes);
  return TRUE;
}

static GString *
print (const char *wanted, NsExportFormat format)
{
  GString *text = g_string_new (NULL);
  g_autoptr (GError) error = NULL;

  g_assert_true (ns_cli_codes_print (wanted, format, 0, append_cb, text, &error));
  g_assert_no_error (error);
  return text;
}

static void
assert_prints (const char *wanted, const char *begin)
{
  g_autoptr (GString) text = print (wanted, NS_EXPORT_TEXT);

  if (!g_str_has_prefix (text->str, begin))
    g_error ("%s: \"%s\" does not begin with \"%s\"", wanted, text->str, begin);
}

static void
test_number_may_be_decimal_hex_or_negative (void)
{
  assert_prints ("10054", "Win32     WSAECONNRESET (0x2746 / 10054): ");
  assert_prints ("0x2746", "Win32     WSAECONNRESET (0x2746 / 10054): ");
  assert_prints ("0xC000020D", "NTSTATUS  STATUS_CONNECTION_RESET (0xC000020D / 3221225997): ");
  assert_prints ("c000020d", "NTSTATUS  STATUS_CONNECTION_RESET (0xC000020D / 3221225997): ");
  assert_prints ("-1073741299", "NTSTATUS  STATUS_CONNECTION_RESET (0xC000020D / 3221225997): ");
  assert_prints ("-101", "Chromium  ERR_CONNECTION_RESET (0xFFFFFF9B / -101): ");
  assert_prints ("0x80072EE7",
                 "HRESULT   ERROR_WINHTTP_NAME_NOT_RESOLVED (0x80072EE7 / 2147954407): ");
  assert_prints ("-2147012889",
                 "HRESULT   ERROR_WINHTTP_NAME_NOT_RESOLVED (0x80072EE7 / 2147954407): ");
  assert_prints ("0xFFFFFF9B", "Chromium  ERR_CONNECTION_RESET (0xFFFFFF9B / -101): ");
  assert_prints ("wsaetimedout", "Win32     WSAETIMEDOUT (0x274C / 10060): ");
}

static void
test_each_family_that_knows_it_has_a_line (void)
{
  g_autoptr (GString) text = print ("53", NS_EXPORT_TEXT);

  g_assert_nonnull (strstr (text->str, "ERROR_BAD_NETPATH (0x35 / 53)"));
  g_assert_nonnull (strstr (text->str, "\nLDAP      LDAP_UNWILLING_TO_PERFORM (53)"));
}

static void
test_unknown_number_is_still_an_answer (void)
{
  g_autoptr (GString) json = print ("0xC0001234", NS_EXPORT_JSONL);

  assert_prints ("0xC0001234", "NTSTATUS 0xC0001234 / 3221230132\n");
  g_assert_cmpstr (json->str,
                   ==,
                   "{\"family\":\"NTSTATUS\",\"value\":3221230132,\"hex\":\"0xc0001234\","
                   "\"name\":null,\"error\":true,\"hint\":null,\"text\":\"NTSTATUS 0xC0001234 / "
                   "3221230132\"}\n");
}

static void
test_what_is_neither_number_nor_name_is_refused (void)
{
  static const char *const wrong[] = {
    "", "-", "0x", "12x", "99999999999999999999", "NO_SUCH_CODE"
  };
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_false (ns_cli_codes_print (wrong[i], NS_EXPORT_TEXT, 0, append_cb, text, &error));
      g_assert_error (error, NS_TRACE_ERROR, NS_TRACE_ERROR_QUERY);
    }
  g_assert_cmpstr (text->str, ==, "");
}

static guint
count_lines (const char *text)
{
  guint n_lines = 0;

  for (; *text != '\0'; text++)
    n_lines += *text == '\n';
  return n_lines;
}

static void
test_without_a_number_all_are_listed (void)
{
  g_autoptr (GString) lines = print (NULL, NS_EXPORT_TEXT);
  g_autoptr (GString) csv = print (NULL, NS_EXPORT_CSV);
  g_autoptr (GString) json = print (NULL, NS_EXPORT_JSON);
  guint n_codes = count_lines (lines->str);

  g_assert_cmpuint (n_codes, >, 300);
  g_assert_cmpuint (count_lines (csv->str), ==, n_codes + 1);
  g_assert_true (g_str_has_prefix (csv->str, "family,value,hex,name,error,hint,text\r\n"));
  g_assert_cmpuint (count_lines (json->str), ==, n_codes + 2);
  g_assert_true (g_str_has_prefix (json->str, "[\n{\"family\":\"NTSTATUS\",\"value\":0,"));
  g_assert_true (g_str_has_suffix (json->str, "}\n]\n"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli/codes/forms", test_number_may_be_decimal_hex_or_negative);
  g_test_add_func ("/cli/codes/families", test_each_family_that_knows_it_has_a_line);
  g_test_add_func ("/cli/codes/unknown", test_unknown_number_is_still_an_answer);
  g_test_add_func ("/cli/codes/wrong", test_what_is_neither_number_nor_name_is_refused);
  g_test_add_func ("/cli/codes/all", test_without_a_number_all_are_listed);
  return g_test_run ();
}
