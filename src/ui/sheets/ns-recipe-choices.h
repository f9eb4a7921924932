/* Input widgets of the recipe window: a question, the layers to record, and options.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-recipe-file.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define NS_TYPE_RECIPE_CHOICES (ns_recipe_choices_get_type ())
G_DECLARE_FINAL_TYPE (NsRecipeChoices, ns_recipe_choices, NS, RECIPE_CHOICES, GtkWidget)

GtkWidget *ns_recipe_choices_new (void);
void ns_recipe_choices_get_options (NsRecipeChoices *self, NsRecipeOptions *options);
void ns_recipe_choices_set_form (NsRecipeChoices *self, NsRecipeForm form);
void ns_recipe_choices_add_missing (NsRecipeChoices *self, const char *missing);

G_END_DECLS
