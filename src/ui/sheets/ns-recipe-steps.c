/* Six steps from a question to its answer, some on the Windows machine, others in this application.
 *
 * Steps with a command have a button that copies it, some of the others a button that opens a help
 * page.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-accessible.h"
#include "ui/ns-help.h"
#include "ui/sheets/ns-recipe-steps.h"

#include <glib/gi18n.h>
#include <string.h>

#define N_STEPS 6
#define DATA_COMMAND "ns-command"

enum
{
  STEP_START,
  STEP_REPRODUCE,
  STEP_STOP,
  STEP_FILTER,
  STEP_INSPECT,
  STEP_EXPORT,
};

static const struct
{
  const char *title;
  const char *words; /* (nullable): description; NULL: the step is a command */
  const char *help;  /* (nullable): help page */
} step_words[N_STEPS] = {
  [STEP_START] = { N_ ("Start"), NULL, NULL },
  [STEP_REPRODUCE] = { N_ ("Reproduce"), N_ ("Perform the actions to analyze."), NULL },
  [STEP_STOP] = { N_ ("Stop"), NULL, NULL },
  [STEP_FILTER] = { N_ ("Filter"),
                    N_ ("Open the trace here and enter a filter, such as process:outlook."),
                    "filter" },
  [STEP_INSPECT] = { N_ ("Inspect"),
                     N_ ("Select a row: its phases, stack and records are shown on the right."),
                     "details" },
  [STEP_EXPORT] = { N_ ("Export"), N_ ("Export the selected rows."), "export" },
};

/* Commands that start and stop a recording of each form. If @start is NULL, the lines of the recipe
 * above @stop start it. */
static const struct
{
  const char *start;
  const char *stop;
} commands[NS_RECIPE_N_FORMS] = {
  [NS_RECIPE_WPRP] = { "wpr -start netstitch.wprp -filemode", "wpr -stop C:\\trace.etl" },
  [NS_RECIPE_CLASSIC] = { "wpr -start netstitch.wprp -filemode", "wpr -stop C:\\trace.etl" },
  [NS_RECIPE_NETSH] = { NULL, "netsh trace stop" },
  [NS_RECIPE_LOGMAN] = { NULL,
                         "logman stop netstitch -ets\nlogman stop \"NT Kernel Logger\" -ets" },
  [NS_RECIPE_PKTMON] = { NULL, "pktmon stop" },
  [NS_RECIPE_KIT] = { "netstitch-record start", "netstitch-record stop" },
};

static void
copy_cb (GtkWidget *button)
{
  const char *command = g_object_get_data (G_OBJECT (button), DATA_COMMAND);

  if (command != NULL)
    gdk_clipboard_set_text (gtk_widget_get_clipboard (button), command);
}

static void
add_step (GtkGrid *grid, guint i)
{
  /* Translators: the number of a step, and its name. */
  g_autofree char *title = g_strdup_printf (_ ("%u. %s"), i + 1, _ (step_words[i].title));
  GtkWidget *name = gtk_label_new (title);
  GtkWidget *words = gtk_label_new (step_words[i].words != NULL ? _ (step_words[i].words) : NULL);
  GtkWidget *button = NULL;

  gtk_label_set_xalign (GTK_LABEL (name), 0);
  gtk_widget_add_css_class (name, "strong");
  gtk_label_set_xalign (GTK_LABEL (words), 0);
  gtk_label_set_wrap (GTK_LABEL (words), TRUE);
  gtk_widget_set_hexpand (words, TRUE);
  gtk_grid_attach (grid, name, 0, (int) i, 1, 1);
  gtk_grid_attach (grid, words, 1, (int) i, 1, 1);
  if (step_words[i].help != NULL)
    button = ns_help_button_new (step_words[i].help);
  else if (step_words[i].words == NULL)
    {
      button = gtk_button_new_from_icon_name ("edit-copy-symbolic");
      gtk_button_set_has_frame (GTK_BUTTON (button), FALSE);
      gtk_widget_set_tooltip_text (button, _ ("Copy the command"));
      ns_accessible_set_name (button,
                              i == STEP_START ? _ ("Copy the command that starts")
                                              : _ ("Copy the command that stops"));
      gtk_widget_add_css_class (words, "code");
      gtk_label_set_selectable (GTK_LABEL (words), TRUE);
      /* Shows at most three lines, since a command may have thousands of characters. The full text
       * is copied, and is visible in the preview below. */
      gtk_label_set_lines (GTK_LABEL (words), 3);
      gtk_label_set_wrap_mode (GTK_LABEL (words), PANGO_WRAP_WORD_CHAR);
      gtk_label_set_ellipsize (GTK_LABEL (words), PANGO_ELLIPSIZE_END);
      g_signal_connect (button, "clicked", G_CALLBACK (copy_cb), NULL);
    }
  if (button == NULL)
    return;
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_grid_attach (grid, button, 2, (int) i, 1, 1);
}

/**
 * ns_recipe_steps_new:
 *
 * Returns: (transfer floating): the six steps, for a recording profile
 */
GtkWidget *
ns_recipe_steps_new (void)
{
  GtkWidget *grid = gtk_grid_new ();
  guint i;

  gtk_grid_set_column_spacing (GTK_GRID (grid), 12);
  gtk_grid_set_row_spacing (GTK_GRID (grid), 2);
  for (i = 0; i < N_STEPS; i++)
    add_step (GTK_GRID (grid), i);
  ns_recipe_steps_set_form (grid, NS_RECIPE_WPRP, NULL);
  return grid;
}

static void
set_command (GtkGrid *grid, guint step, const char *command)
{
  GtkWidget *words = gtk_grid_get_child_at (grid, 1, (int) step);
  GtkWidget *button = gtk_grid_get_child_at (grid, 2, (int) step);

  gtk_label_set_text (GTK_LABEL (words), command);
  g_object_set_data_full (G_OBJECT (button), DATA_COMMAND, g_strdup (command), g_free);
  gtk_widget_set_sensitive (button, *command != '\0');
}

/**
 * ns_recipe_steps_set_form:
 * @steps: made by ns_recipe_steps_new()
 * @form: the form of the recipe
 * @text: (nullable): the recipe as written by ns_export_recipe_append(); %NULL: the choices are
 *   invalid
 *
 * Shows the commands that start and stop such a recording.
 */
void
ns_recipe_steps_set_form (GtkWidget *steps, NsRecipeForm form, const char *text)
{
  const char *start = commands[form].start;
  const char *stop = text != NULL && start == NULL ? strstr (text, commands[form].stop) : NULL;
  g_autofree char *lines = stop != NULL ? g_strstrip (g_strndup (text, (gsize) (stop - text)))
                                        : g_strdup (start != NULL ? start : "");

  set_command (GTK_GRID (steps), STEP_START, lines);
  set_command (GTK_GRID (steps), STEP_STOP, commands[form].stop);
}
