/* Tests packet dissection by a running sharkd, and by tshark as fallback.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-dissection.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>

/* Logs its start and responds to each request. */
#define SHARKD                                                                                     \
  "#!/bin/sh\n"                                                                                    \
  "echo $$ >> \"$0.log\"\n"                                                                        \
  "while read -r line; do\n"                                                                       \
  "  id=${line#*\\\"id\\\":}; id=${id%%%%,*}\n"                                                    \
  "  case $line in *frame*) what='%s';; *) what='\"result\":{\"status\":\"OK\"}';; esac\n"         \
  "  echo '{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"told besides\"}'\n"                          \
  "  echo \"{\\\"jsonrpc\\\":\\\"2.0\\\",\\\"id\\\":$id,$what}\"\n"                                \
  "done\n"

#define TREE                                                                                       \
  "\"result\":{\"tree\":["                                                                         \
  "{\"l\":\"Frame 1: 42 bytes\",\"t\":\"proto\",\"f\":\"frame\",\"h\":[0,42],\"n\":[{\"l\":\"No: " \
  "1\"}]},"                                                                                        \
  "{\"l\":\"Protocol, A: b\",\"h\":[14,20],\"t\":\"proto\",\"f\":\"ip\",\"e\":7,\"n\":["           \
  "{\"l\":\"Source: 10.0.0.5\",\"h\":[26,4]},{\"l\":\"Unseen: 1\",\"v\":true},"                    \
  "{\"l\":\"Put together: 2\",\"ds\":1,\"h\":[0,9]},{\"l\":\"Too far: 3\",\"h\":[40,9]}]}]}"

#define TSHARK                                                                                     \
  "#!/bin/sh\n"                                                                                    \
  "echo '<pdml><packet><proto showname=\"Of tshark\" pos=\"0\" size=\"14\"/></packet></pdml>'\n"

typedef struct
{
  char *folder;
  char *path; /* original PATH */
  NsTrace *trace;
  NsSharkd *sharkd;
  NsEventFacts *facts;
  GError *error;
  gboolean is_done;
} Fixture;

static void
write_capture (const char *path)
{
  static const guint8 begin[] = { 0xd4, 0xc3, 0xb2, 0xa1, 2, 0, 4, 0, 0, 0, 0, 0,
                                  0,    0,    0,    0,    0, 0, 1, 0, 1, 0, 0, 0 };
  static const guint8 packet[] = {
    0, 0xf1, 0x53, 0x65, 0, 0, 0,  0, 42, 0, 0,  0, 42, 0,  0, 0, 2, 0, 0,  0,
    0, 2,    2,    0,    0, 0, 0,  1, 8,  0, 69, 0, 0,  28, 0, 0, 0, 0, 64, 17,
    0, 0,    10,   0,    0, 5, 10, 0, 0,  6, 4,  0, 8,  0,  0, 8, 0, 0,
  };
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  guint i;

  g_byte_array_append (bytes, begin, sizeof begin);
  for (i = 0; i < 3; i++)
    g_byte_array_append (bytes, packet, sizeof packet);
  g_assert_true (g_file_set_contents (path, (const char *) bytes->data, bytes->len, NULL));
}

/* Installs a program in the only PATH folder besides that of the system. */
static void
install (Fixture *self, const char *name, const char *text)
{
  g_autofree char *path = g_build_filename (self->folder, name, NULL);

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  g_assert_cmpint (g_chmod (path, 0700), ==, 0);
}

static void
set_up (Fixture *self, gconstpointer data)
{
  g_autofree char *capture = NULL;
  g_autofree char *path = NULL;

  self->folder = g_dir_make_tmp ("dissection-XXXXXX", NULL);
  self->path = g_strdup (g_getenv ("PATH"));
  capture = g_build_filename (self->folder, "capture.pcap", NULL);
  write_capture (capture);
  self->trace = ns_trace_open (capture, NULL, NULL, NULL, &self->error);
  g_assert_no_error (self->error);
  g_setenv ("PATH", self->folder, TRUE);
  self->sharkd = ns_sharkd_new ();
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  static const char *const names[] = { "capture.pcap", "sharkd", "sharkd.log", "tshark" };
  guint i;

  ns_sharkd_close (self->sharkd);
  ns_sharkd_unref (self->sharkd);
  ns_event_facts_free (self->facts);
  g_clear_error (&self->error);
  ns_trace_unref (self->trace);
  g_setenv ("PATH", self->path, TRUE);
  for (i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_build_filename (self->folder, names[i], NULL);

      g_unlink (path);
    }
  g_assert_cmpint (g_rmdir (self->folder), ==, 0);
  g_free (self->folder);
  g_free (self->path);
}

static void
done_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  Fixture *self = data;

  self->facts = ns_dissection_run_finish (result, &self->error);
  self->is_done = TRUE;
}

static void
dissect (Fixture *self, guint32 row)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();

  g_clear_pointer (&self->facts, ns_event_facts_free);
  g_clear_error (&self->error);
  self->is_done = FALSE;
  ns_dissection_run_async (self->sharkd, self->trace, row, cancellable, done_cb, self);
  while (!self->is_done)
    g_main_context_iteration (NULL, TRUE);
}

/* Returns the PIDs of the started processes. */
static GArray *
list_started (const Fixture *self)
{
  g_autofree char *path = g_build_filename (self->folder, "sharkd.log", NULL);
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  GArray *pids = g_array_new (FALSE, FALSE, sizeof (int));
  guint i;

  if (!g_file_get_contents (path, &text, NULL, NULL))
    return pids;
  lines = g_strsplit (g_strchomp (text), "\n", -1);
  for (i = 0; lines[i] != NULL; i++)
    {
      int pid = atoi (lines[i]);

      g_array_append_val (pids, pid);
    }
  return pids;
}

static void
install_sharkd (Fixture *self, const char *answer)
{
  g_autofree char *text = g_strdup_printf (SHARKD, answer);

  install (self, "sharkd", text);
}

static void
assert_fact (const Fixture *self,
             guint at,
             const char *name,
             const char *value,
             guint begin,
             guint size)
{
  const NsEventFact *fact = &g_array_index (self->facts->facts, NsEventFact, at);

  g_assert_cmpuint (at, <, self->facts->facts->len);
  g_assert_cmpstr (fact->name, ==, name);
  g_assert_cmpstr (fact->value, ==, value);
  g_assert_cmpuint (fact->offset, ==, begin);
  g_assert_cmpuint (fact->size, ==, size);
}

static void
test_one_sharkd_serves_many (Fixture *self, gconstpointer data)
{
  g_autoptr (GArray) started = NULL;
  guint i;

  install_sharkd (self, TREE);
  for (i = 0; i < 3; i++)
    {
      dissect (self, i);
      g_assert_no_error (self->error);
      assert_fact (self, 0, "Protocol, A", "b", 14, 20);
      assert_fact (self, 1, "Source", "10.0.0.5", 26, 4);
      assert_fact (self, 2, "Put together", "2", 0, 0);
      assert_fact (self, 3, "Too far", "3", 0, 0);
      g_assert_cmpuint (self->facts->facts->len, ==, 4);
    }
  started = list_started (self);
  g_assert_cmpuint (started->len, ==, 1);
}

static void
test_it_ends_with_who_keeps_it (Fixture *self, gconstpointer data)
{
  g_autoptr (GArray) started = NULL;
  gint64 end_us = g_get_monotonic_time () + 10 * G_USEC_PER_SEC;

  install_sharkd (self, TREE);
  dissect (self, 0);
  started = list_started (self);
  g_assert_cmpuint (started->len, ==, 1);
  g_assert_cmpint (kill (g_array_index (started, int, 0), 0), ==, 0);
  ns_sharkd_close (self->sharkd);
  while (kill (g_array_index (started, int, 0), 0) == 0 && g_get_monotonic_time () < end_us)
    g_usleep (1000);
  g_assert_cmpint (kill (g_array_index (started, int, 0), 0), ==, -1);
  /* A second request does not start another process. */
  dissect (self, 0);
  g_assert_null (self->facts);
  g_array_unref (started);
  started = list_started (self);
  g_assert_cmpuint (started->len, ==, 1);
}

static void
test_tshark_steps_in (Fixture *self, gconstpointer answer)
{
  install_sharkd (self, answer);
  install (self, "tshark", TSHARK);
  dissect (self, 0);
  g_assert_no_error (self->error);
  assert_fact (self, 0, "Of tshark", "", 0, 14);
}

/* The process exited; the next packet starts another one. */
static void
test_one_that_ended_starts_again (Fixture *self, gconstpointer data)
{
  g_autoptr (GArray) started = NULL;

  install (self, "sharkd", "#!/bin/sh\necho $$ >> \"$0.log\"\n");
  dissect (self, 0);
  g_assert_null (self->facts);
  g_assert_nonnull (self->error);
  install_sharkd (self, TREE);
  dissect (self, 0);
  assert_fact (self, 0, "Protocol, A", "b", 14, 20);
  started = list_started (self);
  g_assert_cmpuint (started->len, ==, 2);
}

static void
test_without_either_it_is_told (Fixture *self, gconstpointer data)
{
  dissect (self, 0);
  g_assert_null (self->facts);
  g_assert_nonnull (strstr (self->error->message, "(tshark) is not installed"));
}

int
main (int argc, char *argv[])
{
  /* Sanitizer libraries are preloaded for this program, not for its child processes. */
  g_unsetenv ("LD_PRELOAD");
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/dissection/one-sharkd-serves-many",
              Fixture,
              NULL,
              set_up,
              test_one_sharkd_serves_many,
              tear_down);
  g_test_add ("/dissection/it-ends-with-who-keeps-it",
              Fixture,
              NULL,
              set_up,
              test_it_ends_with_who_keeps_it,
              tear_down);
  g_test_add ("/dissection/tshark-steps-in/error",
              Fixture,
              "\"error\":{\"code\":-1}",
              set_up,
              test_tshark_steps_in,
              tear_down);
  g_test_add ("/dissection/tshark-steps-in/no-tree",
              Fixture,
              "\"result\":{\"tree\":[{\"n\":[[",
              set_up,
              test_tshark_steps_in,
              tear_down);
  g_test_add ("/dissection/one-that-ended-starts-again",
              Fixture,
              NULL,
              set_up,
              test_one_that_ended_starts_again,
              tear_down);
  g_test_add ("/dissection/without-either-it-is-told",
              Fixture,
              NULL,
              set_up,
              test_without_either_it_is_told,
              tear_down);
  return g_test_run ();
}
