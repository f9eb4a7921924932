/* Rule about look-ups with search suffixes and of names that do not exist: D04.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "findings/ns-findings-private.h"

#include "base/ns-hash.h"
#include "base/ns-text.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define SUFFIX_WITHIN_NS(self) ns_findings_limit_ns (self, NS_THRESHOLD_D04_TOGETHER)
#define SUFFIX_MIN_COST_NS(self) ns_findings_limit_ns (self, NS_THRESHOLD_D04_COST)
#define SUFFIX_BAD_NS(self) ns_findings_limit_ns (self, NS_THRESHOLD_D04_PROBLEM)
#define FAILING_WITHIN_NS(self) ns_findings_limit_ns (self, NS_THRESHOLD_D04_FAILING_WITHIN)
#define MIN_FAILING(self) ns_findings_limit (self, NS_THRESHOLD_D04_FAILING)
#define MIN_FAILED_SUFFIXES(self) ns_findings_limit (self, NS_THRESHOLD_D04_SUFFIXES)
/* Browsers look up random names of this length to detect resolvers that invent answers. */
#define MIN_INVENTED 10
#define MAX_INVENTED 15

enum
{
  STATUS_OK = 0,
  STATUS_NO_NAME = 9003,
};

/* Returns whether the look-up is a probe that is expected to fail. */
static gboolean
is_probe (const char *label, const char *process)
{
  static const char *const names[] = { "wpad", "isatap", "www" };
  static const char *const browsers[] = { "chrome.exe", "msedge.exe", "msedgewebview2.exe" };
  gsize length = strlen (label);
  guint i;

  for (i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_ascii_strcasecmp (label, names[i]) == 0)
      return TRUE;
  if (length < MIN_INVENTED || length > MAX_INVENTED || process == NULL)
    return FALSE;
  for (i = 0; i < G_N_ELEMENTS (browsers); i++)
    if (g_ascii_strcasecmp (process, browsers[i]) == 0)
      return strspn (label, "abcdefghijklmnopqrstuvwxyz") == length;
  return FALSE;
}

/* Returns whether failed look-ups of one label are tries with a suffix list: one suffix is the end
 * of another, or the first look-up was the bare label. */
static gboolean
is_cascade (const NsFindings *self, const GPtrArray *names, gboolean has_bare)
{
  guint i;
  guint j;

  if (names->len < MIN_FAILED_SUFFIXES (self))
    return FALSE;
  for (i = 0; i < names->len && !has_bare; i++)
    for (j = 0; j < names->len && !has_bare; j++)
      has_bare = i != j && g_str_has_suffix (g_ptr_array_index (names, i),
                                             strchr (g_ptr_array_index (names, j), '.'));
  return has_bare;
}

/* Maximum number of suffixes per look-up; Windows tries no more of its list. */
#define MAX_SUFFIXES 32

static void
report_suffixes (NsFindings *self, NsFindingGroup *group)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autoptr (GString) list = g_string_new (NULL);
  g_autofree char *process = NULL;
  g_autofree char *cost = NULL;
  gint64 cost_ns;
  guint i;

  if (group->refs->len == 0) /* no look-up failed */
    return;
  for (i = 0; i < group->refs->len; i++)
    {
      NsRow row = g_array_index (group->refs, NsFindingRef, i).row;
      const NsDnsRow *dns = NS_ROW_AT (self->trace->dns, NsDnsRow, row);
      const char *name = ns_findings_text (self, dns->query);

      if (names->len < MAX_SUFFIXES && strchr (name, '.') != NULL &&
          !g_ptr_array_find_with_equal_func (names, name, g_str_equal, NULL))
        {
          g_ptr_array_add (names, (gpointer) name);
          g_string_append_printf (list, "%s%s", list->len > 0 ? ", " : "", name);
        }
    }
  cost_ns = ns_findings_get_cost (group);
  if (!is_cascade (self, names, group->sum_a > 0) &&
      (names->len == 0 || group->sum_b == 0 || cost_ns < SUFFIX_MIN_COST_NS (self)))
    return;
  process = ns_findings_dup_process (self, group);
  cost = ns_findings_dup_span (cost_ns);
  ns_findings_report (self,
                      group,
                      cost_ns >= SUFFIX_BAD_NS (self) ? NS_SEVERITY_PROBLEM : NS_SEVERITY_WARNING,
                      NS_FINDING_HIGH,
                      _ ("%s: “%s” was tried unsuccessfully as %s, which took %s."),
                      process,
                      group->subject,
                      list->str,
                      cost);
}

static void
report_failing (NsFindings *self, NsFindingGroup *group)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autoptr (GString) list = g_string_new (NULL);
  g_autofree char *n_names = NULL;
  guint i;

  for (i = 0; i < group->moments->len; i++)
    {
      NsRow row = g_array_index (group->moments, NsFindingMoment, i).row;
      const NsDnsRow *dns = NS_ROW_AT (self->trace->dns, NsDnsRow, row);
      const char *name = ns_findings_text (self, dns->query);

      if (names->len >= MAX_SUFFIXES ||
          g_ptr_array_find_with_equal_func (names, name, g_str_equal, NULL))
        continue;
      g_ptr_array_add (names, (gpointer) name);
      g_string_append_printf (list, "%s%s", list->len > 0 ? ", " : "", name);
      ns_findings_add (group, NS_TABLE_DNS, row, dns->activity, dns->open_ns, dns->close_ns);
      ns_findings_mark_at (self, group, dns->close_ns);
    }
  if (names->len < MIN_FAILING (self))
    return;
  n_names = g_strdup_printf ("%u", names->len);
  ns_findings_report_sentence (
      self,
      group,
      NS_SEVERITY_WARNING,
      NS_FINDING_MEDIUM,
      /* Translators: do not translate the words in braces. */
      _ ("{process}: {n} names that do not exist were queried within a minute: {names}."),
      "n",
      n_names,
      "names",
      list->str,
      NULL);
}

/* Groups names of one process that do not exist, per minute; @is_reported: by row, whether a
 * finding reports it. */
static void
gather_failing (NsFindings *self, const gboolean *is_reported)
{
  const NsTrace *trace = self->trace;
  g_autoptr (GHashTable) begins = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  guint i;

  for (i = 0; i < trace->dns->len; i++)
    {
      const NsDnsRow *dns = &g_array_index (trace->dns, NsDnsRow, i);
      const char *name = ns_findings_text (self, dns->query);
      g_autofree char *label = NULL;
      g_autofree char *begin = NULL;
      NsFindingMoment moment = { .row = i + 1, .open_ns = dns->open_ns };
      gint64 *begin_ns = g_hash_table_lookup (begins, GUINT_TO_POINTER (dns->pid));

      if (is_reported[i + 1] || !ns_findings_is_asked (dns) || ns_findings_is_outer (dns) ||
          !dns->has_status || dns->status != STATUS_NO_NAME)
        continue;
      label = g_strndup (name, strcspn (name, "."));
      if (is_probe (label, ns_trace_get_process_name (trace, dns->pid, dns->open_ns)))
        continue;
      if (begin_ns == NULL || dns->open_ns - *begin_ns > FAILING_WITHIN_NS (self))
        {
          begin_ns = g_memdup2 (&dns->open_ns, sizeof dns->open_ns);
          g_hash_table_insert (begins, GUINT_TO_POINTER (dns->pid), begin_ns);
        }
      begin = g_strdup_printf ("%" G_GINT64_FORMAT, *begin_ns);
      ns_findings_add_moment (ns_findings_group (self, dns->pid, "", begin), &moment);
    }
  ns_findings_report_groups (self, report_failing);
}

/* Returns, by row of the DNS table, whether a finding from @n_before on reports it; (transfer
 * full). */
static gboolean *
list_reported (const NsFindings *self, guint n_before)
{
  gboolean *is_reported = g_new0 (gboolean, self->trace->dns->len + 1);
  guint i;
  guint j;

  for (i = n_before; i < self->rows->len; i++)
    {
      const GArray *refs = g_array_index (self->rows, NsFindingRow, i).refs;

      for (j = 0; j < refs->len; j++)
        if (g_array_index (refs, NsFindingRef, j).table == NS_TABLE_DNS)
          is_reported[g_array_index (refs, NsFindingRef, j).row] = TRUE;
    }
  return is_reported;
}

/* Returns the start of the first look-up of the label, which identifies its group. */
static gint64
find_window (const NsFindings *self,
             GHashTable *begins,
             GString *key,
             const NsDnsRow *dns,
             const char *label)
{
  gint64 *begin_ns;

  g_string_truncate (key, 0);
  ns_text_append_unsigned (key, dns->pid);
  ns_text_append (key, " ", 1);
  ns_text_append_text (key, label);
  g_string_ascii_down (key);
  begin_ns = g_hash_table_lookup (begins, key->str);
  if (begin_ns == NULL || dns->open_ns - *begin_ns > SUFFIX_WITHIN_NS (self))
    {
      begin_ns = g_memdup2 (&dns->open_ns, sizeof dns->open_ns);
      g_hash_table_replace (begins, g_strndup (key->str, key->len), begin_ns);
    }
  return *begin_ns;
}

/* Returns whether the look-up of a name ended; only these are judged. */
static gboolean
is_judged (const NsDnsRow *dns, const char *name)
{
  return ns_findings_is_asked (dns) && !ns_findings_is_outer (dns) && *name != '\0' &&
         *name != '.' && dns->has_status &&
         (dns->status == STATUS_NO_NAME || dns->status == STATUS_OK);
}

/* Sets the key to the process and the first label of the name. */
static void
set_label (GString *key, const NsDnsRow *dns, const char *name)
{
  g_string_truncate (key, 0);
  ns_text_append_unsigned (key, dns->pid);
  g_string_append_c (key, ' ');
  g_string_append_len (key, name, (gssize) strcspn (name, "."));
  g_string_ascii_down (key);
}

/* Returns the processes and labels with a look-up of a name that does not exist; (transfer full)
 * (element-type utf8). Most look-ups succeed, and need no group. */
static GHashTable *
list_failing_labels (const NsFindings *self)
{
  const NsTrace *trace = self->trace;
  GHashTable *labels = g_hash_table_new_full (ns_hash_text, g_str_equal, g_free, NULL);
  g_autoptr (GString) key = g_string_new (NULL);
  guint i;

  for (i = 0; i < trace->dns->len; i++)
    {
      const NsDnsRow *dns = &g_array_index (trace->dns, NsDnsRow, i);
      const char *name = ns_findings_text (self, dns->query);

      if (!dns->has_status || dns->status != STATUS_NO_NAME || !is_judged (dns, name))
        continue;
      set_label (key, dns, name);
      if (!g_hash_table_contains (labels, key->str))
        g_hash_table_add (labels, g_strdup (key->str));
    }
  return labels;
}

void
ns_find_suffixes (NsFindings *self)
{
  const NsTrace *trace = self->trace;
  g_autoptr (GHashTable) failing = list_failing_labels (self);
  g_autoptr (GHashTable) begins = g_hash_table_new_full (ns_hash_text, g_str_equal, g_free, g_free);
  g_autoptr (GString) key = g_string_new (NULL);
  g_autoptr (GString) label = g_string_new (NULL);
  g_autoptr (GString) window = g_string_new (NULL);
  g_autofree gboolean *is_reported = NULL;
  guint n_before = self->rows->len;
  guint i;

  for (i = 0; i < trace->dns->len && g_hash_table_size (failing) > 0; i++)
    {
      const NsDnsRow *dns = &g_array_index (trace->dns, NsDnsRow, i);
      const char *name = ns_findings_text (self, dns->query);
      const char *dot = strchr (name, '.');
      NsFindingGroup *group;
      gboolean has_failed = dns->status == STATUS_NO_NAME;

      if (!is_judged (dns, name))
        continue;
      set_label (label, dns, name);
      if (!g_hash_table_contains (failing, label->str))
        continue;
      g_string_append_len (g_string_truncate (label, 0), name, dot != NULL ? dot - name : -1);
      if (is_probe (label->str, ns_trace_get_process_name (trace, dns->pid, dns->open_ns)))
        continue;
      g_string_truncate (window, 0);
      ns_text_append_unsigned (window, (guint64) find_window (self, begins, key, dns, label->str));
      group = ns_findings_group (self, dns->pid, label->str, window->str);
      if (dot == NULL)
        group->sum_a++;
      else if (!has_failed && group->count > 0 && dns->query != group->n_filter)
        group->sum_b++; /* a suffix worked after another one failed */
      if (!has_failed)
        continue;
      group->n_filter = dns->query;
      ns_findings_add (group, NS_TABLE_DNS, i + 1, dns->activity, dns->open_ns, dns->close_ns);
      ns_findings_mark_at (self, group, dns->close_ns);
    }
  ns_findings_report_groups (self, report_suffixes);
  is_reported = list_reported (self, n_before);
  ns_findings_clear_groups (self);
  gather_failing (self, is_reported);
}
