/* Masks secrets in one direction of a connection, including those in compressed bodies.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-ip.h"
#include "base/ns-secrets.h"

#include <glib.h>

G_BEGIN_DECLS

gboolean ns_stream_mask_packed (const NsSecrets *secrets, guint8 *data, gsize size);
guint8 *ns_stream_dup_masked (const NsSecrets *secrets,
                              const NsEndpoint *to,
                              const guint8 *data,
                              gsize size);
guint8 *ns_stream_dup_packed_masked (const NsSecrets *secrets, const guint8 *data, gsize size);

G_END_DECLS
