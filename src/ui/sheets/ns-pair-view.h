/* Drawing of one aspect of paired requests: lanes, phases of a request, or clock alignment.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "draw/ns-pair-paint.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef enum
{
  NS_PAIR_VIEW_LANES,   /* a request as recorded by each of the two machines */
  NS_PAIR_VIEW_REQUEST, /* a request, split into its phases */
  NS_PAIR_VIEW_PHASE,   /* the swatch of one phase */
  NS_PAIR_VIEW_CLOCK,   /* a plot of the clock alignment */
} NsPairViewKind;

#define NS_TYPE_PAIR_VIEW (ns_pair_view_get_type ())
G_DECLARE_FINAL_TYPE (NsPairView, ns_pair_view, NS, PAIR_VIEW, GtkWidget)

GtkWidget *ns_pair_view_new (NsPairViewKind kind, NsPairPhase phase);
void ns_pair_view_set (NsPairView *self, const NsPairs *pairs, const NsPairRow *row);
void ns_pair_view_set_names (NsPairView *self, const char *client, const char *server);

G_END_DECLS
