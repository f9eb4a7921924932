/* The known providers and event classes: GUID, and row of the catalogue; no other file defines
 * them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-guid.h"

/* Sources: the manifests of Windows, evntrace.h and the kernel's MOF classes, the programs' own
 * documentation.
 */

/* clang-format off */

/* Kernel logger: event classes of wmicore.mof and evntrace.h. */
#define NS_GUID_EVENT_TRACE              NS_GUID_INIT (0x68fdd900, 0x4a3e, 0x11d1, 0x84, 0xf4, 0x00, 0x00, 0xf8, 0x04, 0x64, 0xe3) /* EventTrace */
#define NS_GUID_DISK_IO                  NS_GUID_INIT (0x3d6fa8d4, 0xfe05, 0x11d0, 0x9d, 0xda, 0x00, 0xc0, 0x4f, 0xd7, 0xba, 0x7c) /* DiskIo */
#define NS_GUID_PAGE_FAULT               NS_GUID_INIT (0x3d6fa8d3, 0xfe05, 0x11d0, 0x9d, 0xda, 0x00, 0xc0, 0x4f, 0xd7, 0xba, 0x7c) /* PageFault */
#define NS_GUID_PROCESS                  NS_GUID_INIT (0x3d6fa8d0, 0xfe05, 0x11d0, 0x9d, 0xda, 0x00, 0xc0, 0x4f, 0xd7, 0xba, 0x7c) /* Process */
#define NS_GUID_FILE_IO                  NS_GUID_INIT (0x90cbdc39, 0x4a3e, 0x11d1, 0x84, 0xf4, 0x00, 0x00, 0xf8, 0x04, 0x64, 0xe3) /* FileIo */
#define NS_GUID_THREAD                   NS_GUID_INIT (0x3d6fa8d1, 0xfe05, 0x11d0, 0x9d, 0xda, 0x00, 0xc0, 0x4f, 0xd7, 0xba, 0x7c) /* Thread */
#define NS_GUID_TCP_IP                   NS_GUID_INIT (0x9a280ac0, 0xc8e0, 0x11d1, 0x84, 0xe2, 0x00, 0xc0, 0x4f, 0xb9, 0x98, 0xa2) /* TcpIp */
#define NS_GUID_JOB                      NS_GUID_INIT (0x3282fc76, 0xfeed, 0x498e, 0x8a, 0xa7, 0xe7, 0x0f, 0x45, 0x9d, 0x43, 0x0e) /* Job */
#define NS_GUID_UDP_IP                   NS_GUID_INIT (0xbf3a50c5, 0xa9c9, 0x4988, 0xa0, 0x05, 0x2d, 0xf0, 0xb7, 0xc8, 0x0f, 0x80) /* UdpIp */
#define NS_GUID_REGISTRY                 NS_GUID_INIT (0xae53722e, 0xc863, 0x11d2, 0x86, 0x59, 0x00, 0xc0, 0x4f, 0xa3, 0x21, 0xa1) /* Registry */
#define NS_GUID_DBG_PRINT                NS_GUID_INIT (0x13976d09, 0xa327, 0x438c, 0x95, 0x0b, 0x7f, 0x03, 0x19, 0x28, 0x15, 0xc7) /* DbgPrint */
#define NS_GUID_SYSTEM_CONFIG            NS_GUID_INIT (0x01853a65, 0x418f, 0x4f36, 0xae, 0xfc, 0xdc, 0x0f, 0x1d, 0x2f, 0xd2, 0x35) /* SystemConfig */
#define NS_GUID_SPARE                    NS_GUID_INIT (0x99134383, 0x5248, 0x43fc, 0x83, 0x4b, 0x52, 0x94, 0x54, 0xe7, 0x5d, 0xf3) /* Spare */
#define NS_GUID_WNF                      NS_GUID_INIT (0x42695762, 0xea50, 0x497a, 0x90, 0x68, 0x5c, 0xbb, 0xb3, 0x5e, 0x0b, 0x95) /* Wnf */
#define NS_GUID_POOL                     NS_GUID_INIT (0x0268a8b6, 0x74fd, 0x4302, 0x9d, 0xd0, 0x6e, 0x8f, 0x17, 0x95, 0xc0, 0xcf) /* Pool */
#define NS_GUID_PERF_INFO                NS_GUID_INIT (0xce1dbfb4, 0x137e, 0x4da6, 0x87, 0xb0, 0x3f, 0x59, 0xaa, 0x10, 0x2c, 0xbc) /* PerfInfo */
#define NS_GUID_HEAP                     NS_GUID_INIT (0x222962ab, 0x6180, 0x4b88, 0xa8, 0x25, 0x34, 0x6b, 0x75, 0xf2, 0xa2, 0x4a) /* Heap */
#define NS_GUID_OBJECT                   NS_GUID_INIT (0x89497f50, 0xeffe, 0x4440, 0x8c, 0xf2, 0xce, 0x6b, 0x1c, 0xdc, 0xac, 0xa7) /* Object */
#define NS_GUID_POWER                    NS_GUID_INIT (0xe43445e0, 0x0903, 0x48c3, 0xb8, 0x78, 0xff, 0x0f, 0xcc, 0xeb, 0xdd, 0x04) /* Power */
#define NS_GUID_MOD_BOUND                NS_GUID_INIT (0xa9152f00, 0x3f58, 0x4bee, 0x92, 0xa1, 0x70, 0xc7, 0xd0, 0x79, 0xd5, 0xdd) /* ModBound */
#define NS_GUID_IMAGE                    NS_GUID_INIT (0x2cb15d1d, 0x5fc1, 0x11d2, 0xab, 0xe1, 0x00, 0xa0, 0xc9, 0x11, 0xf5, 0x18) /* Image */
#define NS_GUID_DPC                      NS_GUID_INIT (0xb2d14872, 0x7c5b, 0x463d, 0x84, 0x19, 0xee, 0x9b, 0xf7, 0xd2, 0x3e, 0x04) /* DPC */
#define NS_GUID_GDI                      NS_GUID_INIT (0x7687a439, 0xf752, 0x45b8, 0xb7, 0x41, 0x32, 0x1a, 0xec, 0x0f, 0x8d, 0xf9) /* GDI */
#define NS_GUID_CRIT_SEC                 NS_GUID_INIT (0x3ac66736, 0xcc59, 0x4cff, 0x81, 0x15, 0x8d, 0xf5, 0x0e, 0x39, 0x81, 0x6b) /* CritSec */
#define NS_GUID_STACK_WALK               NS_GUID_INIT (0xdef2fe46, 0x7bd6, 0x4b80, 0xbd, 0x94, 0xf5, 0x7f, 0xe2, 0x0d, 0x0c, 0xe3) /* StackWalk */
#define NS_GUID_UMS                      NS_GUID_INIT (0x9aec974b, 0x5b8e, 0x4118, 0x9b, 0x92, 0x31, 0x86, 0xd8, 0x00, 0x2c, 0xe5) /* UMS */
#define NS_GUID_ALPC                     NS_GUID_INIT (0x45d8cccd, 0x539f, 0x4b72, 0xa8, 0xb7, 0x5c, 0x68, 0x31, 0x42, 0x60, 0x9a) /* ALPC */
#define NS_GUID_SPLIT_IO                 NS_GUID_INIT (0xd837ca92, 0x12b9, 0x44a5, 0xad, 0x6a, 0x3a, 0x65, 0xb3, 0x57, 0x8a, 0xa8) /* SplitIo */
#define NS_GUID_THREAD_POOL              NS_GUID_INIT (0xc861d0e2, 0xa2c1, 0x4d36, 0x9f, 0x9c, 0x97, 0x0b, 0xab, 0x94, 0x3a, 0x12) /* ThreadPool */
#define NS_GUID_HYPERVISOR               NS_GUID_INIT (0x7f2a405c, 0x69b5, 0x4bf9, 0xa1, 0xf5, 0x30, 0xe8, 0xf1, 0xaf, 0xab, 0x5e) /* Hypervisor */
#define NS_GUID_HYPERVISOR_X             NS_GUID_INIT (0x2ce9a149, 0xeffe, 0x42f0, 0xa6, 0x35, 0xa1, 0xd3, 0x9e, 0x26, 0xc8, 0xf2) /* HypervisorX */
#define NS_GUID_LOST_EVENT               NS_GUID_INIT (0x6a399ae0, 0x4bc6, 0x4de9, 0x87, 0x0b, 0x36, 0x57, 0xf8, 0x94, 0x7e, 0x7e) /* LostEvent */

/* Added by tools when they merge a trace. */
#define NS_GUID_IMAGE_ID                 NS_GUID_INIT (0xb3e675d7, 0x2554, 0x4f18, 0x83, 0x0b, 0x27, 0x62, 0x73, 0x25, 0x60, 0xde) /* ImageID */
#define NS_GUID_SYSTEM_CONFIG_EX         NS_GUID_INIT (0x9b79ee91, 0xb5fd, 0x41c0, 0xa2, 0x43, 0x42, 0x48, 0xe2, 0x66, 0xe9, 0xd0) /* SystemConfigEx */
#define NS_GUID_WIN_SAT                  NS_GUID_INIT (0xed54dff8, 0xc409, 0x4cf6, 0xbf, 0x83, 0x05, 0xe1, 0xe6, 0x1a, 0x09, 0xc4) /* WinSat */
#define NS_GUID_EVENT_METADATA           NS_GUID_INIT (0xbbccf6c1, 0x6cd1, 0x48c4, 0x80, 0xff, 0x83, 0x94, 0x82, 0xe3, 0x76, 0x71) /* EventMetadata */

/* Windows networking. */
#define NS_GUID_TCPIP                    NS_GUID_INIT (0x2f07e2ee, 0x15db, 0x40f1, 0x90, 0xef, 0x9d, 0x7b, 0xa2, 0x82, 0x18, 0x8a) /* Microsoft-Windows-TCPIP */
#define NS_GUID_WINSOCK_AFD              NS_GUID_INIT (0xe53c6823, 0x7bb8, 0x44bb, 0x90, 0xdc, 0x3f, 0x86, 0x09, 0x0d, 0x48, 0xa6) /* Microsoft-Windows-Winsock-AFD */
#define NS_GUID_KERNEL_NETWORK           NS_GUID_INIT (0x7dd42a49, 0x5329, 0x4832, 0x8d, 0xfd, 0x43, 0xd9, 0x79, 0x15, 0x3a, 0x88) /* Microsoft-Windows-Kernel-Network */
#define NS_GUID_WEBIO                    NS_GUID_INIT (0x50b3e73c, 0x9370, 0x461d, 0xbb, 0x9f, 0x26, 0xf3, 0x2d, 0x68, 0x88, 0x7d) /* Microsoft-Windows-WebIO */
#define NS_GUID_WINHTTP                  NS_GUID_INIT (0x7d44233d, 0x3055, 0x4b9c, 0xba, 0x64, 0x0d, 0x47, 0xca, 0x40, 0xa2, 0x32) /* Microsoft-Windows-WinHttp */
#define NS_GUID_WININET                  NS_GUID_INIT (0x43d1a55c, 0x76d6, 0x4f7e, 0x99, 0x5c, 0x64, 0xc7, 0x11, 0xe5, 0xca, 0xfe) /* Microsoft-Windows-WinINet */
#define NS_GUID_WININET_CAPTURE          NS_GUID_INIT (0xa70ff94f, 0x570b, 0x4979, 0xba, 0x5c, 0xe5, 0x9c, 0x9f, 0xea, 0xb6, 0x1b) /* Microsoft-Windows-WinINet-Capture */
#define NS_GUID_URLMON                   NS_GUID_INIT (0x245f975d, 0x909d, 0x49ed, 0xb8, 0xf9, 0x9a, 0x75, 0x69, 0x1d, 0x6b, 0x6b) /* Microsoft-Windows-URLMon */
#define NS_GUID_LDAP_CLIENT              NS_GUID_INIT (0x099614a5, 0x5dd7, 0x4788, 0x8b, 0xc9, 0xe2, 0x9f, 0x43, 0xdb, 0x28, 0xfc) /* Microsoft-Windows-LDAP-Client */
#define NS_GUID_HTTP_SERVICE             NS_GUID_INIT (0xdd5ef90a, 0x6398, 0x47a4, 0xad, 0x34, 0x4d, 0xce, 0xcd, 0xef, 0x79, 0x5f) /* Microsoft-Windows-HttpService */
#define NS_GUID_DNS_CLIENT               NS_GUID_INIT (0x1c95126e, 0x7eea, 0x49a9, 0xa3, 0xfe, 0xa3, 0x78, 0xb0, 0x3d, 0xdb, 0x4d) /* Microsoft-Windows-DNS-Client */
#define NS_GUID_WINSOCK_NAME_RESOLUTION  NS_GUID_INIT (0x55404e71, 0x4db9, 0x4deb, 0xa5, 0xf5, 0x8f, 0x86, 0xe4, 0x6d, 0xde, 0x56) /* Microsoft-Windows-Winsock-NameResolution */
#define NS_GUID_WFP                      NS_GUID_INIT (0x0c478c5b, 0x0351, 0x41b1, 0x8c, 0x58, 0x4a, 0x67, 0x37, 0xda, 0x32, 0xe3) /* Microsoft-Windows-WFP */
#define NS_GUID_NDIS_PACKET_CAPTURE      NS_GUID_INIT (0x2ed6006e, 0x4729, 0x4609, 0xb4, 0x23, 0x3e, 0xe7, 0xbc, 0xd6, 0x78, 0xef) /* Microsoft-Windows-NDIS-PacketCapture */
#define NS_GUID_PKTMON                   NS_GUID_INIT (0x4d4f80d9, 0xc8bd, 0x4d73, 0xbb, 0x5b, 0x19, 0xc9, 0x04, 0x02, 0xc5, 0xac) /* Microsoft-Windows-PktMon */
#define NS_GUID_NDIS_WAN_CAPTURE         NS_GUID_INIT (0xd84521f7, 0x2235, 0x4237, 0xa7, 0xc0, 0x14, 0xe3, 0xa9, 0x67, 0x62, 0x86) /* Microsoft-Windows-Ras-NdisWanPacketCapture */
#define NS_GUID_NETWORKING_CORRELATION   NS_GUID_INIT (0x83ed54f0, 0x4d48, 0x4e45, 0xb1, 0x6e, 0x72, 0x6f, 0xfd, 0x1f, 0xa4, 0xaf) /* Microsoft-Windows-Networking-Correlation */
#define NS_GUID_NCSI                     NS_GUID_INIT (0x314de49f, 0xce63, 0x4779, 0xba, 0x2b, 0xd6, 0x16, 0xf6, 0x96, 0x3a, 0x88) /* Microsoft-Windows-NCSI */
#define NS_GUID_NETWORK_PROFILE          NS_GUID_INIT (0xfbcfac3f, 0x8459, 0x419f, 0x8e, 0x48, 0x1f, 0x0b, 0x49, 0xcd, 0xb8, 0x5e) /* Microsoft-Windows-NetworkProfile */
#define NS_GUID_NLASVC                   NS_GUID_INIT (0x63b530f8, 0x29c9, 0x4880, 0xa5, 0xb4, 0xb8, 0x17, 0x90, 0x96, 0xe7, 0xb8) /* Microsoft-Windows-NlaSvc */
#define NS_GUID_DHCP_CLIENT              NS_GUID_INIT (0x15a7a4f8, 0x0072, 0x4eab, 0xab, 0xad, 0xf9, 0x8a, 0x4d, 0x66, 0x6a, 0xed) /* Microsoft-Windows-Dhcp-Client */
#define NS_GUID_DHCPV6_CLIENT            NS_GUID_INIT (0x6a1f2b00, 0x6a90, 0x4c38, 0x95, 0xa5, 0x5c, 0xab, 0x3b, 0x05, 0x67, 0x78) /* Microsoft-Windows-DHCPv6-Client */
#define NS_GUID_WLAN_AUTOCONFIG          NS_GUID_INIT (0x9580d7dd, 0x0379, 0x4658, 0x98, 0x70, 0xd5, 0xbe, 0x7d, 0x52, 0xd6, 0xde) /* Microsoft-Windows-WLAN-AutoConfig */
#define NS_GUID_BITS_CLIENT              NS_GUID_INIT (0xef1cc15b, 0x46c1, 0x414e, 0xbb, 0x95, 0xe7, 0x6b, 0x07, 0x7b, 0xd5, 0x1e) /* Microsoft-Windows-Bits-Client */
#define NS_GUID_CAPI2                    NS_GUID_INIT (0x5bbca4a8, 0xb209, 0x48dc, 0xa8, 0xc7, 0xb2, 0x3d, 0x3e, 0x52, 0x16, 0xfb) /* Microsoft-Windows-CAPI2 */
#define NS_GUID_SMB_CLIENT               NS_GUID_INIT (0x988c59c5, 0x0a1c, 0x45b6, 0xa5, 0x55, 0x0c, 0x62, 0x27, 0x6e, 0x32, 0x7d) /* Microsoft-Windows-SMBClient */
#define NS_GUID_RPC                      NS_GUID_INIT (0x6ad52b32, 0xd609, 0x4be9, 0xae, 0x07, 0xce, 0x8d, 0xae, 0x93, 0x7e, 0x39) /* Microsoft-Windows-RPC */
#define NS_GUID_SCHANNEL_EVENTS          NS_GUID_INIT (0x91cc1150, 0x71aa, 0x47e2, 0xae, 0x18, 0xc9, 0x6e, 0x61, 0x73, 0x6b, 0x6f) /* Microsoft-Windows-Schannel-Events */
#define NS_GUID_SCHANNEL                 NS_GUID_INIT (0x1f678132, 0x5938, 0x4686, 0x9f, 0xdc, 0xc8, 0xff, 0x68, 0xf1, 0x5c, 0x85) /* Schannel */
#define NS_GUID_MSQUIC                   NS_GUID_INIT (0xff15e657, 0x4f26, 0x570e, 0x88, 0xab, 0x07, 0x96, 0xb2, 0x58, 0xd1, 0x1c) /* Microsoft-Quic */
#define NS_GUID_WINQUIC                  NS_GUID_INIT (0x2bcfefe5, 0x5026, 0x536b, 0x16, 0x86, 0xb2, 0x49, 0xcb, 0x49, 0xca, 0xe3) /* Microsoft-Windows-WinQuic */

/* The kernel, and code execution. */
#define NS_GUID_KERNEL_PROCESS           NS_GUID_INIT (0x22fb2cd6, 0x0e7b, 0x422b, 0xa0, 0xc7, 0x2f, 0xad, 0x1f, 0xd0, 0xe7, 0x16) /* Microsoft-Windows-Kernel-Process */
#define NS_GUID_KERNEL_POWER             NS_GUID_INIT (0x331c3b3a, 0x2005, 0x44c2, 0xac, 0x5e, 0x77, 0x22, 0x0c, 0x37, 0xd6, 0xb4) /* Microsoft-Windows-Kernel-Power */
#define NS_GUID_KERNEL_EVENT_TRACING     NS_GUID_INIT (0xb675ec37, 0xbdb6, 0x4648, 0xbc, 0x92, 0xf3, 0xfd, 0xc7, 0x4d, 0x3c, 0xa2) /* Microsoft-Windows-Kernel-EventTracing */
#define NS_GUID_DOTNET_RUNTIME           NS_GUID_INIT (0xe13c0d23, 0xccbc, 0x4e12, 0x93, 0x1b, 0xd9, 0xcc, 0x2e, 0xee, 0x27, 0xe4) /* Microsoft-Windows-DotNETRuntime */
#define NS_GUID_DOTNET_RUNTIME_RUNDOWN   NS_GUID_INIT (0xa669021c, 0xc450, 0x4609, 0xa0, 0x35, 0x5a, 0xf5, 0x9a, 0xf4, 0xdf, 0x18) /* Microsoft-Windows-DotNETRuntimeRundown */
#define NS_GUID_DOTNET_RUNTIME_PRIVATE   NS_GUID_INIT (0x763fd754, 0x7086, 0x4dfe, 0x95, 0xeb, 0xc0, 0x1a, 0x46, 0xfa, 0xf4, 0xca) /* Microsoft-Windows-DotNETRuntimePrivate */
#define NS_GUID_DOTNET_HTTP              NS_GUID_INIT (0xd30b5633, 0x7ef1, 0x5485, 0xb4, 0xe0, 0x94, 0x97, 0x9b, 0x10, 0x20, 0x68) /* System.Net.Http */
#define NS_GUID_DOTNET_SOCKETS           NS_GUID_INIT (0xd5b2e7d4, 0xb6ec, 0x50ae, 0x7c, 0xde, 0xaf, 0x89, 0x42, 0x7a, 0xd2, 0x1f) /* System.Net.Sockets */
#define NS_GUID_DOTNET_NAMES             NS_GUID_INIT (0x4b326142, 0xbfb5, 0x5ed3, 0x85, 0x85, 0x77, 0x14, 0x18, 0x1d, 0x14, 0xb0) /* System.Net.NameResolution */
#define NS_GUID_DOTNET_SECURITY          NS_GUID_INIT (0x7beee6b1, 0xe3fa, 0x5ddb, 0x34, 0xbe, 0x14, 0x04, 0xad, 0x0e, 0x25, 0x20) /* System.Net.Security */
#define NS_GUID_DOTNET_FRAMEWORK         NS_GUID_INIT (0x8e9f5090, 0x2d75, 0x4d03, 0x8a, 0x81, 0xe5, 0xaf, 0xbf, 0x85, 0xda, 0xf1) /* System.Diagnostics.Eventing.FrameworkEventSource */
#define NS_GUID_DOTNET_TASKS             NS_GUID_INIT (0x2e5dba47, 0xa3d2, 0x4d16, 0x8e, 0xe0, 0x66, 0x71, 0xff, 0xdc, 0xd7, 0xb5) /* System.Threading.Tasks.TplEventSource */
#define NS_GUID_JSCRIPT                  NS_GUID_INIT (0x57277741, 0x3638, 0x4a4b, 0xbd, 0xba, 0x0a, 0xc6, 0xe4, 0x5d, 0xa5, 0x6c) /* Microsoft-JScript */
#define NS_GUID_POWERSHELL               NS_GUID_INIT (0xa0c1853b, 0x5c40, 0x4b15, 0x87, 0x66, 0x3c, 0xf1, 0xc5, 0x8f, 0x98, 0x5a) /* Microsoft-Windows-PowerShell */

/* Programs. */
#define NS_GUID_OFFICE_THREADPOOL        NS_GUID_INIT (0xa019725f, 0xcff1, 0x47e8, 0x8c, 0x9e, 0x8f, 0xe2, 0x63, 0x5b, 0x63, 0x88) /* Microsoft-Office-Threadpool */
#define NS_GUID_OFFICE_DISPATCH_QUEUE    NS_GUID_INIT (0x559a5658, 0x8100, 0x4d84, 0xb7, 0x56, 0x0a, 0x47, 0xa4, 0x76, 0x28, 0x0c) /* OfficeDispatchQueue */
#define NS_GUID_OFFICE_EVENTS            NS_GUID_INIT (0x8736922d, 0xe8b2, 0x47eb, 0x85, 0x64, 0x23, 0xe7, 0x7e, 0x72, 0x8c, 0xf3) /* Microsoft-Office-Events */
#define NS_GUID_CHROME                   NS_GUID_INIT (0xd2d578d9, 0x2936, 0x45b6, 0xa0, 0x9f, 0x30, 0xe3, 0x27, 0x15, 0xf4, 0x2d) /* Chrome */
#define NS_GUID_EDGE                     NS_GUID_INIT (0x3a5f2396, 0x5c8f, 0x4f1f, 0x9b, 0x67, 0x6c, 0xca, 0x6c, 0x99, 0x0e, 0x61) /* Edge */
#define NS_GUID_EDGE_BETA                NS_GUID_INIT (0xbd089baa, 0x4e52, 0x4794, 0xa8, 0x87, 0x9e, 0x96, 0x86, 0x85, 0x70, 0xd2) /* Edge Beta */
#define NS_GUID_EDGE_DEV                 NS_GUID_INIT (0xd30b5c9f, 0xb58f, 0x4dc9, 0xaf, 0xaf, 0x13, 0x44, 0x05, 0xd7, 0x21, 0x07) /* Edge Dev */
#define NS_GUID_EDGE_CANARY              NS_GUID_INIT (0xc56b8664, 0x45c5, 0x4e65, 0xb3, 0xc7, 0xa8, 0xd6, 0xbd, 0x3f, 0x2e, 0x67) /* Edge Canary */
#define NS_GUID_EDGE_INTERNAL            NS_GUID_INIT (0x49c85e08, 0xe8a5, 0x49d6, 0x81, 0xea, 0x72, 0x70, 0x53, 0x1e, 0xc8, 0xaf) /* Edge Internal */
#define NS_GUID_EDGE_WEBVIEW2            NS_GUID_INIT (0xe16ec3d2, 0xbb0f, 0x4e8f, 0xbd, 0xb8, 0xde, 0x0b, 0xea, 0x82, 0xdc, 0x3d) /* WebView2 */
#define NS_GUID_TWAPI                    NS_GUID_INIT (0xd5b52e95, 0x8447, 0x40c1, 0xb3, 0x16, 0x53, 0x98, 0x94, 0x44, 0x9b, 0x36) /* TwapiETWEventClass */

/* One row per provider, which engine/catalog reads: its name here (NS_GUID_…, NS_PROVIDER_…), its
 * name in Windows, and what its records are for (NS_PROVIDER_USE_…). */
#define NS_PROVIDER_ROWS(ROW)                                                       \
  /* Kernel logger: event classes of wmicore.mof and evntrace.h. */                 \
  ROW (EVENT_TRACE, "EventTrace", HEADER)                                           \
  ROW (DISK_IO, "DiskIo", OTHER)                                                    \
  ROW (PAGE_FAULT, "PageFault", OTHER)                                              \
  ROW (PROCESS, "Process", PROCESS)                                                 \
  ROW (FILE_IO, "FileIo", OTHER)                                                    \
  ROW (THREAD, "Thread", PROCESS)                                                   \
  ROW (TCP_IP, "TcpIp", FLOWS)                                                      \
  ROW (JOB, "Job", OTHER)                                                           \
  ROW (UDP_IP, "UdpIp", FLOWS)                                                      \
  ROW (REGISTRY, "Registry", OTHER)                                                 \
  ROW (DBG_PRINT, "DbgPrint", OTHER)                                                \
  ROW (SYSTEM_CONFIG, "SystemConfig", MACHINE)                                      \
  ROW (SPARE, "Spare", OTHER)                                                       \
  ROW (WNF, "Wnf", OTHER)                                                           \
  ROW (POOL, "Pool", OTHER)                                                         \
  ROW (PERF_INFO, "PerfInfo", OTHER)                                                \
  ROW (HEAP, "Heap", OTHER)                                                         \
  ROW (OBJECT, "Object", OTHER)                                                     \
  ROW (POWER, "Power", OTHER)                                                       \
  ROW (MOD_BOUND, "ModBound", OTHER)                                                \
  ROW (IMAGE, "Image", PROCESS)                                                     \
  ROW (DPC, "DPC", OTHER)                                                           \
  ROW (GDI, "GDI", OTHER)                                                           \
  ROW (CRIT_SEC, "CritSec", OTHER)                                                  \
  ROW (STACK_WALK, "StackWalk", STACKS)                                             \
  ROW (UMS, "UMS", OTHER)                                                           \
  ROW (ALPC, "ALPC", OTHER)                                                         \
  ROW (SPLIT_IO, "SplitIo", OTHER)                                                  \
  ROW (THREAD_POOL, "ThreadPool", WORK)                                             \
  ROW (HYPERVISOR, "Hypervisor", OTHER)                                             \
  ROW (HYPERVISOR_X, "HypervisorX", OTHER)                                          \
  ROW (LOST_EVENT, "LostEvent", OTHER)                                              \
  /* Added by tools when they merge a trace. */                                     \
  ROW (IMAGE_ID, "ImageID", PROCESS)                                                \
  ROW (SYSTEM_CONFIG_EX, "SystemConfigEx", MACHINE)                                 \
  ROW (WIN_SAT, "WinSat", OTHER)                                                    \
  ROW (EVENT_METADATA, "EventMetadata", DESCRIPTION)                                \
  /* Windows networking. */                                                         \
  ROW (TCPIP, "Microsoft-Windows-TCPIP", NETWORK)                                   \
  ROW (WINSOCK_AFD, "Microsoft-Windows-Winsock-AFD", NETWORK)                       \
  ROW (KERNEL_NETWORK, "Microsoft-Windows-Kernel-Network", FLOWS)                   \
  ROW (WEBIO, "Microsoft-Windows-WebIO", NETWORK)                                   \
  ROW (WINHTTP, "Microsoft-Windows-WinHttp", WORK)                                  \
  ROW (WININET, "Microsoft-Windows-WinINet", NETWORK)                               \
  ROW (WININET_CAPTURE, "Microsoft-Windows-WinINet-Capture", NETWORK)               \
  ROW (URLMON, "Microsoft-Windows-URLMon", NETWORK)                                 \
  ROW (LDAP_CLIENT, "Microsoft-Windows-LDAP-Client", NETWORK)                       \
  ROW (HTTP_SERVICE, "Microsoft-Windows-HttpService", NETWORK)                      \
  ROW (DNS_CLIENT, "Microsoft-Windows-DNS-Client", NAMES)                           \
  ROW (WINSOCK_NAME_RESOLUTION, "Microsoft-Windows-Winsock-NameResolution", NAMES)  \
  ROW (WFP, "Microsoft-Windows-WFP", OTHER)                                         \
  ROW (NDIS_PACKET_CAPTURE, "Microsoft-Windows-NDIS-PacketCapture", PACKETS)        \
  ROW (PKTMON, "Microsoft-Windows-PktMon", PACKETS)                                 \
  ROW (NDIS_WAN_CAPTURE, "Microsoft-Windows-Ras-NdisWanPacketCapture", PACKETS)     \
  ROW (NETWORKING_CORRELATION, "Microsoft-Windows-Networking-Correlation", OTHER)   \
  ROW (BITS_CLIENT, "Microsoft-Windows-Bits-Client", WORK)                          \
  ROW (CAPI2, "Microsoft-Windows-CAPI2", WORK)                                      \
  ROW (SMB_CLIENT, "Microsoft-Windows-SMBClient", NETWORK)                          \
  ROW (RPC, "Microsoft-Windows-RPC", NETWORK)                                       \
  ROW (SCHANNEL_EVENTS, "Microsoft-Windows-Schannel-Events", OTHER)                 \
  ROW (SCHANNEL, "Schannel", OTHER)                                                 \
  ROW (MSQUIC, "Microsoft-Quic", WORK)                                              \
  ROW (WINQUIC, "Microsoft-Windows-WinQuic", WORK)                                  \
  ROW (NCSI, "Microsoft-Windows-NCSI", OTHER)                                       \
  ROW (NETWORK_PROFILE, "Microsoft-Windows-NetworkProfile", OTHER)                  \
  ROW (NLASVC, "Microsoft-Windows-NlaSvc", OTHER)                                   \
  ROW (DHCP_CLIENT, "Microsoft-Windows-Dhcp-Client", OTHER)                         \
  ROW (DHCPV6_CLIENT, "Microsoft-Windows-DHCPv6-Client", OTHER)                     \
  ROW (WLAN_AUTOCONFIG, "Microsoft-Windows-WLAN-AutoConfig", OTHER)                 \
  /* The kernel, and code execution. */                                             \
  ROW (KERNEL_PROCESS, "Microsoft-Windows-Kernel-Process", PROCESS)                 \
  ROW (KERNEL_POWER, "Microsoft-Windows-Kernel-Power", OTHER)                       \
  ROW (KERNEL_EVENT_TRACING, "Microsoft-Windows-Kernel-EventTracing", OTHER)        \
  ROW (DOTNET_RUNTIME, "Microsoft-Windows-DotNETRuntime", WORK)                     \
  ROW (DOTNET_RUNTIME_RUNDOWN, "Microsoft-Windows-DotNETRuntimeRundown", WORK)      \
  ROW (DOTNET_RUNTIME_PRIVATE, "Microsoft-Windows-DotNETRuntimePrivate", OTHER)     \
  ROW (DOTNET_HTTP, "System.Net.Http", NETWORK)                                     \
  ROW (DOTNET_SOCKETS, "System.Net.Sockets", NETWORK)                               \
  ROW (DOTNET_NAMES, "System.Net.NameResolution", NAMES)                            \
  ROW (DOTNET_SECURITY, "System.Net.Security", NETWORK)                             \
  ROW (DOTNET_FRAMEWORK, "System.Diagnostics.Eventing.FrameworkEventSource", WORK)  \
  ROW (DOTNET_TASKS, "System.Threading.Tasks.TplEventSource", WORK)                 \
  ROW (JSCRIPT, "Microsoft-JScript", WORK)                                          \
  ROW (POWERSHELL, "Microsoft-Windows-PowerShell", OTHER)                           \
  /* Programs. */                                                                   \
  ROW (OFFICE_THREADPOOL, "Microsoft-Office-Threadpool", WORK)                      \
  ROW (OFFICE_DISPATCH_QUEUE, "OfficeDispatchQueue", WORK)                          \
  ROW (OFFICE_EVENTS, "Microsoft-Office-Events", WORK)                              \
  ROW (CHROME, "Chrome", NETWORK)                                                   \
  ROW (EDGE, "Edge", NETWORK)                                                       \
  ROW (EDGE_BETA, "Edge Beta", NETWORK)                                             \
  ROW (EDGE_DEV, "Edge Dev", NETWORK)                                               \
  ROW (EDGE_CANARY, "Edge Canary", NETWORK)                                         \
  ROW (EDGE_INTERNAL, "Edge Internal", NETWORK)                                     \
  ROW (EDGE_WEBVIEW2, "WebView2", NETWORK)                                          \
  ROW (TWAPI, "TwapiETWEventClass", OTHER)
/* clang-format on */
