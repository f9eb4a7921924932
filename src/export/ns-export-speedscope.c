/* The chains of rows as a profile for speedscope.
 *
 * There are three profiles over the same samples: by number of requests, by time and by bytes. A
 * sample is a path of the call tree with the weight of the rows whose path ends there. The format
 * is speedscope's own.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "export/ns-export-speedscope.h"

#include "analysis/ns-call-tree.h"
#include "base/ns-json-writer.h"
#include "export/ns-export-flush.h"

#define CHUNK (64 * 1024)
#define SCHEMA "https://www.speedscope.app/file-format-schema.json"

typedef struct
{
  NsCallWeight weight;
  const char *name;
  const char *unit;
} Profile;

static const Profile profiles[] = {
  { NS_CALL_WEIGHT_COUNT, "requests", "none" },
  { NS_CALL_WEIGHT_DURATION, "time of requests", "nanoseconds" },
  { NS_CALL_WEIGHT_BYTES, "bytes", "bytes" },
};

typedef struct
{
  const NsCallTree *tree;
  NsJsonWriter json;
  NsExportWriteFunc write;
  gpointer write_data;
} Writer;

static gboolean
flush (Writer *self, gsize at_least, GError **error)
{
  return ns_export_flush (self->json.text, at_least, self->write, self->write_data, error);
}

static const NsCallNode *
node_at (const Writer *self, guint i)
{
  return &g_array_index (self->tree->nodes, NsCallNode, i);
}

/* Writes frames in order of first occurrence; the index of a name is its number. */
static gboolean
put_frames (Writer *self, guint32 *frame_of, GError **error)
{
  g_autofree guint32 *place = NULL;
  guint32 n_frames = 0;
  NsString most = 0;
  guint i;

  for (i = 0; i < self->tree->nodes->len; i++)
    most = MAX (most, node_at (self, i)->name);
  place = g_new0 (guint32, (gsize) most + 1);
  for (i = 0; i < self->tree->nodes->len; i++)
    {
      NsString name = node_at (self, i)->name;

      if (place[name] == 0)
        {
          place[name] = ++n_frames;
          ns_json_break_line (&self->json);
          ns_json_begin_object (&self->json, NULL);
          ns_json_add_string (&self->json, "name", ns_call_tree_get_name (self->tree, i));
          ns_json_end_object (&self->json);
        }
      frame_of[i] = place[name] - 1;
      if (!flush (self, CHUNK, error))
        return FALSE;
    }
  return TRUE;
}

/* Computes the weight of each node without its children. */
static gint64 *
own_weights (const Writer *self, NsCallWeight weight)
{
  gint64 *own = g_new0 (gint64, self->tree->nodes->len);
  guint i;

  for (i = 0; i < self->tree->nodes->len; i++)
    {
      const NsCallNode *node = node_at (self, i);
      gint64 total = (gint64) ns_call_sums_get_weight (&node->total, weight);

      own[i] += total;
      if (i > 0)
        own[node->parent] -= total;
    }
  return own;
}

static void
append_path (Writer *self, guint node, const guint32 *frame_of)
{
  g_autoptr (GArray) path = g_array_new (FALSE, FALSE, sizeof (guint));
  guint i;

  /* Skip the root, which is not a frame. */
  for (; node != 0; node = node_at (self, node)->parent)
    g_array_append_val (path, node);
  ns_json_break_line (&self->json);
  ns_json_begin_array (&self->json, NULL);
  for (i = path->len; i > 0; i--)
    ns_json_add_number (&self->json, NULL, "%u", frame_of[g_array_index (path, guint, i - 1)]);
  ns_json_end_array (&self->json);
}

static gboolean
put_profile (Writer *self, const Profile *profile, const guint32 *frame_of, GError **error)
{
  g_autofree gint64 *own = own_weights (self, profile->weight);
  guint64 total = ns_call_sums_get_weight (&node_at (self, 0)->total, profile->weight);
  NsJsonWriter *json = &self->json;
  guint i;

  ns_json_break_line (json);
  ns_json_begin_object (json, NULL);
  ns_json_add_string (json, "type", "sampled");
  ns_json_add_string (json, "name", profile->name);
  ns_json_add_string (json, "unit", profile->unit);
  ns_json_add_number (json, "startValue", "0");
  ns_json_add_number (json, "endValue", "%" G_GUINT64_FORMAT, total);
  ns_json_begin_array (json, "samples");
  for (i = 1; i < self->tree->nodes->len; i++)
    if (own[i] > 0)
      {
        append_path (self, i, frame_of);
        if (!flush (self, CHUNK, error))
          return FALSE;
      }
  ns_json_end_array (json);
  ns_json_begin_array (json, "weights");
  for (i = 1; i < self->tree->nodes->len; i++)
    if (own[i] > 0)
      ns_json_add_number (json, NULL, "%" G_GINT64_FORMAT, own[i]);
  ns_json_end_array (json);
  ns_json_end_object (json);
  return flush (self, CHUNK, error);
}

/**
 * ns_export_speedscope:
 * @trace: a trace
 * @rows: (array length=n_rows): rows of the master table, 0-based
 * @n_rows: number of rows
 * @write: receives the output
 * @write_data: for @write
 * @error: error of @write
 *
 * Writes the full chains of rows, across threads.
 *
 * Returns: %FALSE if @write failed
 */
gboolean
ns_export_speedscope (const NsTrace *trace,
                      const guint32 *rows,
                      gsize n_rows,
                      NsExportWriteFunc write,
                      gpointer write_data,
                      GError **error)
{
  NsCallTreeOptions options = { NS_CALL_STACK_FULL, NS_CALL_WEIGHT_COUNT };
  g_autoptr (NsCallTree) tree = ns_call_tree_new (trace, rows, n_rows, &options, NULL, NULL);
  g_autoptr (GString) text = g_string_new (NULL);
  Writer self = { tree, { .text = text }, write, write_data };
  g_autofree guint32 *frame_of = g_new0 (guint32, tree->nodes->len);
  NsJsonWriter *json = &self.json;
  guint i;

  ns_json_begin_object (json, NULL);
  ns_json_add_string (json, "$schema", SCHEMA);
  ns_json_add_string (json, "exporter", "Netstitch " NS_VERSION);
  ns_json_begin_object (json, "shared");
  ns_json_begin_array (json, "frames");
  if (!put_frames (&self, frame_of, error))
    return FALSE;
  ns_json_end_array (json);
  ns_json_end_object (json);
  ns_json_begin_array (json, "profiles");
  for (i = 0; i < G_N_ELEMENTS (profiles); i++)
    if (!put_profile (&self, &profiles[i], frame_of, error))
      return FALSE;
  ns_json_end_array (json);
  ns_json_add_number (json, "activeProfileIndex", "0");
  ns_json_end_object (json);
  g_string_append_c (text, '\n');
  return flush (&self, 0, error);
}
