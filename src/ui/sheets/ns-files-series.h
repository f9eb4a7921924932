/* Header line of a series in a list of files. Clicking it collapses or expands the files.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "draw/ns-coverage-paint.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

GtkWidget *
ns_files_series_new (GtkWidget *list, const NsEtlFile *file, const NsCoverageLine *series);
void ns_files_series_add (GtkWidget *self, GtkWidget *part);

G_END_DECLS
