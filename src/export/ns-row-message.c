/* Builds messages from the bytes of a row: joins, parses and decodes them.
 *
 * Packets of one direction are reassembled; records are joined in order. A body that WinHTTP logs
 * without headers belongs to the headers that it logged before.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "export/ns-row-message.h"

#include "base/ns-secrets.h"
#include "engine/net/ns-stream-mask.h"
#include "export/ns-row-cookies.h"
#include "wire/ns-wire-charset.h"
#include "wire/ns-wire-dns.h"
#include "wire/ns-wire-message.h"
#include "wire/ns-wire-stream.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Parts of one direction. */
typedef struct
{
  GArray *pieces; /* NsWirePiece */
  GArray *parts;  /* guint, one per piece: index of its part */
  GPtrArray *runs;
} Stream;

typedef struct
{
  NsRowContent *content;
  const Stream *stream;
  guint run;
  gsize left; /* remaining limit for decoded bytes */
} Maker;

static void
stream_free (gpointer data)
{
  Stream *stream = data;

  g_array_unref (stream->pieces);
  g_array_unref (stream->parts);
  g_clear_pointer (&stream->runs, g_ptr_array_unref);
  g_free (stream);
}

static const NsContentPart *
get_part (const NsRowContent *content, const Stream *stream, guint piece)
{
  return &g_array_index (content->parts,
                         NsContentPart,
                         g_array_index (stream->parts, guint, piece));
}

static Stream *
get_stream (GPtrArray *streams, guint number)
{
  Stream *stream;

  while (streams->len <= number)
    {
      stream = g_new0 (Stream, 1);
      stream->pieces = g_array_new (FALSE, TRUE, sizeof (NsWirePiece));
      stream->parts = g_array_new (FALSE, FALSE, sizeof (guint));
      g_ptr_array_add (streams, stream);
    }
  return g_ptr_array_index (streams, number);
}

/* Joins the bytes of the row by direction. */
static GPtrArray *
join_parts (const NsRowContent *content)
{
  GPtrArray *streams = g_ptr_array_new_with_free_func (stream_free);
  guint i;

  for (i = 0; i < content->parts->len; i++)
    {
      const NsContentPart *part = &g_array_index (content->parts, NsContentPart, i);
      NsWirePiece piece = { .data = part->data, .size = part->n_bytes, .seq = part->seq };
      Stream *stream;

      if (ns_row_content_is_text (part))
        continue;
      stream = get_stream (streams, part->stream);
      g_array_append_val (stream->pieces, piece);
      g_array_append_val (stream->parts, i);
    }
  for (i = 0; i < streams->len; i++)
    {
      Stream *stream = g_ptr_array_index (streams, i);

      if (stream->pieces->len > 0)
        stream->runs = ns_wire_stream_join ((NsWirePiece *) (gpointer) stream->pieces->data,
                                            stream->pieces->len,
                                            get_part (content, stream, 0)->has_seq);
    }
  return streams;
}

/* Returns the part that contains a byte of a run. */
static const NsContentPart *
find_part (const Maker *self, gsize at)
{
  guint i;

  for (i = 0; i < self->stream->pieces->len; i++)
    {
      const NsWirePiece *piece = &g_array_index (self->stream->pieces, NsWirePiece, i);

      if (piece->run == self->run && piece->at <= at && at < piece->at + piece->size)
        return get_part (self->content, self->stream, i);
    }
  return get_part (self->content, self->stream, 0);
}

/* Returns the last headers of the direction in an earlier record. */
static const NsContentPart *
find_headers (const NsRowContent *content, const NsContentPart *part)
{
  NsContentKind kind = part->kind == NS_CONTENT_RECEIVED ? NS_CONTENT_RESPONSE : NS_CONTENT_REQUEST;
  const NsContentPart *found = NULL;
  guint i;

  for (i = 0; i < content->parts->len; i++)
    {
      const NsContentPart *other = &g_array_index (content->parts, NsContentPart, i);

      if (other->kind == kind && other->table == NS_TABLE_EVENTS &&
          other->time_ns <= part->time_ns && part->table == NS_TABLE_EVENTS)
        found = other;
    }
  return found;
}

/* Returns the description of a DNS packet; HTTP is parsed from its bytes. */
static const NsContentPart *
find_words (const NsRowContent *content, const NsContentPart *part)
{
  guint i;

  for (i = 0; i < content->parts->len && part->table == NS_TABLE_PACKETS; i++)
    {
      const NsContentPart *other = &g_array_index (content->parts, NsContentPart, i);

      if (other->table == part->table && other->row == part->row &&
          ns_row_content_is_text (other) &&
          g_str_has_prefix ((const char *) other->data, NS_WIRE_DNS_WORD))
        return other;
    }
  return NULL;
}

static char *
dup_masked (const NsSecrets *secrets, const char *text)
{
  g_autoptr (GString) masked = g_string_new (text);

  ns_secrets_mask_tail (secrets, masked, 0);
  return g_string_free (g_steal_pointer (&masked), FALSE);
}

static char *
dup_head (const NsSecrets *secrets, const guint8 *data, gsize size)
{
  g_autofree char *valid = g_utf8_make_valid ((const char *) data, (gssize) size);

  return dup_masked (secrets, g_strchomp (valid));
}

/* Decodes the text and masks its secrets, some of which are only visible after decoding. */
static void
find_text (const NsSecrets *secrets, NsContentMessage *message, const char *content_type)
{
  g_autofree char *text = ns_wire_charset_to_text (message->body->data,
                                                   message->body->len,
                                                   content_type,
                                                   &message->charset);

  if (text != NULL)
    message->text = dup_masked (secrets, text);
  ns_secrets_mask_bytes (secrets, message->body->data, message->body->len);
}

/* Decodes the body; @head %NULL: its headers are unknown. */
static void
decode (Maker *self, NsContentMessage *message, const char *head, gsize n_head)
{
  g_autofree char *type =
      head != NULL ? ns_wire_message_dup_field (head, n_head, "Content-Type") : NULL;
  gsize max_bytes = MIN (self->left, NS_WIRE_CODING_MAX_BYTES);
  g_autoptr (GBytes) coded = g_bytes_new (message->body->data, message->body->len);

  if (head != NULL)
    message->codings = ns_wire_message_dup_codings (head, n_head);
  else
    message->codings = g_strdup (ns_wire_coding_guess (message->body->data, message->body->len));
  if (message->body->len > 0)
    message->end = ns_wire_coding_undo (message->body, message->codings, max_bytes);
  /* Compressed data shows by itself whether it is complete. */
  message->is_whole |= message->codings != NULL && message->end == NS_WIRE_CODING_WHOLE;
  /* If nothing could be decoded, the raw bytes are displayed. */
  if (message->end == NS_WIRE_CODING_BROKEN && message->body->len == 0)
    g_byte_array_append (message->body,
                         g_bytes_get_data (coded, NULL),
                         (guint) g_bytes_get_size (coded));
  if (message->body->len > max_bytes)
    {
      g_byte_array_set_size (message->body, (guint) max_bytes);
      message->end = NS_WIRE_CODING_TOO_LARGE;
    }
  self->left -= message->body->len;
  /* The receiver may be able to decode the data, so secrets in it are masked. */
  ns_stream_mask_packed (self->content->secrets, message->body->data, message->body->len);
  find_text (self->content->secrets, message, type);
}

static NsContentMessage
begin_message (const Maker *self, gsize at)
{
  const NsContentPart *part = find_part (self, at);

  return (NsContentMessage){ .kind = part->kind,
                             .time_ns = part->time_ns,
                             .name = g_strdup (part->name),
                             .body = g_byte_array_new () };
}

static void
add_http (Maker *self, const GByteArray *run, const NsWireMessage *place)
{
  NsContentMessage message = begin_message (self, place->head);
  const char *head = (const char *) run->data + place->head;
  gsize n_head = place->body - place->head;

  message.head = dup_head (self->content->secrets, run->data + place->head, n_head);
  message.cookies = ns_row_cookies_dup_names (run->data + place->head, n_head, FALSE);
  message.n_coded = place->end - place->body;
  message.is_whole = place->is_whole;
  g_byte_array_append (message.body, run->data + place->body, (guint) message.n_coded);
  decode (self, &message, head, n_head);
  g_array_append_val (self->content->messages, message);
}

/* Adds bytes that are not a message, or a body without headers. */
static void
add_bytes (Maker *self, const GByteArray *run, gsize at)
{
  NsContentMessage message = begin_message (self, at);
  const NsContentPart *headers = find_headers (self->content, find_part (self, at));
  const NsContentPart *words = find_words (self->content, find_part (self, at));

  if (words != NULL)
    message.head = dup_head (self->content->secrets, words->data, words->n_bytes);
  message.n_coded = run->len - at;
  message.is_whole = TRUE;
  g_byte_array_append (message.body, run->data + at, (guint) message.n_coded);
  decode (self,
          &message,
          headers != NULL ? (const char *) headers->data : NULL,
          headers != NULL ? headers->n_bytes : 0);
  g_array_append_val (self->content->messages, message);
}

static void
take_apart (Maker *self, const GByteArray *run)
{
  NsWireMessage place;
  gsize at = 0;

  while (at < run->len && self->left > 0)
    {
      if (self->content->messages->len == NS_ROW_CONTENT_MAX_PARTS)
        break;
      if (!ns_wire_message_find (&place, run->data, run->len, at))
        {
          add_bytes (self, run, at);
          return;
        }
      add_http (self, run, &place);
      at = place.end;
    }
  self->content->is_cut |= at < run->len;
}

static int
compare_messages (gconstpointer a, gconstpointer b)
{
  const NsContentMessage *one = a;
  const NsContentMessage *other = b;

  return (one->time_ns > other->time_ns) - (one->time_ns < other->time_ns);
}

/**
 * ns_row_message_clear:
 * @message: a message, whose fields are freed
 */
void
ns_row_message_clear (gpointer message)
{
  NsContentMessage *self = message;

  g_free (self->name);
  g_free (self->head);
  g_free (self->cookies);
  g_free (self->codings);
  g_free (self->charset);
  g_free (self->text);
  g_byte_array_unref (self->body);
}

/**
 * ns_row_message_dup_note:
 * @self: a message
 *
 * Returns: (transfer full) (nullable): a text about missing or malformed data
 */
char *
ns_row_message_dup_note (const NsContentMessage *self)
{
  switch (self->end)
    {
    case NS_WIRE_CODING_CUT:
      return g_strdup (
          _ ("The trace does not contain the whole message: this is the decoded part."));
    case NS_WIRE_CODING_BROKEN:
      return g_strdup (_ ("Its encoding is damaged: this is the decoded part."));
    case NS_WIRE_CODING_TOO_LARGE:
      return g_strdup (_ ("The message continues: the rest is not decoded."));
    case NS_WIRE_CODING_UNKNOWN:
      /* Translators: names of codings of HTTP, such as “gzip”. */
      return g_strdup_printf (_ ("Not all of its codings are known: %s."), self->codings);
    case NS_WIRE_CODING_WHOLE:
    default:
      return self->is_whole ? NULL : g_strdup (_ ("The trace may not contain the whole message."));
    }
}

/**
 * ns_row_message_find_all:
 * @content: contents of a row, whose parts must not be masked yet
 * @max_decoded: maximum size of all decoded bodies together, in bytes
 *
 * Makes messages from the parts, with secrets masked.
 */
void
ns_row_message_find_all (NsRowContent *content, gsize max_decoded)
{
  g_autoptr (GPtrArray) streams = join_parts (content);
  Maker maker = { .content = content, .left = max_decoded };
  guint i;

  for (i = 0; i < streams->len; i++)
    {
      maker.stream = g_ptr_array_index (streams, i);
      for (maker.run = 0; maker.stream->runs != NULL && maker.run < maker.stream->runs->len;
           maker.run++)
        take_apart (&maker, g_ptr_array_index (maker.stream->runs, maker.run));
    }
  g_array_sort (content->messages, compare_messages);
}

/* Masks the bytes of a part that are masked in the joined run; retransmitted bytes may differ. */
static void
mask_part (const Stream *stream, const NsWirePiece *piece, const NsContentPart *part)
{
  const GByteArray *run = g_ptr_array_index (stream->runs, piece->run);
  gsize i;

  for (i = 0; i < piece->size; i++)
    if (run->data[piece->at + i] == NS_SECRETS_BYTE)
      part->data[i] = NS_SECRETS_BYTE;
}

/**
 * ns_row_message_mask_parts:
 * @content: contents of a row
 *
 * Masks secrets in the parts, including those that span several parts.
 */
void
ns_row_message_mask_parts (NsRowContent *content)
{
  g_autoptr (GPtrArray) streams = NULL;
  guint i;
  guint j;

  if (ns_secrets_are_shown (content->secrets))
    return;
  streams = join_parts (content);
  for (i = 0; i < streams->len; i++)
    {
      const Stream *stream = g_ptr_array_index (streams, i);

      for (j = 0; stream->runs != NULL && j < stream->runs->len; j++)
        {
          GByteArray *run = g_ptr_array_index (stream->runs, j);

          ns_stream_mask_packed (content->secrets, run->data, run->len);
          ns_secrets_mask_bytes (content->secrets, run->data, run->len);
        }
      for (j = 0; j < stream->pieces->len; j++)
        mask_part (stream,
                   &g_array_index (stream->pieces, NsWirePiece, j),
                   get_part (content, stream, j));
    }
}

/**
 * ns_row_content_is_text:
 * @part: a part
 *
 * Returns: whether it has headers, as opposed to bytes
 */
gboolean
ns_row_content_is_text (const NsContentPart *part)
{
  return part->kind == NS_CONTENT_REQUEST || part->kind == NS_CONTENT_RESPONSE;
}
