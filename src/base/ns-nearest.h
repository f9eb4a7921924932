/* Finds the known word that is most similar to a mistyped one.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * NsNearest:
 * @word: the mistyped word
 * @best: (nullable): the nearest word so far, if it is near enough
 * @distance: distance of @best
 *
 * A search over known words. Initialize with ns_nearest_init().
 */
typedef struct
{
  const char *word;
  const char *best;
  guint distance;
} NsNearest;

void ns_nearest_init (NsNearest *self, const char *word);
void ns_nearest_offer (NsNearest *self, const char *known);

G_END_DECLS
