/* Event classes that users describe in `.mof` text: class, type and version of each layout.
 *
 * The class of an event derives from the class with GUID and version, which derives from the
 * provider, which derives from EventTrace. Qualifiers are inherited from the nearest class.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "schema/ns-schema-mof.h"

#include "schema/ns-schema-mof-fields.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define MAX_ABOVE 16
/* Maximum size of a class name, which is part of the name of each of its events. */
#define MAX_LABEL_BYTES 1024

/* A property with a position in the payload. */
typedef struct
{
  guint property;
  gint64 place; /* WmiDataId */
  guint order;  /* position in the text, for properties with the same WmiDataId */
} Placed;

/* Data of a property that is computed once, regardless of how many classes inherit it. */
typedef struct
{
  NsString name; /* in lower case, like all names that are compared */
  gboolean is_counted;
  NsString counter; /* name of the property that counts its elements; NS_STRING_NONE: none */
  gboolean has_place;
  const NsMofValue *place; /* (nullable): value of WmiDataId */
  NsSchemaField field;     /* not read yet if it has no name */
} Known;

typedef struct
{
  NsSchemaPool *pool;
  const NsMofText *text;
  NsStrings *names; /* lower case */
  guint n_names;
  guint *above;   /* by class: its base class, 1-based */
  Known *known;   /* by property */
  guint16 *at;    /* by name: field of the current class with that name, 1-based */
  guint n_fields; /* number of fields of all classes so far */
  NsSchemaMofFunc func;
  gpointer user_data;
  guint n_events;
  const NsMofClass *chain[MAX_ABOVE]; /* the current class and its base classes */
  guint n_chain;
} Reader;

static gboolean
fail (GError **error, guint line, const char *what)
{
  g_set_error (error, NS_TRACE_ERROR, NS_TRACE_ERROR_OPEN, _ ("line %u: %s"), line, what);
  return FALSE;
}

static const NsMofClass *
get_class (const Reader *self, guint i)
{
  return &g_array_index (self->text->classes, NsMofClass, i);
}

static const NsMofProperty *
get_property (const Reader *self, guint i)
{
  return &g_array_index (self->text->properties, NsMofProperty, i);
}

static NsString
fold (Reader *self, const char *name)
{
  g_autofree char *lower = g_ascii_strdown (name, -1);
  NsString id = ns_strings_add (self->names, lower);

  self->n_names = MAX (self->n_names, id);
  return id;
}

static void
index_classes (Reader *self)
{
  g_autoptr (GHashTable) by_name = g_hash_table_new (NULL, NULL);
  guint i;

  for (i = 0; i < self->text->classes->len; i++)
    g_hash_table_replace (by_name,
                          GUINT_TO_POINTER (fold (self, get_class (self, i)->name)),
                          GUINT_TO_POINTER (i + 1));
  for (i = 0; i < self->text->classes->len; i++)
    if (get_class (self, i)->base != NULL)
      self->above[i] = GPOINTER_TO_UINT (
          g_hash_table_lookup (by_name, GUINT_TO_POINTER (fold (self, get_class (self, i)->base))));
}

static void
index_properties (Reader *self)
{
  guint i;

  for (i = 0; i < self->text->properties->len; i++)
    {
      const NsMofProperty *property = get_property (self, i);
      const NsMofQualifier *id = ns_mof_text_find (self->text, &property->qualifiers, "WmiDataId");
      const NsMofQualifier *size =
          ns_mof_text_find (self->text, &property->qualifiers, "WmiSizeIs");
      const NsMofValue *counter = ns_mof_text_get_value (self->text, size, 0);
      Known *known = &self->known[i];

      known->name = fold (self, property->name);
      known->has_place = id != NULL;
      known->place = ns_mof_text_get_value (self->text, id, 0);
      known->is_counted = property->is_array && size != NULL;
      if (known->is_counted && counter != NULL && counter->text != NULL)
        known->counter = fold (self, counter->text);
    }
}

/* Collects the class and its base classes, as far as the text has them. */
static gboolean
find_chain (Reader *self, const NsMofClass *row, GError **error)
{
  const NsMofClass *next = row;

  for (self->n_chain = 0; next != NULL;)
    {
      guint number = self->above[next - get_class (self, 0)];

      if (self->n_chain >= MAX_ABOVE)
        return fail (error, row->line, _ ("too many base classes of a class"));
      self->chain[self->n_chain++] = next;
      next = number != 0 ? get_class (self, number - 1) : NULL;
    }
  return TRUE;
}

/* Returns the value of a qualifier in the nearest class that has it; @row: (out): that class. */
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
    return fail (error, self->chain[0]->line, _ ("an event class without a GUID in a base class"));
  if (value->text == NULL || !ns_guid_from_text (guid, value->text))
    return fail (error, (*row)->line, _ ("an invalid GUID"));
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
    return fail (error, row->line, _ ("an invalid version"));
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

/* Collects the properties of the class and its base classes; a redefined property replaces the
 * inherited one. */
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
        const NsMofValue *value = self->known[number].place;
        Placed row = { number, value != NULL ? value->number : 0, placed->len };

        if (++self->n_fields > NS_SCHEMA_MOF_MAX_FIELDS)
          return fail (error, property->line, _ ("too many properties in all classes"));
        if (!self->known[number].has_place)
          continue;
        if (value == NULL || value->text != NULL || value->number < 0)
          return fail (error, property->line, _ ("an invalid position in the data"));
        if (placed->len >= NS_SCHEMA_MAX_FIELDS)
          return fail (error, property->line, _ ("too many properties"));
        g_array_append_val (placed, row);
      }
  g_array_sort (placed, compare_places);
  for (i = 0; i < placed->len; i++)
    {
      Placed *row = &g_array_index (placed, Placed, i);

      if (n > 0 && g_array_index (placed, Placed, n - 1).place == row->place &&
          self->known[g_array_index (placed, Placed, n - 1).property].name ==
              self->known[row->property].name)
        n--;
      g_array_index (placed, Placed, n++) = *row;
    }
  g_array_set_size (placed, n);
  return TRUE;
}

/* Sets the reference to the field that counts the elements of a property, which must precede it. */
static gboolean
find_count (const Reader *self, guint number, NsSchemaField *field, GError **error)
{
  const Known *known = &self->known[number];

  if (!known->is_counted)
    return TRUE;
  if (known->counter == NS_STRING_NONE || self->at[known->counter] == 0)
    return fail (error,
                 get_property (self, number)->line,
                 _ ("an array without a preceding property for its size"));
  field->count = self->at[known->counter] - 1u;
  field->flags |= NS_FIELD_COUNT_REF;
  return TRUE;
}

static gboolean
append_field (Reader *self, guint number, GArray *fields, GError **error)
{
  const NsMofProperty *property = get_property (self, number);
  Known *known = &self->known[number];
  NsSchemaField field;

  if (known->field.name == NULL)
    {
      const char *wrong =
          ns_schema_mof_read_field (self->pool, self->text, property, &known->field);

      if (wrong != NULL)
        return fail (error, property->line, wrong);
    }
  field = known->field;
  if (!find_count (self, number, &field, error))
    return FALSE;
  g_array_append_val (fields, field);
  if (self->at[known->name] == 0)
    self->at[known->name] = (guint16) fields->len;
  return TRUE;
}

static gboolean
make_fields (Reader *self, GArray *fields, GError **error)
{
  g_autoptr (GArray) placed = g_array_new (FALSE, FALSE, sizeof (Placed));
  gboolean is_good = gather (self, placed, error);
  guint i;

  for (i = 0; i < placed->len && is_good; i++)
    is_good = append_field (self, g_array_index (placed, Placed, i).property, fields, error);
  for (i = 0; i < placed->len; i++)
    self->at[self->known[g_array_index (placed, Placed, i).property].name] = 0;
  return is_good;
}

/* Returns the display name of a class, or else its name. */
static const char *
get_label (const Reader *self, const NsMofClass *row)
{
  const NsMofQualifier *shown = ns_mof_text_find (self->text, &row->qualifiers, "DisplayName");
  const NsMofValue *value = ns_mof_text_get_value (self->text, shown, 0);
  const char *text = value != NULL && value->text != NULL ? value->text : row->name;

  return ns_schema_pool_utf8 (self->pool, text, strnlen (text, MAX_LABEL_BYTES));
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
        return fail (error, row->line, _ ("an invalid event type"));
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
  if (i < opcodes->values.n)
    return fail (error, row->line, _ ("too many events for the memory limit"));
  return TRUE;
}

/* Converts the text to UTF-8; tools of Windows often write UTF-16 with a byte order mark. */
static char *
to_utf8 (const char *text, gsize n_bytes, GError **error)
{
  const guint8 *bytes = (const guint8 *) text;
  gsize mark = 0;

  if (n_bytes >= 2 && bytes[0] == 0xff && bytes[1] == 0xfe)
    return ns_utf8_from_utf16 (bytes + 2, n_bytes - 2);
  if (n_bytes > 0 && memchr (text, '\0', n_bytes) != NULL)
    {
      fail (error, 1, _ ("the file is not a text file"));
      return NULL;
    }
  if (n_bytes >= 3 && bytes[0] == 0xef && bytes[1] == 0xbb && bytes[2] == 0xbf)
    mark = 3;
  return ns_utf8_from_bytes (text + mark, n_bytes - mark);
}

/**
 * ns_schema_mof_parse:
 * @pool: owns the layouts
 * @text: (array length=n_bytes): the file, in UTF-8 or UTF-16 with a byte order mark
 * @n_bytes: its size in bytes
 * @func: (scope call): called for every event type of every version
 * @user_data: for @func
 * @error: return location; names the line
 *
 * Layouts that precede an error were already passed to @func.
 *
 * Returns: %TRUE if at least one event is described and nothing is wrong, else %FALSE with @error
 *   set
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
  g_autoptr (NsStrings) names = NULL;
  g_autofree guint *above = NULL;
  g_autofree Known *known = NULL;
  g_autofree guint16 *at = NULL;
  g_autofree char *utf8 = NULL;
  Reader self = { .pool = pool, .func = func, .user_data = user_data };
  guint i;

  if (n_bytes > NS_SCHEMA_MOF_MAX_BYTES)
    return fail (error, 1, _ ("the file is too large"));
  utf8 = to_utf8 (text, n_bytes, error);
  if (utf8 == NULL)
    return FALSE;
  parsed = ns_mof_text_parse (utf8, strlen (utf8), error);
  if (parsed == NULL)
    return FALSE;
  names = ns_strings_new ();
  self.above = above = g_new0 (guint, parsed->classes->len + 1);
  self.known = known = g_new0 (Known, parsed->properties->len + 1);
  self.text = parsed;
  self.names = names;
  index_classes (&self);
  index_properties (&self);
  self.at = at = g_new0 (guint16, (gsize) self.n_names + 1);
  for (i = 0; i < parsed->classes->len; i++)
    if (!read_event (&self, get_class (&self, i), error))
      return FALSE;
  if (self.n_events == 0)
    return fail (error, 1, _ ("no class has an event type"));
  return TRUE;
}
