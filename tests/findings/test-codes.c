/* Tests the names of error codes.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "findings/ns-codes-table.h"
#include "findings/ns-codes.h"

static void
assert_name (NsCodeFamily family, gint64 value, const char *name)
{
  const NsCode *code = ns_codes_find (family, value);

  g_assert_cmpstr (code != NULL ? code->name : NULL, ==, name);
}

static void
assert_begins (NsCodeFamily family, gint64 value, const char *begin)
{
  g_autofree char *text = ns_codes_describe (family, value);

  if (!g_str_has_prefix (text, begin))
    g_error ("\"%s\" does not begin with \"%s\"", text, begin);
}

static void
test_numbers_of_the_tables_of_each_layer_have_names (void)
{
  assert_name (NS_CODE_NTSTATUS, 0xC000020D, "STATUS_CONNECTION_RESET");
  assert_name (NS_CODE_NTSTATUS, 0xC00000B5, "STATUS_IO_TIMEOUT");
  assert_name (NS_CODE_WIN32, 10061, "WSAECONNREFUSED");
  assert_name (NS_CODE_WIN32, 12007, "ERROR_WINHTTP_NAME_NOT_RESOLVED");
  assert_name (NS_CODE_WIN32, 1236, "ERROR_CONNECTION_ABORTED");
  assert_name (NS_CODE_WIN32, 9003, "DNS_ERROR_RCODE_NAME_ERROR");
  assert_name (NS_CODE_DNS, 9003, "DNS_ERROR_RCODE_NAME_ERROR");
  assert_name (NS_CODE_DNS, 10054, "WSAECONNRESET");
  assert_name (NS_CODE_HRESULT, 0x80090325, "SEC_E_UNTRUSTED_ROOT");
  assert_name (NS_CODE_HRESULT, 0x800B010F, "CERT_E_CN_NO_MATCH");
  assert_name (NS_CODE_HRESULT, 0x800C0006, "INET_E_OBJECT_NOT_FOUND");
  assert_name (NS_CODE_CHROMIUM, -105, "ERR_NAME_NOT_RESOLVED");
  assert_name (NS_CODE_CHROMIUM, -351, "ERR_HTTP2_SERVER_REFUSED_STREAM");
  assert_name (NS_CODE_QUIC, 25, "QUIC_NETWORK_IDLE_TIMEOUT");
  assert_name (NS_CODE_HTTP, 511, "Network Authentication Required");
  assert_name (NS_CODE_LDAP, 81, "LDAP_SERVER_DOWN");
}

static void
test_one_number_means_another_thing_in_another_family (void)
{
  assert_name (NS_CODE_WIN32, 51, "ERROR_REM_NOT_LIST");
  assert_name (NS_CODE_LDAP, 51, "LDAP_BUSY");
  assert_name (NS_CODE_CHROMIUM, 51, NULL);
  assert_name (NS_CODE_NONE, 51, NULL);
}

static void
test_signed_and_unsigned_are_the_same_number (void)
{
  assert_name (NS_CODE_NTSTATUS, (gint32) 0xC000020D, "STATUS_CONNECTION_RESET");
  assert_name (NS_CODE_HRESULT, -2146885613, "CRYPT_E_REVOCATION_OFFLINE");
  assert_name (NS_CODE_CHROMIUM, G_GINT64_CONSTANT (0xFFFFFF9B), "ERR_CONNECTION_RESET");
}

static void
test_wrapped_numbers_are_unwrapped (void)
{
  assert_name (NS_CODE_HRESULT, 0x80072746, "WSAECONNRESET");
  assert_name (NS_CODE_HRESULT, 0x80072EE7, "ERROR_WINHTTP_NAME_NOT_RESOLVED");
  assert_name (NS_CODE_HRESULT, 0x8007232B, "DNS_ERROR_RCODE_NAME_ERROR");
  assert_name (NS_CODE_HRESULT, 0x80070005, "E_ACCESSDENIED");
  assert_name (NS_CODE_HRESULT, 0xD000020D, "STATUS_CONNECTION_RESET");
  assert_name (NS_CODE_NTSTATUS, 0xC0072746, "WSAECONNRESET");
  assert_name (NS_CODE_WIN32, 0x80090326, "SEC_E_ILLEGAL_MESSAGE");
  assert_name (NS_CODE_WIN32, 0x00090312, "SEC_I_CONTINUE_NEEDED");
  assert_begins (NS_CODE_HRESULT, 0x80072746, "WSAECONNRESET (0x80072746 / 2147952454): ");
}

static void
test_family_follows_from_the_range (void)
{
  static const struct
  {
    gint64 value;
    NsCodeFamily family;
  } cases[] = {
    { 0xC000020D, NS_CODE_NTSTATUS },
    { 0x80000005, NS_CODE_NTSTATUS },
    { 0x80090308, NS_CODE_HRESULT },
    { 0x800B0109, NS_CODE_HRESULT },
    { 0x800C0005, NS_CODE_HRESULT },
    { 0x80072EE7, NS_CODE_HRESULT },
    { 0x80004004, NS_CODE_HRESULT },
    { 0x00090312, NS_CODE_HRESULT },
    { 8999, NS_CODE_WIN32 },
    { 9000, NS_CODE_DNS },
    { 9999, NS_CODE_DNS },
    { 10000, NS_CODE_WIN32 },
    { 10060, NS_CODE_WIN32 },
    { 12002, NS_CODE_WIN32 },
    { 0, NS_CODE_WIN32 },
    { -1, NS_CODE_CHROMIUM },
    { -999, NS_CODE_CHROMIUM },
    { -2146885613, NS_CODE_HRESULT },
    { -1073741291, NS_CODE_NTSTATUS },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    g_assert_cmpint (ns_codes_guess_family (cases[i].value), ==, cases[i].family);
}

static void
test_text_is_name_number_and_hint (void)
{
  assert_begins (NS_CODE_WIN32, 10054, "WSAECONNRESET (0x2746 / 10054): ");
  assert_begins (NS_CODE_NTSTATUS,
                 0xC0000236,
                 "STATUS_CONNECTION_REFUSED (0xC0000236 / 3221226038): ");
  assert_begins (NS_CODE_CHROMIUM, -101, "ERR_CONNECTION_RESET (0xFFFFFF9B / -101): ");
  assert_begins (NS_CODE_HTTP, 404, "Not Found (404): ");
  assert_begins (NS_CODE_LDAP, 49, "LDAP_INVALID_CREDENTIALS (49): ");
  assert_begins (NS_CODE_NONE, 0xC000020D, "STATUS_CONNECTION_RESET (0xC000020D / 3221225997): ");
}

static void
test_unknown_numbers_say_what_their_range_tells (void)
{
  assert_begins (NS_CODE_CHROMIUM, -199, "Chromium 0xFFFFFF39 / -199: connection error");
  assert_begins (NS_CODE_NTSTATUS,
                 0xC0229999,
                 "NTSTATUS 0xC0229999 / 3223493017: the Windows Filt");
  assert_begins (NS_CODE_WIN32, 10999, "Win32 0x2AF7 / 10999: WinSock error");
  assert_begins (NS_CODE_HTTP, 599, "HTTP 599: the server failed");
  assert_begins (NS_CODE_WIN32, 60000, "Win32 0xEA60 / 60000");
  assert_begins (NS_CODE_QUIC, G_MAXINT64, "QUIC 0x7FFFFFFFFFFFFFFF / 9223372036854775807");
  assert_begins (NS_CODE_CHROMIUM,
                 G_MININT64,
                 "Chromium 0x8000000000000000 / -9223372036854775808");
}

static void
test_waiting_and_orderly_ends_are_no_errors (void)
{
  g_assert_false (ns_codes_is_error (NS_CODE_NTSTATUS, 0));
  g_assert_false (ns_codes_is_error (NS_CODE_NTSTATUS, 0x103));
  g_assert_false (ns_codes_is_error (NS_CODE_NTSTATUS, 0x12345));
  g_assert_false (ns_codes_is_error (NS_CODE_NTSTATUS, 0xC0000237));
  g_assert_false (ns_codes_is_error (NS_CODE_WIN32, 997));
  g_assert_false (ns_codes_is_error (NS_CODE_WIN32, 10035));
  g_assert_false (ns_codes_is_error (NS_CODE_WIN32, 10101));
  g_assert_false (ns_codes_is_error (NS_CODE_WIN32, 12032));
  g_assert_false (ns_codes_is_error (NS_CODE_HRESULT, 0x00090312));
  g_assert_false (ns_codes_is_error (NS_CODE_HRESULT, 0x80090318));
  g_assert_false (ns_codes_is_error (NS_CODE_CHROMIUM, -1));
  g_assert_false (ns_codes_is_error (NS_CODE_CHROMIUM, -400));
  g_assert_false (ns_codes_is_error (NS_CODE_CHROMIUM, 200));
  g_assert_false (ns_codes_is_error (NS_CODE_QUIC, 25));
  g_assert_false (ns_codes_is_error (NS_CODE_HTTP, 304));
  g_assert_false (ns_codes_is_error (NS_CODE_LDAP, 14));
  g_assert_false (ns_codes_is_error (NS_CODE_DNS, 9501));
  g_assert_false (ns_codes_is_error (NS_CODE_NONE, 5));
}

static void
test_failures_are_errors_known_or_not (void)
{
  g_assert_true (ns_codes_is_error (NS_CODE_NTSTATUS, 0xC000020D));
  g_assert_true (ns_codes_is_error (NS_CODE_NTSTATUS, 0xC0099999));
  g_assert_true (ns_codes_is_error (NS_CODE_WIN32, 10054));
  g_assert_true (ns_codes_is_error (NS_CODE_WIN32, 59999));
  g_assert_true (ns_codes_is_error (NS_CODE_HRESULT, (gint32) 0x80041234));
  g_assert_true (ns_codes_is_error (NS_CODE_CHROMIUM, -198));
  g_assert_true (ns_codes_is_error (NS_CODE_QUIC, 199));
  g_assert_true (ns_codes_is_error (NS_CODE_HTTP, 499));
  g_assert_true (ns_codes_is_error (NS_CODE_LDAP, 49));
  g_assert_true (ns_codes_is_error (NS_CODE_DNS, 9003));
}

static void
collect_cb (const NsCode *code, gpointer user_data)
{
  g_string_append_printf (user_data, "%s ", code->name);
}

static void
test_number_is_told_in_every_family_that_knows_it (void)
{
  g_autoptr (GString) names = g_string_new (NULL);

  g_assert_cmpuint (ns_codes_foreach_value (53, collect_cb, names), ==, 2);
  g_assert_cmpstr (names->str, ==, "ERROR_BAD_NETPATH LDAP_UNWILLING_TO_PERFORM ");

  g_string_truncate (names, 0);
  g_assert_cmpuint (ns_codes_foreach_value (9003, collect_cb, names), ==, 1);
  g_assert_cmpstr (names->str, ==, "DNS_ERROR_RCODE_NAME_ERROR ");
  g_assert_cmpuint (ns_codes_foreach_value (123456789, collect_cb, names), ==, 0);
}

static void
test_names_are_found_with_and_without_prefix (void)
{
  g_autoptr (GString) names = g_string_new (NULL);

  g_assert_cmpuint (ns_codes_foreach_name ("wsaeconnreset", collect_cb, names), ==, 1);
  g_assert_cmpuint (ns_codes_foreach_name ("ECONNRESET", collect_cb, names), ==, 1);
  g_assert_cmpuint (ns_codes_foreach_name ("net::ERR_ABORTED", collect_cb, names), ==, 1);
  g_assert_cmpuint (ns_codes_foreach_name ("not found", collect_cb, names), ==, 1);
  g_assert_cmpstr (names->str, ==, "WSAECONNRESET WSAECONNRESET ERR_ABORTED Not Found ");

  g_string_truncate (names, 0);
  g_assert_cmpuint (ns_codes_foreach_name ("CONNECTION_RESET", collect_cb, names), ==, 3);
  g_assert_cmpstr (names->str,
                   ==,
                   "STATUS_CONNECTION_RESET ERROR_INTERNET_CONNECTION_RESET ERR_CONNECTION_RESET ");

  g_string_truncate (names, 0);
  g_assert_cmpuint (ns_codes_foreach_name ("nxdomain", collect_cb, names), ==, 1);
  g_assert_cmpstr (names->str, ==, "DNS_ERROR_RCODE_NAME_ERROR ");
  g_assert_cmpuint (ns_codes_foreach_name ("captive portal", collect_cb, names), ==, 1);
  g_assert_cmpuint (ns_codes_foreach_name ("", collect_cb, names), ==, 0);
  g_assert_cmpuint (ns_codes_foreach_name ("er", collect_cb, names), ==, 0);
}

static void
check_row_cb (const NsCode *code, gpointer user_data)
{
  const NsCode **last = user_data;

  g_assert_cmpuint (strlen (code->name), >, 1);
  g_assert_cmpuint (strlen (code->text), >, 3);
  g_assert_cmpuint (strlen (code->text), <=, 120);
  g_assert_false (g_str_has_suffix (code->text, "."));
  g_assert_true (ns_codes_find (code->family, code->value) == code);
  g_assert_true (*last == NULL || (*last)->family != code->family || (*last)->value < code->value);
  *last = code;
}

static void
count_cb (const NsCode *code, gpointer user_data)
{
  ++*(guint *) user_data;
}

static void
test_tables_are_sorted_and_every_code_has_a_hint (void)
{
  const NsCode *last = NULL;
  guint n_codes = 0;

  ns_codes_foreach (check_row_cb, &last);
  ns_codes_foreach (count_cb, &n_codes);
  g_assert_cmpuint (n_codes, >=, 900);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/findings/codes/names", test_numbers_of_the_tables_of_each_layer_have_names);
  g_test_add_func ("/findings/codes/families",
                   test_one_number_means_another_thing_in_another_family);
  g_test_add_func ("/findings/codes/signed", test_signed_and_unsigned_are_the_same_number);
  g_test_add_func ("/findings/codes/wrapped", test_wrapped_numbers_are_unwrapped);
  g_test_add_func ("/findings/codes/range", test_family_follows_from_the_range);
  g_test_add_func ("/findings/codes/text", test_text_is_name_number_and_hint);
  g_test_add_func ("/findings/codes/unknown", test_unknown_numbers_say_what_their_range_tells);
  g_test_add_func ("/findings/codes/normal", test_waiting_and_orderly_ends_are_no_errors);
  g_test_add_func ("/findings/codes/errors", test_failures_are_errors_known_or_not);
  g_test_add_func ("/findings/codes/every-family",
                   test_number_is_told_in_every_family_that_knows_it);
  g_test_add_func ("/findings/codes/by-name", test_names_are_found_with_and_without_prefix);
  g_test_add_func ("/findings/codes/tables", test_tables_are_sorted_and_every_code_has_a_hint);
  return g_test_run ();
}
