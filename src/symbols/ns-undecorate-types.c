/* The types in decorated C++ names: what template arguments and signatures are made of.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "symbols/ns-undecorate-private.h"

#include <string.h>

#define MAX_DIMENSIONS 32

static NsMsvcType
plain (const char *text)
{
  return (NsMsvcType){ .left = text, .right = "" };
}

static NsMsvcType
failed (NsMsvcParser *self)
{
  return plain (ns_msvc_fail (self));
}

const char *
ns_msvc_type_to_text (NsMsvcParser *self, const NsMsvcType *type)
{
  if (type->convention != NULL)
    return ns_msvc_join (self, type->left, " ", type->convention, type->right, NULL);
  return ns_msvc_join (self, type->left, type->right, NULL);
}

/* Adds ` *` or the like behind what is pointed to. */
static NsMsvcType
point_to (NsMsvcParser *self, const NsMsvcType *type, const char *sign)
{
  NsMsvcType pointer = { 0 };

  pointer.right = type->right;
  if (type->convention != NULL)
    {
      pointer.left = ns_msvc_join (self, type->left, " (", type->convention, sign, NULL);
      pointer.right = ns_msvc_join (self, ")", type->right, NULL);
    }
  else if (type->is_array)
    {
      pointer.left = ns_msvc_join (self, type->left, " (", sign, NULL);
      pointer.right = ns_msvc_join (self, ")", type->right, NULL);
    }
  else
    pointer.left = ns_msvc_join (self, type->left, " ", sign, NULL);
  return pointer;
}

static const char *
get_convention (char letter)
{
  switch (letter)
    {
    case 'A':
    case 'B':
      return "__cdecl";
    case 'C':
    case 'D':
      return "__pascal";
    case 'E':
    case 'F':
      return "__thiscall";
    case 'G':
    case 'H':
      return "__stdcall";
    case 'I':
    case 'J':
      return "__fastcall";
    case 'K':
    case 'L':
      return "";
    case 'M':
    case 'N':
      return "__clrcall";
    case 'O':
    case 'P':
      return "__eabi";
    case 'Q':
    case 'R':
      return "__vectorcall";
    case 'S':
      return "__swiftcall";
    case 'W':
      return "__swiftasynccall";
    case 'w':
      return "__regcall";
    default:
      return NULL;
    }
}

static const char *
get_primitive (char letter)
{
  static const char *const names[] = {
    ['X' - 'A'] = "void",          ['D' - 'A'] = "char",         ['C' - 'A'] = "signed char",
    ['E' - 'A'] = "unsigned char", ['F' - 'A'] = "short",        ['G' - 'A'] = "unsigned short",
    ['H' - 'A'] = "int",           ['I' - 'A'] = "unsigned int", ['J' - 'A'] = "long",
    ['K' - 'A'] = "unsigned long", ['M' - 'A'] = "float",        ['N' - 'A'] = "double",
    ['O' - 'A'] = "long double",
  };

  return letter >= 'A' && letter <= 'X' ? names[letter - 'A'] : NULL;
}

static const char *
get_long_primitive (char letter)
{
  static const char *const names[] = {
    ['D' - 'A'] = "__int8",         ['E' - 'A'] = "unsigned __int8",
    ['F' - 'A'] = "__int16",        ['G' - 'A'] = "unsigned __int16",
    ['H' - 'A'] = "__int32",        ['I' - 'A'] = "unsigned __int32",
    ['J' - 'A'] = "__int64",        ['K' - 'A'] = "unsigned __int64",
    ['L' - 'A'] = "__int128",       ['M' - 'A'] = "unsigned __int128",
    ['N' - 'A'] = "bool",           ['P' - 'A'] = "auto",
    ['Q' - 'A'] = "char8_t",        ['S' - 'A'] = "char16_t",
    ['T' - 'A'] = "decltype(auto)", ['U' - 'A'] = "char32_t",
    ['W' - 'A'] = "wchar_t",
  };

  return letter >= 'D' && letter <= 'W' ? names[letter - 'A'] : NULL;
}

static NsMsvcType
parse_primitive (NsMsvcParser *self)
{
  const char *name;

  if (ns_msvc_take (self, "$$T"))
    return plain ("std::nullptr_t");
  if (ns_msvc_take (self, "_"))
    name = get_long_primitive (ns_msvc_next (self));
  else
    name = get_primitive (ns_msvc_next (self));
  return name != NULL ? plain (name) : failed (self);
}

static NsMsvcType
parse_array (NsMsvcParser *self)
{
  NsMsvcType type;
  const char *dimensions = "";
  gint64 n_dimensions = g_ascii_strtoll (ns_msvc_number (self), NULL, 10);

  if (n_dimensions < 1 || n_dimensions > MAX_DIMENSIONS)
    return failed (self);
  for (gint64 i = 0; i < n_dimensions; i++)
    dimensions = ns_msvc_join (self, dimensions, "[", ns_msvc_number (self), "]", NULL);
  type = ns_msvc_take (self, "$$C") ? ns_msvc_qualified_type (self) : ns_msvc_type (self);
  type.right = ns_msvc_join (self, dimensions, type.right, NULL);
  type.is_array = TRUE;
  return type;
}

/* Widths of pointers and the like, which are not written. */
static void
skip_extended (NsMsvcParser *self)
{
  while (ns_msvc_peek (self) == 'E' || ns_msvc_peek (self) == 'I' || ns_msvc_peek (self) == 'F')
    ns_msvc_next (self);
}

/* Qualifiers behind a type, once each: a constant pointer may be said to be constant twice. */
static const char *
qualify (NsMsvcParser *self, const char *left, const char *qualifiers)
{
  if (g_str_has_suffix (left, " const") && g_str_has_prefix (qualifiers, " const"))
    qualifiers += strlen (" const");
  if (g_str_has_suffix (left, " volatile") && strcmp (qualifiers, " volatile") == 0)
    return left;
  return *qualifiers != '\0' ? ns_msvc_join (self, left, qualifiers, NULL) : left;
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
      type = ns_msvc_function_type (self, FALSE);
      return point_to (self, &type, sign);
    }
  skip_extended (self);
  if (ns_msvc_take (self, "8"))
    {
      member = ns_msvc_type_name (self);
      type = ns_msvc_function_type (self, TRUE);
      return point_to (self, &type, ns_msvc_join (self, " ", member, "::", sign, NULL));
    }
  qualifiers = ns_msvc_qualifiers (self, &is_member);
  if (is_member)
    member = ns_msvc_join (self, ns_msvc_type_name (self), "::", NULL);
  type = ns_msvc_type (self);
  if (type.convention == NULL)
    type.left = qualify (self, type.left, qualifiers);
  return point_to (self, &type, ns_msvc_join (self, member, sign, NULL));
}

/* Signs of pointers and references by the letters before them. */
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
    return ns_msvc_function_type (self, TRUE);
  if (ns_msvc_take (self, "$$A6"))
    return ns_msvc_function_type (self, FALSE);
  if (ns_msvc_take (self, "$$B"))
    return ns_msvc_type (self);
  if (ns_msvc_take (self, "$$C"))
    return ns_msvc_qualified_type (self);
  switch (ns_msvc_peek (self))
    {
    case 'W':
      ns_msvc_next (self);
      if (!g_ascii_isdigit (ns_msvc_next (self)))
        return failed (self);
      return plain (ns_msvc_type_name (self));
    case 'T':
    case 'U':
    case 'V':
      ns_msvc_next (self);
      return plain (ns_msvc_type_name (self));
    case 'Y':
      ns_msvc_next (self);
      return parse_array (self);
    case '?':
      {
        const char *name;

        ns_msvc_next (self);
        name = ns_msvc_type_name (self);
        ns_msvc_take (self, "@");
        return plain (name);
      }
    default:
      return parse_primitive (self);
    }
}

/**
 * ns_msvc_type:
 * @self: a parser
 *
 * Recursion is bounded by %NS_UNDECORATE_MAX_DEPTH.
 *
 * Returns: the type that stands there
 */
NsMsvcType
ns_msvc_type (NsMsvcParser *self)
{
  NsMsvcType type;

  if (!ns_msvc_enter (self))
    {
      ns_msvc_leave (self);
      return failed (self);
    }
  type = parse_unqualified (self);
  ns_msvc_leave (self);
  return self->has_failed ? failed (self) : type;
}

/**
 * ns_msvc_qualified_type:
 * @self: a parser
 *
 * Returns: the type that stands there, with qualifiers before it
 */
NsMsvcType
ns_msvc_qualified_type (NsMsvcParser *self)
{
  gboolean is_member;
  const char *qualifiers = ns_msvc_qualifiers (self, &is_member);
  NsMsvcType type = ns_msvc_type (self);

  if (type.convention == NULL)
    type.left = qualify (self, type.left, qualifiers);
  return type;
}

/* One parameter; those of more than a letter can be referred to later. */
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
  type = ns_msvc_type (self);
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

/**
 * ns_msvc_function_type:
 * @self: a parser
 * @has_this: qualifiers of the object come first
 *
 * Returns: the type of a function
 */
NsMsvcType
ns_msvc_function_type (NsMsvcParser *self, gboolean has_this)
{
  NsMsvcType type = { .left = "", .right = "" };
  NsMsvcType result = plain ("");
  const char *qualifiers = "";
  gboolean is_member;

  if (has_this)
    {
      while (strchr ("EIFGH", ns_msvc_peek (self)) != NULL && ns_msvc_peek (self) != '\0')
        ns_msvc_next (self);
      qualifiers = ns_msvc_qualifiers (self, &is_member);
    }
  type.convention = get_convention (ns_msvc_next (self));
  if (type.convention == NULL)
    return failed (self);
  if (!ns_msvc_take (self, "@"))
    result = ns_msvc_take (self, "?") ? ns_msvc_qualified_type (self) : ns_msvc_type (self);
  type.right = parse_parameters (self);
  if (!ns_msvc_take (self, "Z") && !ns_msvc_take (self, "_E"))
    return failed (self);
  type.result = ns_msvc_type_to_text (self, &result);
  type.left = result.convention != NULL ? ns_msvc_type_to_text (self, &result) : result.left;
  type.right = ns_msvc_join (self,
                             type.right,
                             qualifiers,
                             result.convention != NULL ? "" : result.right,
                             NULL);
  return type;
}

/* The value of an argument that is none of types. */
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
      return ns_msvc_join (self, "&", ns_msvc_symbol (self), NULL);
    case 'E':
      return ns_msvc_symbol (self);
    case 'H':
    case 'I':
    case 'J':
      n_numbers = (guint) (kind - 'H') + 1;
      text = ns_msvc_join (self, "{&", ns_msvc_symbol (self), NULL);
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

/* One argument of a template; %NULL for an empty pack. */
static const char *
parse_argument (NsMsvcParser *self)
{
  NsMsvcType type;
  char kind;

  if (ns_msvc_take (self, "$S") || ns_msvc_take (self, "$$V") || ns_msvc_take (self, "$$$V") ||
      ns_msvc_take (self, "$$Z"))
    return NULL;
  if (ns_msvc_take (self, "$$Y"))
    return ns_msvc_type_name (self);
  if (ns_msvc_take (self, "$M"))
    {
      ns_msvc_type (self);
      return parse_value (self, ns_msvc_next (self));
    }
  if (ns_msvc_peek (self) == '$' && self->at + 1 < self->end && self->at[1] != '$')
    {
      ns_msvc_next (self);
      kind = ns_msvc_next (self);
      return parse_value (self, kind);
    }
  type = ns_msvc_type (self);
  return ns_msvc_type_to_text (self, &type);
}

/**
 * ns_msvc_template_arguments:
 * @self: a parser
 *
 * Returns: `<int,char const *>`
 */
const char *
ns_msvc_template_arguments (NsMsvcParser *self)
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
