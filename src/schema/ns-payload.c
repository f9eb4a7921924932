/* Walks the fields of a payload without allocating memory.
 *
 * The rules are those of the Trace Data Helper: fields in order, array counts and lengths from
 * earlier fields, pointers of the event's own size. Nested structs are kept on a stack of frames,
 * without recursion.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "etl/ns-provider-guids.h"
#include "schema/ns-payload.h"

#include <string.h>

/* Maximum number of values and brackets per event: a count field may specify 65535 elements of
 * no bytes. */
#define NS_PAYLOAD_MAX_ITEMS 262144
#define SID_HEADER_SIZE 8
#define SID_REVISION 1
#define SID_MAX_AUTHORITIES 15
#define IPV6_SIZE 16

/* A struct that is being walked, or the event itself. */
typedef struct
{
  const NsSchemaField *owner; /* %NULL: the event */
  guint first;
  guint n_members;
  guint next;
  guint n_left; /* number of elements after this one */
  gboolean is_array;
} Frame;

/* Secrecy of events about credentials. */
typedef enum
{
  SECRECY_NONE,
  SECRECY_OF_FIELDS, /* fields with certain names, such as that of a cookie */
  SECRECY_OF_ALL,
} Secrecy;

typedef struct
{
  NsCursor cursor;
  const NsSchema *schema;
  NsPayloadFunc func;
  gpointer user_data;
  NsPayloadResult result;
  gboolean stopped;
  guint n_items;
  guint n_frames;
  guint8 pointer_size;
  guint8 depth;
  Secrecy secrecy;
  const char *const *secret_fields; /* NULL-terminated */
  Frame frames[NS_SCHEMA_MAX_DEPTH + 1];
  guint64 known[NS_SCHEMA_MAX_FIELDS / 64 + 1];
  guint16 numbers[NS_SCHEMA_MAX_FIELDS]; /* values of fields that others may refer to */
} Walk;

typedef struct
{
  const guint8 *data;
  gsize offset;
  gsize size;
} Span;

/* Sizes of types with a fixed size; 0 for the others. */
static const guint8 fixed_sizes[] = {
  [NS_IN_INT8] = 1,     [NS_IN_UINT8] = 1,       [NS_IN_INT16] = 2,    [NS_IN_UINT16] = 2,
  [NS_IN_INT32] = 4,    [NS_IN_UINT32] = 4,      [NS_IN_INT64] = 8,    [NS_IN_UINT64] = 8,
  [NS_IN_FLOAT] = 4,    [NS_IN_DOUBLE] = 8,      [NS_IN_BOOLEAN] = 4,  [NS_IN_GUID] = 16,
  [NS_IN_FILETIME] = 8, [NS_IN_SYSTEMTIME] = 16, [NS_IN_HEXINT32] = 4, [NS_IN_HEXINT64] = 8,
};

static gsize
fixed_size (const Walk *self, guint in_type)
{
  if (in_type < G_N_ELEMENTS (fixed_sizes) && fixed_sizes[in_type] != 0)
    return fixed_sizes[in_type];
  switch (in_type)
    {
    case NS_IN_POINTER:
    case NS_IN_SIZET:
      return self->pointer_size;
    case NS_IN_UNICODECHAR:
      return 2;
    case NS_IN_ANSICHAR:
    case NS_IN_BOOL8:
      return 1;
    default:
      return 0;
    }
}

/* Providers whose events have secret fields. SMB logs raw messages, including the authentication of
 * servers and clients. */
static const struct
{
  NsGuid guid;
  const char *fields[5];
} secret_fields[] = {
  { NS_GUID_SMB_CLIENT, { "UserName", "PrincipalName", "PacketData", "FragmentData", NULL } },
  { NS_GUID_RPC, { "Options", NULL } },
  { NS_GUID_NDIS_WAN_CAPTURE, { "RRASUserName", NULL } },
};

/* Returns whether an event with this ID may have secret fields: a quick test that most events
 * fail. */
static gboolean
may_have_secret_fields (guint16 id)
{
  return id == 5 || id == 6 || id == 2000 || id == 5001 || id == 5002 ||
         (id >= 31000 && id <= 31022) || id == 40000;
}

/* Returns the secrecy of an event: WinHTTP logs credentials when they are set; WinINet logs
 * cookies, and passwords that users type. */
static Secrecy
get_secrecy (const NsRecord *record, const char *const **fields)
{
  static const char *const values[] = { "Value", NULL };
  static const NsGuid winhttp = NS_GUID_WINHTTP;
  static const NsGuid wininet = NS_GUID_WININET;
  guint i;

  *fields = values;
  if (record->id == 100 && ns_guid_equal (&record->guid, &winhttp))
    return SECRECY_OF_ALL;
  if (may_have_secret_fields (record->id))
    for (i = 0; i < G_N_ELEMENTS (secret_fields); i++)
      if (ns_guid_equal (&record->guid, &secret_fields[i].guid))
        {
          *fields = secret_fields[i].fields;
          return SECRECY_OF_FIELDS;
        }
  if (record->id < 501 || record->id > 603 || !ns_guid_equal (&record->guid, &wininet))
    return SECRECY_NONE;
  if (record->id <= 507)
    return SECRECY_OF_FIELDS;
  return record->id >= 602 ? SECRECY_OF_ALL : SECRECY_NONE;
}

static gboolean
is_secret (const Walk *self, const NsSchemaField *field)
{
  guint i;

  /* Bytes without a field may belong to a secret field that was truncated. */
  if (self->secrecy != SECRECY_OF_FIELDS || field == NULL)
    return self->secrecy != SECRECY_NONE;
  for (i = 0; self->secret_fields[i] != NULL; i++)
    if (strcmp (field->name, self->secret_fields[i]) == 0)
      return TRUE;
  return FALSE;
}

static gboolean
emit (Walk *self, NsItemKind kind, const NsSchemaField *field, const Span *span)
{
  NsPayloadItem item = {
    .kind = kind,
    .field = field,
    .data = span->data,
    .size = (guint32) span->size,
    .offset = (guint32) span->offset,
    .pointer_size = self->pointer_size,
    .depth = self->depth,
    .is_secret = self->secrecy != SECRECY_NONE && is_secret (self, field),
  };

  if (self->stopped)
    return FALSE;
  if (++self->n_items > NS_PAYLOAD_MAX_ITEMS)
    {
      self->result = NS_PAYLOAD_BAD;
      self->stopped = TRUE;
      return FALSE;
    }
  if (!self->func (&item, self->user_data))
    self->stopped = TRUE;
  return !self->stopped;
}

static gboolean
emit_bracket (Walk *self, NsItemKind kind, const NsSchemaField *field)
{
  Span here = { NULL, self->cursor.pos, 0 };
  gboolean goes_on;

  if (kind == NS_ITEM_ARRAY_END || kind == NS_ITEM_STRUCT_END)
    self->depth--;
  goes_on = emit (self, kind, field, &here);
  if (kind == NS_ITEM_ARRAY_BEGIN || kind == NS_ITEM_STRUCT_BEGIN)
    self->depth++;
  return goes_on;
}

static gboolean
fail (Walk *self, NsPayloadResult result)
{
  self->result = result;
  return FALSE;
}

static gboolean
take (Walk *self, gsize n_bytes, Span *span)
{
  span->offset = self->cursor.pos;
  span->size = n_bytes;
  if (n_bytes > ns_cursor_left (&self->cursor))
    return fail (self, NS_PAYLOAD_SHORT);
  span->data = ns_cursor_take (&self->cursor, n_bytes);
  return TRUE;
}

/* Takes a text of a known size with its NULs; one that exceeds the payload is truncated. */
static gboolean
take_text (Walk *self, gsize n_bytes, Span *span)
{
  gsize left = ns_cursor_left (&self->cursor);

  if (n_bytes > left)
    {
      if (left == 0)
        return fail (self, NS_PAYLOAD_SHORT);
      self->result = NS_PAYLOAD_SHORT;
      n_bytes = left;
    }
  return take (self, n_bytes, span);
}

static gboolean
take_to_nul (Walk *self, gboolean is_wide, Span *span)
{
  span->offset = self->cursor.pos;
  if (ns_cursor_left (&self->cursor) == 0)
    return fail (self, NS_PAYLOAD_SHORT);
  span->data = is_wide ? ns_cursor_wstr (&self->cursor, &span->size)
                       : (const guint8 *) ns_cursor_astr (&self->cursor, &span->size);
  return TRUE;
}

static gboolean
take_sid (Walk *self, Span *span)
{
  NsCursor peek = self->cursor;
  guint n;

  ns_cursor_skip (&peek, 1);
  n = ns_cursor_u8 (&peek);
  if (!ns_cursor_ok (&peek))
    return fail (self, NS_PAYLOAD_SHORT);
  if (n > SID_MAX_AUTHORITIES)
    return fail (self, NS_PAYLOAD_BAD);
  return take (self, SID_HEADER_SIZE + 4 * (gsize) n, span);
}

/* Returns whether there is a TOKEN_USER with a null pointer, followed by its SID. */
static gboolean
is_cleared_token (const Walk *self)
{
  NsCursor peek = self->cursor;
  guint i;

  for (i = 0; i < 2; i++)
    if (ns_cursor_ptr (&peek, self->pointer_size) != 0)
      return FALSE;
  return ns_cursor_u8 (&peek) == SID_REVISION && ns_cursor_u8 (&peek) <= SID_MAX_AUTHORITIES &&
         ns_cursor_u32 (&peek) == 0 && ns_cursor_ok (&peek);
}

/* Takes a TOKEN_USER with the SID after it, or four zero bytes. */
static gboolean
take_wbem_sid (Walk *self, Span *span)
{
  NsCursor peek = self->cursor;
  gboolean is_none = ns_cursor_u32 (&peek) == 0 && !is_cleared_token (self);

  if (!ns_cursor_ok (&peek))
    return fail (self, NS_PAYLOAD_SHORT);
  if (!take (self, is_none ? 4 : 2 * (gsize) self->pointer_size, span))
    return FALSE;
  if (is_none)
    {
      span->size = 0;
      return TRUE;
    }
  return take_sid (self, span);
}

static gboolean
take_counted (Walk *self, guint in_type, Span *span)
{
  NsCursor peek = self->cursor;
  gsize n;

  if (in_type == NS_IN_HEXDUMP)
    n = ns_cursor_u32 (&peek);
  else if (in_type == NS_IN_REVERSEDCOUNTEDSTRING || in_type == NS_IN_REVERSEDCOUNTEDANSISTRING)
    n = ns_cursor_u16be (&peek);
  else
    n = ns_cursor_u16 (&peek);
  if (!ns_cursor_ok (&peek) || n > ns_cursor_left (&peek))
    return fail (self, NS_PAYLOAD_SHORT);
  self->cursor = peek;
  return take (self, n, span);
}

static gboolean
read_text (Walk *self, const NsSchemaField *field, int length, Span *span)
{
  gboolean is_wide = field->in_type == NS_IN_UNICODESTRING;

  if (length < 0)
    return take_to_nul (self, is_wide, span);
  return take_text (self, (gsize) length * (is_wide ? 2 : 1), span);
}

/* Reads a value. @length: -1: the field has none */
static gboolean
read_value (Walk *self, const NsSchemaField *field, int length, Span *span)
{
  gsize size = fixed_size (self, field->in_type);

  if (size != 0)
    return take (self, size, span);

  switch (field->in_type)
    {
    case NS_IN_NULL:
      return take (self, 0, span);
    case NS_IN_UNICODESTRING:
    case NS_IN_ANSISTRING:
      return read_text (self, field, length, span);
    case NS_IN_BINARY:
      if (length < 0)
        length = field->out_type == NS_OUT_IPV6 ? IPV6_SIZE : 0;
      return take (self, (gsize) length, span);
    case NS_IN_SID:
      return take_sid (self, span);
    case NS_IN_WBEMSID:
      return take_wbem_sid (self, span);
    case NS_IN_COUNTEDSTRING:
    case NS_IN_COUNTEDANSISTRING:
    case NS_IN_COUNTEDBINARY:
    case NS_IN_WBEM_COUNTEDSTRING:
    case NS_IN_WBEM_COUNTEDANSISTRING:
    case NS_IN_REVERSEDCOUNTEDSTRING:
    case NS_IN_REVERSEDCOUNTEDANSISTRING:
    case NS_IN_HEXDUMP:
      return take_counted (self, field->in_type, span);
    case NS_IN_NONNULLTERMINATEDSTRING:
    case NS_IN_NONNULLTERMINATEDANSISTRING:
      return take (self, ns_cursor_left (&self->cursor), span);
    default:
      return fail (self, NS_PAYLOAD_BAD);
    }
}

/* Stores a number that later fields may use as a count or length. */
static void
remember (Walk *self, const NsSchemaField *field, const Span *span)
{
  gsize number = (gsize) (field - self->schema->fields);
  NsCursor cursor;
  guint32 value;

  ns_cursor_init (&cursor, span->data, span->size);
  switch (field->in_type)
    {
    case NS_IN_UINT8:
      value = ns_cursor_u8 (&cursor);
      break;
    case NS_IN_UINT16:
      value = ns_cursor_u16 (&cursor);
      break;
    case NS_IN_UINT32:
    case NS_IN_HEXINT32:
      value = ns_cursor_u32 (&cursor);
      break;
    default:
      return;
    }
  self->numbers[number] = (guint16) MIN (value, G_MAXUINT16);
  self->known[number / 64] |= G_GUINT64_CONSTANT (1) << (number % 64);
}

static gboolean
recall (Walk *self, guint number, guint *value)
{
  if (number >= self->schema->n_fields || (self->known[number / 64] >> (number % 64) & 1) == 0)
    return fail (self, NS_PAYLOAD_BAD);
  *value = self->numbers[number];
  return TRUE;
}

static gboolean
count_elements (Walk *self, const NsSchemaField *field, guint *count, gboolean *is_array)
{
  *is_array = TRUE;
  if (field->flags & NS_FIELD_COUNT_REF)
    return recall (self, field->count, count);
  if (field->flags & NS_FIELD_COUNT_PREFIX)
    {
      if (ns_cursor_left (&self->cursor) < 2)
        return fail (self, NS_PAYLOAD_SHORT);
      *count = ns_cursor_u16 (&self->cursor);
      return TRUE;
    }
  *count = field->count;
  *is_array = (field->flags & NS_FIELD_FIXED_COUNT) != 0 || field->count != 1;
  return TRUE;
}

static gboolean
find_length (Walk *self, const NsSchemaField *field, int *length)
{
  guint value;

  *length = -1;
  if (field->flags & NS_FIELD_LENGTH_REF)
    {
      if (!recall (self, field->length, &value))
        return FALSE;
      *length = (int) value;
    }
  else if (field->length != 0 || (field->flags & NS_FIELD_FIXED_LENGTH))
    *length = field->length;
  return TRUE;
}

static gboolean
walk_struct (Walk *self, const NsSchemaField *field, guint count, gboolean is_array)
{
  Frame *frame;

  if (self->n_frames > NS_SCHEMA_MAX_DEPTH ||
      (guint) field->first_member + field->n_members > self->schema->n_fields)
    return fail (self, NS_PAYLOAD_BAD);
  if (is_array && !emit_bracket (self, NS_ITEM_ARRAY_BEGIN, field))
    return FALSE;
  if (count == 0)
    return emit_bracket (self, NS_ITEM_ARRAY_END, field);

  frame = &self->frames[self->n_frames++];
  frame->owner = field;
  frame->first = field->first_member;
  frame->n_members = field->n_members;
  frame->next = 0;
  frame->n_left = count - 1;
  frame->is_array = is_array;
  return emit_bracket (self, NS_ITEM_STRUCT_BEGIN, field);
}

static gboolean
walk_array (Walk *self, const NsSchemaField *field, guint count, int length)
{
  gboolean goes_on = emit_bracket (self, NS_ITEM_ARRAY_BEGIN, field);
  guint i;

  for (i = 0; goes_on && i < count; i++)
    {
      Span span = { 0 };

      goes_on = read_value (self, field, length, &span) && emit (self, NS_ITEM_VALUE, field, &span);
    }
  /* Close the bracket even if the payload ended inside it. */
  return emit_bracket (self, NS_ITEM_ARRAY_END, field) && goes_on;
}

static gboolean
walk_field (Walk *self, const NsSchemaField *field)
{
  Span span = { 0 };
  gboolean is_array;
  guint count;
  int length;

  if ((field->flags & NS_FIELD_OPTIONAL) && ns_cursor_left (&self->cursor) == 0)
    return TRUE;
  if (field->in_type == NS_IN_POINTERS_TO_END)
    {
      static const NsSchemaField pointer = { .name = "", .in_type = NS_IN_POINTER, .count = 1 };
      gsize n = ns_cursor_left (&self->cursor) / self->pointer_size;
      gboolean goes_on = emit_bracket (self, NS_ITEM_ARRAY_BEGIN, field);

      while (goes_on && n-- > 0)
        goes_on =
            read_value (self, &pointer, -1, &span) && emit (self, NS_ITEM_VALUE, &pointer, &span);
      return emit_bracket (self, NS_ITEM_ARRAY_END, field) && goes_on;
    }
  if (!count_elements (self, field, &count, &is_array))
    return FALSE;
  if (field->flags & NS_FIELD_STRUCT)
    return walk_struct (self, field, count, is_array);
  if (!find_length (self, field, &length))
    return FALSE;
  if (is_array)
    return walk_array (self, field, count, length);
  if (!read_value (self, field, length, &span))
    return FALSE;
  remember (self, field, &span);
  return emit (self, NS_ITEM_VALUE, field, &span);
}

/* Ends an element of a struct: continues with the next one, or leaves the struct. */
static void
leave_struct (Walk *self, Frame *frame)
{
  if (frame->owner != NULL && emit_bracket (self, NS_ITEM_STRUCT_END, frame->owner))
    {
      if (frame->n_left > 0)
        {
          frame->n_left--;
          frame->next = 0;
          emit_bracket (self, NS_ITEM_STRUCT_BEGIN, frame->owner);
          return;
        }
      if (frame->is_array)
        emit_bracket (self, NS_ITEM_ARRAY_END, frame->owner);
    }
  self->n_frames--;
}

static void
close_brackets (Walk *self)
{
  for (; self->n_frames > 0; self->n_frames--)
    {
      const Frame *frame = &self->frames[self->n_frames - 1];

      if (frame->owner == NULL)
        continue;
      emit_bracket (self, NS_ITEM_STRUCT_END, frame->owner);
      if (frame->is_array)
        emit_bracket (self, NS_ITEM_ARRAY_END, frame->owner);
    }
}

static void
walk_fields (Walk *self)
{
  while (self->n_frames > 0 && !self->stopped)
    {
      Frame *frame = &self->frames[self->n_frames - 1];

      if (frame->next >= frame->n_members)
        {
          leave_struct (self, frame);
          continue;
        }
      if (!walk_field (self, &self->schema->fields[frame->first + frame->next++]))
        break;
    }
}

/**
 * ns_payload_walk:
 * @schema: the layout, from ns_schemas_find()
 * @record: the record
 * @func: (scope call): called for every value and bracket, in the order of the payload
 * @user_data: for @func
 *
 * Decodes the payload. Brackets are always balanced, even if the payload ends too early; bytes
 * after the last field come last as %NS_ITEM_REST.
 *
 * Returns: how well the payload fits the layout; %NS_PAYLOAD_EXACT if @func stopped the walk
 */
NsPayloadResult
ns_payload_walk (const NsSchema *schema,
                 const NsRecord *record,
                 NsPayloadFunc func,
                 gpointer user_data)
{
  Walk self;
  gsize left;

  ns_record_cursor (record, &self.cursor);
  self.schema = schema;
  self.func = func;
  self.user_data = user_data;
  self.result = NS_PAYLOAD_EXACT;
  self.stopped = FALSE;
  self.n_items = 0;
  self.n_frames = 1;
  self.pointer_size = record->pointer_size == 4 ? 4 : 8;
  self.depth = 0;
  self.secrecy = get_secrecy (record, &self.secret_fields);
  self.frames[0] = (Frame){ .n_members = schema->n_top };
  if (schema->n_fields > NS_SCHEMA_MAX_FIELDS || schema->n_top > schema->n_fields)
    return NS_PAYLOAD_BAD;
  memset (self.known, 0, (schema->n_fields / 64 + 1) * sizeof self.known[0]);

  walk_fields (&self);
  close_brackets (&self);

  left = ns_cursor_left (&self.cursor);
  if (left > 0 && !self.stopped)
    {
      Span span = { 0 };

      if (self.result == NS_PAYLOAD_EXACT)
        self.result = NS_PAYLOAD_LONGER;
      span.offset = self.cursor.pos;
      span.size = left;
      span.data = ns_cursor_take (&self.cursor, left);
      emit (&self, NS_ITEM_REST, NULL, &span);
    }
  return self.result;
}

/**
 * ns_payload_is_secret:
 * @record: a record
 *
 * Returns: %TRUE if its payload contains credentials, so that its raw bytes must not be shown
 *   either
 */
gboolean
ns_payload_is_secret (const NsRecord *record)
{
  const char *const *fields;

  return get_secrecy (record, &fields) != SECRECY_NONE;
}

typedef struct
{
  const char *name;
  NsPayloadItem *item;
  gboolean found;
} Find;

static gboolean
find_cb (const NsPayloadItem *item, gpointer user_data)
{
  Find *find = user_data;

  if (item->kind != NS_ITEM_VALUE || strcmp (item->field->name, find->name) != 0)
    return TRUE;
  *find->item = *item;
  find->found = TRUE;
  return FALSE;
}

/**
 * ns_payload_find:
 * @schema: the layout
 * @record: the record; owns the data of @item
 * @name: name of a field
 * @item: (out): the first value of that name; for an array its first element
 *
 * Returns: %TRUE if the payload has it
 */
gboolean
ns_payload_find (const NsSchema *schema,
                 const NsRecord *record,
                 const char *name,
                 NsPayloadItem *item)
{
  Find find = { name, item, FALSE };

  ns_payload_walk (schema, record, find_cb, &find);
  return find.found;
}
