/* Reads the multi-stream file (MSF), the container format of a PDB.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "symbols/ns-symbol-source.h"

G_BEGIN_DECLS

typedef struct _NsMsf NsMsf;

/* Stream number that means "no stream" in the tables of a PDB. */
#define NS_MSF_NO_STREAM 0xffffu

/* Limits for sizes that untrusted files state, in bytes. */
#define NS_MSF_MAX_DIRECTORY (256u << 20)
#define NS_MSF_MAX_LOAD (1u << 30)

NsMsf *ns_msf_new (NsSymbolSource *source, GError **error);
NsMsf *ns_msf_dup (const NsMsf *self);
void ns_msf_free (NsMsf *self);
guint64 ns_msf_get_size (const NsMsf *self);
gboolean ns_msf_get_stream_size (const NsMsf *self, guint stream, guint32 *size_bytes);
gboolean ns_msf_read (const NsMsf *self,
                      guint stream,
                      guint32 offset,
                      gpointer buffer,
                      gsize n_bytes,
                      GError **error);
gboolean
ns_msf_read_short (NsMsf *self, guint stream, guint32 offset, gpointer buffer, gsize n_bytes);
gboolean ns_msf_may_load (const NsMsf *self, guint64 n_bytes);
void ns_msf_set_short_of_memory (NsMsf *self);
gboolean ns_msf_is_short_of_memory (const NsMsf *self);
GBytes *ns_msf_load (NsMsf *self, guint stream, guint32 offset, gsize n_bytes, GError **error);
GBytes *ns_msf_load_all (NsMsf *self, guint stream, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsMsf, ns_msf_free)

G_END_DECLS
