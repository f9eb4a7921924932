/* Decorated C++ names of Microsoft's compilers, and of those that do as they do.
 *
 * A name is written as private symbols have it: without result, parameters and the words class and
 * struct. The grammar is what such compilers emit; LLVM's MicrosoftDemangle describes it too.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "symbols/ns-undecorate-private.h"

#include <string.h>

/**
 * ns_msvc_fail:
 * @self: a parser
 *
 * Returns: an empty text; the name is not understood
 */
const char *
ns_msvc_fail (NsMsvcParser *self)
{
  self->has_failed = TRUE;
  return "";
}

/**
 * ns_msvc_join:
 * @self: a parser
 * @...: texts, then %NULL
 *
 * Returns: them in one, for the life of the parser
 */
const char *
ns_msvc_join (NsMsvcParser *self, ...)
{
  va_list arguments;
  const char *part;
  gsize n_bytes = 0;
  char *joined;
  char *to;

  va_start (arguments, self);
  while ((part = va_arg (arguments, const char *)) != NULL)
    n_bytes += strlen (part);
  va_end (arguments);
  self->n_used += n_bytes + 1;
  if (self->has_failed || n_bytes > NS_UNDECORATE_MAX_NAME ||
      self->n_used > NS_UNDECORATE_MAX_MEMORY)
    return ns_msvc_fail (self);

  joined = ns_arena_alloc (self->arena, n_bytes + 1);
  to = joined;
  va_start (arguments, self);
  while ((part = va_arg (arguments, const char *)) != NULL)
    to = g_stpcpy (to, part);
  va_end (arguments);
  return joined;
}

gboolean
ns_msvc_take (NsMsvcParser *self, const char *text)
{
  gsize n_text = strlen (text);

  if ((gsize) (self->end - self->at) < n_text || memcmp (self->at, text, n_text) != 0)
    return FALSE;
  self->at += n_text;
  return TRUE;
}

char
ns_msvc_peek (const NsMsvcParser *self)
{
  return self->at < self->end ? *self->at : '\0';
}

char
ns_msvc_next (NsMsvcParser *self)
{
  if (self->at < self->end)
    return *self->at++;
  self->has_failed = TRUE;
  return '\0';
}

/**
 * ns_msvc_number:
 * @self: a parser
 *
 * Returns: the number that stands there, in decimal
 */
const char *
ns_msvc_number (NsMsvcParser *self)
{
  const char *sign = ns_msvc_take (self, "?") ? "-" : "";
  char c = ns_msvc_next (self);
  guint64 value = 0;
  char digits[24];

  if (g_ascii_isdigit (c))
    value = (guint64) (c - '0') + 1;
  else
    {
      for (guint i = 0; c >= 'A' && c <= 'P' && i < 16; i++)
        {
          value = value << 4 | (guint64) (c - 'A');
          c = ns_msvc_next (self);
        }
      if (c != '@')
        return ns_msvc_fail (self);
    }
  g_snprintf (digits, sizeof digits, "%" G_GUINT64_FORMAT, value);
  return ns_msvc_join (self, value != 0 ? sign : "", digits, NULL);
}

const char *
ns_msvc_qualifiers (NsMsvcParser *self, gboolean *is_member)
{
  static const char *const texts[] = { "", " const", " volatile", " const volatile" };
  char c = ns_msvc_next (self);

  *is_member = c >= 'Q' && c <= 'T';
  if (c >= 'A' && c <= 'D')
    return texts[c - 'A'];
  return *is_member ? texts[c - 'Q'] : ns_msvc_fail (self);
}

static void
remember (NsMsvcParser *self, const char *name)
{
  NsMsvcReferences *references = &self->references;

  for (guint i = 0; i < references->n_names; i++)
    if (strcmp (references->names[i], name) == 0)
      return;
  if (references->n_names < NS_MSVC_MAX_REFERENCES)
    references->names[references->n_names++] = name;
}

static const char *
parse_identifier (NsMsvcParser *self, gboolean is_remembered)
{
  const char *at = memchr (self->at, '@', (gsize) (self->end - self->at));
  const char *name;

  if (at == NULL || at == self->at)
    return ns_msvc_fail (self);
  self->n_used += (gsize) (at - self->at) + 1;
  if (self->n_used > NS_UNDECORATE_MAX_MEMORY)
    return ns_msvc_fail (self);
  name = ns_arena_strndup (self->arena, self->at, (gsize) (at - self->at));
  self->at = at + 1;
  if (is_remembered)
    remember (self, name);
  return name;
}

static const char *
parse_reference (NsMsvcParser *self)
{
  guint i = (guint) (ns_msvc_next (self) - '0');

  return i < self->references.n_names ? self->references.names[i] : ns_msvc_fail (self);
}

/* clang-format off */
/* Operators by the letter behind `?`; NULL: another table or none. */
static const char *const operators[] = {
  ['2'] = "operator new", ['3'] = "operator delete", ['4'] = "operator=", ['5'] = "operator>>",
  ['6'] = "operator<<", ['7'] = "operator!", ['8'] = "operator==", ['9'] = "operator!=",
  ['A'] = "operator[]", ['C'] = "operator->", ['D'] = "operator*", ['E'] = "operator++",
  ['F'] = "operator--", ['G'] = "operator-", ['H'] = "operator+", ['I'] = "operator&",
  ['J'] = "operator->*", ['K'] = "operator/", ['L'] = "operator%", ['M'] = "operator<",
  ['N'] = "operator<=", ['O'] = "operator>", ['P'] = "operator>=", ['Q'] = "operator,",
  ['R'] = "operator()", ['S'] = "operator~", ['T'] = "operator^", ['U'] = "operator|",
  ['V'] = "operator&&", ['W'] = "operator||", ['X'] = "operator*=", ['Y'] = "operator+=",
  ['Z'] = "operator-=",
};

/* Behind `?_`. */
static const char *const more_operators[] = {
  ['0'] = "operator/=", ['1'] = "operator%=", ['2'] = "operator>>=", ['3'] = "operator<<=",
  ['4'] = "operator&=", ['5'] = "operator|=", ['6'] = "operator^=", ['7'] = "`vftable'",
  ['8'] = "`vbtable'", ['9'] = "`vcall'", ['B'] = "`local static guard'",
  ['D'] = "`vbase dtor'", ['E'] = "`vector deleting dtor'",
  ['F'] = "`default ctor closure'", ['G'] = "`scalar deleting dtor'",
  ['H'] = "`vector ctor iterator'", ['I'] = "`vector dtor iterator'",
  ['J'] = "`vector vbase ctor iterator'", ['K'] = "`virtual displacement map'",
  ['L'] = "`eh vector ctor iterator'", ['M'] = "`eh vector dtor iterator'",
  ['N'] = "`eh vector vbase ctor iterator'", ['O'] = "`copy ctor closure'",
  ['S'] = "`local vftable'", ['T'] = "`local vftable ctor closure'", ['U'] = "operator new[]",
  ['V'] = "operator delete[]", ['X'] = "`placement delete closure'",
  ['Y'] = "`placement delete[] closure'",
};

/* Behind `?__`. */
static const char *const rare_operators[] = {
  ['A'] = "`managed vector ctor iterator'", ['B'] = "`managed vector dtor iterator'",
  ['C'] = "`eh vector copy ctor iterator'", ['D'] = "`eh vector vbase copy ctor iterator'",
  ['G'] = "`vector copy ctor iterator'", ['H'] = "`vector vbase copy ctor iterator'",
  ['I'] = "`managed vector copy ctor iterator'", ['J'] = "`local static thread guard'",
  ['L'] = "operator co_await", ['M'] = "operator<=>",
};
/* clang-format on */

static const char *
lookup (const char *const *table, gsize n_table, char letter)
{
  return (guchar) letter < n_table ? table[(guchar) letter] : NULL;
}

/* What the last part of a name is; it decides what follows. */
typedef enum
{
  LEAF_NAME,
  LEAF_CONSTRUCTOR,
  LEAF_DESTRUCTOR,
  LEAF_CONVERSION,
  LEAF_TABLE, /* vftable and the like */
  LEAF_VCALL,
  LEAF_GUARD,
  LEAF_RTTI,
  LEAF_INITIALIZER, /* has its scopes already */
} Leaf;

static const char *
parse_rtti (NsMsvcParser *self, Leaf *leaf)
{
  NsMsvcType type;

  *leaf = LEAF_RTTI;
  switch (ns_msvc_next (self))
    {
    case '0':
      type = ns_msvc_take (self, "?") ? ns_msvc_qualified_type (self) : ns_msvc_type (self);
      return ns_msvc_join (self,
                           ns_msvc_type_to_text (self, &type),
                           " `RTTI Type Descriptor'",
                           NULL);
    case '1':
      for (guint i = 0; i < 4; i++)
        ns_msvc_number (self);
      return "`RTTI Base Class Descriptor'";
    case '2':
      return "`RTTI Base Class Array'";
    case '3':
      return "`RTTI Class Hierarchy Descriptor'";
    case '4':
      *leaf = LEAF_TABLE;
      return "`RTTI Complete Object Locator'";
    default:
      return ns_msvc_fail (self);
    }
}

/* Code that the compiler makes for a variable before main() and after it. */
static const char *
parse_initializer (NsMsvcParser *self, Leaf *leaf, const char *what)
{
  gboolean has_mark = ns_msvc_peek (self) == '?';
  const char *name;

  *leaf = LEAF_INITIALIZER;
  if (has_mark)
    {
      name = ns_msvc_symbol (self);
      if (!ns_msvc_take (self, "@"))
        return ns_msvc_fail (self);
      ns_msvc_take (self, "@");
    }
  else
    name = ns_msvc_type_name (self);
  return ns_msvc_join (self, "`", what, " for '", name, "''", NULL);
}

static const char *
parse_operator (NsMsvcParser *self, Leaf *leaf)
{
  const char *text;
  char letter = ns_msvc_next (self);

  if (letter == '0' || letter == '1')
    {
      *leaf = letter == '0' ? LEAF_CONSTRUCTOR : LEAF_DESTRUCTOR;
      return "";
    }
  if (letter == 'B')
    {
      *leaf = LEAF_CONVERSION;
      return "operator ";
    }
  if (letter != '_')
    text = lookup (operators, G_N_ELEMENTS (operators), letter);
  else if (ns_msvc_take (self, "R"))
    return parse_rtti (self, leaf);
  else if (ns_msvc_take (self, "_E"))
    return parse_initializer (self, leaf, "dynamic initializer");
  else if (ns_msvc_take (self, "_F"))
    return parse_initializer (self, leaf, "dynamic atexit destructor");
  else if (ns_msvc_take (self, "_K"))
    return ns_msvc_join (self, "operator \"\"", parse_identifier (self, FALSE), NULL);
  else if (ns_msvc_take (self, "_"))
    {
      letter = ns_msvc_next (self);
      text = lookup (rare_operators, G_N_ELEMENTS (rare_operators), letter);
      *leaf = letter == 'J' ? LEAF_GUARD : LEAF_NAME;
    }
  else
    {
      letter = ns_msvc_next (self);
      text = lookup (more_operators, G_N_ELEMENTS (more_operators), letter);
      if (letter == '7' || letter == '8' || letter == 'S')
        *leaf = LEAF_TABLE;
      else if (letter == '9')
        *leaf = LEAF_VCALL;
      else if (letter == 'B')
        *leaf = LEAF_GUARD;
    }
  return text != NULL ? text : ns_msvc_fail (self);
}

/* A template has digits of its own; those of what is around it come back afterwards. */
static const char *
parse_template (NsMsvcParser *self, Leaf *leaf)
{
  NsMsvcReferences outer = self->references;
  const char *name;
  const char *arguments;

  if (!ns_msvc_enter (self))
    {
      ns_msvc_leave (self);
      return ns_msvc_fail (self);
    }
  memset (&self->references, 0, sizeof self->references);
  name = ns_msvc_take (self, "?") ? parse_operator (self, leaf) : parse_identifier (self, TRUE);
  arguments = ns_msvc_template_arguments (self);
  self->references = outer;
  ns_msvc_leave (self);
  return ns_msvc_join (self, name, arguments, NULL);
}

/* The inside of a function: its number there, and the function. */
static const char *
parse_local_scope (NsMsvcParser *self)
{
  const char *number = ns_msvc_number (self);
  const char *function;

  if (!ns_msvc_take (self, "?") || !ns_msvc_enter (self))
    return ns_msvc_fail (self);
  function = ns_msvc_symbol (self);
  ns_msvc_leave (self);
  return ns_msvc_join (self, "`", function, "'::`", number, "'", NULL);
}

static const char *
parse_scope_piece (NsMsvcParser *self)
{
  Leaf leaf = LEAF_NAME;
  const char *name;

  if (g_ascii_isdigit (ns_msvc_peek (self)))
    return parse_reference (self);
  if (ns_msvc_take (self, "?$"))
    {
      name = parse_template (self, &leaf);
      remember (self, name);
      return name;
    }
  if (ns_msvc_take (self, "?A"))
    {
      if (!ns_msvc_take (self, "@"))
        parse_identifier (self, TRUE);
      return "`anonymous namespace'";
    }
  if (ns_msvc_take (self, "?"))
    return parse_local_scope (self);
  return parse_identifier (self, TRUE);
}

/* What @name is in: pieces up to `@`, innermost first. */
static const char *
parse_scopes (NsMsvcParser *self, const char *name, const char **class_name)
{
  *class_name = NULL;
  while (!self->has_failed && !ns_msvc_take (self, "@"))
    {
      const char *piece = parse_scope_piece (self);

      if (*class_name == NULL)
        *class_name = piece;
      name = *name != '\0' ? ns_msvc_join (self, piece, "::", name, NULL) : piece;
    }
  return name;
}

/**
 * ns_msvc_type_name:
 * @self: a parser
 *
 * Returns: the name of a class or enumeration with its scopes
 */
const char *
ns_msvc_type_name (NsMsvcParser *self)
{
  const char *class_name;

  return parse_scopes (self, parse_scope_piece (self), &class_name);
}

static void
skip_numbers (NsMsvcParser *self, guint n_numbers)
{
  for (guint i = 0; i < n_numbers; i++)
    ns_msvc_number (self);
}

/* Tables: 6 or 7, qualifiers, for which bases. */
static void
parse_table_encoding (NsMsvcParser *self)
{
  gboolean is_member;
  char c = ns_msvc_next (self);

  if (c != '6' && c != '7')
    {
      ns_msvc_fail (self);
      return;
    }
  while (ns_msvc_peek (self) == 'E' || ns_msvc_peek (self) == 'F' || ns_msvc_peek (self) == 'I')
    ns_msvc_next (self);
  ns_msvc_qualifiers (self, &is_member);
  while (!self->has_failed && !ns_msvc_take (self, "@"))
    ns_msvc_type_name (self);
}

static void
parse_variable_encoding (NsMsvcParser *self)
{
  gboolean is_member;

  ns_msvc_type (self);
  while (ns_msvc_peek (self) == 'E' || ns_msvc_peek (self) == 'F' || ns_msvc_peek (self) == 'I')
    ns_msvc_next (self);
  ns_msvc_qualifiers (self, &is_member);
  if (is_member)
    ns_msvc_type_name (self);
}

/* The class of access of a function, up to its calling convention. */
static gboolean
parse_function_class (NsMsvcParser *self, gboolean *has_this)
{
  char letter;

  *has_this = TRUE;
  ns_msvc_take (self, "$$J0");
  if (ns_msvc_take (self, "$R"))
    {
      ns_msvc_next (self);
      skip_numbers (self, 4);
      return TRUE;
    }
  if (ns_msvc_take (self, "$"))
    {
      letter = ns_msvc_next (self);
      skip_numbers (self, 2);
      return letter >= '0' && letter <= '5';
    }
  letter = ns_msvc_next (self);
  if (letter == 'Y' || letter == 'Z' || (letter <= 'X' && strchr ("CDKLST", letter) != NULL))
    *has_this = FALSE;
  else if (strchr ("GHOPWX", letter) != NULL)
    skip_numbers (self, 1);
  return letter >= 'A' && letter <= 'Z';
}

/* What the symbol is; the result of a function is the name of a conversion. */
static const char *
parse_encoding (NsMsvcParser *self, Leaf leaf)
{
  gboolean has_this;
  NsMsvcType type;

  if (leaf == LEAF_TABLE)
    {
      parse_table_encoding (self);
      return "";
    }
  if (leaf == LEAF_RTTI)
    {
      ns_msvc_take (self, "8");
      return "";
    }
  if (leaf == LEAF_VCALL)
    {
      if (!ns_msvc_take (self, "$B"))
        return ns_msvc_fail (self);
      skip_numbers (self, 1);
      ns_msvc_next (self);
      ns_msvc_next (self);
      return "";
    }
  if (leaf == LEAF_GUARD)
    {
      if (!ns_msvc_take (self, "4IA") && !ns_msvc_take (self, "5"))
        return ns_msvc_fail (self);
      if (self->at < self->end && *self->at != '@')
        skip_numbers (self, 1);
      return "";
    }
  if (ns_msvc_take (self, "9"))
    return "";
  if (ns_msvc_peek (self) >= '0' && ns_msvc_peek (self) <= '4')
    {
      ns_msvc_next (self);
      parse_variable_encoding (self);
      return "";
    }
  if (!parse_function_class (self, &has_this))
    return ns_msvc_fail (self);
  type = ns_msvc_function_type (self, has_this);
  return type.result != NULL ? type.result : "";
}

/* The last part of a name. */
static const char *
parse_leaf (NsMsvcParser *self, Leaf *leaf)
{
  *leaf = LEAF_NAME;
  if (g_ascii_isdigit (ns_msvc_peek (self)))
    return parse_reference (self);
  if (ns_msvc_take (self, "?$"))
    return parse_template (self, leaf);
  if (ns_msvc_take (self, "?"))
    return parse_operator (self, leaf);
  return parse_identifier (self, TRUE);
}

/**
 * ns_msvc_symbol:
 * @self: a parser
 *
 * Returns: the name of a whole symbol, which begins with `?`
 */
const char *
ns_msvc_symbol (NsMsvcParser *self)
{
  const char *name;
  const char *class_name;
  const char *scoped;
  const char *result;
  Leaf leaf;

  if (!ns_msvc_take (self, "?"))
    return ns_msvc_fail (self);
  if (ns_msvc_take (self, "?_C@_"))
    {
      self->at = self->end;
      return "`string'";
    }
  name = parse_leaf (self, &leaf);
  if (leaf == LEAF_RTTI && ns_msvc_take (self, "@8"))
    return name;
  if (leaf == LEAF_INITIALIZER)
    {
      parse_encoding (self, leaf);
      return name;
    }
  /* A constructor has no name but that of its class, which comes next. */
  if (*name == '\0' || *name == '<')
    scoped = parse_scopes (self, "", &class_name);
  else
    scoped = parse_scopes (self, leaf == LEAF_CONVERSION ? "" : name, &class_name);
  result = parse_encoding (self, leaf);
  if (leaf == LEAF_CONVERSION)
    return ns_msvc_join (self, scoped, *scoped != '\0' ? "::" : "", name, result, NULL);
  if (leaf == LEAF_CONSTRUCTOR && class_name != NULL)
    return ns_msvc_join (self, scoped, "::", class_name, name, NULL);
  if (leaf == LEAF_DESTRUCTOR && class_name != NULL)
    return ns_msvc_join (self, scoped, "::~", class_name, name, NULL);
  return scoped;
}

/**
 * ns_undecorate_msvc:
 * @name: (array length=n_bytes): a name that begins with `?`
 * @n_bytes: how long it is
 *
 * Returns: (transfer full) (nullable): as people write it; %NULL: not understood
 */
char *
ns_undecorate_msvc (const char *name, gsize n_bytes)
{
  g_autoptr (NsArena) arena = NULL;
  NsMsvcParser parser = { 0 };
  const char *text;

  /* The name was too long; only its hash was kept. */
  if (n_bytes >= 3 && memcmp (name, "??@", 3) == 0)
    return NULL;
  arena = ns_arena_new (4096);
  parser.at = name;
  parser.end = name + n_bytes;
  parser.arena = arena;
  text = ns_msvc_symbol (&parser);
  if (parser.has_failed || *text == '\0')
    return NULL;
  return g_strdup (text);
}
