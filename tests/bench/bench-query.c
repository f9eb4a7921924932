/* Measures sorting, grouping and filtering a million rows: sorts by every field of the activity
 * table, groups with sums, and filters of each kind.
 *
 * bench-query ROWS: generates a trace of ROWS rows, or takes that of NETSTITCH_BIG. Prints one line
 * per measurement: name, best of a few rounds in milliseconds of wall-clock time and of processor
 * time (all threads), number of matching rows.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "big-trace.h"
#include "engine/trace/ns-trace.h"
#include "query/ns-filter.h"
#include "query/ns-groups.h"
#include "query/ns-order.h"

#include <string.h>
#include <time.h>

#define N_ROUNDS 5
/* Slower measurements are not repeated. */
#define PATIENCE_S 3

static double
get_cpu_seconds (void)
{
  struct timespec now;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double) now.tv_sec + (double) now.tv_nsec / 1e9;
}

typedef GArray *(*Work) (const NsTrace *trace, gconstpointer data);

static void
measure (const char *what, const NsTrace *trace, Work work, gconstpointer data)
{
  const char *only = g_getenv ("NETSTITCH_ONLY");
  double best = G_MAXDOUBLE;
  double best_cpu = G_MAXDOUBLE;
  guint n_rows = 0;
  guint i;

  if (only != NULL && strcmp (only, what) != 0)
    return;
  for (i = 0; i < N_ROUNDS && (i == 0 || best < PATIENCE_S); i++)
    {
      gint64 begin_us = g_get_monotonic_time ();
      double begin_s = get_cpu_seconds ();
      g_autoptr (GArray) rows = work (trace, data);

      best = MIN (best, (double) (g_get_monotonic_time () - begin_us) / G_USEC_PER_SEC);
      best_cpu = MIN (best_cpu, get_cpu_seconds () - begin_s);
      n_rows = rows->len;
    }
  g_print ("%-40s %8.1f %8.1f %10u\n", what, best * 1e3, best_cpu * 1e3, n_rows);
}

static GArray *
sort_rows (const NsTrace *trace, gconstpointer data)
{
  const NsOrderKey key = { data, FALSE };
  GArray *rows = g_array_sized_new (FALSE, FALSE, sizeof (guint32), trace->activities->len);
  guint32 row;

  for (row = 0; row < trace->activities->len; row++)
    g_array_append_val (rows, row);
  ns_order_sort (trace, &key, 1, rows, NULL, NULL);
  return rows;
}

/* Sorts by several keys or in descending order, like the window. */
static GArray *
sort_rows_by (const NsTrace *trace, gconstpointer data)
{
  g_autoptr (GArray) keys = ns_order_parse (NS_TABLE_ACTIVITIES, data, NULL);
  GArray *rows = g_array_sized_new (FALSE, FALSE, sizeof (guint32), trace->activities->len);
  guint32 row;

  for (row = 0; row < trace->activities->len; row++)
    g_array_append_val (rows, row);
  ns_order_sort (trace, &g_array_index (keys, NsOrderKey, 0), keys->len, rows, NULL, NULL);
  return rows;
}

static GArray *
filter_rows (const NsTrace *trace, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (NsFilter) filter = ns_filter_new (NS_TABLE_ACTIVITIES, data, NULL, &error);

  g_assert_no_error (error);
  return ns_filter_run (filter, trace, NS_TABLE_ACTIVITIES, NULL, NULL);
}

/* Groups by comma-separated field IDs and returns the groups. */
static GArray *
group_rows (const NsTrace *trace, gconstpointer data)
{
  g_auto (GStrv) ids = g_strsplit (data, ",", -1);
  const NsField *fields[8];
  g_autoptr (GArray) rows =
      g_array_sized_new (FALSE, FALSE, sizeof (guint32), trace->activities->len);
  g_autoptr (NsGroups) groups = NULL;
  guint32 row;
  guint i;

  for (i = 0; ids[i] != NULL; i++)
    fields[i] = ns_table_find_field (NS_TABLE_ACTIVITIES, ids[i]);
  for (row = 0; row < trace->activities->len; row++)
    g_array_append_val (rows, row);
  groups = ns_groups_new (trace, NS_TABLE_ACTIVITIES, rows, fields, i, NULL, NULL);
  ns_groups_sort (groups, NS_GROUP_ORDER_COUNT, TRUE);
  return g_array_ref (groups->groups);
}

static void
run (const char *path, G_GNUC_UNUSED guint n_rows)
{
  static const char *const filters[] = {
    "pid>1130",
    "server:*site7*",
    "server:site7",
    "process=nosuch.exe",
    "process_pid:1130",
    "url~page[0-9]*7",
    "duration>10ms",
    "ip:10.0.0.0/8",
    "ip_port:443",
    "port:443 and failed",
    "site7",
    "layers:tcp",
    "phases:connect",
    "phases:1234",
    "url~[0-9][a-z][0-9]",
    "url~item.*7$",
  };
  static const char *const groupings[] = { "process",
                                           "process_pid,server",
                                           "protocol,server,port",
                                           "url" };
  static const char *const orders[] = { "-duration_ns", "process,server,open_ns", "-url,open_ns" };
  const NsTraceOptions options = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (NsTrace) trace = ns_trace_open (path, &options, NULL, NULL, &error);
  guint n_fields;
  const NsField *fields = ns_table_get_fields (NS_TABLE_ACTIVITIES, &n_fields);
  guint i;

  g_assert_no_error (error);
  for (i = 0; i < G_N_ELEMENTS (filters); i++)
    measure (filters[i], trace, filter_rows, filters[i]);
  for (i = 0; i < G_N_ELEMENTS (groupings); i++)
    measure (groupings[i], trace, group_rows, groupings[i]);
  for (i = 0; i < G_N_ELEMENTS (orders); i++)
    measure (orders[i], trace, sort_rows_by, orders[i]);
  for (i = 0; i < n_fields; i++)
    measure (fields[i].id, trace, sort_rows, &fields[i]);
}

int
main (int argc, char *argv[])
{
  return big_trace_bench (argc, argv, run);
}
