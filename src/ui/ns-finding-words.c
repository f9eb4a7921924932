/* Short summaries of the findings for the tab and the status bar.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-finding-words.h"

#include "model/ns-session-findings.h"
#include "ui/ns-words.h"

#include <glib/gi18n.h>

/**
 * ns_finding_words_count:
 * @session: a session
 *
 * Returns: (transfer full): the number of findings as shown on their tab, or “…” until it is
 *   known
 */
char *
ns_finding_words_count (NsSession *session)
{
  NsFindingSums sums;

  if (!ns_session_sum_findings (session, &sums))
    return g_strdup ("…");
  return ns_words_count (sums.n_findings);
}

static void
append_number (GString *text, guint n, const char *format)
{
  g_autofree char *number = ns_words_count (n);
  g_auto (GStrv) parts = g_strsplit (format, "{n}", 2);

  if (n > 0)
    g_string_append_printf (text,
                            "%s%s%s%s",
                            text->len > 0 ? ", " : "",
                            parts[0],
                            number,
                            parts[0] != NULL && parts[1] != NULL ? parts[1] : "");
}

/* Returns “3 problems, 3 warnings, 2 notes”, without severities that have no finding. */
static char *
dup_severities (const NsFindingSums *sums)
{
  guint n_problems = sums->n_of[NS_SEVERITY_PROBLEM];
  guint n_warnings = sums->n_of[NS_SEVERITY_WARNING];
  guint n_notes = sums->n_of[NS_SEVERITY_INFO];
  GString *text = g_string_new (NULL);

  /* Translators: {n} is a number. */
  append_number (text, n_problems, ngettext ("{n} problem", "{n} problems", n_problems));
  append_number (text, n_warnings, ngettext ("{n} warning", "{n} warnings", n_warnings));
  append_number (text, n_notes, ngettext ("{n} note", "{n} notes", n_notes));
  return g_string_free (text, FALSE);
}

/**
 * ns_finding_words_sums:
 * @session: a session
 * @n_selected: the number of selected findings
 *
 * Returns: (transfer full): the summary shown while the findings are in front, most important
 *   part first, parts separated by three spaces; empty until the findings are known
 */
char *
ns_finding_words_sums (NsSession *session, guint n_selected)
{
  g_autofree char *severities = NULL;
  g_autofree char *selected = ns_words_count (n_selected);
  g_autofree char *rows = NULL;
  GString *text = g_string_new (NULL);
  NsFindingSums sums;

  if (!ns_session_sum_findings (session, &sums))
    return g_string_free (text, FALSE);
  severities = dup_severities (&sums);
  if (n_selected > 0)
    {
      guint n_rows = ns_session_count_marked (session);

      rows = ns_words_count (n_rows);
      g_string_append_printf (text,
                              ngettext ("%s finding selected", "%s findings selected", n_selected),
                              selected);
      g_string_append_printf (text, ngettext ("   %s row", "   %s rows", n_rows), rows);
    }
  if (*severities != '\0')
    g_string_append_printf (text, "%s%s", text->len > 0 ? "   " : "", severities);
  if (text->len == 0)
    g_string_append (text, _ ("Nothing was found."));
  return g_string_free (text, FALSE);
}
