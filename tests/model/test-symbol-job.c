/* Tests the background resolution of symbol names.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-symbol-job.h"

static NsSession *
session_new (void)
{
  NsTraceOptions options = { .want_events = TRUE };
  g_autoptr (GError) error = NULL;
  g_autoptr (GFile) file = g_file_new_for_path (g_getenv ("NETSTITCH_SAMPLE"));
  NsTrace *trace = ns_trace_open (g_getenv ("NETSTITCH_SAMPLE"), &options, NULL, NULL, &error);

  g_assert_no_error (error);
  return ns_session_new (trace, file);
}

static void
count_cb (guint *n_told)
{
  (*n_told)++;
}

/* Returns any frame of the sample inside an image. */
static gboolean
find_frame (const NsTrace *trace, guint32 *pid, guint64 *address, gint64 *time_ns)
{
  guint i;

  for (i = 0; i < trace->images->len; i++)
    {
      const NsImageRow *image = &g_array_index (trace->images, NsImageRow, i);

      *pid = image->pid;
      *address = image->base + 0x1000;
      *time_ns = image->load_ns != NS_TIME_NONE ? image->load_ns : 0;
      if (ns_trace_find_image (trace, *pid, *address, *time_ns) != 0)
        return TRUE;
    }
  return FALSE;
}

static void
test_a_frame_without_symbols_is_module_and_offset (void)
{
  g_autoptr (NsSession) session = session_new ();
  NsTrace *trace = ns_session_get_trace (session);
  NsSymbolJob *job = ns_symbol_job_get_for_session (session);
  g_autofree char *plain = NULL;
  g_autofree char *named = NULL;
  g_autofree char *again = NULL;
  gboolean is_named = TRUE;
  guint n_told = 0;
  guint n_named;
  guint n_asked;
  guint64 address;
  gint64 time_ns;
  guint32 pid;

  if (!find_frame (trace, &pid, &address, &time_ns))
    {
      g_test_skip ("the sample has no images");
      return;
    }
  g_signal_connect_swapped (job, "changed", G_CALLBACK (count_cb), &n_told);
  plain = ns_trace_frame_to_text (trace, pid, address, time_ns);
  named = ns_symbol_job_name_frame (job, pid, address, time_ns, TRUE, &is_named);
  g_assert_false (is_named);
  g_assert_cmpstr (named, ==, plain);
  /* The result is signalled without a further request, for the same frame. */
  while (n_told == 0)
    g_main_context_iteration (NULL, TRUE);
  again = ns_symbol_job_name_frame (job, pid, address, time_ns, TRUE, &is_named);
  g_assert_cmpstr (again, ==, plain);
  ns_symbol_job_count (job, &n_named, &n_asked);
  g_assert_cmpuint (n_asked, ==, 1);
  g_assert_cmpuint (n_named, ==, 0);
}

static void
test_no_server_is_asked_without_consent (void)
{
  const char *const other[] = { "other.example.com", NULL };
  const char *const agreed[] = { "symbols.example.com", NULL };
  NsSymbolSettings settings = { .path = "srv*https://symbols.example.com/files" };
  g_autoptr (NsSession) session = session_new ();
  NsSymbolJob *job;
  g_autoptr (GPtrArray) hosts = ns_symbol_job_list_hosts (settings.path);

  g_assert_cmpuint (hosts->len, ==, 1);
  g_assert_cmpstr (g_ptr_array_index (hosts, 0), ==, "symbols.example.com");
  ns_view_context_set_symbols (ns_session_get_trace (session)->view, &settings);
  job = ns_symbol_job_get_for_session (session);
  g_assert_false (ns_symbol_job_is_online (job));
  settings.servers = other;
  ns_view_context_set_symbols (ns_session_get_trace (session)->view, &settings);
  ns_symbol_job_configure (job);
  g_assert_false (ns_symbol_job_is_online (job));
  /* Only servers that the user agreed to are used; nothing is searched here. */
  settings.servers = agreed;
  ns_view_context_set_symbols (ns_session_get_trace (session)->view, &settings);
  ns_symbol_job_configure (job);
  g_assert_true (ns_symbol_job_is_online (job));
}

int
main (int argc, char *argv[])
{
  g_unsetenv ("_NT_SYMBOL_PATH");
  g_unsetenv ("_NT_ALT_SYMBOL_PATH");
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/symbol-job/a-frame-without-symbols-is-module-and-offset",
                   test_a_frame_without_symbols_is_module_and_offset);
  g_test_add_func ("/symbol-job/no-server-is-asked-without-consent",
                   test_no_server_is_asked_without_consent);
  return g_test_run ();
}
