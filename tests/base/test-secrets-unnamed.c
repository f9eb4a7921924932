/* Tests the redaction of secrets recognized by form: connection strings, statements, command lines.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

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
  g_autoptr (GString) masked = g_string_new (text);
  g_autofree guint8 *bytes = g_memdup2 (text, strlen (text));

  ns_secrets_mask_tail (secrets, masked, 0);
  g_assert_cmpstr (masked->str, ==, expected);
  /* Masking bytes gives the same result and keeps the length. */
  g_assert_cmpint (ns_secrets_mask_bytes (secrets, bytes, strlen (text)),
                   ==,
                   strcmp (text, expected) != 0);
}

static void
assert_command (const char *text, const char *expected)
{
  g_autoptr (GString) masked = g_string_new (text);

  ns_secrets_mask_command (secrets, masked, 0);
  g_assert_cmpstr (masked->str, ==, expected);
}

static void
test_scripts_in_base64 (void)
{
  assert_command ("powershell.exe -NoP -EncodedCommand QUFBQQ== -x",
                  "powershell.exe -NoP -EncodedCommand " DOTS " -x");
  assert_command ("\"C:\\W\\powershell.exe\" /ec QUFBQQ==", "\"C:\\W\\powershell.exe\" /ec " DOTS);
  assert_command ("cmd /c pwsh -e \"QUFBQQ==\"", "cmd /c pwsh -e \"" DOTS "\"");
  assert_command ("other -enc x -encod QUFB", "other -enc x -encod " DOTS);
  assert_masked ("ran powershell -EncodedCommand QUFB", "ran powershell -EncodedCommand " DOTS);
  assert_command ("powershell -ExecutionPolicy Bypass", "powershell -ExecutionPolicy Bypass");
  assert_command ("tool -e x -ec y", "tool -e x -ec y");
}

static void
test_paths_that_are_secret (void)
{
  assert_masked ("https://hooks.slack.com/services/T0A/B0B/abcDEF?a=1",
                 "https://hooks.slack.com/services/T0A/B0B/" DOTS "?a=1");
  assert_masked ("POST /services/T0A/B0B/abcDEF HTTP/1.1",
                 "POST /services/T0A/B0B/" DOTS " HTTP/1.1");
  assert_masked ("{\"u\":\"https:\\/\\/h\\/services\\/T0A\\/B0B\\/abcDEF\",\"n\":1}",
                 "{\"u\":\"https:\\/\\/h\\/services\\/T0A\\/B0B\\/" DOTS "\",\"n\":1}");
  assert_masked ("/go?to=https%3A%2F%2Fh%2Fservices%2FT0A%2FB0B%2FabcDEF&x=2",
                 "/go?to=https%3A%2F%2Fh%2Fservices%2FT0A%2FB0B%2F" DOTS "&x=2");
  assert_masked ("https://discord.com/api/webhooks/123/ab-C_d/slack",
                 "https://discord.com/api/webhooks/123/" DOTS "/slack");
  assert_masked ("/api/v10/webhooks/123/ab-C_d", "/api/v10/webhooks/123/" DOTS);
  assert_masked ("https://t.webhook.office.com/webhookb2/a@b/IncomingWebhook/abcd/ef-01",
                 "https://t.webhook.office.com/webhookb2/a@b/IncomingWebhook/" DOTS);
  assert_masked ("GET /bot123:abcdefghijklmnop_qrst/getMe", "GET /bot123:" DOTS "/getMe");
  assert_masked ("/trigger/x/with/key/abcdef", "/trigger/x/with/key/" DOTS);
  assert_masked ("/services/data/v57/B0B/abcdef", "/services/data/v57/B0B/abcdef");
  assert_masked ("/robots#1:abcdefghijklmnopqrst /bots/1:abcdefghijklmnopqrst",
                 "/robots#1:abcdefghijklmnopqrst /bots/1:abcdefghijklmnopqrst");
}

static void
test_tokens_by_what_they_begin_with (void)
{
  assert_masked ("AKIAABCDEFGHIJKLMNOP", "AKIA" DOTS);
  assert_masked ("x ASIAABCDEFGHIJKLMNOP, y", "x ASIA" DOTS ", y");
  assert_masked ("ASIA_PACIFIC_SOUTHEAST_1 ASIAABCDEFGHIJKLMNOPQ AKIAshort",
                 "ASIA_PACIFIC_SOUTHEAST_1 ASIAABCDEFGHIJKLMNOPQ AKIAshort");
  assert_masked ("AIzaabcdefghijklmnopqrstuvwxyz0123", "AIza" DOTS);
  assert_masked ("sk-proj-abcdefghijklmnopqr1s.", "sk-" DOTS ".");
  assert_masked ("sk-spinner-wandering-cubes-container", "sk-spinner-wandering-cubes-container");
  assert_masked ("task-abcdefghijklmnopqr1s", "task-abcdefghijklmnopqr1s");
  assert_masked ("hvs.abcdefghijklmnopq dckr_pat_abcdefghijklmnopq", "hvs." DOTS " dckr_pat_" DOTS);
  assert_masked ("---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\nx y\n---- END SSH2",
                 "---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----" DOTS "---- END SSH2");
  assert_masked ("---- BEGIN SSH2 PUBLIC KEY ----\nx y\n---- END SSH2",
                 "---- BEGIN SSH2 PUBLIC KEY ----\nx y\n---- END SSH2");
  assert_masked ("PuTTY-User-Key-File-3: ssh-rsa\r\nPublic-Lines: 1\r\nAAAA\r\n"
                 "Private-Lines: 2\r\nx\r\ny\r\nPrivate-MAC: 12\r\n",
                 "PuTTY-User-Key-File-3: ssh-rsa\r\nPublic-Lines: 1\r\nAAAA\r\n"
                 "Private-Lines: 2\r\n" DOTS "Private-MAC: 12\r\n");
  assert_masked ("-----BEGIN PGP PRIVATE KEY BLOCK-----\nx\n-----END PGP PRIVATE KEY BLOCK-----",
                 "-----BEGIN PGP PRIVATE KEY BLOCK-----" DOTS
                 "-----END PGP PRIVATE KEY BLOCK-----");
  /* Encrypted tokens (JWE) have five parts, of which the second may be empty. */
  assert_masked ("a eyJhbGciOiJkaXIifQ..QUJD.REVG.R0hJ b", "a " DOTS " b");
  assert_masked ("eyJhYmMiOiJkaXIifQ.a.b eyJhbGciOiJkaXIifQ.txt",
                 "eyJhYmMiOiJkaXIifQ.a.b eyJhbGciOiJkaXIifQ.txt");
}

static void
test_settings_of_connections (void)
{
  assert_masked ("Server=h;Password=a#b&c d;Timeout=3", "Server=h;Password=" DOTS ";Timeout=3");
  assert_masked ("Password=a#b;Server=h", "Password=" DOTS ";Server=h");
  assert_masked ("Server=h;Pwd={a;b}}c};X=1", "Server=h;Pwd=" DOTS ";X=1");
  assert_masked ("Server=h;Pwd=\"a;b\";X=1", "Server=h;Pwd=\"" DOTS "\";X=1");
  assert_masked ("<a c=\"Server=h;Password=a&amp;b;X=1\"/>",
                 "<a c=\"Server=h;Password=" DOTS ";X=1\"/>");
  assert_masked ("<a c=\"Server=h;Password=&quot;a;b&quot;;X=1\"/>",
                 "<a c=\"Server=h;Password=" DOTS ";X=1\"/>");
  assert_masked ("AccountName=n;AccountKey=a/b+c==;EndpointSuffix=s",
                 "AccountName=n;AccountKey=" DOTS ";EndpointSuffix=s");
  assert_masked ("BlobEndpoint=https://h;SharedAccessSignature=sv=1&sig=x",
                 "BlobEndpoint=https://h;SharedAccessSignature=" DOTS "&sig=" DOTS);
  assert_masked ("jdbc:oracle:thin:scott/x@//h:1521/s",
                 "jdbc:oracle:thin:scott/" DOTS "@//h:1521/s");
  /* Query strings and sentences are no connection strings. */
  assert_masked ("/?token=a&amp;b=c&amp;d=e;f=g", "/?token=" DOTS "&amp;b=c&amp;d=e;f=g");
  assert_masked ("/?password=a#f", "/?password=" DOTS "#f");
  assert_masked ("x; token=a and more", "x; token=" DOTS " and more");
}

static void
test_statements (void)
{
  assert_masked ("ALTER USER a IDENTIFIED BY 'x' b", "ALTER USER a IDENTIFIED BY '" DOTS "' b");
  assert_masked ("CREATE USER a IDENTIFIED WITH p BY \"x\"",
                 "CREATE USER a IDENTIFIED WITH p BY \"" DOTS "\"");
  assert_masked ("ALTER ROLE a WITH PASSWORD 'x'", "ALTER ROLE a WITH PASSWORD '" DOTS "'");
  assert_masked ("SET PASSWORD FOR a = PASSWORD('x')", "SET PASSWORD FOR a = PASSWORD('" DOTS "')");
  assert_masked ("SELECT PASSWORD('x')", "SELECT PASSWORD('" DOTS "')");
  assert_masked ("new NetworkCredential(\"u\", \"x\")",
                 "new NetworkCredential(\"u\", \"" DOTS "\")");
  assert_masked ("sorted by 'name', password (none)", "sorted by 'name', password (none)");
  assert_masked ("CONFIG SET requirepass x\r\n", "CONFIG SET requirepass " DOTS "\r\n");
  assert_masked ("HELLO 3 AUTH a x\r\n", "HELLO 3 AUTH a " DOTS "\r\n");
  assert_masked ("$7\r\nSETUSER\r\n$1\r\na\r\n$2\r\non\r\n$2\r\n>x\r\n",
                 "$7\r\nSETUSER\r\n$1\r\na\r\n$2\r\non\r\n$2\r\n>" DOTS "\r\n");
  assert_masked ("AUTHENTICATE \"PLAIN\" \"eHg=\"\r\n", "AUTHENTICATE \"PLAIN\" " DOTS "\r\n");
}

static void
test_words_of_programs (void)
{
  assert_command ("sqlplus -S scott/x@db", "sqlplus -S scott/" DOTS "@db");
  assert_command ("smbclient //h/s -U a%x", "smbclient //h/s -U a%" DOTS);
  assert_command ("ssh-keygen -N x -f y", "ssh-keygen -N " DOTS " -f y");
  assert_command ("aws configure set aws_secret_access_key x",
                  "aws configure set aws_secret_access_key " DOTS);
  assert_command ("rasdial vpn a x /domain:b", "rasdial vpn a " DOTS " /domain:b");
  assert_command ("cmd /c set PATH x", "cmd /c set PATH x");
}

static void
test_beginnings_of_the_user (void)
{
  static const char names[] = "tok_*\nhooks.example/in/*\n";
  g_autoptr (GError) error = NULL;

  assert_masked ("a tok_b1 https://hooks.example/in/x/y?z=1",
                 "a tok_b1 https://hooks.example/in/x/y?z=1");
  g_assert_true (add_names (names, strlen (names), "names", &error));
  g_assert_no_error (error);
  assert_masked ("a tok_b1 https://hooks.example/in/x/y?z=1",
                 "a tok_" DOTS " https://hooks.example/in/" DOTS "?z=1");
  g_clear_pointer (&secrets, ns_secrets_unref);
  assert_masked ("a tok_b1", "a tok_b1");
  g_assert_false (add_names ("ab*", 3, "names", &error));
  g_assert_true (g_str_has_prefix (error->message, "names:1: “ab*” is not a valid name"));
  g_clear_pointer (&secrets, ns_secrets_unref);
}

static void
test_too_many_beginnings (void)
{
  g_autoptr (GString) many = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  guint i;

  for (i = 0; i < 65; i++)
    g_string_append_printf (many, "beginning%u-*\n", i);
  g_assert_false (add_names (many->str, many->len, "names", &error));
  g_assert_true (g_str_has_prefix (error->message, "names:65: there are more than 64 names"));
  g_clear_pointer (&secrets, ns_secrets_unref);
}

/* Unterminated items must be scanned in linear time, not again from each possible start. */
static void
test_each_byte_is_looked_at_once (void)
{
  static const char *const parts[] = { "eyJx.b.",
                                       "eyJhbGciOjF9.",
                                       "/services/T0/B0",
                                       "/services/T0",
                                       "/bot1",
                                       "%2F",
                                       "AKIA",
                                       "AIza",
                                       "password=a&b",
                                       "password={",
                                       ";password=&quot;",
                                       "password 'x",
                                       "identified by ",
                                       "credential('",
                                       "SETUSER\r\n$1\r\n>",
                                       "\nCONFIG SET requirepass",
                                       "thin:a/",
                                       "sk-",
                                       "-enc ",
                                       "powershell -e ",
                                       "password=&amp;" };
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
      ns_secrets_mask_command_bytes (secrets, bytes, size);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base/secrets-unnamed/scripts", test_scripts_in_base64);
  g_test_add_func ("/base/secrets-unnamed/paths", test_paths_that_are_secret);
  g_test_add_func ("/base/secrets-unnamed/tokens", test_tokens_by_what_they_begin_with);
  g_test_add_func ("/base/secrets-unnamed/settings", test_settings_of_connections);
  g_test_add_func ("/base/secrets-unnamed/statements", test_statements);
  g_test_add_func ("/base/secrets-unnamed/programs", test_words_of_programs);
  g_test_add_func ("/base/secrets-unnamed/user", test_beginnings_of_the_user);
  g_test_add_func ("/base/secrets-unnamed/user-many", test_too_many_beginnings);
  g_test_add_func ("/base/secrets-unnamed/linear", test_each_byte_is_looked_at_once);
  return g_test_run ();
}
