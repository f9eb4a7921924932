/* Tests that a manifest in one file of a case decodes events of the other files.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "etl/ns-etl-writer.h"

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <string.h>

#define PROVIDER "0a1b2c3d-0001-0002-0304-05060708090c"
#define BUILD 19045
/* Event ID that carries the manifest of a self-describing provider. */
#define MANIFEST_EVENT 0xfffe
#define BASE_RAW 1000000

static const char manifest[] =
    "<instrumentationManifest xmlns='http://schemas.microsoft.com/win/2004/08/events'>"
    "<instrumentation><events>"
    "<provider name='Weather' guid='{" PROVIDER "}' symbol='W'>"
    "<templates><template tid='t'><data name='state' inType='win:UInt32'/></template></templates>"
    "<events><event value='7' version='0' template='t' task='Rain'/></events>"
    "<tasks><task name='Rain' value='3'/></tasks>"
    "</provider></events></instrumentation></instrumentationManifest>";

typedef struct
{
  char *folder;
  char *told;  /* a file that contains the manifest */
  char *bare;  /* another session, without the manifest */
  char *other; /* also without, from another Windows build */
} Fixture;

static void
add_event (NsEtlWriter *writer, guint64 after, guint16 id, const void *data, gsize n_bytes)
{
  g_autoptr (GByteArray) payload = g_byte_array_new ();
  NsEtlWriterEvent event = { .raw = BASE_RAW + after,
                             .id = id,
                             .pid = 8,
                             .tid = 12,
                             .payload = payload };

  ns_guid_from_text (&event.guid, PROVIDER);
  event.task = id == MANIFEST_EVENT ? MANIFEST_EVENT : 3;
  g_byte_array_append (payload, data, (guint) n_bytes);
  g_assert_true (ns_etl_writer_add_event (writer, &event));
}

static char *
write_trace (const Fixture *fixture, const char *session, guint32 build, gboolean has_manifest)
{
  NsEtlWriterOptions options = { .base_raw = BASE_RAW, .session = session, .os_build = build };
  g_autoptr (NsEtlWriter) writer = ns_etl_writer_new (&options);
  g_autofree char *name = g_strconcat (session, ".etl", NULL);
  char *path = g_build_filename (fixture->folder, name, NULL);
  guint32 state = GUINT32_TO_LE (build);

  if (has_manifest)
    {
      static const guint8 head[] = { 1, 1, 0, 0x5b, 1, 0, 0, 0 };
      g_autoptr (GByteArray) sent = g_byte_array_new ();

      g_byte_array_append (sent, head, sizeof head);
      g_byte_array_append (sent, (const guint8 *) manifest, (guint) strlen (manifest));
      add_event (writer, 20000, MANIFEST_EVENT, sent->data, sent->len);
    }
  else
    add_event (writer, 10000, 7, &state, sizeof state);
  g_assert_true (ns_etl_writer_finish_to_file (writer, path, NULL));
  return path;
}

static void
set_up (Fixture *fixture, gconstpointer user_data)
{
  fixture->folder = g_dir_make_tmp ("netstitch-sent-XXXXXX", NULL);
  fixture->told = write_trace (fixture, "told", BUILD, TRUE);
  fixture->bare = write_trace (fixture, "bare", BUILD, FALSE);
  fixture->other = write_trace (fixture, "other", BUILD + 1, FALSE);
}

static void
tear_down (Fixture *fixture, gconstpointer user_data)
{
  char *paths[] = { fixture->told, fixture->bare, fixture->other };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (paths); i++)
    {
      g_unlink (paths[i]);
      g_free (paths[i]);
    }
  g_rmdir (fixture->folder);
  g_free (fixture->folder);
}

/* Runs `events` and returns the line of the event with ID 7. */
static char *
print (const char *first, const char *second)
{
  g_autoptr (GSubprocess) process = NULL;
  char *output = NULL;

  process = g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_SILENCE,
                              NULL,
                              g_getenv ("NETSTITCH_CLI"),
                              "events",
                              "--filter",
                              "id == 7",
                              "--format",
                              "jsonl",
                              "--columns",
                              "provider_name,fields,schema,input",
                              "--payload",
                              first,
                              second,
                              NULL);
  g_assert_true (g_subprocess_communicate_utf8 (process, NULL, NULL, &output, NULL, NULL));
  g_assert_cmpint (g_subprocess_get_exit_status (process), ==, 0);
  return output;
}

/* The result does not depend on the order of the files, or on when the manifest was logged. */
static void
test_one_file_describes_another (Fixture *fixture, gconstpointer user_data)
{
  static const char wanted[] = "{\"provider_name\":\"Weather\",\"fields\":{\"state\":19045},"
                               "\"schema\":\"embedded\",\"input\":\"bare.etl\"}\n";
  g_autofree char *alone = print (fixture->bare, NULL);
  g_autofree char *after = print (fixture->told, fixture->bare);
  g_autofree char *before = print (fixture->bare, fixture->told);

  g_assert_nonnull (strstr (alone, "\"schema\":\"none\""));
  g_assert_cmpstr (after, ==, wanted);
  g_assert_cmpstr (before, ==, wanted);
}

/* Another build may use the same IDs for other events. */
static void
test_another_build_is_not_described (Fixture *fixture, gconstpointer user_data)
{
  g_autofree char *text = print (fixture->other, fixture->told);

  g_assert_nonnull (strstr (text, "\"schema\":\"none\""));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/cli-sent/another-file",
              Fixture,
              NULL,
              set_up,
              test_one_file_describes_another,
              tear_down);
  g_test_add ("/cli-sent/another-build",
              Fixture,
              NULL,
              set_up,
              test_another_build_is_not_described,
              tear_down);
  return g_test_run ();
}
