/* Recordings that explain the findings of a rule, and whether the trace contains them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/system/ns-sched.h"
#include "findings/ns-findings-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Evidence: thread switches, which are kernel events of no provider. */
#define SWITCHES "switches"

/**
 * Why:
 * @rules: numbers of rules, each followed by a blank
 * @text: what to record
 * @evidence: (nullable): see ns_findings_is_recorded(); %NULL: to be recorded on another computer
 */
typedef struct
{
  const char *rules;
  const char *text;
  const char *evidence;
} Why;

/* clang-format off */
static const Why whys[] = {
  { "D01 D02 D03 D04 D05 D06 D07 D08 D25 D27 ", N_("DNS-Client: name servers queried, and time of each response"), "D3009+D3010+D3011" },
  { "D08 D09 D10 D11 D14 D16 D35 D36 D40 ", N_("TCPIP: each SYN and its reply"), "T1186|T1477" },
  { "D15 ", N_("WFP: filter that blocked the traffic"), "F1001" },
  { "D12 D13 D14 D40 ", N_("TCPIP: side that closed or reset the connection"), "T1184|T1044|T1039" },
  { "D17 D18 D19 D20 D23 D43 ", N_("TCPIP: windows and round trips of each connection"), "T1477|T1352" },
  { "D21 ", N_("PktMon: component that dropped each packet"), "K" },
  { "D24 D25 D26 ", N_("WebIO or WinINet: steps of the TLS handshake"), "W700|I701|C" },
  { "D25 ", N_("CAPI2: certificate check that took the time, and server that it contacted"), "Y11+Y53" },
  { "D27 ", N_("WinHttp or WinINet: steps of proxy detection"), "H801|I801" },
  { "D28 D30 D31 D32 D34 D39 D43 ", N_("WebIO, WinINet or the browser: requests and responses with their headers"), "W101|I203|I1008|C|X" },
  { "D22 D33 D41 ", N_("Winsock-AFD with stacks: code that uses the sockets"), "A1000*|A1003*" },
  { "D29 D38 ", N_("Winsock-AFD with stacks: code that waited"), "A1018*|A1021*|A1004*" },
  { "D34 D37 ", N_("thread pool: times at which work was queued and started"), "Q32+Q34|H59996+H59998|W59996+W59998" },
  { "D29 D34 D37 D38 ", N_("thread switches: thread activity in this time"), SWITCHES },
  { "D42 ", N_("LDAP-Client: each search with its filter"), "L30" },
  { "D01 D02 D03 D05 D06 D09 D10 D11 D12 D13 D14 D17 D18 D19 D20 D24 D26 D35 D36 D40 ", N_("packets, preferably captured on both sides at the same time"), "P|K" },
  { "D11 D12 D13 D28 D30 D31 D43 ", N_("on the server: HTTP service, IIS and thread switches"), NULL },
  { "D42 ", N_("on the domain controller: its log of expensive searches"), NULL },
};
/* clang-format on */

static gboolean
is_recorded (const NsTrace *trace, const char *evidence)
{
  g_autoptr (GPtrArray) needs = g_ptr_array_new ();

  if (evidence == NULL)
    return FALSE;
  if (strcmp (evidence, SWITCHES) == 0)
    return ns_sched_has_states (trace);
  return ns_findings_is_recorded (trace, evidence, needs);
}

/**
 * ns_finding_list_why:
 * @trace: a trace
 * @rule: number of a rule
 *
 * Returns: (transfer full) (element-type NsFindingWhy): the recordings that explain findings of the
 *   rule, and whether @trace contains them; empty for rules about the recording itself
 */
GArray *
ns_finding_list_why (const NsTrace *trace, const char *rule)
{
  GArray *list = g_array_new (FALSE, FALSE, sizeof (NsFindingWhy));
  g_autofree char *number = g_strdup_printf ("%s ", rule);
  guint i;

  for (i = 0; i < G_N_ELEMENTS (whys); i++)
    if (strstr (whys[i].rules, number) != NULL)
      {
        NsFindingWhy why = { _ (whys[i].text), is_recorded (trace, whys[i].evidence) };

        g_array_append_val (list, why);
      }
  return list;
}

/* Appends the layers that record what the trace lacks for judging the rules. */
static void
append_unjudged (const NsTrace *trace, GString *layers)
{
  guint i;

  for (i = 0; i < NS_N_FINDING_RULES; i++)
    ns_findings_append_missing_layers (trace, ns_finding_rules[i].evidence, layers);
}

/**
 * ns_finding_dup_missing_layers:
 * @trace: a trace
 * @rule: number of a rule
 *
 * Returns: (transfer full): comma-separated names of the layers that @trace lacks to judge the rule
 *   and to explain its findings; for the rule about missing providers, those that the other rules
 *   lack; may be empty
 */
char *
ns_finding_dup_missing_layers (const NsTrace *trace, const char *rule)
{
  g_autofree char *number = g_strdup_printf ("%s ", rule);
  g_autoptr (GString) layers = g_string_new (NULL);
  guint i;

  if (strcmp (rule, "D45") == 0)
    append_unjudged (trace, layers);
  for (i = 0; i < NS_N_FINDING_RULES; i++)
    if (strcmp (ns_finding_rules[i].id, rule) == 0)
      ns_findings_append_missing_layers (trace, ns_finding_rules[i].evidence, layers);
  for (i = 0; i < G_N_ELEMENTS (whys); i++)
    {
      if (strstr (whys[i].rules, number) == NULL)
        continue;
      if (g_strcmp0 (whys[i].evidence, SWITCHES) != 0)
        ns_findings_append_missing_layers (trace, whys[i].evidence, layers);
      else if (!ns_sched_has_states (trace))
        ns_findings_append_layers (layers, "processor");
    }
  return g_string_free (g_steal_pointer (&layers), FALSE);
}
