/* Formats a payload value as number, text or JSON, according to its in- and out-type.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "schema/ns-value.h"

#include "base/ns-exact.h"
#include "base/ns-json.h"
#include "base/ns-secrets.h"
#include "base/ns-time.h"

#include <math.h>
#include <string.h>

/* Display form of a value; depends only on its types. */
typedef enum
{
  SHOW_NOTHING,
  SHOW_SIGNED,
  SHOW_UNSIGNED,
  SHOW_HEX,
  SHOW_BOOLEAN,
  SHOW_FLOAT,
  SHOW_PORT,
  SHOW_WIDE_TEXT,
  SHOW_TEXT,
  SHOW_WIDE_CHAR,
  SHOW_CHAR,
  SHOW_BYTES,
  SHOW_GUID,
  SHOW_FILETIME,
  SHOW_SYSTEMTIME,
  SHOW_SID,
  SHOW_IPV4,
  SHOW_IPV6,
  SHOW_SOCKET_ADDRESS,
} Show;

static Show
show_of_signed (guint out_type)
{
  switch (out_type)
    {
    case NS_OUT_UNSIGNEDBYTE:
    case NS_OUT_UNSIGNEDSHORT:
    case NS_OUT_UNSIGNEDINT:
    case NS_OUT_UNSIGNEDLONG:
    case NS_OUT_PID:
    case NS_OUT_TID:
      return SHOW_UNSIGNED;
    default:
      return SHOW_SIGNED;
    }
}

static Show
show_of_unsigned (guint out_type)
{
  switch (out_type)
    {
    case NS_OUT_BYTE:
    case NS_OUT_SHORT:
    case NS_OUT_INT:
    case NS_OUT_LONG:
      return SHOW_SIGNED;
    default:
      return SHOW_UNSIGNED;
    }
}

static Show
show_of_integer (const NsSchemaField *field, gboolean is_signed, guint size)
{
  switch (field->out_type)
    {
    case NS_OUT_HEXBINARY:
    case NS_OUT_HEXINT8:
    case NS_OUT_HEXINT16:
    case NS_OUT_HEXINT32:
    case NS_OUT_HEXINT64:
    case NS_OUT_ERRORCODE:
    case NS_OUT_WIN32ERROR:
    case NS_OUT_NTSTATUS:
    case NS_OUT_HRESULT:
    case NS_OUT_CODE_POINTER:
      return SHOW_HEX;
    case NS_OUT_BOOLEAN:
      return SHOW_BOOLEAN;
    case NS_OUT_PORT:
      return size == 2 ? SHOW_PORT : SHOW_UNSIGNED;
    case NS_OUT_IPV4:
      return size == 4 ? SHOW_IPV4 : SHOW_UNSIGNED;
    case NS_OUT_STRING:
      return size == 1 ? SHOW_CHAR : size == 2 ? SHOW_WIDE_CHAR : SHOW_UNSIGNED;
    case NS_OUT_DATETIME:
    case NS_OUT_DATETIME_UTC:
    case NS_OUT_CULTURE_DATETIME:
      return size == 8 ? SHOW_FILETIME : SHOW_UNSIGNED;
    default:
      return is_signed ? show_of_signed (field->out_type) : show_of_unsigned (field->out_type);
    }
}

static Show
show_of_binary (const NsPayloadItem *item)
{
  switch (item->field->out_type)
    {
    case NS_OUT_IPV4:
    case NS_OUT_IPV6:
      return item->size == 4 ? SHOW_IPV4 : item->size == 16 ? SHOW_IPV6 : SHOW_BYTES;
    case NS_OUT_SOCKETADDRESS:
      /* Display bytes that are not an address as they are. */
      return ns_value_is_socket_address (item->data, item->size) ? SHOW_SOCKET_ADDRESS : SHOW_BYTES;
    default:
      return SHOW_BYTES;
    }
}

static Show
show_of (const NsPayloadItem *item)
{
  const NsSchemaField *field = item->field;

  switch (field->in_type)
    {
    case NS_IN_NULL:
      return SHOW_NOTHING;
    case NS_IN_INT8:
    case NS_IN_INT16:
    case NS_IN_INT32:
    case NS_IN_INT64:
      return show_of_integer (field, TRUE, item->size);
    case NS_IN_UINT8:
    case NS_IN_UINT16:
    case NS_IN_UINT32:
    case NS_IN_UINT64:
      return show_of_integer (field, FALSE, item->size);
    case NS_IN_HEXINT32:
    case NS_IN_HEXINT64:
      return SHOW_HEX;
    case NS_IN_POINTER:
    case NS_IN_SIZET:
      /* The out-type marks a number of pointer size. */
      return field->out_type == NS_OUT_UNSIGNEDLONG ? show_of_integer (field, FALSE, item->size)
                                                    : SHOW_HEX;
    case NS_IN_BOOLEAN:
    case NS_IN_BOOL8:
      return SHOW_BOOLEAN;
    case NS_IN_FLOAT:
    case NS_IN_DOUBLE:
      return SHOW_FLOAT;
    case NS_IN_GUID:
      return SHOW_GUID;
    case NS_IN_FILETIME:
      return SHOW_FILETIME;
    case NS_IN_SYSTEMTIME:
      return SHOW_SYSTEMTIME;
    case NS_IN_SID:
    case NS_IN_WBEMSID:
      return SHOW_SID;
    case NS_IN_UNICODESTRING:
    case NS_IN_COUNTEDSTRING:
    case NS_IN_WBEM_COUNTEDSTRING:
    case NS_IN_REVERSEDCOUNTEDSTRING:
    case NS_IN_NONNULLTERMINATEDSTRING:
    case NS_IN_UNICODECHAR:
      return SHOW_WIDE_TEXT;
    case NS_IN_ANSISTRING:
    case NS_IN_COUNTEDANSISTRING:
    case NS_IN_WBEM_COUNTEDANSISTRING:
    case NS_IN_REVERSEDCOUNTEDANSISTRING:
    case NS_IN_NONNULLTERMINATEDANSISTRING:
    case NS_IN_ANSICHAR:
      return SHOW_TEXT;
    default:
      return show_of_binary (item);
    }
}

static guint64
read_le (const NsPayloadItem *item)
{
  NsCursor cursor;

  ns_cursor_init (&cursor, item->data, item->size);
  switch (item->size)
    {
    case 1:
      return ns_cursor_u8 (&cursor);
    case 2:
      return ns_cursor_u16 (&cursor);
    case 4:
      return ns_cursor_u32 (&cursor);
    default:
      return ns_cursor_u64 (&cursor);
    }
}

static gint64
read_signed (const NsPayloadItem *item)
{
  guint64 value = read_le (item);

  switch (item->size)
    {
    case 1:
      return (gint8) value;
    case 2:
      return (gint16) value;
    case 4:
      return (gint32) value;
    default:
      return (gint64) value;
    }
}

/**
 * ns_value_is_signed:
 * @item: a value
 *
 * Returns: %TRUE if it is a number that can be negative
 */
gboolean
ns_value_is_signed (const NsPayloadItem *item)
{
  return show_of (item) == SHOW_SIGNED;
}

/**
 * ns_value_get_uint:
 * @item: a value
 * @value: (out): the number; signed numbers are sign-extended to 64 bits, ports are in host order,
 *   FILETIMEs unchanged
 *
 * Returns: %TRUE if the value is an integer, a pointer, a boolean, a port or a FILETIME
 */
gboolean
ns_value_get_uint (const NsPayloadItem *item, guint64 *value)
{
  *value = 0;
  if (item->kind != NS_ITEM_VALUE || item->size == 0 || item->size > 8)
    return FALSE;
  switch (item->field->in_type)
    {
    case NS_IN_INT8:
    case NS_IN_INT16:
    case NS_IN_INT32:
    case NS_IN_INT64:
      *value = (guint64) read_signed (item);
      return TRUE;
    case NS_IN_UINT16:
      *value = read_le (item);
      if (item->field->out_type == NS_OUT_PORT)
        *value = GUINT16_SWAP_LE_BE ((guint16) *value);
      return TRUE;
    case NS_IN_UINT8:
    case NS_IN_UINT32:
    case NS_IN_UINT64:
    case NS_IN_HEXINT32:
    case NS_IN_HEXINT64:
    case NS_IN_POINTER:
    case NS_IN_SIZET:
    case NS_IN_FILETIME:
      *value = read_le (item);
      return TRUE;
    case NS_IN_BOOLEAN:
    case NS_IN_BOOL8:
      *value = read_le (item) != 0;
      return TRUE;
    default:
      return FALSE;
    }
}

static void
append_float (const NsPayloadItem *item, GString *text)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];
  guint64 bits = read_le (item);

  if (item->size == 4)
    {
      guint32 half = (guint32) bits;
      float value;

      memcpy (&value, &half, sizeof value);
      g_string_append (text, g_ascii_formatd (buffer, sizeof buffer, "%.9g", (double) value));
    }
  else
    {
      double value;

      memcpy (&value, &bits, sizeof value);
      g_string_append (text, g_ascii_formatd (buffer, sizeof buffer, "%.17g", value));
    }
}

/* Returns whether JSON can represent the number; infinity and NaN become text. */
static gboolean
is_finite (const NsPayloadItem *item)
{
  guint64 bits = read_le (item);

  return item->size == 4 ? (bits >> 23 & 0xff) != 0xff : (bits >> 52 & 0x7ff) != 0x7ff;
}

static const char *
find_name (const NsSchemaMap *map, guint32 value)
{
  guint i;

  for (i = 0; i < map->n_entries; i++)
    if (map->values[i] == value)
      return map->names[i];
  return NULL;
}

/* Appends the name of a mapped value; FALSE: it has none. */
static gboolean
append_mapped (const NsPayloadItem *item, GString *text)
{
  const NsSchemaMap *map = item->field->map;
  gsize begin = text->len;
  guint32 left;
  guint64 value;
  guint i;

  if (map == NULL || !ns_value_get_uint (item, &value))
    return FALSE;
  left = (guint32) value;
  if (!map->is_bitmap || left == 0)
    {
      const char *name = find_name (map, left);

      g_string_append (text, name != NULL ? name : "");
      return name != NULL;
    }

  for (i = 0; i < map->n_entries; i++)
    if (map->values[i] != 0 && (map->values[i] & left) == map->values[i])
      {
        if (text->len > begin)
          g_string_append_c (text, '|');
        g_string_append (text, map->names[i]);
        left &= ~map->values[i];
      }
  if (text->len > begin && left != 0)
    g_string_append_printf (text, "|0x%x", left);
  return text->len > begin;
}

static void
append_time (const NsPayloadItem *item, Show show, GString *text)
{
  if (show == SHOW_FILETIME)
    {
      g_autofree char *iso = ns_time_filetime_to_iso (read_le (item), 0, TRUE);

      g_string_append (text, iso);
    }
  else
    {
      ns_value_append_systemtime (text, item->data, item->size);
    }
}

/* Appends bytes with secrets masked, as they may be HTTP requests or packets. */
static void
append_bytes (const NsPayloadItem *item, const NsSecrets *secrets, GString *text)
{
  g_autofree guint8 *masked = ns_secrets_dup_masked (secrets, item->data, item->size);

  ns_value_append_bytes (text, masked != NULL ? masked : item->data, item->size);
}

static void
append_shown (const NsPayloadItem *item, const NsSecrets *secrets, Show show, GString *text)
{
  char buffer[NS_GUID_TEXT_SIZE];
  NsCursor cursor;
  NsGuid guid;

  switch (show)
    {
    case SHOW_SIGNED:
      ns_value_append_int (text, read_signed (item));
      break;
    case SHOW_UNSIGNED:
      ns_value_append_uint (text, read_le (item));
      break;
    case SHOW_HEX:
      ns_value_append_hex (text, read_le (item));
      break;
    case SHOW_BOOLEAN:
      g_string_append (text, read_le (item) != 0 ? "true" : "false");
      break;
    case SHOW_FLOAT:
      append_float (item, text);
      break;
    case SHOW_PORT:
      ns_value_append_uint (text, GUINT16_SWAP_LE_BE ((guint16) read_le (item)));
      break;
    case SHOW_WIDE_TEXT:
    case SHOW_WIDE_CHAR:
      ns_exact_append_utf16 (text, item->data, item->size);
      break;
    case SHOW_TEXT:
    case SHOW_CHAR:
      ns_exact_append_8bit (text, item->data, item->size);
      break;
    case SHOW_GUID:
      ns_cursor_init (&cursor, item->data, item->size);
      ns_cursor_guid (&cursor, &guid);
      g_string_append (text, ns_guid_to_text (&guid, buffer));
      break;
    case SHOW_FILETIME:
    case SHOW_SYSTEMTIME:
      append_time (item, show, text);
      break;
    case SHOW_SID:
      ns_value_append_sid (text, item->data, item->size);
      break;
    case SHOW_IPV4:
    case SHOW_IPV6:
      ns_value_append_address (text, item->data, item->size);
      break;
    case SHOW_SOCKET_ADDRESS:
      ns_value_append_socket_address (text, item->data, item->size);
      break;
    case SHOW_BYTES:
      append_bytes (item, secrets, text);
      break;
    case SHOW_NOTHING:
    default:
      break;
    }
}

/* Appends a value, masking secrets; numbers are never secret. */
static void
append_unless_secret (const NsPayloadItem *item, const NsSecrets *secrets, Show show, GString *text)
{
  gboolean is_text = show == SHOW_WIDE_TEXT || show == SHOW_TEXT;
  gsize begin = text->len;

  append_shown (item, secrets, show, text);
  if ((!is_text && show != SHOW_BYTES) || text->len == begin)
    return;
  if ((item->is_secret || ns_secrets_is_secret_name (secrets, item->field->name)) &&
      !ns_secrets_are_shown (secrets))
    {
      g_string_truncate (text, begin);
      g_string_append (text, NS_SECRETS_MASK);
    }
  else if (is_text && ns_secrets_is_command_name (item->field->name))
    ns_secrets_mask_command (secrets, text, begin);
  else if (is_text)
    ns_secrets_mask_tail (secrets, text, begin);
}

/* Appends bytes that no field covers. */
static void
append_rest (const NsPayloadItem *item, const NsSecrets *secrets, GString *text)
{
  if (item->is_secret && !ns_secrets_are_shown (secrets))
    g_string_append (text, NS_SECRETS_MASK);
  else
    append_bytes (item, secrets, text);
}

/**
 * ns_value_append_exact: (skip)
 * @item: a value, or the rest of a payload
 * @secrets: (nullable): definition of secrets; %NULL: the default
 * @text: an exact text, see ns-exact.c
 *
 * Appends the value for display, to be escaped by the caller; secrets are masked.
 */
void
ns_value_append_exact (const NsPayloadItem *item, const NsSecrets *secrets, GString *text)
{
  if (item->kind == NS_ITEM_REST)
    append_rest (item, secrets, text);
  else if (item->kind == NS_ITEM_VALUE && !append_mapped (item, text))
    append_unless_secret (item, secrets, show_of (item), text);
}

/**
 * ns_value_append_text:
 * @item: a value, or the rest of a payload
 * @secrets: (nullable): definition of secrets; %NULL: the default
 * @text: to append to
 *
 * Appends the value for display, as valid UTF-8 without NULs; bytes that UTF-8 cannot represent are
 * escaped as in ns_exact_escape_tail().
 */
void
ns_value_append_text (const NsPayloadItem *item, const NsSecrets *secrets, GString *text)
{
  gsize begin = text->len;

  ns_value_append_exact (item, secrets, text);
  ns_exact_escape_tail (text, begin);
}

/**
 * ns_value_append_json:
 * @item: a value, or the rest of a payload
 * @secrets: (nullable): definition of secrets; %NULL: the default
 * @text: JSON text to append to
 *
 * Appends the value as JSON: integers as numbers, pointers and codes as `"0x…"`, all others as
 * text. A lone surrogate becomes `\ud8..`, a byte of invalid UTF-8 `\udc..`.
 */
void
ns_value_append_json (const NsPayloadItem *item, const NsSecrets *secrets, GString *text)
{
  gsize begin = text->len;
  Show show;

  if (item->kind != NS_ITEM_VALUE || append_mapped (item, text))
    {
      if (item->kind != NS_ITEM_VALUE)
        ns_value_append_exact (item, secrets, text);
      ns_json_quote_tail (text, begin);
      return;
    }

  show = show_of (item);
  append_unless_secret (item, secrets, show, text);
  switch (show)
    {
    case SHOW_NOTHING:
      g_string_append (text, "null");
      break;
    case SHOW_SIGNED:
    case SHOW_UNSIGNED:
    case SHOW_PORT:
    case SHOW_BOOLEAN:
      break;
    case SHOW_FLOAT:
      if (!is_finite (item))
        ns_json_quote_tail (text, begin);
      break;
    default:
      ns_json_quote_tail (text, begin);
      break;
    }
}
