/* JSON tokenizer that builds no objects, for event parameters in JSON.
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

/* A part of the text; the children of an object alternate between keys and values. */
typedef struct
{
  guint32 begin;
  guint32 end;  /* quotes of strings excluded */
  guint32 next; /* index of the next token after this one and its children */
  guint8 type;
} NsJsonToken;

typedef struct
{
  const char *text;
  guint n_tokens;
  NsJsonToken tokens[NS_JSON_MAX_TOKENS];
} NsJsonDoc;

/* Represents a missing token. */
#define NS_JSON_NONE G_MAXUINT

gboolean ns_json_doc_parse (NsJsonDoc *self, const char *text, gsize size);
guint ns_json_doc_get (const NsJsonDoc *self, guint object, const char *key);
guint ns_json_doc_first (const NsJsonDoc *self, guint container);
guint ns_json_doc_after (const NsJsonDoc *self, guint container, guint token);
gboolean ns_json_doc_get_int (const NsJsonDoc *self, guint token, gint64 *value);
gboolean ns_json_doc_is_true (const NsJsonDoc *self, guint token);
char *ns_json_doc_dup_string (const NsJsonDoc *self, guint token);

G_END_DECLS
