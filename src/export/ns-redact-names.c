/* The table of replaced names, each with its stand-in.
 *
 * Names are compared case-insensitively. Paths may contain characters that end a path in a
 * sentence; they are also kept sorted, so that the extent of a known path in a sentence can be
 * found.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "export/ns-redact-names.h"

#include "base/ns-hash.h"
#include "export/ns-redact-short.h"

#include <string.h>

/* Key of a name; the text is not copied. */
typedef struct
{
  NsRedactKind kind;
  const char *text;
  gsize size;
} Key;

/* A path in the sorted list. */
typedef struct
{
  const char *text;
  gsize size;
  guint shorter; /* index of the longest other path that is a prefix of it, from 1; 0: none */
} Path;

struct _NsRedactNames
{
  GPtrArray *all[NS_N_REDACT_KINDS]; /* (element-type NsRedactName): by number */
  GHashTable *by_text;               /* Key → NsRedactName */
  GArray *paths;                     /* Path; empty until the names are closed */
  NsRedactShort *by_short; /* short forms in sentences; empty until the names are closed */
};

static const char *const prefixes[] = { "server", "address", "path", "user", "text" };

static guint
hash_key (gconstpointer data)
{
  const Key *key = data;

  return ns_hash_folded (key->text, key->size) + key->kind;
}

static gboolean
is_same_key (gconstpointer a, gconstpointer b)
{
  const Key *one = a;
  const Key *other = b;

  return one->kind == other->kind && one->size == other->size &&
         g_ascii_strncasecmp (one->text, other->text, one->size) == 0;
}

static void
free_name (gpointer data)
{
  NsRedactName *name = data;

  g_free (name->text);
  g_free (name->stand_in);
  g_free (name);
}

static gboolean
begins_with (const char *text, const Path *path)
{
  return g_ascii_strncasecmp (text, path->text, path->size) == 0;
}

static int
compare_paths (gconstpointer a, gconstpointer b)
{
  return g_ascii_strcasecmp (((const Path *) a)->text, ((const Path *) b)->text);
}

/**
 * ns_redact_names_new:
 *
 * Returns: (transfer full): an empty table
 */
NsRedactNames *
ns_redact_names_new (void)
{
  NsRedactNames *self = g_new0 (NsRedactNames, 1);
  guint kind;

  for (kind = 0; kind < NS_N_REDACT_KINDS; kind++)
    self->all[kind] = g_ptr_array_new_with_free_func (free_name);
  self->by_text = g_hash_table_new_full (hash_key, is_same_key, g_free, NULL);
  self->paths = g_array_new (FALSE, FALSE, sizeof (Path));
  self->by_short = ns_redact_short_new ();
  return self;
}

/**
 * ns_redact_names_free:
 * @self: (transfer full) (nullable): names
 */
void
ns_redact_names_free (NsRedactNames *self)
{
  guint kind;

  if (self == NULL)
    return;
  g_array_unref (self->paths);
  ns_redact_short_free (self->by_short);
  g_hash_table_unref (self->by_text);
  for (kind = 0; kind < NS_N_REDACT_KINDS; kind++)
    g_ptr_array_unref (self->all[kind]);
  g_free (self);
}

/**
 * ns_redact_names_find:
 * @self: names
 * @kind: kind of the name
 * @text: (array length=size): the name
 * @size: length in bytes
 *
 * Returns: (transfer none) (nullable): the name, if it is known
 */
NsRedactName *
ns_redact_names_find (const NsRedactNames *self, NsRedactKind kind, const char *text, gsize size)
{
  const Key key = { kind, text, size };

  return g_hash_table_lookup (self->by_text, &key);
}

/**
 * ns_redact_names_add:
 * @self: names
 * @kind: kind of the name
 * @text: (array length=size): a name, known or not
 * @size: length in bytes
 *
 * Returns: (transfer none): the name
 */
NsRedactName *
ns_redact_names_add (NsRedactNames *self, NsRedactKind kind, const char *text, gsize size)
{
  NsRedactName *name = ns_redact_names_find (self, kind, text, size);
  Key *key;

  if (name != NULL)
    return name;
  name = g_new0 (NsRedactName, 1);
  name->kind = kind;
  name->text = g_strndup (text, size);
  g_ptr_array_add (self->all[kind], name);
  key = g_new (Key, 1);
  *key = (Key){ kind, name->text, size };
  g_hash_table_insert (self->by_text, key, name);
  return name;
}

/**
 * ns_redact_names_get_all:
 * @self: names
 * @kind: a kind
 *
 * Returns: (transfer none) (element-type NsRedactName): the names of that kind, by number
 */
const GPtrArray *
ns_redact_names_get_all (const NsRedactNames *self, NsRedactKind kind)
{
  return self->all[kind];
}

/* Returns whether the text is a name of any kind. */
static gboolean
is_name (const NsRedactNames *self, const char *text)
{
  gsize size = strlen (text);
  guint kind;

  for (kind = 0; kind < NS_N_REDACT_KINDS; kind++)
    if (ns_redact_names_find (self, kind, text, size) != NULL)
      return TRUE;
  return FALSE;
}

/* Numbers the names. A stand-in that equals a real name of the trace is skipped, since a real
 * name must not be in the file. */
static void
number_names (NsRedactNames *self, NsRedactKind kind)
{
  guint number = 0;
  guint i;

  for (i = 0; i < self->all[kind]->len; i++)
    {
      NsRedactName *name = g_ptr_array_index (self->all[kind], i);

      do
        {
          g_free (name->stand_in);
          name->stand_in = g_strdup_printf ("%s-%u", prefixes[kind], ++number);
        }
      while (is_name (self, name->stand_in));
    }
}

static void
list_short (NsRedactNames *self)
{
  guint i;

  ns_redact_short_free (self->by_short);
  self->by_short = ns_redact_short_new ();
  for (i = 0; i < self->all[NS_REDACT_SERVER]->len; i++)
    ns_redact_short_add_host (self->by_short, g_ptr_array_index (self->all[NS_REDACT_SERVER], i));
  for (i = 0; i < self->all[NS_REDACT_USER]->len; i++)
    ns_redact_short_add_user (self->by_short, g_ptr_array_index (self->all[NS_REDACT_USER], i));
}

/**
 * ns_redact_names_close:
 * @self: names; more may be added later
 *
 * Assigns stand-ins, and updates ns_redact_names_find_path_end() and ns_redact_names_find_short().
 */
void
ns_redact_names_close (NsRedactNames *self)
{
  Path *paths;
  guint kind;
  guint i;

  for (kind = 0; kind < NS_N_REDACT_KINDS; kind++)
    number_names (self, kind);

  list_short (self);
  g_array_set_size (self->paths, 0);
  for (i = 0; i < self->all[NS_REDACT_PATH]->len; i++)
    {
      const NsRedactName *name = g_ptr_array_index (self->all[NS_REDACT_PATH], i);
      Path path = { name->text, strlen (name->text), 0 };

      g_array_append_val (self->paths, path);
    }
  g_array_sort (self->paths, compare_paths);
  paths = (Path *) (gpointer) self->paths->data;
  /* A path follows its prefixes, and other paths with the same prefixes. */
  for (i = 1; i < self->paths->len; i++)
    {
      guint shorter = i;

      while (shorter > 0 && !begins_with (paths[i].text, &paths[shorter - 1]))
        shorter = paths[shorter - 1].shorter;
      paths[i].shorter = shorter;
    }
}

/**
 * ns_redact_names_find_short:
 * @self: names; those added since they were closed are ignored
 * @text: a sentence
 * @begin: begin of a word in it
 * @end: (inout): end of the word; returns the end of the name
 *
 * Returns: (transfer none) (nullable): a host whose first label, or a user whose name or part of
 *   it, is there
 */
NsRedactName *
ns_redact_names_find_short (const NsRedactNames *self, const char *text, gsize begin, gsize *end)
{
  gsize size = *end - begin;
  NsRedactName *name = ns_redact_short_find_user (self->by_short, text + begin, &size);

  if (name == NULL)
    return ns_redact_short_find_host (self->by_short, text, begin, *end);
  *end = begin + size;
  return name;
}

/**
 * ns_redact_names_find_path_end:
 * @self: names; those added since they were closed are ignored
 * @text: begin of a path
 * @size: its apparent length
 *
 * Returns: length of the longest known path there that ends at a word end; @size if none is longer
 */
gsize
ns_redact_names_find_path_end (const NsRedactNames *self, const char *text, gsize size)
{
  const Path *paths = (const Path *) (gconstpointer) self->paths->data;
  guint begin = 0;
  guint end = self->paths->len;

  /* Find the last path that is not after the text: every path that is a prefix of the text is
   * this path, or a prefix of it. */
  while (begin < end)
    {
      guint middle = begin + (end - begin) / 2;

      if (g_ascii_strcasecmp (paths[middle].text, text) <= 0)
        begin = middle + 1;
      else
        end = middle;
    }
  for (; begin > 0 && paths[begin - 1].size > size; begin = paths[begin - 1].shorter)
    if (begins_with (text, &paths[begin - 1]) &&
        !ns_redact_is_word_char (text[paths[begin - 1].size]))
      return paths[begin - 1].size;
  return size;
}

/**
 * ns_redact_kind_to_text:
 * @kind: a kind of names
 *
 * Returns: the prefix of its stand-ins
 */
const char *
ns_redact_kind_to_text (NsRedactKind kind)
{
  return prefixes[kind];
}
