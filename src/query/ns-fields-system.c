/* The fields of processes, threads, images and providers.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/system/ns-providers.h"
#include "engine/system/ns-sched.h"
#include "query/ns-field-get.h"

#include <glib/gi18n-lib.h>

#define PROC(member) NS_FIELD_AT (NS_TABLE_PROCESSES, NsProcessRow, member)
#define PROC2(first, second) NS_FIELD_AT2 (NS_TABLE_PROCESSES, NsProcessRow, first, second)
#define THREAD(member) NS_FIELD_AT (NS_TABLE_THREADS, NsThreadRow, member)
#define THREAD2(first, second) NS_FIELD_AT2 (NS_TABLE_THREADS, NsThreadRow, first, second)
#define IMAGE(member) NS_FIELD_AT (NS_TABLE_IMAGES, NsImageRow, member)
#define IMAGE2(first, second) NS_FIELD_AT2 (NS_TABLE_IMAGES, NsImageRow, first, second)
#define PROV(member) NS_FIELD_AT (NS_TABLE_PROVIDERS, NsProviderRow, member)

static void
get_exit_status (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsProcessRow *process = ns_field_get_row (trace, row, field);

  value->v.u = process->exit_status;
  value->is_null = !process->has_exit_status;
}

static void
get_name_with_pid (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsProcessRow *process = ns_field_get_row (trace, row, field);

  ns_field_take_text (value,
                      process->name == NS_STRING_NONE
                          ? g_strdup_printf ("(%u)", process->pid)
                          : g_strdup_printf ("%s (%u)",
                                             ns_trace_text (trace, process->name),
                                             process->pid));
}

static void
get_provider_name (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  ns_field_set_chars (value, ns_providers_get_name (trace, ns_field_get_row (trace, row, field)));
}

/* Sets the process of a thread or an image. */
static void
set_process (const NsTrace *trace, NsRow process, NsFieldValue *value)
{
  NsString name = NS_STRING_NONE;

  if (process != 0 && process <= trace->processes->len)
    name = NS_ROW_AT (trace->processes, NsProcessRow, process)->name;
  ns_field_set_chars (value, name == NS_STRING_NONE ? NULL : ns_trace_text (trace, name));
}

static void
get_thread_process (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsThreadRow *thread = ns_field_get_row (trace, row, field);

  set_process (trace, thread->process, value);
}

static void
get_image_process (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsImageRow *image = ns_field_get_row (trace, row, field);

  set_process (trace, image->process, value);
}

static void
get_image_age (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsImageRow *image = ns_field_get_row (trace, row, field);

  value->v.u = image->age;
  value->is_null = !image->has_guid;
}

/* Gets the percentage of events with a stack; 0 only if none has one, and 100 only if all have. */
static void
get_stack_percent (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsProviderRow *provider = ns_field_get_row (trace, row, field);
  guint64 n_events = provider->n_events;
  guint64 n_stacks = MIN (provider->n_stacks, n_events);

  value->is_null = n_events == 0;
  if (n_stacks == 0 || n_stacks == n_events)
    value->v.u = n_stacks == 0 ? 0 : 100;
  else
    value->v.u = CLAMP ((guint64) (100.0 * (double) n_stacks / (double) n_events + 0.5), 1, 99);
}

/* clang-format off */
static const NsField processes_fields[] = {
  NS_FIELD ("id", N_("Row"), N_("Number of the row; the same file always gives the same numbers"), UINT, 68, 0, ns_get_id, PROC (pid)),
  NS_FIELD ("pid", N_("PID"), N_("Process identifier"), UINT, 68, 0, ns_get_known_u32, PROC (pid)),
  NS_FIELD ("name", N_("Process Name"), N_("File name of the process"), TEXT, 120, 0, ns_get_string, PROC (name)),
  NS_FIELD ("path", N_("Path"), N_("Path of its file"), TEXT, 260, 4, ns_get_string, PROC (path)),
  NS_FIELD ("command_line", N_("Command Line"), N_("Command line that started it"), TEXT, 386, 5, ns_get_string, PROC (command_line)),
  NS_FIELD ("parent_pid", N_("Parent PID"), N_("Process that started it"), UINT, 76, 2, ns_get_known_u32, PROC (parent_pid)),
  NS_FIELD ("package", N_("Package"), N_("Application package it belongs to"), TEXT, 180, 3, ns_get_string, PROC (package)),
  NS_FIELD ("session_id", N_("Session"), N_("Number of the logon session"), UINT, 66, 0, ns_get_known_u32, PROC (session_id)),
  NS_FIELD ("pointer_size", N_("Pointer (B)"), N_("Size of its pointers: 4 or 8"), UINT, 66, 0, ns_get_nonzero_u8, PROC (pointer_size)),
  NS_FIELD ("start_ns", N_("Start (s)"), N_("When it was started"), TIME, 84, 8, ns_get_time, PROC (start_ns)),
  NS_FIELD ("end_ns", N_("End (s)"), N_("When it ended"), TIME, 84, 9, ns_get_time, PROC (end_ns)),
  NS_FIELD ("before_trace", N_("Before Trace"), N_("It was already running when the trace began"), BOOL, 76, 0, ns_get_bool, PROC (before_trace)),
  NS_FIELD ("events", N_("Events"), N_("Number of records that it wrote"), COUNT, 76, 6, ns_get_u64, PROC (n_events)),
  NS_FIELD ("app_id", N_("Application"), N_("Application inside its package"), TEXT, 150, 0, ns_get_string, PROC (app_id)),
  NS_FIELD ("user_sid", N_("User"), N_("Security identifier of its user"), TEXT, 220, 0, ns_get_string, PROC (user_sid)),
  NS_FIELD ("exit_status", N_("Exit Status"), N_("Exit status of the process"), UINT, 84, 0, get_exit_status, PROC (exit_status)),
  NS_FIELD ("unique_key", N_("Unique Key"), N_("Pointer of the process"), HEX, 148, 0, ns_get_nonzero_u64, PROC (unique_key)),
  NS_FIELD ("duration_ns", N_("Duration (ms)"), N_("Time from its start to its end, or to the end of the trace"), DURATION, 90, 7, ns_get_duration, PROC2 (start_ns, end_ns)),
  NS_FIELD ("from_list", N_("From List"), N_("The trace does not report it: its name is from the capture kit's list of processes"), BOOL, 76, 0, ns_get_bool, PROC (from_list)),
  NS_COLUMN ("process_pid", N_("Process"), N_("The process and its identifier"), TEXT, 150, 1, get_name_with_pid, PROC (pid)),
  NS_INPUT_COLUMN (PROC2 (start_ns, end_ns)),
  NS_MACHINE_COLUMN (PROC (pid)),
};

/* Gets the begin of the wait of a thread that may be deadlocked. */
static void
get_stuck_since (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsThreadRow *thread = ns_field_get_row (trace, row, field);
  const GArray *stuck = ns_sched_get_stuck (trace);
  guint i;

  value->is_null = TRUE;
  for (i = 0; stuck != NULL && i < stuck->len && value->is_null; i++)
    {
      const NsSchedStuck *one = &g_array_index (stuck, NsSchedStuck, i);

      if (one->tid == thread->tid && one->pid == thread->pid)
        ns_field_set_time (value, one->since_ns);
    }
}

static const NsField threads_fields[] = {
  NS_FIELD ("id", N_("Row"), N_("Number of the row; the same file always gives the same numbers"), UINT, 68, 0, ns_get_id, THREAD (tid)),
  NS_FIELD ("tid", N_("Thread"), N_("Thread identifier"), UINT, 68, 2, ns_get_known_u32, THREAD (tid)),
  NS_FIELD ("pid", N_("PID"), N_("Process identifier"), UINT, 68, 0, ns_get_known_u32, THREAD (pid)),
  NS_FIELD ("process", N_("Process Name"), N_("File name of the process"), TEXT, 120, 0, get_thread_process, THREAD (process)),
  NS_FIELD ("name", N_("Name"), N_("Name that the program gave it"), TEXT, 150, 3, ns_get_string, THREAD (name)),
  NS_FIELD ("start_address", N_("Start Address"), N_("Address at which its code starts"), HEX, 148, 4, ns_get_nonzero_u64, THREAD (start_address)),
  NS_FIELD ("creator_pid", N_("Creator PID"), N_("Process that created it"), UINT, 84, 0, ns_get_known_u32, THREAD (creator_pid)),
  NS_FIELD ("creator_tid", N_("Creator Thread"), N_("Thread that created it"), UINT, 90, 5, ns_get_known_u32, THREAD (creator_tid)),
  NS_FIELD ("start_ns", N_("Start (s)"), N_("When it was started"), TIME, 84, 8, ns_get_time, THREAD (start_ns)),
  NS_FIELD ("end_ns", N_("End (s)"), N_("When it ended"), TIME, 84, 9, ns_get_time, THREAD (end_ns)),
  NS_FIELD ("before_trace", N_("Before Trace"), N_("It was already running when the trace began"), BOOL, 76, 0, ns_get_bool, THREAD (before_trace)),
  NS_FIELD ("events", N_("Events"), N_("Number of records that it wrote"), COUNT, 76, 6, ns_get_u64, THREAD (n_events)),
  NS_FIELD ("duration_ns", N_("Duration (ms)"), N_("Time from its start to its end, or to the end of the trace"), DURATION, 90, 7, ns_get_duration, THREAD2 (start_ns, end_ns)),
  NS_COLUMN ("stuck_since_ns", N_("Stuck Since (s)"), N_("Possibly stuck: start of a wait that lasted until the end of the trace, as for another thread of the process"), TIME, 100, 0, get_stuck_since, THREAD (tid)),
  NS_COLUMN ("process_pid", N_("Process"), N_("The process and its identifier"), TEXT, 150, 1, ns_get_process_with_pid, THREAD2 (pid, start_ns)),
  NS_INPUT_COLUMN (THREAD2 (start_ns, end_ns)),
  NS_MACHINE_COLUMN (THREAD2 (pid, start_ns)),
};

static const NsField images_fields[] = {
  NS_FIELD ("id", N_("Row"), N_("Number of the row; the same file always gives the same numbers"), UINT, 68, 0, ns_get_id, IMAGE (pid)),
  NS_FIELD ("pid", N_("PID"), N_("Process identifier"), UINT, 68, 0, ns_get_known_u32, IMAGE (pid)),
  NS_FIELD ("process", N_("Process Name"), N_("File name of the process"), TEXT, 120, 0, get_image_process, IMAGE (process)),
  NS_FIELD ("base", N_("Base"), N_("Address at which it was loaded"), HEX, 148, 3, ns_get_u64, IMAGE (base)),
  NS_FIELD ("size", N_("Size (B)"), N_("Size in memory"), BYTES, 90, 4, ns_get_u64, IMAGE (size)),
  NS_FIELD ("name", N_("Name"), N_("Name of its file"), TEXT, 150, 2, ns_get_string, IMAGE (name)),
  NS_FIELD ("path", N_("Path"), N_("Path of its file"), TEXT, 386, 5, ns_get_string, IMAGE (path)),
  NS_FIELD ("timestamp", N_("Time Stamp"), N_("Linker time stamp"), UINT, 90, 0, ns_get_nonzero_u32, IMAGE (timestamp)),
  NS_FIELD ("checksum", N_("Checksum"), N_("Checksum of its header"), UINT, 90, 0, ns_get_nonzero_u32, IMAGE (checksum)),
  NS_FIELD ("load_ns", N_("Load (s)"), N_("When it was loaded"), TIME, 84, 7, ns_get_time, IMAGE (load_ns)),
  NS_FIELD ("unload_ns", N_("Unload (s)"), N_("When it was unloaded"), TIME, 84, 8, ns_get_time, IMAGE (unload_ns)),
  NS_FIELD ("before_trace", N_("Before Trace"), N_("It was already loaded when the trace began"), BOOL, 76, 0, ns_get_bool, IMAGE (before_trace)),
  NS_FIELD ("pdb", N_("PDB"), N_("File that contains its symbols"), TEXT, 150, 6, ns_get_string, IMAGE (pdb)),
  NS_FIELD ("guid", N_("PDB GUID"), N_("GUID of the matching symbol file"), GUID, 260, 0, ns_get_guid, IMAGE (guid)),
  NS_FIELD ("age", N_("PDB Age"), N_("Age (revision) of the matching symbol file"), UINT, 66, 0, get_image_age, IMAGE (age)),
  NS_FIELD ("kernel", N_("Kernel"), N_("Part of the kernel or a driver"), BOOL, 66, 0, ns_get_bool, IMAGE (is_kernel)),
  NS_COLUMN ("process_pid", N_("Process"), N_("The process and its identifier"), TEXT, 150, 1, ns_get_process_with_pid, IMAGE2 (pid, load_ns)),
  NS_INPUT_COLUMN (IMAGE2 (load_ns, unload_ns)),
  NS_MACHINE_COLUMN (IMAGE2 (pid, load_ns)),
};

static const NsField providers_fields[] = {
  NS_FIELD ("guid", N_("GUID"), N_("Identifier of the provider"), GUID, 260, 10, ns_get_guid, PROV (guid)),
  NS_FIELD ("name", N_("Provider"), N_("Name of the provider"), TEXT, 222, 1, get_provider_name, PROV (name)),
  NS_FIELD ("kind", N_("Kind"), N_("Format of its event descriptions"), TEXT, 90, 2, ns_get_chars, PROV (kind)),
  NS_FIELD ("schema", N_("Fields From"), N_("Source of its event schemas"), TEXT, 90, 3, ns_get_chars, PROV (schema)),
  NS_FIELD ("events", N_("Events"), N_("Number of records that it wrote"), COUNT, 76, 4, ns_get_u64, PROV (n_events)),
  NS_FIELD ("bytes", N_("Bytes (B)"), N_("Bytes of its records"), BYTES, 90, 9, ns_get_u64, PROV (n_bytes)),
  NS_FIELD ("stacks", N_("Stacks"), N_("Number of its records with a stack"), COUNT, 76, 8, ns_get_u64, PROV (n_stacks)),
  NS_FIELD ("first_ns", N_("First (s)"), N_("When its first record was written"), TIME, 84, 6, ns_get_time, PROV (first_ns)),
  NS_FIELD ("last_ns", N_("Last (s)"), N_("When its last record was written"), TIME, 84, 7, ns_get_time, PROV (last_ns)),
  NS_FIELD ("id", N_("Row"), N_("Number of the row; the same file always gives the same numbers"), UINT, 68, 0, ns_get_id, PROV (guid)),
  NS_COLUMN ("stack_percent", N_("Stack (%)"), N_("Percentage of its records with a stack"), UINT, 90, 5, get_stack_percent, PROV (n_stacks)),
  NS_MACHINE_COLUMN (PROV (n_stacks)),
};
/* clang-format on */

const NsFieldTable ns_fields_processes = {
  .name = "processes",
  .title = N_ ("Processes"),
  .needs = { NS_PROVIDER_PROCESS, NS_PROVIDER_KERNEL_PROCESS },
  .needs_else = "kernel processes, Microsoft-Windows-Kernel-Process",
  .fields = processes_fields,
  .n_fields = G_N_ELEMENTS (processes_fields),
};
const NsFieldTable ns_fields_threads = {
  .name = "threads",
  .title = N_ ("Threads"),
  .needs = { NS_PROVIDER_THREAD, NS_PROVIDER_KERNEL_PROCESS },
  .needs_else = "kernel threads, Microsoft-Windows-Kernel-Process",
  .fields = threads_fields,
  .n_fields = G_N_ELEMENTS (threads_fields),
};
const NsFieldTable ns_fields_images = {
  .name = "images",
  .title = N_ ("Images"),
  .needs = { NS_PROVIDER_IMAGE, NS_PROVIDER_KERNEL_PROCESS },
  .needs_else = "kernel image loads, Microsoft-Windows-Kernel-Process",
  .fields = images_fields,
  .n_fields = G_N_ELEMENTS (images_fields),
};
const NsFieldTable ns_fields_providers = {
  .name = "providers",
  .title = N_ ("Providers"),
  .fields = providers_fields,
  .n_fields = G_N_ELEMENTS (providers_fields),
};
