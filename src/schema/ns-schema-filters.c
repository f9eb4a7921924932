/* Parses names of Windows Filtering Platform filters from the XML that `netsh wfp` writes.
 *
 * Regardless of the root, an element with the children `filterId` and `displayData/name` is a
 * filter, one with `providerKey` and that name (and no `filterId`) a provider, and one with
 * `layerId` a layer (`providers.md` 3 W5). Such files are large and untrusted: libxml2 reads them
 * in pieces without building a tree, and is stopped at the first declaration.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "schema/ns-schema-filters.h"

#include "base/ns-error.h"
#include "base/ns-hash.h"
#include "base/ns-strings.h"

#include <glib/gi18n-lib.h>
#include <libxml/parser.h>
#include <string.h>

#define FEED_BYTES 65536

typedef enum
{
  TEXT_NONE,
  TEXT_FILTER_ID,
  TEXT_LAYER_ID,
  TEXT_PROVIDER_KEY,
  TEXT_NAME,
} Text;

/* An open element, and the contents of its children. */
typedef struct
{
  gboolean is_display; /* `displayData`: its name is that of the parent */
  gboolean has_filter;
  gboolean has_layer;
  guint64 filter;
  guint64 layer;
  char *provider;
  char *name;
} Open;

typedef struct
{
  char *name;
  char *provider; /* key of the provider */
} Filter;

struct _NsSchemaFilters
{
  GHashTable *filters;   /* guint64 → Filter */
  GHashTable *providers; /* key → name */
  GHashTable *layers;    /* ID → name */
};

typedef struct
{
  NsSchemaFilters *filters;
  xmlParserCtxt *parser;
  Open open[NS_SCHEMA_FILTERS_MAX_DEPTH];
  guint depth;
  Text collecting;
  GString *text;
  const char *wrong;
} Walk;

static void
filter_free (gpointer data)
{
  Filter *self = data;

  g_free (self->name);
  g_free (self->provider);
  g_free (self);
}

static void
refuse (Walk *self, const char *why)
{
  if (self->wrong == NULL)
    self->wrong = why;
  xmlStopParser (self->parser);
}

#define DECLARES N_ ("it declares entities or a document type")

static void
subset_cb (void *data, const xmlChar *name, const xmlChar *id, const xmlChar *system)
{
  refuse (data, DECLARES);
}

static void
entity_decl_cb (void *data,
                const xmlChar *name,
                int type,
                const xmlChar *id,
                const xmlChar *system,
                xmlChar *content)
{
  refuse (data, DECLARES);
}

static void
reference_cb (void *data, const xmlChar *name)
{
  refuse (data, DECLARES);
}

static xmlEntity *
get_entity_cb (void *data, const xmlChar *name)
{
  return xmlGetPredefinedEntity (name);
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
  const char *text = (const char *) name;

  if (self->wrong != NULL)
    return;
  if (self->depth == NS_SCHEMA_FILTERS_MAX_DEPTH)
    {
      refuse (self, N_ ("its elements are nested too deeply"));
      return;
    }
  self->open[self->depth++] = (Open){ .is_display = strcmp (text, "displayData") == 0 };
  g_string_truncate (self->text, 0);
  if (strcmp (text, "filterId") == 0)
    self->collecting = TEXT_FILTER_ID;
  else if (strcmp (text, "layerId") == 0)
    self->collecting = TEXT_LAYER_ID;
  else if (strcmp (text, "providerKey") == 0)
    self->collecting = TEXT_PROVIDER_KEY;
  else if (strcmp (text, "name") == 0 && self->depth > 1 && self->open[self->depth - 2].is_display)
    self->collecting = TEXT_NAME;
  else
    self->collecting = TEXT_NONE;
}

static void
characters_cb (void *data, const xmlChar *text, int n_bytes)
{
  Walk *self = data;

  if (self->collecting != TEXT_NONE && n_bytes > 0 &&
      self->text->len + (gsize) n_bytes <= NS_SCHEMA_FILTERS_MAX_TEXT)
    g_string_append_len (self->text, (const char *) text, n_bytes);
}

static gboolean
read_number (const char *text, guint64 *number)
{
  return g_ascii_string_to_unsigned (text, 10, 0, G_MAXUINT64, number, NULL);
}

/* Passes the text of an element that ends to its parent. */
static void
pass_text (Walk *self, Text kind)
{
  Open *around = self->depth > 0 ? &self->open[self->depth - 1] : NULL;
  const char *text = g_strstrip (self->text->str);

  if (around == NULL)
    return;
  switch (kind)
    {
    case TEXT_FILTER_ID:
      around->has_filter = read_number (text, &around->filter);
      break;
    case TEXT_LAYER_ID:
      around->has_layer = read_number (text, &around->layer);
      break;
    case TEXT_PROVIDER_KEY:
      g_free (around->provider);
      around->provider = g_ascii_strdown (text, -1);
      break;
    case TEXT_NAME:
      g_free (around->name);
      around->name = g_strdup (text);
      break;
    case TEXT_NONE:
    default:
      break;
    }
}

static void
store_element (NsSchemaFilters *self, Open *element)
{
  if (element->name == NULL || *element->name == '\0')
    return;
  if (element->has_filter && g_hash_table_size (self->filters) < NS_SCHEMA_FILTERS_MAX)
    {
      Filter *filter = g_new0 (Filter, 1);
      gint64 *key = g_new (gint64, 1);

      *key = (gint64) element->filter;
      filter->name = g_steal_pointer (&element->name);
      filter->provider = g_steal_pointer (&element->provider);
      g_hash_table_replace (self->filters, key, filter);
    }
  else if (element->has_layer && element->layer <= G_MAXUINT16)
    g_hash_table_replace (self->layers,
                          GUINT_TO_POINTER ((guint) element->layer),
                          g_steal_pointer (&element->name));
  else if (element->provider != NULL && !element->has_filter &&
           g_hash_table_size (self->providers) < NS_SCHEMA_FILTERS_MAX)
    g_hash_table_replace (self->providers,
                          g_steal_pointer (&element->provider),
                          g_steal_pointer (&element->name));
}

static void
end_cb (void *data, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri)
{
  Walk *self = data;
  Text kind = self->collecting;
  Open *element;

  if (self->wrong != NULL || self->depth == 0)
    return;
  element = &self->open[--self->depth];
  self->collecting = TEXT_NONE;
  pass_text (self, kind);
  if (element->is_display && self->depth > 0 && element->name != NULL)
    {
      Open *around = &self->open[self->depth - 1];

      g_free (around->name);
      around->name = g_steal_pointer (&element->name);
    }
  store_element (self->filters, element);
  g_clear_pointer (&element->name, g_free);
  g_clear_pointer (&element->provider, g_free);
}

/* Feeds the parser with pieces that end where markup ends, as libxml2 scans a tag again with
 * each piece of it. Rejects longer tags, and thereby tags with many attributes, which libxml2
 * compares with each other. */
static void
feed_all (Walk *self, const char *data, gsize n_bytes)
{
  const char *end = data + n_bytes;
  const char *begin = data;
  const char *here = data;

  while (here < end && self->wrong == NULL && self->parser->wellFormed)
    {
      const char *open = memchr (here, '<', (gsize) (end - here));
      const char *close = open != NULL ? memchr (open, '>', (gsize) (end - open)) : NULL;

      here = close != NULL ? close + 1 : end;
      if (open != NULL && here - open > NS_SCHEMA_FILTERS_MAX_TAG_BYTES)
        refuse (self, N_ ("an element of it is too long"));
      else if (here - begin >= FEED_BYTES || here == end)
        {
          for (; begin < here && self->wrong == NULL; begin += MIN (here - begin, FEED_BYTES))
            xmlParseChunk (self->parser, begin, (int) MIN (here - begin, FEED_BYTES), 0);
          begin = here;
        }
    }
  if (self->wrong == NULL && self->parser->wellFormed)
    xmlParseChunk (self->parser, data, 0, 1);
}

static void
read_all (Walk *walk, const char *data, gsize n_bytes)
{
  xmlSAXHandler sax = {
    .initialized = XML_SAX2_MAGIC,
    .internalSubset = subset_cb,
    .externalSubset = subset_cb,
    .entityDecl = entity_decl_cb,
    .reference = reference_cb,
    .getEntity = get_entity_cb,
    .startElementNs = begin_cb,
    .endElementNs = end_cb,
    .characters = characters_cb,
    .cdataBlock = characters_cb,
  };

  walk->parser = xmlCreatePushParserCtxt (&sax, walk, NULL, 0, NULL);
  if (walk->parser == NULL)
    return;
  /* The text is converted to UTF-8, regardless of its declaration. */
  xmlCtxtUseOptions (walk->parser,
                     XML_PARSE_NONET | XML_PARSE_IGNORE_ENC | XML_PARSE_NOERROR |
                         XML_PARSE_NOWARNING);
  feed_all (walk, data, n_bytes);
  if (walk->wrong == NULL && !walk->parser->wellFormed)
    walk->wrong = N_ ("it is not XML, or it is damaged");
  xmlFreeParserCtxt (walk->parser);
}

/* Converts UTF-16 with a byte order mark, which some tools write; `netsh` writes UTF-8. */
static char *
dup_utf8 (const char *data, gsize *n_bytes)
{
  char *text;

  if (*n_bytes >= 2 && (guint8) data[0] == 0xff && (guint8) data[1] == 0xfe)
    text = ns_utf8_from_utf16 ((const guint8 *) data + 2, (*n_bytes - 2) & ~(gsize) 1);
  else if (*n_bytes >= 2 && (guint8) data[0] == 0xfe && (guint8) data[1] == 0xff)
    text = g_convert (data, (gssize) *n_bytes, "UTF-8", "UTF-16", NULL, NULL, NULL);
  else
    return NULL;
  *n_bytes = text != NULL ? strlen (text) : 0;
  return text;
}

/**
 * ns_schema_filters_new:
 * @data: (array length=n_bytes): an XML file
 * @n_bytes: its size in bytes
 * @error: %NS_TRACE_ERROR_OPEN
 *
 * Returns: (transfer full) (nullable): the names; %NULL with @error set if the file is invalid
 */
NsSchemaFilters *
ns_schema_filters_new (const char *data, gsize n_bytes, GError **error)
{
  g_autoptr (NsSchemaFilters) self = g_new0 (NsSchemaFilters, 1);
  Walk walk = { .filters = self, .text = g_string_new (NULL) };
  g_autofree char *utf8 = NULL;

  self->filters = g_hash_table_new_full (ns_hash_int64, g_int64_equal, g_free, filter_free);
  self->providers = g_hash_table_new_full (ns_hash_text, g_str_equal, g_free, g_free);
  self->layers = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  if (n_bytes > NS_SCHEMA_FILTERS_MAX_BYTES)
    walk.wrong = N_ ("it has more than 64 MiB");
  else
    {
      utf8 = dup_utf8 (data, &n_bytes);
      read_all (&walk, utf8 != NULL ? utf8 : data, n_bytes);
    }
  while (walk.depth > 0)
    {
      g_free (walk.open[--walk.depth].name);
      g_free (walk.open[walk.depth].provider);
    }
  g_string_free (walk.text, TRUE);
  if (walk.wrong != NULL)
    {
      g_set_error_literal (error, NS_TRACE_ERROR, NS_TRACE_ERROR_OPEN, _ (walk.wrong));
      return NULL;
    }
  return g_steal_pointer (&self);
}

/**
 * ns_schema_filters_free:
 * @self: (transfer full) (nullable): names
 *
 * Frees @self.
 */
void
ns_schema_filters_free (NsSchemaFilters *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->filters);
  g_hash_table_unref (self->providers);
  g_hash_table_unref (self->layers);
  g_free (self);
}

static const Filter *
find (const NsSchemaFilters *self, guint64 filter)
{
  gint64 key = (gint64) filter;

  return g_hash_table_lookup (self->filters, &key);
}

/**
 * ns_schema_filters_get_name:
 * @self: names
 * @filter: ID of a filter
 *
 * Returns: (transfer none) (nullable): its name
 */
const char *
ns_schema_filters_get_name (const NsSchemaFilters *self, guint64 filter)
{
  const Filter *known = find (self, filter);

  return known != NULL ? known->name : NULL;
}

/**
 * ns_schema_filters_get_provider:
 * @self: names
 * @filter: ID of a filter
 *
 * Returns: (transfer none) (nullable): the name of the provider that added it
 */
const char *
ns_schema_filters_get_provider (const NsSchemaFilters *self, guint64 filter)
{
  const Filter *known = find (self, filter);

  return known != NULL && known->provider != NULL
             ? g_hash_table_lookup (self->providers, known->provider)
             : NULL;
}

/**
 * ns_schema_filters_get_layer:
 * @self: names
 * @layer: ID of a layer
 *
 * Returns: (transfer none) (nullable): its name
 */
const char *
ns_schema_filters_get_layer (const NsSchemaFilters *self, guint layer)
{
  return g_hash_table_lookup (self->layers, GUINT_TO_POINTER (layer));
}
