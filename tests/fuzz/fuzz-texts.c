/* Fuzz target: small text formats: JSON, start times of findings, secret names, trace views,
 * presets, and capture kit output. The first byte selects the format.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-json-check.h"
#include "base/ns-json-doc.h"
#include "base/ns-secret-names.h"
#include "base/ns-secrets.h"
#include "engine/trace/ns-capture-kit.h"
#include "engine/trace/ns-thresholds.h"
#include "export/ns-netlog-headers.h"
#include "export/ns-view-file.h"
#include "fuzz/ns-fuzz.h"
#include "model/ns-preset.h"

#include <string.h>

static void
look_at (const NsJsonDoc *doc, guint token)
{
  g_autofree char *text = ns_json_doc_dup_string (doc, token);
  gint64 number;

  if (text != NULL && !g_utf8_validate (text, -1, NULL))
    ns_fuzz_fail ("a string that is no text");
  ns_json_doc_get_int (doc, token, &number);
  ns_json_doc_is_true (doc, token);
  ns_json_doc_get (doc, token, "a");
}

static void
read_json (const char *text, gsize size)
{
  static NsJsonDoc doc;
  g_autofree char *headers = NULL;
  gboolean is_response;
  guint token;
  guint i;

  if (!g_utf8_validate_len (text, size, NULL))
    return;
  ns_json_check (text, size);
  headers = ns_netlog_headers_dup (text, size, &is_response);
  if (!ns_json_doc_parse (&doc, text, size))
    return;
  if (doc.n_tokens == 0 || doc.n_tokens > NS_JSON_MAX_TOKENS)
    ns_fuzz_fail ("a document without tokens, or with too many");
  for (i = 0; i < doc.n_tokens; i++)
    look_at (&doc, i);
  for (token = ns_json_doc_first (&doc, 0), i = 0; token != NS_JSON_NONE && i < doc.n_tokens; i++)
    token = ns_json_doc_after (&doc, 0, token);
}

static void
read_thresholds (const char *text, gsize size)
{
  g_autoptr (NsThresholds) thresholds = ns_thresholds_new ();
  g_autoptr (GError) error = NULL;

  if (ns_thresholds_add (thresholds, "fuzz", text, size, &error) != (error == NULL))
    ns_fuzz_fail ("refused without a reason");
  if (error != NULL && !g_utf8_validate (error->message, -1, NULL))
    ns_fuzz_fail ("a reason that is no text");
}

static void
read_names (const char *text, gsize size)
{
  g_autoptr (NsSecrets) secrets = ns_secrets_new (FALSE);
  g_autoptr (GError) error = NULL;

  if (ns_secret_names_add (secrets, "fuzz", text, size, &error) != (error == NULL))
    ns_fuzz_fail ("refused without a reason");
  if (error != NULL && !g_utf8_validate (error->message, -1, NULL))
    ns_fuzz_fail ("a reason that is no text");
  ns_secret_names_look (secrets, text, size);
}

static void
read_view (const char *text, gsize size)
{
  g_autofree char *whole = g_strndup (text, size);
  g_autoptr (GVariant) view = NULL;

  if (!g_utf8_validate (whole, -1, NULL))
    return;
  view = ns_view_file_parse (whole);
  if (view != NULL && !g_variant_is_of_type (view, G_VARIANT_TYPE_VARDICT))
    ns_fuzz_fail ("a view that is none");
}

static void
read_preset (const char *text, gsize size)
{
  g_autofree char *whole = g_strndup (text, size);
  g_autoptr (GPtrArray) unknown = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GError) error = NULL;
  g_autoptr (NsPreset) preset = NULL;

  if (!g_utf8_validate (whole, -1, NULL))
    return;
  preset = ns_preset_parse (whole, unknown, &error);
  if ((preset == NULL) != (error != NULL))
    ns_fuzz_fail ("refused without a reason");
  if (preset != NULL)
    {
      g_autofree char *back = ns_preset_to_text (preset);

      if (!g_utf8_validate (back, -1, NULL))
        ns_fuzz_fail ("a preset that is no text");
    }
}

/* Reads the data as a manifest, and as process lists that begin after the first and the middle
 * line. */
static void
read_kit (const char *text, gsize size)
{
  const char *line = memchr (text, '\n', size);
  gsize begin = line != NULL ? (gsize) (line - text) + 1 : size;
  g_autoptr (GBytes) whole = g_bytes_new (text, size);
  g_autoptr (GBytes) start = g_bytes_new_from_bytes (whole, begin, size - begin);
  g_autoptr (GBytes) stop = g_bytes_new_from_bytes (whole, size / 2, size - size / 2);
  g_autoptr (NsCaptureKit) kit = ns_capture_kit_parse (whole, start, stop);
  const NsCaptureKitProcess *processes;
  const char *key;
  guint n;
  guint i;

  if (kit == NULL)
    return;
  for (i = 0; i < ns_capture_kit_get_n_facts (kit); i++)
    if (!g_utf8_validate (ns_capture_kit_get_fact (kit, i, &key), -1, NULL) ||
        !g_utf8_validate (key, -1, NULL))
      ns_fuzz_fail ("a fact that is no text");
  ns_capture_kit_get_events_lost (kit);
  processes = ns_capture_kit_get_processes (kit, &n);
  for (i = 0; i < n; i++)
    if (*processes[i].name == '\0' || !g_utf8_validate (processes[i].name, -1, NULL))
      ns_fuzz_fail ("a process without a name, or one that is no text");
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  static void (*const readers[]) (const char *text, gsize size) = { read_json,   read_thresholds,
                                                                    read_names,  read_view,
                                                                    read_preset, read_kit };

  if (size > 0)
    readers[data[0] % G_N_ELEMENTS (readers)]((const char *) data + 1, size - 1);
  return 0;
}
