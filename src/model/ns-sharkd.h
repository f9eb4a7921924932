/* A running sharkd, which is part of Wireshark and dissects packets one after another.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct _NsSharkd NsSharkd;

NsSharkd *ns_sharkd_new (void);
NsSharkd *ns_sharkd_ref (NsSharkd *self);
void ns_sharkd_unref (NsSharkd *self);
void ns_sharkd_close (NsSharkd *self);
void ns_sharkd_keep (NsSharkd *self);
char *ns_sharkd_ask (NsSharkd *self,
                     const char *program,
                     const char *path,
                     guint number,
                     GCancellable *timeout,
                     GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsSharkd, ns_sharkd_unref)

G_END_DECLS
