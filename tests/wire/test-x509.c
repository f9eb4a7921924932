/* Tests the fields read from certificates.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "wire/ns-wire-x509.h"

/* Made by OpenSSL 3 for this test. It expires after 2049, so the year has four digits. */
/* clang-format off */
static const char certificate[] =
  "MIIB7jCCAZWgAwIBAgIUfBgzqr2K+ku2cihKnVxE8ZlkynEwCgYIKoZIzj0EAwIwTDEXMBUGCgmSJomT8ixkARkW"
  "B2V4YW1wbGUxEDAOBgNVBAoMByMxICJBIlwxHzALBgNVBAMMBFpvw6swEAYKCZImiZPyLGQBAQwCeDcwIBcNMjYx"
  "MTI2MDI0MzQ1WhgPMjA4MTA4MjkwMjQzNDVaMEwxFzAVBgoJkiaJk/IsZAEZFgdleGFtcGxlMRAwDgYDVQQKDAcj"
  "MSAiQSJcMR8wCwYDVQQDDARab8OrMBAGCgmSJomT8ixkAQEMAng3MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE"
  "5mRoyEG837VKJ9F/CgA6b+T2UtKp9dFAMTNi7srEQvjaLj2yi8gC/iWVDf6ZUuPt6k9Y77H5pkLqMLdDgvYXraNT"
  "MFEwHQYDVR0OBBYEFCnAQ6hhYjXm5+XWQWzkGPRHrlECMB8GA1UdIwQYMBaAFCnAQ6hhYjXm5+XWQWzkGPRHrlEC"
  "MA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDRwAwRAIgUq9F9tbxCAFh6JjozjZZr9OTMjqga6lc1Ms7MSOv"
  "/s8CIEi1a9axDqjtJoFXGvXVE4T1kWyxTILPW7Lze8cnMJx8";
/* clang-format on */

/* As printed by openssl x509 -nameopt RFC2253,-esc_msb, except for the order of the first two
 * attributes, which RFC 4514 2.2 leaves open. */
#define NAME "CN=Zoë+UID=x7,O=\\#1 \\\"A\\\"\\\\,DC=example"

static void
test_names_are_escaped (void)
{
  gsize size;
  g_autofree guint8 *der = g_base64_decode (certificate, &size);
  NsWireX509 x509;

  g_assert_true (ns_wire_x509_parse (&x509, der, size));
  g_assert_cmpstr (x509.subject, ==, NAME);
  g_assert_cmpstr (x509.issuer, ==, NAME);
  g_assert_cmpstr (x509.expires, ==, "2081-08-29T02:43:45Z");
  ns_wire_x509_clear (&x509);
  g_assert_null (x509.subject);
}

static void
test_cut_certificates_tell_nothing (void)
{
  gsize size;
  g_autofree guint8 *der = g_base64_decode (certificate, &size);
  gsize n;

  for (n = 0; n < size; n++)
    {
      g_autofree guint8 *copy = g_memdup2 (der, MAX (n, 1));
      NsWireX509 x509;

      g_assert_false (ns_wire_x509_parse (&x509, copy, n));
      ns_wire_x509_clear (&x509);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/x509/names-are-escaped", test_names_are_escaped);
  g_test_add_func ("/x509/cut-certificates-tell-nothing", test_cut_certificates_tell_nothing);
  return g_test_run ();
}
