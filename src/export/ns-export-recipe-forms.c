/* Command lines that record the same as a profile, as far as they can.
 *
 * They record no stacks, processes or modules: only the recorder with a profile does.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "export/ns-export-recipe.h"

#define SESSION "netstitch"
#define TRACE_FILE "C:\\netstitch.etl"

static const NsRecipeProvider *
get_provider (const GArray *providers, guint i)
{
  return &g_array_index (providers, NsRecipeProvider, i);
}

static void
append_netsh (const GArray *providers, GString *text)
{
  guint i;

  g_string_append (text, "netsh trace start report=no maxsize=0 tracefile=" TRACE_FILE);
  for (i = 0; i < providers->len; i++)
    g_string_append_printf (text,
                            " provider=\"%s\" keywords=0x%" G_GINT64_MODIFIER "x level=%u",
                            get_provider (providers, i)->name,
                            get_provider (providers, i)->keywords,
                            get_provider (providers, i)->level);
  g_string_append (text, "\nnetsh trace stop\n");
}

/* One provider a line: a line of its own adds it to the session that runs. */
static void
append_logman (const GArray *providers, GString *text)
{
  guint i;

  for (i = 0; i < providers->len; i++)
    g_string_append_printf (text,
                            "logman %s trace " SESSION " -p \"%s\" 0x%" G_GINT64_MODIFIER
                            "x %u%s -ets\n",
                            i == 0 ? "create" : "update",
                            get_provider (providers, i)->name,
                            get_provider (providers, i)->keywords,
                            get_provider (providers, i)->level,
                            i == 0 ? " -o " TRACE_FILE " -bs 1024 -nb 64 256" : "");
  g_string_append (text, "logman stop " SESSION " -ets\n");
}

/**
 * ns_export_recipe_append_commands: (skip)
 * @providers: (element-type NsRecipeProvider): what is to be recorded
 * @form: which commands
 * @text: where they go, one a line
 */
void
ns_export_recipe_append_commands (const GArray *providers, NsRecipeForm form, GString *text)
{
  if (form == NS_RECIPE_NETSH)
    append_netsh (providers, text);
  else
    append_logman (providers, text);
}
