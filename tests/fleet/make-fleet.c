/* Writes the traces of forty computers on five days, and a list of the incidents in each.
 *
 * A fixed seed determines the incidents, which are logged as JSON lines while the traces are
 * written, so expected answers need no trace. Names are from the ranges reserved for documentation.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "../../data/sample/sample-story.h"

#include <glib/gstdio.h>
#include <string.h>

#define N_MACHINES 40
#define SEED 20260302
#define MS 1000u
#define SECOND (1000u * MS)
#define NS_PER_US 1000
#define TICKS_PER_SECOND G_GUINT64_CONSTANT (10000000)
#define DAY_SECONDS 86400
/* 2 March 2026, 0:00 UTC. */
#define FIRST_DAY G_GUINT64_CONSTANT (134168832000000000)
#define MORNING_SECONDS (8 * 3600)
/* The traces of one computer begin four seconds before midnight: it makes two requests before, and
 * the others after. */
#define EVENING_SECONDS (DAY_SECONDS - 4)
#define EVENING_MACHINE (N_MACHINES - 1)
#define AGENT 4312
#define EXE G_GUINT64_CONSTANT (0x7ff610000000)
#define NTDLL G_GUINT64_CONSTANT (0x7ffc10000000)
#define SENT_BYTES 400

typedef struct
{
  const char *name;
  const char *address;
  guint32 usual_ms;
} Server;

static const Server servers[] = {
  { "app.example.com", "203.0.113.10", 80 },
  { "mail.example.com", "203.0.113.20", 150 },
  { "files.example.net", "198.51.100.30", 400 },
  { "api.example.org", "192.0.2.40", 40 },
};

static const char *const packages[] = {
  "Contoso.Agent_1.0.0.0_x64__0123456789abc",
  "Contoso.Agent_1.1.0.0_x64__0123456789abc",
  "Contoso.Agent_2.0.0.0_x64__0123456789abc",
};

static const guint64 stacks[][3] = {
  { EXE + 0x1100, EXE + 0x1f0, NTDLL + 0x5aa48 },
  { EXE + 0x2200, EXE + 0x1f0, NTDLL + 0x5aa48 },
  { EXE + 0x3300, EXE + 0x1f0, NTDLL + 0x5aa48 },
};

typedef struct
{
  GRand *chance;
  GString *facts;
  SampleStory *story;
  guint trace;
  guint machine;
  guint day;
  guint64 begin_seconds; /* since FIRST_DAY */
} Fleet;

static void
report_machine (Fleet *self)
{
  g_autofree char *name = g_strdup_printf ("PC-%03u", self->machine);

  sample_machine (self->story, name);
  sample_process (self->story, 0, 4, 0, "System", "");
  sample_program (self->story,
                  0,
                  AGENT,
                  4,
                  "agent.exe",
                  "agent.exe",
                  packages[self->machine % G_N_ELEMENTS (packages)]);
  sample_image (self->story,
                AGENT,
                EXE,
                0x400000,
                "\\Device\\HarddiskVolume3\\Program Files\\Agent\\agent.exe");
  sample_image (self->story,
                AGENT,
                NTDLL,
                0x1f8000,
                "\\Device\\HarddiskVolume3\\Windows\\System32\\ntdll.dll");
}

/* Writes a query to the DNS server of the computer's site; every seventh has no response. */
static void
report_name (Fleet *self)
{
  static const SampleActor actor = { AGENT, AGENT + 4 };
  g_autofree char *server = g_strdup_printf ("10.0.0.%u", 1 + self->machine % 3);
  gboolean is_late = self->trace % 7 == 0;

  sample_dns_asked (self->story, 100 * MS + 50, actor, "wpad.example.com", server);
  sample_dns (self->story,
              100 * MS,
              is_late ? 9 * SECOND : 20 * MS,
              actor,
              "wpad.example.com",
              is_late ? "" : "203.0.113.99;",
              is_late ? 1460 : 0);
  g_string_append_printf (self->facts,
                          "{\"kind\":\"name\",\"trace\":%u,\"server\":\"%s\",\"is_late\":%s}\n",
                          self->trace,
                          server,
                          is_late ? "true" : "false");
}

static void
report_connection (Fleet *self, guint64 us, guint64 took_us, SampleConnection *c, guint32 received)
{
  guint n_again = (guint) g_rand_int_range (self->chance, 0, 3);
  gboolean is_reset = g_rand_int_range (self->chance, 0, 8) == 0;
  guint i;

  sample_socket (self->story, us + 600, c, FALSE, NULL, 0);
  sample_connect (self->story, us + 700, 9 * MS, c);
  sample_send (self->story, us + 12 * MS + 50, c, SENT_BYTES);
  for (i = 0; i < n_again; i++)
    sample_send_again (self->story, us + 13 * MS + i * 100, c);
  sample_receive (self->story, us + took_us - 500, c, received);
  if (is_reset)
    sample_reset (self->story, us + took_us + MS, c);
  sample_close (self->story, us + took_us + 2 * MS, c);
  g_string_append_printf (self->facts,
                          "{\"kind\":\"connection\",\"trace\":%u,\"address\":\"%.*s\",\"again\":%u,"
                          "\"is_reset\":%s,\"sent\":%u,\"received\":%u}\n",
                          self->trace,
                          (int) (strrchr (c->remote, ':') - c->remote),
                          c->remote,
                          n_again,
                          is_reset ? "true" : "false",
                          SENT_BYTES,
                          received);
}

static void
report_request (Fleet *self, guint number)
{
  const Server *server = &servers[g_rand_int_range (self->chance, 0, G_N_ELEMENTS (servers))];
  guint path = (guint) g_rand_int_range (self->chance, 0, G_N_ELEMENTS (stacks));
  guint version = self->machine % G_N_ELEMENTS (packages);
  gboolean is_failed = g_rand_int_range (self->chance, 0, 20) < (gint32) (1 + 4 * version);
  guint32 received = (guint32) g_rand_int_range (self->chance, 1000, 60000);
  guint64 took_us = (server->usual_ms + (guint) g_rand_int_range (self->chance, 0, 200)) * MS;
  guint64 us = SECOND + number * 2 * SECOND;
  g_autofree char *local = g_strdup_printf ("10.1.%u.2:%u", self->machine, 50000 + number);
  g_autofree char *remote = g_strconcat (server->address, ":443", NULL);
  g_autofree char *url = g_strdup_printf ("https://%s/item/%u", server->name, number);
  SampleConnection c = { { AGENT, AGENT + 8 },
                         G_GUINT64_CONSTANT (0xffffaa0000001000) + number * 0x1000,
                         G_GUINT64_CONSTANT (0xffffcc0000000100) + number * 0x100,
                         G_GUINT64_CONSTANT (0xffffbb0000010000),
                         local,
                         remote,
                         0 };
  SampleRequest r = { c.actor,
                      0x1a0000 + number * 0x1000,
                      100 + number,
                      0x1c0000 + number,
                      0x800 + 4 * number,
                      "GET",
                      url,
                      server->name,
                      remote };

  took_us += 100 * MS;
  sample_request (self->story, us, &r, stacks[path], G_N_ELEMENTS (stacks[path]));
  sample_request_connect (self->story, us + 500, 10 * MS, &r, 0);
  sample_request_send (self->story, us + 12 * MS, &r, SENT_BYTES);
  report_connection (self, us, took_us, &c, received);
  sample_request_answer (self->story,
                         us + took_us - 400,
                         &r,
                         is_failed ? "HTTP/1.1 503 Service Unavailable\r\n\r\n"
                                   : "HTTP/1.1 200 OK\r\n\r\n");
  sample_request_receive (self->story, us + took_us - 300, &r, received);
  sample_request_end (self->story, us + took_us, &r);
  g_string_append_printf (self->facts,
                          "{\"kind\":\"request\",\"trace\":%u,\"server\":\"%s\",\"package\":\"%s\","
                          "\"is_failed\":%s,\"took_ns\":%" G_GUINT64_FORMAT
                          ",\"path\":\"agent.exe+0x%x\",\"bytes\":%u,\"day\":\"2026-03-%02u\","
                          "\"us\":%" G_GUINT64_FORMAT "}\n",
                          self->trace,
                          server->name,
                          packages[version],
                          is_failed ? "true" : "false",
                          took_us * NS_PER_US,
                          (guint) (stacks[path][0] - EXE),
                          SENT_BYTES + received,
                          2 + (guint) ((self->begin_seconds + us / SECOND) / DAY_SECONDS),
                          us);
}

static guint64
get_begin_seconds (const Fleet *self)
{
  guint64 midnight = (guint64) self->day * DAY_SECONDS;

  if (self->machine == EVENING_MACHINE)
    return midnight + EVENING_SECONDS;
  return midnight + MORNING_SECONDS + self->machine * 60;
}

static gboolean
write_trace (Fleet *self, const char *folder, GError **error)
{
  SampleHeader header = { .start_filetime = FIRST_DAY + self->begin_seconds * TICKS_PER_SECOND };
  g_autofree char *name = g_strdup_printf ("%03u.etl", self->trace);
  g_autofree char *path = g_build_filename (folder, name, NULL);
  guint n_requests = (guint) g_rand_int_range (self->chance, 3, 7);
  guint i;

  if (self->machine % 10 == 3)
    {
      header.events_lost = 10 + self->day;
      header.buffers_lost = 1;
    }
  g_string_append_printf (
      self->facts,
      "{\"kind\":\"trace\",\"trace\":%u,\"file\":\"%s\",\"machine\":\"PC-%03u\","
      "\"begin_seconds\":%" G_GUINT64_FORMAT ",\"events_lost\":%u,\"buffers_lost\":%u}\n",
      self->trace,
      name,
      self->machine,
      self->begin_seconds,
      header.events_lost,
      header.buffers_lost);
  self->story = sample_story_new ();
  report_machine (self);
  report_name (self);
  for (i = 0; i < n_requests; i++)
    report_request (self, i);
  return sample_story_write_as (self->story, path, &header, error);
}

int
main (int argc, char *argv[])
{
  guint64 n_traces = 0;
  Fleet fleet = { .facts = g_string_new (NULL), .chance = g_rand_new_with_seed (SEED) };
  g_autofree char *facts = NULL;
  g_autoptr (GError) error = NULL;
  gboolean is_done = TRUE;

  if (argc != 4 || !g_ascii_string_to_unsigned (argv[3], 10, 1, 100000, &n_traces, NULL))
    {
      g_printerr ("usage: make-fleet FOLDER FACTS.jsonl N_TRACES\n");
      return 2;
    }
  if (g_mkdir_with_parents (argv[1], 0755) != 0)
    {
      g_printerr ("cannot make %s\n", argv[1]);
      return 1;
    }
  for (fleet.trace = 0; fleet.trace < n_traces && is_done; fleet.trace++)
    {
      fleet.machine = fleet.trace % N_MACHINES;
      fleet.day = fleet.trace / N_MACHINES;
      fleet.begin_seconds = get_begin_seconds (&fleet);
      is_done = write_trace (&fleet, argv[1], &error);
    }
  if (!is_done || !g_file_set_contents (argv[2], fleet.facts->str, -1, &error))
    {
      g_printerr ("%s\n", error->message);
      return 1;
    }
  g_rand_free (fleet.chance);
  g_string_free (fleet.facts, TRUE);
  return 0;
}
