/* Tests the TLS handshake in two streams.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "handshakes.h"

#define feed_all(flights, chunk) feed (flights, G_N_ELEMENTS (flights), chunk)

/* Feeds flight n as segment n at 100 * (n + 1) ns, in pieces of @chunk bytes. */
static NsWireHandshake *
feed (const Flight *flights, gsize n_flights, gsize chunk)
{
  NsWireHandshake *self = ns_wire_handshake_new ();
  gsize i;
  gsize at;

  for (i = 0; i < n_flights; i++)
    {
      gsize size;
      g_autofree guint8 *bytes = g_base64_decode (flights[i].bytes, &size);

      for (at = 0; at < size; at += chunk)
        {
          g_autofree guint8 *copy = g_memdup2 (bytes + at, MIN (chunk, size - at));

          ns_wire_handshake_feed (self,
                                  flights[i].side,
                                  copy,
                                  MIN (chunk, size - at),
                                  100 * ((gint64) i + 1),
                                  i);
        }
    }
  return self;
}

static char *
join (GPtrArray *texts)
{
  g_autoptr (GString) text = g_string_new (NULL);
  guint i;

  if (texts == NULL)
    return NULL;
  for (i = 0; i < texts->len; i++)
    g_string_append_printf (text, i > 0 ? ",%s" : "%s", (const char *) texts->pdata[i]);
  return g_strdup (text->str);
}

static void
assert_offered (const NsWireHandshakeFacts *facts, const char *names, const char *versions)
{
  g_autofree char *alpn = join (facts->alpn_offered);
  g_autofree char *offered = join (facts->offered);

  g_assert_cmpstr (alpn, ==, names);
  g_assert_cmpstr (offered, ==, versions);
}

static void
test_a_full_handshake_tells_all (void)
{
  static const gsize chunks[] = { 1, 7, 100000 };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (chunks); i++)
    {
      g_autoptr (NsWireHandshake) self = feed_all (full_1_2, chunks[i]);
      const NsWireHandshakeFacts *facts = ns_wire_handshake_get_facts (self);

      g_assert_true (facts->is_tls);
      g_assert_cmpstr (facts->sni, ==, "www.example.com");
      assert_offered (facts, "h2,http/1.1", "TLS 1.2");
      g_assert_cmpstr (facts->version, ==, "TLS 1.2");
      g_assert_cmpstr (facts->cipher, ==, "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256");
      g_assert_cmpstr (facts->alpn, ==, "http/1.1");
      g_assert_cmpint (facts->resumed, ==, 0);
      /* As printed by openssl x509 -nameopt RFC2253 -enddate. */
      g_assert_cmpstr (facts->certificate.subject, ==, "CN=www.example.com,O=Test\\, Ltd,C=DE");
      g_assert_cmpstr (facts->certificate.issuer, ==, "CN=www.example.com,O=Test\\, Ltd,C=DE");
      g_assert_cmpstr (facts->certificate.expires, ==, "2036-11-23T02:39:06Z");
      g_assert_null (facts->alert);
      g_assert_cmpint (facts->begin_ns, ==, 100);
      g_assert_cmpint (facts->end_ns, ==, 400);
      g_assert_cmpuint (facts->end_index, ==, 3);
    }
}

static void
test_a_session_is_resumed (void)
{
  g_autoptr (NsWireHandshake) self = feed_all (resumed_1_2, 11);
  const NsWireHandshakeFacts *facts = ns_wire_handshake_get_facts (self);

  g_assert_cmpint (facts->resumed, ==, 1);
  g_assert_null (facts->certificate.subject);
  g_assert_cmpint (facts->end_ns, ==, 300);
}

static void
test_tls_1_3_hides_names_and_certificates (void)
{
  g_autoptr (NsWireHandshake) self = feed_all (full_1_3, 13);
  const NsWireHandshakeFacts *facts = ns_wire_handshake_get_facts (self);

  g_assert_cmpstr (facts->version, ==, "TLS 1.3");
  g_assert_cmpstr (facts->cipher, ==, "TLS_AES_256_GCM_SHA384");
  assert_offered (facts, "h2,http/1.1", "TLS 1.3,TLS 1.2");
  g_assert_false (facts->is_retried);
  g_assert_null (facts->alpn);
  g_assert_null (facts->certificate.subject);
  g_assert_cmpint (facts->resumed, ==, 0);
  g_assert_cmpint (facts->begin_ns, ==, 100);
  g_assert_cmpint (facts->end_ns, ==, 300);
}

static void
test_a_second_hello_is_asked_for (void)
{
  g_autoptr (NsWireHandshake) self = feed_all (retried_1_3, 100);
  const NsWireHandshakeFacts *facts = ns_wire_handshake_get_facts (self);

  g_assert_true (facts->is_retried);
  g_assert_cmpstr (facts->version, ==, "TLS 1.3");
  g_assert_cmpstr (facts->sni, ==, "www.example.com");
  g_assert_cmpint (facts->begin_ns, ==, 100);
  g_assert_cmpint (facts->end_ns, ==, 500);
}

static void
test_the_server_refuses (void)
{
  static const guint8 alerts[] = { 21, 3, 3, 0, 2, 1, 112, 21, 3, 3, 0, 2, 2, 40 };
  static const guint8 closes[] = { 21, 3, 3, 0, 2, 2, 0 };
  g_autoptr (NsWireHandshake) self = feed (full_1_2, 1, 1000);
  g_autoptr (NsWireHandshake) other = feed (full_1_2, 1, 1000);
  const NsWireHandshakeFacts *facts = ns_wire_handshake_get_facts (self);

  /* The first alert is a warning. */
  ns_wire_handshake_feed (self, NS_WIRE_SERVER, alerts, sizeof alerts, 200, 1);
  g_assert_cmpstr (facts->alert, ==, "handshake_failure");
  g_assert_cmpint (facts->alert_side, ==, NS_WIRE_SERVER);
  g_assert_null (facts->version);
  g_assert_null (facts->cipher);
  g_assert_cmpint (facts->resumed, ==, -1);
  g_assert_cmpint (facts->end_ns, ==, -1);
  ns_wire_handshake_feed (other, NS_WIRE_SERVER, closes, sizeof closes, 200, 1);
  g_assert_null (ns_wire_handshake_get_facts (other)->alert);
}

/* Wherever the hello is truncated, no partial server name is returned. */
static void
test_cut_names_are_unknown (void)
{
  gsize size;
  g_autofree guint8 *bytes = g_base64_decode (full_1_2[0].bytes, &size);
  gboolean was_cut = FALSE;
  gsize n;

  for (n = 0; n <= size; n++)
    {
      g_autoptr (NsWireHandshake) self = ns_wire_handshake_new ();
      const NsWireHandshakeFacts *facts = ns_wire_handshake_get_facts (self);
      g_autofree guint8 *copy = g_memdup2 (bytes, MAX (n, 1));

      ns_wire_handshake_feed (self, NS_WIRE_CLIENT, copy, n, 100, 0);
      ns_wire_handshake_end (self, NS_WIRE_CLIENT);
      was_cut |= facts->has_hello && facts->sni == NULL;
      if (facts->sni != NULL)
        g_assert_cmpstr (facts->sni, ==, "www.example.com");
      if (facts->alpn_offered != NULL)
        assert_offered (facts, "h2,http/1.1", n == size ? "TLS 1.2" : NULL);
      if (n == size)
        g_assert_nonnull (facts->sni);
    }
  g_assert_true (was_cut);
}

static void
test_others_are_no_tls (void)
{
  static const char *const texts[] = { "GET / HTTP/1.1\r\n", "\x16\x03\x01\xff\xff\x01" };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (NsWireHandshake) self = ns_wire_handshake_new ();

      g_assert_false (ns_wire_handshake_feed (self,
                                              NS_WIRE_CLIENT,
                                              (const guint8 *) texts[i],
                                              strlen (texts[i]),
                                              0,
                                              0));
      g_assert_false (ns_wire_handshake_get_facts (self)->is_tls);
    }
}

static void
test_suites_have_names (void)
{
  g_assert_cmpstr (ns_wire_cipher_name (0x002f), ==, "TLS_RSA_WITH_AES_128_CBC_SHA");
  g_assert_cmpstr (ns_wire_cipher_name (0xc02f), ==, "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256");
  g_assert_cmpstr (ns_wire_cipher_name (0x1301), ==, "TLS_AES_128_GCM_SHA256");
  g_assert_null (ns_wire_cipher_name (0xfafa));
  g_assert_null (ns_wire_cipher_name (0xffff));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/handshake/a-full-handshake-tells-all", test_a_full_handshake_tells_all);
  g_test_add_func ("/handshake/a-session-is-resumed", test_a_session_is_resumed);
  g_test_add_func ("/handshake/tls-1-3-hides-names-and-certificates",
                   test_tls_1_3_hides_names_and_certificates);
  g_test_add_func ("/handshake/a-second-hello-is-asked-for", test_a_second_hello_is_asked_for);
  g_test_add_func ("/handshake/the-server-refuses", test_the_server_refuses);
  g_test_add_func ("/handshake/cut-names-are-unknown", test_cut_names_are_unknown);
  g_test_add_func ("/handshake/others-are-no-tls", test_others_are_no_tls);
  g_test_add_func ("/handshake/suites-have-names", test_suites_have_names);
  return g_test_run ();
}
