/* Tests the redaction of secrets in binary messages of unencrypted protocols.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#define _GNU_SOURCE
#include "config.h"

#include "base/ns-secrets.h"

#include <string.h>

static void
add (GByteArray *bytes, const char *data, gsize size)
{
  g_byte_array_append (bytes, (const guint8 *) data, (guint) size);
}

#define ADD(bytes, text) add (bytes, text, sizeof (text) - 1)

/* Truncates the message anywhere and changes its bytes; must not crash. */
static void
assert_damaged (const GByteArray *message)
{
  guint i;

  for (i = 1; i < message->len; i++)
    {
      g_autofree guint8 *cut = g_memdup2 (message->data, i);
      g_autofree guint8 *wrong = g_memdup2 (message->data, message->len);

      ns_secrets_mask_bytes (NULL, cut, i);
      wrong[i] = 0xff;
      ns_secrets_mask_bytes (NULL, wrong, message->len);
      wrong[i] = 0;
      ns_secrets_mask_bytes (NULL, wrong, message->len);
    }
}

/* Asserts that @secret is replaced by asterisks, and that all other bytes and the length are
 * unchanged. */
static void
assert_hidden (const GByteArray *message, const char *secret)
{
  gsize n = strlen (secret);
  g_autofree guint8 *expected = g_memdup2 (message->data, message->len);
  g_autofree guint8 *masked = ns_secrets_dup_masked (NULL, message->data, message->len);
  gsize i;

  for (i = 0; i + n <= message->len; i++)
    if (memcmp (message->data + i, secret, n) == 0)
      memset (expected + i, '*', n);
  g_assert_nonnull (masked);
  g_assert_cmpmem (masked, message->len, expected, message->len);
  assert_damaged (message);
}

static void
test_mysql (void)
{
  static const char head[] = "\x46\0\0\1\x85\xa2\x0b\0\0\0\0\1\x08";
  g_autoptr (GByteArray) login = g_byte_array_new ();
  guint i;

  ADD (login, head);
  for (i = 0; i < 23; i++)
    ADD (login, "\0");
  ADD (login, "anna\0\x06secretdb\0mysql_native_password\0");
  login->data[0] = (guint8) (login->len - 4);
  /* The value of a login prompt, then a command. */
  ADD (login, "\6\0\0\3secret\3\0\0\0\3abc");
  assert_hidden (login, "secret");
}

static void
test_postgres_that_asks_for_tls (void)
{
  g_autoptr (GByteArray) login = g_byte_array_new ();

  ADD (login, "\0\0\0\x08\x04\xd2\x16\x2f\0\0\0\x08\x04\xd2\x16\x30");
  ADD (login, "\0\0\0\x13\0\x03\0\0user\0anna\0\0p\0\0\0\x0asecret");
  assert_hidden (login, "secret");
}

static void
test_ldap (void)
{
  g_autoptr (GByteArray) change = g_byte_array_new ();
  g_autoptr (GByteArray) bind = g_byte_array_new ();

  ADD (change,
       "\x30\x2e\x02\x01\x02\x66\x29\x04\x04"
       "cn=a\x30\x21\x30\x1f\x0a\x01\x02\x30\x1a\x04\x0cuserPassword\x31\x0a\x04\x08secret-1");
  ns_secrets_mask_bytes (NULL, change->data, change->len);
  g_assert_null (memmem (change->data, change->len, "secret", 6));
  assert_damaged (change);

  ADD (bind,
       "\x30\x20\x02\x01\x01\x60\x1b\x02\x01\x03\x04\x00\xa3\x14\x04\x05PLAIN\x04\x0b"
       "anna\0secret");
  ns_secrets_mask_bytes (NULL, bind->data, bind->len);
  g_assert_null (memmem (bind->data, bind->len, "secret", 6));
  assert_damaged (bind);
}

static void
test_kerberos (void)
{
  /* Preceded by the header of another protocol. */
  static const char ticket[] = "SMB "
                               "\x61\x30\xa3\x1f\x30\x1d\xa0\x03\x02\x01\x17\xa1\x03\x02\x01\x02"
                               "\xa2\x11\x04\x0fsecret-secret-x";
  g_autoptr (GByteArray) message = g_byte_array_new ();
  g_autoptr (GByteArray) other = g_byte_array_new ();

  ADD (message, ticket);
  ADD (other, ticket);
  /* Too short to contain a secret. */
  g_assert_null (ns_secrets_dup_masked (NULL, other->data, other->len));
  g_byte_array_set_size (message, 0);
  ADD (message,
       "SMB \x61\x30\xa0\x03\x02\x01\x17\xa1\x03\x02\x01\x02\xa2\x16\x04\x14secret-secret-secret"
       "\xa0\x03\x02\x01\x12\xa2\x16\x04\x14secret-secret-secret and more");
  assert_hidden (message, "secret-secret-secret");
}

static void
test_brokers (void)
{
  g_autoptr (GByteArray) amqp = g_byte_array_new ();
  g_autoptr (GByteArray) cassandra = g_byte_array_new ();

  ADD (amqp, "AMQP\0\0\x09\x01\x01\0\0\0\0\0\x24\0\x0a\0\x0b\0\0\0\x03\x01");
  ADD (amqp, "at\x05PLAIN\0\0\0\x06secret\5en_US\xce");
  assert_hidden (amqp, "secret");
  ADD (cassandra, "\4\0\0\0\1\0\0\0\2\0\0\4\0\0\1\x0f\0\0\0\x0a\0\0\0\6secret");
  assert_hidden (cassandra, "secret");
}

static void
add_frame (GByteArray *bytes, const char *head, const char *data, gsize size)
{
  char length[3] = { 0, (char) (size >> 8), (char) size };

  add (bytes, length, 3);
  add (bytes, head, 6);
  add (bytes, data, size);
}

#define ADD_FRAME(bytes, head, data) add_frame (bytes, head, data, sizeof (data) - 1)

static const char preface[] = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/* HPACK: header names by index; one header block spans two frames, another one is padded. */
static void
test_headers_of_http2 (void)
{
  g_autoptr (GByteArray) client = g_byte_array_new ();

  ADD (client, preface);
  ADD_FRAME (client, "\4\0\0\0\0\0", "");
  ADD_FRAME (client, "\1\0\0\0\0\1", "\x82\x44\x12/?token=secret&a=1\x40\x09x-api-key\x06sec");
  ADD_FRAME (client, "\x09\4\0\0\0\1", "ret\x53\x03*/*");
  ADD_FRAME (client, "\1\x0c\0\0\0\3", "\2\x82\x7f\x00\x06secret\x57\x06secret\0\0");
  {
    g_autofree guint8 *masked = ns_secrets_dup_masked (NULL, client->data, client->len);

    g_assert_null (memmem (masked, client->len, "secret", 6));
    g_assert_null (memmem (masked, client->len, "\x06sec", 4));
    g_assert_nonnull (
        memmem (masked, client->len, "/?token=******&a=1\x40\x09x-api-key\x06***", 33));
    g_assert_nonnull (memmem (masked, client->len, "***\x53\x03*/*", 8));
    g_assert_nonnull (memmem (masked, client->len, "\x7f\x00\x06******\x57\x06******\0\0", 18));
  }
  assert_damaged (client);
}

/* Encoded with the hpack package of Python: `:path` /?token=QUJD, x-api-key: secret-1; then
 * x-api-key: secret-2, authorization: Bearer c2VjcmV0. */
static void
test_packed_headers_of_http2 (void)
{
  g_autoptr (GByteArray) server = g_byte_array_new ();
  g_autofree guint8 *masked = NULL;

  /* The capture lacks the beginning of the connection. */
  ADD_FRAME (server, "\4\0\0\0\0\0", "");
  ADD_FRAME (server,
             "\1\4\0\0\0\1",
             "\x82\x44\x8a\x63\xfc\x49\xfa\x96\xa8\x36\x70\xcb\x7f\x40\x87\xf2\xb0\xeb\x32\xdd\x4b"
             "\xeb\x86\x41\x49\x61\x52\xb0\x7f\x53\x83\xf9\x63\xe7");
  ADD_FRAME (server,
             "\1\4\0\0\0\3",
             "\x82\x7f\x00\x86\x41\x49\x61\x52\xb0\xbf\x57\x8b\xba\x51\xd8\x5b\x14\x20\xb8\xf4\x25"
             "\x3c\x41");
  masked = ns_secrets_dup_masked (NULL, server->data, server->len);
  g_assert_nonnull (masked);
  g_assert_cmpmem (masked + 18,
                   34,
                   "\x82\x44\x8a**********\x40\x87\xf2\xb0\xeb\x32\xdd\x4b\xeb\x86******\x53\x83"
                   "\xf9\x63\xe7",
                   34);
  g_assert_cmpmem (masked + 18 + 34 + 9, 23, "\x82\x7f\x00\x86******\x57\x8b***********", 23);
  assert_damaged (server);
}

/* A capture that begins late lacks the earlier HPACK table entries, here 0x3e and 0x3f of 0x7f,
 * which may name secrets. Entries added since the beginning of the capture are known. */
static void
test_headers_of_http2_from_the_middle (void)
{
  static const char block[] = "\x82\x7f\x00\x05value\x40\x03"
                              "abc\x03"
                              "def\x7e\x03ghi\x0f\x31\x03xyz";
  g_autoptr (GByteArray) client = g_byte_array_new ();
  g_autofree guint8 *masked = NULL;

  ADD_FRAME (client,
             "\1\4\0\0\0\5",
             "\x82\x7f\x00\x05value\x40\x03"
             "abc\x03"
             "def\x7e\x03ghi\x0f\x31\x03xyz");
  ADD_FRAME (client, "\0\1\0\0\0\5", "plain");
  masked = ns_secrets_dup_masked (NULL, client->data, client->len);
  g_assert_nonnull (masked);
  g_assert_cmpmem (masked + 9,
                   sizeof block - 1,
                   "\x82\x7f\x00\x05*****\x40\x03"
                   "abc\x03"
                   "def\x7e\x03ghi\x0f\x31\x03***",
                   sizeof block - 1);
  g_assert_cmpmem (masked + 9 + sizeof block - 1 + 9, 5, "plain", 5);
  assert_damaged (client);
}

/* The capture begins in the middle of a frame. Headers without their beginning cannot be decoded; a
 * part of a body can. */
static void
test_http2_from_the_middle_of_a_frame (void)
{
  static const char *const pieces[] = { "\x8f\x01secret", "a=b text" };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (pieces); i++)
    {
      g_autoptr (GByteArray) client = g_byte_array_new ();
      g_autofree guint8 *masked = NULL;

      add (client, pieces[i], 8);
      ADD_FRAME (client,
                 "\1\4\0\0\0\5",
                 "\x82\x10\x06"
                 "cookie\x03"
                 "a=b");
      ADD_FRAME (client, "\0\0\0\0\0\5", "plain");
      ADD_FRAME (client, "\0\1\0\0\0\5", "plain");
      masked = ns_secrets_dup_masked (NULL, client->data, client->len);
      g_assert_nonnull (masked);
      g_assert_cmpmem (masked, 8, i == 0 ? "********" : pieces[i], 8);
      g_assert_cmpmem (masked + 8 + 9,
                       13,
                       "\x82\x10\x06"
                       "cookie\x03"
                       "***",
                       13);
      assert_damaged (client);
    }
}

/* WebSocket frames are masked with a key; one message is in two frames with another message between
 * them. */
static void
test_messages_of_websocket (void)
{
  static const char message[] = "{\"password\":\"secret\",\"a\":1}";
  static const char key[] = "\x11\x22\x33\x44";
  g_autoptr (GByteArray) client = g_byte_array_new ();
  g_autofree guint8 *masked = NULL;
  guint begin;
  guint i;

  ADD (client, "GET /a HTTP/1.1\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x\r\n\r\n");
  ADD (client, "\x01\x90\x11\x22\x33\x44");
  begin = client->len;
  for (i = 0; i < 16; i++)
    g_byte_array_append (client, (guint8[]){ (guint8) (message[i] ^ key[i % 4]) }, 1);
  ADD (client, "\x89\x80\x11\x22\x33\x44\x80\x8b\x11\x22\x33\x44");
  for (i = 0; i < sizeof message - 1 - 16; i++)
    g_byte_array_append (client, (guint8[]){ (guint8) (message[16 + i] ^ key[i % 4]) }, 1);
  client->data[begin + 16 + 7] = (guint8) (0x80 | (sizeof message - 1 - 16));
  masked = ns_secrets_dup_masked (NULL, client->data, client->len);
  g_assert_nonnull (masked);
  for (i = 0; i < client->len; i++)
    {
      gboolean is_secret =
          (i >= begin + 13 && i < begin + 16) || (i >= begin + 28 && i < begin + 31);

      g_assert_cmpint (masked[i], ==, is_secret ? '*' : client->data[i]);
    }
  assert_damaged (client);
}

/* Decompressing a message depends on earlier messages, so compressed messages are masked
 * completely. Uncompressed ones are searched. */
static void
test_packed_messages_of_websocket (void)
{
  static const struct
  {
    const char *head;
    const char *frames;
    const char *masked;
    gsize size;
  } sides[] = {
    { "GET /a HTTP/1.1\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x\r\n\r\n",
      "\x41\x82KEY!ab\x80\x81KEY!c\xc1\x82KEY!de\x81\x80KEY!",
      "\x41\x82KEY!**\x80\x81KEY!*\xc1\x82KEY!**\x81\x80KEY!",
      29 },
    { "HTTP/1.1 101 x\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: x\r\n\r\n",
      "\x81\x01"
      "a\xc1\x02"
      "bc\x42\x01"
      "d\x89\x01p\x80\x01"
      "e\x81\x01"
      "f",
      "\x81\x01"
      "a\xc1\x02"
      "**\x42\x01"
      "*\x89\x01p\x80\x01"
      "*\x81\x01"
      "f",
      19 },
    /* The capture lacks the beginning of the connection. */
    { "",
      "\xc1\x02"
      "bc\xc1\x01"
      "d",
      "\xc1\x02"
      "**\xc1\x01"
      "*",
      7 },
    { "", "\xc1\x82KEY!ab\xc1\x81KEY!c", "\xc1\x82KEY!**\xc1\x81KEY!*", 15 },
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (sides); i++)
    {
      gsize n = strlen (sides[i].head);
      g_autoptr (GByteArray) stream = g_byte_array_new ();
      g_autofree guint8 *masked = NULL;

      add (stream, sides[i].head, n);
      add (stream, sides[i].frames, sides[i].size);
      masked = ns_secrets_dup_masked (NULL, stream->data, stream->len);
      g_assert_nonnull (masked);
      g_assert_cmpmem (masked, n, sides[i].head, n);
      g_assert_cmpmem (masked + n, stream->len - n, sides[i].masked, sides[i].size);
      assert_damaged (stream);
    }
}

/* Terminal input is masked, except for the negotiation of options. */
static void
test_what_is_typed (void)
{
  guint8 keys[] = "\xff\xfb\x1fpw\xff\xfa\x1f"
                  "a\xff\xf0\xff\xfd\x01\r";

  ns_secrets_mask_typed (NULL, keys, sizeof keys - 1);
  g_assert_cmpmem (keys, sizeof keys - 1, "\xff\xfb\x1f********\xff\xfd\x01*", 15);
}

/* Input of nested, unterminated items must be scanned in linear time; quadratic time exceeds the
 * test timeout. */
static void
test_each_byte_is_looked_at_once (void)
{
  static const char *const begins[] = {
    "\x30", "", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "", "", ""
  };
  static const struct
  {
    const char *text;
    gsize size;
  } parts[] = {
    { "\x04\x0cuserPassword\x31\x84", 16 },
    { "\xa0\x03\x02\x01\x17", 5 },
    { "\0\0\x02\x01\x04\0\0\0\x01\x57\x00", 11 },
    { "\0\0\x02\x01\x04\0\0\0\x01\x40\x00\x00", 12 },
    { "\x01\x82\0\0\0\0ab", 8 },
    { "\n\nSec-WebSocket-Key:", 20 },
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      g_autoptr (GByteArray) bytes = g_byte_array_new ();

      add (bytes, begins[i], strlen (begins[i]));
      while (bytes->len < 1024 * 1024)
        add (bytes, parts[i].text, parts[i].size);
      ns_secrets_mask_bytes (NULL, bytes->data, bytes->len);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base/secrets-messages/mysql", test_mysql);
  g_test_add_func ("/base/secrets-messages/postgres", test_postgres_that_asks_for_tls);
  g_test_add_func ("/base/secrets-messages/ldap", test_ldap);
  g_test_add_func ("/base/secrets-messages/kerberos", test_kerberos);
  g_test_add_func ("/base/secrets-messages/brokers", test_brokers);
  g_test_add_func ("/base/secrets-messages/http2", test_headers_of_http2);
  g_test_add_func ("/base/secrets-messages/http2-packed", test_packed_headers_of_http2);
  g_test_add_func ("/base/secrets-messages/websocket", test_messages_of_websocket);
  g_test_add_func ("/base/secrets-messages/http2-middle", test_headers_of_http2_from_the_middle);
  g_test_add_func ("/base/secrets-messages/http2-piece", test_http2_from_the_middle_of_a_frame);
  g_test_add_func ("/base/secrets-messages/websocket-packed", test_packed_messages_of_websocket);
  g_test_add_func ("/base/secrets-messages/typed", test_what_is_typed);
  g_test_add_func ("/base/secrets-messages/linear", test_each_byte_is_looked_at_once);
  return g_test_run ();
}
