/* Preview of an export without names: the names and their replacements.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-export-job.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define NS_TYPE_REDACT_BOX (ns_redact_box_get_type ())
G_DECLARE_FINAL_TYPE (NsRedactBox, ns_redact_box, NS, REDACT_BOX, GtkBox)

GtkWidget *ns_redact_box_new (void);
void ns_redact_box_look (NsRedactBox *self, NsExportJob *job, const char *left_out);
void ns_redact_box_stop (NsRedactBox *self);
gboolean ns_redact_box_is_looking (NsRedactBox *self);

G_END_DECLS
