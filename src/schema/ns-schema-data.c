/* The file of built-in schemas: a directory of providers, and a compressed block for each.
 *
 * build-aux/make-schemas.py writes the file and documents its format. Opening it validates header
 * and directory, in time linear in the number of providers; nothing is copied.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "schema/ns-schema-data.h"

#include <glib/gi18n-lib.h>
#include <string.h>
#include <zlib.h>

#define MAGIC "NSSCHEMA"
#define FORMAT 1
#define HEAD_SIZE 40
/* Size of a directory row: GUID, name, position, size, decompressed size. */
#define ROW_SIZE 32

typedef enum
{
  COLUMN_NAME,
  COLUMN_PLACE,
  COLUMN_SIZE,
  COLUMN_UNPACKED,
} Column;

/* A block that was decompressed, or the reason why it is invalid. */
typedef struct
{
  NsSchemaBlock *block;
  char *refusal;
} Slot;

struct _NsSchemaData
{
  gatomicrefcount ref_count;
  const guint8 *bytes;
  gsize size;
  guint n_providers;
  const guint8 *guids;
  const guint8 *columns;
  const char *names;
  guint32 names_size;
  const guint8 *dictionary;
  guint32 dictionary_size;
  GMutex lock;
  gpointer *slots; /* (mutex lock): Slot by provider; read without the lock, written with it */
};

static guint32
get_u32 (const guint8 *bytes)
{
  guint32 value;

  memcpy (&value, bytes, sizeof value);
  return GUINT32_FROM_LE (value);
}

static guint32
get_column (const NsSchemaData *self, Column column, guint number)
{
  return get_u32 (self->columns + ((gsize) column * self->n_providers + number) * sizeof (guint32));
}

static gboolean G_GNUC_PRINTF (2, 3) refuse (GError **error, const char *format, ...)
{
  g_autofree char *what = NULL;
  va_list args;

  va_start (args, format);
  what = g_strdup_vprintf (format, args);
  va_end (args);
  g_set_error (error,
               NS_TRACE_ERROR,
               NS_TRACE_ERROR_TRUNCATED,
               _ ("The file of built-in schemas cannot be used: %s"),
               what);
  return FALSE;
}

static gboolean
place_parts (NsSchemaData *self, GError **error)
{
  guint32 names_size, dictionary_size;
  guint64 end;

  if (self->size < HEAD_SIZE || memcmp (self->bytes, MAGIC, strlen (MAGIC)) != 0)
    return refuse (error, _ ("it does not have the signature of such a file"));
  if (get_u32 (self->bytes + 8) != FORMAT)
    return refuse (error, _ ("its format is %u, not %u"), get_u32 (self->bytes + 8), FORMAT);
  self->n_providers = get_u32 (self->bytes + 12);
  names_size = get_u32 (self->bytes + 16);
  dictionary_size = get_u32 (self->bytes + 20);
  if (get_u32 (self->bytes + 28) != self->size)
    return refuse (error,
                   _ ("it has %zu bytes, but its header specifies %u"),
                   self->size,
                   get_u32 (self->bytes + 28));
  end = HEAD_SIZE + (guint64) self->n_providers * ROW_SIZE + names_size + dictionary_size;
  if (self->n_providers > NS_SCHEMA_DATA_MAX_PROVIDERS || end > self->size)
    return refuse (error,
                   ngettext ("%u provider does not fit into it",
                             "%u providers do not fit into it",
                             self->n_providers),
                   self->n_providers);
  if (crc32 (0, self->bytes + HEAD_SIZE, (uInt) (end - HEAD_SIZE)) != get_u32 (self->bytes + 24))
    return refuse (error, _ ("its directory was modified"));
  self->guids = self->bytes + HEAD_SIZE;
  self->columns = self->guids + (gsize) self->n_providers * sizeof (NsGuid);
  self->names = (const char *) self->guids + (gsize) self->n_providers * ROW_SIZE;
  self->names_size = names_size;
  self->dictionary = (const guint8 *) self->names + names_size;
  self->dictionary_size = dictionary_size;
  return TRUE;
}

static gboolean
check_names (const NsSchemaData *self, GError **error)
{
  const char *text = self->names;
  const char *end = self->names + self->names_size;

  if (self->n_providers == 0)
    return TRUE;
  if (self->names_size == 0 || end[-1] != '\0')
    return refuse (error, _ ("its names are not terminated"));
  for (; text < end; text += strlen (text) + 1)
    if (!g_utf8_validate (text, -1, NULL))
      return refuse (error, _ ("a name is not UTF-8"));
  return TRUE;
}

static gboolean
check_providers (const NsSchemaData *self, GError **error)
{
  gsize blocks = (gsize) (self->dictionary - self->bytes) + self->dictionary_size;

  for (guint i = 0; i < self->n_providers; i++)
    {
      const guint8 *guid = self->guids + (gsize) i * sizeof (NsGuid);
      guint32 name = get_column (self, COLUMN_NAME, i);
      guint32 place = get_column (self, COLUMN_PLACE, i);

      if (i > 0 && memcmp (guid - sizeof (NsGuid), guid, sizeof (NsGuid)) >= 0)
        return refuse (error, _ ("provider %u is out of order"), i);
      if (name >= self->names_size || (name > 0 && self->names[name - 1] != '\0'))
        return refuse (error, _ ("provider %u has no name"), i);
      if (place < blocks || (guint64) place + get_column (self, COLUMN_SIZE, i) > self->size)
        return refuse (error, _ ("the block of provider %u is not in it"), i);
      if (get_column (self, COLUMN_UNPACKED, i) > NS_SCHEMA_BLOCK_MAX_BYTES)
        return refuse (error,
                       _ ("provider %u would need %u bytes"),
                       i,
                       get_column (self, COLUMN_UNPACKED, i));
    }
  return TRUE;
}

/**
 * ns_schema_data_new:
 * @bytes: (array length=size): the file, which must outlive the result
 * @size: its size in bytes
 * @error: return location
 *
 * Returns: (transfer full) (nullable): its directory; %NULL with @error set to
 *   %NS_TRACE_ERROR_TRUNCATED if it is invalid
 */
NsSchemaData *
ns_schema_data_new (const guint8 *bytes, gsize size, GError **error)
{
  g_autoptr (NsSchemaData) self = g_new0 (NsSchemaData, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->bytes = bytes;
  self->size = size;
  g_mutex_init (&self->lock);
  if (!place_parts (self, error) || !check_names (self, error) || !check_providers (self, error))
    return NULL;
  self->slots = g_new0 (gpointer, self->n_providers);
  return g_steal_pointer (&self);
}

/**
 * ns_schema_data_ref:
 * @self: a directory
 *
 * Returns: (transfer full): @self
 */
NsSchemaData *
ns_schema_data_ref (NsSchemaData *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

/**
 * ns_schema_data_unref:
 * @self: (transfer full) (nullable): a directory
 *
 * The last owner frees @self and its blocks.
 */
void
ns_schema_data_unref (NsSchemaData *self)
{
  if (self == NULL || !g_atomic_ref_count_dec (&self->ref_count))
    return;
  for (guint i = 0; self->slots != NULL && i < self->n_providers; i++)
    {
      Slot *slot = self->slots[i];

      if (slot == NULL)
        continue;
      ns_schema_block_free (slot->block);
      g_free (slot->refusal);
      g_free (slot);
    }
  g_free (self->slots);
  g_mutex_clear (&self->lock);
  g_free (self);
}

/**
 * ns_schema_data_get_n_providers:
 * @self: a directory
 *
 * Returns: the number of providers
 */
guint
ns_schema_data_get_n_providers (const NsSchemaData *self)
{
  return self->n_providers;
}

/**
 * ns_schema_data_get_guid:
 * @self: a directory
 * @number: number of a provider, in the order of the GUIDs' bytes
 * @guid: (out): its GUID
 */
void
ns_schema_data_get_guid (const NsSchemaData *self, guint number, NsGuid *guid)
{
  memcpy (guid, self->guids + (gsize) number * sizeof *guid, sizeof *guid);
}

/**
 * ns_schema_data_get_name:
 * @self: a directory
 * @number: a provider
 *
 * Returns: (transfer none): its name
 */
const char *
ns_schema_data_get_name (const NsSchemaData *self, guint number)
{
  return self->names + get_column (self, COLUMN_NAME, number);
}

/**
 * ns_schema_data_find:
 * @self: a directory
 * @guid: a provider
 *
 * Returns: its number, or -1
 */
gint
ns_schema_data_find (const NsSchemaData *self, const NsGuid *guid)
{
  guint begin = 0;
  guint end = self->n_providers;

  while (begin < end)
    {
      guint middle = begin + (end - begin) / 2;
      int order =
          memcmp (guid->bytes, self->guids + (gsize) middle * sizeof *guid, sizeof guid->bytes);

      if (order == 0)
        return (gint) middle;
      if (order < 0)
        end = middle;
      else
        begin = middle + 1;
    }
  return -1;
}

/* Decompresses a block: (transfer full). %NULL: the data is damaged. */
static guint8 *
unpack (const NsSchemaData *self, guint number)
{
  guint32 size = get_column (self, COLUMN_UNPACKED, number);
  g_autofree guint8 *bytes = g_malloc (MAX (size, 1));
  z_stream stream = { 0 };
  int status;

  if (inflateInit (&stream) != Z_OK)
    return NULL;
  stream.next_in = (Bytef *) self->bytes + get_column (self, COLUMN_PLACE, number);
  stream.avail_in = get_column (self, COLUMN_SIZE, number);
  stream.next_out = bytes;
  stream.avail_out = size;
  status = inflate (&stream, Z_FINISH);
  if (status == Z_NEED_DICT &&
      inflateSetDictionary (&stream, self->dictionary, self->dictionary_size) == Z_OK)
    status = inflate (&stream, Z_FINISH);
  inflateEnd (&stream);
  if (status != Z_STREAM_END || stream.avail_out != 0 || stream.avail_in != 0)
    return NULL;
  return g_steal_pointer (&bytes);
}

static Slot *
make_slot (const NsSchemaData *self, guint number)
{
  g_autoptr (GError) error = NULL;
  Slot *slot = g_new0 (Slot, 1);
  guint8 *bytes = unpack (self, number);
  const char *name = ns_schema_data_get_name (self, number);

  if (bytes != NULL)
    slot->block =
        ns_schema_block_new (name, bytes, get_column (self, COLUMN_UNPACKED, number), &error);
  if (slot->block == NULL)
    slot->refusal =
        error != NULL
            ? g_strdup (error->message)
            : g_strdup_printf (_ ("The built-in schemas of %s cannot be used: they were modified"),
                               name);
  return slot;
}

/**
 * ns_schema_data_get_block:
 * @self: a directory
 * @number: number of a provider
 * @error: return location
 *
 * Decompresses the block at the first call, in some 0.3 ms per 100 KiB. Thread-safe.
 *
 * Returns: (transfer none) (nullable): the block; %NULL with @error set to
 *   %NS_TRACE_ERROR_TRUNCATED, the same each time, if it is invalid
 */
NsSchemaBlock *
ns_schema_data_get_block (NsSchemaData *self, guint number, GError **error)
{
  Slot *slot = g_atomic_pointer_get (&self->slots[number]);

  if (slot == NULL)
    {
      g_mutex_lock (&self->lock);
      slot = self->slots[number];
      if (slot == NULL)
        {
          slot = make_slot (self, number);
          g_atomic_pointer_set (&self->slots[number], slot);
        }
      g_mutex_unlock (&self->lock);
    }
  if (slot->block == NULL)
    g_set_error_literal (error, NS_TRACE_ERROR, NS_TRACE_ERROR_TRUNCATED, slot->refusal);
  return slot->block;
}
