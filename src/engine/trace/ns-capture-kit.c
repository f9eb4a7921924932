/* Files of the capture kit beside a trace: recording settings and lists of processes.
 *
 * `manifest.txt` has one `key: value` per line and begins with `netstitch-capture: 1`. The process
 * lists are comma separated: pid, name, start (ISO 8601). The files are untrusted: malformed
 * lines, and lines beyond the maximum numbers, are ignored.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-hash.h"
#include "base/ns-time.h"
#include "engine/trace/ns-capture-kit.h"

#include <string.h>

#define FIRST_KEY "netstitch-capture"
#define FIRST_VALUE "1"
/* Maximum numbers of facts and processes; Windows runs some tens of thousands of processes at
 * most. */
#define MAX_FACTS 64
#define MAX_PROCESSES 65536
#define MAX_VALUE_BYTES 1024

typedef struct
{
  char *key;
  char *value;
} Fact;

struct _NsCaptureKit
{
  GArray *facts;     /* Fact */
  GArray *processes; /* NsCaptureKitProcess */
  GStringChunk *names;
};

static void
fact_clear (gpointer data)
{
  Fact *self = data;

  g_free (self->key);
  g_free (self->value);
}

/* Returns the next line, without line end and blanks; %NULL after the last one. */
static char *
take_line (const char **text, const char *end)
{
  const char *begin = *text;
  const char *stop;

  if (begin == NULL || begin >= end)
    return NULL;
  stop = memchr (begin, '\n', (gsize) (end - begin));
  *text = stop != NULL ? stop + 1 : end;
  if (stop == NULL)
    stop = end;
  return g_strstrip (g_utf8_make_valid (begin, stop - begin));
}

static void
read_facts (NsCaptureKit *self, GBytes *bytes)
{
  gsize n_bytes;
  const char *text = g_bytes_get_data (bytes, &n_bytes);
  const char *end = text + n_bytes;
  char *line;

  while (self->facts->len < MAX_FACTS && (line = take_line (&text, end)) != NULL)
    {
      char *colon = strstr (line, ": ");
      Fact fact;

      if (colon != NULL && colon > line && strlen (line) <= MAX_VALUE_BYTES)
        {
          *colon = '\0';
          fact.key = g_strdup (line);
          fact.value = g_strstrip (g_strdup (colon + 2));
          g_array_append_val (self->facts, fact);
        }
      g_free (line);
    }
}

/* Skips the byte-order mark, which PowerShell writes. */
static const char *
skip_mark (const char *line)
{
  return g_str_has_prefix (line, "\xef\xbb\xbf") ? line + 3 : line;
}

static void
read_process (NsCaptureKit *self, const char *line, gboolean is_late, GHashTable *known)
{
  g_auto (GStrv) words = g_strsplit (skip_mark (line), ",", 3);
  NsCaptureKitProcess process = { .is_late = is_late };
  g_autofree char *key = NULL;
  guint64 pid;

  if (g_strv_length (words) != 3 || *words[1] == '\0' || strlen (line) > MAX_VALUE_BYTES ||
      !g_ascii_string_to_unsigned (words[0], 10, 0, G_MAXUINT32 - 1, &pid, NULL))
    return;
  if (!ns_time_filetime_from_iso (words[2], &process.start_filetime))
    process.start_filetime = 0;
  key = g_strdup_printf ("%" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT, pid, process.start_filetime);
  if (!g_hash_table_add (known, g_steal_pointer (&key)))
    return;
  process.pid = (guint32) pid;
  process.name = g_string_chunk_insert_const (self->names, words[1]);
  g_array_append_val (self->processes, process);
}

static void
read_processes (NsCaptureKit *self, GBytes *bytes, gboolean is_late, GHashTable *known)
{
  gsize n_bytes;
  const char *text = bytes != NULL ? g_bytes_get_data (bytes, &n_bytes) : NULL;
  const char *end = text != NULL ? text + n_bytes : NULL;
  char *line;

  while (self->processes->len < MAX_PROCESSES && (line = take_line (&text, end)) != NULL)
    {
      read_process (self, line, is_late, known);
      g_free (line);
    }
}

/**
 * ns_capture_kit_parse:
 * @manifest: contents of `manifest.txt`
 * @start: (nullable): contents of the process list taken when the recording was started
 * @stop: (nullable): contents of the process list taken when it was stopped
 *
 * Returns: (transfer full) (nullable): the parsed files; %NULL if the capture kit did not write
 * them
 */
NsCaptureKit *
ns_capture_kit_parse (GBytes *manifest, GBytes *start, GBytes *stop)
{
  g_autoptr (GHashTable) known = NULL;
  g_autoptr (NsCaptureKit) self = g_new0 (NsCaptureKit, 1);

  self->facts = g_array_new (FALSE, FALSE, sizeof (Fact));
  g_array_set_clear_func (self->facts, fact_clear);
  self->processes = g_array_new (FALSE, FALSE, sizeof (NsCaptureKitProcess));
  self->names = g_string_chunk_new (4096);
  read_facts (self, manifest);
  if (g_strcmp0 (ns_capture_kit_get (self, FIRST_KEY), FIRST_VALUE) != 0)
    return NULL;
  known = g_hash_table_new_full (ns_hash_text, g_str_equal, g_free, NULL);
  read_processes (self, start, FALSE, known);
  read_processes (self, stop, TRUE, known);
  return g_steal_pointer (&self);
}

/**
 * ns_capture_kit_new:
 * @file: a trace
 *
 * Returns: (transfer full) (nullable): the files of the capture kit beside the trace; %NULL if the
 *   kit did not record it
 */
NsCaptureKit *
ns_capture_kit_new (const NsEtlFile *file)
{
  GBytes *manifest = ns_etl_file_get_companion (file, NS_ETL_COMPANION_MANIFEST);

  if (manifest == NULL)
    return NULL;
  return ns_capture_kit_parse (manifest,
                               ns_etl_file_get_companion (file, NS_ETL_COMPANION_PROCESSES_START),
                               ns_etl_file_get_companion (file, NS_ETL_COMPANION_PROCESSES_STOP));
}

/**
 * ns_capture_kit_free: (skip)
 * @self: (transfer full) (nullable): files of a capture kit
 */
void
ns_capture_kit_free (NsCaptureKit *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->facts);
  g_array_unref (self->processes);
  g_string_chunk_free (self->names);
  g_free (self);
}

/**
 * ns_capture_kit_get:
 * @self: files of a capture kit
 * @key: a key of the manifest, such as `computer`
 *
 * Returns: (transfer none) (nullable): its value
 */
const char *
ns_capture_kit_get (const NsCaptureKit *self, const char *key)
{
  guint i;

  for (i = 0; i < self->facts->len; i++)
    if (strcmp (g_array_index (self->facts, Fact, i).key, key) == 0)
      return g_array_index (self->facts, Fact, i).value;
  return NULL;
}

/**
 * ns_capture_kit_get_n_facts:
 * @self: files of a capture kit
 *
 * Returns: number of lines in its manifest
 */
guint
ns_capture_kit_get_n_facts (const NsCaptureKit *self)
{
  return self->facts->len;
}

/**
 * ns_capture_kit_get_fact:
 * @self: files of a capture kit
 * @i: index of a line of the manifest, 0-based
 * @key: (out) (transfer none): its key
 *
 * Returns: (transfer none): its value
 */
const char *
ns_capture_kit_get_fact (const NsCaptureKit *self, guint i, const char **key)
{
  g_return_val_if_fail (i < self->facts->len, NULL);
  *key = g_array_index (self->facts, Fact, i).key;
  return g_array_index (self->facts, Fact, i).value;
}

/**
 * ns_capture_kit_get_events_lost:
 * @self: files of a capture kit
 *
 * Returns: number of events that Windows reported as lost while recording; 0 also if unknown
 */
guint64
ns_capture_kit_get_events_lost (const NsCaptureKit *self)
{
  const char *text = ns_capture_kit_get (self, "events-lost");
  guint64 n_lost;

  return text != NULL && g_ascii_string_to_unsigned (text, 10, 0, G_MAXUINT64, &n_lost, NULL)
             ? n_lost
             : 0;
}

/**
 * ns_capture_kit_get_processes:
 * @self: files of a capture kit
 * @n_processes: (out): number of processes
 *
 * Returns: (transfer none) (array length=n_processes): the processes of both lists, each once
 */
const NsCaptureKitProcess *
ns_capture_kit_get_processes (const NsCaptureKit *self, guint *n_processes)
{
  *n_processes = self->processes->len;
  return (const NsCaptureKitProcess *) (gpointer) self->processes->data;
}
