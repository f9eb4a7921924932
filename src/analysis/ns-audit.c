/* Communication report: the peers of each process, with bytes, times and the responsible code.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "analysis/ns-audit.h"

#include "base/ns-hash.h"
#include "engine/activities/ns-code-origin.h"
#include "engine/net/flows/ns-flow.h"
#include "query/ns-field-get.h"

/* Number of rows between two calls of the progress function. */
#define STEP 4096

/* Number of rows of a line for which a module is responsible. */
typedef struct
{
  NsRow image;
  guint n_rows;
} Module;

/* Totals of one line. A peer with several names keeps the first known one. */
typedef struct
{
  NsAuditLine line;
  NsString server;
  NsIp ip;
  GArray *modules;  /* Module */
  GPtrArray *peers; /* for a process: its peers, Sum */
} Sum;

struct _NsAudit
{
  const NsTrace *trace;
  GHashTable *processes; /* (element-type Sum Sum): set */
  GHashTable *peers;     /* (element-type Sum Sum): peers of all processes */
  GPtrArray *order;      /* (element-type Sum): processes */
  GPtrArray *lines;      /* (element-type NsAuditLine), borrowed */
};

static guint
sum_hash (gconstpointer data)
{
  const Sum *sum = data;
  guint64 words[] = { (guint64) sum->line.pid << 32 | sum->line.process,
                      (guint64) sum->server << 16 | sum->line.port,
                      ns_ip_hash (&sum->ip) };

  return ns_hash_bytes (ns_hash_get_key (), (const char *) words, sizeof words);
}

static gboolean
sum_equal (gconstpointer a, gconstpointer b)
{
  const Sum *left = a;
  const Sum *right = b;

  return left->line.pid == right->line.pid && left->line.process == right->line.process &&
         left->server == right->server && left->line.port == right->line.port &&
         ns_ip_equal (&left->ip, &right->ip);
}

static void
sum_free (gpointer data)
{
  Sum *sum = data;

  g_free (sum->line.host);
  g_free (sum->line.code);
  g_array_unref (sum->modules);
  g_ptr_array_unref (sum->peers);
  g_free (sum);
}

/* Returns the sum for @key, added if needed. */
static Sum *
get_sum (GHashTable *sums, const Sum *key)
{
  Sum *sum = g_hash_table_lookup (sums, key);

  if (sum != NULL)
    return sum;
  sum = g_memdup2 (key, sizeof *key);
  sum->modules = g_array_new (FALSE, FALSE, sizeof (Module));
  sum->peers = g_ptr_array_new ();
  sum->line.open_ns = sum->line.close_ns = NS_TIME_NONE;
  g_hash_table_add (sums, sum);
  return sum;
}

static void
add_module (Sum *sum, NsRow image)
{
  Module module = { image, 1 };
  guint i;

  for (i = 0; image != 0 && i < sum->modules->len; i++)
    if (g_array_index (sum->modules, Module, i).image == image)
      {
        g_array_index (sum->modules, Module, i).n_rows++;
        return;
      }
  if (image != 0)
    g_array_append_val (sum->modules, module);
}

/* Returns whether the row's traffic went through a VPN tunnel that has a row of its own, which
 * counts it. */
static gboolean
is_carried (const NsTrace *trace, const NsActivityRow *row)
{
  const NsFlowRow *flow;
  NsRow outer;

  if (row->flow == 0)
    return FALSE;
  flow = NS_ROW_AT (trace->flows, NsFlowRow, row->flow);
  outer = ns_flow_get_more (flow)->outer;
  return outer != 0 && NS_ROW_AT (trace->flows, NsFlowRow, outer)->activity != 0;
}

static void
add_row (const NsAudit *self, Sum *sum, const NsActivityRow *row, NsRow image)
{
  NsAuditLine *line = &sum->line;
  gint64 close_ns = row->close_ns == NS_TIME_OPEN ? self->trace->end_ns : row->close_ns;

  line->layers |= row->protocol;
  line->n_rows++;
  line->n_failed += row->failed != 0;
  if (!is_carried (self->trace, row))
    {
      line->sent += row->sent;
      line->received += row->received;
    }
  if (ns_time_is_set (row->open_ns) &&
      (line->open_ns == NS_TIME_NONE || row->open_ns < line->open_ns))
    line->open_ns = row->open_ns;
  if (ns_time_is_set (close_ns))
    line->close_ns = MAX (line->close_ns, close_ns);
  add_module (sum, image);
}

static void
take_row (NsAudit *self, guint32 n)
{
  const NsActivityRow *row = &g_array_index (self->trace->activities, NsActivityRow, n);
  gint64 time_ns = ns_time_is_set (row->open_ns) ? row->open_ns : 0;
  NsRow image = ns_code_origin_find_for_activity (self->trace, n).image;
  Sum key = { 0 };
  Sum *process;
  Sum *peer;

  key.line.pid = row->pid;
  key.line.process = ns_trace_find_process (self->trace, row->pid, time_ns);
  key.line.name = ns_trace_get_process_name (self->trace, row->pid, time_ns);
  key.line.is_process = TRUE;
  process = get_sum (self->processes, &key);
  if (process->line.n_rows == 0)
    g_ptr_array_add (self->order, process);
  key.line.is_process = FALSE;
  key.line.port = row->remote->port;
  if (row->server > NS_STRING_EMPTY)
    key.server = row->server;
  else
    key.ip = row->remote->ip;
  peer = get_sum (self->peers, &key);
  if (peer->line.n_rows == 0)
    g_ptr_array_add (process->peers, peer);
  add_row (self, process, row, image);
  add_row (self, peer, row, image);
}

static gint
compare_modules (gconstpointer a, gconstpointer b)
{
  const Module *left = a;
  const Module *right = b;

  if (left->n_rows != right->n_rows)
    return left->n_rows > right->n_rows ? -1 : 1;
  return (left->image > right->image) - (left->image < right->image);
}

/* Lists module names, each once: a module may be loaded from several folders. */
static char *
dup_code (const NsAudit *self, const Sum *sum)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  guint i;

  g_array_sort (sum->modules, compare_modules);
  for (i = 0; i < sum->modules->len && names->len < NS_AUDIT_MAX_MODULES; i++)
    {
      NsRow image = g_array_index (sum->modules, Module, i).image;
      const char *name =
          ns_trace_text (self->trace, NS_ROW_AT (self->trace->images, NsImageRow, image)->name);

      if (name != NULL && !g_ptr_array_find_with_equal_func (names, name, g_str_equal, NULL))
        g_ptr_array_add (names, (gpointer) name);
    }
  if (names->len == 0)
    return NULL;
  g_ptr_array_add (names, NULL);
  return g_strjoinv (", ", (char **) names->pdata);
}

static char *
dup_host (const NsAudit *self, const Sum *sum)
{
  char text[NS_IP_TEXT_SIZE];

  if (sum->server > NS_STRING_EMPTY)
    return g_strdup (ns_trace_text (self->trace, sum->server));
  return ns_ip_is_empty (&sum->ip) ? NULL : g_strdup (ns_ip_to_text (&sum->ip, text));
}

/* Sorts by bytes, largest first; lines without bytes by begin. */
static gint
compare_sums (gconstpointer a, gconstpointer b)
{
  const NsAuditLine *left = &(*(const Sum *const *) a)->line;
  const NsAuditLine *right = &(*(const Sum *const *) b)->line;
  guint64 left_bytes = left->sent + left->received;
  guint64 right_bytes = right->sent + right->received;

  if (left_bytes != right_bytes)
    return left_bytes > right_bytes ? -1 : 1;
  if (left->open_ns != right->open_ns)
    return left->open_ns < right->open_ns ? -1 : 1;
  if (left->pid != right->pid)
    return left->pid < right->pid ? -1 : 1;
  if (left->port != right->port)
    return left->port < right->port ? -1 : 1;
  return g_strcmp0 (left->host, right->host);
}

/* Sorts the peers of a process and counts the distinct hosts. */
static void
finish_process (NsAudit *self, Sum *process)
{
  g_autoptr (GHashTable) hosts = g_hash_table_new (ns_hash_text, g_str_equal);
  guint i;

  for (i = 0; i < process->peers->len; i++)
    {
      Sum *peer = g_ptr_array_index (process->peers, i);

      peer->line.host = dup_host (self, peer);
      peer->line.code = dup_code (self, peer);
      if (peer->line.host != NULL)
        g_hash_table_add (hosts, peer->line.host);
    }
  g_ptr_array_sort (process->peers, compare_sums);
  process->line.code = dup_code (self, process);
  process->line.n_hosts = g_hash_table_size (hosts);
  g_ptr_array_add (self->lines, &process->line);
  for (i = 0; i < process->peers->len; i++)
    g_ptr_array_add (self->lines, &((Sum *) g_ptr_array_index (process->peers, i))->line);
}

/**
 * ns_audit_new:
 * @trace: a trace, which must outlive the report
 * @rows: (array length=n_rows): rows of the master table, 0-based
 * @n_rows: number of rows
 * @progress: (nullable) (scope call): called with the progress; stops if it returns %FALSE
 * @progress_data: for @progress
 *
 * Sums up the rows. Takes time proportional to their number, so it must not be called on the main
 * thread.
 *
 * Returns: (transfer full) (nullable): the report; %NULL if stopped
 */
NsAudit *
ns_audit_new (const NsTrace *trace,
              const guint32 *rows,
              gsize n_rows,
              NsProgressFunc progress,
              gpointer progress_data)
{
  NsAudit *self = g_new0 (NsAudit, 1);
  gsize i;

  self->trace = trace;
  self->processes = g_hash_table_new_full (sum_hash, sum_equal, sum_free, NULL);
  self->peers = g_hash_table_new_full (sum_hash, sum_equal, sum_free, NULL);
  self->order = g_ptr_array_new ();
  self->lines = g_ptr_array_new ();
  for (i = 0; i < n_rows; i++)
    {
      if (i % STEP == 0 && progress != NULL &&
          !progress ((double) i / (double) n_rows, progress_data))
        {
          ns_audit_free (self);
          return NULL;
        }
      take_row (self, rows[i]);
    }
  g_ptr_array_sort (self->order, compare_sums);
  for (i = 0; i < self->order->len; i++)
    finish_process (self, g_ptr_array_index (self->order, i));
  return self;
}

/**
 * ns_audit_free:
 * @self: (transfer full): a report
 */
void
ns_audit_free (NsAudit *self)
{
  g_ptr_array_unref (self->lines);
  g_ptr_array_unref (self->order);
  g_hash_table_unref (self->peers);
  g_hash_table_unref (self->processes);
  g_free (self);
}

/**
 * ns_audit_get_n_lines:
 * @self: a report
 *
 * Returns: number of lines
 */
guint
ns_audit_get_n_lines (const NsAudit *self)
{
  return self->lines->len;
}

/**
 * ns_audit_get_line:
 * @self: a report
 * @n: index of a line, 0-based
 *
 * Returns: (transfer none): the line; processes are sorted by bytes, each is followed by its peers
 */
const NsAuditLine *
ns_audit_get_line (const NsAudit *self, guint n)
{
  return g_ptr_array_index (self->lines, n);
}

/**
 * ns_audit_dup_process:
 * @line: a line
 *
 * Returns: (transfer full): “OUTLOOK.EXE (4312)”
 */
char *
ns_audit_dup_process (const NsAuditLine *line)
{
  if (line->pid == NS_PID_UNKNOWN)
    return g_strdup ("?");
  return g_strdup_printf ("%s (%u)", line->name != NULL ? line->name : "?", line->pid);
}

/**
 * ns_audit_dup_layers:
 * @line: a line
 *
 * Returns: (transfer full): the protocols of its rows, separated by commas
 */
char *
ns_audit_dup_layers (const NsAuditLine *line)
{
  GString *text = g_string_new (NULL);
  guint32 layer;

  for (layer = 1u << 31; layer != 0; layer >>= 1)
    if ((line->layers & layer) != 0)
      g_string_append_printf (text,
                              "%s%s",
                              text->len > 0 ? ", " : "",
                              ns_field_layer_to_text (layer));
  return g_string_free (text, FALSE);
}
