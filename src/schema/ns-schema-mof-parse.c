/* Parses the classes of a `.mof` text, with qualifiers and properties; skips the rest.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "schema/ns-schema-mof-parse.h"

#include "schema/ns-schema-mof-lex.h"

#include <glib/gi18n-lib.h>

/* Maximum numbers. The kernel's own description has 600 classes, with at most 40 properties
 * each. */
#define MAX_CLASSES 4096
#define MAX_PROPERTIES 65536
#define MAX_QUALIFIERS 64 /* per class or property */
#define MAX_VALUES 1048576
#define MAX_NESTING 64
#define MAX_ELEMENTS 65535

typedef struct
{
  NsMofLexer lexer;
  NsMofText *text;
} Parser;

/* Stores the current word; (transfer none). */
static const char *
keep_word (Parser *self)
{
  NsStrings *strings = self->text->strings;
  const GString *word = self->lexer.word;

  return ns_strings_get (strings, ns_strings_add_len (strings, word->str, word->len));
}

static gboolean
has_room (Parser *self, const GArray *array, guint max, const char *what)
{
  if (array->len < max)
    return TRUE;
  ns_mof_lexer_fail (&self->lexer, _ (what));
  return FALSE;
}

static void
read_value (Parser *self)
{
  NsMofLexer *lexer = &self->lexer;
  NsMofValue value = { NULL, 0 };

  if (!has_room (self, self->text->values, MAX_VALUES, N_ ("too many values")))
    return;
  if (lexer->kind == NS_MOF_NUMBER)
    value.number = lexer->number;
  else if (lexer->kind == NS_MOF_TEXT || lexer->kind == NS_MOF_WORD)
    value.text = keep_word (self);
  else
    {
      ns_mof_lexer_fail (lexer, _ ("a value is missing"));
      return;
    }
  g_array_append_val (self->text->values, value);
  ns_mof_lexer_next (lexer);
}

static void
read_values (Parser *self, char end)
{
  while (self->lexer.error == NULL && !ns_mof_lexer_is_sign (&self->lexer, end))
    {
      read_value (self);
      if (!ns_mof_lexer_take_sign (&self->lexer, ','))
        break;
    }
  ns_mof_lexer_expect (&self->lexer, end);
}

/* Reads `name`, `name(value)` or `name{value, value}`; skips flavours, which do not affect the
 * layout. */
static void
read_qualifier (Parser *self)
{
  NsMofLexer *lexer = &self->lexer;
  NsMofQualifier qualifier = { .values.first = self->text->values->len };

  if (lexer->kind != NS_MOF_WORD)
    {
      ns_mof_lexer_fail (lexer, _ ("the name of a qualifier is missing"));
      return;
    }
  qualifier.name = keep_word (self);
  ns_mof_lexer_next (lexer);
  if (ns_mof_lexer_take_sign (lexer, '('))
    {
      gboolean has_braces = ns_mof_lexer_take_sign (lexer, '{');

      read_values (self, has_braces ? '}' : ')');
      if (has_braces)
        ns_mof_lexer_expect (lexer, ')');
    }
  else if (ns_mof_lexer_take_sign (lexer, '{'))
    read_values (self, '}');
  if (ns_mof_lexer_take_sign (lexer, ':'))
    while (lexer->kind == NS_MOF_WORD)
      ns_mof_lexer_next (lexer);
  qualifier.values.n = self->text->values->len - qualifier.values.first;
  g_array_append_val (self->text->qualifiers, qualifier);
}

static NsMofRun
read_qualifiers (Parser *self)
{
  NsMofRun run = { self->text->qualifiers->len, 0 };

  if (!ns_mof_lexer_take_sign (&self->lexer, '['))
    return run;
  do
    {
      if (self->text->qualifiers->len - run.first >= MAX_QUALIFIERS)
        ns_mof_lexer_fail (&self->lexer, _ ("too many qualifiers"));
      else
        read_qualifier (self);
    }
  while (ns_mof_lexer_take_sign (&self->lexer, ','));
  ns_mof_lexer_expect (&self->lexer, ']');
  run.n = self->text->qualifiers->len - run.first;
  return run;
}

/* Skips to the ";" that ends the statement; it may contain brackets. */
static void
skip_statement (Parser *self)
{
  NsMofLexer *lexer = &self->lexer;
  guint depth = 0;

  while (lexer->kind != NS_MOF_END)
    {
      gboolean is_sign = lexer->kind == NS_MOF_SIGN;

      if (is_sign && lexer->sign == ';' && depth == 0)
        break;
      if (is_sign && (lexer->sign == '{' || lexer->sign == '(' || lexer->sign == '['))
        {
          if (++depth > MAX_NESTING)
            ns_mof_lexer_fail (lexer, _ ("brackets nested too deeply"));
        }
      else if (is_sign && (lexer->sign == '}' || lexer->sign == ')' || lexer->sign == ']'))
        {
          if (depth == 0)
            ns_mof_lexer_fail (lexer, _ ("a closing bracket without an opening bracket"));
          else
            depth--;
        }
      ns_mof_lexer_next (lexer);
    }
  ns_mof_lexer_expect (lexer, ';');
}

static void
read_elements (Parser *self, NsMofProperty *property)
{
  NsMofLexer *lexer = &self->lexer;

  if (!ns_mof_lexer_take_sign (lexer, '['))
    return;
  property->is_array = TRUE;
  if (lexer->kind == NS_MOF_NUMBER)
    {
      if (lexer->number < 1 || lexer->number > MAX_ELEMENTS)
        ns_mof_lexer_fail (lexer, _ ("an invalid array size"));
      else
        property->n_elements = (guint) lexer->number;
      ns_mof_lexer_next (lexer);
    }
  ns_mof_lexer_expect (lexer, ']');
}

static void
read_property (Parser *self)
{
  NsMofLexer *lexer = &self->lexer;
  NsMofProperty property = { 0 };

  property.qualifiers = read_qualifiers (self);
  if (lexer->error != NULL)
    return;
  property.line = lexer->line;
  if (lexer->kind != NS_MOF_WORD)
    {
      ns_mof_lexer_fail (lexer, _ ("the type of a property is missing"));
      return;
    }
  property.type = keep_word (self);
  ns_mof_lexer_next (lexer);
  if (ns_mof_lexer_is_word (lexer, "ref"))
    ns_mof_lexer_next (lexer);
  if (lexer->kind != NS_MOF_WORD)
    {
      ns_mof_lexer_fail (lexer, _ ("the name of a property is missing"));
      return;
    }
  property.name = keep_word (self);
  ns_mof_lexer_next (lexer);
  read_elements (self, &property);
  /* Methods are not stored, and default values are ignored. */
  if (!ns_mof_lexer_is_sign (lexer, '(') && lexer->error == NULL &&
      has_room (self, self->text->properties, MAX_PROPERTIES, N_ ("too many properties")))
    g_array_append_val (self->text->properties, property);
  skip_statement (self);
}

static void
read_class (Parser *self, NsMofRun qualifiers)
{
  NsMofLexer *lexer = &self->lexer;
  NsMofClass row = { .line = lexer->line,
                     .qualifiers = qualifiers,
                     .properties.first = self->text->properties->len };

  ns_mof_lexer_next (lexer);
  if (!has_room (self, self->text->classes, MAX_CLASSES, N_ ("too many classes")))
    return;
  if (lexer->kind != NS_MOF_WORD)
    {
      ns_mof_lexer_fail (lexer, _ ("the name of a class is missing"));
      return;
    }
  row.name = keep_word (self);
  ns_mof_lexer_next (lexer);
  if (ns_mof_lexer_take_sign (lexer, ':'))
    {
      if (lexer->kind != NS_MOF_WORD)
        {
          ns_mof_lexer_fail (lexer, _ ("the name of the base class is missing"));
          return;
        }
      row.base = keep_word (self);
      ns_mof_lexer_next (lexer);
    }
  if (ns_mof_lexer_take_sign (lexer, '{'))
    {
      while (lexer->kind != NS_MOF_END && !ns_mof_lexer_is_sign (lexer, '}'))
        read_property (self);
      ns_mof_lexer_expect (lexer, '}');
    }
  ns_mof_lexer_expect (lexer, ';');
  row.properties.n = self->text->properties->len - row.properties.first;
  g_array_append_val (self->text->classes, row);
}

/**
 * ns_mof_text_parse:
 * @text: (array length=n_bytes): the text, in UTF-8
 * @n_bytes: its size in bytes
 * @error: return location; names the line
 *
 * Returns: (transfer full) (nullable): its classes; %NULL with @error set if it is invalid
 */
NsMofText *
ns_mof_text_parse (const char *text, gsize n_bytes, GError **error)
{
  g_autoptr (NsMofText) made = g_new0 (NsMofText, 1);
  Parser self = { .text = made };
  gboolean is_good;

  made->strings = ns_strings_new ();
  made->values = g_array_new (FALSE, TRUE, sizeof (NsMofValue));
  made->qualifiers = g_array_new (FALSE, TRUE, sizeof (NsMofQualifier));
  made->properties = g_array_new (FALSE, TRUE, sizeof (NsMofProperty));
  made->classes = g_array_new (FALSE, TRUE, sizeof (NsMofClass));
  ns_mof_lexer_init (&self.lexer, text, n_bytes);
  while (self.lexer.kind != NS_MOF_END)
    {
      NsMofRun qualifiers = read_qualifiers (&self);

      if (ns_mof_lexer_is_word (&self.lexer, "class"))
        read_class (&self, qualifiers);
      else
        skip_statement (&self);
    }
  is_good = self.lexer.error == NULL;
  if (!is_good)
    g_propagate_error (error, g_steal_pointer (&self.lexer.error));
  ns_mof_lexer_clear (&self.lexer);
  return is_good ? g_steal_pointer (&made) : NULL;
}

/**
 * ns_mof_text_free:
 * @self: (transfer full) (nullable): classes
 */
void
ns_mof_text_free (NsMofText *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->classes);
  g_array_unref (self->properties);
  g_array_unref (self->qualifiers);
  g_array_unref (self->values);
  ns_strings_free (self->strings);
  g_free (self);
}

/**
 * ns_mof_text_find:
 * @self: classes
 * @qualifiers: the qualifiers of one class or property
 * @name: a name, in any case
 *
 * Returns: (transfer none) (nullable): the qualifier of that name
 */
const NsMofQualifier *
ns_mof_text_find (const NsMofText *self, const NsMofRun *qualifiers, const char *name)
{
  guint i;

  for (i = 0; i < qualifiers->n; i++)
    {
      const NsMofQualifier *qualifier =
          &g_array_index (self->qualifiers, NsMofQualifier, qualifiers->first + i);

      if (g_ascii_strcasecmp (qualifier->name, name) == 0)
        return qualifier;
    }
  return NULL;
}

/**
 * ns_mof_text_get_value:
 * @self: classes
 * @qualifier: (nullable): a qualifier
 * @i: index of a value
 *
 * Returns: (transfer none) (nullable): the value; %NULL: there is none
 */
const NsMofValue *
ns_mof_text_get_value (const NsMofText *self, const NsMofQualifier *qualifier, guint i)
{
  if (qualifier == NULL || i >= qualifier->values.n)
    return NULL;
  return &g_array_index (self->values, NsMofValue, qualifier->values.first + i);
}
