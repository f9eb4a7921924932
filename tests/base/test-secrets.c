/* Tests that secrets in texts are redacted unless secrets are shown.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-error.h"
#include "base/ns-secret-names.h"
#include "base/ns-secrets.h"

#include <string.h>

#define DOTS NS_SECRETS_MASK

/* Secret names in effect; NULL for the defaults. */
static NsSecrets *secrets;

static gboolean
add_names (const char *text, gsize size, const char *where, GError **error)
{
  if (secrets == NULL)
    secrets = ns_secrets_new (FALSE);
  return ns_secret_names_add (secrets, where, text, size, error);
}

static void
assert_masked (const char *text, const char *expected)
{
  g_autoptr (GString) masked = g_string_new ("user:1@ ");
  g_autoptr (NsSecrets) shown = ns_secrets_new (TRUE);
  gboolean is_masked;

  g_string_append (masked, text);
  is_masked = ns_secrets_mask_tail (secrets, masked, 8);
  g_assert_cmpstr (masked->str + 8, ==, expected);
  g_assert_cmpint (is_masked, ==, g_strcmp0 (text, expected) != 0);

  g_string_assign (masked, text);
  g_assert_false (ns_secrets_mask_tail (shown, masked, 0));
  g_assert_cmpstr (masked->str, ==, text);
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
  g_assert_true (ns_secrets_is_secret_name (secrets, "Password"));
  g_assert_true (ns_secrets_is_secret_name (secrets, "cookie"));
  g_assert_false (ns_secrets_is_secret_name (secrets, "CookieCount"));
  g_assert_false (ns_secrets_is_secret_name (secrets, NULL));
  g_assert_true (ns_secrets_is_command_name ("CommandLine"));
  g_assert_true (ns_secrets_is_command_name ("command_line"));
  g_assert_true (ns_secrets_is_command_name ("ParentCommandLine"));
  g_assert_true (ns_secrets_is_command_name ("HostApplication"));
  g_assert_false (ns_secrets_is_command_name ("CommandLineLength"));
  g_assert_false (ns_secrets_is_command_name (""));
  g_assert_false (ns_secrets_is_command_name (NULL));
}

/* Each masked byte becomes an asterisk, so the length is unchanged. */
static void
test_bytes_stay_where_they_are (void)
{
  static const char plain[] = "GET /?key=ab HTTP/1.1\r\nCookie: c=d\r\nHost: \0\xff\r\n";
  static const char hidden[] = "GET /?key=** HTTP/1.1\r\nCookie: ***\r\nHost: \0\xff\r\n";
  static const char wide[] = "\1C\0o\0o\0k\0i\0e\0:\0 \0a\0\xe4\0\n\0";
  static const char wide_hidden[] = "\1C\0o\0o\0k\0i\0e\0:\0 \0*\0*\0\n\0";
  g_autofree guint8 *bytes = g_memdup2 (plain, sizeof plain - 1);
  g_autofree guint8 *units = g_memdup2 (wide, sizeof wide - 1);

  secrets = ns_secrets_new (TRUE);
  g_assert_false (ns_secrets_mask_bytes (secrets, bytes, sizeof plain - 1));
  g_clear_pointer (&secrets, ns_secrets_unref);
  g_assert_true (ns_secrets_mask_bytes (secrets, bytes, sizeof plain - 1));
  g_assert_cmpmem (bytes, sizeof plain - 1, hidden, sizeof hidden - 1);
  g_assert_true (ns_secrets_mask_bytes (secrets, units, sizeof wide - 1));
  g_assert_cmpmem (units, sizeof wide - 1, wide_hidden, sizeof wide_hidden - 1);
  g_assert_false (ns_secrets_mask_bytes (secrets, NULL, 0));
}

static void
assert_command (const char *text, const char *expected)
{
  g_autoptr (GString) masked = g_string_new (text);

  ns_secrets_mask_command (secrets, masked, 0);
  g_assert_cmpstr (masked->str, ==, expected);
}

static void
test_one_table_of_names (void)
{
  static const char *const names[] = { "accessToken",   "auth_token",    "X-Amz-Signature",
                                       "SAMLResponse",  "user_password", "client_assertion",
                                       "ticket",        "X-CSRF-Token",  "X-Goog-Api-Key",
                                       "Refresh-Token", "unicodePwd",    "id.token" };
  static const char *const others[] = { "PublicKeyToken", "tokens",    "monkey",
                                        "keyword",        "passenger", "codepage" };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *url = g_strdup_printf ("https://h/?a=1&%s=x&b=2", names[i]);
      g_autofree char *fragment = g_strdup_printf ("https://h/#%s=x", names[i]);
      g_autofree char *hidden = g_strdup_printf ("https://h/?a=1&%s=" DOTS "&b=2", names[i]);
      g_autofree char *hidden_fragment = g_strdup_printf ("https://h/#%s=" DOTS, names[i]);

      assert_masked (url, hidden);
      assert_masked (fragment, hidden_fragment);
    }
  for (i = 0; i < G_N_ELEMENTS (others); i++)
    {
      g_autofree char *url = g_strdup_printf ("https://h/?a=1&%s=x&b=2", others[i]);

      assert_masked (url, url);
    }
}

static void
test_nested_urls (void)
{
  assert_masked ("/go?to=https%3A%2F%2Fh%2F%3Ftoken%3Dabc%26a%3D1&x=2",
                 "/go?to=https%3A%2F%2Fh%2F%3Ftoken%3D" DOTS "%26a%3D1&x=2");
}

static void
test_folded_headers (void)
{
  assert_masked ("Cookie: a=1;\r\n b=2\r\nHost: h\r\n",
                 "Cookie: " DOTS "\r\n " DOTS "\r\nHost: h\r\n");
  assert_masked ("WWW-Authenticate: Negotiate oYG\r\nwww-authenticate: Basic realm=\"r\"",
                 "WWW-Authenticate: Negotiate " DOTS "\r\nwww-authenticate: Basic realm=\"r\"");
  assert_masked ("X-Api-Key: k\r\nAccept: a", "X-Api-Key: " DOTS "\r\nAccept: a");
  /* An HTTP head inside a JSON string. */
  assert_masked ("{\"h\":\"GET / HTTP/1.1\\r\\nCookie: a=b\\r\\nHost: h\"}",
                 "{\"h\":\"GET / HTTP/1.1\\r\\nCookie: " DOTS "\\r\\nHost: h\"}");
}

static void
test_members (void)
{
  assert_masked ("{\"access_token\" : \"a\\\"b\", \"n\": 1}",
                 "{\"access_token\" : \"" DOTS "\", \"n\": 1}");
  assert_masked ("{\"pin\":1,\"password\":1234}", "{\"pin\":1,\"password\":" DOTS "}");
  assert_masked ("{\"Cookie\":[\"a=b\",\"c=d\"]}", "{\"Cookie\":[" DOTS "]}");
  /* JSON inside a JSON string. */
  assert_masked ("{\"body\":\"{\\\"password\\\":\\\"x\\\"}\"}",
                 "{\"body\":\"{\\\"password\\\":\\\"" DOTS "\\\"}\"}");
  assert_masked ("{\"name\":\"Authorization\",\"value\":\"x\"}",
                 "{\"name\":\"Authorization\",\"value\":\"" DOTS "\"}");
  assert_masked ("{\"name\":\"Accept\",\"value\":\"x\"}", "{\"name\":\"Accept\",\"value\":\"x\"}");
  assert_masked ("{\"value\":\"x\",\"domain\":\"d\"}", "{\"value\":\"" DOTS "\",\"domain\":\"d\"}");
  assert_masked ("<s:Password Type=\"t\">x</s:Password><a>y</a>",
                 "<s:Password Type=\"t\">" DOTS "</s:Password><a>y</a>");
  assert_masked ("<user password='x' name='y'/>", "<user password='" DOTS "' name='y'/>");
  assert_masked ("<add key=\"Password\" value=\"x\"/>",
                 "<add key=\"Password\" value=\"" DOTS "\"/>");
  assert_masked ("Content-Disposition: form-data; name=\"password\"\r\n\r\nx\r\n--b",
                 "Content-Disposition: form-data; name=\"password\"\r\n\r\n" DOTS "\r\n--b");
  assert_masked ("Server=db;User Id=sa;Pwd=x;Timeout=3",
                 "Server=db;User Id=sa;Pwd=" DOTS ";Timeout=3");
  assert_masked ("(&(cn=a)(userPassword=x))", "(&(cn=a)(userPassword=" DOTS "))");
}

/* Names match in every escaped spelling. */
static void
test_names_with_escapes (void)
{
  assert_masked ("/?pass%77ord=x&a=1", "/?pass%77ord=" DOTS "&a=1");
  assert_masked ("user[password]=x&a=1", "user[password]=" DOTS "&a=1");
  assert_masked ("user%5Bpassword%5D=x", "user%5Bpassword%5D=" DOTS);
  assert_masked ("{\"pass\\u0077ord\":\"x\"}", "{\"pass\\u0077ord\":\"" DOTS "\"}");
  assert_masked ("{\"u\":\"/?a\\u003d1\\u0026sig\\u003dx\\u0026b\\u003d2\"}",
                 "{\"u\":\"/?a\\u003d1\\u0026sig\\u003d" DOTS "\\u0026b\\u003d2\"}");
  assert_masked ("/go?to=%252F%253Fa%253D1%2526sig%253Dx%2526b%253D2&y=3",
                 "/go?to=%252F%253Fa%253D1%2526sig%253D" DOTS "%2526b%253D2&y=3");
  assert_masked ("j=%7B%22password%22%3A%22x%5C%22y%22%2C%22a%22%3A1",
                 "j=%7B%22password%22%3A%22" DOTS "%22%2C%22a%22%3A1");
  assert_masked ("/a;jsessionid=x?b=1", "/a;jsessionid=" DOTS);
  assert_masked ("password2=x&key2=y", "password2=" DOTS "&key2=y");
  assert_masked ("a[b]=c%5D=d&bypass=1", "a[b]=c%5D=d&bypass=1");
  assert_masked ("Authorization : x\r\nA: b", "Authorization : " DOTS "\r\nA: b");
}

static void
test_members_that_are_no_text (void)
{
  assert_masked ("{\"password\":{\"value\":\"x\",\"a\":[{}]},\"b\":1}",
                 "{\"password\":{" DOTS "},\"b\":1}");
  assert_masked ("{\"token\"\n:\n[\n\"x\"\n],\"b\":1}", "{\"token\"\n:\n[" DOTS "],\"b\":1}");
  assert_masked ("{\"value\":\"x\",\"name\":\"Authorization\"}",
                 "{\"value\":\"" DOTS "\",\"name\":\"Authorization\"}");
  assert_masked ("{\"value\":\"x\",\"name\":\"Accept\"}", "{\"value\":\"x\",\"name\":\"Accept\"}");
  assert_masked ("[[\"Cookie\", \"a=b\"],[\"Accept\",\"x\"]]",
                 "[[\"Cookie\", \"" DOTS "\"],[\"Accept\",\"x\"]]");
}

static void
test_elements (void)
{
  assert_masked ("<p:Password><![CDATA[x]]></p:Password><a>y</a>",
                 "<p:Password>" DOTS "</p:Password><a>y</a>");
  assert_masked ("<Password><Value>x</Value><!-- y --></Password><a>y</a>",
                 "<Password>" DOTS "</Password><a>y</a>");
  assert_masked ("<a>&lt;password&gt;x&lt;/password&gt;y</a>",
                 "<a>&lt;password&gt;" DOTS "&lt;/password&gt;y</a>");
  assert_masked ("\"\\u003ctoken\\u003ex\\u003c/token\\u003e\"",
                 "\"\\u003ctoken\\u003e" DOTS "\\u003c/token\\u003e\"");
  assert_masked ("<key>password</key>\n<string>x</string><key>a</key><string>y</string>",
                 "<key>password</key>\n<string>" DOTS "</string><key>a</key><string>y</string>");
  assert_masked ("<member><name>password</name><value><string>x</string></value></member>",
                 "<member><name>password</name><value><string>" DOTS "</string></value></member>");
  assert_masked ("<auth xmlns='urn:ietf:params:xml:ns:xmpp-sasl' mechanism='PLAIN'>x</auth>",
                 "<auth xmlns='urn:ietf:params:xml:ns:xmpp-sasl' mechanism='PLAIN'>" DOTS
                 "</auth>");
  assert_masked ("<auth>x</auth><token/>y<b>", "<auth>x</auth><token/>y<b>");
  /* An element without an end tag. */
  assert_masked ("<token>x<b>y</b>", "<token>" DOTS "<b>y</b>");
}

static void
test_parts_of_forms (void)
{
  assert_masked ("Content-Disposition: form-data; name=code\r\n\r\nx\r\n--b",
                 "Content-Disposition: form-data; name=code\r\n\r\n" DOTS "\r\n--b");
  assert_masked ("content-disposition: form-data; name=\"password\"\n\nx\n--b",
                 "content-disposition: form-data; name=\"password\"\n\n" DOTS "\n--b");
  assert_masked ("name=\"code\"\r\n\r\nx", "name=\"code\"\r\n\r\nx");
}

static void
test_tokens_of_known_forms (void)
{
  assert_masked ("sent Basic YW5uYTp4 to h", "sent Basic " DOTS " to h");
  assert_masked ("Basic Authentication, basic services", "Basic Authentication, basic services");
  assert_masked ("sent Negotiate YIIGAAYGKwYBBQUC, then", "sent Negotiate " DOTS ", then");
  assert_masked ("got TlRMTVNTUAADAAAAGAAY here", "got " DOTS " here");
  assert_masked ("with ghp_abcdefghijklmnop1234, and", "with ghp_" DOTS ", and");
  assert_masked ("ghp_short and xghp_abcdefghijklmnop1234",
                 "ghp_short and xghp_abcdefghijklmnop1234");
  assert_masked ("-----BEGIN RSA PRIVATE KEY-----\nx\ny\n-----END RSA PRIVATE KEY-----\n",
                 "-----BEGIN RSA PRIVATE KEY-----" DOTS "-----END RSA PRIVATE KEY-----\n");
  assert_masked ("-----BEGIN CERTIFICATE-----\nx\n", "-----BEGIN CERTIFICATE-----\nx\n");
}

static void
test_tokens_without_names (void)
{
  assert_masked ("said Bearer abc.def, then", "said Bearer " DOTS ", then");
  assert_masked ("see eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.c2ln here", "see " DOTS " here");
  assert_masked ("eyJhbGciOiJub25lIn0.txt", "eyJhbGciOiJub25lIn0.txt");
}

static void
test_protocols (void)
{
  static const guint8 bind[] = "\x30\x16\x02\x01\x01\x60\x11\x02\x01\x03\x04\x04"
                               "cn=a"
                               "\x80\x06"
                               "secret";
  g_autofree guint8 *copy = g_memdup2 (bind, sizeof bind - 1);

  assert_masked ("USER anna\r\nPASS x y\r\nSYST\r\n", "USER anna\r\nPASS " DOTS "\r\nSYST\r\n");
  assert_masked ("PASS x", "PASS " DOTS);
  assert_masked ("EHLO h\r\nAUTH PLAIN AGE=\r\nMAIL FROM:<a>\r\n",
                 "EHLO h\r\nAUTH PLAIN " DOTS "\r\nMAIL FROM:<a>\r\n");
  assert_masked ("AUTH LOGIN\r\nYW5uYQ==\r\neA==\r\nQUIT\r\n",
                 "AUTH LOGIN\r\n" DOTS "\r\n" DOTS "\r\nQUIT\r\n");
  assert_masked ("a1 LOGIN anna x\r\na2 NOOP\r\n", "a1 LOGIN anna " DOTS "\r\na2 NOOP\r\n");
  assert_masked ("a1 LOGIN anna {1}\r\nx\r\n", "a1 LOGIN anna " DOTS "\r\n" DOTS "\r\n");
  assert_masked ("a1 AUTHENTICATE PLAIN\r\nAGE=\r\n", "a1 AUTHENTICATE PLAIN\r\n" DOTS "\r\n");
  assert_masked ("AUTH TLS\r\n", "AUTH TLS\r\n");
  assert_masked ("PASSED 3 tests", "PASSED 3 tests");
  g_assert_true (ns_secrets_mask_bytes (secrets, copy, sizeof bind - 1));
  g_assert_cmpmem (copy + sizeof bind - 7, 6, "******", 6);
  g_assert_cmpmem (copy, sizeof bind - 7, bind, sizeof bind - 7);
}

static void
test_counted_values (void)
{
  assert_masked ("*2\r\n$4\r\nAUTH\r\n$3\r\na b\r\n*1\r\n$4\r\nPING\r\n",
                 "*2\r\n$4\r\nAUTH\r\n$3\r\n" DOTS "\r\n*1\r\n$4\r\nPING\r\n");
  assert_masked ("*3\r\n$4\r\nauth\r\n$4\r\nanna\r\n$3\r\nx\ny\r\n",
                 "*3\r\n$4\r\nauth\r\n$4\r\n" DOTS "\r\n$3\r\n" DOTS "\r\n");
  assert_masked ("*4\r\n$6\r\nCONFIG\r\n$3\r\nSET\r\n$11\r\nrequirepass\r\n$1\r\nx\r\n",
                 "*4\r\n$6\r\nCONFIG\r\n$3\r\nSET\r\n$11\r\nrequirepass\r\n$1\r\n" DOTS "\r\n");
  /* The length exceeds the data, or overflows. */
  assert_masked ("AUTH\r\n$99\r\nsecret", "AUTH\r\n$99\r\n" DOTS);
  assert_masked ("AUTH\r\n$99999999999999999999999\r\nsecret",
                 "AUTH\r\n$99999999999999999999999\r\n" DOTS);
  assert_masked ("AUTH secret\r\nPING\r\n", "AUTH " DOTS "\r\nPING\r\n");
}

/* The text between a name and its value is searched, too. */
static void
test_names_before_a_secret (void)
{
  assert_masked ("{\"name\":\"Cookie\",\"url\":\"/?token=a\",\"value\":\"b\"}",
                 "{\"name\":\"Cookie\",\"url\":\"/?token=" DOTS "\",\"value\":\"" DOTS "\"}");
  assert_masked ("app: login password=a ok", "app: login password=" DOTS " " DOTS);
  assert_masked ("a1 login ?key=a b", "a1 login ?key=" DOTS " " DOTS);
}

static void
test_bytes_in_base64 (void)
{
  assert_masked ("{\"bytes\":\"R0VUIC8NCkNvb2tpZTogYT1iDQoNCg==\",\"n\":1}",
                 "{\"bytes\":\"" DOTS "\",\"n\":1}");
  assert_masked ("{\"bytes\":\"R0VUIC8NCkFjY2VwdDogYT1iDQoNCg==\"}",
                 "{\"bytes\":\"R0VUIC8NCkFjY2VwdDogYT1iDQoNCg==\"}");
  assert_masked ("{\"bytes\":12,\"n\":\"R0VUIC8NCkNvb2tpZTogYT1iDQoNCg==\"}",
                 "{\"bytes\":12,\"n\":\"R0VUIC8NCkNvb2tpZTogYT1iDQoNCg==\"}");
}

/* Asserts that @secret in @message is masked and that the length is unchanged. */
static void
assert_message (const char *message, gsize size, const char *secret)
{
  g_autofree guint8 *copy = ns_secrets_dup_masked (secrets, (const guint8 *) message, size);
  gsize n = strlen (secret);
  gsize at = 0;
  gsize i;

  while (memcmp (message + at, secret, n) != 0)
    at++;
  g_assert_nonnull (copy);
  for (i = 0; i < size; i++)
    g_assert_cmpint (copy[i], ==, i >= at && i < at + n ? '*' : (guint8) message[i]);
}

static void
put_16 (GByteArray *bytes, gsize at, guint value)
{
  bytes->data[at] = (guint8) value;
  bytes->data[at + 1] = (guint8) (value >> 8);
}

/* Makes a message of zeros followed by @text. */
static GByteArray *
make_message (const char *begins, gsize n_begins, gsize n_fixed, const char *text)
{
  GByteArray *bytes = g_byte_array_new ();

  g_byte_array_set_size (bytes, (guint) n_fixed);
  memset (bytes->data, 0, n_fixed);
  memcpy (bytes->data, begins, n_begins);
  g_byte_array_append (bytes, (const guint8 *) text, (guint) strlen (text));
  return bytes;
}

/* Truncates the message anywhere and changes its bytes; must not crash. */
static void
assert_cut_message (const GByteArray *message)
{
  guint i;

  for (i = 1; i < message->len; i++)
    {
      g_autofree guint8 *cut = g_memdup2 (message->data, i);

      ns_secrets_mask_bytes (secrets, cut, i);
      g_clear_pointer (&cut, g_free);
      cut = g_memdup2 (message->data, message->len);
      cut[i] = 0xff;
      ns_secrets_mask_bytes (secrets, cut, message->len);
    }
}

static void
test_login_of_tds (void)
{
  g_autoptr (GByteArray) login = make_message ("\x10\x01\0\x6e", 4, 8 + 94, "annasecretdb");

  put_16 (login, 8 + 40, 94);
  put_16 (login, 8 + 42, 2);
  put_16 (login, 8 + 44, 94 + 4);
  put_16 (login, 8 + 46, 3);
  assert_message ((const char *) login->data, login->len, "secret");
  assert_cut_message (login);
}

static void
test_answer_of_ntlm (void)
{
  static const char head[] = "\xfeSMB aNTLMSSP\0\3\0\0";
  g_autoptr (GByteArray) answer = make_message (head, sizeof head, 6 + 64, "domainsecretmore");

  put_16 (answer, 6 + 20, 6);
  put_16 (answer, 6 + 24, 64 + 6);
  assert_message ((const char *) answer->data, answer->len, "secret");
  assert_cut_message (answer);
}

static void
test_messages_that_are_no_text (void)
{
  static const char socks[] = "\x05\x02\x00\x02\x01\x04"
                              "anna\x06secret\x05\x01\x00\x01";
  static const char snmp[] =
      "\x30\x15\x02\x01\x01\x04\x06secret\xa0\x08\x02\x01\x01\x02\x01\x00\x02\x01";
  static const char postgres[] = "\0\0\0\x13\0\x03\0\0user\0anna\0\0p\0\0\0\x0bsecret\0";
  static const char mqtt[] = "\x10\x1c\0\x04MQTT\x04\xc2\0\x3c\0\x02id\0\x04"
                             "anna\0\x06secret";
  gsize i;

  assert_message (socks, sizeof socks - 1, "secret");
  assert_message (snmp, sizeof snmp - 1, "secret");
  assert_message (mqtt, sizeof mqtt - 1, "secret");
  {
    g_autofree guint8 *copy =
        ns_secrets_dup_masked (secrets, (const guint8 *) postgres, sizeof postgres - 1);

    g_assert_nonnull (copy);
    g_assert_cmpmem (copy, sizeof postgres - 8, postgres, sizeof postgres - 8);
    g_assert_cmpmem (copy + sizeof postgres - 8, 6, "******", 6);
  }
  test_login_of_tds ();
  test_answer_of_ntlm ();
  /* Truncated captures are masked as far as they go; no byte beyond the end is read. */
  for (i = 1; i < sizeof socks; i++)
    {
      g_autofree guint8 *cut = g_memdup2 (socks, i);

      ns_secrets_mask_bytes (secrets, cut, i);
      g_assert_true (i < 13 || memchr (cut + 11, 's', MIN (i, 17) - 11) == NULL);
    }
  for (i = 1; i < sizeof mqtt; i++)
    {
      g_autofree guint8 *cut = g_memdup2 (mqtt, i);

      ns_secrets_mask_bytes (secrets, cut, i);
    }
  for (i = 1; i < sizeof snmp; i++)
    {
      g_autofree guint8 *cut = g_memdup2 (snmp, i);

      ns_secrets_mask_bytes (secrets, cut, i);
    }
}

static void
test_command_lines (void)
{
  assert_command ("tool --password x --a", "tool --password " DOTS " --a");
  assert_command ("tool --password=x --a", "tool --password=" DOTS " --a");
  assert_command ("tool /password:x /a", "tool /password:" DOTS " /a");
  assert_command ("tool -p x -a", "tool -p " DOTS " -a");
  assert_command ("mysql.exe -uanna -px db", "mysql.exe -uanna -p" DOTS " db");
  assert_command ("curl -u anna:x https://h", "curl -u anna:" DOTS " https://h");
  assert_command ("curl -H \"Authorization: Bearer x\" https://h",
                  "curl -H \"Authorization: " DOTS "\" https://h");
  assert_command ("C:\\Windows\\net.exe use z: \\\\s\\c$ x /user:a",
                  "C:\\Windows\\net.exe use z: \\\\s\\c$ " DOTS " /user:a");
  assert_command ("svchost.exe -k netsvcs -p -s Winmgmt", "svchost.exe -k netsvcs -p -s Winmgmt");
  assert_command ("firefox -parentBuildID 20 -profile C:\\a",
                  "firefox -parentBuildID 20 -profile C:\\a");
  assert_command ("ssh -p 2222 h", "ssh -p 2222 h");
  assert_command ("signtool /p:x1 /a", "signtool /p:" DOTS " /a");
  assert_command ("msbuild /p:Configuration=Release /p:Password=x -p:C:\\a -p=443",
                  "msbuild /p:Configuration=Release /p:Password=" DOTS " -p:C:\\a -p=443");
  assert_command ("redis-cli.exe -a x ping", "redis-cli.exe -a " DOTS " ping");
  assert_command ("tool -a x", "tool -a x");
  assert_command ("setx API_TOKEN x /m", "setx API_TOKEN " DOTS " /m");
  assert_command ("setx PATH x", "setx PATH x");
  assert_command ("rar a -hpx1 b.rar", "rar a -hp" DOTS " b.rar");
  assert_command ("curl --user=anna:x -b s=1 h", "curl --user=anna:" DOTS " -b " DOTS " h");
  assert_command ("keytool -storepass x -keypass y", "keytool -storepass " DOTS " -keypass " DOTS);
  assert_command ("powershell \"ConvertTo-SecureString -String 'x y' -AsPlainText\"",
                  "powershell \"ConvertTo-SecureString -String '" DOTS "' -AsPlainText\"");
  assert_command ("powershell ConvertTo-SecureString $a", "powershell ConvertTo-SecureString $a");
  assert_masked ("tool -p x", "tool -p x");
}

/* Arguments that are secret by position, or by the option before them. */
static void
test_places_in_command_lines (void)
{
  assert_command ("reg add HKCU\\a /v Password /t REG_SZ /d x /f",
                  "reg add HKCU\\a /v Password /t REG_SZ /d " DOTS " /f");
  assert_command ("REG.EXE add HKCU\\a /v \"API token\" /d \"x y\"",
                  "REG.EXE add HKCU\\a /v \"API token\" /d \"" DOTS "\"");
  assert_command ("reg add HKCU\\a /v Path /d x", "reg add HKCU\\a /v Path /d x");
  assert_command ("tool /v Password /d x", "tool /v Password /d x");
  assert_command ("bitsadmin /SetCredentials job SERVER BASIC anna x",
                  "bitsadmin /SetCredentials " DOTS " SERVER BASIC anna " DOTS);
  assert_command ("bitsadmin /transfer job a b c d", "bitsadmin /transfer job a b c d");
  assert_command ("nuget setapikey x -Source y", "nuget setapikey " DOTS " -Source y");
  assert_command ("netsh wlan set hostednetwork key=x", "netsh wlan set hostednetwork key=" DOTS);
  assert_command ("tool key=x", "tool key=x");
  assert_command ("netdom join a /userd:b /passwordd:x", "netdom join a /userd:b /passwordd:" DOTS);
  assert_masked ("-Headers @{\"X-Api-Key\"=\"x\"; 'Password' = 'y z'; \"a\"=\"b\"}",
                 "-Headers @{\"X-Api-Key\"=\"" DOTS "\"; 'Password' = '" DOTS "'; \"a\"=\"b\"}");
  assert_masked ("{'password' => 'x', 'a' => 'b'}", "{'password' => '" DOTS "', 'a' => 'b'}");
  assert_masked ("<input type=\"password\" name=\"a\" value=\"x\">",
                 "<input type=\"password\" name=\"a\" value=\"" DOTS "\">");
  assert_masked ("x-ms-authorization: x", "x-ms-authorization: " DOTS);
  assert_masked ("a=1&mot_de_passe=x", "a=1&mot_de_passe=" DOTS);
}

static void
test_names_of_the_user (void)
{
  static const char names[] = "# mine\nX-Ours\n*geheim\n!session\n";
  static const char wrong[] = "a\n*\n";
  g_autoptr (GError) error = NULL;

  assert_masked ("?xours=1&dasgeheim=2&session=3", "?xours=1&dasgeheim=2&session=" DOTS);
  g_assert_true (add_names (names, strlen (names), "names", &error));
  g_assert_no_error (error);
  assert_masked ("?xours=1&dasgeheim=2&session=3", "?xours=" DOTS "&dasgeheim=" DOTS "&session=3");
  g_assert_true (ns_secrets_is_secret_name (secrets, "X_Ours"));
  g_assert_false (add_names (wrong, strlen (wrong), "wrong", &error));
  g_assert_true (g_str_has_prefix (error->message, "wrong:2: “*” is not a valid name"));
  g_clear_pointer (&secrets, ns_secrets_unref);
}

static void
assert_wrong_names (const char *names, gsize size, const char *expected)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (add_names (names, size, "names", &error));
  g_assert_error (error, NS_TRACE_ERROR, NS_TRACE_ERROR_QUERY);
  g_assert_true (g_str_has_prefix (error->message, expected));
  g_assert_cmpuint (strlen (error->message), <, 300);
  g_assert_true (g_utf8_validate (error->message, -1, NULL));
  g_clear_pointer (&secrets, ns_secrets_unref);
}

/* Any file of secret names is either read completely or refused with an error. */
static void
test_hostile_names_of_the_user (void)
{
  static const char with_zero[] = "a\nb\0c\nd\n";
  g_autofree char *longest = g_strnfill (1 << 20, 'a');
  g_autofree char *bytes = g_strnfill (1000, '\xff');
  g_autoptr (GString) many = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  guint i;

  assert_wrong_names (with_zero, sizeof with_zero - 1, "names:2: “b”");
  assert_wrong_names (longest, 1 << 20, "names:1: “aaa");
  assert_wrong_names (bytes, 1000, "names:1: “???");
  for (i = 0; i < 256; i++)
    g_string_append_printf (many, "name-%u\n", i);
  g_assert_true (add_names (many->str, many->len, "names", &error));
  assert_wrong_names ("# one\nmore\n", 11, "names:2: there are more than 256 names");
}

/* Unterminated items must be scanned in linear time, not again from each possible start. */
static void
test_each_byte_is_looked_at_once (void)
{
  static const char *const parts[] = { "\"name\":\\\"",
                                       "<password",
                                       "name=\"",
                                       "a@://",
                                       "%3D",
                                       "AUTH X\n",
                                       "\"value\":\"",
                                       "AUTH\r\n$9\r\n",
                                       "<token>",
                                       "<token><",
                                       "&lt;token&gt;",
                                       "\\u003ctoken\\u003e",
                                       "%253D",
                                       "a[b]=",
                                       "\"token\":{",
                                       "\"token\":{\"a\":[",
                                       "\"a\",",
                                       "\"Cookie\",\"",
                                       "<key>password</key><",
                                       " Basic YTpi",
                                       "-----BEGIN PRIVATE KEY-----",
                                       "form-data;name=\"pw\"",
                                       "{\"value\":\"a\",\"name\":\"Cookie",
                                       "%22token%22%3A",
                                       "setx TOKEN ",
                                       "{\"bytes\":\"AAAA\"",
                                       "{\"name\":\"Cookie\",\"value\":\"a\",",
                                       "a login b=c d\n",
                                       "%5B%5D=",
                                       "\\u0061=" };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      gsize n = strlen (parts[i]);
      gsize size = n * (1024 * 1024 / n);
      g_autofree guint8 *bytes = g_malloc (size);
      gsize at;

      for (at = 0; at < size; at += n)
        memcpy (bytes + at, parts[i], n);
      /* Quadratic time would exceed the test timeout. */
      ns_secrets_mask_bytes (secrets, bytes, size);
    }
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
  g_test_add_func ("/base/secrets/table", test_one_table_of_names);
  g_test_add_func ("/base/secrets/nested", test_nested_urls);
  g_test_add_func ("/base/secrets/folded", test_folded_headers);
  g_test_add_func ("/base/secrets/members", test_members);
  g_test_add_func ("/base/secrets/tokens", test_tokens_without_names);
  g_test_add_func ("/base/secrets/escapes", test_names_with_escapes);
  g_test_add_func ("/base/secrets/members-other", test_members_that_are_no_text);
  g_test_add_func ("/base/secrets/elements", test_elements);
  g_test_add_func ("/base/secrets/before", test_names_before_a_secret);
  g_test_add_func ("/base/secrets/base64", test_bytes_in_base64);
  g_test_add_func ("/base/secrets/parts", test_parts_of_forms);
  g_test_add_func ("/base/secrets/forms-of-tokens", test_tokens_of_known_forms);
  g_test_add_func ("/base/secrets/protocols", test_protocols);
  g_test_add_func ("/base/secrets/counted", test_counted_values);
  g_test_add_func ("/base/secrets/messages", test_messages_that_are_no_text);
  g_test_add_func ("/base/secrets/commands", test_command_lines);
  g_test_add_func ("/secrets/places-in-command-lines", test_places_in_command_lines);
  g_test_add_func ("/base/secrets/user", test_names_of_the_user);
  g_test_add_func ("/base/secrets/user-hostile", test_hostile_names_of_the_user);
  g_test_add_func ("/base/secrets/linear", test_each_byte_is_looked_at_once);
  return g_test_run ();
}
