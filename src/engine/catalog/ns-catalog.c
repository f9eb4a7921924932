/* The catalogue: one row for each known provider.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/catalog/ns-catalog.h"

/* clang-format off */
static const struct
{
  NsGuid guid;
  const char *name;
  NsProviderUse use;
} providers[NS_N_PROVIDERS] = {
  [NS_PROVIDER_UNKNOWN] = { .name = "" },

  /* What the kernel logger writes: event classes of wmicore.mof and evntrace.h. */
  [NS_PROVIDER_EVENT_TRACE] = { NS_GUID_EVENT_TRACE, "EventTrace", NS_PROVIDER_USE_HEADER },
  [NS_PROVIDER_DISK_IO] = { NS_GUID_DISK_IO, "DiskIo", NS_PROVIDER_USE_OTHER },
  [NS_PROVIDER_PAGE_FAULT] = { NS_GUID_PAGE_FAULT, "PageFault", NS_PROVIDER_USE_OTHER },
  [NS_PROVIDER_PROCESS] = { NS_GUID_PROCESS, "Process", NS_PROVIDER_USE_PROCESS },
  [NS_PROVIDER_FILE_IO] = { NS_GUID_FILE_IO, "FileIo", NS_PROVIDER_USE_OTHER },
  [NS_PROVIDER_THREAD] = { NS_GUID_THREAD, "Thread", NS_PROVIDER_USE_PROCESS },
  [NS_PROVIDER_TCP_IP] = { NS_GUID_TCP_IP, "TcpIp", NS_PROVIDER_USE_FLOWS },
  [NS_PROVIDER_JOB] = { NS_GUID_JOB, "Job", NS_PROVIDER_USE_OTHER },
  [NS_PROVIDER_UDP_IP] = { NS_GUID_UDP_IP, "UdpIp", NS_PROVIDER_USE_FLOWS },
  [NS_PROVIDER_REGISTRY] = { NS_GUID_REGISTRY, "Registry", NS_PROVIDER_USE_OTHER },
  [NS_PROVIDER_DBG_PRINT] = { NS_GUID_DBG_PRINT, "DbgPrint", NS_PROVIDER_USE_OTHER },
  [NS_PROVIDER_SYSTEM_CONFIG] = { NS_GUID_SYSTEM_CONFIG, "SystemConfig", NS_PROVIDER_USE_MACHINE },
  [NS_PROVIDER_SPARE] = { NS_GUID_SPARE, "Spare", NS_PROVIDER_USE_OTHER },
  [NS_PROVIDER_WNF] = { NS_GUID_WNF, "Wnf", NS_PROVIDER_USE_OTHER },
  [NS_PROVIDER_POOL] = { NS_GUID_POOL, "Pool", NS_PROVIDER_USE_OTHER },
  [NS_PROVIDER_PERF_INFO] = { NS_GUID_PERF_INFO, "PerfInfo", NS_PROVIDER_USE_OTHER },
  [NS_PROVIDER_HEAP] = { NS_GUID_HEAP, "Heap", NS_PROVIDER_USE_OTHER },
  [NS_PROVIDER_OBJECT] = { NS_GUID_OBJECT, "Object", NS_PROVIDER_USE_OTHER },
  [NS_PROVIDER_POWER] = { NS_GUID_POWER, "Power", NS_PROVIDER_USE_OTHER },
  [NS_PROVIDER_MOD_BOUND] = { NS_GUID_MOD_BOUND, "ModBound", NS_PROVIDER_USE_OTHER },
  [NS_PROVIDER_IMAGE] = { NS_GUID_IMAGE, "Image", NS_PROVIDER_USE_PROCESS },
  [NS_PROVIDER_DPC] = { NS_GUID_DPC, "DPC", NS_PROVIDER_USE_OTHER },
  [NS_PROVIDER_GDI] = { NS_GUID_GDI, "GDI", NS_PROVIDER_USE_OTHER },
  [NS_PROVIDER_CRIT_SEC] = { NS_GUID_CRIT_SEC, "CritSec", NS_PROVIDER_USE_OTHER },
  [NS_PROVIDER_STACK_WALK] = { NS_GUID_STACK_WALK, "StackWalk", NS_PROVIDER_USE_STACKS },
  [NS_PROVIDER_UMS] = { NS_GUID_UMS, "UMS", NS_PROVIDER_USE_OTHER },
  [NS_PROVIDER_ALPC] = { NS_GUID_ALPC, "ALPC", NS_PROVIDER_USE_OTHER },
  [NS_PROVIDER_SPLIT_IO] = { NS_GUID_SPLIT_IO, "SplitIo", NS_PROVIDER_USE_OTHER },
  [NS_PROVIDER_THREAD_POOL] = { NS_GUID_THREAD_POOL, "ThreadPool", NS_PROVIDER_USE_WORK },
  [NS_PROVIDER_HYPERVISOR] = { NS_GUID_HYPERVISOR, "Hypervisor", NS_PROVIDER_USE_OTHER },
  [NS_PROVIDER_HYPERVISOR_X] = { NS_GUID_HYPERVISOR_X, "HypervisorX", NS_PROVIDER_USE_OTHER },
  [NS_PROVIDER_LOST_EVENT] = { NS_GUID_LOST_EVENT, "LostEvent", NS_PROVIDER_USE_OTHER },

  /* What tools add when they merge a trace. */
  [NS_PROVIDER_IMAGE_ID] = { NS_GUID_IMAGE_ID, "ImageID", NS_PROVIDER_USE_PROCESS },
  [NS_PROVIDER_SYSTEM_CONFIG_EX] = { NS_GUID_SYSTEM_CONFIG_EX, "SystemConfigEx", NS_PROVIDER_USE_MACHINE },
  [NS_PROVIDER_WIN_SAT] = { NS_GUID_WIN_SAT, "WinSat", NS_PROVIDER_USE_OTHER },
  [NS_PROVIDER_EVENT_METADATA] = { NS_GUID_EVENT_METADATA, "EventMetadata", NS_PROVIDER_USE_DESCRIPTION },

  /* Networking of Windows. */
  [NS_PROVIDER_TCPIP] = { NS_GUID_TCPIP, "Microsoft-Windows-TCPIP", NS_PROVIDER_USE_NETWORK },
  [NS_PROVIDER_WINSOCK_AFD] = { NS_GUID_WINSOCK_AFD, "Microsoft-Windows-Winsock-AFD", NS_PROVIDER_USE_NETWORK },
  [NS_PROVIDER_KERNEL_NETWORK] = { NS_GUID_KERNEL_NETWORK, "Microsoft-Windows-Kernel-Network", NS_PROVIDER_USE_FLOWS },
  [NS_PROVIDER_WEBIO] = { NS_GUID_WEBIO, "Microsoft-Windows-WebIO", NS_PROVIDER_USE_NETWORK },
  [NS_PROVIDER_WINHTTP] = { NS_GUID_WINHTTP, "Microsoft-Windows-WinHttp", NS_PROVIDER_USE_WORK },
  [NS_PROVIDER_WININET] = { NS_GUID_WININET, "Microsoft-Windows-WinINet", NS_PROVIDER_USE_NETWORK },
  [NS_PROVIDER_WININET_CAPTURE] = { NS_GUID_WININET_CAPTURE, "Microsoft-Windows-WinINet-Capture", NS_PROVIDER_USE_NETWORK },
  [NS_PROVIDER_URLMON] = { NS_GUID_URLMON, "Microsoft-Windows-URLMon", NS_PROVIDER_USE_NETWORK },
  [NS_PROVIDER_LDAP_CLIENT] = { NS_GUID_LDAP_CLIENT, "Microsoft-Windows-LDAP-Client", NS_PROVIDER_USE_NETWORK },
  [NS_PROVIDER_HTTP_SERVICE] = { NS_GUID_HTTP_SERVICE, "Microsoft-Windows-HttpService", NS_PROVIDER_USE_NETWORK },
  [NS_PROVIDER_DNS_CLIENT] = { NS_GUID_DNS_CLIENT, "Microsoft-Windows-DNS-Client", NS_PROVIDER_USE_NAMES },
  [NS_PROVIDER_WINSOCK_NAME_RESOLUTION] = { NS_GUID_WINSOCK_NAME_RESOLUTION, "Microsoft-Windows-Winsock-NameResolution", NS_PROVIDER_USE_NAMES },
  [NS_PROVIDER_WFP] = { NS_GUID_WFP, "Microsoft-Windows-WFP", NS_PROVIDER_USE_OTHER },
  [NS_PROVIDER_NDIS_PACKET_CAPTURE] = { NS_GUID_NDIS_PACKET_CAPTURE, "Microsoft-Windows-NDIS-PacketCapture", NS_PROVIDER_USE_PACKETS },
  [NS_PROVIDER_PKTMON] = { NS_GUID_PKTMON, "Microsoft-Windows-PktMon", NS_PROVIDER_USE_PACKETS },
  [NS_PROVIDER_NDIS_WAN_CAPTURE] = { NS_GUID_NDIS_WAN_CAPTURE, "Microsoft-Windows-Ras-NdisWanPacketCapture", NS_PROVIDER_USE_PACKETS },
  [NS_PROVIDER_NETWORKING_CORRELATION] = { NS_GUID_NETWORKING_CORRELATION, "Microsoft-Windows-Networking-Correlation", NS_PROVIDER_USE_OTHER },
  [NS_PROVIDER_BITS_CLIENT] = { NS_GUID_BITS_CLIENT, "Microsoft-Windows-Bits-Client", NS_PROVIDER_USE_WORK },
  [NS_PROVIDER_CAPI2] = { NS_GUID_CAPI2, "Microsoft-Windows-CAPI2", NS_PROVIDER_USE_WORK },
  [NS_PROVIDER_SMB_CLIENT] = { NS_GUID_SMB_CLIENT, "Microsoft-Windows-SMBClient", NS_PROVIDER_USE_NETWORK },
  [NS_PROVIDER_RPC] = { NS_GUID_RPC, "Microsoft-Windows-RPC", NS_PROVIDER_USE_NETWORK },
  [NS_PROVIDER_SCHANNEL_EVENTS] = { NS_GUID_SCHANNEL_EVENTS, "Microsoft-Windows-Schannel-Events", NS_PROVIDER_USE_OTHER },
  [NS_PROVIDER_SCHANNEL] = { NS_GUID_SCHANNEL, "Schannel", NS_PROVIDER_USE_OTHER },
  [NS_PROVIDER_MSQUIC] = { NS_GUID_MSQUIC, "Microsoft-Quic", NS_PROVIDER_USE_WORK },
  [NS_PROVIDER_WINQUIC] = { NS_GUID_WINQUIC, "Microsoft-Windows-WinQuic", NS_PROVIDER_USE_WORK },
  [NS_PROVIDER_NCSI] = { NS_GUID_NCSI, "Microsoft-Windows-NCSI", NS_PROVIDER_USE_OTHER },
  [NS_PROVIDER_NETWORK_PROFILE] = { NS_GUID_NETWORK_PROFILE, "Microsoft-Windows-NetworkProfile", NS_PROVIDER_USE_OTHER },
  [NS_PROVIDER_NLASVC] = { NS_GUID_NLASVC, "Microsoft-Windows-NlaSvc", NS_PROVIDER_USE_OTHER },
  [NS_PROVIDER_DHCP_CLIENT] = { NS_GUID_DHCP_CLIENT, "Microsoft-Windows-Dhcp-Client", NS_PROVIDER_USE_OTHER },
  [NS_PROVIDER_DHCPV6_CLIENT] = { NS_GUID_DHCPV6_CLIENT, "Microsoft-Windows-DHCPv6-Client", NS_PROVIDER_USE_OTHER },
  [NS_PROVIDER_WLAN_AUTOCONFIG] = { NS_GUID_WLAN_AUTOCONFIG, "Microsoft-Windows-WLAN-AutoConfig", NS_PROVIDER_USE_OTHER },

  /* The kernel, and code that runs. */
  [NS_PROVIDER_KERNEL_PROCESS] = { NS_GUID_KERNEL_PROCESS, "Microsoft-Windows-Kernel-Process", NS_PROVIDER_USE_PROCESS },
  [NS_PROVIDER_KERNEL_POWER] = { NS_GUID_KERNEL_POWER, "Microsoft-Windows-Kernel-Power", NS_PROVIDER_USE_OTHER },
  [NS_PROVIDER_KERNEL_EVENT_TRACING] = { NS_GUID_KERNEL_EVENT_TRACING, "Microsoft-Windows-Kernel-EventTracing", NS_PROVIDER_USE_OTHER },
  [NS_PROVIDER_DOTNET_RUNTIME] = { NS_GUID_DOTNET_RUNTIME, "Microsoft-Windows-DotNETRuntime", NS_PROVIDER_USE_WORK },
  [NS_PROVIDER_DOTNET_RUNTIME_RUNDOWN] = { NS_GUID_DOTNET_RUNTIME_RUNDOWN, "Microsoft-Windows-DotNETRuntimeRundown", NS_PROVIDER_USE_WORK },
  [NS_PROVIDER_DOTNET_RUNTIME_PRIVATE] = { NS_GUID_DOTNET_RUNTIME_PRIVATE, "Microsoft-Windows-DotNETRuntimePrivate", NS_PROVIDER_USE_OTHER },
  [NS_PROVIDER_DOTNET_HTTP] = { NS_GUID_DOTNET_HTTP, "System.Net.Http", NS_PROVIDER_USE_NETWORK },
  [NS_PROVIDER_DOTNET_SOCKETS] = { NS_GUID_DOTNET_SOCKETS, "System.Net.Sockets", NS_PROVIDER_USE_NETWORK },
  [NS_PROVIDER_DOTNET_NAMES] = { NS_GUID_DOTNET_NAMES, "System.Net.NameResolution", NS_PROVIDER_USE_NAMES },
  [NS_PROVIDER_DOTNET_SECURITY] = { NS_GUID_DOTNET_SECURITY, "System.Net.Security", NS_PROVIDER_USE_NETWORK },
  [NS_PROVIDER_DOTNET_FRAMEWORK] = { NS_GUID_DOTNET_FRAMEWORK, "System.Diagnostics.Eventing.FrameworkEventSource", NS_PROVIDER_USE_WORK },
  [NS_PROVIDER_DOTNET_TASKS] = { NS_GUID_DOTNET_TASKS, "System.Threading.Tasks.TplEventSource", NS_PROVIDER_USE_WORK },
  [NS_PROVIDER_JSCRIPT] = { NS_GUID_JSCRIPT, "Microsoft-JScript", NS_PROVIDER_USE_WORK },
  [NS_PROVIDER_POWERSHELL] = { NS_GUID_POWERSHELL, "Microsoft-Windows-PowerShell", NS_PROVIDER_USE_OTHER },

  /* Programs. */
  [NS_PROVIDER_OFFICE_THREADPOOL] = { NS_GUID_OFFICE_THREADPOOL, "Microsoft-Office-Threadpool", NS_PROVIDER_USE_WORK },
  [NS_PROVIDER_OFFICE_DISPATCH_QUEUE] = { NS_GUID_OFFICE_DISPATCH_QUEUE, "OfficeDispatchQueue", NS_PROVIDER_USE_WORK },
  [NS_PROVIDER_OFFICE_EVENTS] = { NS_GUID_OFFICE_EVENTS, "Microsoft-Office-Events", NS_PROVIDER_USE_WORK },
  [NS_PROVIDER_CHROME] = { NS_GUID_CHROME, "Chrome", NS_PROVIDER_USE_NETWORK },
  [NS_PROVIDER_EDGE] = { NS_GUID_EDGE, "Edge", NS_PROVIDER_USE_NETWORK },
  [NS_PROVIDER_EDGE_BETA] = { NS_GUID_EDGE_BETA, "Edge Beta", NS_PROVIDER_USE_NETWORK },
  [NS_PROVIDER_EDGE_DEV] = { NS_GUID_EDGE_DEV, "Edge Dev", NS_PROVIDER_USE_NETWORK },
  [NS_PROVIDER_EDGE_CANARY] = { NS_GUID_EDGE_CANARY, "Edge Canary", NS_PROVIDER_USE_NETWORK },
  [NS_PROVIDER_EDGE_INTERNAL] = { NS_GUID_EDGE_INTERNAL, "Edge Internal", NS_PROVIDER_USE_NETWORK },
  [NS_PROVIDER_EDGE_WEBVIEW2] = { NS_GUID_EDGE_WEBVIEW2, "WebView2", NS_PROVIDER_USE_NETWORK },
  [NS_PROVIDER_TWAPI] = { NS_GUID_TWAPI, "TwapiETWEventClass", NS_PROVIDER_USE_OTHER },
};
/* clang-format on */

/**
 * ns_catalog_find:
 * @guid: GUID of a provider or of an event class
 *
 * Returns: its row of the catalogue, %NS_PROVIDER_UNKNOWN if it has none
 */
NsProviderId
ns_catalog_find (const NsGuid *guid)
{
  guint i;

  for (i = NS_PROVIDER_UNKNOWN + 1; i < NS_N_PROVIDERS; i++)
    if (ns_guid_equal (&providers[i].guid, guid))
      return i;
  return NS_PROVIDER_UNKNOWN;
}

/**
 * ns_catalog_find_name:
 * @name: name of a provider or of an event class; case does not matter
 *
 * Returns: its row of the catalogue, %NS_PROVIDER_UNKNOWN if it has none
 */
NsProviderId
ns_catalog_find_name (const char *name)
{
  guint i;

  for (i = NS_PROVIDER_UNKNOWN + 1; i < NS_N_PROVIDERS; i++)
    if (g_ascii_strcasecmp (providers[i].name, name) == 0)
      return i;
  return NS_PROVIDER_UNKNOWN;
}

/**
 * ns_catalog_get_guid:
 * @provider: a row of the catalogue
 *
 * Returns: (transfer none): its GUID; all zero for %NS_PROVIDER_UNKNOWN
 */
const NsGuid *
ns_catalog_get_guid (NsProviderId provider)
{
  g_return_val_if_fail (provider < NS_N_PROVIDERS, NULL);
  return &providers[provider].guid;
}

/**
 * ns_catalog_get_name:
 * @provider: a row of the catalogue
 *
 * Returns: (transfer none): its name as Windows or its maker writes it, "" for
 *   %NS_PROVIDER_UNKNOWN
 */
const char *
ns_catalog_get_name (NsProviderId provider)
{
  g_return_val_if_fail (provider < NS_N_PROVIDERS, NULL);
  return providers[provider].name;
}

/**
 * ns_catalog_get_use:
 * @provider: a row of the catalogue
 *
 * Returns: what its records are for
 */
NsProviderUse
ns_catalog_get_use (NsProviderId provider)
{
  g_return_val_if_fail (provider < NS_N_PROVIDERS, NS_PROVIDER_USE_OTHER);
  return providers[provider].use;
}
