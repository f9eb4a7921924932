/* Tests the parsing of the server in a URL.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/trace/ns-url.h"

static void
assert_server (const char *url, const char *expected)
{
  g_autofree char *server = ns_url_get_server (url);

  g_assert_cmpstr (server, ==, expected);
}

static void
test_the_server_is_the_host_in_lower_case (void)
{
  assert_server ("https://A.com/x", "a.com");
  assert_server ("ftp://h/x", "h");
  assert_server ("http://user:pw@Host.example:8080/p?q", "host.example");
  assert_server ("https://[2001:DB8::1]:443/", "2001:db8::1");
  assert_server ("a.com:443", "a.com");
  assert_server ("a.com/path@x", "a.com");
  assert_server ("//a.com/x", "a.com");
  assert_server ("fe80::1", "fe80::1");
  assert_server ("https://a.com?x@y", "a.com");
}

static void
test_nothing_names_no_server (void)
{
  assert_server (NULL, "");
  assert_server ("  ", "");
  assert_server ("N/A", "");
  assert_server ("https://", "");
  assert_server ("[", "[");
  g_assert_false (ns_url_same_server ("", ""));
  g_assert_false (ns_url_same_server ("https:///x", "https:///x"));
}

static void
test_the_same_server_is_the_same_in_any_case (void)
{
  g_assert_true (ns_url_same_server ("https://a.com/1", "http://A.COM:80/2"));
  g_assert_false (ns_url_same_server ("https://a.com/1", "https://a.com.org/1"));
}

static void
test_the_port_is_written_or_of_the_scheme (void)
{
  g_assert_cmpuint (ns_url_get_port ("https://a.com/x"), ==, 443);
  g_assert_cmpuint (ns_url_get_port ("HTTP://a.com"), ==, 80);
  g_assert_cmpuint (ns_url_get_port ("https://a.com:8443/x"), ==, 8443);
  g_assert_cmpuint (ns_url_get_port ("https://a.com:99999999999/x"), ==, 443);
  g_assert_cmpuint (ns_url_get_port ("a.com"), ==, 0);
}

static void
assert_masked (const char *url, const char *expected)
{
  g_autoptr (NsStrings) strings = ns_strings_new ();
  const NsTrace trace = { .strings = strings };
  NsString masked = ns_url_mask (&trace, ns_strings_add (strings, url));

  g_assert_cmpstr (ns_strings_get (strings, masked), ==, expected);
}

static void
test_users_and_passwords_are_masked (void)
{
  assert_masked ("http://user:pw@Host.example:8080/p?q", "http://…@Host.example:8080/p?q");
  assert_masked ("ftp://me@h", "ftp://…@h");
  assert_masked ("https://a:b@c@h/", "https://…@h/");
  assert_masked ("https://a.com/x@y", "https://a.com/x@y");
  assert_masked ("https://a.com?m=x@y", "https://a.com?m=x@y");
  assert_masked ("mailto:me@a.com", "mailto:me@a.com");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/url/the-server-is-the-host-in-lower-case",
                   test_the_server_is_the_host_in_lower_case);
  g_test_add_func ("/url/nothing-names-no-server", test_nothing_names_no_server);
  g_test_add_func ("/url/the-same-server-is-the-same-in-any-case",
                   test_the_same_server_is_the_same_in_any_case);
  g_test_add_func ("/url/the-port-is-written-or-of-the-scheme",
                   test_the_port_is_written_or_of_the_scheme);
  g_test_add_func ("/url/users-and-passwords-are-masked", test_users_and_passwords_are_masked);
  return g_test_run ();
}
