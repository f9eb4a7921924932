/* Command lines that record the same as a profile, as far as possible.
 *
 * They cannot select single events or record stacks, which requires a WPR profile. Each includes
 * process events, without which connections could not be assigned to processes.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/catalog/ns-catalog.h"
#include "export/ns-recipe-table.h"

#define SESSION "netstitch"
#define TRACE_FILE "C:\\netstitch.etl"
#define KERNEL_FILE "C:\\netstitch-kernel.etl"
#define MAX_MB "2048"
#define PACKET_BYTES "128"
#define LEVEL_INFORMATION 4
#define LEVEL_VERBOSE 5

/* A provider as enabled in the session. */
typedef struct
{
  char guid[NS_GUID_TEXT_SIZE + 2]; /* with braces */
  char *name;                       /* (nullable): used instead of the GUID */
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

/* Lists the providers; those with contents of requests only if requested. */
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

/* Output file and maximum size, as written in a command line. */
typedef struct
{
  const char *file;
  const char *max_mb;
} Target;

static void
append_netsh (const GArray *list,
              const Target *target,
              const char *packet_bytes,
              const char *scenario,
              GString *text)
{
  guint i;

  g_string_append (text, " trace start");
  if (scenario != NULL)
    g_string_append_printf (text, " scenario=%s", scenario);
  if (packet_bytes != NULL)
    g_string_append_printf (text, " capture=yes packettruncatebytes=%s", packet_bytes);
  else
    g_string_append (text, " capture=no");
  g_string_append_printf (text,
                          " report=disabled correlation=disabled overwrite=yes filemode=circular "
                          "maxsize=%s tracefile=\"%s\"",
                          target->max_mb,
                          target->file);
  for (i = 0; i < list->len; i++)
    g_string_append_printf (text,
                            " provider=\"%s\" keywords=0x%" G_GINT64_MODIFIER "x level=%u",
                            get_name (list, i),
                            get_keywords (list, i),
                            get_level (list, i));
}

/* Writes one provider per line, which `logman update` adds to the running session. Both sessions
 * use the same clock. */
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
append_pktmon (const GArray *list, const Target *target, const char *packet_bytes, GString *text)
{
  guint i;

  g_string_append_printf (text, " start --capture --comp nics --pkt-size %s", packet_bytes);
  if (list->len > 0)
    g_string_append (text, " --trace");
  for (i = 0; i < list->len; i++)
    g_string_append_printf (text,
                            " -p %s -k 0x%" G_GINT64_MODIFIER "x -l %u",
                            get_name (list, i),
                            get_keywords (list, i),
                            get_level (list, i));
  g_string_append_printf (text,
                          " --file-name \"%s\" --file-size %s --log-mode circular",
                          target->file,
                          target->max_mb);
}

/**
 * ns_recipe_commands_append: (skip)
 * @options: what to record
 * @form: the format
 * @more: (nullable) (element-type NsRecipeProvider): additional providers
 * @text: (inout): appended to, one command per line
 */
void
ns_recipe_commands_append (const NsRecipeOptions *options,
                           NsRecipeForm form,
                           const GArray *more,
                           GString *text)
{
  static const Target target = { TRACE_FILE, MAX_MB };
  g_autoptr (GArray) list = list_enabled (options, more);
  g_autofree char *packet_bytes = NULL;

  if (form == NS_RECIPE_LOGMAN)
    {
      append_logman (list, text);
      return;
    }
  if (options->packet_bytes > 0)
    packet_bytes = g_strdup_printf ("%u", options->packet_bytes);
  enable (list, ns_catalog_get_guid (NS_PROVIDER_KERNEL_PROCESS), 0x10, LEVEL_INFORMATION);
  if (form == NS_RECIPE_NETSH)
    {
      g_string_append (text, "netsh");
      append_netsh (list, &target, packet_bytes, options->scenario, text);
      g_string_append (text, "\nnetsh trace stop\n");
    }
  else
    {
      g_string_append (text, "pktmon");
      append_pktmon (list, &target, packet_bytes != NULL ? packet_bytes : PACKET_BYTES, text);
      g_string_append (text, "\npktmon stop\n");
    }
}

static void
append_section (GString *text, const char *name, const char *line)
{
  g_string_append_printf (text, "[%s]\n%s\n", name, line);
}

/**
 * ns_recipe_commands_append_kit: (skip)
 * @options: what to record on machines without WPR
 * @text: (inout): appended to
 *
 * Writes `commands.txt` of the capture kit: sections of Windows command lines with placeholders.
 */
void
ns_recipe_commands_append_kit (const NsRecipeOptions *options, GString *text)
{
  static const struct
  {
    const char *name;
    const char *line;
  } sections[] = {
    { "wpr.start",
      "wpr.exe -start \"{PROFILE}!Netstitch\" -filemode -recordtempto \"{WORK}\" -instancename "
      "{INSTANCE}" },
    { "wpr.start.loop", "wpr.exe -start \"{PROFILE}!Netstitch\" -instancename {INSTANCE}" },
    { "wpr.start.more", "-start \"{MORE}!{NAME}\"" },
    { "wpr.boot.start",
      "wpr.exe -boottrace -addboot \"{PROFILE}!Netstitch\" -filemode -recordtempto \"{WORK}\" "
      "-instancename {INSTANCE}" },
    { "wpr.stop", "wpr.exe -stop \"{ETL}\" -skipPdbGen -instancename {INSTANCE}" },
    { "wpr.stop.clr", "wpr.exe -stop \"{ETL}\" -instancename {INSTANCE}" },
    { "wpr.boot.stop",
      "wpr.exe -boottrace -stopboot \"{ETL}\" -skipPdbGen -instancename {INSTANCE}" },
    { "wpr.status", "wpr.exe -status collectors -instancename {INSTANCE}" },
    { "wpr.cancel", "wpr.exe -cancel -instancename {INSTANCE}" },
    { "wpr.boot.cancel", "wpr.exe -boottrace -cancelboot -instancename {INSTANCE}" },
    { "netsh.stop", "netsh.exe trace stop" },
    { "netsh.status", "netsh.exe trace show status" },
    { "pktmon.stop", "pktmon.exe stop" },
    { "pktmon.status", "pktmon.exe status" },
    { "logman.sessions", "logman.exe query -ets" },
  };
  static const Target trace = { "{ETL}", "{MB}" };
  static const Target packets = { "{PACKETS}", "{MB}" };
  g_autoptr (GArray) more = options->more != NULL && *options->more != '\0'
                                ? ns_export_recipe_parse (options->more, NULL)
                                : NULL;
  g_autoptr (GArray) list = list_enabled (options, more);
  g_autoptr (GArray) nothing = g_array_new (FALSE, FALSE, sizeof (Enabled));
  g_autoptr (GString) line = g_string_new ("netsh.exe");
  guint i;

  g_string_append (
      text,
      "# Each command line that netstitch-record runs: a name, and one line below it.\n"
      "# Made by netstitch-cli recipe --as kit.\n");
  for (i = 0; i < G_N_ELEMENTS (sections); i++)
    append_section (text, sections[i].name, sections[i].line);
  enable (list, ns_catalog_get_guid (NS_PROVIDER_KERNEL_PROCESS), 0x10, LEVEL_INFORMATION);
  append_netsh (list, &trace, NULL, NULL, line);
  append_section (text, "netsh.start", line->str);
  g_string_assign (line, "netsh.exe");
  append_netsh (list, &trace, "{BYTES}", NULL, line);
  append_section (text, "netsh.start.packets", line->str);
  g_string_assign (line, "netsh.exe");
  append_netsh (nothing, &packets, "{BYTES}", NULL, line);
  append_section (text, "netsh.packets", line->str);
  g_string_assign (line, "pktmon.exe");
  append_pktmon (nothing, &packets, "{BYTES}", line);
  append_section (text, "pktmon.packets", line->str);
}
