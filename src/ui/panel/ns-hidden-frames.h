/* Menu button that lists the hidden frames and can show them again.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define NS_TYPE_HIDDEN_FRAMES (ns_hidden_frames_get_type ())
G_DECLARE_FINAL_TYPE (NsHiddenFrames, ns_hidden_frames, NS, HIDDEN_FRAMES, GtkWidget)

GtkWidget *ns_hidden_frames_new (gboolean with_system);
void ns_hidden_frames_set_session (NsHiddenFrames *self, NsSession *session);

G_END_DECLS
