/* Builds, shows and searches the call tree of a flame graph page.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-call-tree-job.h"
#include "ui/panel/ns-flame-private.h"

#include <glib/gi18n.h>

/* Longest result text, in characters, that fits the smaller margin of the entry. */
#define FEW_FINDS_CHARS 14

/* Shows a tree; NULL clears the page. */
void
ns_flame_view_show_tree (NsFlameView *self, NsCallTree *tree)
{
  const NsTrace *trace = self->session != NULL ? ns_session_get_trace (self->session) : NULL;

  /* The area frees the previous tree, so the table has to release it first. */
  if (self->table != NULL)
    ns_call_table_set_tree (self->table, NULL);
  ns_flame_area_set_tree (self->area, trace, tree);
  if (self->table != NULL)
    ns_call_table_set_tree (self->table, tree);
  ns_flame_view_update_chosen (self);
  ns_flame_view_update_crumbs (self);
  ns_flame_view_update_legend (self);
  g_signal_emit_by_name (self, "made");
}

/* Sets the margin of the entry, so that typed text does not run under the result text. */
static void
set_finds_room (NsFlameView *self, guint n_chars)
{
  static const char *const rooms[] = { "some-finds", "many-finds" };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (rooms); i++)
    gtk_widget_remove_css_class (self->search, rooms[i]);
  if (n_chars > 0)
    gtk_widget_add_css_class (self->search, rooms[n_chars > FEW_FINDS_CHARS ? 1 : 0]);
}

/* Runs the search and shows the number of matches and the selected one. */
void
ns_flame_view_find (NsFlameView *self)
{
  const NsCallTree *tree = ns_flame_area_get_tree (self->area);
  const char *wanted = gtk_editable_get_text (GTK_EDITABLE (self->search));
  g_autofree char *text = NULL;
  NsFlameFinds finds;
  guint64 whole;
  guint place;

  ns_flame_area_search (self->area, wanted, &finds);
  place = ns_flame_area_get_find_place (self->area);
  if (*wanted != '\0' && tree != NULL)
    {
      double share;

      whole = ns_call_tree_get_total (tree, 0);
      share = whole > 0 ? 100.0 * (double) finds.weight / (double) whole : 0;
      /* Translators: the number of the selected match, the number of matches, and their part of
       * everything; and the same when none is selected. */
      text = place > 0 ? g_strdup_printf (_ ("%u of %u · %.0f %%"), place, finds.n_found, share)
                       : g_strdup_printf (_ ("%u · %.0f %%"), finds.n_found, share);
    }
  gtk_label_set_text (GTK_LABEL (self->finds), text != NULL ? text : "");
  set_finds_room (self, text != NULL ? (guint) g_utf8_strlen (text, -1) : 0);
  ns_flame_view_update_legend (self);
}

static void
made_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (NsFlameView) self = user_data;
  g_autoptr (GError) error = NULL;
  NsCallTree *tree = ns_call_tree_job_run_finish (result, &error);

  if (tree == NULL)
    return;
  if (self->session == NULL)
    {
      ns_call_tree_free (tree);
      return;
    }
  g_clear_object (&self->making);
  ns_flame_view_show_tree (self, tree);
  ns_flame_view_find (self);
}

/* Returns the front table, or the activity table if rows of the front table belong to no
 * activity. */
static NsTableId
find_table (NsFlameView *self)
{
  NsTableId front = ns_session_get_front (self->session);

  return ns_row_activities_has (front) ? front : NS_TABLE_ACTIVITIES;
}

/* Returns the rows of the tree and sets the options. */
const GArray *
ns_flame_view_get_rows (NsFlameView *self, NsCallTreeOptions *options)
{
  *options = (NsCallTreeOptions){
    .stack = self->shown,
    .hidden = ns_session_get_hidden_frames (self->session),
    .weight = (NsCallWeight) gtk_drop_down_get_selected (GTK_DROP_DOWN (self->weight)),
    .table = find_table (self),
  };
  return ns_row_list_get_rows (ns_session_get_rows (self->session, options->table));
}

/* Starts a job that builds the tree from the current rows. */
void
ns_flame_view_make_tree (NsFlameView *self)
{
  NsCallTreeOptions options;
  const GArray *rows;

  if (self->session == NULL || !gtk_widget_get_mapped (GTK_WIDGET (self)))
    {
      self->is_stale = TRUE;
      self->set = G_MAXUINT;
      return;
    }
  if (self->making != NULL)
    g_cancellable_cancel (self->making);
  g_clear_object (&self->making);
  self->is_stale = FALSE;
  rows = ns_flame_view_get_rows (self, &options);
  /* A tree of another table must not stay visible until the new one is ready. */
  if (options.table != self->table_of_rows)
    ns_flame_view_show_tree (self, NULL);
  self->table_of_rows = options.table;
  self->set = ns_session_is_busy (self->session, options.table)
                  ? G_MAXUINT
                  : ns_session_get_set (self->session, options.table);
  self->making = g_cancellable_new ();
  ns_call_tree_job_run_async (ns_session_get_trace (self->session),
                              rows,
                              &options,
                              self->making,
                              made_cb,
                              g_object_ref (self));
}

void
ns_flame_view_set_stack (NsFlameView *self, NsCallStack stack)
{
  if (self->shown == stack)
    return;
  self->shown = stack;
  ns_flame_view_make_tree (self);
}
