/* Finds the known word that is most similar to a mistyped one.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-nearest.h"

#include <string.h>

/* Maximum length of the compared words; all names of the program are shorter. */
#define MAX_LETTERS 40
/* Maximum length of a unit suffix, including the underscore. */
#define MAX_UNIT 3

/* Returns the maximum distance: one in three letters, at most three. */
static guint
get_most (const char *word)
{
  return MIN (3, (guint) (strlen (word) + 1) / 3);
}

/* Compares two bytes without regard to case; `_` equals `-`. */
static gboolean
is_same (char a, char b)
{
  if (a == '_')
    a = '-';
  if (b == '_')
    b = '-';
  return g_ascii_tolower (a) == g_ascii_tolower (b);
}

/* Returns the optimal string alignment distance: the number of inserted, deleted and replaced
 * letters and of swapped neighbours. Keeps only three rows of the table. */
static guint
get_distance (const char *a, gsize n_a, const char *b, gsize n_b)
{
  guint rows[3][MAX_LETTERS + 1];
  guint *before = rows[0];
  guint *last = rows[1];
  guint *now = rows[2];
  gsize i;
  gsize j;

  for (j = 0; j <= n_b; j++)
    last[j] = (guint) j;
  for (i = 1; i <= n_a; i++)
    {
      guint *spare = before;

      now[0] = (guint) i;
      for (j = 1; j <= n_b; j++)
        {
          now[j] = last[j - 1] + !is_same (a[i - 1], b[j - 1]);
          now[j] = MIN (now[j], MIN (last[j], now[j - 1]) + 1);
          if (i > 1 && j > 1 && is_same (a[i - 1], b[j - 2]) && is_same (a[i - 2], b[j - 1]))
            now[j] = MIN (now[j], before[j - 2] + 1);
        }
      before = last;
      last = now;
      now = spare;
    }
  return last[n_b];
}

/* Returns the distance to a field name without its unit suffix (`duration_ns`), plus 1: users often
 * omit the unit. */
static guint
get_distance_without_unit (const char *word, gsize n_word, const char *known)
{
  const char *unit = strrchr (known, '_');

  if (unit == NULL || unit == known || strlen (unit) > MAX_UNIT)
    return G_MAXUINT;
  return get_distance (word, n_word, known, (gsize) (unit - known)) + 1;
}

/**
 * ns_nearest_init:
 * @self: (out): a search
 * @word: (transfer none): the mistyped word
 */
void
ns_nearest_init (NsNearest *self, const char *word)
{
  self->word = word;
  self->best = NULL;
  self->distance = get_most (word) + 1;
}

/**
 * ns_nearest_offer:
 * @self: a search
 * @known: (transfer none): a known word
 *
 * Keeps @known if it is nearer than the words before. A word that starts with the mistyped one has
 * distance 1.
 */
void
ns_nearest_offer (NsNearest *self, const char *known)
{
  gsize n_word = strlen (self->word);
  gsize n_known = strlen (known);
  guint distance;

  if (n_word == 0 || n_word > MAX_LETTERS || n_known > MAX_LETTERS)
    return;
  distance = n_word >= 3 && g_ascii_strncasecmp (known, self->word, n_word) == 0
                 ? 1
                 : get_distance (self->word, n_word, known, n_known);
  distance = MIN (distance, get_distance_without_unit (self->word, n_word, known));
  if (distance >= self->distance)
    return;
  self->best = known;
  self->distance = distance;
}
