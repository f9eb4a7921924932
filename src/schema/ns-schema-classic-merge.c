/* Layouts of events at the start of a kernel trace or added by a merge: images, system
 * configuration. From the kernel event classes of the Windows SDK (MOF) and from real traces; some
 * names are invented, as none is published.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "schema/ns-schema-classic-data.h"

/* clang-format off */

#define RSDS "ptr ImageBase pid ProcessId guid GuidSig u32 Age astr PdbFileName"
#define CPU_1 \
  "u32 MHz u32 NumberOfProcessors u32 MemSize u32 PageSize u32 AllocationGranularity" \
  " w[256] ComputerName"
#define NIC_1 \
  "w[256] NICName u32 Index u32 PhysicalAddrLen w[8] PhysicalAddr u32 Size ip4 IpAddress" \
  " ip4 SubnetMask ip4 DhcpServer ip4 Gateway ip4 PrimaryWinsServer ip4 SecondaryWinsServer" \
  " ip4 DnsServer1 ip4 DnsServer2 ip4 DnsServer3 ip4 DnsServer4 u32 Data"
#define SERVICES_2 \
  "pid ProcessId x32 ServiceState x32 SubProcessTag wstr ServiceName wstr DisplayName wstr ProcessName"
#define PNP_FILTERS(upper, lower) \
  " wstr DeviceId wstr DeviceDescription wstr FriendlyName wstr PdoName wstr ServiceName wstr[#" upper \
  "] UpperFilters wstr[#" lower "] LowerFilters"
#define CONFIG(op, name) { NS_CLASSIC_SYSTEM_CONFIG, op, 0, name, NULL }

const NsClassicRow ns_classic_merge_rows[] = {
  { NS_CLASSIC_LOST_EVENT, 32, 0, "RTLostEvent", "" },
  { NS_CLASSIC_LOST_EVENT, 33, 0, "RTLostBuffer", "" },
  { NS_CLASSIC_LOST_EVENT, 34, 0, "RTLostFile", "" },

  { NS_CLASSIC_IMAGE_ID, 0, 0, "Info",
    "ptr ImageBase ptr ImageSize pid ProcessId x32 TimeDateStamp wstr OriginalFileName" },
  { NS_CLASSIC_IMAGE_ID, 32, 0, "None", "ptr ImageBase pid ProcessId" },
  { NS_CLASSIC_IMAGE_ID, 34, 0, "DbgFile",
    "ptr ImageBase pid ProcessId x32 ImageChecksum x32 TimeDateStamp u32 SizeOfImage"
    " wstr DbgFileName" },
  { NS_CLASSIC_IMAGE_ID, 36, 0, "DbgID_RSDS", RSDS },
  { NS_CLASSIC_IMAGE_ID, 37, 0, "DbgID_ILRSDS", RSDS },
  { NS_CLASSIC_IMAGE_ID, 38, 0, "DbgPPDB",
    "ptr ImageBase pid ProcessId x32 TimeDateStamp u16 MajorVersion u16 MinorVersion" },
  { NS_CLASSIC_IMAGE_ID, 39, 0, "EmbeddedPPDB",
    "ptr ImageBase pid ProcessId x32 FormatVersion guid GuidSig u32 Age" },
  { NS_CLASSIC_IMAGE_ID, 40, 0, "Deterministic", "ptr ImageBase pid ProcessId" },
  { NS_CLASSIC_IMAGE_ID, 41, 0, "Unreadable", "wstr Reason" },
  { NS_CLASSIC_IMAGE_ID, 64, 0, "FileVersion",
    "u32 ImageSize x32 TimeDateStamp wstr OrigFileName wstr FileDescription wstr FileVersion"
    " wstr BinFileVersion wstr VerLanguage wstr ProductName wstr CompanyName wstr ProductVersion"
    " wstr FileId wstr ProgramId" },

  { NS_CLASSIC_SYSTEM_CONFIG_EX, 32, 0, "BuildInfo",
    "ft InstallDate wstr BuildLab wstr ProductName" },
  { NS_CLASSIC_SYSTEM_CONFIG_EX, 33, 0, "SystemPaths",
    "wstr SystemDirectory wstr WindowsDirectory" },
  { NS_CLASSIC_SYSTEM_CONFIG_EX, 34, 0, "UnknownVolume", "wstr NtPath" },
  { NS_CLASSIC_SYSTEM_CONFIG_EX, 35, 0, "VolumeMapping", "wstr NtPath wstr DosPath" },
  { NS_CLASSIC_SYSTEM_CONFIG_EX, 36, 0, "NetworkInterface",
    "x64 InterfaceLuid u32 InterfaceIndex guid InterfaceGuid w[257] Alias w[257] Description"
    " u32 PhysicalAddressLength b[32] PhysicalAddress b[32] PermanentPhysicalAddress u32 Mtu u32 Type"
    " u32 TunnelType u32 MediaType u32 PhysicalMediumType u32 AccessType u32 DirectionType"
    " x32 InterfaceAndOperStatusFlags u32 OperStatus u32 AdminStatus u32 MediaConnectState"
    " guid NetworkGuid u32 ConnectionType u32 Reserved u64 TransmitLinkSpeed u64 ReceiveLinkSpeed"
    " u64 InOctets u64 InUcastPkts u64 InNUcastPkts u64 InDiscards u64 InErrors u64 InUnknownProtos"
    " u64 InUcastOctets u64 InMulticastOctets u64 InBroadcastOctets u64 OutOctets u64 OutUcastPkts"
    " u64 OutNUcastPkts u64 OutDiscards u64 OutErrors u64 OutUcastOctets u64 OutMulticastOctets"
    " u64 OutBroadcastOctets u64 OutQLen" },
  { NS_CLASSIC_SYSTEM_CONFIG_EX, 37, 0, "DeviceFamily", "b[16] DeviceFamily" },

  { NS_CLASSIC_WIN_SAT, 33, 0, "Results", NULL },
  { NS_CLASSIC_WIN_SAT, 35, 0, "Results", NULL },
  { NS_CLASSIC_WIN_SAT, 37, 0, "Results", NULL },
  { NS_CLASSIC_EVENT_METADATA, 32, 0, "EventInfo",
    "guid ProviderGuid guid EventGuid u16 Id u8 Version u8 Channel u8 Level u8 Opcode u16 Task"
    " x64 Keyword u32 DecodingSource" },
  { NS_CLASSIC_EVENT_METADATA, 33, 0, "MapInfo",
    "guid ProviderGuid u32 NameOffset x32 Flag u32 EntryCount u32 ValueType" },

  { NS_CLASSIC_SYSTEM_CONFIG, 10, 0, "CPU", CPU_1 " w[132] DomainName ptr HyperThreadingFlag" },
  { NS_CLASSIC_SYSTEM_CONFIG, 10, 2, "CPU", CPU_1 " w[134] DomainName ptr HyperThreadingFlag" },
  { NS_CLASSIC_SYSTEM_CONFIG, 10, 3, "CPU",
    CPU_1 " w[134] DomainName ptr HyperThreadingFlag ptr HighestUserAddress u16 ProcessorArchitecture"
    " u16 ProcessorLevel u16 ProcessorRevision u8 NxEnabled u8 PaeEnabled u32 MemorySpeed" },
  { NS_CLASSIC_SYSTEM_CONFIG, 11, 2, "PhyDisk",
    "u32 DiskNumber u32 BytesPerSector u32 SectorsPerTrack u32 TracksPerCylinder u64 Cylinders"
    " u32 SCSIPort u32 SCSIPath u32 SCSITarget u32 SCSILun w[256] Manufacturer u32 PartitionCount"
    " u8 WriteCacheEnabled u8 Reserved w[3] BootDriveLetter w[2] Spare" },
  { NS_CLASSIC_SYSTEM_CONFIG, 12, 2, "LogDisk",
    "u64 StartOffset u64 PartitionSize u32 DiskNumber u32 Size u32 DriveType w[4] DriveLetterString"
    " u32 Reserved1 u32 PartitionNumber u32 SectorsPerCluster u32 BytesPerSector u32 Reserved2"
    " i64 NumberOfFreeClusters i64 TotalNumberOfClusters w[16] FileSystem u32 VolumeExt u32 Reserved3" },
  { NS_CLASSIC_SYSTEM_CONFIG, 13, 0, "NIC", NIC_1 },
  { NS_CLASSIC_SYSTEM_CONFIG, 13, 2, "NIC",
    "b[8] PhysicalAddr u32 PhysicalAddrLen u32 Ipv4Index u32 Ipv6Index wstr NICDescription"
    " wstr IpAddresses wstr DnsServerAddresses" },
  CONFIG (14, "Video"),
  { NS_CLASSIC_SYSTEM_CONFIG, 15, 2, "Services", SERVICES_2 },
  { NS_CLASSIC_SYSTEM_CONFIG, 15, 3, "Services",
    SERVICES_2 " wstr LoadOrderGroup wstr SvchostGroup" },
  { NS_CLASSIC_SYSTEM_CONFIG, 16, 2, "Power",
    "u8 S1 u8 S2 u8 S3 u8 S4 u8 S5 u8 Pad1 u8 Pad2 u8 Pad3" },
  { NS_CLASSIC_SYSTEM_CONFIG, 17, 2, "Network",
    "u32 TcbTablePartitions u32 MaxHashTableSize u32 MaxUserPort u32 TcpTimedWaitDelay" },
  CONFIG (18, "OpticalDisk"),
  CONFIG (19, "PhyDiskEx"),
  { NS_CLASSIC_SYSTEM_CONFIG, 21, 3, "IRQ",
    "x64 IRQAffinity u16 IRQGroup u16 Reserved u32 IRQNum u32 DeviceDescriptionLen"
    " wstr DeviceDescription" },
  { NS_CLASSIC_SYSTEM_CONFIG, 22, 3, "PnP",
    "u32 IDLength u32 DescriptionLength u32 FriendlyNameLength wstr DeviceId wstr DeviceDescription"
    " wstr FriendlyName" },
  { NS_CLASSIC_SYSTEM_CONFIG, 22, 4, "PnP",
    "guid ClassGuid u32 UpperFiltersCount u32 LowerFiltersCount" PNP_FILTERS ("1", "2") },
  { NS_CLASSIC_SYSTEM_CONFIG, 22, 5, "PnP",
    "guid ClassGuid u32 UpperFiltersCount u32 LowerFiltersCount x32 DevStatus u32 DevProblem"
    PNP_FILTERS ("1", "2") },
  { NS_CLASSIC_SYSTEM_CONFIG, 23, 2, "IDEChannel",
    "u32 TargetId u32 DeviceType u32 DeviceTimingMode u32 LocationInformationLen"
    " wstr LocationInformation" },
  CONFIG (24, "NumaNode"),
  { NS_CLASSIC_SYSTEM_CONFIG, 25, 2, "Platform",
    "wstr SystemManufacturer wstr SystemProductName wstr BiosDate wstr BiosVersion" },
  CONFIG (26, "ProcessorGroup"),
  CONFIG (27, "ProcessorNumber"),
  { NS_CLASSIC_SYSTEM_CONFIG, 28, 2, "DPI", "u32 MachineDPI u32 UserDPI" },
  CONFIG (29, "CodeIntegrity"),
  { NS_CLASSIC_SYSTEM_CONFIG, 30, 2, "MachineId", "guid MachineId" },
  CONFIG (31, "Defrag"),
  CONFIG (32, "MobilePlatform"),
  CONFIG (33, "DeviceFamily"),
  CONFIG (34, "FlightIds"),
  { NS_CLASSIC_SYSTEM_CONFIG, 35, 2, "Processor",
    "u32 ProcessorIndex x32 FeatureSet u32 ProcessorSpeed w[64] ProcessorName" },
  CONFIG (36, "Virtualization"),
  CONFIG (37, "Boot"),
};
/* clang-format on */

const guint ns_classic_n_merge_rows = G_N_ELEMENTS (ns_classic_merge_rows);
