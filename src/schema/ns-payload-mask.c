/* Masks the secret bytes of a payload.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "schema/ns-payload-mask.h"

#include "base/ns-secrets.h"
#include "etl/ns-provider-guids.h"
#include "schema/ns-payload.h"
#include "schema/ns-schema-sent.h"
#include "schema/ns-value.h"

#include <string.h>

#define IPV6_SIZE 16
/* Byte by which a piece of a manifest is recognized. */
#define PIECE_MAGIC_AT 3
#define PIECE_MAGIC 0x5b
/* Size of the longest address of a socket; a buffer for one may be longer. */
#define SOCKADDR_IN6_SIZE 28

typedef struct
{
  const NsSecrets *secrets;
  const guint8 *payload;
  gsize size;
  guint8 *copy;            /* copy of the payload, made at the first secret */
  gboolean is_description; /* contains no traffic */
  guint n_arrays;          /* number of arrays around the current item */
  gsize array_at;          /* where the last array began */
} Masking;

static guint8 *
get_copy (Masking *self, gsize offset)
{
  if (self->copy == NULL)
    self->copy = g_memdup2 (self->payload, self->size);
  return self->copy + offset;
}

/* Overwrites all bytes except zeros, so that texts keep their terminators. */
static void
fill (guint8 *at, gsize size)
{
  gboolean is_wide = size >= 2 && size % 2 == 0 && at[1] == 0;
  gsize i;

  for (i = 0; i < size; i++)
    if (at[i] != 0)
      at[i] = is_wide && i % 2 == 1 ? 0 : NS_SECRETS_BYTE;
}

/* Returns whether the record describes other records or the machine, so that it contains no
 * traffic.
 */
static gboolean
is_description (const NsRecord *record)
{
  static const NsGuid classes[] = {
    NS_GUID_EVENT_METADATA,   NS_GUID_EVENT_TRACE, NS_GUID_SYSTEM_CONFIG,
    NS_GUID_SYSTEM_CONFIG_EX, NS_GUID_IMAGE_ID,
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (classes); i++)
    if (ns_guid_equal (&record->guid, &classes[i]))
      return TRUE;
  return (record->flags & NS_RECORD_MANIFEST) != 0 && record->id == NS_SCHEMA_SENT_ID &&
         record->payload_size > PIECE_MAGIC_AT && record->payload[PIECE_MAGIC_AT] == PIECE_MAGIC;
}

/* Returns whether a type is a single byte or character, whose arrays may be texts or traffic. */
static gboolean
is_unit (guint in_type)
{
  switch (in_type)
    {
    case NS_IN_INT8:
    case NS_IN_UINT8:
    case NS_IN_INT16:
    case NS_IN_UINT16:
    case NS_IN_BOOL8:
    case NS_IN_ANSICHAR:
    case NS_IN_UNICODECHAR:
      return TRUE;
    default:
      return FALSE;
    }
}

/* Returns the number of leading bytes of a value that are an address. */
static gsize
get_address_size (const NsPayloadItem *item)
{
  if (item->field->out_type == NS_OUT_IPV6 && item->size == IPV6_SIZE)
    return item->size;
  if (item->field->out_type == NS_OUT_SOCKETADDRESS &&
      ns_value_is_socket_address (item->data, MIN (item->size, SOCKADDR_IN6_SIZE)))
    return MIN (item->size, SOCKADDR_IN6_SIZE);
  return 0;
}

/* Returns the number of leading bytes of a value that are a number, a GUID, a time, an address or a
 * SID by its type, so that they cannot be a secret. */
static gsize
get_fixed_size (const Masking *self, const NsPayloadItem *item)
{
  if (item->kind != NS_ITEM_VALUE || item->field == NULL)
    return 0;
  switch (item->field->in_type)
    {
    case NS_IN_INT8:
    case NS_IN_UINT8:
    case NS_IN_INT16:
    case NS_IN_UINT16:
    case NS_IN_BOOL8:
      return self->n_arrays == 0 ? item->size : 0;
    case NS_IN_INT32:
    case NS_IN_UINT32:
    case NS_IN_INT64:
    case NS_IN_UINT64:
    case NS_IN_FLOAT:
    case NS_IN_DOUBLE:
    case NS_IN_BOOLEAN:
    case NS_IN_GUID:
    case NS_IN_POINTER:
    case NS_IN_FILETIME:
    case NS_IN_SYSTEMTIME:
    case NS_IN_SID:
    case NS_IN_HEXINT32:
    case NS_IN_HEXINT64:
    case NS_IN_SIZET:
    case NS_IN_WBEMSID:
      return item->size;
    case NS_IN_BINARY:
      return get_address_size (item);
    default:
      return 0;
    }
}

/* Returns whether a value is an 8-bit or UTF-16 text. An 8-bit one with control characters may be
 * traffic: some layouts declare bytes as text. */
static gboolean
is_text (const NsPayloadItem *item)
{
  gsize size = item->size;
  gsize i;

  switch (item->field->in_type)
    {
    case NS_IN_UNICODESTRING:
    case NS_IN_COUNTEDSTRING:
    case NS_IN_WBEM_COUNTEDSTRING:
    case NS_IN_REVERSEDCOUNTEDSTRING:
    case NS_IN_NONNULLTERMINATEDSTRING:
    case NS_IN_UNICODECHAR:
      return TRUE;
    case NS_IN_ANSISTRING:
    case NS_IN_COUNTEDANSISTRING:
    case NS_IN_WBEM_COUNTEDANSISTRING:
    case NS_IN_REVERSEDCOUNTEDANSISTRING:
    case NS_IN_NONNULLTERMINATEDANSISTRING:
      while (size > 0 && item->data[size - 1] == 0)
        size--;
      for (i = 0; i < size; i++)
        if (g_ascii_iscntrl (item->data[i]) && !g_ascii_isspace (item->data[i]))
          return FALSE;
      return TRUE;
    default:
      return FALSE;
    }
}

static void
search (Masking *self, gsize offset, gsize size, gboolean as_text)
{
  const guint8 *data = (self->copy != NULL ? self->copy : self->payload) + offset;
  g_autofree guint8 *masked = as_text || self->is_description
                                  ? ns_secrets_dup_masked_text (self->secrets, data, size)
                                  : ns_secrets_dup_masked (self->secrets, data, size);

  if (masked != NULL)
    memcpy (get_copy (self, offset), masked, size);
}

static gboolean
is_secret_item (const Masking *self, const NsPayloadItem *item)
{
  return item->is_secret || (item->kind == NS_ITEM_VALUE &&
                             ns_secrets_is_secret_name (self->secrets, item->field->name));
}

/* Counts the arrays around the current item. */
static void
count_arrays (Masking *self, const NsPayloadItem *item)
{
  if (item->kind == NS_ITEM_ARRAY_BEGIN)
    {
      self->n_arrays++;
      self->array_at = item->offset;
    }
  else if (item->kind == NS_ITEM_ARRAY_END)
    self->n_arrays--;
}

static gboolean
mask_item (const NsPayloadItem *item, gpointer user_data)
{
  Masking *self = user_data;
  guint64 number;

  count_arrays (self, item);
  if (item->kind == NS_ITEM_ARRAY_END && is_unit (item->field->in_type))
    search (self, self->array_at, item->offset - self->array_at, FALSE);
  if ((item->kind != NS_ITEM_VALUE && item->kind != NS_ITEM_REST) || item->size == 0)
    return TRUE;
  if (is_secret_item (self, item))
    {
      if (item->kind == NS_ITEM_REST || !ns_value_get_uint (item, &number))
        fill (get_copy (self, item->offset), item->size);
    }
  else if (item->kind == NS_ITEM_VALUE && ns_secrets_is_command_name (item->field->name))
    ns_secrets_mask_command_bytes (self->secrets, get_copy (self, item->offset), item->size);
  /* Secrets are also searched per value: a value may begin with a word that is not recognized
   * within the whole payload. */
  else if (get_fixed_size (self, item) < item->size)
    search (self, item->offset, item->size, item->kind == NS_ITEM_VALUE && is_text (item));
  return TRUE;
}

/* Restores a number that looked like a part of a secret among the bytes around it. */
static gboolean
restore_item (const NsPayloadItem *item, gpointer user_data)
{
  Masking *self = user_data;
  guint64 number;
  gsize size;

  count_arrays (self, item);
  size = get_fixed_size (self, item);
  if (size > 0 && (!is_secret_item (self, item) || ns_value_get_uint (item, &number)))
    memcpy (self->copy + item->offset, item->data, size);
  return TRUE;
}

/**
 * ns_payload_dup_masked:
 * @schema: the layout of the payload
 * @record: a record
 * @secrets: (nullable): definition of secrets; %NULL: the default
 *
 * Searches texts and bytes for secrets. Numbers, GUIDs, times and addresses stay, unless the
 * payload does not fit the layout.
 *
 * Returns: (transfer full) (nullable): the payload with secret bytes replaced by asterisks, in the
 *   same length; %NULL if nothing is secret, or secrets are shown
 */
guint8 *
ns_payload_dup_masked (const NsSchema *schema, const NsRecord *record, const NsSecrets *secrets)
{
  g_autofree guint8 *copy = NULL;
  Masking self = { .secrets = secrets,
                   .payload = record->payload,
                   .size = record->payload_size,
                   .is_description = is_description (record) };
  NsPayloadResult result;
  gboolean fits;

  if (ns_secrets_are_shown (secrets) || self.size == 0)
    return NULL;
  if (ns_payload_is_secret (record) && schema->n_fields == 0)
    {
      self.copy = g_memdup2 (self.payload, self.size);
      fill (self.copy, self.size);
      return self.copy;
    }
  result = ns_payload_walk (schema, record, mask_item, &self);
  fits = schema->n_fields > 0 && (result == NS_PAYLOAD_EXACT || result == NS_PAYLOAD_LONGER);
  search (&self, 0, self.size, fits);
  self.n_arrays = 0;
  if (fits && self.copy != NULL)
    ns_payload_walk (schema, record, restore_item, &self);
  copy = self.copy;
  if (copy == NULL || memcmp (copy, self.payload, self.size) == 0)
    return NULL;
  return g_steal_pointer (&copy);
}
