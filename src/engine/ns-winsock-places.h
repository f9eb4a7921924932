/* Locations in the socket driver at which the process in the event header is the socket's.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/ns-winsock-payload.h"

G_BEGIN_DECLS

typedef struct _NsWinsockPlaces NsWinsockPlaces;

NsWinsockPlaces *ns_winsock_places_new (void);
void ns_winsock_places_free (NsWinsockPlaces *self);
void
ns_winsock_places_sample (NsWinsockPlaces *self, const NsRecord *record, const NsAfdEvent *event);
void ns_winsock_places_learn (NsWinsockPlaces *self);
gboolean ns_winsock_places_is_reliable (const NsWinsockPlaces *self,
                                        const NsRecord *record,
                                        const NsAfdEvent *event);
gboolean ns_winsock_places_is_double (const NsAfdEvent *event);

G_END_DECLS
