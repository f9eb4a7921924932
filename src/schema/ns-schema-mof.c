/* Event classes described by the user in `.mof` text: which class, type and version each layout is
 * for.
 *
 * Above an event's class stand the class that names the GUID and the version, and the provider,
 * which derives from EventTrace. What a class does not say itself holds as the class above says it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "schema/ns-schema-mof.h"

#include "schema/ns-schema-mof-fields.h"

#include <string.h>

#define MAX_ABOVE 16

/* One property that stands in the payload. */
typedef struct
{
  guint property;
  gint64 place; /* WmiDataId */
  guint order;  /* as they stand in the text, of two in one place */
} Placed;

typedef struct
{
  NsSchemaPool *pool;
  const NsMofText *text;
  GHashTable *by_name;   /* lower case → number of a class, 1-based */
  NsSchemaField *fields; /* by property; without a name: not read yet */
  NsSchemaMofFunc func;
  gpointer user_data;
  guint n_events;
  const NsMofClass *chain[MAX_ABOVE]; /* of the class at hand, itself first */
  guint n_chain;
} Reader;

static gboolean
fail (GError **error, guint line, const char *what)
{
  g_set_error (error, NS_TRACE_ERROR, NS_TRACE_ERROR_OPEN, "line %u: %s", line, what);
  return FALSE;
}

static const NsMofClass *
get_class (const Reader *self, guint i)
{
  return &g_array_index (self->text->classes, NsMofClass, i);
}

static void
index_classes (Reader *self)
{
  guint i;

  for (i = 0; i < self->text->classes->len; i++)
    g_hash_table_replace (self->by_name,
                          g_ascii_strdown (get_class (self, i)->name, -1),
                          GUINT_TO_POINTER (i + 1));
}

/* The class and those above it, as far as the text has them. */
static gboolean
find_chain (Reader *self, const NsMofClass *row, GError **error)
{
  const NsMofClass *next = row;

  for (self->n_chain = 0; next != NULL;)
    {
      g_autofree char *key = next->base != NULL ? g_ascii_strdown (next->base, -1) : NULL;
      guint number = key != NULL ? GPOINTER_TO_UINT (g_hash_table_lookup (self->by_name, key)) : 0;

      if (self->n_chain >= MAX_ABOVE)
        return fail (error, row->line, "too many classes above the class");
      self->chain[self->n_chain++] = next;
      next = number != 0 ? get_class (self, number - 1) : NULL;
    }
  return TRUE;
}

/* The value nearest to the class; @row is the class that says it. */
static const NsMofValue *
find_value (const Reader *self, const char *name, const NsMofClass **row)
{
  guint i;

  for (i = 0; i < self->n_chain; i++)
    {
      const NsMofQualifier *qualifier =
          ns_mof_text_find (self->text, &self->chain[i]->qualifiers, name);

      if (qualifier == NULL)
        continue;
      *row = self->chain[i];
      return ns_mof_text_get_value (self->text, qualifier, 0);
    }
  return NULL;
}

static gboolean
find_guid (const Reader *self, NsGuid *guid, const NsMofClass **row, GError **error)
{
  const NsMofValue *value = find_value (self, "Guid", row);

  if (value == NULL)
    return fail (error, self->chain[0]->line, "an event class without a GUID above it");
  if (value->text == NULL || !ns_guid_from_text (guid, value->text))
    return fail (error, (*row)->line, "a GUID that is none");
  return TRUE;
}

static gboolean
find_version (const Reader *self, guint8 *version, GError **error)
{
  const NsMofClass *row = NULL;
  const NsMofValue *value = find_value (self, "EventVersion", &row);

  *version = 0;
  if (row == NULL)
    return TRUE;
  if (value == NULL || value->text != NULL || value->number < 0 || value->number > G_MAXUINT8)
    return fail (error, row->line, "a version that cannot be");
  *version = (guint8) value->number;
  return TRUE;
}

static int
compare_places (gconstpointer a, gconstpointer b)
{
  const Placed *left = a;
  const Placed *right = b;

  if (left->place != right->place)
    return left->place < right->place ? -1 : 1;
  return left->order < right->order ? -1 : left->order > right->order;
}

static const NsMofProperty *
get_property (const Reader *self, guint i)
{
  return &g_array_index (self->text->properties, NsMofProperty, i);
}

/* What the class has and inherits; a property said again replaces the one of the class above. */
static gboolean
gather (Reader *self, GArray *placed, GError **error)
{
  guint n = 0;
  guint i;
  guint j;

  for (i = self->n_chain; i-- > 0;)
    for (j = 0; j < self->chain[i]->properties.n; j++)
      {
        guint number = self->chain[i]->properties.first + j;
        const NsMofProperty *property = get_property (self, number);
        const NsMofQualifier *id =
            ns_mof_text_find (self->text, &property->qualifiers, "WmiDataId");
        const NsMofValue *value = ns_mof_text_get_value (self->text, id, 0);
        Placed row = { number, value != NULL ? value->number : 0, placed->len };

        if (id == NULL)
          continue;
        if (value == NULL || value->text != NULL || value->number < 0)
          return fail (error, property->line, "a place in the data that cannot be");
        if (placed->len >= NS_SCHEMA_MAX_FIELDS)
          return fail (error, property->line, "too many properties");
        g_array_append_val (placed, row);
      }
  g_array_sort (placed, compare_places);
  for (i = 0; i < placed->len; i++)
    {
      Placed *row = &g_array_index (placed, Placed, i);

      if (n > 0 && g_array_index (placed, Placed, n - 1).place == row->place &&
          g_ascii_strcasecmp (
              get_property (self, g_array_index (placed, Placed, n - 1).property)->name,
              get_property (self, row->property)->name) == 0)
        n--;
      g_array_index (placed, Placed, n++) = *row;
    }
  g_array_set_size (placed, n);
  return TRUE;
}

/* Which field counts the elements of @i: one that stands before it. */
static gboolean
find_count (const Reader *self, const GArray *placed, guint i, NsSchemaField *field, GError **error)
{
  const NsMofProperty *property = get_property (self, g_array_index (placed, Placed, i).property);
  const NsMofQualifier *size_is = ns_mof_text_find (self->text, &property->qualifiers, "WmiSizeIs");
  const NsMofValue *name = ns_mof_text_get_value (self->text, size_is, 0);
  guint j;

  if (!property->is_array || size_is == NULL)
    return TRUE;
  for (j = 0; j < i && name != NULL && name->text != NULL; j++)
    if (g_ascii_strcasecmp (get_property (self, g_array_index (placed, Placed, j).property)->name,
                            name->text) == 0)
      {
        field->count = (guint16) j;
        field->flags |= NS_FIELD_COUNT_REF;
        return TRUE;
      }
  return fail (error, property->line, "an array that no property before it counts");
}

static gboolean
make_fields (Reader *self, GArray *fields, GError **error)
{
  g_autoptr (GArray) placed = g_array_new (FALSE, FALSE, sizeof (Placed));
  guint i;

  if (!gather (self, placed, error))
    return FALSE;
  for (i = 0; i < placed->len; i++)
    {
      guint number = g_array_index (placed, Placed, i).property;
      NsSchemaField *known = &self->fields[number];
      NsSchemaField field;

      if (known->name == NULL)
        {
          const NsMofProperty *property = get_property (self, number);
          const char *wrong = ns_schema_mof_read_field (self->pool, self->text, property, known);

          if (wrong != NULL)
            return fail (error, property->line, wrong);
        }
      field = *known;
      if (!find_count (self, placed, i, &field, error))
        return FALSE;
      g_array_append_val (fields, field);
    }
  return TRUE;
}

/* What a class is called: its own word for it, else its name. */
static const char *
get_label (const Reader *self, const NsMofClass *row)
{
  const NsMofQualifier *shown = ns_mof_text_find (self->text, &row->qualifiers, "DisplayName");
  const NsMofValue *value = ns_mof_text_get_value (self->text, shown, 0);
  const char *text = value != NULL && value->text != NULL ? value->text : row->name;

  return ns_schema_pool_utf8 (self->pool, text, strlen (text));
}

static void
name_schema (Reader *self, NsSchema *schema, const NsMofClass *task, const NsMofValue *type_name)
{
  const char *name = type_name != NULL ? type_name->text : NULL;
  g_autofree char *joined = NULL;

  schema->provider_name = get_label (self, self->chain[self->n_chain - 1]);
  schema->task_name = get_label (self, task);
  if (name != NULL)
    schema->opcode_name = ns_schema_pool_utf8 (self->pool, name, strlen (name));
  if (schema->opcode_name == NULL)
    return;
  joined = g_strconcat (schema->task_name, "/", schema->opcode_name, NULL);
  schema->event_name = ns_schema_pool_utf8 (self->pool, joined, strlen (joined));
}

static gboolean
read_event (Reader *self, const NsMofClass *row, GError **error)
{
  const NsMofQualifier *opcodes = ns_mof_text_find (self->text, &row->qualifiers, "EventType");
  const NsMofQualifier *names = ns_mof_text_find (self->text, &row->qualifiers, "EventTypeName");
  g_autoptr (GArray) fields = NULL;
  const NsMofClass *task = row;
  const NsSchemaField *kept = NULL;
  guint8 version;
  NsGuid guid;
  guint i;

  if (opcodes == NULL)
    return TRUE;
  fields = g_array_new (FALSE, FALSE, sizeof (NsSchemaField));
  if (!find_chain (self, row, error) || !find_guid (self, &guid, &task, error) ||
      !find_version (self, &version, error) || !make_fields (self, fields, error))
    return FALSE;
  for (i = 0; i < opcodes->values.n && !ns_schema_pool_is_full (self->pool); i++)
    {
      const NsMofValue *opcode = ns_mof_text_get_value (self->text, opcodes, i);
      NsSchema *schema;

      if (opcode->text != NULL || opcode->number < 0 || opcode->number > G_MAXUINT8)
        return fail (error, row->line, "an event type that cannot be");
      if (kept == NULL && fields->len > 0)
        kept = ns_arena_dup (self->pool->arena, fields->data, fields->len * sizeof *kept);
      schema = ns_schema_pool_new_schema (self->pool, NS_SCHEMA_USER, NULL, 0);
      schema->fields = kept;
      schema->n_fields = fields->len;
      schema->n_top = fields->len;
      name_schema (self, schema, task, ns_mof_text_get_value (self->text, names, i));
      self->func (&guid, (guint8) opcode->number, version, schema, self->user_data);
      self->n_events++;
    }
  return TRUE;
}

/* As the tools of Windows write them: often UTF-16 with a mark in front. */
static char *
to_utf8 (const char *text, gsize n_bytes, GError **error)
{
  const guint8 *bytes = (const guint8 *) text;
  gsize mark = 0;

  if (n_bytes >= 2 && bytes[0] == 0xff && bytes[1] == 0xfe)
    return ns_utf8_from_utf16 (bytes + 2, n_bytes - 2);
  if (n_bytes > 0 && memchr (text, '\0', n_bytes) != NULL)
    {
      fail (error, 1, "the file is no text");
      return NULL;
    }
  if (n_bytes >= 3 && bytes[0] == 0xef && bytes[1] == 0xbb && bytes[2] == 0xbf)
    mark = 3;
  return ns_utf8_from_bytes (text + mark, n_bytes - mark);
}

/**
 * ns_schema_mof_parse:
 * @pool: where the layouts live
 * @text: (array length=n_bytes): the file, in UTF-8 or UTF-16 with a byte order mark
 * @n_bytes: its size
 * @func: called for every event type of every version
 * @user_data: for @func
 * @error: return location; names the line
 *
 * Layouts that stand before the one that is wrong have been told of already.
 *
 * Returns: %TRUE if at least one event is described and nothing is wrong
 */
gboolean
ns_schema_mof_parse (NsSchemaPool *pool,
                     const char *text,
                     gsize n_bytes,
                     NsSchemaMofFunc func,
                     gpointer user_data,
                     GError **error)
{
  g_autoptr (NsMofText) parsed = NULL;
  g_autoptr (GHashTable) by_name = NULL;
  g_autofree NsSchemaField *fields = NULL;
  g_autofree char *utf8 = NULL;
  Reader self = { .pool = pool, .func = func, .user_data = user_data };
  guint i;

  if (n_bytes > NS_SCHEMA_MOF_MAX_BYTES)
    return fail (error, 1, "the file is too large");
  utf8 = to_utf8 (text, n_bytes, error);
  if (utf8 == NULL)
    return FALSE;
  parsed = ns_mof_text_parse (utf8, strlen (utf8), error);
  if (parsed == NULL)
    return FALSE;
  by_name = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  fields = g_new0 (NsSchemaField, parsed->properties->len + 1);
  self.text = parsed;
  self.by_name = by_name;
  self.fields = fields;
  index_classes (&self);
  for (i = 0; i < parsed->classes->len; i++)
    if (!read_event (&self, get_class (&self, i), error))
      return FALSE;
  if (self.n_events == 0)
    return fail (error, 1, "no class has an event type");
  return TRUE;
}
