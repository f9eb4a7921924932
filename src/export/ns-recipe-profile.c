/* A profile for Windows Performance Recorder.
 *
 * Its elements are in the order that WPR requires: collectors, providers, the profile in both
 * logging modes, and the data that is added when the trace is merged.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/catalog/ns-catalog.h"
#include "export/ns-recipe-table.h"

#define BUFFER_KB 1024
#define IDS_A_LINE 12

/* Number of 1 MB buffers, for the kernel and for providers. */
static const struct
{
  guint kernel;
  guint events;
} n_buffers[NS_RECIPE_N_DETAILS] = {
  [NS_RECIPE_DEFAULT] = { 64, 128 },
  [NS_RECIPE_LIGHT] = { 32, 64 },
  [NS_RECIPE_VERBOSE] = { 64, 256 },
};

typedef struct
{
  const NsRecipeOptions *options;
  gboolean is_classic;
  GString *text;
  GString *ids; /* provider IDs that the profile refers to */
  const char *name;
  gboolean has_kernel;
} Writer;

/* Layers whose work is queued on the Windows thread pool. */
#define POOL_LAYERS                                                                                \
  (NS_RECIPE_LAYER (NS_RECIPE_HTTP) | NS_RECIPE_LAYER (NS_RECIPE_SOCKETS) |                        \
   NS_RECIPE_LAYER (NS_RECIPE_NAMES) | NS_RECIPE_LAYER (NS_RECIPE_LDAP) |                          \
   NS_RECIPE_LAYER (NS_RECIPE_BROWSERS) | NS_RECIPE_LAYER (NS_RECIPE_OFFICE))

static void
append_list (GString *text, const char *list, const char *const *items)
{
  g_string_append_printf (text, "      <%s>\n", list);
  for (; *items != NULL; items += 2)
    g_string_append_printf (text, "        <%s Value=\"%s\"/>\n", items[0], items[1]);
  g_string_append_printf (text, "      </%s>\n", list);
}

static void
append_keywords (GString *text, const char *element, guint64 keywords)
{
  if (keywords != 0)
    g_string_append_printf (text,
                            "      <%s><Keyword Value=\"0x%" G_GINT64_MODIFIER "x\"/></%s>\n",
                            element,
                            keywords,
                            element);
}

static void
append_ids (GString *text, const char *element, gboolean is_in, const GArray *ids)
{
  guint i;

  if (ids->len == 0)
    return;
  g_string_append_printf (text, "      <%s FilterIn=\"%s\">", element, is_in ? "true" : "false");
  for (i = 0; i < ids->len; i++)
    g_string_append_printf (text,
                            "%s<EventId Value=\"%u\"/>",
                            i % IDS_A_LINE == 0 ? "\n        " : "",
                            g_array_index (ids, guint16, i));
  g_string_append_printf (text, "\n      </%s>\n", element);
}

/* Begins a provider element; @level may be %NS_RECIPE_NO_LEVEL. */
static void
begin_provider (Writer *self,
                const char *id,
                const char *comment,
                const char *guid,
                guint level,
                gboolean is_nonpaged,
                gboolean has_stack)
{
  if (comment != NULL)
    g_string_append_printf (self->text, "    <!-- %s -->\n", comment);
  g_string_append_printf (self->text, "    <EventProvider Id=\"%s\" Name=\"%s\"", id, guid);
  if (level != NS_RECIPE_NO_LEVEL)
    g_string_append_printf (self->text, " Level=\"%u\"", level);
  if (is_nonpaged)
    g_string_append (self->text, " NonPagedMemory=\"true\"");
  if (has_stack)
    g_string_append (self->text, " Stack=\"true\"");
  g_string_append (self->text, ">\n");
  g_string_append_printf (self->ids, "            <EventProviderId Value=\"%s\"/>\n", id);
}

static void
end_provider (Writer *self)
{
  g_string_append (self->text, "    </EventProvider>\n");
}

/* Writes a provider without event filters; keywords and level restrict the events instead. */
static void
append_classic_row (Writer *self,
                    const NsRecipeRow *row,
                    const char *comment,
                    const char *id,
                    const char *guid)
{
  begin_provider (self, id, comment, guid, row->plain_level, row->is_nonpaged, FALSE);
  append_keywords (self->text, "Keywords", row->light != 0 ? row->light : row->plain_keywords);
  append_keywords (self->text, "CaptureStateOnStart", row->on_start);
  append_keywords (self->text, "CaptureStateOnSave", row->on_save);
  end_provider (self);
}

static void
append_row (Writer *self, const NsRecipeRow *row)
{
  g_autofree char *comment = g_strdup_printf ("%s: %s; %s", row->name, row->reads, row->since);
  g_autofree char *id =
      g_strdup_printf ("EP_%s_%s", ns_export_recipe_get_layer_name (row->layer), row->id);
  g_autoptr (GArray) ids = ns_recipe_row_list_ids (row, self->options);
  g_autoptr (GArray) refused = ns_recipe_row_list_refused (row, self->options);
  g_autoptr (GArray) stacks = ns_recipe_row_list_stacks (row, self->options);
  char guid[NS_GUID_TEXT_SIZE];

  ns_guid_to_text (&row->guid, guid);
  if (self->is_classic)
    {
      append_classic_row (self, row, comment, id, guid);
      return;
    }
  begin_provider (self,
                  id,
                  comment,
                  guid,
                  ns_recipe_row_get_level (row, self->options),
                  row->is_nonpaged,
                  stacks->len > 0);
  append_keywords (self->text, "Keywords", ns_recipe_row_get_keywords (row, self->options));
  append_keywords (self->text, "CaptureStateOnStart", row->on_start);
  append_keywords (self->text, "CaptureStateOnSave", row->on_save);
  if (ids->len > 0)
    append_ids (self->text, "EventFilters", TRUE, ids);
  else
    append_ids (self->text, "EventFilters", FALSE, refused);
  append_ids (self->text, "StackFilters", TRUE, stacks);
  end_provider (self);
}

/* Writes the thread pool events, which all chains across threads need; they have no keywords. */
static void
append_pool (Writer *self)
{
  static const char *const stacks[] = { "Stack",       "ThreadPoolCallbackEnqueue",
                                        "CustomStack", "0x1C2A", /* timer set */
                                        "CustomStack", "0x1C2C", /* timer cancelled */
                                        NULL };
  char guid[NS_GUID_TEXT_SIZE];

  ns_guid_to_text (ns_catalog_get_guid (NS_PROVIDER_THREAD_POOL), guid);
  begin_provider (self,
                  "EP_system_thread-pool",
                  "Thread pool of Windows",
                  guid,
                  NS_RECIPE_NO_LEVEL,
                  FALSE,
                  FALSE);
  append_list (self->text, "Stacks", stacks);
  end_provider (self);
}

/* Writes events of modules loaded during the recording. */
static void
append_image_loads (Writer *self)
{
  char guid[NS_GUID_TEXT_SIZE];

  ns_guid_to_text (ns_catalog_get_guid (NS_PROVIDER_IMAGE), guid);
  begin_provider (self,
                  "EP_system_image-load",
                  "Loads of modules",
                  guid,
                  NS_RECIPE_NO_LEVEL,
                  FALSE,
                  FALSE);
  append_keywords (self->text, "Keywords", 0x10);
  end_provider (self);
}

/* Writes providers of method names, for JIT-compiled code, which has no module. */
static void
append_compilers (Writer *self)
{
  char guid[NS_GUID_TEXT_SIZE];

  if (self->options->has_clr)
    {
      begin_provider (self, "EP_clr_runtime", ".NET", "DotNetProvider", 5, TRUE, FALSE);
      append_keywords (self->text, "Keywords", 0x20098);
      append_keywords (self->text, "CaptureStateOnSave", 0x20118);
      end_provider (self);
    }
  if (self->options->has_js)
    {
      ns_guid_to_text (ns_catalog_get_guid (NS_PROVIDER_JSCRIPT), guid);
      begin_provider (self, "EP_js_runtime", "Microsoft-JScript", guid, 5, FALSE, FALSE);
      append_keywords (self->text, "Keywords", 0x1);
      append_keywords (self->text, "CaptureStateOnStart", 0x2);
      append_keywords (self->text, "CaptureStateOnSave", 0x4);
      end_provider (self);
    }
}

/* Writes providers named by the user, with all events, as their IDs are unknown. */
static void
append_more (Writer *self, const GArray *more)
{
  guint i;

  for (i = 0; more != NULL && i < more->len; i++)
    {
      const NsRecipeProvider *provider = &g_array_index (more, NsRecipeProvider, i);
      g_autofree char *name = g_markup_escape_text (provider->name, -1);
      g_autofree char *id = g_strdup_printf ("EP_more_%u", i + 1);

      begin_provider (self,
                      id,
                      NULL,
                      name,
                      provider->level,
                      FALSE,
                      self->options->has_stacks && !self->is_classic);
      append_keywords (self->text, "Keywords", provider->keywords);
      end_provider (self);
    }
}

static void
append_providers (Writer *self, const GArray *more)
{
  guint n_rows;
  const NsRecipeRow *rows = ns_recipe_table_get_rows (&n_rows);
  guint i;

  for (i = 0; i < n_rows; i++)
    if (ns_recipe_row_is_recorded (&rows[i], self->options))
      append_row (self, &rows[i]);
  if (self->options->has_content && !self->is_classic &&
      (self->options->layers & NS_RECIPE_LAYER (NS_RECIPE_HTTP)) != 0)
    {
      char guid[NS_GUID_TEXT_SIZE];

      ns_guid_to_text (ns_catalog_get_guid (NS_PROVIDER_WININET_CAPTURE), guid);
      begin_provider (self,
                      "EP_http_wininet-capture",
                      "Microsoft-Windows-WinINet-Capture",
                      guid,
                      5,
                      FALSE,
                      FALSE);
      end_provider (self);
    }
  append_compilers (self);
  append_more (self, more);
  if (self->ids->len == 0)
    return;
  if (self->options->has_stacks && !self->is_classic && (self->options->layers & POOL_LAYERS) != 0)
    append_pool (self);
  if (!self->is_classic)
    append_image_loads (self);
}

/* Writes events of processes, threads and modules, which names in rows and stacks depend on. */
static void
append_system (Writer *self)
{
  static const char *const keywords[] = { "Keyword", "ProcessThread", "Keyword", "Loader", NULL };
  static const char *const stacks[] = { "Stack", "ThreadCreate", NULL };
  static const char *const all_keywords[] = { "Keyword", "ProcessThread",  "Keyword", "Loader",
                                              "Keyword", "CSwitch",        "Keyword", "ReadyThread",
                                              "Keyword", "SampledProfile", NULL };
  static const char *const all_stacks[] = { "Stack",   "ThreadCreate",   "Stack",
                                            "CSwitch", "Stack",          "ReadyThread",
                                            "Stack",   "SampledProfile", NULL };
  gboolean is_all = (self->options->layers & NS_RECIPE_LAYER (NS_RECIPE_PROCESSOR)) != 0;

  g_string_append (self->text, "    <SystemProvider Id=\"SP_kernel\">\n");
  append_list (self->text, "Keywords", is_all ? all_keywords : keywords);
  if (self->options->has_stacks && !self->is_classic)
    append_list (self->text, "Stacks", is_all ? all_stacks : stacks);
  g_string_append (self->text, "    </SystemProvider>\n");
}

static void
append_collector (GString *text, const char *element, const char *id, const char *name, guint n)
{
  g_string_append_printf (text,
                          "    <%s Id=\"%s\" Name=\"%s\">\n"
                          "      <BufferSize Value=\"%d\"/>\n"
                          "      <Buffers Value=\"%u\"/>\n"
                          "    </%s>\n",
                          element,
                          id,
                          name,
                          BUFFER_KB,
                          n,
                          element);
}

/* Writes both logging modes, since `wpr -start` records to memory unless -filemode is given. */
static void
append_modes (Writer *self, const char *detail)
{
  g_string_append_printf (self->text,
                          "    <Profile Id=\"%s.%s.File\" Name=\"%s\" "
                          "DetailLevel=\"%s\" LoggingMode=\"File\" "
                          "Description=\"Network activity for Netstitch\">\n"
                          "      <Collectors>\n",
                          self->name,
                          detail,
                          self->name,
                          detail);
  if (self->has_kernel)
    g_string_append (self->text,
                     "        <SystemCollectorId Value=\"SC_netstitch\">\n"
                     "          <SystemProviderId Value=\"SP_kernel\"/>\n"
                     "        </SystemCollectorId>\n");
  if (self->ids->len > 0)
    g_string_append_printf (self->text,
                            "        <EventCollectorId Value=\"EC_netstitch\">\n"
                            "          <EventProviders>\n"
                            "%s"
                            "          </EventProviders>\n"
                            "        </EventCollectorId>\n",
                            self->ids->str);
  g_string_append_printf (self->text,
                          "      </Collectors>\n"
                          "    </Profile>\n"
                          "    <Profile Id=\"%s.%s.Memory\" Name=\"%s\" "
                          "Base=\"%s.%s.File\" DetailLevel=\"%s\" LoggingMode=\"Memory\" "
                          "Description=\"Network activity for Netstitch\"/>\n",
                          self->name,
                          detail,
                          self->name,
                          self->name,
                          detail,
                          detail);
}

/* Writes the merge entries. The first and the third are needed to find symbols; newer Windows
 * versions need the fourth to decode events. */
static void
append_merge (Writer *self)
{
  static const char *const events[] = {
    "CustomEvent", "ImageId",          "CustomEvent", "BuildInfo",
    "CustomEvent", "VolumeMapping",    "CustomEvent", "EventMetadata",
    "CustomEvent", "NetworkInterface", NULL
  };

  g_string_append (
      self->text,
      "  <TraceMergeProperties>\n"
      "    <TraceMergeProperty Id=\"TraceMerge_Default\" Name=\"TraceMerge_Default\">\n"
      "      <DeletePreMergedTraceFiles Value=\"true\"/>\n");
  if (!self->is_classic)
    g_string_append (self->text, "      <FileCompression Value=\"true\"/>\n");
  append_list (self->text, "CustomEvents", events);
  g_string_append (self->text,
                   "    </TraceMergeProperty>\n"
                   "  </TraceMergeProperties>\n");
}

/* Writes the file around the providers, which are complete. */
static void
finish (Writer *self, NsRecipeDetail detail, GString *text)
{
  GString *providers = self->text;

  g_string_append (text,
                   "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
                   "<WindowsPerformanceRecorder Version=\"1.0\" Author=\"Netstitch\">\n"
                   "  <Profiles>\n");
  if (self->has_kernel)
    append_collector (text,
                      "SystemCollector",
                      "SC_netstitch",
                      self->is_classic ? "NT Kernel Logger" : "Netstitch System Collector",
                      n_buffers[detail].kernel);
  if (self->ids->len > 0)
    append_collector (text,
                      "EventCollector",
                      "EC_netstitch",
                      "Netstitch Event Collector",
                      n_buffers[detail].events);
  g_string_append_len (text, providers->str, (gssize) providers->len);
  self->text = text;
  append_modes (self, detail == NS_RECIPE_LIGHT ? "Light" : "Verbose");
  g_string_append (text, "  </Profiles>\n");
  append_merge (self);
  g_string_append (text, "</WindowsPerformanceRecorder>\n");
}

/**
 * ns_recipe_profile_append: (skip)
 * @options: what to record
 * @is_classic: whether to write a profile for Windows 8.1, whose WPR supports neither filters nor
 *   stacks of providers
 * @more: (nullable) (element-type NsRecipeProvider): additional providers
 * @text: (inout): appended to
 *
 * Appends a profile for `wpr -start FILE`.
 */
void
ns_recipe_profile_append (const NsRecipeOptions *options,
                          gboolean is_classic,
                          const GArray *more,
                          GString *text)
{
  g_autoptr (GString) ids = g_string_new (NULL);
  g_autoptr (GString) providers = g_string_new (NULL);
  Writer self = { options, is_classic, providers, ids, "Netstitch", TRUE };

  append_system (&self);
  append_providers (&self, more);
  finish (&self, is_classic ? NS_RECIPE_LIGHT : options->detail, text);
}

/**
 * ns_recipe_profile_append_compiler: (skip)
 * @options: which compiler's methods are recorded
 * @name: name of the profile
 * @text: (inout): appended to
 *
 * Appends a profile that is started in addition to another one; both share a collector.
 */
void
ns_recipe_profile_append_compiler (const NsRecipeOptions *options, const char *name, GString *text)
{
  g_autoptr (GString) ids = g_string_new (NULL);
  g_autoptr (GString) providers = g_string_new (NULL);
  Writer self = { options, FALSE, providers, ids, name, FALSE };

  append_compilers (&self);
  finish (&self, NS_RECIPE_DEFAULT, text);
}
