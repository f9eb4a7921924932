/* Six steps from a question to its answer, some on the Windows machine, others in this application.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-recipe-file.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

GtkWidget *ns_recipe_steps_new (void);
void ns_recipe_steps_set_form (GtkWidget *steps, NsRecipeForm form, const char *text);

G_END_DECLS
