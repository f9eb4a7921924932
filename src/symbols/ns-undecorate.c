/* Demangles linker symbols.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "symbols/ns-undecorate-private.h"

#include <string.h>

#ifdef HAVE_LIBIBERTY
#include <libiberty/demangle.h>
#include <stdlib.h>
#endif

#define IMPORT_PREFIX "__imp_"
#define MAX_FOREIGN_NAME 4096

/* Demangles names of other compilers: Itanium C++ ABI and Rust. */
static char *
undecorate_foreign (const char *name, gsize n_bytes)
{
#ifdef HAVE_LIBIBERTY
  g_autofree char *text = NULL;
  const char *begin;
  char *readable;
  char *copy;

  if (n_bytes > MAX_FOREIGN_NAME)
    return NULL;
  text = g_strndup (name, n_bytes);
  /* 32-bit images have one more leading underscore. */
  begin = g_str_has_prefix (text, "__Z") || g_str_has_prefix (text, "__R") ? text + 1 : text;
  readable = rust_demangle (begin, DMGL_ANSI);
  if (readable == NULL)
    readable = cplus_demangle_v3 (begin, DMGL_ANSI);
  copy = g_strdup (readable);
  free (readable);
  return copy;
#else
  return NULL;
#endif
}

static gboolean
is_foreign (const char *name, gsize n_bytes)
{
  return (n_bytes > 2 && name[0] == '_' && (name[1] == 'Z' || name[1] == 'R')) ||
         (n_bytes > 3 && memcmp (name, "__Z", 3) == 0) ||
         (n_bytes > 3 && memcmp (name, "__R", 3) == 0);
}

/* Returns the length of @name before a suffix of `@` and digits; @n_bytes if there is none. */
static gsize
count_before_size (const char *name, gsize n_bytes)
{
  gsize i = n_bytes;

  while (i > 0 && g_ascii_isdigit (name[i - 1]))
    i--;
  return i > 1 && i < n_bytes && name[i - 1] == '@' ? i - 1 : n_bytes;
}

/* Undecorates a C name of a 32-bit x86 image, which encodes the calling convention. */
static char *
undecorate_c_x86 (const char *name, gsize n_bytes)
{
  gsize n_name = count_before_size (name, n_bytes);

  if (n_name < n_bytes && n_name > 1 && name[n_name - 1] == '@')
    return g_strndup (name, n_name - 1);
  if (n_bytes > 1 && (name[0] == '_' || (name[0] == '@' && n_name < n_bytes)))
    return g_strndup (name + 1, n_name - 1);
  return NULL;
}

static char *
undecorate_one (const char *name, gsize n_bytes, gboolean is_x86)
{
  char *text = NULL;

  if (n_bytes > 1 && name[0] == '?')
    text = ns_undecorate_msvc (name, n_bytes);
  else if (is_foreign (name, n_bytes))
    text = undecorate_foreign (name, n_bytes);
  if (text == NULL && is_x86 && n_bytes > 0 && name[0] != '?')
    text = undecorate_c_x86 (name, n_bytes);
  return text != NULL ? text : g_strndup (name, n_bytes);
}

/**
 * ns_undecorate:
 * @name: (array length=n_bytes): a linker symbol
 * @n_bytes: length of the name
 * @is_x86: whether it is of a 32-bit x86 image, where C names are decorated too
 *
 * Returns: (transfer full): the demangled name without parameters; @name itself if it is not
 *   decorated or not understood
 */
char *
ns_undecorate (const char *name, gsize n_bytes, gboolean is_x86)
{
  gsize n_prefix = strlen (IMPORT_PREFIX);
  g_autofree char *rest = NULL;

  if (n_bytes > NS_UNDECORATE_MAX_NAME)
    return g_strndup (name, NS_UNDECORATE_MAX_NAME);
  if (n_bytes <= n_prefix || memcmp (name, IMPORT_PREFIX, n_prefix) != 0)
    return undecorate_one (name, n_bytes, is_x86);
  rest = undecorate_one (name + n_prefix, n_bytes - n_prefix, is_x86);
  return g_strconcat (IMPORT_PREFIX, rest, NULL);
}
