/* Parses events of Microsoft-Windows-CAPI2, whose only field is an XML text.
 *
 * The elements are those of public samples (`providers.md` 6). The text may be truncated: libxml2
 * reports elements as it reads them, and everything before the first error is used.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "schema/ns-schema-capi2.h"

#include <libxml/parser.h>
#include <string.h>

#define MAX_TEXT 2048

typedef struct
{
  NsSchemaCapi2 *facts;
  xmlParserCtxt *parser;
  GString *url; /* NULL: outside of the element */
} Walk;

static void
stop (void *data)
{
  xmlStopParser (((Walk *) data)->parser);
}

static void
subset_cb (void *data, const xmlChar *name, const xmlChar *id, const xmlChar *system)
{
  stop (data);
}

static void
reference_cb (void *data, const xmlChar *name)
{
  stop (data);
}

static xmlEntity *
get_entity_cb (void *data, const xmlChar *name)
{
  return xmlGetPredefinedEntity (name);
}

/* Returns the value of an attribute; (transfer full) (nullable). Without entity replacement,
 * libxml2 leaves `&#38;` for each `&`. */
static char *
dup_attribute (const xmlChar **attributes, int n_attributes, const char *name)
{
  int i;

  for (i = 0; i < n_attributes; i++, attributes += 5)
    if (strcmp ((const char *) attributes[0], name) == 0)
      {
        gsize n_bytes = MIN ((gsize) (attributes[4] - attributes[3]), MAX_TEXT);
        GString *value = g_string_new_len ((const char *) attributes[3], (gssize) n_bytes);

        g_string_replace (value, "&#38;", "&", 0);
        return g_string_free (value, FALSE);
      }
  return NULL;
}

/* Reads a hexadecimal number without 0x. */
static gboolean
read_hex (const xmlChar **attributes, int n_attributes, guint32 *number)
{
  g_autofree char *text = dup_attribute (attributes, n_attributes, "value");
  guint64 value;

  if (text == NULL || !g_ascii_string_to_unsigned (text, 16, 0, G_MAXUINT32, &value, NULL))
    return FALSE;
  *number = (guint32) value;
  return TRUE;
}

static void
begin_cb (void *data,
          const xmlChar *name,
          const xmlChar *prefix,
          const xmlChar *uri,
          int n_namespaces,
          const xmlChar **namespaces,
          int n_attributes,
          int n_defaulted,
          const xmlChar **attributes)
{
  Walk *self = data;
  NsSchemaCapi2 *facts = self->facts;
  const char *element = (const char *) name;

  if (strcmp (element, "CorrelationAuxInfo") == 0 && facts->task == NULL)
    {
      g_autofree char *seq = dup_attribute (attributes, n_attributes, "SeqNumber");
      guint64 number;

      facts->task = dup_attribute (attributes, n_attributes, "TaskId");
      if (seq != NULL && g_ascii_string_to_unsigned (seq, 10, 1, G_MAXUINT32, &number, NULL))
        facts->seq = (guint32) number;
    }
  else if (strcmp (element, "Certificate") == 0 && facts->subject == NULL)
    facts->subject = dup_attribute (attributes, n_attributes, "subjectName");
  else if (strcmp (element, "Result") == 0 && !facts->has_result)
    facts->has_result = read_hex (attributes, n_attributes, &facts->result);
  else if (strcmp (element, "Error") == 0 && !facts->has_error)
    facts->has_error = read_hex (attributes, n_attributes, &facts->error);
  else if (strcmp (element, "URL") == 0 && facts->url == NULL && self->url == NULL)
    self->url = g_string_new (NULL);
}

static void
characters_cb (void *data, const xmlChar *text, int n_bytes)
{
  Walk *self = data;

  if (self->url != NULL && n_bytes > 0 && self->url->len + (gsize) n_bytes <= MAX_TEXT)
    g_string_append_len (self->url, (const char *) text, n_bytes);
}

static void
end_cb (void *data, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri)
{
  Walk *self = data;

  if (self->url != NULL && strcmp ((const char *) name, "URL") == 0)
    self->facts->url = g_strstrip (g_string_free (g_steal_pointer (&self->url), FALSE));
}

/* Returns whether a tag is too long: libxml2 compares all attributes of a tag with each other,
 * in quadratic time. */
static gboolean
has_long_tag (const char *xml, gsize n_bytes)
{
  const char *end = xml + n_bytes;
  const char *open = memchr (xml, '<', n_bytes);

  while (open != NULL)
    {
      const char *close = memchr (open, '>', (gsize) (end - open));

      if ((close != NULL ? close : end) - open > NS_SCHEMA_CAPI2_MAX_TAG_BYTES)
        return TRUE;
      open = close != NULL ? memchr (close, '<', (gsize) (end - close)) : NULL;
    }
  return FALSE;
}

/**
 * ns_schema_capi2_read:
 * @self: (out caller-allocates): the facts
 * @xml: (array length=n_bytes): the text, in UTF-8
 * @n_bytes: its size in bytes
 *
 * Reads the text up to the first error.
 */
void
ns_schema_capi2_read (NsSchemaCapi2 *self, const char *xml, gsize n_bytes)
{
  xmlSAXHandler sax = {
    .initialized = XML_SAX2_MAGIC,
    .internalSubset = subset_cb,
    .externalSubset = subset_cb,
    .reference = reference_cb,
    .getEntity = get_entity_cb,
    .startElementNs = begin_cb,
    .endElementNs = end_cb,
    .characters = characters_cb,
  };
  Walk walk = { .facts = self };

  memset (self, 0, sizeof *self);
  if (n_bytes == 0 || n_bytes > G_MAXUINT16 || has_long_tag (xml, n_bytes))
    return;
  walk.parser = xmlCreatePushParserCtxt (&sax, &walk, NULL, 0, NULL);
  if (walk.parser == NULL)
    return;
  xmlCtxtUseOptions (walk.parser,
                     XML_PARSE_NONET | XML_PARSE_IGNORE_ENC | XML_PARSE_NOERROR |
                         XML_PARSE_NOWARNING);
  xmlParseChunk (walk.parser, xml, (int) n_bytes, 1);
  xmlFreeParserCtxt (walk.parser);
  if (walk.url != NULL)
    g_string_free (walk.url, TRUE);
}

/**
 * ns_schema_capi2_clear:
 * @self: facts filled in by ns_schema_capi2_read()
 *
 * Frees the contents of @self.
 */
void
ns_schema_capi2_clear (NsSchemaCapi2 *self)
{
  g_clear_pointer (&self->task, g_free);
  g_clear_pointer (&self->subject, g_free);
  g_clear_pointer (&self->url, g_free);
}
