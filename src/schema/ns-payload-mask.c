/* Masks the secret bytes of a payload.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "schema/ns-payload-mask.h"

#include "base/ns-secrets.h"
#include "schema/ns-payload.h"

#include <string.h>

typedef struct
{
  const NsSecrets *secrets;
  const guint8 *payload;
  gsize size;
  guint8 *copy; /* copy of the payload, made at the first secret */
} Masking;

static guint8 *
get_copy (Masking *self, const NsPayloadItem *item)
{
  if (self->copy == NULL)
    self->copy = g_memdup2 (self->payload, self->size);
  return self->copy + (item->data - self->payload);
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

static gboolean
mask_item (const NsPayloadItem *item, gpointer user_data)
{
  Masking *self = user_data;
  guint64 number;

  if ((item->kind != NS_ITEM_VALUE && item->kind != NS_ITEM_REST) || item->size == 0)
    return TRUE;
  if (item->is_secret ||
      (item->kind == NS_ITEM_VALUE && ns_secrets_is_secret_name (self->secrets, item->field->name)))
    {
      if (item->kind == NS_ITEM_REST || !ns_value_get_uint (item, &number))
        fill (get_copy (self, item), item->size);
    }
  else if (item->kind == NS_ITEM_VALUE && ns_secrets_is_command_name (item->field->name))
    {
      ns_secrets_mask_command_bytes (self->secrets, get_copy (self, item), item->size);
    }
  else
    {
      /* Secrets are also searched per value: a value may begin with a word that is not
       * recognized within the whole payload. */
      g_autofree guint8 *masked = ns_secrets_dup_masked (self->secrets, item->data, item->size);

      if (masked != NULL)
        memcpy (get_copy (self, item), masked, item->size);
    }
  return TRUE;
}

/**
 * ns_payload_dup_masked:
 * @schema: the layout of the payload
 * @record: a record
 * @secrets: (nullable): definition of secrets; %NULL: the default
 *
 * Returns: (transfer full) (nullable): the payload with secret bytes replaced by asterisks, in the
 *   same length; %NULL if nothing is secret, or secrets are shown
 */
guint8 *
ns_payload_dup_masked (const NsSchema *schema, const NsRecord *record, const NsSecrets *secrets)
{
  Masking self = { secrets, record->payload, record->payload_size, NULL };

  if (ns_secrets_are_shown (secrets) || self.size == 0)
    return NULL;
  if (ns_payload_is_secret (record) && schema->n_fields == 0)
    {
      self.copy = g_memdup2 (self.payload, self.size);
      fill (self.copy, self.size);
      return self.copy;
    }
  ns_payload_walk (schema, record, mask_item, &self);
  if (self.copy == NULL)
    return ns_secrets_dup_masked (secrets, self.payload, self.size);
  ns_secrets_mask_bytes (secrets, self.copy, self.size);
  return self.copy;
}
