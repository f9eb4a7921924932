/* Facts about recently opened traces, kept in the settings: duration, rows and findings.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-recent.h"
#include "ui/ns-settings.h"
#include "ui/ns-words.h"

#include <glib/gi18n.h>
#include <gtk/gtk.h>
#include <string.h>

#define KEY "recent-facts"
#define FORMAT "(&sxuub)"
#define MAX_FILES 32

/**
 * ns_recent_remember:
 * @file: a trace
 * @session: the session of the trace
 * @n_findings: the number of findings
 *
 * Stores the facts that the list of recent traces shows, unless the desktop turns recent files off.
 */
void
ns_recent_remember (GFile *file, NsSession *session, guint n_findings)
{
  GSettings *settings = ns_settings_get ();
  const NsTrace *trace = ns_session_get_trace (session);
  const NsDamage *damage = ns_session_get_damage (session);
  g_autofree char *uri = g_file_get_uri (file);
  g_autoptr (GVariant) old = NULL;
  g_autoptr (GVariant) now = NULL;
  GVariantBuilder builder;
  gboolean is_wanted = TRUE;
  guint n_kept = 1;
  gsize i;

  g_object_get (gtk_settings_get_default (), "gtk-recent-files-enabled", &is_wanted, NULL);
  if (settings == NULL || !is_wanted)
    return;
  old = g_settings_get_value (settings, KEY);
  g_variant_builder_init (&builder, G_VARIANT_TYPE ("a(sxuub)"));
  g_variant_builder_add (&builder,
                         "(sxuub)",
                         uri,
                         damage->end_ns,
                         ns_trace_get_n_rows (trace, NS_TABLE_ACTIVITIES),
                         n_findings,
                         trace->is_incomplete || damage->is_cut);
  for (i = 0; i < g_variant_n_children (old) && n_kept < MAX_FILES; i++)
    {
      g_autoptr (GVariant) one = g_variant_get_child_value (old, i);
      const char *other;

      g_variant_get_child (one, 0, "&s", &other);
      if (strcmp (other, uri) == 0)
        continue;
      g_variant_builder_add_value (&builder, one);
      n_kept++;
    }
  now = g_variant_ref_sink (g_variant_builder_end (&builder));
  if (!g_variant_equal (old, now))
    g_settings_set_value (settings, KEY, now);
}

/* Formats the facts as “14.40 s · 4,821 rows · 7 findings”. */
static char *
facts_to_text (gint64 length_ns, guint n_rows, guint n_findings)
{
  g_autofree char *length = ns_words_seconds (length_ns);
  g_autofree char *count = ns_words_count (n_rows);
  g_autofree char *rows = g_strdup_printf (ngettext ("%s row", "%s rows", n_rows), count);
  g_autofree char *findings =
      g_strdup_printf (ngettext ("%u finding", "%u findings", n_findings), n_findings);

  if (n_findings == 0)
    return g_strdup_printf ("%s · %s", length, rows);
  return g_strdup_printf ("%s · %s · %s", length, rows, findings);
}

/**
 * ns_recent_dup_facts:
 * @uri: the URI of a trace
 * @is_damaged: (out): whether only a part of it could be read
 *
 * Returns: (transfer full) (nullable): the stored facts as display text; %NULL if there are none
 */
char *
ns_recent_dup_facts (const char *uri, gboolean *is_damaged)
{
  GSettings *settings = ns_settings_get ();
  g_autoptr (GVariant) all = settings != NULL ? g_settings_get_value (settings, KEY) : NULL;
  gsize i;

  *is_damaged = FALSE;
  for (i = 0; all != NULL && i < g_variant_n_children (all); i++)
    {
      const char *other;
      gint64 length_ns;
      guint32 n_rows;
      guint32 n_findings;

      g_variant_get_child (all, i, FORMAT, &other, &length_ns, &n_rows, &n_findings, is_damaged);
      if (strcmp (other, uri) == 0)
        return facts_to_text (length_ns, n_rows, n_findings);
    }
  *is_damaged = FALSE;
  return NULL;
}

/**
 * ns_recent_forget:
 *
 * Deletes the stored facts of all traces.
 */
void
ns_recent_forget (void)
{
  GSettings *settings = ns_settings_get ();

  if (settings != NULL)
    g_settings_reset (settings, KEY);
}
