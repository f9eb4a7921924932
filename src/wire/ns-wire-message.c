/* Finds HTTP/1 messages in a byte stream, and reads their header fields and body length.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "wire/ns-wire-message.h"

#include "wire/ns-wire-coding.h"
#include "wire/ns-wire-http.h"

#include <string.h>

/* Most digits accepted in Content-Length. */
#define MAX_LENGTH_DIGITS 18

static gboolean
is_response (const guint8 *data, gsize size)
{
  return size >= 5 && memcmp (data, "HTTP/", 5) == 0;
}

/* Returns the offset behind the empty line; 0: not found. */
static gsize
find_body (const guint8 *data, gsize size, gsize at)
{
  gsize limit = MIN (size, at + NS_WIRE_MESSAGE_MAX_HEAD);

  while (at < limit)
    {
      const guint8 *end = memchr (data + at, '\n', limit - at);

      if (end == NULL)
        return 0;
      at = (gsize) (end - data) + 1;
      if (at < limit && data[at] == '\n')
        return at + 1;
      if (at + 1 < limit && data[at] == '\r' && data[at + 1] == '\n')
        return at + 2;
    }
  return 0;
}

/* Finds the next line of a head with its continuation lines; %FALSE at the end. */
static gboolean
next_field (const char *head, gsize size, gsize *at, gsize *begin, gsize *end)
{
  *begin = *at;
  while (*at < size)
    {
      const char *line_end = memchr (head + *at, '\n', size - *at);

      *at = line_end != NULL ? (gsize) (line_end - head) + 1 : size;
      if (*at >= size || (head[*at] != ' ' && head[*at] != '\t'))
        break;
    }
  *end = *at;
  while (*end > *begin && (head[*end - 1] == '\n' || head[*end - 1] == '\r'))
    (*end)--;
  return *begin < size;
}

static gboolean
is_named (const char *line, gsize length, const char *name)
{
  gsize n_name = strlen (name);

  return length > n_name && line[n_name] == ':' && g_ascii_strncasecmp (line, name, n_name) == 0;
}

/* Appends a value as one line, with one space for each fold. */
static void
append_value (GString *value, const char *text, gsize length)
{
  gsize begin = value->len;
  gsize i;

  for (i = 0; i < length; i++)
    {
      gboolean is_blank = text[i] == ' ' || text[i] == '\t' || text[i] == '\r' || text[i] == '\n';

      if (is_blank && (value->len == begin || value->str[value->len - 1] == ' '))
        continue;
      g_string_append_c (value, is_blank ? ' ' : text[i]);
    }
  if (value->len > begin && value->str[value->len - 1] == ' ')
    g_string_truncate (value, value->len - 1);
}

/**
 * ns_wire_message_dup_field:
 * @head: (array length=size): first line and fields of a message
 * @size: length of the head in bytes
 * @name: name of a field, in any case
 *
 * Returns: (transfer full) (nullable): the value on one line; values of repeated fields are joined
 *   with commas
 */
char *
ns_wire_message_dup_field (const char *head, gsize size, const char *name)
{
  GString *value = NULL;
  gsize at = 0;
  gsize begin;
  gsize end;

  while (next_field (head, size, &at, &begin, &end))
    {
      gsize skip = begin + strlen (name) + 1;

      if (!is_named (head + begin, end - begin, name))
        continue;
      if (value == NULL)
        value = g_string_new (NULL);
      else
        g_string_append (value, ", ");
      append_value (value, head + skip, end - skip);
    }
  return value != NULL ? g_string_free (value, FALSE) : NULL;
}

/**
 * ns_wire_message_dup_codings:
 * @head: (array length=size): first line and fields of a message
 * @size: length of the head in bytes
 *
 * Returns: (transfer full) (nullable): codings of the body, as ns_wire_coding_undo() takes them
 */
char *
ns_wire_message_dup_codings (const char *head, gsize size)
{
  g_autofree char *content = ns_wire_message_dup_field (head, size, "Content-Encoding");
  g_autofree char *transfer = ns_wire_message_dup_field (head, size, "Transfer-Encoding");

  if (content != NULL && transfer != NULL)
    return g_strdup_printf ("%s, %s", content, transfer);
  return content != NULL ? g_steal_pointer (&content) : g_steal_pointer (&transfer);
}

/**
 * ns_wire_message_is_chunked:
 * @head: (array length=size): first line and fields of a message
 * @size: length of the head in bytes
 *
 * Returns: whether the body is in the chunked transfer coding
 */
gboolean
ns_wire_message_is_chunked (const char *head, gsize size)
{
  g_autofree char *transfer = ns_wire_message_dup_field (head, size, "Transfer-Encoding");
  gsize length = transfer != NULL ? strlen (transfer) : 0;

  return length >= 7 && g_ascii_strcasecmp (transfer + length - 7, "chunked") == 0;
}

/**
 * ns_wire_message_read_length:
 * @head: (array length=size): first line and fields of a message
 * @size: length of the head in bytes
 * @length: (out): length of the body in bytes
 *
 * Returns: whether there is a valid Content-Length
 */
gboolean
ns_wire_message_read_length (const char *head, gsize size, guint64 *length)
{
  g_autofree char *text = ns_wire_message_dup_field (head, size, "Content-Length");

  return text != NULL && strlen (text) <= MAX_LENGTH_DIGITS &&
         g_ascii_string_to_unsigned (text, 10, 0, G_MAXINT64, length, NULL);
}

static gboolean
has_no_body (const char *head, gsize size)
{
  g_autofree char *line = g_strndup (head, MIN (size, 64));
  guint status = ns_wire_http_status_of_line (g_strdelimit (line, "\r\n", '\0'));

  return status / 100 == 1 || status == 204 || status == 304;
}

/* Determines the length of the body (RFC 9112 6.3). */
static void
find_end (NsWireMessage *self, const guint8 *data, gsize size)
{
  const char *head = (const char *) data + self->head;
  gsize n_head = self->body - self->head;
  guint64 length = 0;
  gsize used;

  self->end = self->body;
  self->is_whole = TRUE;
  if (self->is_response && has_no_body (head, n_head))
    return;
  if (ns_wire_message_is_chunked (head, n_head))
    {
      self->is_whole = ns_wire_coding_skip_chunks (data + self->body, size - self->body, &used) ==
                       NS_WIRE_CODING_WHOLE;
      /* Behind invalid chunks the start of the next message is unknown. */
      self->end = self->is_whole ? self->body + used : size;
      return;
    }
  if (!ns_wire_message_read_length (head, n_head, &length))
    {
      if (!self->is_response)
        return;
      length = G_MAXUINT64;
    }
  /* A response to HEAD has a Content-Length but no body: the next response follows directly. */
  if (self->is_response && is_response (data + self->body, size - self->body))
    return;
  self->is_whole = length <= size - self->body;
  self->end = self->is_whole ? self->body + length : size;
}

/**
 * ns_wire_message_find:
 * @self: (out): offsets of the message
 * @data: (array length=size): bytes of one direction of a connection
 * @size: number of bytes
 * @at: offset where a message may begin
 *
 * Returns: whether a message begins there and its head is complete
 */
gboolean
ns_wire_message_find (NsWireMessage *self, const guint8 *data, gsize size, gsize at)
{
  *self = (NsWireMessage){ .head = at };
  if (at >= size || !ns_wire_http_is_message (data + at, size - at))
    return FALSE;
  self->body = find_body (data, size, at);
  if (self->body == 0)
    return FALSE;
  self->is_response = is_response (data + at, size - at);
  find_end (self, data, size);
  return TRUE;
}
