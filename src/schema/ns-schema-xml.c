/* The XML of instrumentation manifests: elements and their attributes, nothing that expands.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "schema/ns-schema-xml.h"

#include "base/ns-arena.h"
#include "base/ns-error.h"
#include "base/ns-strings.h"

#include <string.h>

/* Manifests come from whoever wrote the trace. General readers of XML take declarations of
 * entities and attributes, which let a short text stand for a very long one, and compare each
 * attribute of an element with all others. No manifest needs declarations: they are refused where
 * they begin. What is left is read once from its beginning to its end, in place, and the number of
 * elements, of attributes of one, and of elements within elements have caps.
 *
 * Texts between elements are left out: what manifests say stands in attributes.
 */
#define BLOCK_BYTES 16384

struct _NsSchemaXml
{
  char *text; /* its names and values are parts of it, each with a NUL behind */
  NsArena *arena;
  NsSchemaXmlNode *root;
};

typedef struct
{
  NsSchemaXmlNode *node;
  const char *name; /* with its prefix, as its end has to say it */
  NsSchemaXmlNode *last;
} Open;

typedef struct
{
  NsSchemaXml *xml;
  char *here;
  const char *end;
  Open open[NS_SCHEMA_XML_MAX_DEPTH];
  guint depth;
  guint n_elements;
  NsSchemaXmlAttribute attributes[NS_SCHEMA_XML_MAX_ATTRIBUTES];
  guint n_attributes;
  const char *wrong; /* (nullable): why it is refused; %NULL: it is no XML */
} Walk;

static gboolean
refuse (Walk *self, const char *why)
{
  self->wrong = why;
  return FALSE;
}

static gboolean
begins_with (const Walk *self, const char *text)
{
  gsize n = strlen (text);

  return (gsize) (self->end - self->here) >= n && memcmp (self->here, text, n) == 0;
}

static gboolean
is_blank (char c)
{
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static void
skip_blanks (Walk *self)
{
  while (self->here < self->end && is_blank (*self->here))
    self->here++;
}

/* To behind @text. */
static gboolean
skip_to (Walk *self, const char *text)
{
  const char *found = g_strstr_len (self->here, self->end - self->here, text);

  if (found == NULL)
    return FALSE;
  self->here += (found - self->here) + (gssize) strlen (text);
  return TRUE;
}

/* From the first character of a name to behind it. */
static gboolean
skip_name (Walk *self)
{
  const char *begin = self->here;

  while (self->here < self->end && !is_blank (*self->here) &&
         strchr ("=/>\"'<&", *self->here) == NULL)
    self->here++;
  return self->here > begin && !g_ascii_isdigit (*begin) && *begin != '-' && *begin != '.';
}

/* A number behind `&#`; 0: no character has it. */
static gunichar
read_number (const char *from, const char *to)
{
  gboolean is_hex = *from == 'x';
  gunichar number = 0;

  from += is_hex;
  if (from == to)
    return 0;
  for (; from < to; from++)
    {
      int digit = is_hex ? g_ascii_xdigit_value (*from) : g_ascii_digit_value (*from);

      if (digit < 0 || number > 0x10ffff)
        return 0;
      number = number * (is_hex ? 16 : 10) + (guint) digit;
    }
  return g_unichar_validate (number) ? number : 0;
}

/* What stands for the reference between `&` and `;`, at most as long as that; 0: nothing does. */
static gsize
decode (const char *from, const char *to, char *out)
{
  static const struct
  {
    const char *name;
    char c;
  } known[] = { { "lt", '<' }, { "gt", '>' }, { "amp", '&' }, { "quot", '"' }, { "apos", '\'' } };
  gsize n = (gsize) (to - from);
  gunichar number;
  guint i;

  if (n > 1 && *from == '#')
    {
      number = read_number (from + 1, to);
      return number == 0 ? 0 : (gsize) g_unichar_to_utf8 (number, out);
    }
  for (i = 0; i < G_N_ELEMENTS (known); i++)
    if (n == strlen (known[i].name) && memcmp (from, known[i].name, n) == 0)
      {
        *out = known[i].c;
        return 1;
      }
  return 0;
}

/* Writes the characters that references of a value stand for in their place. */
static gboolean
decode_value (char *from, const char *to)
{
  char *out = memchr (from, '&', (gsize) (to - from));
  const char *in = out;

  if (out == NULL)
    return TRUE;
  while (in < to)
    {
      const char *semicolon;
      gsize n;

      if (*in != '&')
        {
          *out++ = *in++;
          continue;
        }
      /* No reference is longer than `&#x0010ffff;`. */
      semicolon = memchr (in, ';', MIN ((gsize) (to - in), 16));
      if (semicolon == NULL || (n = decode (in + 1, semicolon, out)) == 0)
        return FALSE;
      out += n;
      in = semicolon + 1;
    }
  *out = '\0';
  return TRUE;
}

/* `name="value"`, or with the other quotation marks. */
static gboolean
read_attribute (Walk *self)
{
  NsSchemaXmlAttribute *attribute;
  char *name = self->here;
  char *name_end;
  char *value;
  char *end;

  if (!skip_name (self))
    return FALSE;
  if (self->n_attributes == NS_SCHEMA_XML_MAX_ATTRIBUTES)
    return refuse (self, "an element of it has too many attributes");
  name_end = self->here;
  skip_blanks (self);
  if (self->here == self->end || *self->here != '=')
    return FALSE;
  self->here++;
  skip_blanks (self);
  if (self->here == self->end || (*self->here != '"' && *self->here != '\''))
    return FALSE;
  value = self->here + 1;
  end = memchr (value, *self->here, (gsize) (self->end - value));
  if (end == NULL || memchr (value, '<', (gsize) (end - value)) != NULL)
    return FALSE;
  self->here = end + 1;
  *name_end = '\0';
  *end = '\0';
  attribute = &self->attributes[self->n_attributes++];
  attribute->name = name;
  attribute->value = value;
  return decode_value (value, end);
}

/* The attributes of an element, up to behind its `>`. */
static gboolean
read_attributes (Walk *self, gboolean *is_empty)
{
  self->n_attributes = 0;
  for (;;)
    {
      gboolean is_apart = self->here < self->end && is_blank (*self->here);

      skip_blanks (self);
      if (self->here == self->end)
        return FALSE;
      *is_empty = begins_with (self, "/>");
      if (*is_empty || *self->here == '>')
        break;
      if (!is_apart || !read_attribute (self))
        return FALSE;
    }
  self->here += *is_empty ? 2 : 1;
  return TRUE;
}

static gboolean
add_node (Walk *self, const char *name, gboolean is_empty)
{
  Open *parent = self->depth > 0 ? &self->open[self->depth - 1] : NULL;
  const char *colon = strchr (name, ':');
  NsSchemaXmlNode *node;

  if (parent == NULL && self->xml->root != NULL)
    return FALSE;
  if (self->n_elements++ == NS_SCHEMA_XML_MAX_ELEMENTS)
    return refuse (self, "it has too many elements");
  if (!is_empty && self->depth == NS_SCHEMA_XML_MAX_DEPTH)
    return refuse (self, "it has too many elements within elements");
  node = ns_arena_new0 (self->xml->arena, NsSchemaXmlNode);
  node->name = colon != NULL ? colon + 1 : name;
  node->n_attributes = self->n_attributes;
  node->attributes = ns_arena_dup (self->xml->arena,
                                   self->attributes,
                                   self->n_attributes * sizeof *self->attributes);
  node->first = NULL;
  node->next = NULL;
  if (parent == NULL)
    self->xml->root = node;
  else if (parent->last == NULL)
    parent->node->first = node;
  else
    parent->last->next = node;
  if (parent != NULL)
    parent->last = node;
  if (!is_empty)
    self->open[self->depth++] = (Open){ node, name, NULL };
  return TRUE;
}

static gboolean
read_begin (Walk *self)
{
  char *name = ++self->here;
  gboolean is_empty;
  char *name_end;

  if (!skip_name (self))
    return FALSE;
  name_end = self->here;
  if (!read_attributes (self, &is_empty))
    return FALSE;
  *name_end = '\0';
  return add_node (self, name, is_empty);
}

static gboolean
read_end (Walk *self)
{
  const char *name = self->here + 2;
  gsize n_name;

  self->here += 2;
  if (self->depth == 0 || !skip_name (self))
    return FALSE;
  n_name = (gsize) (self->here - name);
  skip_blanks (self);
  if (self->here == self->end || *self->here != '>')
    return FALSE;
  self->here++;
  self->depth--;
  return strlen (self->open[self->depth].name) == n_name &&
         memcmp (self->open[self->depth].name, name, n_name) == 0;
}

/* What begins with `<`. */
static gboolean
read_markup (Walk *self)
{
  if (begins_with (self, "<!--"))
    {
      self->here += 4;
      return skip_to (self, "-->");
    }
  if (begins_with (self, "<![CDATA["))
    return self->depth > 0 && skip_to (self, "]]>");
  if (begins_with (self, "<?"))
    {
      self->here += 2;
      return skip_to (self, "?>");
    }
  if (begins_with (self, "<!"))
    return refuse (self, "it declares entities or a document type");
  return begins_with (self, "</") ? read_end (self) : read_begin (self);
}

static gboolean
read_document (Walk *self)
{
  for (;;)
    {
      char *markup;

      skip_blanks (self);
      if (self->here == self->end)
        return self->depth == 0 && self->xml->root != NULL;
      markup = memchr (self->here, '<', (gsize) (self->end - self->here));
      if (markup == NULL || (self->depth == 0 && markup != self->here))
        return FALSE;
      self->here = markup;
      if (!read_markup (self))
        return FALSE;
    }
}

/* UTF-16 by its mark, or by its first `<`; the other order of bytes is turned round. */
static gboolean
is_wide (const guint8 *bytes, gsize n_bytes, gboolean *is_big)
{
  if (n_bytes < 2)
    return FALSE;
  *is_big = (bytes[0] == 0xfe && bytes[1] == 0xff) || (bytes[0] == 0 && bytes[1] == '<');
  return *is_big || (bytes[0] == 0xff && bytes[1] == 0xfe) || (bytes[0] == '<' && bytes[1] == 0);
}

static char *
read_wide (const guint8 *bytes, gsize n_bytes, gboolean is_big)
{
  g_autofree guint8 *turned = is_big ? g_try_malloc (n_bytes) : NULL;
  gsize i;

  if (!is_big)
    return ns_utf8_from_utf16 (bytes, n_bytes);
  if (turned == NULL)
    return NULL;
  for (i = 0; i + 1 < n_bytes; i += 2)
    {
      turned[i] = bytes[i + 1];
      turned[i + 1] = bytes[i];
    }
  return ns_utf8_from_utf16 (turned, i);
}

/* The text in UTF-8, ours to write into. The encoding that it says it has is not asked. */
static char *
dup_text (const char *xml, gsize n_bytes, const char **why)
{
  gboolean is_big;
  char *text;

  *why = "there is not enough memory for what it describes";
  if (is_wide ((const guint8 *) xml, n_bytes, &is_big))
    return read_wide ((const guint8 *) xml, n_bytes, is_big);
  while (n_bytes > 0 && xml[n_bytes - 1] == '\0')
    n_bytes--;
  if (!g_utf8_validate_len (xml, n_bytes, NULL))
    {
      *why = "it is neither UTF-8 nor UTF-16";
      return NULL;
    }
  text = g_try_malloc (n_bytes + 1);
  if (text != NULL)
    {
      memcpy (text, xml, n_bytes);
      text[n_bytes] = '\0';
    }
  return text;
}

/**
 * ns_schema_xml_new:
 * @xml: (array length=n_bytes): a text, in UTF-8 or UTF-16
 * @n_bytes: its size; the time that reading takes, and the memory, are in proportion to it
 * @error: %NS_TRACE_ERROR_LIMIT: what it asks for no manifest needs; %NS_TRACE_ERROR_OPEN: it is no
 *   XML, or there is no memory for it
 *
 * Returns: (transfer full) (nullable): the elements of it
 */
NsSchemaXml *
ns_schema_xml_new (const char *xml, gsize n_bytes, GError **error)
{
  g_autoptr (NsSchemaXml) self = g_new0 (NsSchemaXml, 1);
  Walk walk = { .xml = self };
  const char *why = "it is larger than any description of events";
  NsTraceError code = NS_TRACE_ERROR_OPEN;

  if (n_bytes <= NS_SCHEMA_XML_MAX_BYTES)
    self->text = dup_text (xml, n_bytes, &why);
  else
    code = NS_TRACE_ERROR_LIMIT;
  if (self->text == NULL)
    {
      g_set_error_literal (error, NS_TRACE_ERROR, code, why);
      return NULL;
    }
  self->arena = ns_arena_new (BLOCK_BYTES);
  walk.here = self->text;
  walk.end = self->text + strlen (self->text);
  if (begins_with (&walk, "\xef\xbb\xbf"))
    walk.here += 3;
  if (read_document (&walk))
    return g_steal_pointer (&self);
  g_set_error_literal (error,
                       NS_TRACE_ERROR,
                       walk.wrong != NULL ? NS_TRACE_ERROR_LIMIT : NS_TRACE_ERROR_OPEN,
                       walk.wrong != NULL ? walk.wrong
                                          : "no instrumentation manifest that can be read");
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
  g_free (self->text);
  g_free (self);
}

/**
 * ns_schema_xml_get_root:
 * @self: a document
 *
 * Returns: (transfer none): the element around all others
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
 * Returns: bytes that its elements take, but for their text
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
 * Returns: %TRUE if the element is called so, whatever its name space
 */
gboolean
ns_schema_xml_is (const NsSchemaXmlNode *node, const char *name)
{
  return strcmp (node->name, name) == 0;
}
