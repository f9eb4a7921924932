/* Typed access to the fields of an event.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-secrets.h"
#include "schema/ns-schema.h"

G_BEGIN_DECLS

typedef enum
{
  NS_ITEM_VALUE, /* one value, or one element of an array */
  NS_ITEM_ARRAY_BEGIN,
  NS_ITEM_ARRAY_END,
  NS_ITEM_STRUCT_BEGIN, /* one struct, or one element of an array of structs */
  NS_ITEM_STRUCT_END,
  NS_ITEM_REST, /* bytes after the last known field (field is %NULL) */
} NsItemKind;

typedef struct
{
  NsItemKind kind;
  const NsSchemaField *field;
  const guint8 *data; /* owned by the record */
  guint32 size;       /* size of the value, without a length prefix or a terminating NUL */
  guint32 offset;     /* offset of the value in the payload, for the hex view */
  guint8 pointer_size;
  guint8 depth;
  gboolean is_secret; /* to be shown only with the user's consent, see ns-secrets */
} NsPayloadItem;

/**
 * NsPayloadFunc:
 * @item: an item, valid during the call only
 * @user_data: data of the caller
 *
 * Returns: %FALSE to stop the walk
 */
typedef gboolean (*NsPayloadFunc) (const NsPayloadItem *item, gpointer user_data);

typedef enum
{
  NS_PAYLOAD_EXACT,  /* the layout covers every byte */
  NS_PAYLOAD_LONGER, /* bytes remain: a newer version appended fields */
  NS_PAYLOAD_SHORT,  /* the payload ended before the last field */
  NS_PAYLOAD_BAD,    /* an impossible count or length */
} NsPayloadResult;

NsPayloadResult ns_payload_walk (const NsSchema *schema,
                                 const NsRecord *record,
                                 NsPayloadFunc func,
                                 gpointer user_data);
gboolean ns_payload_is_secret (const NsRecord *record);
gboolean ns_payload_find (const NsSchema *schema,
                          const NsRecord *record,
                          const char *name,
                          NsPayloadItem *item);

/* Functions on items of the kind %NS_ITEM_VALUE. */
gboolean ns_value_get_uint (const NsPayloadItem *item, guint64 *value);
gboolean ns_value_is_signed (const NsPayloadItem *item);
void ns_value_append_text (const NsPayloadItem *item, const NsSecrets *secrets, GString *text);
void ns_value_append_json (const NsPayloadItem *item, const NsSecrets *secrets, GString *text);

/* Formats the whole event: `{"name":value,…}`, or `NAME VALUE NAME VALUE` with braces around
 * values with blanks. */
NsPayloadResult ns_payload_append_json (const NsSchema *schema,
                                        const NsRecord *record,
                                        const NsSecrets *secrets,
                                        GString *text);
NsPayloadResult ns_payload_append_dump (const NsSchema *schema,
                                        const NsRecord *record,
                                        const NsSecrets *secrets,
                                        GString *text);

G_END_DECLS
