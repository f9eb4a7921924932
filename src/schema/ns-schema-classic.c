/* Layouts of kernel and merge events; each is created from its table on first use by a trace.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "etl/ns-provider-guids.h"
#include "schema/ns-schema-classic.h"

#include "schema/ns-schema-classic-data.h"
#include "schema/ns-schema-layout.h"

#include <string.h>

#define N_OPCODES 256
#define GROUP_THREAD_POOL 0x1c
#define OP_IMAGE_LOAD 10

/* Variants of a thread-pool payload; see the table. */
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
  [NS_CLASSIC_EVENT_TRACE] = { NS_GUID_EVENT_TRACE, "EventTrace" },
  [NS_CLASSIC_DISK_IO] = { NS_GUID_DISK_IO, "DiskIo" },
  [NS_CLASSIC_PAGE_FAULT] = { NS_GUID_PAGE_FAULT, "PageFault" },
  [NS_CLASSIC_PROCESS] = { NS_GUID_PROCESS, "Process" },
  [NS_CLASSIC_FILE_IO] = { NS_GUID_FILE_IO, "FileIo" },
  [NS_CLASSIC_THREAD] = { NS_GUID_THREAD, "Thread" },
  [NS_CLASSIC_TCP_IP] = { NS_GUID_TCP_IP, "TcpIp" },
  [NS_CLASSIC_JOB] = { NS_GUID_JOB, "Job" },
  [NS_CLASSIC_UDP_IP] = { NS_GUID_UDP_IP, "UdpIp" },
  [NS_CLASSIC_REGISTRY] = { NS_GUID_REGISTRY, "Registry" },
  [NS_CLASSIC_DBG_PRINT] = { NS_GUID_DBG_PRINT, "DbgPrint" },
  [NS_CLASSIC_SYSTEM_CONFIG] = { NS_GUID_SYSTEM_CONFIG, "SystemConfig" },
  [NS_CLASSIC_SPARE] = { NS_GUID_SPARE, "Spare" },
  [NS_CLASSIC_WNF] = { NS_GUID_WNF, "Wnf" },
  [NS_CLASSIC_POOL] = { NS_GUID_POOL, "Pool" },
  [NS_CLASSIC_PERF_INFO] = { NS_GUID_PERF_INFO, "PerfInfo" },
  [NS_CLASSIC_HEAP] = { NS_GUID_HEAP, "Heap" },
  [NS_CLASSIC_OBJECT] = { NS_GUID_OBJECT, "Object" },
  [NS_CLASSIC_POWER] = { NS_GUID_POWER, "Power" },
  [NS_CLASSIC_MOD_BOUND] = { NS_GUID_MOD_BOUND, "ModBound" },
  [NS_CLASSIC_IMAGE] = { NS_GUID_IMAGE, "Image" },
  [NS_CLASSIC_DPC] = { NS_GUID_DPC, "DPC" },
  [NS_CLASSIC_GDI] = { NS_GUID_GDI, "GDI" },
  [NS_CLASSIC_CRIT_SEC] = { NS_GUID_CRIT_SEC, "CritSec" },
  [NS_CLASSIC_STACK_WALK] = { NS_GUID_STACK_WALK, "StackWalk" },
  [NS_CLASSIC_UMS] = { NS_GUID_UMS, "UMS" },
  [NS_CLASSIC_ALPC] = { NS_GUID_ALPC, "ALPC" },
  [NS_CLASSIC_SPLIT_IO] = { NS_GUID_SPLIT_IO, "SplitIo" },
  [NS_CLASSIC_THREAD_POOL] = { NS_GUID_THREAD_POOL, "ThreadPool" },
  [NS_CLASSIC_HYPERVISOR] = { NS_GUID_HYPERVISOR, "Hypervisor" },
  [NS_CLASSIC_HYPERVISOR_X] = { NS_GUID_HYPERVISOR_X, "HypervisorX" },
  [NS_CLASSIC_LOST_EVENT] = { NS_GUID_LOST_EVENT, "LostEvent" },
  [NS_CLASSIC_IMAGE_ID] = { NS_GUID_IMAGE_ID, "ImageID" },
  [NS_CLASSIC_SYSTEM_CONFIG_EX] = { NS_GUID_SYSTEM_CONFIG_EX, "SystemConfigEx" },
  [NS_CLASSIC_WIN_SAT] = { NS_GUID_WIN_SAT, "WinSat" },
  [NS_CLASSIC_EVENT_METADATA] = { NS_GUID_EVENT_METADATA, "EventMetadata" },
  [NS_CLASSIC_TWAPI] = { NS_GUID_TWAPI, "TwapiETWEventClass" },
};
/* clang-format on */

typedef struct
{
  const NsClassicRow *row;
  NsSchema *schema; /* NULL: not created yet */
} Known;

struct _NsSchemaClassic
{
  GArray *known; /* (element-type Known) */
  /* First row of a class and opcode; its rows are consecutive, sorted by version. 0: none. */
  guint16 first[NS_CLASSIC_N_CLASSES][N_OPCODES];
};

static void
add_rows (NsSchemaClassic *self, const NsClassicRow *rows, guint n_rows)
{
  guint i;

  for (i = 0; i < n_rows; i++)
    {
      const NsClassicRow *row = &rows[i];
      Known known = { .row = row };

      g_array_append_val (self->known, known);
      if (self->first[row->class_number][row->opcode] == 0)
        self->first[row->class_number][row->opcode] = (guint16) (self->known->len - 1);
    }
}

static void
describe (NsSchema *schema, const NsClassicRow *row)
{
  NsSchemaField fields[NS_SCHEMA_LAYOUT_MAX_FIELDS];
  guint n_fields = row->layout != NULL ? ns_schema_layout_parse (row->layout, fields) : 0;
  gboolean is_load = row->class_number == NS_CLASSIC_PROCESS && row->opcode == OP_IMAGE_LOAD;
  guint class_number = is_load ? (guint) NS_CLASSIC_IMAGE : row->class_number;
  char name[64];

  schema->source = row->layout != NULL ? NS_SCHEMA_BUILTIN : NS_SCHEMA_NONE;
  schema->provider_name = classes[row->class_number].name;
  schema->task_name = classes[class_number].name;
  schema->opcode_name = row->name;
  g_snprintf (name, sizeof name, "%s/%s", classes[class_number].name, row->name);
  schema->event_name = g_intern_string (name);
  schema->n_fields = n_fields;
  schema->n_top = n_fields;
  schema->fields = g_memdup2 (fields, n_fields * sizeof fields[0]);
}

static void
known_clear (gpointer data)
{
  Known *self = data;

  if (self->schema != NULL)
    g_free ((NsSchemaField *) self->schema->fields);
  g_free (self->schema);
}

/**
 * ns_schema_classic_new:
 *
 * Returns: (transfer full): the layouts, for one thread at a time
 */
NsSchemaClassic *
ns_schema_classic_new (void)
{
  NsSchemaClassic *self = g_new0 (NsSchemaClassic, 1);

  self->known = g_array_new (FALSE, TRUE, sizeof (Known));
  g_array_set_clear_func (self->known, known_clear);
  g_array_set_size (self->known, 1);
  add_rows (self, ns_classic_kernel_rows, ns_classic_n_kernel_rows);
  add_rows (self, ns_classic_network_rows, ns_classic_n_network_rows);
  add_rows (self, ns_classic_merge_rows, ns_classic_n_merge_rows);
  add_rows (self, ns_classic_app_rows, ns_classic_n_app_rows);
  return self;
}

/**
 * ns_schema_classic_free:
 * @self: (transfer full) (nullable): layouts
 */
void
ns_schema_classic_free (NsSchemaClassic *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->known);
  g_free (self);
}

/* Returns the schema of a row, created on first use: a trace has events of few rows. */
static const NsSchema *
get_schema (Known *known)
{
  if (known->schema == NULL)
    {
      known->schema = g_new0 (NsSchema, 1);
      describe (known->schema, known->row);
    }
  return known->schema;
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

/* Returns the row of the version, or else of the nearest lower one. */
static const NsSchema *
find_row (NsSchemaClassic *self, guint class_number, guint8 opcode, guint version)
{
  guint first = self->first[class_number][opcode];
  Known *best = NULL;
  guint i;

  if (first == 0)
    return NULL;
  for (i = first; i < self->known->len; i++)
    {
      Known *known = &g_array_index (self->known, Known, i);

      if (known->row->class_number != class_number || known->row->opcode != opcode ||
          known->row->version > version)
        break;
      best = known;
    }
  return best != NULL ? get_schema (best) : NULL;
}

/* Gets the minimum sizes of the layouts with pointers of 4 and of 8 bytes. */
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

/* Returns the layout by the size of the payload: 32-bit programs log under the header of the
 * 64-bit system. */
static const NsSchema *
find_pool (NsSchemaClassic *self, const NsRecord *record)
{
  gboolean has_old = record->opcode == POOL_OP_DEQUEUE || record->opcode == POOL_OP_STOP ||
                     record->opcode == POOL_OP_CANCEL;
  guint32 narrow;
  guint32 wide;

  if (record->opcode < POOL_FIRST_OP || record->opcode > POOL_LAST_OP)
    return NULL;
  get_pool_lengths (record->opcode, &narrow, &wide);
  if (record->payload_size >= (record->pointer_size == 4 ? narrow : wide))
    return find_row (self, NS_CLASSIC_THREAD_POOL, record->opcode, POOL_AS_HEADER);
  if (record->pointer_size != 4 && record->payload_size >= narrow)
    return find_row (self, NS_CLASSIC_THREAD_POOL, record->opcode, POOL_NARROW);
  if (has_old && record->payload_size >= record->pointer_size)
    return find_row (self, NS_CLASSIC_THREAD_POOL, record->opcode, POOL_OLD);
  return find_row (self, NS_CLASSIC_THREAD_POOL, record->opcode, POOL_AS_HEADER);
}

/**
 * ns_schema_classic_depends_on_size:
 * @record: a record
 *
 * Returns: %TRUE if records of its kind have several layouts, which differ in size
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
 * @self: layouts
 * @record: a record of a kernel group or an event class
 *
 * Returns: (transfer none) (nullable): the layout of its version or of the nearest lower one,
 *   valid as long as @self
 */
const NsSchema *
ns_schema_classic_find (NsSchemaClassic *self, const NsRecord *record)
{
  guint class_number = find_class (&record->guid);

  if (class_number == NS_CLASSIC_THREAD_POOL)
    return find_pool (self, record);
  if (class_number == NS_CLASSIC_N_CLASSES)
    return NULL;
  return find_row (self, class_number, record->opcode, record->version & 0xff);
}
