/* Demangling of C++ names: formatting of types, and built-in types.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "symbols/ns-undecorate-private.h"

#include <string.h>

/**
 * ns_msvc_type_plain:
 * @text: a type written completely before the declared name
 *
 * Returns: the type
 */
NsMsvcType
ns_msvc_type_plain (const char *text)
{
  return (NsMsvcType){ .left = text, .right = "" };
}

/**
 * ns_msvc_type_fail:
 * @self: a parser
 *
 * Marks the name as not understood.
 *
 * Returns: an empty type
 */
NsMsvcType
ns_msvc_type_fail (NsMsvcParser *self)
{
  return ns_msvc_type_plain (ns_msvc_fail (self));
}

/**
 * ns_msvc_type_to_text:
 * @self: a parser
 * @type: a type
 *
 * Returns: the type as written without a declared name
 */
const char *
ns_msvc_type_to_text (NsMsvcParser *self, const NsMsvcType *type)
{
  if (type->convention != NULL)
    return ns_msvc_join (self, type->left, " ", type->convention, type->right, NULL);
  return ns_msvc_join (self, type->left, type->right, NULL);
}

/**
 * ns_msvc_qualify:
 * @self: a parser
 * @left: a type
 * @qualifiers: qualifiers to append
 *
 * A constant pointer may be marked constant twice; the qualifier is written once.
 *
 * Returns: the qualified type
 */
const char *
ns_msvc_qualify (NsMsvcParser *self, const char *left, const char *qualifiers)
{
  if (g_str_has_suffix (left, " const") && g_str_has_prefix (qualifiers, " const"))
    qualifiers += strlen (" const");
  if (g_str_has_suffix (left, " volatile") && strcmp (qualifiers, " volatile") == 0)
    return left;
  return *qualifiers != '\0' ? ns_msvc_join (self, left, qualifiers, NULL) : left;
}

/**
 * ns_msvc_type_point_to:
 * @self: a parser
 * @type: the pointed-to type
 * @sign: `*` or similar, with qualifiers
 *
 * Returns: the pointer type
 */
NsMsvcType
ns_msvc_type_point_to (NsMsvcParser *self, const NsMsvcType *type, const char *sign)
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

/**
 * ns_msvc_get_convention:
 * @letter: code of a calling convention
 *
 * Returns: (nullable): the calling convention; %NULL: unknown code
 */
const char *
ns_msvc_get_convention (char letter)
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

/**
 * ns_msvc_primitive:
 * @self: a parser
 *
 * Parses a built-in type.
 *
 * Returns: the type
 */
NsMsvcType
ns_msvc_primitive (NsMsvcParser *self)
{
  const char *name;

  if (ns_msvc_take (self, "$$T"))
    return ns_msvc_type_plain ("std::nullptr_t");
  if (ns_msvc_take (self, "_"))
    name = get_long_primitive (ns_msvc_next (self));
  else
    name = get_primitive (ns_msvc_next (self));
  return name != NULL ? ns_msvc_type_plain (name) : ns_msvc_type_fail (self);
}
