/* Measures a trace of captured packets only, against tshark on the same packets.
 *
 * bench-packets N CLI EACH: writes N packets, EACH of them per conversation, and measures the verb
 * flows, its time per packet, the pass that builds conversations, tshark -q -z conv,tcp, and
 * tshark's fields of one packet. Prints one line per measurement: name, milliseconds, baseline,
 * ratio. Omits the lines of tshark if it is not installed.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/net/flows/ns-flow.h"
#include "engine/net/flows/ns-flows.h"
#include "etl/ns-etl-writer.h"
#include "etl/ns-provider-guids.h"

#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define N_DEFAULT 500000
#define N_ROUNDS 3
/* Default packets per conversation: SYN, SYN/ACK, ACK, requests, responses and their ACKs, and both
 * FINs. */
#define PACKETS_EACH 20
#define MIN_EACH 6
/* Interleaved conversations, and ticks of 100 ns between packets. */
#define N_OPEN 64
#define TICKS 100
#define FIRST_TICK 1000100
#define N_PAYLOAD 200
/* Time after which the window gives up on tshark. */
#define FIELDS_MS 300

enum
{
  FIN = 1,
  SYN = 2,
  PSH = 8,
  ACK = 16,
};

static void
put16 (guint8 *at, guint value)
{
  at[0] = (guint8) (value >> 8);
  at[1] = (guint8) value;
}

static void
put32 (guint8 *at, guint32 value)
{
  put16 (at, value >> 16);
  put16 (at + 2, value & 0xffff);
}

/* Makes packet number @step of a conversation: alternating requests and responses between handshake
 * and close. */
static guint
make_frame (guint8 *frame, guint conversation, guint step, guint n_each, gboolean *is_in)
{
  guint n_sent = step < 3 ? 0 : (MIN (step, n_each - 2) - 3 + 1) / 2;
  guint n_got = step < 3 ? 0 : (MIN (step, n_each - 2) - 3) / 2;
  gboolean has_data = step >= 3 && step < n_each - 2;
  guint flags = step == 0            ? SYN
                : step == 1          ? SYN | ACK
                : step >= n_each - 2 ? FIN | ACK
                : has_data           ? PSH | ACK
                                     : ACK;
  guint32 mine = 1000 + (step > 0) + n_sent * N_PAYLOAD;
  guint32 theirs = 5000 + (step > 1) + n_got * N_PAYLOAD;
  guint size = has_data ? N_PAYLOAD : 0;
  guint8 *ip = frame + 14;
  guint8 *tcp = ip + 20;

  *is_in = step == 1 || (has_data && step % 2 == 0) || step == n_each - 1;
  memset (frame, 0, 54 + size);
  put16 (frame + 12, 0x0800);
  ip[0] = 0x45;
  put16 (ip + 2, 40 + size);
  put16 (ip + 4, conversation * n_each + step);
  ip[8] = 64;
  ip[9] = 6;
  put32 (ip + (*is_in ? 16 : 12), 0x0a000005);
  put32 (ip + (*is_in ? 12 : 16), 0x14000000 + conversation % 5000);
  put16 (tcp + (*is_in ? 2 : 0), 10000 + conversation / 5000 % 50000);
  put16 (tcp + (*is_in ? 0 : 2), 8080);
  put32 (tcp + 4, *is_in ? theirs : mine);
  put32 (tcp + 8, step == 0 ? 0 : *is_in ? mine : theirs);
  tcp[12] = 5 << 4;
  tcp[13] = (guint8) flags;
  put16 (tcp + 14, 64240);
  memset (tcp + 20, 'x', size);
  return 54 + size;
}

/* Returns the bytes of all frames. */
static guint64
write_trace (const char *path, guint n, guint n_each)
{
  NsEtlWriterOptions options = { 0 };
  g_autoptr (NsEtlWriter) writer = NULL;
  g_autoptr (GByteArray) payload = g_byte_array_new ();
  g_autoptr (GError) error = NULL;
  guint64 n_bytes = 0;
  guint i;

  writer = ns_etl_writer_new (&options);
  for (i = 0; i < n; i++)
    {
      guint round = i / (N_OPEN * n_each);
      NsEtlWriterEvent event = { .guid = NS_GUID_NDIS_PACKET_CAPTURE,
                                 .id = 1001,
                                 .level = 4,
                                 .raw = FIRST_TICK + (guint64) i * TICKS,
                                 .pid = 4 };
      guint8 frame[54 + N_PAYLOAD];
      gboolean is_in;
      guint size =
          make_frame (frame, round * N_OPEN + i % N_OPEN, i / N_OPEN % n_each, n_each, &is_in);
      const guint32 head[3] = { GUINT32_TO_LE (7), GUINT32_TO_LE (7), GUINT32_TO_LE (size) };

      event.keyword = is_in ? G_GUINT64_CONSTANT (0x2c0000001) : G_GUINT64_CONSTANT (0x1c0000001);
      g_byte_array_set_size (payload, 0);
      g_byte_array_append (payload, (const guint8 *) head, sizeof head);
      g_byte_array_append (payload, frame, size);
      event.payload = payload;
      ns_etl_writer_add_event (writer, &event);
      n_bytes += size;
    }
  if (!ns_etl_writer_finish_to_file (writer, path, &error))
    g_error ("%s: %s", path, error->message);
  return n_bytes;
}

static double
seconds_since (gint64 begin_us)
{
  return (double) (g_get_monotonic_time () - begin_us) / G_USEC_PER_SEC;
}

/* Costs of a program; only the wall-clock time depends on the load of the machine. */
typedef struct
{
  double wall_s;
  double cpu_s;
  guint64 peak; /* peak memory in bytes */
} Cost;

static double
to_seconds (const struct timeval *time)
{
  return (double) time->tv_sec + (double) time->tv_usec / G_USEC_PER_SEC;
}

/* Runs a program until it exits. */
static Cost
run (const char *const *argv)
{
  gint64 begin_us = g_get_monotonic_time ();
  g_autoptr (GError) error = NULL;
  struct rusage usage;
  GPid pid;
  int status;

  if (!g_spawn_async (NULL,
                      (char **) argv,
                      NULL,
                      G_SPAWN_STDOUT_TO_DEV_NULL | G_SPAWN_STDERR_TO_DEV_NULL |
                          G_SPAWN_SEARCH_PATH | G_SPAWN_DO_NOT_REAP_CHILD,
                      NULL,
                      NULL,
                      &pid,
                      &error) ||
      wait4 (pid, &status, 0, &usage) < 0 || !g_spawn_check_wait_status (status, &error))
    g_error ("%s: %s", argv[0], error != NULL ? error->message : "was lost");
  return (Cost){ .wall_s = seconds_since (begin_us),
                 .cpu_s = to_seconds (&usage.ru_utime) + to_seconds (&usage.ru_stime),
                 .peak = (guint64) usage.ru_maxrss * 1024 };
}

static Cost
run_best (const char *const *argv)
{
  Cost best = run (argv);
  guint i;

  for (i = 1; i < N_ROUNDS; i++)
    {
      Cost cost = run (argv);

      best.wall_s = MIN (best.wall_s, cost.wall_s);
      best.cpu_s = MIN (best.cpu_s, cost.cpu_s);
      best.peak = MIN (best.peak, cost.peak);
    }
  return best;
}

/* Measures the pass that builds conversations from the packets of an open trace. */
static double
measure_flows (const char *path, guint n)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (NsTrace) trace = ns_trace_open (path, NULL, NULL, NULL, &error);
  double best = G_MAXDOUBLE;
  guint i;

  if (trace == NULL)
    g_error ("%s: %s", path, error->message);
  if (trace->packets->len != n)
    g_error ("%u packets of %u were read", trace->packets->len, n);
  for (i = 0; i < N_ROUNDS; i++)
    {
      NsFlowRecords records;
      NsFlowFound found;
      gint64 begin_us;

      ns_flow_records_init (&records, trace);
      ns_flow_found_init (&found);
      g_array_set_size (trace->flows, 0);
      begin_us = g_get_monotonic_time ();
      ns_flows_read (trace, &records, &found);
      best = MIN (best, seconds_since (begin_us));
      ns_flow_found_clear (&found);
      ns_flow_records_clear (&records);
    }
  return best;
}

static void
measure_tshark (const char *cli, const char *folder, const char *trace, const Cost *flows)
{
  g_autofree char *all = g_build_filename (folder, "all.pcapng", NULL);
  g_autofree char *one = g_build_filename (folder, "one.pcapng", NULL);
  const char *export_all[] = { cli, "export", trace, "--as", "pcapng", "-o", all, NULL };
  const char *export_one[] = { cli, "export", trace,    "--table", "packets", "--rows",
                               "4", "--as",   "pcapng", "-o",      one,       NULL };
  const char *conversations[] = { "tshark", "-n", "-q", "-z", "conv,tcp", "-r", all, NULL };
  const char *fields[] = { "tshark", "-n", "-T", "pdml", "-r", one, NULL };
  g_autofree char *tshark = g_find_program_in_path ("tshark");
  Cost cost;

  if (tshark == NULL)
    {
      g_print ("tshark is not installed\n");
      return;
    }
  run (export_all);
  run (export_one);
  cost = run_best (conversations);
  g_print ("tshark -q -z conv,tcp\t%.1f\tflows\t%.2f\n",
           cost.wall_s * 1e3,
           cost.wall_s / flows->wall_s);
  g_print ("tshark's processor time\t%.1f\tflows\t%.2f\n",
           cost.cpu_s * 1e3,
           cost.cpu_s / flows->cpu_s);
  cost = run_best (fields);
  g_print ("tshark's fields of a packet\t%.1f\t%u ms\t%.2f\n",
           cost.wall_s * 1e3,
           FIELDS_MS,
           cost.wall_s * 1e3 / FIELDS_MS);
  g_unlink (all);
  g_unlink (one);
}

int
main (int argc, char *argv[])
{
  guint n = argc > 1 ? (guint) g_ascii_strtoull (argv[1], NULL, 10) : N_DEFAULT;
  const char *cli = argc > 2 ? argv[2] : "netstitch-cli";
  guint n_each = argc > 3 ? (guint) g_ascii_strtoull (argv[3], NULL, 10) : PACKETS_EACH;
  g_autofree char *folder = g_dir_make_tmp ("bench-packets-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "packets.etl", NULL);
  g_autofree char *half = g_build_filename (folder, "half.etl", NULL);
  const char *verb[] = { cli, "flows", path, "--limit", "1", NULL };
  const char *of_half[] = { cli, "flows", half, "--limit", "1", NULL };
  guint64 n_bytes;
  Cost flows;
  double seconds;

  n = MAX (n, 2);
  n_each = MAX (n_each, MIN_EACH);
  n_bytes = write_trace (path, n, n_each) - write_trace (half, n / 2, n_each);
  flows = run_best (verb);
  g_print ("flows of %u packets\t%.1f\tpacket\t%.2f us\n",
           n,
           flows.wall_s * 1e3,
           flows.wall_s * 1e6 / n);
  g_print ("its processor time\t%.1f\tpacket\t%.2f us\n", flows.cpu_s * 1e3, flows.cpu_s * 1e6 / n);
  seconds = measure_flows (path, n);
  g_print ("conversations alone\t%.1f\tpacket\t%.2f us\n", seconds * 1e3, seconds * 1e6 / n);
  g_print ("memory beside the bytes\t\tpacket\t%.0f bytes\n",
           ((double) flows.peak - (double) run_best (of_half).peak - (double) n_bytes) /
               (n - n / 2));
  measure_tshark (cli, folder, path, &flows);
  g_unlink (path);
  g_unlink (half);
  g_rmdir (folder);
  return EXIT_SUCCESS;
}
