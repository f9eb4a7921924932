/* A drawing of what two machines have in common.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "draw/ns-pair-paint.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef enum
{
  NS_PAIR_VIEW_LANES,   /* a request as either machine had it */
  NS_PAIR_VIEW_REQUEST, /* split by where its time went */
  NS_PAIR_VIEW_PHASE,   /* how one part looks */
  NS_PAIR_VIEW_CLOCK,   /* what the clocks were aligned by */
} NsPairViewKind;

#define NS_TYPE_PAIR_VIEW (ns_pair_view_get_type ())
G_DECLARE_FINAL_TYPE (NsPairView, ns_pair_view, NS, PAIR_VIEW, GtkWidget)

GtkWidget *ns_pair_view_new (NsPairViewKind kind, NsPairPhase phase);
void ns_pair_view_set (NsPairView *self, const NsPairs *pairs, const NsPairRow *row);
void ns_pair_view_set_names (NsPairView *self, const char *client, const char *server);

G_END_DECLS
