/* Determines the local endpoint of a kernel TCP or UDP event.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/net/kernel/ns-kernel-packet.h"
#include "schema/ns-schema.h"

G_BEGIN_DECLS

typedef struct _NsKernelEnds NsKernelEnds;

NsKernelEnds *ns_kernel_ends_new (void);
void ns_kernel_ends_free (NsKernelEnds *self);
void ns_kernel_ends_learn (NsKernelEnds *self, const NsRecord *record);
gboolean ns_kernel_ends_sort (const NsKernelEnds *self,
                              gboolean is_udp,
                              NsKernelOperation operation,
                              const NsKernelPacket *packet,
                              NsEndpoint *local,
                              NsEndpoint *remote);
gboolean ns_kernel_ends_find (const NsKernelEnds *self,
                              const NsRecord *record,
                              NsEndpoint *local,
                              NsEndpoint *remote);
guint8 *ns_kernel_ends_dup_turned (const NsKernelEnds *self,
                                   const NsRecord *record,
                                   const NsSchema *schema);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsKernelEnds, ns_kernel_ends_free)

G_END_DECLS
