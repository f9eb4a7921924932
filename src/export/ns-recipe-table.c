/* Providers and events of each layer: one row per provider.
 *
 * Keywords and levels are those of the manifests of Windows 10 and 11. The listed event IDs are
 * those that the engine or a finding reads; the light ones make rows, the others explain them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/catalog/ns-catalog.h"
#include "export/ns-recipe-table.h"

#include <stdlib.h>

#define LEVEL_VERBOSE 5

/* WinINet's keywords for content sent and received. */
#define WININET_CONTENT G_GUINT64_CONSTANT (0x60300000000)

/* clang-format off */
static const NsRecipeRow rows[] = {
  { NS_RECIPE_CONNECTIONS, "tcpip", "Microsoft-Windows-TCPIP", NS_GUID_TCPIP,
    .reads = "TCP, Activity; D09 to D21, D40, D41", .since = "Windows 7",
    .level = 4, .light = 0x1300000080, .keywords = 0x2093000004a0,
    .plain_level = 4, .plain_keywords = 0x2093000004a0,
    .on_start = 0x1300000080, .on_save = 0x80, .is_nonpaged = TRUE,
    .ids = "1002 1017 1031 1033 1034 1038 1039 1043-1045 1074 1156 1159 1169 1170 1300 1332 1382 1397",
    .more = "1001 1003 1004 1006 1014 1020 1021 1035 1040 1046-1048 1050 1051 1084-1086 1102 1103 1106 1130 1183-1187 "
            "1190 1200-1202 1214 1215 1223 1324 1351 1352 1394 1396 1398 1423 1468 1477-1480" },
  { NS_RECIPE_SOCKETS, "afd", "Microsoft-Windows-Winsock-AFD", NS_GUID_WINSOCK_AFD,
    .reads = "WinSock, Calls, Activity; D08, D11 to D13, D22, D33", .since = "Windows 7",
    .level = 4, .light = 0x4, .keywords = 0x4, .plain_level = 4, .plain_keywords = 0x4,
    .ids = "1000 1001 1003 1004 1009 1013 1015 1018 1021 1027 1030 1032",
    .more = "1002 1005-1007 1011 1012 1017 1020 1023 1024 1026 1029 1033 1035-1037",
    .stacks = "1000", .more_stacks = "1001 1018 1021 1032", .verbose_stacks = "1003 1004" },
  { NS_RECIPE_NAMES, "name-resolution", "Microsoft-Windows-Winsock-NameResolution", NS_GUID_WINSOCK_NAME_RESOLUTION,
    .reads = "DNS, Activity; D01, D38", .since = "Windows 10",
    .level = 4, .plain_level = 4,
    .ids = "1001 1004", .more = "1000 1002 1012", .more_stacks = "1000 1002" },
  { NS_RECIPE_NAMES, "dns-client", "Microsoft-Windows-DNS-Client", NS_GUID_DNS_CLIENT,
    .reads = "DNS, names of servers; D01 to D07", .since = "Windows 7; 3000 to 3020 Windows 8.1",
    .level = 4, .plain_level = 4,
    .ids = "3008 3009 3018", .more = "1001 1013-1016 3006 3010 3011 3013 3016 3019 3020" },
  /* Events of its thread pool (59995 to 59998) have level 5, hence the ID filter. */
  { NS_RECIPE_HTTP, "webio", "Microsoft-Windows-WebIO", NS_GUID_WEBIO,
    .reads = "WinHTTP, Activity; D24 to D28, D34, D35, D43", .since = "Windows 7",
    .level = 5, .plain_level = 4, .is_nonpaged = TRUE,
    .ids = "5-8 17-20 29 30 100 101 104 200-206 211-216 59995-59998",
    .more = "102 103 105 125 130-137 207 700 703 712 713 728-730 900-905",
    .content = "111 122 129 709 726", .headers = "100 101", .no_headers = "125", .stacks = "5 17 59996" },
  /* Event 100 contains user names and passwords. */
  { NS_RECIPE_HTTP, "winhttp", "Microsoft-Windows-WinHttp", NS_GUID_WINHTTP,
    .reads = "Thread pool, stacks; D27, D37", .since = "Windows 7",
    .level = 5, .light = 0x20, .keywords = 0x20, .plain_level = 5, .plain_keywords = 0x20,
    .ids = "59995-59998", .more = "801 804 807-817 1051 1052", .never = "100", .stacks = "59996" },
  /* Events 501 to 507 contain cookies; their keyword is 0x40. */
  { NS_RECIPE_HTTP, "wininet", "Microsoft-Windows-WinINet", NS_GUID_WININET,
    .reads = "WinINet, Activity; D24, D27, D28, D31, D32", .since = "Windows 7",
    .level = 4, .light = 0x87, .keywords = 0xbf, .plain_level = 4, .plain_keywords = 0xbf,
    .ids = "101-105 108 200 301 304 305 307 1007 1008 1017 1031 1033 1037 1045 1046 1049 1064",
    .more = "106 107 201-209 213 302 303 306 308 601-606 701-704 712 713 813-817 1011 1015 1019 1023 1029 1030 1035 1059 1065 1066",
    .never = "501-507", .content = "212 414-417", .stacks = "104 1007" },
  { NS_RECIPE_HTTP, "urlmon", "Microsoft-Windows-URLMon", NS_GUID_URLMON,
    .reads = "URLMon", .since = "Windows 8.1",
    .level = 4, .light = 0x1, .keywords = 0x1, .plain_level = 4, .plain_keywords = 0x1,
    .ids = "805", .more = "801-804 806 808", .stacks = "805" },
  { NS_RECIPE_HTTP, "bits", "Microsoft-Windows-Bits-Client", NS_GUID_BITS_CLIENT,
    .reads = "BITS, Activity", .since = "Windows 7",
    .level = 4, .plain_level = 4, .ids = "59-61", .more = "3", .stacks = "59" },
  { NS_RECIPE_LDAP, "ldap-client", "Microsoft-Windows-LDAP-Client", NS_GUID_LDAP_CLIENT,
    .reads = "LDAP, Activity; D42", .since = "Windows 7",
    .level = 4, .light = 0x18100083, .keywords = 0x1f9f9fa3, .plain_level = 4, .plain_keywords = 0x1f9f9fa3,
    .stacks = "30" },
  { NS_RECIPE_COUNTERS, "kernel-network", "Microsoft-Windows-Kernel-Network", NS_GUID_KERNEL_NETWORK,
    .reads = "Kernel TCP/IP, Activity", .since = "Windows 7",
    .level = 4, .light = 0x30, .keywords = 0x30, .plain_level = 4, .plain_keywords = 0x30, .is_nonpaged = TRUE },
  { NS_RECIPE_TLS, "schannel-events", "Microsoft-Windows-Schannel-Events", NS_GUID_SCHANNEL_EVENTS,
    .reads = "Events: TLS handshakes and alerts", .since = "Windows 10", .level = 4, .plain_level = 4 },
  { NS_RECIPE_TLS, "schannel", "Schannel", NS_GUID_SCHANNEL,
    .reads = "TLS of each request", .since = "Windows 7", .level = 4, .plain_level = 4 },
  { NS_RECIPE_TLS, "capi2", "Microsoft-Windows-CAPI2", NS_GUID_CAPI2,
    .reads = "CAPI2", .since = "Windows 7", .level = 4, .light = 0x37, .keywords = 0x37, .plain_level = 4, .plain_keywords = 0x37,
    .ids = "10 11 30 40 41 52 53", .stacks = "10" },
  { NS_RECIPE_QUIC, "msquic", "Microsoft-Quic", NS_GUID_MSQUIC,
    .reads = "QUIC, Activity", .since = "Windows 11",
    .level = 4, .light = 0x80000000, .keywords = 0x80000000, .plain_level = 4, .plain_keywords = 0x80000000 },
  { NS_RECIPE_QUIC, "winquic", "Microsoft-Windows-WinQuic", NS_GUID_WINQUIC,
    .reads = "QUIC, Activity", .since = "Windows 11",
    .level = 4, .light = 0x80000000, .keywords = 0x80000000, .plain_level = 4, .plain_keywords = 0x80000000, .is_nonpaged = TRUE },
  /* Keyword of the netlog category. */
  { NS_RECIPE_BROWSERS, "chrome", "Chrome", NS_GUID_CHROME,
    .reads = "Chromium, Activity", .since = "any", .level = 5, .light = 0x8000000000000080,
    .keywords = 0x8000000000000080, .plain_level = 5, .plain_keywords = 0x8000000000000080 },
  { NS_RECIPE_BROWSERS, "edge", "Edge", NS_GUID_EDGE,
    .reads = "Chromium, Activity", .since = "any", .level = 5, .light = 0x80, .keywords = 0x80, .plain_level = 5, .plain_keywords = 0x80 },
  { NS_RECIPE_BROWSERS, "edge-beta", "Edge Beta", NS_GUID_EDGE_BETA,
    .reads = "Chromium, Activity", .since = "any", .level = 5, .light = 0x80, .keywords = 0x80, .plain_level = 5, .plain_keywords = 0x80 },
  { NS_RECIPE_BROWSERS, "edge-dev", "Edge Dev", NS_GUID_EDGE_DEV,
    .reads = "Chromium, Activity", .since = "any", .level = 5, .light = 0x80, .keywords = 0x80, .plain_level = 5, .plain_keywords = 0x80 },
  { NS_RECIPE_BROWSERS, "edge-canary", "Edge Canary", NS_GUID_EDGE_CANARY,
    .reads = "Chromium, Activity", .since = "any", .level = 5, .light = 0x80, .keywords = 0x80, .plain_level = 5, .plain_keywords = 0x80 },
  { NS_RECIPE_BROWSERS, "webview2", "WebView2", NS_GUID_EDGE_WEBVIEW2,
    .reads = "Chromium, Activity", .since = "any", .level = 5, .light = 0x80, .keywords = 0x80, .plain_level = 5, .plain_keywords = 0x80 },
  { NS_RECIPE_OFFICE, "threadpool", "Microsoft-Office-Threadpool", NS_GUID_OFFICE_THREADPOOL,
    .reads = "Thread pool, stacks", .since = "any, with Office",
    .level = 4, .light = 0x1e, .keywords = 0x1e, .plain_level = 4, .plain_keywords = 0x1e, .stacks = "32 40 62" },
  /* Its events have level 65. */
  { NS_RECIPE_OFFICE, "dispatch-queue", "OfficeDispatchQueue", NS_GUID_OFFICE_DISPATCH_QUEUE,
    .reads = "Thread pool, stacks", .since = "any, with Office",
    .level = NS_RECIPE_NO_LEVEL, .plain_level = 255,
    .ids = "56 65-67 98 99 101 102 104 105 113 114 116 117 119-121 129-131 133",
    .stacks = "65 99 104 105 116 117 121 129 133" },
  { NS_RECIPE_OFFICE, "idle-queue", "Microsoft-Office-Events", NS_GUID_OFFICE_EVENTS,
    .reads = "Thread pool, stacks", .since = "any, with Office",
    .level = 4, .light = 0x40, .keywords = 0x40, .plain_level = 4, .plain_keywords = 0x40,
    .ids = "36-46 50", .stacks = "36 50" },
  { NS_RECIPE_ENVIRONMENT, "ncsi", "Microsoft-Windows-NCSI", NS_GUID_NCSI,
    .reads = "state lanes; D46", .since = "Windows 7", .level = 4, .plain_level = 4 },
  { NS_RECIPE_ENVIRONMENT, "network-profile", "Microsoft-Windows-NetworkProfile", NS_GUID_NETWORK_PROFILE,
    .reads = "state lanes; D46", .since = "Windows 7", .level = 4, .plain_level = 4 },
  { NS_RECIPE_ENVIRONMENT, "dhcp-client", "Microsoft-Windows-Dhcp-Client", NS_GUID_DHCP_CLIENT,
    .reads = "state lanes; D46", .since = "Windows 7", .level = 4, .plain_level = 4 },
  { NS_RECIPE_ENVIRONMENT, "wlan-autoconfig", "Microsoft-Windows-WLAN-AutoConfig", NS_GUID_WLAN_AUTOCONFIG,
    .reads = "state lanes; D46", .since = "Windows 7",
    .level = 4, .light = 0x200, .keywords = 0x200, .plain_level = 4, .plain_keywords = 0x200 },
  { NS_RECIPE_ENVIRONMENT, "wfp", "Microsoft-Windows-WFP", NS_GUID_WFP,
    .reads = "WFP, Activity; D15, D21", .since = "Windows 8.1",
    .level = 4, .light = 0x10000000000, .keywords = 0x10000000000, .plain_level = 4, .plain_keywords = 0x10000000000, .is_nonpaged = TRUE },
  { NS_RECIPE_SERVER, "http-service", "Microsoft-Windows-HttpService", NS_GUID_HTTP_SERVICE,
    .reads = "HTTP.sys", .since = "Windows 7",
    .level = 4, .light = 0x931f, .keywords = 0x931f, .plain_level = 4, .plain_keywords = 0x931f, .is_nonpaged = TRUE },
  /* Verbose events record when an exchange was suspended; there are two per command. */
  { NS_RECIPE_FILES, "smb-client", "Microsoft-Windows-SMBClient", NS_GUID_SMB_CLIENT,
    .reads = "SMB, Activity", .since = "Windows 8; operations Windows 11",
    .level = 5, .light = 0xc67, .keywords = 0x12c6f, .plain_level = 5, .plain_keywords = 0x12c6f, .is_nonpaged = TRUE,
    .ids = "30203 30204 30403 30406-30409 30803-30809 32004 32008-32013",
    .more = "30103-30106 30108 30501-30508 30704 30822 30830-30832", .stacks = "30203 30406 32004" },
  { NS_RECIPE_FILES, "rpc", "Microsoft-Windows-RPC", NS_GUID_RPC,
    .reads = "RPC, Activity", .since = "Windows 7",
    .level = 4, .plain_level = 4, .ids = "5-8", .more = "1-3", .stacks = "5 6" },
  /* EventSource providers send their schemas as events, so no event is filtered by ID. */
  { NS_RECIPE_DOTNET, "dotnet-http", "System.Net.Http", NS_GUID_DOTNET_HTTP,
    .reads = ".NET, Activity", .since = ".NET 5", .level = 4, .plain_level = 4, .stacks = "1" },
  { NS_RECIPE_DOTNET, "dotnet-sockets", "System.Net.Sockets", NS_GUID_DOTNET_SOCKETS,
    .reads = ".NET, Activity", .since = ".NET 5", .level = 4, .plain_level = 4 },
  { NS_RECIPE_DOTNET, "dotnet-names", "System.Net.NameResolution", NS_GUID_DOTNET_NAMES,
    .reads = ".NET, Activity", .since = ".NET 5", .level = 4, .plain_level = 4 },
  { NS_RECIPE_DOTNET, "dotnet-security", "System.Net.Security", NS_GUID_DOTNET_SECURITY,
    .reads = ".NET, TLS, Activity", .since = ".NET 5", .level = 4, .plain_level = 4 },
  /* Keyword 0x80 nests activity IDs; the others are transfers, tasks and asynchronous calls. */
  { NS_RECIPE_DOTNET, "dotnet-tasks", "System.Threading.Tasks.TplEventSource", NS_GUID_DOTNET_TASKS,
    .reads = "Thread pool, stacks; D37", .since = ".NET Framework 4.5",
    .level = 5, .light = 0xcb, .keywords = 0xcb, .plain_level = 5, .plain_keywords = 0xcb, .stacks = "7 10 12" },
  { NS_RECIPE_DOTNET, "dotnet-framework", "System.Diagnostics.Eventing.FrameworkEventSource", NS_GUID_DOTNET_FRAMEWORK,
    .reads = ".NET, Thread pool; D37", .since = ".NET Framework 4.5",
    .level = 5, .light = 0x16, .keywords = 0x16, .plain_level = 5, .plain_keywords = 0x16, .stacks = "30 140 142 150" },
};
/* clang-format on */

/**
 * ns_recipe_table_get_rows:
 * @n_rows: (out): number of rows
 *
 * Returns: (transfer none) (array length=n_rows): the providers of all layers
 */
const NsRecipeRow *
ns_recipe_table_get_rows (guint *n_rows)
{
  *n_rows = G_N_ELEMENTS (rows);
  return rows;
}

/**
 * ns_recipe_row_is_recorded:
 * @row: a provider
 * @options: what to record
 *
 * Returns: whether the provider is recorded
 */
gboolean
ns_recipe_row_is_recorded (const NsRecipeRow *row, const NsRecipeOptions *options)
{
  return (options->layers & NS_RECIPE_LAYER (row->layer)) != 0;
}

/**
 * ns_recipe_row_get_level:
 * @row: a provider
 * @options: what to record
 *
 * Returns: the level to enable, or %NS_RECIPE_NO_LEVEL
 */
guint
ns_recipe_row_get_level (const NsRecipeRow *row, const NsRecipeOptions *options)
{
  if (row->level == NS_RECIPE_NO_LEVEL || options->detail != NS_RECIPE_VERBOSE)
    return options->has_content && row->content != NULL ? LEVEL_VERBOSE : row->level;
  return MAX (row->level, LEVEL_VERBOSE);
}

/**
 * ns_recipe_row_get_keywords:
 * @row: a provider
 * @options: what to record
 *
 * Returns: the keywords to enable, 0: all
 */
guint64
ns_recipe_row_get_keywords (const NsRecipeRow *row, const NsRecipeOptions *options)
{
  guint64 keywords = options->detail == NS_RECIPE_LIGHT ? row->light : row->keywords;

  if (keywords == 0)
    return 0;
  if (row->layer == NS_RECIPE_SOCKETS && options->detail == NS_RECIPE_VERBOSE)
    keywords |= 0x8;
  if (options->has_content && row->content != NULL)
    keywords |= WININET_CONTENT;
  return keywords;
}

/* Parses IDs: `5-8 17` means five numbers. */
static void
append_ids (GArray *ids, const char *text)
{
  while (text != NULL && *text != '\0')
    {
      char *end;
      guint16 first = (guint16) strtoul (text, &end, 10);
      guint16 last = *end == '-' ? (guint16) strtoul (end + 1, &end, 10) : first;

      for (; first <= last; first++)
        g_array_append_val (ids, first);
      text = *end == ' ' ? end + 1 : end;
    }
}

static void
remove_ids (GArray *ids, const char *text)
{
  g_autoptr (GArray) gone = g_array_new (FALSE, FALSE, sizeof (guint16));
  guint i;
  guint j;

  append_ids (gone, text);
  for (i = ids->len; i > 0; i--)
    for (j = 0; j < gone->len; j++)
      if (g_array_index (ids, guint16, i - 1) == g_array_index (gone, guint16, j))
        {
          g_array_remove_index (ids, i - 1);
          break;
        }
}

static int
compare_ids (gconstpointer a, gconstpointer b)
{
  return (int) *(const guint16 *) a - (int) *(const guint16 *) b;
}

/**
 * ns_recipe_row_list_ids:
 * @row: a provider
 * @options: what to record
 *
 * Returns: (transfer full) (element-type guint16): the event IDs to record, in order; empty: all
 *   except those of ns_recipe_row_list_refused()
 */
GArray *
ns_recipe_row_list_ids (const NsRecipeRow *row, const NsRecipeOptions *options)
{
  GArray *ids = g_array_new (FALSE, FALSE, sizeof (guint16));

  if (row->ids == NULL || options->detail == NS_RECIPE_VERBOSE)
    return ids;
  append_ids (ids, row->ids);
  if (options->detail != NS_RECIPE_LIGHT)
    append_ids (ids, row->more);
  if (options->has_content)
    append_ids (ids, row->content);
  if (options->has_no_headers)
    {
      remove_ids (ids, row->headers);
      remove_ids (ids, row->no_headers);
      append_ids (ids, row->no_headers);
    }
  /* More IDs than a filter supports: record all events except the refused ones. */
  if (ids->len > NS_RECIPE_MAX_IDS)
    g_array_set_size (ids, 0);
  g_array_sort (ids, compare_ids);
  return ids;
}

/**
 * ns_recipe_row_list_refused:
 * @row: a provider
 * @options: what to record
 *
 * Returns: (transfer full) (element-type guint16): the event IDs to exclude if
 *   ns_recipe_row_list_ids() is empty
 */
GArray *
ns_recipe_row_list_refused (const NsRecipeRow *row, const NsRecipeOptions *options)
{
  GArray *ids = g_array_new (FALSE, FALSE, sizeof (guint16));

  g_autoptr (GArray) let_pass = ns_recipe_row_list_ids (row, options);

  if (row->ids == NULL || let_pass->len > 0)
    return ids;
  append_ids (ids, row->never);
  if (!options->has_content)
    append_ids (ids, row->content);
  if (options->has_no_headers)
    append_ids (ids, row->headers);
  g_array_sort (ids, compare_ids);
  return ids;
}

/**
 * ns_recipe_row_list_stacks:
 * @row: a provider
 * @options: what to record
 *
 * Returns: (transfer full) (element-type guint16): the event IDs with a call stack; empty: no
 *   stacks
 */
GArray *
ns_recipe_row_list_stacks (const NsRecipeRow *row, const NsRecipeOptions *options)
{
  GArray *ids = g_array_new (FALSE, FALSE, sizeof (guint16));

  if (!options->has_stacks)
    return ids;
  append_ids (ids, row->stacks);
  if (options->detail != NS_RECIPE_LIGHT)
    append_ids (ids, row->more_stacks);
  if (options->detail == NS_RECIPE_VERBOSE)
    append_ids (ids, row->verbose_stacks);
  g_array_sort (ids, compare_ids);
  return ids;
}
