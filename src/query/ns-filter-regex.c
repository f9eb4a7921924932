/* A regular expression that is asked about very many texts.
 *
 * Most of what an expression costs is its beginning and end, not the text. Therefore texts that
 * lack what every match must hold are not shown to it at all, and each of two threads has a copy of
 * its own: they would count the references of one by turns, and wait for each other's counting.
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
  char *literal; /* (nullable): every match holds it, but for the case of its letters */
};

/* A walk through an expression, which looks for the longest literal that each match must hold. */
typedef struct
{
  const char *here;
  guint depth; /* of groups: what is inside may be one of many */
  GString *run;
  GString *best;
} Walk;

static void
end_run (Walk *walk)
{
  if (walk->run->len > walk->best->len)
    g_string_assign (walk->best, walk->run->str);
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
    end_run (walk);
  else
    {
      take_letter (walk, next);
      return TRUE;
    }
  walk->here++;
  return TRUE;
}

/**
 * ns_filter_regex_dup_literal: (skip)
 * @pattern: a regular expression
 *
 * Looks for a text that every match of @pattern holds, whatever the case of its letters. Of what it
 * does not understand it says nothing.
 *
 * Returns: (transfer full) (nullable): the longest one, in ASCII
 */
char *
ns_filter_regex_dup_literal (const char *pattern)
{
  g_autoptr (GString) run = g_string_new (NULL);
  g_autoptr (GString) best = g_string_new (NULL);
  Walk walk = { pattern, 0, run, best };

  while (*walk.here != '\0')
    if (!take_next (&walk))
      return NULL;
  end_run (&walk);
  if (walk.depth > 0 || best->len == 0)
    return NULL;
  return g_strdup (best->str);
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
  self->literal = ns_filter_regex_dup_literal (pattern);
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
  g_free (self->literal);
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
  if (self->literal != NULL && !ns_filter_text_contains (text, self->literal) && is_ascii (text))
    return FALSE;
  return g_regex_match (is_other ? self->of_other : self->regex, text, 0, NULL);
}
