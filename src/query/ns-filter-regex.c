/* A regular expression that is asked about very many texts.
 *
 * Most of what an expression costs is its beginning and end, not the text. Therefore texts that
 * lack what every match must hold, one after the other and maybe at its end, are not shown to it at
 * all, and each of two threads has a copy of its own: they would count the references of one by
 * turns, and wait for each other's counting.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "query/ns-filter-regex.h"

#include "query/ns-filter-text.h"

#include <string.h>

struct _NsFilterRegex
{
  GRegex *regex;
  GRegex *of_other; /* (nullable): for the thread that is not @thread */
  GThread *thread;
  NsFilterLiterals *literals; /* (nullable) */
};

/* A walk through an expression, which looks for the literals that each match must hold. */
typedef struct
{
  const char *here;
  guint depth; /* of groups: what is inside may be one of many */
  GString *run;
  GPtrArray *runs;
  gboolean is_at_end; /* the last run is the end of the text */
} Walk;

static void
end_run (Walk *walk)
{
  if (walk->run->len > 0)
    g_ptr_array_add (walk->runs, g_strdup (walk->run->str));
  g_string_truncate (walk->run, 0);
}

/* What was last may be missing. */
static void
drop_last (Walk *walk)
{
  if (walk->run->len > 0)
    g_string_truncate (walk->run, walk->run->len - 1);
  end_run (walk);
}

static void
take_letter (Walk *walk, char letter)
{
  if (walk->depth == 0)
    g_string_append_c (walk->run, letter);
  walk->here++;
}

/* The length of a name such as `[:alpha:]`; 0: this is none. */
static gsize
count_named_class (const char *here)
{
  gsize n_letters = strspn (here + 1, ":^abcdefghijklmnopqrstuvwxyz");

  return here[1] == ':' && n_letters > 1 && here[n_letters] == ':' && here[n_letters + 1] == ']'
             ? n_letters + 2
             : 0;
}

/* From behind `[` to behind its `]`. */
static gboolean
skip_class (Walk *walk)
{
  const char *here = walk->here;

  if (*here == '^')
    here++;
  if (*here == ']')
    here++;
  while (*here != '\0' && *here != ']')
    if (*here == '\\' && here[1] != '\0')
      here += 2;
    else
      here += *here == '[' ? MAX (count_named_class (here), 1) : 1;
  if (*here == '\0')
    return FALSE;
  walk->here = here + 1;
  return TRUE;
}

/* A backslash and what it makes of the next character. */
static gboolean
take_escape (Walk *walk)
{
  static const char simple[] = "dDwWsSbBhHvVAZznrtfe";
  char next = walk->here[1];

  walk->here++;
  if (next == '\0' || (guchar) next >= 0x80)
    return FALSE;
  if (!g_ascii_isalnum (next))
    {
      take_letter (walk, next);
      return TRUE;
    }
  walk->here++;
  end_run (walk);
  return strchr (simple, next) != NULL;
}

/* Takes what is next; FALSE where it is not understood, or where there is a choice. */
static gboolean
take_next (Walk *walk)
{
  char next = *walk->here;

  if (next == '\\')
    return take_escape (walk);
  if (next == '|' && walk->depth == 0)
    return FALSE;
  if (next == '*' || next == '?')
    drop_last (walk);
  else if (next == '{')
    {
      drop_last (walk);
      walk->here = strchr (walk->here, '}');
      if (walk->here == NULL)
        return FALSE;
    }
  else if (next == '(' || next == ')')
    {
      end_run (walk);
      /* `(?` and `(*` change what is around them. */
      if (next == '(' ? walk->here[1] == '?' || walk->here[1] == '*' : walk->depth == 0)
        return FALSE;
      walk->depth += next == '(' ? 1 : -1u;
    }
  else if (next == '[')
    {
      end_run (walk);
      walk->here++;
      return skip_class (walk);
    }
  else if (strchr ("+.^$|", next) != NULL || (guchar) next >= 0x80)
    {
      walk->is_at_end = next == '$' && walk->here[1] == '\0' && walk->run->len > 0;
      end_run (walk);
    }
  else
    {
      take_letter (walk, next);
      return TRUE;
    }
  walk->here++;
  return TRUE;
}

/**
 * ns_filter_literals_new: (skip)
 * @pattern: a regular expression
 *
 * Looks for texts that every match of @pattern holds, one behind the other, whatever the case of
 * their letters. Of what it does not understand it says nothing.
 *
 * Returns: (transfer full) (nullable): the texts, in ASCII; %NULL when there are none
 */
NsFilterLiterals *
ns_filter_literals_new (const char *pattern)
{
  g_autoptr (GString) run = g_string_new (NULL);
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func (g_free);
  Walk walk = { pattern, 0, run, runs, FALSE };
  NsFilterLiterals *self;

  while (*walk.here != '\0')
    if (!take_next (&walk))
      return NULL;
  end_run (&walk);
  if (walk.depth > 0 || runs->len == 0)
    return NULL;
  self = g_new0 (NsFilterLiterals, 1);
  self->is_at_end = walk.is_at_end;
  self->n_last = strlen (g_ptr_array_index (runs, runs->len - 1));
  g_ptr_array_add (runs, NULL);
  self->texts = (char **) g_ptr_array_free (g_steal_pointer (&runs), FALSE);
  return self;
}

/**
 * ns_filter_literals_free: (skip)
 * @self: (transfer full) (nullable): texts
 */
void
ns_filter_literals_free (NsFilterLiterals *self)
{
  if (self == NULL)
    return;
  g_strfreev (self->texts);
  g_free (self);
}

/* Whether the last literal is the end of a text. Where a line ends there, the expression knows. */
static gboolean
has_end (const NsFilterLiterals *self, const char *last, const char *text)
{
  gsize length = strlen (text);

  if (length == 0 || (guchar) text[length - 1] < ' ')
    return TRUE;
  return length >= self->n_last &&
         g_ascii_strncasecmp (text + length - self->n_last, last, self->n_last) == 0;
}

/**
 * ns_filter_literals_are_in: (skip)
 * @self: texts
 * @text: a text, in ASCII
 *
 * Returns: %FALSE if no match can be in @text
 */
gboolean
ns_filter_literals_are_in (const NsFilterLiterals *self, const char *text)
{
  guint n_texts = g_strv_length (self->texts);
  guint i;

  if (self->is_at_end && !has_end (self, self->texts[n_texts - 1], text))
    return FALSE;
  for (i = 0; i < n_texts; i++)
    {
      text = ns_filter_text_find (text, self->texts[i]);
      if (text == NULL)
        return FALSE;
      text += strlen (self->texts[i]);
    }
  return TRUE;
}

static GRegex *
compile (const char *pattern, GError **error)
{
  return g_regex_new (pattern, G_REGEX_CASELESS | G_REGEX_OPTIMIZE, 0, error);
}

/**
 * ns_filter_regex_new: (skip)
 * @pattern: a regular expression; the case of letters is the same to it
 * @error: %G_REGEX_ERROR
 *
 * Returns: (transfer full) (nullable): the expression
 */
NsFilterRegex *
ns_filter_regex_new (const char *pattern, GError **error)
{
  g_autoptr (GRegex) regex = compile (pattern, error);
  NsFilterRegex *self;

  if (regex == NULL)
    return NULL;
  self = g_new0 (NsFilterRegex, 1);
  self->regex = g_steal_pointer (&regex);
  self->literals = ns_filter_literals_new (pattern);
  return self;
}

/**
 * ns_filter_regex_free: (skip)
 * @self: (transfer full) (nullable): an expression
 */
void
ns_filter_regex_free (NsFilterRegex *self)
{
  if (self == NULL)
    return;
  g_regex_unref (self->regex);
  g_clear_pointer (&self->of_other, g_regex_unref);
  ns_filter_literals_free (self->literals);
  g_free (self);
}

/**
 * ns_filter_regex_prepare: (skip)
 * @self: an expression
 *
 * From now on this thread and another one may ask at a time without being in each other's way. Any
 * number of threads may ask all the same.
 */
void
ns_filter_regex_prepare (NsFilterRegex *self)
{
  self->thread = g_thread_self ();
  if (self->of_other == NULL)
    self->of_other = compile (g_regex_get_pattern (self->regex), NULL);
}

static gboolean
is_ascii (const char *text)
{
  gsize n_left = strlen (text);
  guint64 eight;

  for (; n_left >= sizeof eight; n_left -= sizeof eight, text += sizeof eight)
    {
      memcpy (&eight, text, sizeof eight);
      if (eight & G_GUINT64_CONSTANT (0x8080808080808080))
        return FALSE;
    }
  for (; *text != '\0'; text++)
    if ((guchar) *text >= 0x80)
      return FALSE;
  return TRUE;
}

/**
 * ns_filter_regex_matches: (skip)
 * @self: an expression
 * @text: a text
 *
 * Returns: %TRUE if some part of @text is like it
 */
gboolean
ns_filter_regex_matches (const NsFilterRegex *self, const char *text)
{
  gboolean is_other = self->of_other != NULL && self->thread != g_thread_self ();

  /* Beyond ASCII there are letters that are the same as some within but for their case. */
  if (self->literals != NULL && !ns_filter_literals_are_in (self->literals, text) &&
      is_ascii (text))
    return FALSE;
  return g_regex_match (is_other ? self->of_other : self->regex, text, 0, NULL);
}
