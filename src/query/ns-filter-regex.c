/* A regular expression that is matched with very many texts.
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

#include <glib/gi18n-lib.h>
#include <string.h>

/* An expression may try very many ways through a text before it says no. What texts up to a length
 * may take, in steps as PCRE2 counts them (“match limit”): going back over the whole of a text at
 * each of its characters is within it up to some two hundred of them. Texts for which it is not
 * enough are counted. PCRE2 takes the limit with the expression. */
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

/* Memory for ways that are not tried yet, KiB. */
#define MAX_HEAP_KB 65536

typedef GRegex *Limited[G_N_ELEMENTS (limits)];

struct _NsFilterRegex
{
  char *pattern;
  Limited regexes;  /* by the length of texts */
  Limited of_other; /* (nullable): for the thread that is not @thread */
  GThread *thread;
  NsFilterLiterals *literals; /* (nullable) */
  gint *n_given_up;           /* atomic */
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

/* Of two limits PCRE2 takes the later one: what stands before an expression sets none. */
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
 * @pattern: a regular expression; the case of letters is the same to it
 * @error: %G_REGEX_ERROR
 *
 * Returns: (transfer full) (nullable): the expression
 */
NsFilterRegex *
ns_filter_regex_new (const char *pattern, GError **error)
{
  /* What is wrong with it is said of the expression as it was written. */
  g_autoptr (GRegex) plain = g_regex_new (pattern, G_REGEX_CASELESS, 0, error);
  g_autoptr (NsFilterRegex) self = NULL;

  if (plain == NULL)
    return NULL;
  if (sets_limits (pattern))
    {
      g_set_error_literal (error,
                           G_REGEX_ERROR,
                           G_REGEX_ERROR_COMPILE,
                           _ ("an expression cannot set its own limits"));
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
 * From now on this thread and another one may ask at a time without being in each other's way. Any
 * number of threads may ask all the same. Counts texts that were given up anew.
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
 * Returns: how many texts it was not compared with to the end
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
 * Takes time in proportion to the length of @text: where that is not enough, the text is counted
 * and is not like it.
 *
 * Returns: %TRUE if some part of @text is like it
 */
gboolean
ns_filter_regex_matches (const NsFilterRegex *self, const char *text)
{
  gboolean is_other = self->of_other[0] != NULL && self->thread != g_thread_self ();
  g_autoptr (GError) error = NULL;
  gsize n_bytes;
  gboolean is_match;
  guint i = 0;

  /* Beyond ASCII there are letters that are the same as some within but for their case. */
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
