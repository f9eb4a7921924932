/* From a question to its answer in six steps: what is done on the machine with Windows, and what
 * here.
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
