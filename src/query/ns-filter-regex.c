/* A regular expression for matching many texts.
 *
 * Most of the time of a match is setup. Therefore texts without the literals that every match
 * contains, in order, are rejected without running the expression. Each of two threads has its own
 * copy, since threads that share one contend for its reference count.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "query/ns-filter-regex.h"

#include "query/ns-filter-text.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Limits for backtracking, by text length, in PCRE2's unit (“match limit”). For texts of up to
 * about two hundred characters they allow backtracking over the whole text at each character.
 * Texts that exceed the limit are counted. PCRE2 accepts the limit as part of the expression. */
static const struct
{
  gsize n_bytes;
  guint n_steps;
} limits[] = {
  { 256, 25000 },
  { 2048, 150000 },
  { 16384, 1000000 },
  { G_MAXSIZE, 2000000 },
};

/* PCRE2 heap limit, KiB. */
#define MAX_HEAP_KB 65536

typedef GRegex *Limited[G_N_ELEMENTS (limits)];

struct _NsFilterRegex
{
  char *pattern;
  Limited regexes;  /* by text length */
  Limited of_other; /* (nullable): for threads other than @thread */
  GThread *thread;
  NsFilterLiterals *literals; /* (nullable) */
  gint *n_given_up;           /* atomic */
};

/* State while an expression is searched for literals that each match must contain. */
typedef struct
{
  const char *here;
  guint depth; /* nesting depth of groups, whose content may be an alternative */
  GString *run;
  GPtrArray *runs;
  gboolean is_at_end; /* the last run is at the end of the text */
} Walk;

static void
end_run (Walk *walk)
{
  if (walk->run->len > 0)
    g_ptr_array_add (walk->runs, g_strdup (walk->run->str));
  g_string_truncate (walk->run, 0);
}

/* Drops the last character, which may be optional. */
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

/* Returns the length of a class name such as `[:alpha:]`; 0: not one. */
static gsize
count_named_class (const char *here)
{
  gsize n_letters = strspn (here + 1, ":^abcdefghijklmnopqrstuvwxyz");

  return here[1] == ':' && n_letters > 1 && here[n_letters] == ':' && here[n_letters + 1] == ']'
             ? n_letters + 2
             : 0;
}

/* Skips from after `[` to after its `]`. */
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

/* Parses an escape sequence. */
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

/* Parses the next item; FALSE: unsupported syntax, or an alternation. */
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
      /* `(?` and `(*` affect the syntax that follows. */
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
 * Finds texts that every match of @pattern contains, in order, in any case. Unsupported syntax
 * yields fewer texts, never wrong ones.
 *
 * Returns: (transfer full) (nullable): the texts, in ASCII; %NULL if there are none
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

/* Returns whether the last literal can be at the end of the text; the expression handles line
 * ends. */
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
 * Returns: %FALSE if @text cannot match
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

static void
clear (Limited regexes)
{
  guint i;

  for (i = 0; i < G_N_ELEMENTS (limits); i++)
    g_clear_pointer (&regexes[i], g_regex_unref);
}

static gboolean
compile (const char *pattern, Limited regexes, GError **error)
{
  guint i;

  for (i = 0; i < G_N_ELEMENTS (limits); i++)
    {
      g_autofree char *limited = g_strdup_printf ("(*LIMIT_MATCH=%u)(*LIMIT_HEAP=%u)%s",
                                                  limits[i].n_steps,
                                                  MAX_HEAP_KB,
                                                  pattern);

      regexes[i] = g_regex_new (limited, G_REGEX_CASELESS | G_REGEX_OPTIMIZE, 0, error);
      if (regexes[i] == NULL)
        return FALSE;
    }
  return TRUE;
}

/* Returns whether the expression begins with limits of its own: PCRE2 uses the last one, which
 * would override these. */
static gboolean
sets_limits (const char *pattern)
{
  for (; g_str_has_prefix (pattern, "(*"); pattern++)
    {
      if (g_str_has_prefix (pattern, "(*LIMIT_"))
        return TRUE;
      pattern = strchr (pattern, ')');
      if (pattern == NULL)
        return FALSE;
    }
  return FALSE;
}

/**
 * ns_filter_regex_new: (skip)
 * @pattern: a regular expression, matched without regard to case
 * @error: %G_REGEX_ERROR
 *
 * Returns: (transfer full) (nullable): the expression
 */
NsFilterRegex *
ns_filter_regex_new (const char *pattern, GError **error)
{
  /* Error messages must refer to the expression as the user wrote it. */
  g_autoptr (GRegex) plain = g_regex_new (pattern, G_REGEX_CASELESS, 0, error);
  g_autoptr (NsFilterRegex) self = NULL;

  if (plain == NULL)
    return NULL;
  if (sets_limits (pattern))
    {
      g_set_error_literal (error,
                           G_REGEX_ERROR,
                           G_REGEX_ERROR_COMPILE,
                           _ ("an expression must not set its own limits"));
      return NULL;
    }
  self = g_new0 (NsFilterRegex, 1);
  self->pattern = g_strdup (pattern);
  self->n_given_up = g_new0 (gint, 1);
  if (!compile (pattern, self->regexes, error))
    return NULL;
  self->literals = ns_filter_literals_new (pattern);
  return g_steal_pointer (&self);
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
  clear (self->regexes);
  clear (self->of_other);
  ns_filter_literals_free (self->literals);
  g_free (self->n_given_up);
  g_free (self->pattern);
  g_free (self);
}

/**
 * ns_filter_regex_prepare: (skip)
 * @self: an expression
 *
 * From now on this thread and one other may match without contention, and further threads with it.
 * Resets the count of aborted matches.
 */
void
ns_filter_regex_prepare (NsFilterRegex *self)
{
  self->thread = g_thread_self ();
  g_atomic_int_set (self->n_given_up, 0);
  if (self->of_other[0] == NULL && !compile (self->pattern, self->of_other, NULL))
    clear (self->of_other);
}

/**
 * ns_filter_regex_count_given_up: (skip)
 * @self: an expression
 *
 * Returns: number of texts whose match was aborted at the limit
 */
guint
ns_filter_regex_count_given_up (const NsFilterRegex *self)
{
  return (guint) g_atomic_int_get (self->n_given_up);
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
 * Takes time in proportion to the length of @text: a match that exceeds it is aborted, counted, and
 * fails.
 *
 * Returns: %TRUE if some part of @text matches
 */
gboolean
ns_filter_regex_matches (const NsFilterRegex *self, const char *text)
{
  gboolean is_other = self->of_other[0] != NULL && self->thread != g_thread_self ();
  g_autoptr (GError) error = NULL;
  gsize n_bytes;
  gboolean is_match;
  guint i = 0;

  /* Some letters outside ASCII have a case-folded form in ASCII. */
  if (self->literals != NULL && !ns_filter_literals_are_in (self->literals, text) &&
      is_ascii (text))
    return FALSE;
  n_bytes = strlen (text);
  while (n_bytes > limits[i].n_bytes)
    i++;
  is_match = g_regex_match_full (is_other ? self->of_other[i] : self->regexes[i],
                                 text,
                                 (gssize) n_bytes,
                                 0,
                                 0,
                                 NULL,
                                 &error);
  if (error != NULL)
    g_atomic_int_inc (self->n_given_up);
  return is_match;
}
