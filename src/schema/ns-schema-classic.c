/* The layouts of kernel and merge events, made from their tables when first asked for.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "schema/ns-schema-classic.h"

#include "schema/ns-schema-classic-data.h"
#include "schema/ns-schema-layout.h"

#include <string.h>

#define N_OPCODES 256
#define GROUP_THREAD_POOL 0x1c
#define OP_IMAGE_LOAD 10

/* Variants of a thread pool payload; see the table. */
enum
{
  POOL_OLD = 0,
  POOL_NARROW = 1,
  POOL_AS_HEADER = 2,
  POOL_FIRST_OP = 32,
  POOL_LAST_OP = 48,
  POOL_OP_DEQUEUE = 33,
  POOL_OP_STOP = 35,
  POOL_OP_CANCEL = 36,
};

typedef struct
{
  NsGuid guid;
  const char *name;
} Class;

/* clang-format off */
static const Class classes[NS_CLASSIC_N_CLASSES] = {
  [NS_CLASSIC_EVENT_TRACE] = { NS_GUID_INIT (0x68fdd900, 0x4a3e, 0x11d1, 0x84, 0xf4, 0x00, 0x00, 0xf8, 0x04, 0x64, 0xe3), "EventTrace" },
  [NS_CLASSIC_DISK_IO] = { NS_GUID_INIT (0x3d6fa8d4, 0xfe05, 0x11d0, 0x9d, 0xda, 0x00, 0xc0, 0x4f, 0xd7, 0xba, 0x7c), "DiskIo" },
  [NS_CLASSIC_PAGE_FAULT] = { NS_GUID_INIT (0x3d6fa8d3, 0xfe05, 0x11d0, 0x9d, 0xda, 0x00, 0xc0, 0x4f, 0xd7, 0xba, 0x7c), "PageFault" },
  [NS_CLASSIC_PROCESS] = { NS_GUID_INIT (0x3d6fa8d0, 0xfe05, 0x11d0, 0x9d, 0xda, 0x00, 0xc0, 0x4f, 0xd7, 0xba, 0x7c), "Process" },
  [NS_CLASSIC_FILE_IO] = { NS_GUID_INIT (0x90cbdc39, 0x4a3e, 0x11d1, 0x84, 0xf4, 0x00, 0x00, 0xf8, 0x04, 0x64, 0xe3), "FileIo" },
  [NS_CLASSIC_THREAD] = { NS_GUID_INIT (0x3d6fa8d1, 0xfe05, 0x11d0, 0x9d, 0xda, 0x00, 0xc0, 0x4f, 0xd7, 0xba, 0x7c), "Thread" },
  [NS_CLASSIC_TCP_IP] = { NS_GUID_INIT (0x9a280ac0, 0xc8e0, 0x11d1, 0x84, 0xe2, 0x00, 0xc0, 0x4f, 0xb9, 0x98, 0xa2), "TcpIp" },
  [NS_CLASSIC_JOB] = { NS_GUID_INIT (0x3282fc76, 0xfeed, 0x498e, 0x8a, 0xa7, 0xe7, 0x0f, 0x45, 0x9d, 0x43, 0x0e), "Job" },
  [NS_CLASSIC_UDP_IP] = { NS_GUID_INIT (0xbf3a50c5, 0xa9c9, 0x4988, 0xa0, 0x05, 0x2d, 0xf0, 0xb7, 0xc8, 0x0f, 0x80), "UdpIp" },
  [NS_CLASSIC_REGISTRY] = { NS_GUID_INIT (0xae53722e, 0xc863, 0x11d2, 0x86, 0x59, 0x00, 0xc0, 0x4f, 0xa3, 0x21, 0xa1), "Registry" },
  [NS_CLASSIC_DBG_PRINT] = { NS_GUID_INIT (0x13976d09, 0xa327, 0x438c, 0x95, 0x0b, 0x7f, 0x03, 0x19, 0x28, 0x15, 0xc7), "DbgPrint" },
  [NS_CLASSIC_SYSTEM_CONFIG] = { NS_GUID_INIT (0x01853a65, 0x418f, 0x4f36, 0xae, 0xfc, 0xdc, 0x0f, 0x1d, 0x2f, 0xd2, 0x35), "SystemConfig" },
  [NS_CLASSIC_SPARE] = { NS_GUID_INIT (0x99134383, 0x5248, 0x43fc, 0x83, 0x4b, 0x52, 0x94, 0x54, 0xe7, 0x5d, 0xf3), "Spare" },
  [NS_CLASSIC_WNF] = { NS_GUID_INIT (0x42695762, 0xea50, 0x497a, 0x90, 0x68, 0x5c, 0xbb, 0xb3, 0x5e, 0x0b, 0x95), "Wnf" },
  [NS_CLASSIC_POOL] = { NS_GUID_INIT (0x0268a8b6, 0x74fd, 0x4302, 0x9d, 0xd0, 0x6e, 0x8f, 0x17, 0x95, 0xc0, 0xcf), "Pool" },
  [NS_CLASSIC_PERF_INFO] = { NS_GUID_INIT (0xce1dbfb4, 0x137e, 0x4da6, 0x87, 0xb0, 0x3f, 0x59, 0xaa, 0x10, 0x2c, 0xbc), "PerfInfo" },
  [NS_CLASSIC_HEAP] = { NS_GUID_INIT (0x222962ab, 0x6180, 0x4b88, 0xa8, 0x25, 0x34, 0x6b, 0x75, 0xf2, 0xa2, 0x4a), "Heap" },
  [NS_CLASSIC_OBJECT] = { NS_GUID_INIT (0x89497f50, 0xeffe, 0x4440, 0x8c, 0xf2, 0xce, 0x6b, 0x1c, 0xdc, 0xac, 0xa7), "Object" },
  [NS_CLASSIC_POWER] = { NS_GUID_INIT (0xe43445e0, 0x0903, 0x48c3, 0xb8, 0x78, 0xff, 0x0f, 0xcc, 0xeb, 0xdd, 0x04), "Power" },
  [NS_CLASSIC_MOD_BOUND] = { NS_GUID_INIT (0xa9152f00, 0x3f58, 0x4bee, 0x92, 0xa1, 0x70, 0xc7, 0xd0, 0x79, 0xd5, 0xdd), "ModBound" },
  [NS_CLASSIC_IMAGE] = { NS_GUID_INIT (0x2cb15d1d, 0x5fc1, 0x11d2, 0xab, 0xe1, 0x00, 0xa0, 0xc9, 0x11, 0xf5, 0x18), "Image" },
  [NS_CLASSIC_DPC] = { NS_GUID_INIT (0xb2d14872, 0x7c5b, 0x463d, 0x84, 0x19, 0xee, 0x9b, 0xf7, 0xd2, 0x3e, 0x04), "DPC" },
  [NS_CLASSIC_GDI] = { NS_GUID_INIT (0x7687a439, 0xf752, 0x45b8, 0xb7, 0x41, 0x32, 0x1a, 0xec, 0x0f, 0x8d, 0xf9), "GDI" },
  [NS_CLASSIC_CRIT_SEC] = { NS_GUID_INIT (0x3ac66736, 0xcc59, 0x4cff, 0x81, 0x15, 0x8d, 0xf5, 0x0e, 0x39, 0x81, 0x6b), "CritSec" },
  [NS_CLASSIC_STACK_WALK] = { NS_GUID_INIT (0xdef2fe46, 0x7bd6, 0x4b80, 0xbd, 0x94, 0xf5, 0x7f, 0xe2, 0x0d, 0x0c, 0xe3), "StackWalk" },
  [NS_CLASSIC_UMS] = { NS_GUID_INIT (0x9aec974b, 0x5b8e, 0x4118, 0x9b, 0x92, 0x31, 0x86, 0xd8, 0x00, 0x2c, 0xe5), "UMS" },
  [NS_CLASSIC_ALPC] = { NS_GUID_INIT (0x45d8cccd, 0x539f, 0x4b72, 0xa8, 0xb7, 0x5c, 0x68, 0x31, 0x42, 0x60, 0x9a), "ALPC" },
  [NS_CLASSIC_SPLIT_IO] = { NS_GUID_INIT (0xd837ca92, 0x12b9, 0x44a5, 0xad, 0x6a, 0x3a, 0x65, 0xb3, 0x57, 0x8a, 0xa8), "SplitIo" },
  [NS_CLASSIC_THREAD_POOL] = { NS_GUID_INIT (0xc861d0e2, 0xa2c1, 0x4d36, 0x9f, 0x9c, 0x97, 0x0b, 0xab, 0x94, 0x3a, 0x12), "ThreadPool" },
  [NS_CLASSIC_HYPERVISOR] = { NS_GUID_INIT (0x7f2a405c, 0x69b5, 0x4bf9, 0xa1, 0xf5, 0x30, 0xe8, 0xf1, 0xaf, 0xab, 0x5e), "Hypervisor" },
  [NS_CLASSIC_HYPERVISOR_X] = { NS_GUID_INIT (0x2ce9a149, 0xeffe, 0x42f0, 0xa6, 0x35, 0xa1, 0xd3, 0x9e, 0x26, 0xc8, 0xf2), "HypervisorX" },
  [NS_CLASSIC_LOST_EVENT] = { NS_GUID_INIT (0x6a399ae0, 0x4bc6, 0x4de9, 0x87, 0x0b, 0x36, 0x57, 0xf8, 0x94, 0x7e, 0x7e), "LostEvent" },
  [NS_CLASSIC_IMAGE_ID] = { NS_GUID_INIT (0xb3e675d7, 0x2554, 0x4f18, 0x83, 0x0b, 0x27, 0x62, 0x73, 0x25, 0x60, 0xde), "ImageID" },
  [NS_CLASSIC_SYSTEM_CONFIG_EX] = { NS_GUID_INIT (0x9b79ee91, 0xb5fd, 0x41c0, 0xa2, 0x43, 0x42, 0x48, 0xe2, 0x66, 0xe9, 0xd0), "SystemConfigEx" },
  [NS_CLASSIC_WIN_SAT] = { NS_GUID_INIT (0xed54dff8, 0xc409, 0x4cf6, 0xbf, 0x83, 0x05, 0xe1, 0xe6, 0x1a, 0x09, 0xc4), "WinSat" },
  [NS_CLASSIC_EVENT_METADATA] = { NS_GUID_INIT (0xbbccf6c1, 0x6cd1, 0x48c4, 0x80, 0xff, 0x83, 0x94, 0x82, 0xe3, 0x76, 0x71), "EventMetadata" },
  [NS_CLASSIC_TWAPI] = { NS_GUID_INIT (0xd5b52e95, 0x8447, 0x40c1, 0xb3, 0x16, 0x53, 0x98, 0x94, 0x44, 0x9b, 0x36), "TwapiETWEventClass" },
};
/* clang-format on */

typedef struct
{
  const NsClassicRow *row;
  NsSchema schema;
} Known;

/* Rows of one class and opcode stand together, versions rising; 0 is none. */
typedef struct
{
  GArray *known; /* element-type Known */
  guint16 first[NS_CLASSIC_N_CLASSES][N_OPCODES];
} Tables;

static gsize tables = 0; /* Tables, made once and kept */

static void
add_rows (Tables *self, const NsClassicRow *rows, guint n_rows)
{
  guint i;

  for (i = 0; i < n_rows; i++)
    {
      const NsClassicRow *row = &rows[i];
      NsSchemaField fields[NS_SCHEMA_LAYOUT_MAX_FIELDS];
      guint n_fields = row->layout != NULL ? ns_schema_layout_parse (row->layout, fields) : 0;
      gboolean is_load = row->class_number == NS_CLASSIC_PROCESS && row->opcode == OP_IMAGE_LOAD;
      guint class_number = is_load ? (guint) NS_CLASSIC_IMAGE : row->class_number;
      Known known = { .row = row };
      char name[64];

      known.schema.source = row->layout != NULL ? NS_SCHEMA_BUILTIN : NS_SCHEMA_NONE;
      known.schema.provider_name = classes[row->class_number].name;
      known.schema.task_name = classes[class_number].name;
      known.schema.opcode_name = row->name;
      g_snprintf (name, sizeof name, "%s/%s", classes[class_number].name, row->name);
      known.schema.event_name = g_intern_string (name);
      known.schema.n_fields = n_fields;
      known.schema.n_top = n_fields;
      known.schema.fields = g_memdup2 (fields, n_fields * sizeof fields[0]);
      g_array_append_val (self->known, known);
      if (self->first[row->class_number][row->opcode] == 0)
        self->first[row->class_number][row->opcode] = (guint16) (self->known->len - 1);
    }
}

static const Tables *
get_tables (void)
{
  if (g_once_init_enter (&tables))
    {
      Tables *made = g_new0 (Tables, 1);

      made->known = g_array_new (FALSE, TRUE, sizeof (Known));
      g_array_set_size (made->known, 1);
      add_rows (made, ns_classic_kernel_rows, ns_classic_n_kernel_rows);
      add_rows (made, ns_classic_network_rows, ns_classic_n_network_rows);
      add_rows (made, ns_classic_merge_rows, ns_classic_n_merge_rows);
      add_rows (made, ns_classic_app_rows, ns_classic_n_app_rows);
      g_once_init_leave (&tables, (gsize) made);
    }
  return (const Tables *) tables;
}

static guint
find_class (const NsGuid *guid)
{
  guint i;

  for (i = 0; i < NS_CLASSIC_N_CLASSES; i++)
    if (ns_guid_equal (&classes[i].guid, guid))
      break;
  return i;
}

/**
 * ns_classic_class_name:
 * @guid: a kernel group or event class
 *
 * Returns: (transfer none) (nullable): its name
 */
const char *
ns_classic_class_name (const NsGuid *guid)
{
  guint i = find_class (guid);

  return i < NS_CLASSIC_N_CLASSES ? classes[i].name : NULL;
}

/* The row of the version, or the nearest lower one. */
static const NsSchema *
find_row (guint class_number, guint8 opcode, guint version)
{
  const Tables *self = get_tables ();
  guint first = self->first[class_number][opcode];
  const NsSchema *best = NULL;
  guint i;

  if (first == 0)
    return NULL;
  for (i = first; i < self->known->len; i++)
    {
      const Known *known = &g_array_index (self->known, Known, i);

      if (known->row->class_number != class_number || known->row->opcode != opcode ||
          known->row->version > version)
        break;
      best = &known->schema;
    }
  return best;
}

/* Least lengths of the layouts with pointers of 4 and of 8 bytes. */
static void
get_pool_lengths (guint8 opcode, guint32 *narrow, guint32 *wide)
{
  static const guint8 lengths[POOL_LAST_OP - POOL_FIRST_OP + 1][2] = {
    { 16, 32 }, { 16, 32 }, { 16, 32 }, { 16, 32 }, { 20, 40 }, { 4, 8 },
    { 4, 8 },   { 8, 12 },  { 8, 12 },  { 24, 28 }, { 28, 36 }, { 8, 16 },
    { 16, 20 }, { 4, 8 },   { 4, 8 },   { 4, 8 },   { 24, 32 },
  };

  *narrow = lengths[opcode - POOL_FIRST_OP][0];
  *wide = lengths[opcode - POOL_FIRST_OP][1];
}

/* Programs of either pointer size log these under whatever header the system has, so the length
 * decides.
 */
static const NsSchema *
find_pool (const NsRecord *record)
{
  gboolean has_old = record->opcode == POOL_OP_DEQUEUE || record->opcode == POOL_OP_STOP ||
                     record->opcode == POOL_OP_CANCEL;
  guint32 narrow;
  guint32 wide;

  if (record->opcode < POOL_FIRST_OP || record->opcode > POOL_LAST_OP)
    return NULL;
  get_pool_lengths (record->opcode, &narrow, &wide);
  if (record->payload_size >= (record->pointer_size == 4 ? narrow : wide))
    return find_row (NS_CLASSIC_THREAD_POOL, record->opcode, POOL_AS_HEADER);
  if (record->pointer_size != 4 && record->payload_size >= narrow)
    return find_row (NS_CLASSIC_THREAD_POOL, record->opcode, POOL_NARROW);
  if (has_old && record->payload_size >= record->pointer_size)
    return find_row (NS_CLASSIC_THREAD_POOL, record->opcode, POOL_OLD);
  return find_row (NS_CLASSIC_THREAD_POOL, record->opcode, POOL_AS_HEADER);
}

/**
 * ns_schema_classic_depends_on_size:
 * @record: a record
 *
 * Returns: %TRUE if records of its kind have more than one layout, told apart by their length
 */
gboolean
ns_schema_classic_depends_on_size (const NsRecord *record)
{
  if (record->flags & NS_RECORD_MANIFEST)
    return FALSE;
  if (record->flags & NS_RECORD_GROUP)
    return record->group == GROUP_THREAD_POOL && record->opcode >= POOL_FIRST_OP &&
           record->opcode <= POOL_LAST_OP;
  return record->opcode >= POOL_FIRST_OP && record->opcode <= POOL_LAST_OP &&
         ns_guid_equal (&record->guid, &classes[NS_CLASSIC_THREAD_POOL].guid);
}

/**
 * ns_schema_classic_find:
 * @record: a record of a kernel group or an event class
 *
 * Returns: (transfer none) (nullable): the layout of its version or of the nearest lower one
 */
const NsSchema *
ns_schema_classic_find (const NsRecord *record)
{
  guint class_number = find_class (&record->guid);

  if (class_number == NS_CLASSIC_THREAD_POOL)
    return find_pool (record);
  if (class_number == NS_CLASSIC_N_CLASSES)
    return NULL;
  return find_row (class_number, record->opcode, record->version & 0xff);
}
