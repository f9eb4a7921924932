/* Command lines that record what a profile does, as far as they can.
 *
 * They choose no single events and record no stacks: only the recorder with a profile does. Each
 * carries processes, without which nobody knows whose a connection is.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/catalog/ns-catalog.h"
#include "export/ns-recipe-table.h"

#define SESSION "netstitch"
#define TRACE_FILE "C:\\netstitch.etl"
#define KERNEL_FILE "C:\\netstitch-kernel.etl"
#define MAX_MB 2048
#define PACKET_BYTES 128
#define LEVEL_INFORMATION 4
#define LEVEL_VERBOSE 5

/* A provider as the session is asked for it. */
typedef struct
{
  char guid[NS_GUID_TEXT_SIZE + 2]; /* with braces */
  char *name;                       /* (nullable): in place of it */
  guint64 keywords;
  guint level;
} Enabled;

static void
enabled_clear (gpointer data)
{
  g_clear_pointer (&((Enabled *) data)->name, g_free);
}

static void
enable (GArray *list, const NsGuid *guid, guint64 keywords, guint level)
{
  Enabled enabled = { .keywords = keywords == 0 ? G_MAXUINT64 : keywords, .level = level };
  char text[NS_GUID_TEXT_SIZE];

  g_snprintf (enabled.guid, sizeof enabled.guid, "{%s}", ns_guid_to_text (guid, text));
  g_array_append_val (list, enabled);
}

static void
enable_more (GArray *list, const GArray *more)
{
  guint i;

  for (i = 0; more != NULL && i < more->len; i++)
    {
      const NsRecipeProvider *provider = &g_array_index (more, NsRecipeProvider, i);
      NsGuid guid;

      if (ns_guid_from_text (&guid, provider->name))
        enable (list, &guid, provider->keywords, provider->level);
      else
        {
          Enabled enabled = { .name = g_strdup (provider->name),
                              .keywords = provider->keywords,
                              .level = provider->level };

          g_array_append_val (list, enabled);
        }
    }
}

/* Of those with the content of requests, none passes unless it was asked for. */
static GArray *
list_enabled (const NsRecipeOptions *options, const GArray *more)
{
  GArray *list = g_array_new (FALSE, FALSE, sizeof (Enabled));
  guint n_rows;
  const NsRecipeRow *rows = ns_recipe_table_get_rows (&n_rows);
  guint i;

  g_array_set_clear_func (list, enabled_clear);
  for (i = 0; i < n_rows; i++)
    if (ns_recipe_row_is_recorded (&rows[i], options))
      enable (list,
              &rows[i].guid,
              options->has_content && rows[i].plain_keywords != 0
                  ? ns_recipe_row_get_keywords (&rows[i], options)
                  : rows[i].plain_keywords,
              options->has_content && rows[i].content != NULL ? LEVEL_VERBOSE
                                                              : rows[i].plain_level);
  if (options->has_clr)
    enable (list, ns_catalog_get_guid (NS_PROVIDER_DOTNET_RUNTIME), 0x20098, LEVEL_VERBOSE);
  if (options->has_js)
    enable (list, ns_catalog_get_guid (NS_PROVIDER_JSCRIPT), 0x1, LEVEL_VERBOSE);
  enable_more (list, more);
  return list;
}

static const char *
get_name (const GArray *list, guint i)
{
  const Enabled *enabled = &g_array_index (list, Enabled, i);

  return enabled->name != NULL ? enabled->name : enabled->guid;
}

static guint64
get_keywords (const GArray *list, guint i)
{
  return g_array_index (list, Enabled, i).keywords;
}

static guint
get_level (const GArray *list, guint i)
{
  return g_array_index (list, Enabled, i).level;
}

static void
append_netsh (const GArray *list, const NsRecipeOptions *options, GString *text)
{
  guint i;

  g_string_append (text, "netsh trace start");
  if (options->scenario != NULL)
    g_string_append_printf (text, " scenario=%s", options->scenario);
  if (options->packet_bytes > 0)
    g_string_append_printf (text, " capture=yes packettruncatebytes=%u", options->packet_bytes);
  else
    g_string_append (text, " capture=no");
  g_string_append_printf (text,
                          " report=disabled correlation=disabled overwrite=yes filemode=circular "
                          "maxsize=%d tracefile=\"" TRACE_FILE "\"",
                          MAX_MB);
  for (i = 0; i < list->len; i++)
    g_string_append_printf (text,
                            " provider=\"%s\" keywords=0x%" G_GINT64_MODIFIER "x level=%u",
                            get_name (list, i),
                            get_keywords (list, i),
                            get_level (list, i));
  g_string_append (text, "\nnetsh trace stop\n");
}

/* One provider a line: a line of its own adds it to the session that runs. Both files have one
 * clock. */
static void
append_logman (const GArray *list, GString *text)
{
  guint i;

  g_string_append (text,
                   "logman start \"NT Kernel Logger\" -p \"Windows Kernel Trace\" "
                   "(process,thread,img) -ct perf -bs 1024 -nb 16 64 -o " KERNEL_FILE " -ets\n");
  for (i = 0; i < list->len; i++)
    g_string_append_printf (text,
                            "logman %s trace " SESSION " -p \"%s\" 0x%" G_GINT64_MODIFIER
                            "x %u%s -ets\n",
                            i == 0 ? "create" : "update",
                            get_name (list, i),
                            get_keywords (list, i),
                            get_level (list, i),
                            i == 0 ? " -ct perf -bs 1024 -nb 64 128 -o " TRACE_FILE : "");
  g_string_append (text,
                   "logman stop " SESSION " -ets\n"
                   "logman stop \"NT Kernel Logger\" -ets\n");
}

static void
append_pktmon (const GArray *list, const NsRecipeOptions *options, GString *text)
{
  guint i;

  g_string_append_printf (text,
                          "pktmon start --capture --comp nics --pkt-size %u --trace",
                          options->packet_bytes > 0 ? options->packet_bytes : PACKET_BYTES);
  for (i = 0; i < list->len; i++)
    g_string_append_printf (text,
                            " -p %s -k 0x%" G_GINT64_MODIFIER "x -l %u",
                            get_name (list, i),
                            get_keywords (list, i),
                            get_level (list, i));
  g_string_append_printf (text,
                          " --file-name " TRACE_FILE " --file-size %d --log-mode circular\n"
                          "pktmon stop\n",
                          MAX_MB);
}

/**
 * ns_recipe_commands_append: (skip)
 * @options: what is to be recorded
 * @form: which commands
 * @more: (nullable) (element-type NsRecipeProvider): providers besides
 * @text: where they go, one a line
 */
void
ns_recipe_commands_append (const NsRecipeOptions *options,
                           NsRecipeForm form,
                           const GArray *more,
                           GString *text)
{
  g_autoptr (GArray) list = list_enabled (options, more);

  if (form == NS_RECIPE_LOGMAN)
    {
      append_logman (list, text);
      return;
    }
  enable (list, ns_catalog_get_guid (NS_PROVIDER_KERNEL_PROCESS), 0x10, LEVEL_INFORMATION);
  if (form == NS_RECIPE_NETSH)
    append_netsh (list, options, text);
  else
    append_pktmon (list, options, text);
}
