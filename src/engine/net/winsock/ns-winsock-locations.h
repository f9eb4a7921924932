/* Locations in the socket driver at which the process in the event header is the socket's.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/net/winsock/ns-winsock-payload.h"

G_BEGIN_DECLS

typedef struct _NsWinsockLocations NsWinsockLocations;

NsWinsockLocations *ns_winsock_locations_new (void);
void ns_winsock_locations_free (NsWinsockLocations *self);
void ns_winsock_locations_sample (NsWinsockLocations *self,
                                  const NsRecord *record,
                                  const NsAfdEvent *event);
void ns_winsock_locations_learn (NsWinsockLocations *self);
gboolean ns_winsock_locations_is_reliable (const NsWinsockLocations *self,
                                           const NsRecord *record,
                                           const NsAfdEvent *event);
gboolean ns_winsock_locations_is_double (const NsAfdEvent *event);

G_END_DECLS
