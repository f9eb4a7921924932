/* Restricted XML parser for instrumentation manifests: elements and attributes, but no entities.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "schema/ns-schema-xml.h"

#include "base/ns-arena.h"
#include "base/ns-error.h"

#include <glib/gi18n-lib.h>
#include <libxml/parser.h>
#include <string.h>

/* Manifests are untrusted. libxml2 parses them without building a tree, and is stopped at the
 * first declaration: entities and default attributes let a short text expand to a very long one,
 * and no manifest needs them. libxml2 2.9 compares each attribute of an element with all others,
 * and with each piece of a tag scans it again for its end. Therefore the text is scanned once
 * beforehand: tags have limits, and each piece ends where a tag or comment ends. Up to the first
 * error, this scan and libxml2 see the same markup, and at the first error libxml2 stops. Text
 * between elements is skipped: manifests store their data in attributes. */
#define BLOCK_BYTES 16384
#define FEED_BYTES 16384
#define NOT_READABLE N_ ("not a readable instrumentation manifest")
#define NO_MEMORY N_ ("there is not enough memory for its descriptions")
#define DECLARES N_ ("it declares entities or a document type")
#define TOO_MANY_ATTRIBUTES N_ ("one of its elements has too many attributes")

#if LIBXML_VERSION >= 21200
typedef const xmlError XmlError;
#else
typedef xmlError XmlError;
#endif

struct _NsSchemaXml
{
  xmlDict *names; /* owns all names */
  NsArena *arena;
  NsSchemaXmlNode *root;
};

typedef struct
{
  NsSchemaXmlNode *node;
  NsSchemaXmlNode *last;
  guint n_namespaces; /* number declared by this element */
} Open;

typedef struct
{
  NsSchemaXml *xml;
  xmlParserCtxt *parser;
  const char *here;  /* position of the scan */
  const char *begin; /* start of the text that was not fed yet */
  const char *end;
  Open open[NS_SCHEMA_XML_MAX_DEPTH];
  guint depth;
  guint n_elements;
  guint n_namespaces; /* number declared by the open elements */
  gboolean is_short_of_memory;
  const char *wrong; /* (nullable): reason for the rejection */
} Walk;

/* Stores the reason and stops libxml2; may be called from its callbacks. */
static void
refuse (Walk *self, const char *why)
{
  if (self->wrong == NULL)
    self->wrong = why;
  xmlStopParser (self->parser);
}

/* Rejects declarations before their contents are read. */
static void
internal_subset_cb (void *data, const xmlChar *name, const xmlChar *id, const xmlChar *system)
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
attribute_decl_cb (void *data,
                   const xmlChar *element,
                   const xmlChar *name,
                   int type,
                   int kind,
                   const xmlChar *value,
                   xmlEnumeration *values)
{
  /* The callback owns the values. */
  xmlFreeEnumeration (values);
  refuse (data, DECLARES);
}

static void
element_decl_cb (void *data, const xmlChar *name, int type, xmlElementContent *content)
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

/* Suppresses messages of libxml2; the reason is derived from the text read so far. */
static void
error_cb (void *data, XmlError *error)
{
  Walk *self = data;

  if (error->code == XML_ERR_NO_MEMORY)
    self->is_short_of_memory = TRUE;
}

/* Copies a value. Without entity replacement, libxml2 leaves `&#38;` for each `&`, because a tree
 * builder would parse the value again. */
static const char *
copy_value (Walk *self, const xmlChar *begin, const xmlChar *end)
{
  static const char ampersand[] = "&#38;";
  const gsize n_ampersand = sizeof ampersand - 1;
  char *value = ns_arena_strndup (self->xml->arena, (const char *) begin, (gsize) (end - begin));
  const char *in = strchr (value, '&');
  char *out = value + (in != NULL ? in - value : 0);

  if (in == NULL)
    return value;
  while (*in != '\0')
    {
      *out++ = *in;
      in += strncmp (in, ampersand, n_ampersand) == 0 ? n_ampersand : 1;
    }
  *out = '\0';
  return value;
}

/* Copies attributes. libxml2 passes five pointers per attribute: name, prefix, namespace, begin and
 * end of the value. */
static const NsSchemaXmlAttribute *
copy_attributes (Walk *self, const xmlChar *const *from, guint n)
{
  NsSchemaXmlAttribute *attributes =
      ns_arena_alloc (self->xml->arena, n * sizeof (NsSchemaXmlAttribute));
  guint i;

  for (i = 0; i < n; i++, from += 5)
    {
      const xmlChar *name =
          from[1] != NULL ? xmlDictQLookup (self->xml->names, from[1], from[0]) : from[0];

      attributes[i].name = name != NULL ? (const char *) name : "";
      attributes[i].value = copy_value (self, from[3], from[4]);
    }
  return attributes;
}

static void
add_node (Walk *self, NsSchemaXmlNode *node, guint n_namespaces)
{
  Open *parent = self->depth > 0 ? &self->open[self->depth - 1] : NULL;

  if (parent == NULL)
    self->xml->root = node;
  else if (parent->last == NULL)
    parent->node->first = node;
  else
    parent->last->next = node;
  if (parent != NULL)
    parent->last = node;
  self->open[self->depth++] = (Open){ node, NULL, n_namespaces };
  self->n_namespaces += n_namespaces;
}

static void
begin_element_cb (void *data,
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
  NsSchemaXmlNode *node;

  if (self->wrong != NULL)
    return;
  if (n_attributes > NS_SCHEMA_XML_MAX_ATTRIBUTES)
    refuse (self, TOO_MANY_ATTRIBUTES);
  else if (self->n_elements == NS_SCHEMA_XML_MAX_ELEMENTS)
    refuse (self, N_ ("it has too many elements"));
  else if (self->depth == NS_SCHEMA_XML_MAX_DEPTH)
    refuse (self, N_ ("its elements are nested too deeply"));
  /* libxml2 compares each prefix with all declared ones. */
  else if (self->n_namespaces + (guint) n_namespaces > NS_SCHEMA_XML_MAX_NAMESPACES)
    refuse (self, N_ ("it declares too many namespaces"));
  if (self->wrong != NULL)
    return;
  self->n_elements++;
  node = ns_arena_new0 (self->xml->arena, NsSchemaXmlNode);
  node->name = (const char *) name;
  node->n_attributes = (guint) n_attributes;
  node->attributes = copy_attributes (self, attributes, node->n_attributes);
  add_node (self, node, (guint) n_namespaces);
}

static void
end_element_cb (void *data, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri)
{
  Walk *self = data;

  if (self->wrong == NULL && self->depth > 0)
    self->n_namespaces -= self->open[--self->depth].n_namespaces;
}

/* Creates a parser without callbacks for texts, comments and instructions. */
static xmlParserCtxt *
parser_new (Walk *walk)
{
  xmlSAXHandler sax = {
    .initialized = XML_SAX2_MAGIC,
    .internalSubset = internal_subset_cb,
    .externalSubset = internal_subset_cb,
    .entityDecl = entity_decl_cb,
    .attributeDecl = attribute_decl_cb,
    .elementDecl = element_decl_cb,
    .reference = reference_cb,
    .getEntity = get_entity_cb,
    .startElementNs = begin_element_cb,
    .endElementNs = end_element_cb,
    .serror = error_cb,
  };
  xmlParserCtxt *parser = xmlCreatePushParserCtxt (&sax, walk, NULL, 0, NULL);

  /* The text is converted to UTF-8, regardless of its declaration. */
  if (parser != NULL)
    xmlCtxtUseOptions (parser, XML_PARSE_NONET | XML_PARSE_IGNORE_ENC);
  return parser;
}

/* Feeds libxml2 up to the scan position; %FALSE: it stopped. It does not treat an undeclared
 * prefix as an error. */
static gboolean
feed (Walk *self, gboolean is_last)
{
  xmlParseChunk (self->parser, self->begin, (int) (self->here - self->begin), is_last);
  self->begin = self->here;
  return self->wrong == NULL && !self->is_short_of_memory && self->parser->wellFormed != 0;
}

static gboolean
begins_with (const Walk *self, const char *text)
{
  gsize n = strlen (text);

  return (gsize) (self->end - self->here) >= n && memcmp (self->here, text, n) == 0;
}

/* Skips @before, and everything up to the end of @text, or to the end of the document. */
static gboolean
skip_to (Walk *self, const char *before, const char *text)
{
  const char *found;

  self->here += strlen (before);
  found = g_strstr_len (self->here, self->end - self->here, text);
  self->here = found != NULL ? found + strlen (text) : self->end;
  return TRUE;
}

/* Skips a tag, or to the end of the document, and counts the attributes by their values. */
static gboolean
skip_tag (Walk *self)
{
  const char *begin = self->here;
  guint n_values = 0;
  char quote = 0;

  for (; self->here < self->end; self->here++)
    {
      char c = *self->here;

      if (self->here - begin >= NS_SCHEMA_XML_MAX_TAG_BYTES)
        {
          refuse (self, N_ ("an element of it is too long"));
          return FALSE;
        }
      if (quote != 0)
        quote = c == quote ? 0 : quote;
      else if (c == '>')
        {
          self->here++;
          break;
        }
      else if (c == '"' || c == '\'')
        {
          if (n_values++ == NS_SCHEMA_XML_MAX_ATTRIBUTES)
            {
              refuse (self, TOO_MANY_ATTRIBUTES);
              return FALSE;
            }
          quote = c;
        }
    }
  return TRUE;
}

/* Skips markup that begins with `<`. */
static gboolean
skip_markup (Walk *self)
{
  if (begins_with (self, "<!--"))
    return skip_to (self, "<!--", "-->");
  if (begins_with (self, "<![CDATA["))
    return skip_to (self, "<![CDATA[", "]]>");
  if (begins_with (self, "<?"))
    return skip_to (self, "<?", "?>");
  /* Feed a declaration immediately, so that libxml2 stops at it. */
  if (begins_with (self, "<!"))
    return skip_to (self, "<!", ">") && feed (self, FALSE);
  return skip_tag (self);
}

static gboolean
read_document (Walk *self)
{
  while (self->here < self->end)
    {
      const char *markup = memchr (self->here, '<', (gsize) (self->end - self->here));

      self->here = markup != NULL ? markup : self->end;
      if (markup != NULL && !skip_markup (self))
        return FALSE;
      if (self->here - self->begin >= FEED_BYTES && !feed (self, FALSE))
        return FALSE;
    }
  return feed (self, TRUE) && self->depth == 0 && self->xml->root != NULL;
}

/* Detects UTF-16 by its byte order mark, or by the first `<`. */
static const char *
get_wide (const guint8 *bytes, gsize n_bytes)
{
  if (n_bytes < 2)
    return NULL;
  if ((bytes[0] == 0xfe && bytes[1] == 0xff) || (bytes[0] == 0 && bytes[1] == '<'))
    return "UTF-16BE";
  return (bytes[0] == 0xff && bytes[1] == 0xfe) || (bytes[0] == '<' && bytes[1] == 0) ? "UTF-16LE"
                                                                                      : NULL;
}

/* Returns whether the XML declaration has an unsupported encoding. A UTF-8 text that declares
 * UTF-16 was converted by its sender, and is accepted. */
static gboolean
is_foreign (const char *text, const char *end)
{
  static const char *const known[] = {
    "utf-8", "utf8", "utf-16", "utf-16le", "utf-16be", "us-ascii"
  };
  const char *stop;
  const char *name;
  const char *name_end;
  guint i;

  if (end - text < 6 || memcmp (text, "<?xml", 5) != 0 || strchr (" \t\r\n", text[5]) == NULL)
    return FALSE;
  stop = g_strstr_len (text, end - text, "?>");
  name = stop != NULL ? g_strstr_len (text, stop - text, "encoding") : NULL;
  if (name == NULL)
    return FALSE;
  for (name += strlen ("encoding"); name < stop && strchr (" \t\r\n=", *name) != NULL; name++)
    ;
  if (*name != '"' && *name != '\'')
    return FALSE;
  name_end = memchr (name + 1, *name, (gsize) (stop - name - 1));
  if (name_end == NULL)
    return FALSE;
  name++;
  for (i = 0; i < G_N_ELEMENTS (known); i++)
    if ((gsize) (name_end - name) == strlen (known[i]) &&
        g_ascii_strncasecmp (name, known[i], strlen (known[i])) == 0)
      return FALSE;
  return TRUE;
}

/* Sets the text in UTF-8: @xml itself, or @converted; %FALSE: *@why is the reason. */
static gboolean
take_text (Walk *self, const char *xml, gsize n_bytes, char **converted, const char **why)
{
  const char *wide = get_wide ((const guint8 *) xml, n_bytes);

  *why = N_ ("it is neither UTF-8 nor UTF-16");
  if (wide != NULL)
    {
      *converted =
          g_convert (xml, (gssize) (n_bytes & ~(gsize) 1), "UTF-8", wide, NULL, &n_bytes, NULL);
      xml = *converted;
      if (xml == NULL)
        return FALSE;
    }
  while (n_bytes > 0 && xml[n_bytes - 1] == '\0')
    n_bytes--;
  if (!g_utf8_validate_len (xml, n_bytes, NULL))
    return FALSE;
  self->here = xml;
  self->end = xml + n_bytes;
  if (begins_with (self, "\xef\xbb\xbf"))
    self->here += 3;
  self->begin = self->here;
  if (is_foreign (self->here, self->end))
    self->wrong = N_ ("it declares an encoding other than UTF-8 and UTF-16");
  return self->wrong == NULL;
}

/* Parses the text. The error handler also receives libxml2's memory errors without a context. */
static gboolean
parse (Walk *self)
{
  gboolean is_read = FALSE;

  xmlSetStructuredErrorFunc (self, error_cb);
  self->parser = parser_new (self);
  if (self->parser != NULL)
    {
      self->xml->names = self->parser->dict;
      xmlDictReference (self->xml->names);
      is_read = read_document (self);
      /* libxml2 does not always pass memory errors to the handler. */
      self->is_short_of_memory |= self->parser->errNo == XML_ERR_NO_MEMORY;
      xmlFreeParserCtxt (self->parser);
    }
  else
    self->is_short_of_memory = TRUE;
  xmlSetStructuredErrorFunc (NULL, NULL);
  return is_read && !self->is_short_of_memory;
}

/**
 * ns_schema_xml_new:
 * @xml: (array length=n_bytes): a text, in UTF-8 or UTF-16
 * @n_bytes: its size in bytes; parsing takes time and memory proportional to it
 * @error: %NS_TRACE_ERROR_LIMIT: it exceeds the limits of manifests, or has an unsupported
 *   encoding; %NS_TRACE_ERROR_OPEN: it is not XML, or there is not enough memory
 *
 * Returns: (transfer full) (nullable): the document; %NULL with @error set if it is rejected
 */
NsSchemaXml *
ns_schema_xml_new (const char *xml, gsize n_bytes, GError **error)
{
  g_autoptr (NsSchemaXml) self = g_new0 (NsSchemaXml, 1);
  g_autofree char *converted = NULL;
  Walk walk = { .xml = self };
  const char *why = N_ ("it is too large for a description of events");
  NsTraceError code = NS_TRACE_ERROR_LIMIT;

  self->arena = ns_arena_new (BLOCK_BYTES);
  if (n_bytes <= NS_SCHEMA_XML_MAX_BYTES)
    {
      code = NS_TRACE_ERROR_OPEN;
      if (take_text (&walk, xml, n_bytes, &converted, &why))
        {
          if (parse (&walk))
            return g_steal_pointer (&self);
          why = walk.is_short_of_memory ? NO_MEMORY : NOT_READABLE;
        }
    }
  if (walk.wrong != NULL)
    {
      code = NS_TRACE_ERROR_LIMIT;
      why = walk.wrong;
    }
  g_set_error_literal (error, NS_TRACE_ERROR, code, _ (why));
  return NULL;
}

/**
 * ns_schema_xml_free:
 * @self: (transfer full) (nullable): a document
 */
void
ns_schema_xml_free (NsSchemaXml *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->arena, ns_arena_free);
  g_clear_pointer (&self->names, xmlDictFree);
  g_free (self);
}

/**
 * ns_schema_xml_get_root:
 * @self: a document
 *
 * Returns: (transfer none): the root element
 */
const NsSchemaXmlNode *
ns_schema_xml_get_root (const NsSchemaXml *self)
{
  return self->root;
}

/**
 * ns_schema_xml_get_size:
 * @self: a document
 *
 * Returns: memory of its elements and values in bytes, without names
 */
gsize
ns_schema_xml_get_size (const NsSchemaXml *self)
{
  return ns_arena_get_size (self->arena);
}

/**
 * ns_schema_xml_get:
 * @node: an element
 * @name: an attribute
 *
 * Returns: (transfer none) (nullable): its value
 */
const char *
ns_schema_xml_get (const NsSchemaXmlNode *node, const char *name)
{
  guint i;

  for (i = 0; i < node->n_attributes; i++)
    if (strcmp (node->attributes[i].name, name) == 0)
      return node->attributes[i].value;
  return NULL;
}

/**
 * ns_schema_xml_is:
 * @node: an element
 * @name: a name
 *
 * Returns: %TRUE if the element has that name, in any namespace
 */
gboolean
ns_schema_xml_is (const NsSchemaXmlNode *node, const char *name)
{
  return strcmp (node->name, name) == 0;
}
