/* Layouts of kernel events: the trace itself, processes, threads, images, stacks, disks, thread
 * pools. From the kernel event classes of the Windows SDK (MOF) and from real traces.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "schema/ns-schema-classic-data.h"

/* clang-format off */

#define PROCESS_2 \
  "ptr UniqueProcessKey pid ProcessId pid ParentId u32 SessionId i32 ExitStatus"
#define PROCESS_4 \
  PROCESS_2 " ptr DirectoryTableBase x32 Flags sid UserSID astr ImageFileName wstr CommandLine" \
  " wstr PackageFullName wstr ApplicationId"

#define PROCESS(op, name) \
  { NS_CLASSIC_PROCESS, op, 0, name, "ptr ProcessId ptr ParentId sid UserSID astr ImageFileName" }, \
  { NS_CLASSIC_PROCESS, op, 1, name, \
    "ptr PageDirectoryBase pid ProcessId pid ParentId u32 SessionId i32 ExitStatus sid UserSID" \
    " astr ImageFileName" }, \
  { NS_CLASSIC_PROCESS, op, 2, name, PROCESS_2 " sid UserSID astr ImageFileName wstr CommandLine" }, \
  { NS_CLASSIC_PROCESS, op, 3, name, \
    PROCESS_2 " ptr DirectoryTableBase sid UserSID astr ImageFileName wstr CommandLine" }, \
  { NS_CLASSIC_PROCESS, op, 4, name, PROCESS_4 }

#define PROCESS_COUNTERS \
  "pid ProcessId u32 PageFaultCount u32 HandleCount u32 Reserved ptr PeakVirtualSize" \
  " ptr PeakWorkingSetSize ptr PeakPagefileUsage ptr QuotaPeakPagedPoolUsage" \
  " ptr QuotaPeakNonPagedPoolUsage ptr VirtualSize ptr WorkingSetSize ptr PagefileUsage" \
  " ptr QuotaPagedPoolUsage ptr QuotaNonPagedPoolUsage ptr PrivatePageCount"

#define THREAD_STACKS "ptr StackBase ptr StackLimit ptr UserStackBase ptr UserStackLimit"
#define THREAD_0 "tid TThreadId pid ProcessId"
#define THREAD_IDS "pid ProcessId tid TThreadId"
#define THREAD_2 \
  THREAD_IDS " " THREAD_STACKS " ptr StartAddr ptr Win32StartAddr ptr TebBase x32 SubProcessTag"
#define THREAD_3 \
  THREAD_IDS " " THREAD_STACKS " ptr Affinity ptr Win32StartAddr ptr TebBase x32 SubProcessTag" \
  " u8 BasePriority u8 PagePriority u8 IoPriority u8 ThreadFlags wstr? ThreadName"

#define THREAD(op, name, one) \
  { NS_CLASSIC_THREAD, op, 0, name, THREAD_0 }, \
  { NS_CLASSIC_THREAD, op, 1, name, one }, \
  { NS_CLASSIC_THREAD, op, 2, name, THREAD_2 }, \
  { NS_CLASSIC_THREAD, op, 3, name, THREAD_3 }
#define THREAD_1 THREAD_IDS " " THREAD_STACKS " ptr StartAddr ptr Win32StartAddr i8 WaitMode"

#define CSWITCH_1 \
  "tid NewThreadId tid OldThreadId i8 NewThreadPriority i8 OldThreadPriority"

#define IMAGE(class_number, op, name) \
  { class_number, op, 0, name, "ptr BaseAddress u32 ModuleSize wstr FileName" }, \
  { class_number, op, 1, name, "ptr ImageBase ptr ImageSize pid ProcessId wstr FileName" }, \
  { class_number, op, 2, name, \
    "ptr ImageBase ptr ImageSize pid ProcessId x32 ImageChecksum x32 TimeDateStamp u8 SignatureLevel" \
    " u8 SignatureType u16 Reserved0 ptr DefaultBase u32 Reserved1 u32 Reserved2 u32 Reserved3" \
    " u32 Reserved4 wstr FileName" }

#define STACK_KEY_USE "u64 EventTimeStamp pid StackProcess tid StackThread ptr StackKey"
#define STACK_KEY "ptr StackKey ptr* Stack"

#define INTERVAL(op, name) \
  { NS_CLASSIC_PERF_INFO, op, 2, name, "u32 Source u32 NewInterval u32 OldInterval" }, \
  { NS_CLASSIC_PERF_INFO, op, 3, name, \
    "u32 Source u32 NewInterval u32 OldInterval wstr SourceName" }

#define DISK_TRANSFER \
  "u32 DiskNumber x32 IrpFlags u32 TransferSize u32 Reserved u64 ByteOffset ptr FileObject ptr Irp" \
  " u64 HighResResponseTime tid IssuingThreadId"
#define DISK_INIT "ptr Irp tid IssuingThreadId"

/* Versions of these rows are variants by the size of the payload: 2: according to the header; 1:
 * logged by a 32-bit program under a 64-bit header; 0: published by Windows 7. */
#define CALLBACK(p) \
  p " PoolId " p " TaskId " p " CallbackFunction " p " CallbackContext"
#define POOL(op, name, wide, narrow) \
  { NS_CLASSIC_THREAD_POOL, op, 1, name, narrow }, { NS_CLASSIC_THREAD_POOL, op, 2, name, wide }
#define POOL_CALLBACK(op, name) \
  POOL (op, name, CALLBACK ("ptr") " ptr? SubProcessTag", CALLBACK ("x32") " x32? SubProcessTag")
#define POOL_OLD(op, name, old) { NS_CLASSIC_THREAD_POOL, op, 0, name, old }

const NsClassicRow ns_classic_kernel_rows[] = {
  { NS_CLASSIC_EVENT_TRACE, 0, 0, "Header",
    "u32 BufferSize u8 MajorVersion u8 MinorVersion u8 SubVersion u8 SubMinorVersion"
    " u32 ProviderVersion u32 NumberOfProcessors ft EndTime u32 TimerResolution u32 MaximumFileSize"
    " x32 LogFileMode u32 BuffersWritten u32 StartBuffers u32 PointerSize u32 EventsLost u32 CPUSpeed"
    " ptr LoggerName ptr LogFileName i32 Bias w[32] StandardName st StandardDate i32 StandardBias"
    " w[32] DaylightName st DaylightDate i32 DaylightBias u32 Reserved ft BootTime u64 PerfFreq"
    " ft StartTime u32 ReservedFlags u32 BuffersLost wstr? SessionName wstr? FileName" },
  { NS_CLASSIC_EVENT_TRACE, 5, 0, "Extension", "x32[8] GroupMasks x32 KernelEventVersion" },
  { NS_CLASSIC_EVENT_TRACE, 8, 0, "RDComplete", "" },
  { NS_CLASSIC_EVENT_TRACE, 32, 0, "EndExtension", "x32[8] GroupMasks x32 KernelEventVersion" },
  { NS_CLASSIC_EVENT_TRACE, 64, 0, "DbgIdRSDS", "guid GuidSig u32 Age astr PdbFileName" },
  { NS_CLASSIC_EVENT_TRACE, 66, 0, "BuildInfo", "astr BuildString" },
  { NS_CLASSIC_EVENT_TRACE, 67, 0, "ProviderBinaryPath",
    "u32 GuidCount guid[#0] Guids wstr BinaryPath" },
  { NS_CLASSIC_EVENT_TRACE, 80, 0, "PartitionInfo",
    "u16 EventVersion u16 Reserved u32 PartitionType i64 QpcOffsetFromRoot guid PartitionId"
    " guid ParentId" },
  { NS_CLASSIC_EVENT_TRACE, 82, 0, "LastDroppedTimes", "u32 TimeCount u64[#0] Times" },

  PROCESS (1, "Start"),
  PROCESS (2, "End"),
  PROCESS (3, "DCStart"),
  PROCESS (4, "DCEnd"),
  IMAGE (NS_CLASSIC_PROCESS, 10, "Load"),
  { NS_CLASSIC_PROCESS, 11, 0, "Terminate", "pid ProcessId" },
  { NS_CLASSIC_PROCESS, 32, 0, "PerfCtr", PROCESS_COUNTERS },
  { NS_CLASSIC_PROCESS, 33, 0, "PerfCtrRundown", PROCESS_COUNTERS },
  PROCESS (39, "Defunct"),
  { NS_CLASSIC_PROCESS, 39, 5, "Defunct", PROCESS_4 " ft ExitTime" },

  THREAD (1, "Start", THREAD_1),
  THREAD (2, "End", THREAD_IDS),
  THREAD (3, "DCStart", THREAD_1),
  THREAD (4, "DCEnd", THREAD_IDS),
  { NS_CLASSIC_THREAD, 36, 0, "CSwitch",
    CSWITCH_1 " u8 NewThreadQuantum i8 OldThreadQuantum i8 OldThreadWaitReason i8 OldThreadWaitMode"
    " i8 OldThreadState i8 OldThreadWaitIdealProcessor u32? NewThreadWaitTime" },
  { NS_CLASSIC_THREAD, 36, 2, "CSwitch",
    CSWITCH_1 " u8 PreviousCState i8 Reserved i8 OldThreadWaitReason u8 OldThreadWaitMode"
    " i8 OldThreadState i8 OldThreadWaitIdealProcessor u32 NewThreadWaitTime"
    " i32? OldThreadRemainingQuantum" },
  { NS_CLASSIC_THREAD, 37, 0, "CompCS",
    "i64 FirstTimeStamp u32[16] TidTable i8[16] ThreadBasePriority" },
  { NS_CLASSIC_THREAD, 50, 0, "ReadyThread",
    "tid TThreadId i8 AdjustReason i8 AdjustIncrement u8 Flag u8 Reserved" },
  { NS_CLASSIC_THREAD, 69, 0, "SubProcessTagChanged", "x32 OldTag x32 NewTag" },
  { NS_CLASSIC_THREAD, 72, 0, "SetName", "pid ProcessId tid ThreadId wstr? ThreadName" },

  IMAGE (NS_CLASSIC_IMAGE, 2, "Unload"),
  IMAGE (NS_CLASSIC_IMAGE, 3, "DCStart"),
  IMAGE (NS_CLASSIC_IMAGE, 4, "DCEnd"),
  IMAGE (NS_CLASSIC_IMAGE, 10, "Load"),
  { NS_CLASSIC_IMAGE, 33, 0, "KernelBase", "ptr ImageBase" },
  { NS_CLASSIC_IMAGE, 34, 0, "HypercallPage", "x64 HypercallPageVa" },

  { NS_CLASSIC_STACK_WALK, 32, 0, "Stack",
    "u64 EventTimeStamp pid StackProcess tid StackThread ptr* Stack" },
  { NS_CLASSIC_STACK_WALK, 34, 0, "KeyCreate", STACK_KEY },
  { NS_CLASSIC_STACK_WALK, 35, 0, "KeyDelete", STACK_KEY },
  { NS_CLASSIC_STACK_WALK, 36, 0, "KeyRundown", STACK_KEY },
  { NS_CLASSIC_STACK_WALK, 37, 0, "KeyKernel", STACK_KEY_USE },
  { NS_CLASSIC_STACK_WALK, 38, 0, "KeyUser", STACK_KEY_USE },

  { NS_CLASSIC_PERF_INFO, 34, 0, "Mark", "astr Text" },
  { NS_CLASSIC_PERF_INFO, 46, 0, "SampleProf", "ptr InstructionPointer tid ThreadId u32 Count" },
  INTERVAL (72, "SetInterval"),
  INTERVAL (73, "CollectionStart"),
  INTERVAL (74, "CollectionEnd"),

  { NS_CLASSIC_DISK_IO, 10, 3, "Read", DISK_TRANSFER },
  { NS_CLASSIC_DISK_IO, 11, 3, "Write", DISK_TRANSFER },
  { NS_CLASSIC_DISK_IO, 12, 3, "ReadInit", DISK_INIT },
  { NS_CLASSIC_DISK_IO, 13, 3, "WriteInit", DISK_INIT },
  { NS_CLASSIC_DISK_IO, 14, 3, "FlushBuffers",
    "u32 DiskNumber x32 IrpFlags u64 HighResResponseTime ptr Irp tid IssuingThreadId" },
  { NS_CLASSIC_DISK_IO, 15, 3, "FlushInit", DISK_INIT },
  { NS_CLASSIC_PAGE_FAULT, 32, 2, "HardFault",
    "u64 InitialTime u64 ReadOffset ptr VirtualAddress ptr FileObject tid TThreadId u32 ByteCount" },
  { NS_CLASSIC_FILE_IO, 0, 2, "Name", "ptr FileObject wstr FileName" },
  { NS_CLASSIC_FILE_IO, 32, 2, "FileCreate", "ptr FileObject wstr FileName" },
  { NS_CLASSIC_FILE_IO, 35, 2, "FileDelete", "ptr FileObject wstr FileName" },
  { NS_CLASSIC_FILE_IO, 36, 2, "FileRundown", "ptr FileObject wstr FileName" },

  POOL_CALLBACK (32, "CallbackEnqueue"),
  POOL_OLD (33, "CallbackDequeue", "ptr TaskId"),
  POOL_CALLBACK (33, "CallbackDequeue"),
  POOL_CALLBACK (34, "CallbackStart"),
  POOL_OLD (35, "CallbackStop", "ptr TaskId"),
  POOL_CALLBACK (35, "CallbackStop"),
  POOL_OLD (36, "CallbackCancel", "ptr TaskId u32? CancelCount"),
  POOL (36, "CallbackCancel", CALLBACK ("ptr") " ptr SubProcessTag u32? CancelCount",
        CALLBACK ("x32") " x32 SubProcessTag u32? CancelCount"),
  POOL (37, "PoolCreate", "ptr PoolId", "x32 PoolId"),
  POOL (38, "PoolClose", "ptr PoolId", "x32 PoolId"),
  POOL (39, "ThreadMinSet", "ptr PoolId u32 ThreadNum", "x32 PoolId u32 ThreadNum"),
  POOL (40, "ThreadMaxSet", "ptr PoolId u32 ThreadNum", "x32 PoolId u32 ThreadNum"),
  POOL (41, "NodeSwitch",
        "ptr PoolId u32 CurrentNode u32 NextNode u16 CurrentGroup u16 NextGroup u32 CurrentWorkerCount"
        " u32 NextWorkerCount",
        "x32 PoolId u32 CurrentNode u32 NextNode u16 CurrentGroup u16 NextGroup u32 CurrentWorkerCount"
        " u32 NextWorkerCount"),
  POOL (42, "TimerSet",
        "i64 DueTime ptr SubQueue ptr Timer u32 Period u32 WindowLength u32 Absolute",
        "i64 DueTime x32 SubQueue x32 Timer u32 Period u32 WindowLength u32 Absolute"),
  POOL (43, "TimerCancel", "ptr SubQueue ptr Timer", "x32 SubQueue x32 Timer"),
  POOL (44, "TimerSetNTTimer", "i64 DueTime ptr SubQueue u32 TolerableDelay",
        "i64 DueTime x32 SubQueue u32 TolerableDelay"),
  POOL (45, "TimerCancelNTTimer", "ptr SubQueue", "x32 SubQueue"),
  POOL (46, "TimerExpireBegin", "ptr SubQueue", "x32 SubQueue"),
  POOL (47, "TimerExpireEnd", "ptr SubQueue", "x32 SubQueue"),
  POOL (48, "TimerExpiration", "i64 DueTime ptr SubQueue ptr Timer u32 Period u32 WindowLength",
        "i64 DueTime x32 SubQueue x32 Timer u32 Period u32 WindowLength"),
};
/* clang-format on */

const guint ns_classic_n_kernel_rows = G_N_ELEMENTS (ns_classic_kernel_rows);
