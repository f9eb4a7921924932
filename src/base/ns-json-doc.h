/* JSON text taken apart without building objects: for the parameters that events carry as JSON.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define NS_JSON_MAX_TOKENS 2048
#define NS_JSON_MAX_DEPTH 24

typedef enum
{
  NS_JSON_OBJECT,
  NS_JSON_ARRAY,
  NS_JSON_STRING,
  NS_JSON_PRIMITIVE, /* number, true, false, null */
} NsJsonType;

/* A piece of the text; members of an object are key, value, key, value … */
typedef struct
{
  guint32 begin;
  guint32 end;  /* strings without their quotes */
  guint32 next; /* number of the token behind this one and all inside it */
  guint8 type;
} NsJsonToken;

typedef struct
{
  const char *text;
  guint n_tokens;
  NsJsonToken tokens[NS_JSON_MAX_TOKENS];
} NsJsonDoc;

/* "There is no such token". */
#define NS_JSON_NONE G_MAXUINT

gboolean ns_json_doc_parse (NsJsonDoc *self, const char *text, gsize size);
guint ns_json_doc_get (const NsJsonDoc *self, guint object, const char *key);
guint ns_json_doc_first (const NsJsonDoc *self, guint container);
guint ns_json_doc_after (const NsJsonDoc *self, guint container, guint token);
gboolean ns_json_doc_get_int (const NsJsonDoc *self, guint token, gint64 *value);
gboolean ns_json_doc_is_true (const NsJsonDoc *self, guint token);
char *ns_json_doc_dup_string (const NsJsonDoc *self, guint token);

G_END_DECLS
