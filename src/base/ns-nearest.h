/* The known word that a mistyped one is nearest to.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * NsNearest:
 * @word: the mistyped word
 * @best: (nullable): the nearest word offered so far that is near enough
 * @distance: how many letters of @best differ
 *
 * A search through known words. Begin with ns_nearest_init().
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
