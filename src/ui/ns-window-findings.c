/* The findings of the window: how many there are, and the way to the rows of one.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-session-findings.h"
#include "ui/ns-window-private.h"
#include "ui/ns-words.h"

#include <glib/gi18n.h>

/* How the tab counts them: what was found, and a sign when something of it is bad. */
char *
ns_window_dup_findings_count (NsWindow *self)
{
  g_autofree char *count = NULL;
  gboolean is_bad = FALSE;
  guint n_found = 0;

  if (!ns_session_count_findings (self->session, &n_found, &is_bad))
    return g_strdup ("…");
  count = ns_words_count (n_found);
  return g_strconcat (count, is_bad ? " \342\232\240" : "", NULL);
}

/* Shows the rows of the finding that is selected, and nothing else, in the table they are of. */
void
ns_window_show_finding (NsWindow *self)
{
  const GArray *selected;
  g_autofree char *filter = NULL;
  NsTableId table;

  if (self->session == NULL || ns_session_get_selected_table (self->session) != NS_TABLE_FINDINGS)
    return;
  selected = ns_session_get_selected (self->session);
  if (selected->len == 0)
    return;
  filter =
      ns_session_dup_finding_filter (self->session, g_array_index (selected, guint32, 0), &table);
  if (filter == NULL)
    {
      ns_window_say (self, _ ("This finding is about no row."));
      return;
    }
  ns_window_show_table (self, table);
  ns_window_set_filter_text (self, filter);
}

static void
show_finding_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ns_window_show_finding (data);
}

static const GActionEntry entries[] = {
  { "show-finding", show_finding_cb, NULL, NULL, NULL, { 0 } },
};

void
ns_window_add_findings (NsWindow *self)
{
  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
}
