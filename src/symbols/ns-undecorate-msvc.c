/* Demangles C++ names of Microsoft's compilers and compatible ones.
 *
 * The output is like that of private symbols: without return type, parameters and the words class
 * and struct. The grammar is what such compilers emit; LLVM's MicrosoftDemangle describes it too.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "symbols/ns-undecorate-private.h"

#include <string.h>

#define MAX_DIMENSIONS 32

/* Names contain types, and types contain names. */
static NsMsvcType parse_type (NsMsvcParser *self);
static NsMsvcType parse_qualified_type (NsMsvcParser *self);
static NsMsvcType parse_function_type (NsMsvcParser *self, gboolean has_this);
static const char *parse_symbol (NsMsvcParser *self);
static const char *parse_type_name (NsMsvcParser *self);

static NsMsvcType
parse_array (NsMsvcParser *self)
{
  NsMsvcType type;
  const char *dimensions = "";
  gint64 n_dimensions = g_ascii_strtoll (ns_msvc_number (self), NULL, 10);

  if (n_dimensions < 1 || n_dimensions > MAX_DIMENSIONS)
    return ns_msvc_type_fail (self);
  for (gint64 i = 0; i < n_dimensions; i++)
    dimensions = ns_msvc_join (self, dimensions, "[", ns_msvc_number (self), "]", NULL);
  type = ns_msvc_take (self, "$$C") ? parse_qualified_type (self) : parse_type (self);
  type.right = ns_msvc_join (self, dimensions, type.right, NULL);
  type.is_array = TRUE;
  return type;
}

static NsMsvcType
parse_pointer (NsMsvcParser *self, const char *sign)
{
  const char *qualifiers;
  const char *member = "";
  gboolean is_member = FALSE;
  NsMsvcType type;

  if (ns_msvc_take (self, "6"))
    {
      type = parse_function_type (self, FALSE);
      return ns_msvc_type_point_to (self, &type, sign);
    }
  ns_msvc_skip_widths (self);
  if (ns_msvc_take (self, "8"))
    {
      member = parse_type_name (self);
      type = parse_function_type (self, TRUE);
      return ns_msvc_type_point_to (self,
                                    &type,
                                    ns_msvc_join (self, " ", member, "::", sign, NULL));
    }
  qualifiers = ns_msvc_qualifiers (self, &is_member);
  if (is_member)
    member = ns_msvc_join (self, parse_type_name (self), "::", NULL);
  type = parse_type (self);
  if (type.convention == NULL)
    type.left = ns_msvc_qualify (self, type.left, qualifiers);
  return ns_msvc_type_point_to (self, &type, ns_msvc_join (self, member, sign, NULL));
}

/* Parses the code of a pointer or reference operator. */
static const char *
take_pointer_sign (NsMsvcParser *self)
{
  static const struct
  {
    const char *letters;
    const char *sign;
  } signs[] = {
    { "$$Q", "&&" }, { "$$R", "&& volatile" }, { "A", "&" },          { "B", "& volatile" },
    { "P", "*" },    { "Q", "* const" },       { "R", "* volatile" }, { "S", "* const volatile" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (signs); i++)
    if (ns_msvc_take (self, signs[i].letters))
      return signs[i].sign;
  return NULL;
}

static NsMsvcType
parse_unqualified (NsMsvcParser *self)
{
  const char *sign = take_pointer_sign (self);

  if (sign != NULL)
    return parse_pointer (self, sign);
  if (ns_msvc_take (self, "$$A8@@"))
    return parse_function_type (self, TRUE);
  if (ns_msvc_take (self, "$$A6"))
    return parse_function_type (self, FALSE);
  if (ns_msvc_take (self, "$$B"))
    return parse_type (self);
  if (ns_msvc_take (self, "$$C"))
    return parse_qualified_type (self);
  switch (ns_msvc_peek (self))
    {
    case 'W':
      ns_msvc_next (self);
      if (!g_ascii_isdigit (ns_msvc_next (self)))
        return ns_msvc_type_fail (self);
      return ns_msvc_type_plain (parse_type_name (self));
    case 'T':
    case 'U':
    case 'V':
      ns_msvc_next (self);
      return ns_msvc_type_plain (parse_type_name (self));
    case 'Y':
      ns_msvc_next (self);
      return parse_array (self);
    case '?':
      {
        const char *name;

        ns_msvc_next (self);
        name = parse_type_name (self);
        ns_msvc_take (self, "@");
        return ns_msvc_type_plain (name);
      }
    default:
      return ns_msvc_primitive (self);
    }
}

/* Parses a type; NS_UNDECORATE_MAX_DEPTH limits the recursion. */
static NsMsvcType
parse_type (NsMsvcParser *self)
{
  NsMsvcType type;

  if (!ns_msvc_enter (self))
    {
      ns_msvc_leave (self);
      return ns_msvc_type_fail (self);
    }
  type = parse_unqualified (self);
  ns_msvc_leave (self);
  return self->has_failed ? ns_msvc_type_fail (self) : type;
}

/* Parses a type with qualifiers before it. */
static NsMsvcType
parse_qualified_type (NsMsvcParser *self)
{
  gboolean is_member;
  const char *qualifiers = ns_msvc_qualifiers (self, &is_member);
  NsMsvcType type = parse_type (self);

  if (type.convention == NULL)
    type.left = ns_msvc_qualify (self, type.left, qualifiers);
  return type;
}

/* Parses a parameter; those longer than one letter can be back-referenced. */
static const char *
parse_parameter (NsMsvcParser *self)
{
  NsMsvcReferences *references = &self->references;
  const char *begin = self->at;
  NsMsvcType type;
  const char *text;

  if (g_ascii_isdigit (ns_msvc_peek (self)))
    {
      guint i = (guint) (ns_msvc_next (self) - '0');

      return i < references->n_types ? references->types[i] : ns_msvc_fail (self);
    }
  type = parse_type (self);
  text = ns_msvc_type_to_text (self, &type);
  if (self->at - begin > 1 && references->n_types < NS_MSVC_MAX_REFERENCES)
    references->types[references->n_types++] = text;
  return text;
}

static const char *
parse_parameters (NsMsvcParser *self)
{
  const char *text = "";

  if (ns_msvc_take (self, "X"))
    return "(void)";
  while (!self->has_failed)
    {
      if (ns_msvc_take (self, "@"))
        break;
      if (ns_msvc_take (self, "Z"))
        {
          text = ns_msvc_join (self, text, *text != '\0' ? ",..." : "...", NULL);
          break;
        }
      if (++self->n_arguments > NS_UNDECORATE_MAX_ARGUMENTS)
        return ns_msvc_fail (self);
      text = ns_msvc_join (self, text, *text != '\0' ? "," : "", parse_parameter (self), NULL);
    }
  return ns_msvc_join (self, "(", text, ")", NULL);
}

/* Parses a function type; @has_this: qualifiers of the object come first. */
static NsMsvcType
parse_function_type (NsMsvcParser *self, gboolean has_this)
{
  NsMsvcType type = { .left = "", .right = "" };
  NsMsvcType result = ns_msvc_type_plain ("");
  const char *qualifiers = "";
  gboolean is_member;

  if (has_this)
    {
      while (strchr ("EIFGH", ns_msvc_peek (self)) != NULL && ns_msvc_peek (self) != '\0')
        ns_msvc_next (self);
      qualifiers = ns_msvc_qualifiers (self, &is_member);
    }
  type.convention = ns_msvc_get_convention (ns_msvc_next (self));
  if (type.convention == NULL)
    return ns_msvc_type_fail (self);
  if (!ns_msvc_take (self, "@"))
    result = ns_msvc_take (self, "?") ? parse_qualified_type (self) : parse_type (self);
  type.right = parse_parameters (self);
  if (!ns_msvc_take (self, "Z") && !ns_msvc_take (self, "_E"))
    return ns_msvc_type_fail (self);
  type.result = ns_msvc_type_to_text (self, &result);
  type.left = result.convention != NULL ? ns_msvc_type_to_text (self, &result) : result.left;
  type.right = ns_msvc_join (self,
                             type.right,
                             qualifiers,
                             result.convention != NULL ? "" : result.right,
                             NULL);
  return type;
}

/* Parses a non-type template argument. */
static const char *
parse_value (NsMsvcParser *self, char kind)
{
  const char *text;
  guint n_numbers = 0;

  switch (kind)
    {
    case '0':
      return ns_msvc_number (self);
    case '1':
      return ns_msvc_join (self, "&", parse_symbol (self), NULL);
    case 'E':
      return parse_symbol (self);
    case 'H':
    case 'I':
    case 'J':
      n_numbers = (guint) (kind - 'H') + 1;
      text = ns_msvc_join (self, "{&", parse_symbol (self), NULL);
      break;
    case 'F':
    case 'G':
      n_numbers = (guint) (kind - 'F') + 2;
      text = "{";
      break;
    default:
      return ns_msvc_fail (self);
    }
  for (guint i = 0; i < n_numbers; i++)
    text = ns_msvc_join (self, text, i > 0 || kind >= 'H' ? "," : "", ns_msvc_number (self), NULL);
  return ns_msvc_join (self, text, "}", NULL);
}

/* Parses a template argument; %NULL for an empty pack. */
static const char *
parse_argument (NsMsvcParser *self)
{
  NsMsvcType type;
  char kind;

  if (ns_msvc_take (self, "$S") || ns_msvc_take (self, "$$V") || ns_msvc_take (self, "$$$V") ||
      ns_msvc_take (self, "$$Z"))
    return NULL;
  if (ns_msvc_take (self, "$$Y"))
    return parse_type_name (self);
  if (ns_msvc_take (self, "$M"))
    {
      parse_type (self);
      return parse_value (self, ns_msvc_next (self));
    }
  if (ns_msvc_peek (self) == '$' && self->at + 1 < self->end && self->at[1] != '$')
    {
      ns_msvc_next (self);
      kind = ns_msvc_next (self);
      return parse_value (self, kind);
    }
  type = parse_type (self);
  return ns_msvc_type_to_text (self, &type);
}

/* Parses arguments such as `<int,char const *>`. */
static const char *
parse_template_arguments (NsMsvcParser *self)
{
  const char *text = "<";
  gsize n_text;

  while (!self->has_failed && !ns_msvc_take (self, "@"))
    {
      const char *argument = parse_argument (self);

      if (++self->n_arguments > NS_UNDECORATE_MAX_ARGUMENTS)
        return ns_msvc_fail (self);
      if (argument != NULL)
        text = ns_msvc_join (self, text, text[1] != '\0' ? "," : "", argument, NULL);
    }
  n_text = strlen (text);
  return ns_msvc_join (self, text, n_text > 0 && text[n_text - 1] == '>' ? " >" : ">", NULL);
}

/* clang-format off */
/* Operators by the letter after `?`; NULL: in another table, or none. */
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

/* Operators by the letter after `?_`. */
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

/* Operators by the letter after `?__`. */
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

/* Kind of the last component of a name; it decides what follows. */
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
  LEAF_INITIALIZER, /* its scopes are already in its name */
} Leaf;

static const char *
parse_rtti (NsMsvcParser *self, Leaf *leaf)
{
  NsMsvcType type;

  *leaf = LEAF_RTTI;
  switch (ns_msvc_next (self))
    {
    case '0':
      type = ns_msvc_take (self, "?") ? parse_qualified_type (self) : parse_type (self);
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

/* Parses a dynamic initializer or destructor: code that runs for a variable before or after
 * main(). */
static const char *
parse_initializer (NsMsvcParser *self, Leaf *leaf, const char *what)
{
  gboolean has_mark = ns_msvc_peek (self) == '?';
  const char *name;

  *leaf = LEAF_INITIALIZER;
  if (has_mark)
    {
      name = parse_symbol (self);
      if (!ns_msvc_take (self, "@"))
        return ns_msvc_fail (self);
      ns_msvc_take (self, "@");
    }
  else
    name = parse_type_name (self);
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
    return ns_msvc_join (self, "operator \"\"", ns_msvc_identifier (self, FALSE), NULL);
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

/* Parses a template; it has back-references of its own, so the outer ones are saved. */
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
  name = ns_msvc_take (self, "?") ? parse_operator (self, leaf) : ns_msvc_identifier (self, TRUE);
  arguments = parse_template_arguments (self);
  self->references = outer;
  ns_msvc_leave (self);
  return ns_msvc_join (self, name, arguments, NULL);
}

/* Parses a scope inside a function: its number, and the function. */
static const char *
parse_local_scope (NsMsvcParser *self)
{
  const char *number = ns_msvc_number (self);
  const char *function;

  if (!ns_msvc_take (self, "?") || !ns_msvc_enter (self))
    return ns_msvc_fail (self);
  function = parse_symbol (self);
  ns_msvc_leave (self);
  return ns_msvc_join (self, "`", function, "'::`", number, "'", NULL);
}

static const char *
parse_scope_piece (NsMsvcParser *self)
{
  Leaf leaf = LEAF_NAME;
  const char *name;

  if (g_ascii_isdigit (ns_msvc_peek (self)))
    return ns_msvc_reference (self);
  if (ns_msvc_take (self, "?$"))
    {
      name = parse_template (self, &leaf);
      ns_msvc_remember (self, name);
      return name;
    }
  if (ns_msvc_take (self, "?A"))
    {
      if (!ns_msvc_take (self, "@"))
        ns_msvc_identifier (self, TRUE);
      return "`anonymous namespace'";
    }
  if (ns_msvc_take (self, "?"))
    return parse_local_scope (self);
  return ns_msvc_identifier (self, TRUE);
}

/* Parses the enclosing scopes of @name up to `@`, innermost first. */
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

/* Parses the name of a class or enumeration with its scopes. */
static const char *
parse_type_name (NsMsvcParser *self)
{
  const char *class_name;

  return parse_scopes (self, parse_scope_piece (self), &class_name);
}

/* Parses the encoding of a vtable: 6 or 7, qualifiers, base classes. */
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
  ns_msvc_skip_widths (self);
  ns_msvc_qualifiers (self, &is_member);
  while (!self->has_failed && !ns_msvc_take (self, "@"))
    parse_type_name (self);
}

static void
parse_variable_encoding (NsMsvcParser *self)
{
  gboolean is_member;

  parse_type (self);
  ns_msvc_skip_widths (self);
  ns_msvc_qualifiers (self, &is_member);
  if (is_member)
    parse_type_name (self);
}

/* Parses the access class of a function, up to its calling convention. */
static gboolean
parse_function_class (NsMsvcParser *self, gboolean *has_this)
{
  char letter;

  *has_this = TRUE;
  ns_msvc_take (self, "$$J0");
  if (ns_msvc_take (self, "$R"))
    {
      ns_msvc_next (self);
      ns_msvc_skip_numbers (self, 4);
      return TRUE;
    }
  if (ns_msvc_take (self, "$"))
    {
      letter = ns_msvc_next (self);
      ns_msvc_skip_numbers (self, 2);
      return letter >= '0' && letter <= '5';
    }
  letter = ns_msvc_next (self);
  if (letter == 'Y' || letter == 'Z' || (letter <= 'X' && strchr ("CDKLST", letter) != NULL))
    *has_this = FALSE;
  else if (strchr ("GHOPWX", letter) != NULL)
    ns_msvc_skip_numbers (self, 1);
  return letter >= 'A' && letter <= 'Z';
}

/* Parses the encoding of a symbol; returns the target type of a conversion operator, else an empty
 * string. */
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
      ns_msvc_skip_numbers (self, 1);
      ns_msvc_next (self);
      ns_msvc_next (self);
      return "";
    }
  if (leaf == LEAF_GUARD)
    {
      if (!ns_msvc_take (self, "4IA") && !ns_msvc_take (self, "5"))
        return ns_msvc_fail (self);
      if (self->at < self->end && *self->at != '@')
        ns_msvc_skip_numbers (self, 1);
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
  type = parse_function_type (self, has_this);
  return type.result != NULL ? type.result : "";
}

/* Parses the last component of a name. */
static const char *
parse_leaf (NsMsvcParser *self, Leaf *leaf)
{
  *leaf = LEAF_NAME;
  if (g_ascii_isdigit (ns_msvc_peek (self)))
    return ns_msvc_reference (self);
  if (ns_msvc_take (self, "?$"))
    return parse_template (self, leaf);
  if (ns_msvc_take (self, "?"))
    return parse_operator (self, leaf);
  return ns_msvc_identifier (self, TRUE);
}

/* Parses a complete symbol, which begins with `?`. */
static const char *
parse_symbol (NsMsvcParser *self)
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
  /* A constructor takes the name of its class, which comes next. */
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
 * @name: (array length=n_bytes): a decorated name, beginning with `?`
 * @n_bytes: length of the name
 *
 * Returns: (transfer full) (nullable): the demangled name; %NULL: not understood
 */
char *
ns_undecorate_msvc (const char *name, gsize n_bytes)
{
  g_autoptr (NsArena) arena = NULL;
  NsMsvcParser parser = { 0 };
  const char *text;

  /* `??@` marks the hash of a name that was too long; it cannot be demangled. */
  if (n_bytes >= 3 && memcmp (name, "??@", 3) == 0)
    return NULL;
  arena = ns_arena_new (4096);
  parser.at = name;
  parser.end = name + n_bytes;
  parser.arena = arena;
  text = parse_symbol (&parser);
  if (parser.has_failed || *text == '\0')
    return NULL;
  return g_strdup (text);
}
