/* Finds secrets in logins of binary protocols: MySQL, LDAP, AMQP, Cassandra, and Kerberos data
 * encrypted with keys derived from passwords.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-secrets-private.h"

#include "base/ns-cursor.h"

#include <string.h>

/* MySQL: sizes of the packet header and of the fixed part of the handshake response, and flags. */
#define MYSQL_HEAD 4
#define MYSQL_FIXED 32
#define MYSQL_UNUSED 19
#define MYSQL_PROTOCOL_41 0x200
#define MYSQL_WITH_LENGTH 0x200000
#define MYSQL_SECURE 0x8000

/* Minimum size of encrypted data of Kerberos. */
#define MIN_CIPHER 16

#define CASSANDRA_HEAD 9
#define CASSANDRA_AUTH_RESPONSE 0x0f

static guint8
get (const NsSecretFinder *self, gsize at)
{
  return (guint8) ns_secret_finder_get (self, at);
}

static gsize
get_little_24 (const NsSecretFinder *self, gsize at)
{
  return get (self, at) | (gsize) get (self, at + 1) << 8 | (gsize) get (self, at + 2) << 16;
}

static gsize
get_big_32 (const NsSecretFinder *self, gsize at)
{
  return (gsize) get (self, at) << 24 | (gsize) get (self, at + 1) << 16 |
         (gsize) get (self, at + 2) << 8 | get (self, at + 3);
}

/* Returns whether there is a handshake response at @at (MySQL, Protocol::HandshakeResponse41):
 * flags, maximum size, character set, then zeros. */
static gboolean
is_mysql_answer (const NsSecretFinder *self, gsize at)
{
  gsize i;

  if (self->size - at < MYSQL_HEAD + MYSQL_FIXED + 2 || get (self, at + 3) == 0 ||
      get (self, at + 3) > 2 || get_little_24 (self, at) < MYSQL_FIXED + 2 ||
      (get (self, at + MYSQL_HEAD + 1) & (MYSQL_PROTOCOL_41 >> 8)) == 0)
    return FALSE;
  for (i = 0; i < MYSQL_UNUSED; i++)
    if (get (self, at + MYSQL_HEAD + 9 + i) != 0)
      return FALSE;
  return TRUE;
}

/**
 * ns_secrets_find_mysql:
 * @self: a finder without results
 *
 * Finds the responses of a client that logs in: hashes from which passwords can be guessed, or a
 * password in clear text.
 */
void
ns_secrets_find_mysql (NsSecretFinder *self)
{
  gsize at = 0;
  gsize flags;
  gsize end;
  gsize n;

  if (!is_mysql_answer (self, 0))
    return;
  flags = get_little_24 (self, MYSQL_HEAD);
  end = MIN (self->size, MYSQL_HEAD + get_little_24 (self, 0));
  at = MYSQL_HEAD + MYSQL_FIXED;
  while (at < end && self->text[at] != '\0')
    at++;
  at++;
  n = end > at ? end - at : 0;
  if ((flags & (MYSQL_WITH_LENGTH | MYSQL_SECURE)) != 0)
    n = get (self, at++);
  if (at < end)
    ns_secret_finder_add (self, at, MIN (end, at + n));
  /* Responses to further challenges of the server; a command starts again with sequence number
   * 0. */
  for (at = end; self->size - at > MYSQL_HEAD && get (self, at + 3) > 2; at = end)
    {
      end = at + MYSQL_HEAD + get_little_24 (self, at);
      ns_secret_finder_add (self, at + MYSQL_HEAD, end);
      if (end > self->size)
        return;
    }
}

/* Masks the new values of an attribute (RFC 4511, 4.6): a set of octet strings. */
static void
add_values (NsSecretFinder *self, gsize at)
{
  gsize length;

  if (get (self, at++) != 0x31 || !ns_secret_finder_read_length (self, &at, &length))
    return;
  ns_secret_finder_add (self, at, at + length);
}

/**
 * ns_secrets_find_ldap:
 * @self: a finder without results
 *
 * Finds passwords that are being set, and the credentials of SASL binds; simple binds are handled
 * by ns_secrets_find_simple_bind().
 */
void
ns_secrets_find_ldap (NsSecretFinder *self)
{
  static const char *const attributes[] = { "userPassword", "unicodePwd" };
  gsize at = 0;
  gsize length;
  guint i;

  if (get (self, 0) != 0x30)
    return;
  for (at = 0; at < self->size; at++)
    {
      const char *next = memchr (self->text + at, 4, self->size - at);
      gsize name;

      if (next == NULL)
        return;
      at = (gsize) (next - self->text);
      name = at + 2;
      for (i = 0; i < G_N_ELEMENTS (attributes); i++)
        if (get (self, at + 1) == strlen (attributes[i]) &&
            ns_secret_finder_begins_with (self, name, attributes[i]))
          add_values (self, name + strlen (attributes[i]));
      /* The mechanism of a SASL bind. */
      length = get (self, at + 1);
      if (at < 2 || length < 4 || length > 20 || get (self, name) < 'A' || get (self, name) > 'Z')
        continue;
      if (get (self, at - 2) != 0xa3 && (at < 3 || get (self, at - 3) != 0xa3) &&
          (at < 4 || get (self, at - 4) != 0xa3) && (at < 6 || get (self, at - 6) != 0xa3))
        continue;
      name += length;
      if (get (self, name++) != 4 || !ns_secret_finder_read_length (self, &name, &length))
        continue;
      ns_secret_finder_add (self, name, name + length);
    }
}

/* Enters the DER field at @at if it has that tag. */
static gboolean
enter (const NsSecretFinder *self, gsize *at, guint8 tag, gsize *length)
{
  if (*at >= self->size || get (self, *at) != tag)
    return FALSE;
  (*at)++;
  return ns_secret_finder_read_length (self, at, length);
}

/**
 * ns_secrets_find_kerberos:
 * @self: a finder without results
 *
 * Finds EncryptedData of Kerberos (RFC 4120, 5.2.9) in any protocol: encryption type, key version,
 * ciphertext. Passwords can be guessed from tickets and timestamps.
 */
void
ns_secrets_find_kerberos (NsSecretFinder *self)
{
  static const char kind[] = "\xa0\x03\x02\x01";
  gsize at = 0;

  while (at + MIN_CIPHER < self->size)
    {
      const char *next = memchr (self->text + at, 0xa0, self->size - at - MIN_CIPHER);
      gsize n_outer;
      gsize length;
      gsize begin;

      if (next == NULL)
        return;
      at = (gsize) (next - self->text);
      begin = at + 5;
      at++;
      if (memcmp (next, kind, sizeof kind - 1) != 0)
        continue;
      if (enter (self, &begin, 0xa1, &length))
        begin += length;
      if (begin >= self->size || !enter (self, &begin, 0xa2, &n_outer))
        continue;
      at = begin;
      if (!enter (self, &begin, 0x04, &length) || begin - at + length != n_outer ||
          length < MIN_CIPHER)
        continue;
      ns_secret_finder_add (self, begin, begin + length);
      at = MIN (self->size, begin + length);
    }
}

/* Masks a SASL PLAIN response (RFC 4616), `\0user\0password`, preceded by its length in four
 * bytes. */
static void
add_plain (NsSecretFinder *self, gsize at)
{
  gsize length = get_big_32 (self, at);

  ns_secret_finder_add (self, at + 4, at + 4 + MIN (length, self->size));
}

/**
 * ns_secrets_find_brokers:
 * @self: a finder without results
 *
 * Finds the responses of a client of AMQP 0-9-1 (Connection.StartOk: properties, mechanism,
 * response) or Cassandra (AUTH_RESPONSE).
 */
void
ns_secrets_find_brokers (NsSecretFinder *self)
{
  static const char method[] = "\0\x0a\0\x0b";
  gsize at = 8;
  gsize end;

  if (self->size > 19 && memcmp (self->text, "AMQP", 4) == 0 && get (self, at) == 1 &&
      memcmp (self->text + at + 7, method, sizeof method - 1) == 0)
    {
      at += 11;
      at += 4 + MIN (get_big_32 (self, at), self->size);
      at += 1 + get (self, at);
      if (at < self->size)
        add_plain (self, at);
      return;
    }
  /* Frames of a Cassandra client: version, flags, stream, opcode, length. */
  for (at = 0; self->size - at > CASSANDRA_HEAD && get (self, at) >= 3 && get (self, at) <= 5;
       at = end)
    {
      end = at + CASSANDRA_HEAD + get_big_32 (self, at + 5);
      if (get (self, at + 4) == CASSANDRA_AUTH_RESPONSE)
        add_plain (self, at + CASSANDRA_HEAD);
      else if (get (self, at + 4) > CASSANDRA_AUTH_RESPONSE + 1)
        return;
      if (end > self->size)
        return;
    }
}
