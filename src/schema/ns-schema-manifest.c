/* Reads instrumentation manifests: providers and their events. Each name and text is stored once,
 * so that the memory does not grow with the number of references to it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "schema/ns-schema-manifest.h"

#include "base/ns-hash.h"
#include "base/ns-small-file.h"
#include "schema/ns-schema-manifest-fields.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>

#define MAX_FILES 4096
/* Maximum size of a name that others refer to, in bytes; longer names are ignored. */
#define MAX_NAME_BYTES 1024

typedef struct
{
  const NsSchemaField *fields;
  guint n_fields;
  guint n_top;
} Template;

/* A provider whose events are being read. */
typedef struct
{
  NsSchemaManifestScope scope;
  NsSchemaSource source;
  NsSchemaManifestFunc func;
  gpointer user_data;
  NsGuid guid;
  const char *name;
  GHashTable
      *labels; /* "task:NAME", "opcode:NAME", "opcode:TASK:NAME", … → text, owned by the pool */
  GHashTable *templates; /* tid → Template */
  guint n_events;
} Provider;

static const NsSchemaXmlNode *
find_child (const NsSchemaXmlNode *node, const char *name)
{
  const NsSchemaXmlNode *child;

  for (child = node != NULL ? node->first : NULL; child != NULL; child = child->next)
    if (ns_schema_xml_is (child, name))
      return child;
  return NULL;
}

/* Reads the string table: ID → text; (transfer full). */
static GHashTable *
read_strings (NsSchemaPool *pool, const NsSchemaXmlNode *root)
{
  GHashTable *strings = g_hash_table_new (ns_hash_text, g_str_equal);
  const NsSchemaXmlNode *table =
      find_child (find_child (find_child (root, "localization"), "resources"), "stringTable");
  const NsSchemaXmlNode *child;

  for (child = table != NULL ? table->first : NULL; child != NULL; child = child->next)
    if (ns_schema_xml_is (child, "string"))
      {
        const char *id = ns_schema_xml_get (child, "id");
        const char *value = ns_schema_xml_get (child, "value");

        if (id != NULL && value != NULL)
          g_hash_table_replace (strings,
                                (gpointer) id,
                                (gpointer) ns_schema_manifest_label (pool, value));
      }
  return strings;
}

/* Returns the name of an element, unless it is too long. */
static const char *
get_name (const NsSchemaXmlNode *node, const char *attribute)
{
  const char *name = ns_schema_xml_get (node, attribute);

  return name != NULL && strlen (name) <= MAX_NAME_BYTES ? name : NULL;
}

/* Adds the display text of a task, an opcode etc.: its message, as Windows displays it, else its
 * name. */
static void
add_label (Provider *self, const NsSchemaXmlNode *node, const char *kind, const char *task)
{
  const char *name = get_name (node, "name");
  const char *text = ns_schema_manifest_text (&self->scope, ns_schema_xml_get (node, "message"));

  if (name == NULL)
    return;
  if (text == NULL)
    text = ns_schema_manifest_label (self->scope.pool, name);
  g_hash_table_replace (self->labels,
                        task != NULL ? g_strconcat (kind, ":", task, ":", name, NULL)
                                     : g_strconcat (kind, ":", name, NULL),
                        (gpointer) text);
}

static void
read_labels (Provider *self, const NsSchemaXmlNode *list, const char *kind, const char *task)
{
  const NsSchemaXmlNode *child;

  for (child = list->first; child != NULL; child = child->next)
    if (ns_schema_xml_is (child, kind))
      {
        const char *name = get_name (child, "name");
        const NsSchemaXmlNode *opcodes = task == NULL ? find_child (child, "opcodes") : NULL;

        add_label (self, child, kind, task);
        if (opcodes != NULL && name != NULL && strcmp (kind, "task") == 0)
          read_labels (self, opcodes, "opcode", name);
      }
}

static void
read_templates (Provider *self, const NsSchemaXmlNode *list)
{
  const NsSchemaXmlNode *child;

  for (child = list->first; child != NULL; child = child->next)
    {
      const char *id;
      Template *template;

      if (!ns_schema_xml_is (child, "template"))
        continue;
      id = ns_schema_xml_get (child, "tid");
      if (id == NULL)
        continue;
      template = ns_arena_alloc (self->scope.pool->arena, sizeof *template);
      template->fields = ns_schema_manifest_read_template (&self->scope,
                                                           child,
                                                           &template->n_fields,
                                                           &template->n_top);
      g_hash_table_replace (self->templates, (gpointer) id, template);
    }
}

/* Returns the display text for a name; names of the system (`win:Start`) are displayed without
 * their prefix. */
static const char *
find_label (Provider *self, const NsSchemaXmlNode *event, const char *kind, const char *task)
{
  const char *name = get_name (event, kind);
  g_autofree char *key = NULL;
  g_autofree char *nested = NULL;
  const char *text = NULL;

  if (name == NULL)
    return NULL;
  key = g_strconcat (kind, ":", name, NULL);
  if (task != NULL)
    {
      nested = g_strconcat (kind, ":", task, ":", name, NULL);
      text = g_hash_table_lookup (self->labels, nested);
    }
  if (text == NULL)
    text = g_hash_table_lookup (self->labels, key);
  if (text == NULL)
    {
      const char *shown = g_str_has_prefix (name, "win:") ? name + 4 : name;

      text = ns_schema_manifest_label (self->scope.pool, shown);
    }
  return text;
}

static const char *
read_keywords (Provider *self, const NsSchemaXmlNode *event)
{
  g_autofree char *text = g_strdup (ns_schema_xml_get (event, "keywords"));

  if (text == NULL)
    return NULL;
  return ns_schema_manifest_label (self->scope.pool, g_strdelimit (text, " ", '|'));
}

static void
read_event (Provider *self, const NsSchemaXmlNode *node)
{
  const char *template_id = ns_schema_xml_get (node, "template");
  const char *name = ns_schema_xml_get (node, "name");
  const char *task = get_name (node, "task");
  const Template *template =
      template_id != NULL ? g_hash_table_lookup (self->templates, template_id) : NULL;
  NsSchema *schema;
  guint64 version;
  guint64 id;

  if (!ns_schema_manifest_get_uint (node, "value", G_MAXUINT16, &id))
    return;
  ns_schema_manifest_get_uint (node, "version", G_MAXUINT8, &version);

  schema = ns_schema_pool_new_schema (self->scope.pool, self->source, NULL, 0);
  if (template != NULL)
    {
      schema->fields = template->fields;
      schema->n_fields = template->n_fields;
      schema->n_top = template->n_top;
    }
  schema->provider_name = self->name;
  if (name != NULL)
    schema->event_name = ns_schema_manifest_label (self->scope.pool, name);
  schema->task_name = find_label (self, node, "task", NULL);
  schema->opcode_name = find_label (self, node, "opcode", task);
  schema->level_name = find_label (self, node, "level", NULL);
  schema->channel_name = find_label (self, node, "channel", NULL);
  schema->keyword_names = read_keywords (self, node);
  self->func (&self->guid, (guint16) id, (guint8) version, schema, self->user_data);
  self->n_events++;
}

static void
read_provider (Provider *self, const NsSchemaXmlNode *node)
{
  static const char *const lists[][2] = { { "levels", "level" },
                                          { "tasks", "task" },
                                          { "opcodes", "opcode" },
                                          { "channels", "channel" } };
  const char *guid = ns_schema_xml_get (node, "guid");
  const char *name = ns_schema_xml_get (node, "name");
  const NsSchemaXmlNode *child;
  guint i;

  if (guid == NULL || !ns_guid_from_text (&self->guid, guid))
    return;
  self->name = name != NULL ? ns_schema_manifest_label (self->scope.pool, name) : NULL;
  for (i = 0; i < G_N_ELEMENTS (lists); i++)
    if ((child = find_child (node, lists[i][0])) != NULL)
      read_labels (self, child, lists[i][1], NULL);
  if ((child = find_child (node, "maps")) != NULL)
    ns_schema_manifest_read_maps (&self->scope, child);
  if ((child = find_child (node, "templates")) != NULL)
    read_templates (self, child);
  child = find_child (node, "events");
  for (child = child != NULL ? child->first : NULL; child != NULL; child = child->next)
    if (ns_schema_xml_is (child, "event") && !ns_schema_pool_is_full (self->scope.pool))
      read_event (self, child);
}

static void
provider_clear (Provider *self)
{
  g_hash_table_unref (self->labels);
  g_hash_table_unref (self->templates);
  g_hash_table_unref (self->scope.maps);
}

static void
provider_init (Provider *self, NsSchemaPool *pool, GHashTable *strings, NsSchemaSource source)
{
  memset (self, 0, sizeof *self);
  self->scope.pool = pool;
  self->scope.strings = strings;
  self->scope.maps = g_hash_table_new (ns_hash_text, g_str_equal);
  self->source = source;
  self->labels = g_hash_table_new_full (ns_hash_text, g_str_equal, g_free, NULL);
  self->templates = g_hash_table_new (ns_hash_text, g_str_equal);
}

/* Finds the `events` element, which manifests of event sources have at another place than those
 * of Windows. */
static const NsSchemaXmlNode *
find_events (const NsSchemaXmlNode *root)
{
  const NsSchemaXmlNode *instrumentation = find_child (root, "instrumentation");

  return find_child (instrumentation != NULL ? instrumentation : root, "events");
}

/**
 * ns_schema_manifest_parse:
 * @pool: owns the layouts
 * @xml: (array length=n_bytes): the manifest
 * @n_bytes: its size in bytes
 * @source: where it comes from
 * @func: (scope call): called for every event
 * @user_data: for @func
 * @error: %NS_TRACE_ERROR_OPEN: it is invalid; %NS_TRACE_ERROR_LIMIT: it exceeds a limit and is not
 *   read
 *
 * Returns: %TRUE if the manifest describes at least one event, else %FALSE with @error set
 */
gboolean
ns_schema_manifest_parse (NsSchemaPool *pool,
                          const char *xml,
                          gsize n_bytes,
                          NsSchemaSource source,
                          NsSchemaManifestFunc func,
                          gpointer user_data,
                          GError **error)
{
  g_autoptr (NsSchemaXml) document = ns_schema_xml_new (xml, n_bytes, error);
  g_autoptr (GHashTable) strings = NULL;
  const NsSchemaXmlNode *node;
  guint n_events = 0;

  if (document == NULL)
    return FALSE;
  strings = read_strings (pool, ns_schema_xml_get_root (document));
  node = find_events (ns_schema_xml_get_root (document));
  for (node = node != NULL ? node->first : NULL; node != NULL; node = node->next)
    if (ns_schema_xml_is (node, "provider"))
      {
        Provider provider;

        provider_init (&provider, pool, strings, source);
        provider.func = func;
        provider.user_data = user_data;
        read_provider (&provider, node);
        n_events += provider.n_events;
        provider_clear (&provider);
      }
  if (n_events == 0)
    g_set_error_literal (error,
                         NS_TRACE_ERROR,
                         NS_TRACE_ERROR_OPEN,
                         _ ("not a readable instrumentation manifest"));
  return n_events > 0;
}

static gboolean
has_suffix (const char *name, const char *suffix)
{
  gsize n = strlen (name);

  return n >= strlen (suffix) && g_ascii_strcasecmp (name + n - strlen (suffix), suffix) == 0;
}

static gboolean
is_manifest_name (const char *name)
{
  return has_suffix (name, ".man") || has_suffix (name, ".xml") || has_suffix (name, ".mof");
}

static gboolean
fail (const char *path, const char *why, GError **error)
{
  g_set_error (error, NS_TRACE_ERROR, NS_TRACE_ERROR_OPEN, "%s: %s", path, why);
  return FALSE;
}

static char *
read_text (const char *path, gsize *n_bytes, GError **error)
{
  GStatBuf info;

  if (g_stat (path, &info) != 0)
    fail (path, g_strerror (errno), error);
  else if (!S_ISREG (info.st_mode))
    fail (path, _ ("this is not a file but a pipe or a device"), error);
  else if (info.st_size > NS_SCHEMA_XML_MAX_BYTES)
    fail (path, _ ("the file is too large for a description of events"), error);
  else
    {
      g_autoptr (GError) problem = NULL;
      char *text = ns_small_file_read (path, NS_SCHEMA_XML_MAX_BYTES, n_bytes, &problem);

      if (text == NULL)
        g_set_error_literal (error, NS_TRACE_ERROR, NS_TRACE_ERROR_OPEN, problem->message);
      return text;
    }
  return NULL;
}

static gboolean
load_file (NsSchemaPool *pool,
           const char *path,
           NsSchemaManifestFunc func,
           NsSchemaMofFunc mof_func,
           gpointer user_data,
           GError **error)
{
  gsize n_bytes;
  g_autofree char *text = read_text (path, &n_bytes, error);

  if (text == NULL)
    return FALSE;
  if (has_suffix (path, ".mof")
          ? ns_schema_mof_parse (pool, text, n_bytes, mof_func, user_data, error)
          : ns_schema_manifest_parse (pool, text, n_bytes, NS_SCHEMA_USER, func, user_data, error))
    return TRUE;
  g_prefix_error (error, "%s: ", path);
  return FALSE;
}

static int
compare_paths (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* Returns the manifests in a folder: (transfer full). They are sorted by name, so that the
 * result does not depend on the order of the folder. */
static GPtrArray *
list_manifests (const char *path)
{
  GPtrArray *files = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;

  while (dir != NULL && files->len < MAX_FILES && (name = g_dir_read_name (dir)) != NULL)
    if (is_manifest_name (name))
      g_ptr_array_add (files, g_build_filename (path, name, NULL));
  g_ptr_array_sort (files, compare_paths);
  return files;
}

/**
 * ns_schema_manifest_load:
 * @pool: owns the layouts
 * @path: a manifest, or a folder of `.man`, `.xml` and `.mof` files
 * @func: (scope call): called for every event of a manifest
 * @mof_func: (scope call): called for every event of a `.mof` file
 * @user_data: for @func and @mof_func
 * @n_rejected: (inout): incremented for every invalid file
 * @error: return location
 *
 * Returns: %TRUE if at least one event is described, else %FALSE with @error set
 */
gboolean
ns_schema_manifest_load (NsSchemaPool *pool,
                         const char *path,
                         NsSchemaManifestFunc func,
                         NsSchemaMofFunc mof_func,
                         gpointer user_data,
                         guint64 *n_rejected,
                         GError **error)
{
  g_autoptr (GPtrArray) files = NULL;
  g_autoptr (GError) wrong = NULL;
  guint n_good = 0;
  guint i;

  if (g_file_test (path, G_FILE_TEST_IS_DIR))
    {
      files = list_manifests (path);
    }
  else
    {
      files = g_ptr_array_new_with_free_func (g_free);
      g_ptr_array_add (files, g_strdup (path));
    }
  for (i = 0; i < files->len; i++)
    {
      const char *file = g_ptr_array_index (files, i);

      if (load_file (pool, file, func, mof_func, user_data, wrong == NULL ? &wrong : NULL))
        n_good++;
      else
        (*n_rejected)++;
    }
  if (n_good > 0)
    return TRUE;
  if (wrong != NULL)
    g_propagate_error (error, g_steal_pointer (&wrong));
  else
    fail (path, _ ("not a readable instrumentation manifest"), error);
  return FALSE;
}
