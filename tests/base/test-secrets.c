/* What is secret in a text is not seen unless somebody says so.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-secrets.h"

#define DOTS NS_SECRETS_MASK

static void
assert_masked (const char *text, const char *expected)
{
  g_autoptr (GString) masked = g_string_new ("user:1@ ");

  g_string_append (masked, text);
  g_assert_cmpint (ns_secrets_mask_tail (masked, 8), ==, g_strcmp0 (text, expected) != 0);
  g_assert_cmpstr (masked->str + 8, ==, expected);

  ns_secrets_show (TRUE);
  g_string_assign (masked, text);
  g_assert_false (ns_secrets_mask_tail (masked, 0));
  g_assert_cmpstr (masked->str, ==, text);
  ns_secrets_show (FALSE);
}

static void
test_users_of_urls (void)
{
  assert_masked ("https://bob:pw@h.example/a?b#c", "https://" DOTS "@h.example/a?b#c");
  assert_masked ("see ftp://bob@h/ and http://a:b@c d",
                 "see ftp://" DOTS "@h/ and http://" DOTS "@c d");
  assert_masked ("\"http://a@b:p@h:80\"", "\"http://" DOTS "@h:80\"");
  assert_masked ("https://h.example/@me:x", "https://h.example/@me:x");
  assert_masked ("https://h.example", "https://h.example");
  assert_masked ("http://@h/", "http://@h/");
}

static void
test_arguments_of_queries (void)
{
  assert_masked ("https://h/p?a=1&Token=abc.d&b=2", "https://h/p?a=1&Token=" DOTS "&b=2");
  assert_masked ("https://h/p?sig=x%20y#f", "https://h/p?sig=" DOTS "#f");
  assert_masked ("password=hunter2&user=bob", "password=" DOTS "&user=bob");
  assert_masked ("/p?monkey=1&tokens=2&key=", "/p?monkey=1&tokens=2&key=");
  assert_masked ("a ?key=1 b", "a ?key=" DOTS " b");
}

static void
test_headers (void)
{
  assert_masked ("GET / HTTP/1.1\r\nHost: h\r\nCookie: a=b; c=d\r\nAccept: x\r\n\r\n",
                 "GET / HTTP/1.1\r\nHost: h\r\nCookie: " DOTS "\r\nAccept: x\r\n\r\n");
  assert_masked ("proxy-AUTHORIZATION:Basic eHg=", "proxy-AUTHORIZATION:" DOTS);
  assert_masked ("set-cookie: s=1\nset-cookie: t=2", "set-cookie: " DOTS "\nset-cookie: " DOTS);
  assert_masked ("{\"headers\":[\"cookie: a=\\\"b\\\"\",\"accept: x\"]}",
                 "{\"headers\":[\"cookie: " DOTS "\",\"accept: x\"]}");
  assert_masked ("{\"authorization\": \"Bearer x\",\"n\":1}",
                 "{\"authorization\": \"" DOTS "\",\"n\":1}");
  assert_masked ("X-Cookie: no secret", "X-Cookie: no secret");
  assert_masked ("Cookie:", "Cookie:");
  assert_masked ("\"Cookie\":", "\"Cookie\":");
}

static void
test_names_of_fields (void)
{
  g_assert_true (ns_secrets_is_secret_name ("Password"));
  g_assert_true (ns_secrets_is_secret_name ("cookie"));
  g_assert_false (ns_secrets_is_secret_name ("CookieCount"));
  g_assert_false (ns_secrets_is_secret_name (NULL));
}

/* Nothing moves: as many asterisks as there were bytes. */
static void
test_bytes_stay_where_they_are (void)
{
  static const char plain[] = "GET /?key=ab HTTP/1.1\r\nCookie: c=d\r\nHost: \0\xff\r\n";
  static const char hidden[] = "GET /?key=** HTTP/1.1\r\nCookie: ***\r\nHost: \0\xff\r\n";
  static const char wide[] = "\1C\0o\0o\0k\0i\0e\0:\0 \0a\0\xe4\0\n\0";
  static const char wide_hidden[] = "\1C\0o\0o\0k\0i\0e\0:\0 \0*\0*\0\n\0";
  g_autofree guint8 *bytes = g_memdup2 (plain, sizeof plain - 1);
  g_autofree guint8 *units = g_memdup2 (wide, sizeof wide - 1);

  ns_secrets_show (TRUE);
  g_assert_false (ns_secrets_mask_bytes (bytes, sizeof plain - 1));
  ns_secrets_show (FALSE);
  g_assert_true (ns_secrets_mask_bytes (bytes, sizeof plain - 1));
  g_assert_cmpmem (bytes, sizeof plain - 1, hidden, sizeof hidden - 1);
  g_assert_true (ns_secrets_mask_bytes (units, sizeof wide - 1));
  g_assert_cmpmem (units, sizeof wide - 1, wide_hidden, sizeof wide_hidden - 1);
  g_assert_false (ns_secrets_mask_bytes (NULL, 0));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base/secrets/users", test_users_of_urls);
  g_test_add_func ("/base/secrets/arguments", test_arguments_of_queries);
  g_test_add_func ("/base/secrets/headers", test_headers);
  g_test_add_func ("/base/secrets/names", test_names_of_fields);
  g_test_add_func ("/base/secrets/bytes", test_bytes_stay_where_they_are);
  return g_test_run ();
}
