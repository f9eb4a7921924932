/* Page switch of the trace information for traces of several files.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef enum
{
  NS_INFO_QUESTIONS,
  NS_INFO_FILES,
  NS_INFO_PROVIDERS,
  NS_INFO_LOSSES,
  NS_INFO_N_PAGES,
} NsInfoPage;

GtkWidget *ns_info_pages_new (void);
void ns_info_pages_add (GtkWidget *self, NsInfoPage page, GtkWidget *part);
void ns_info_pages_set_case (GtkWidget *self, gboolean is_case);
void ns_info_pages_update (GtkWidget *self);
void ns_info_pages_show (GtkWidget *self, guint page);

G_END_DECLS
