/* Reads the TLS handshake from the two streams of a connection (RFC 5246, RFC 8446).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "wire/ns-wire-handshake.h"

#include "wire/ns-wire-tls.h"

#define MAX_EXTENSIONS 64
#define RECORD_HEADER 5
#define MESSAGE_HEADER 4
#define RANDOM_SIZE 32
#define TLS_1_3 0x0304

enum
{
  RECORD_CHANGE_CIPHER = 20,
  RECORD_ALERT = 21,
  RECORD_HANDSHAKE = 22,
  RECORD_DATA = 23,
};

enum
{
  CLIENT_HELLO = 1,
  SERVER_HELLO = 2,
  CERTIFICATE = 11,
};

enum
{
  EXTENSION_SERVER_NAME = 0,
  EXTENSION_ALPN = 16,
  EXTENSION_PRE_SHARED_KEY = 41,
  EXTENSION_SUPPORTED_VERSIONS = 43,
};

/* Parser of one stream: its position in a record, and the handshake message being assembled. */
typedef struct
{
  guint8 header[RECORD_HEADER];
  guint n_header;
  gsize left; /* bytes of the record still to come */
  gsize n_alert;
  guint8 alert[2];
  GByteArray *message;
  gint64 begin_ns; /* time of the first byte of the message */
  guint64 begin_index;
  gboolean is_over;
  gboolean is_encrypted; /* its ChangeCipherSpec was seen, so its records are encrypted */
  gboolean has_finished;
} Stream;

struct _NsWireHandshake
{
  NsWireHandshakeFacts facts;
  Stream streams[2];
  guint8 session_id[32];
  gsize n_session_id;
  guint version;
  gint64 time_ns; /* time of the current segment */
  guint64 index;
};

/* Returns whether the value is a GREASE value (RFC 8701), which has two equal bytes, 0x0a to
 * 0xfa. */
static gboolean
is_grease (guint value)
{
  return (value & 0x0f0f) == 0x0a0a && value >> 8 == (value & 0xff);
}

static const char *
text_of_version (guint version)
{
  static const char *const names[] = { "SSL 3.0", "TLS 1.0", "TLS 1.1", "TLS 1.2", "TLS 1.3" };

  return version >> 8 == 3 && (version & 0xff) < G_N_ELEMENTS (names) ? names[version & 0xff]
                                                                      : NULL;
}

/**
 * ns_wire_alert_name:
 * @alert: number of an alert
 *
 * Returns: (transfer none) (nullable): its name (RFC 8446 B.2, with those of older versions)
 */
const char *
ns_wire_alert_name (guint alert)
{
  static const struct
  {
    guint8 alert;
    const char *name;
  } names[] = {
    { 10, "unexpected_message" },
    { 20, "bad_record_mac" },
    { 21, "decryption_failed" },
    { 22, "record_overflow" },
    { 30, "decompression_failure" },
    { 40, "handshake_failure" },
    { 41, "no_certificate" },
    { 42, "bad_certificate" },
    { 43, "unsupported_certificate" },
    { 44, "certificate_revoked" },
    { 45, "certificate_expired" },
    { 46, "certificate_unknown" },
    { 47, "illegal_parameter" },
    { 48, "unknown_ca" },
    { 49, "access_denied" },
    { 50, "decode_error" },
    { 51, "decrypt_error" },
    { 60, "export_restriction" },
    { 70, "protocol_version" },
    { 71, "insufficient_security" },
    { 80, "internal_error" },
    { 86, "inappropriate_fallback" },
    { 90, "user_canceled" },
    { 100, "no_renegotiation" },
    { 109, "missing_extension" },
    { 110, "unsupported_extension" },
    { 111, "certificate_unobtainable" },
    { 112, "unrecognized_name" },
    { 113, "bad_certificate_status_response" },
    { 114, "bad_certificate_hash_value" },
    { 115, "unknown_psk_identity" },
    { 116, "certificate_required" },
    { 120, "no_application_protocol" },
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (names); i++)
    if (names[i].alert == alert)
      return names[i].name;
  return NULL;
}

/* Copies an untrusted name; non-printable characters become `?`. */
static char *
dup_name (const guint8 *data, gsize size)
{
  char *name = g_strndup ((const char *) data, MIN (size, NS_TLS_MAX_NAME - 1));
  gsize i;

  for (i = 0; i < MIN (size, NS_TLS_MAX_NAME - 1); i++)
    if (!g_ascii_isgraph (data[i]))
      name[i] = '?';
  return name;
}

static void
read_server_name (NsWireHandshake *self, NsCursor *body)
{
  const guint8 *name;
  gsize length;

  ns_cursor_skip (body, 3); /* length of the list, type */
  length = ns_cursor_u16be (body);
  name = ns_cursor_take (body, length);
  if (name != NULL && length > 0)
    {
      g_free (self->facts.sni);
      self->facts.sni = dup_name (name, length);
    }
}

static void
read_names_offered (NsWireHandshake *self, NsCursor *body)
{
  ns_cursor_skip (body, 2);
  while (ns_cursor_left (body) > 0 && self->facts.alpn_offered->len < NS_WIRE_HANDSHAKE_MAX_OFFERED)
    {
      gsize length = ns_cursor_u8 (body);
      const guint8 *name = ns_cursor_take (body, length);
      gboolean grease = name != NULL && length == 2 && is_grease ((guint) (name[0] << 8 | name[1]));

      if (name != NULL && length > 0 && !grease)
        g_ptr_array_add (self->facts.alpn_offered, dup_name (name, length));
    }
}

static void
add_version (NsWireHandshake *self, guint version)
{
  const char *text = text_of_version (version);

  if (!is_grease (version))
    g_ptr_array_add (self->facts.offered,
                     text != NULL ? g_strdup (text) : g_strdup_printf ("0x%04x", version));
}

static void
read_versions_offered (NsWireHandshake *self, NsCursor *body)
{
  g_ptr_array_set_size (self->facts.offered, 0);
  ns_cursor_skip (body, 1);
  while (ns_cursor_left (body) >= 2 && self->facts.offered->len < NS_WIRE_HANDSHAKE_MAX_OFFERED)
    add_version (self, ns_cursor_u16be (body));
}

/* Reads the next complete extension. */
static gboolean
next_extension (NsCursor *cursor, guint *type, NsCursor *body)
{
  *type = ns_cursor_u16be (cursor);
  return ns_cursor_sub (cursor, ns_cursor_u16be (cursor), body);
}

/* Reads a Client Hello. After a Hello Retry Request the second one replaces the first. */
static void
read_client_hello (NsWireHandshake *self, NsCursor *cursor, const Stream *stream, gboolean is_whole)
{
  NsWireHandshakeFacts *facts = &self->facts;
  guint version = ns_cursor_u16be (cursor);
  const guint8 *id;
  NsCursor body;
  guint type;
  guint i;

  if (facts->has_hello && (!facts->is_retried || self->version != 0))
    return;
  if (!facts->has_hello)
    {
      facts->begin_ns = stream->begin_ns;
      facts->begin_index = stream->begin_index;
    }
  facts->has_hello = TRUE;
  ns_cursor_skip (cursor, RANDOM_SIZE);
  self->n_session_id = ns_cursor_u8 (cursor);
  id = ns_cursor_take (cursor, self->n_session_id);
  if (id == NULL || self->n_session_id > sizeof self->session_id)
    self->n_session_id = 0;
  else
    memcpy (self->session_id, id, self->n_session_id);
  ns_cursor_skip (cursor, ns_cursor_u16be (cursor)); /* cipher suites */
  ns_cursor_skip (cursor, ns_cursor_u8 (cursor));    /* compression */
  g_clear_pointer (&facts->sni, g_free);
  g_clear_pointer (&facts->alpn_offered, g_ptr_array_unref);
  g_clear_pointer (&facts->offered, g_ptr_array_unref);
  if (!ns_cursor_ok (cursor))
    return;
  facts->alpn_offered = g_ptr_array_new_with_free_func (g_free);
  facts->offered = g_ptr_array_new_with_free_func (g_free);
  add_version (self, version);
  /* Old clients send no extensions. */
  ns_cursor_skip (cursor, ns_cursor_left (cursor) > 0 ? 2 : 0);
  for (i = 0; i < MAX_EXTENSIONS && ns_cursor_left (cursor) > 0; i++)
    {
      if (!next_extension (cursor, &type, &body))
        break;
      if (type == EXTENSION_SERVER_NAME)
        read_server_name (self, &body);
      else if (type == EXTENSION_ALPN)
        read_names_offered (self, &body);
      else if (type == EXTENSION_SUPPORTED_VERSIONS)
        read_versions_offered (self, &body);
      if (type == EXTENSION_SUPPORTED_VERSIONS)
        version = 0;
    }
  /* What a truncated message offers is incomplete: an empty list means unknown. */
  if (!is_whole && facts->alpn_offered->len == 0)
    g_clear_pointer (&facts->alpn_offered, g_ptr_array_unref);
  if (!is_whole && version != 0)
    g_clear_pointer (&facts->offered, g_ptr_array_unref);
}

static void
read_chosen_name (NsWireHandshake *self, NsCursor *body)
{
  const guint8 *name;
  gsize length;

  ns_cursor_skip (body, 2);
  length = ns_cursor_u8 (body);
  name = ns_cursor_take (body, length);
  if (name != NULL && self->facts.alpn == NULL)
    self->facts.alpn = dup_name (name, length);
}

static void
read_server_hello (NsWireHandshake *self, NsCursor *cursor, gboolean is_whole)
{
  /* Random value that marks a Hello Retry Request (RFC 8446 4.1.3). */
  static const guint8 retry[RANDOM_SIZE] = {
    0xcf, 0x21, 0xad, 0x74, 0xe5, 0x9a, 0x61, 0x11, 0xbe, 0x1d, 0x8c, 0x02, 0x1e, 0x65, 0xb8, 0x91,
    0xc2, 0xa2, 0x11, 0x16, 0x7a, 0xbb, 0x8c, 0x5e, 0x07, 0x9e, 0x09, 0xe2, 0xc8, 0xa8, 0x33, 0x9c,
  };
  NsWireHandshakeFacts *facts = &self->facts;
  guint version = ns_cursor_u16be (cursor);
  const guint8 *random = ns_cursor_take (cursor, RANDOM_SIZE);
  gsize n_id = ns_cursor_u8 (cursor);
  const guint8 *id = ns_cursor_take (cursor, n_id);
  guint cipher = ns_cursor_u16be (cursor);
  gboolean has_key = FALSE;
  const char *name;
  NsCursor body;
  guint type;
  guint i;

  ns_cursor_skip (cursor, 1);
  if (!ns_cursor_ok (cursor) || self->version != 0)
    return;
  if (memcmp (random, retry, sizeof retry) == 0)
    {
      facts->is_retried = TRUE;
      return;
    }
  if (!is_whole)
    return; /* The supported_versions extension may be in the missing part. */
  ns_cursor_skip (cursor, ns_cursor_left (cursor) > 0 ? 2 : 0);
  for (i = 0; i < MAX_EXTENSIONS && ns_cursor_left (cursor) > 0; i++)
    {
      if (!next_extension (cursor, &type, &body))
        break;
      if (type == EXTENSION_SUPPORTED_VERSIONS)
        version = ns_cursor_u16be (&body);
      else if (type == EXTENSION_PRE_SHARED_KEY)
        has_key = TRUE;
      else if (type == EXTENSION_ALPN)
        read_chosen_name (self, &body);
    }
  self->version = version;
  facts->version = text_of_version (version);
  name = ns_wire_cipher_name (cipher);
  facts->cipher = name != NULL ? g_strdup (name) : g_strdup_printf ("0x%04x", cipher);
  if (version >= TLS_1_3)
    facts->resumed = has_key;
  else if (n_id > 0 && n_id == self->n_session_id && memcmp (id, self->session_id, n_id) == 0)
    facts->resumed = 1;
}

static void
read_certificate (NsWireHandshake *self, NsCursor *cursor)
{
  const guint8 *der;
  gsize size;

  if (self->facts.certificate.expires != NULL || self->facts.certificate.subject != NULL)
    return;
  if (self->version != 0 && self->facts.resumed < 0)
    self->facts.resumed = 0;
  ns_cursor_skip (cursor, 3); /* length of the list */
  size = (gsize) ns_cursor_u8 (cursor) << 16;
  size |= ns_cursor_u16be (cursor);
  der = ns_cursor_take (cursor, size);
  if (der != NULL && !ns_wire_x509_parse (&self->facts.certificate, der, size))
    ns_wire_x509_clear (&self->facts.certificate);
}

/* Reads a handshake message, possibly truncated. */
static void
read_message (NsWireHandshake *self, NsWireSide side, const guint8 *data, gsize size)
{
  gsize length = (gsize) data[1] << 16 | (gsize) data[2] << 8 | data[3];
  gboolean is_whole = size - MESSAGE_HEADER == length;
  NsCursor cursor;

  ns_cursor_init (&cursor, data, size);
  ns_cursor_skip (&cursor, MESSAGE_HEADER);
  if (data[0] == CLIENT_HELLO && side == NS_WIRE_CLIENT)
    read_client_hello (self, &cursor, &self->streams[side], is_whole);
  else if (data[0] == SERVER_HELLO && side == NS_WIRE_SERVER)
    read_server_hello (self, &cursor, is_whole);
  else if (data[0] == CERTIFICATE && side == NS_WIRE_SERVER)
    read_certificate (self, &cursor);
}

/* Reassembles handshake messages from records; each byte is copied once and moved at most once a
 * message. */
static void
read_handshake (NsWireHandshake *self, NsWireSide side, const guint8 *data, gsize size)
{
  Stream *stream = &self->streams[side];

  while (size > 0 && !stream->is_over)
    {
      GByteArray *message = stream->message;
      gsize wanted = MESSAGE_HEADER;
      gsize taken;

      if (message->len >= MESSAGE_HEADER)
        wanted += (gsize) message->data[1] << 16 | (gsize) message->data[2] << 8 | message->data[3];
      if (wanted > NS_WIRE_HANDSHAKE_MAX_MESSAGE)
        {
          stream->is_over = TRUE;
          return;
        }
      taken = MIN (size, wanted - message->len);
      g_byte_array_append (message, data, (guint) taken);
      data += taken;
      size -= taken;
      if (message->len < MESSAGE_HEADER || message->len < wanted)
        continue;
      if (wanted == MESSAGE_HEADER && (message->data[1] | message->data[2] | message->data[3]) != 0)
        continue; /* Only the length is known yet. */
      read_message (self, side, message->data, message->len);
      g_byte_array_set_size (message, 0);
      stream->begin_ns = self->time_ns;
      stream->begin_index = self->index;
    }
}

static void
end_handshake (NsWireHandshake *self)
{
  if (self->facts.end_ns >= 0 || self->facts.begin_ns < 0)
    return;
  self->facts.end_ns = self->time_ns;
  self->facts.end_index = self->index;
}

/* Ends a record: notes a fatal alert, and ends the handshake at Finished. Up to TLS 1.2 that is the
 * record after ChangeCipherSpec. TLS 1.3 encrypts Finished as application data; the client's is the
 * last message. */
static void
end_record (NsWireHandshake *self, NsWireSide side)
{
  Stream *stream = &self->streams[side];
  guint8 type = stream->header[0];

  if (type == RECORD_ALERT && stream->n_alert == 2 && stream->alert[0] == 2 &&
      stream->alert[1] != 0 && !stream->is_encrypted && self->facts.alert == NULL)
    {
      self->facts.alert = ns_wire_alert_name (stream->alert[1]);
      self->facts.alert_number = stream->alert[1];
      self->facts.alert_side = side;
    }
  if (self->version >= TLS_1_3)
    {
      if (type == RECORD_DATA && side == NS_WIRE_CLIENT)
        end_handshake (self);
      return;
    }
  /* TLS 1.3 may send dummy ChangeCipherSpec records before the Server Hello (RFC 8446 D.4). */
  if (type == RECORD_CHANGE_CIPHER && self->version != 0)
    {
      stream->is_encrypted = TRUE;
      if (side == NS_WIRE_SERVER && self->facts.resumed < 0)
        self->facts.resumed = 1;
    }
  else if (type == RECORD_HANDSHAKE && stream->is_encrypted && self->version != 0)
    {
      stream->has_finished = TRUE;
      if (self->streams[NS_WIRE_CLIENT].has_finished && self->streams[NS_WIRE_SERVER].has_finished)
        end_handshake (self);
    }
}

/* Returns whether the five bytes are a valid record header. */
static gboolean
begin_record (NsWireHandshake *self, Stream *stream)
{
  stream->left = (gsize) stream->header[3] << 8 | stream->header[4];
  stream->n_alert = 0;
  if (!ns_wire_tls_is_record (stream->header, RECORD_HEADER) ||
      stream->left > NS_WIRE_HANDSHAKE_MAX_RECORD)
    return FALSE;
  self->facts.is_tls = TRUE;
  if (stream->header[0] == RECORD_ALERT)
    stream->n_alert = stream->left == 2 ? 0 : 3;
  return TRUE;
}

static void
read_content (NsWireHandshake *self, NsWireSide side, const guint8 *data, gsize size)
{
  Stream *stream = &self->streams[side];
  gsize i;

  if (stream->header[0] == RECORD_HANDSHAKE && !stream->is_encrypted)
    read_handshake (self, side, data, size);
  else if (stream->header[0] == RECORD_ALERT)
    for (i = 0; i < size && stream->n_alert < 2; i++)
      stream->alert[stream->n_alert++] = data[i];
}

/**
 * ns_wire_handshake_new:
 *
 * Returns: (transfer full): a reader for one connection, before its first byte
 */
NsWireHandshake *
ns_wire_handshake_new (void)
{
  NsWireHandshake *self = g_new0 (NsWireHandshake, 1);

  self->streams[NS_WIRE_CLIENT].message = g_byte_array_new ();
  self->streams[NS_WIRE_SERVER].message = g_byte_array_new ();
  self->facts.resumed = -1;
  self->facts.begin_ns = -1;
  self->facts.end_ns = -1;
  return self;
}

/**
 * ns_wire_handshake_free:
 * @self: (transfer full): a reader
 *
 * Frees the reader and all strings of its facts.
 */
void
ns_wire_handshake_free (NsWireHandshake *self)
{
  g_byte_array_unref (self->streams[NS_WIRE_CLIENT].message);
  g_byte_array_unref (self->streams[NS_WIRE_SERVER].message);
  g_clear_pointer (&self->facts.alpn_offered, g_ptr_array_unref);
  g_clear_pointer (&self->facts.offered, g_ptr_array_unref);
  g_free (self->facts.sni);
  g_free (self->facts.cipher);
  g_free (self->facts.alpn);
  ns_wire_x509_clear (&self->facts.certificate);
  g_free (self);
}

/**
 * ns_wire_handshake_feed:
 * @self: a reader
 * @side: sender of the bytes
 * @data: (array length=size): the next bytes of that stream, in order, untrusted
 * @size: number of bytes
 * @time_ns: time of the segment that carried them
 * @index: index of that segment, as the caller counts
 *
 * Reads the next bytes. Segments of both sides must be fed in the order of their arrival.
 *
 * Returns: whether further bytes of that stream are of use
 */
gboolean
ns_wire_handshake_feed (NsWireHandshake *self,
                        NsWireSide side,
                        const guint8 *data,
                        gsize size,
                        gint64 time_ns,
                        guint64 index)
{
  Stream *stream = &self->streams[side];
  gsize taken;

  self->time_ns = time_ns;
  self->index = index;
  while (size > 0 && !stream->is_over && self->facts.end_ns < 0)
    {
      if (stream->n_header < RECORD_HEADER)
        {
          if (stream->n_header == 0 && stream->message->len == 0)
            {
              stream->begin_ns = time_ns;
              stream->begin_index = index;
            }
          stream->header[stream->n_header++] = *data++;
          size--;
          if (stream->n_header == RECORD_HEADER && !begin_record (self, stream))
            stream->is_over = TRUE;
        }
      taken = MIN (size, stream->left);
      if (stream->n_header < RECORD_HEADER || stream->is_over)
        continue;
      read_content (self, side, data, taken);
      data += taken;
      size -= taken;
      stream->left -= taken;
      if (stream->left == 0)
        {
          end_record (self, side);
          stream->n_header = 0;
        }
    }
  return !stream->is_over && self->facts.end_ns < 0;
}

/**
 * ns_wire_handshake_end:
 * @self: a reader
 * @side: sender whose stream ends or has a gap
 *
 * Ends one stream. The complete fields of a truncated message are used.
 */
void
ns_wire_handshake_end (NsWireHandshake *self, NsWireSide side)
{
  Stream *stream = &self->streams[side];

  if (!stream->is_over && stream->message->len > MESSAGE_HEADER)
    read_message (self, side, stream->message->data, stream->message->len);
  stream->is_over = TRUE;
}

/**
 * ns_wire_handshake_get_facts:
 * @self: a reader
 *
 * Returns: (transfer none): what was read so far; valid until the next call to
 *   ns_wire_handshake_feed()
 */
const NsWireHandshakeFacts *
ns_wire_handshake_get_facts (const NsWireHandshake *self)
{
  return &self->facts;
}
