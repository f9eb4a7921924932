/* Generates many pseudo-random rows of a trace, always the same ones.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ns-test-rows.h"

#include "engine/build/ns-builder.h"
#include "engine/trace/ns-trace-lookup.h"

#define N_PROCESSES 9
#define END_NS G_GINT64_CONSTANT (60000000000)

static const char *const hosts[] = {
  "Alpha.example", "alpha.example", "beta.example:8080", "ÄÖ.example", "", "site7.example"
};

/* Returns a random number below @n. */
static guint32
pick (GRand *rand, guint32 n)
{
  return (guint32) g_rand_int_range (rand, 0, (gint32) n);
}

static NsString
pick_text (NsTrace *self, GRand *rand, const char *what, guint32 n)
{
  g_autofree char *text = NULL;

  if (pick (rand, 8) == 0)
    return NS_STRING_NONE;
  text = g_strdup_printf ("%s%s/%s%u",
                          pick (rand, 2) == 0 ? "https://www." : "HTTPS://",
                          hosts[pick (rand, G_N_ELEMENTS (hosts))],
                          what,
                          pick (rand, n));
  return ns_strings_add (self->strings, text);
}

static gint64
pick_time (GRand *rand)
{
  switch (pick (rand, 12))
    {
    case 0:
      return NS_TIME_NONE;
    case 1:
      return NS_TIME_OPEN;
    default:
      return (gint64) pick (rand, 60000) * 1000000 - 1000;
    }
}

static guint64
pick_number (GRand *rand)
{
  static const guint64 edges[] = { 0, 1, G_MAXINT32, G_MAXUINT32, G_MAXINT64, G_MAXUINT64 };

  if (pick (rand, 4) == 0)
    return edges[pick (rand, G_N_ELEMENTS (edges))];
  return pick (rand, 2) == 0 ? pick (rand, 1000)
                             : (guint64) pick (rand, G_MAXINT32) << pick (rand, 33);
}

static const NsEndpoint *
pick_endpoint (NsTrace *self, GRand *rand)
{
  NsEndpoint endpoint = { 0 };
  guint8 v6[16] = { 0x20, 0x01, 0x0d, 0xb8 };
  guint8 v4[4] = { 10, 0 };

  v4[2] = v6[8] = (guint8) pick (rand, 2);
  v4[3] = v6[15] = (guint8) pick (rand, 256);
  if (pick (rand, 8) == 0)
    return &ns_endpoint_pool_none;
  endpoint.ip = pick (rand, 3) == 0 ? ns_ip_from_v6 (v6) : ns_ip_from_v4 (v4);
  endpoint.port = (guint16) (pick (rand, 2) == 0 ? 443 : pick (rand, G_MAXUINT16));
  return ns_endpoint_pool_add (self->ends, &endpoint);
}

static void
add_processes (NsTrace *self)
{
  guint i;

  for (i = 0; i < N_PROCESSES; i++)
    {
      NsProcessRow *row = test_trace_add (self->processes);
      g_autofree char *name = g_strdup_printf (i % 2 == 0 ? "Program%u.exe" : "program%u.exe", i);

      /* The last three reuse the PIDs of the first three, later. */
      row->pid = 1000 + i % (N_PROCESSES - 3);
      row->parent_pid = 1000 + (i + 1) % 4;
      row->name = i == 4 ? NS_STRING_NONE : ns_strings_add (self->strings, name);
      row->command_line = ns_strings_add (self->strings, name);
      row->start_ns = i < N_PROCESSES - 3 ? 0 : END_NS / 2;
      row->end_ns = i < 3 ? END_NS / 2 - 1 : NS_TIME_OPEN;
    }
  ns_trace_index_processes (self);
}

static void
fill_flags (NsActivityRow *row, GRand *rand)
{
  row->failed = pick (rand, 2) == 0;
  row->cancelled = pick (rand, 9) == 0;
  row->inferred = pick (rand, 3) == 0;
  row->accepted = pick (rand, 3) == 0;
  row->opened_before_trace = pick (rand, 3) == 0;
  row->reused = (gint8) (pick (rand, 3) - 1);
  row->confidence = (gint8) (pick (rand, 5) - 1);
  row->http_status = pick (rand, 3) * 200;
  row->error_family = pick (rand, 2) == 0 ? NS_CODE_NONE : NS_CODE_WIN32;
  row->error = pick (rand, 3) == 0 ? 0 : 12000 + pick (rand, 100);
}

static void
fill_row (NsTrace *self, NsActivityRow *row, GRand *rand)
{
  guint i;

  row->layers = 1u << pick (rand, 13) | 1u << pick (rand, 13);
  row->protocol = row->layers & ~(row->layers - 1);
  row->pid = pick (rand, 9) == 0 ? NS_PID_UNKNOWN : 1000 + pick (rand, N_PROCESSES);
  row->tid = pick (rand, 9) == 0 ? NS_PID_UNKNOWN : pick (rand, 50);
  row->server_alt = pick_text (self, rand, "", 5);
  row->url = pick_text (self, rand, "a/long/path/to/page", 3000);
  row->method = pick_text (self, rand, "GET", 2);
  row->remote = pick_endpoint (self, rand);
  row->local = pick_endpoint (self, rand);
  row->sent = pick_number (rand);
  row->received = pick_number (rand);
  row->posted = pick (rand, 3) == 0 ? NS_UNKNOWN : (gint64) pick_number (rand);
  row->request = pick_number (rand);
  row->open_ns = pick_time (rand);
  row->close_ns = pick_time (rand);
  row->first_byte_ns = pick_time (rand);
  fill_flags (row, rand);
  if (pick (rand, 4) > 0)
    {
      NsGuid id = { { 0 } };

      id.bytes[3] = (guint8) pick (rand, 256);
      row->activity_id = ns_trace_keep_guid (self, &id);
    }
  for (i = 0; i < NS_N_PHASES; i++)
    if (pick (rand, 4) == 0)
      test_phases (row)[i] = (gint64) pick (rand, 5000) * 100 - 1000;
}

/* Makes a trace of @n_rows rows; field values are often equal to those of other rows, and often
 * missing. */
NsTrace *
test_rows_new (guint n_rows)
{
  NsTrace *self = test_trace_new (END_NS);
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);
  guint i;

  add_processes (self);
  for (i = 0; i < n_rows; i++)
    {
      const char *host = hosts[pick (rand, G_N_ELEMENTS (hosts))];

      fill_row (self, test_trace_add_activity (self, pick (rand, 9) == 0 ? NULL : host, 0), rand);
    }
  return self;
}

void
test_rows_free (NsTrace *self)
{
  g_clear_pointer (&self->index, ns_trace_index_free);
  test_trace_free (self);
}
