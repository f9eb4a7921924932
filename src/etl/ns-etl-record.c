/* Extended items of a record, and names of record kinds and kernel groups.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "etl/ns-etl-record.h"
#include "etl/ns-provider-guids.h"

/* Event classes of the kernel's hook groups (evntrace.h, kernel MOF classes). */
/* clang-format off */
static const NsGuid groups[] = {
  NS_GUID_EVENT_TRACE,
  NS_GUID_DISK_IO,
  NS_GUID_PAGE_FAULT,
  NS_GUID_PROCESS,
  NS_GUID_FILE_IO,
  NS_GUID_THREAD,
  NS_GUID_TCP_IP,
  NS_GUID_JOB,
  NS_GUID_UDP_IP,
  NS_GUID_REGISTRY,
  NS_GUID_DBG_PRINT,
  NS_GUID_SYSTEM_CONFIG,
  NS_GUID_SPARE,
  NS_GUID_WNF,
  NS_GUID_POOL,
  NS_GUID_PERF_INFO,
  NS_GUID_HEAP,
  NS_GUID_OBJECT,
  NS_GUID_POWER,
  NS_GUID_MOD_BOUND,
  NS_GUID_IMAGE,
  NS_GUID_DPC,
  NS_GUID_GDI,
  NS_GUID_CRIT_SEC,
  NS_GUID_STACK_WALK,
  NS_GUID_UMS,
  NS_GUID_ALPC,
  NS_GUID_SPLIT_IO,
  NS_GUID_THREAD_POOL,
  NS_GUID_HYPERVISOR,
  NS_GUID_HYPERVISOR_X,
};
/* clang-format on */

/**
 * ns_record_group_guid:
 * @group: group of a kernel hook id
 *
 * Returns: (transfer none): the GUID of its event class; all zero if no class is known
 */
const NsGuid *
ns_record_group_guid (guint8 group)
{
  static const NsGuid none;

  return group < G_N_ELEMENTS (groups) ? &groups[group] : &none;
}

/**
 * ns_record_kind_to_text:
 * @kind: a header kind
 *
 * Returns: (transfer none): its name, such as `EVENT64`
 */
const char *
ns_record_kind_to_text (NsRecordKind kind)
{
  static const char *const names[] = {
    [NS_RECORD_SYSTEM32] = "SYSTEM32",     [NS_RECORD_SYSTEM64] = "SYSTEM64",
    [NS_RECORD_COMPACT32] = "COMPACT32",   [NS_RECORD_COMPACT64] = "COMPACT64",
    [NS_RECORD_FULL32] = "FULL32",         [NS_RECORD_INSTANCE32] = "INSTANCE32",
    [NS_RECORD_TIMED] = "TIMED",           [NS_RECORD_ERROR] = "ERROR",
    [NS_RECORD_WNODE] = "WNODE_HEADER",    [NS_RECORD_MESSAGE] = "MESSAGE",
    [NS_RECORD_PERFINFO32] = "PERFINFO32", [NS_RECORD_PERFINFO64] = "PERFINFO64",
    [NS_RECORD_EVENT32] = "EVENT32",       [NS_RECORD_EVENT64] = "EVENT64",
    [NS_RECORD_FULL64] = "FULL64",         [NS_RECORD_INSTANCE64] = "INSTANCE64",
  };

  if ((guint) kind < G_N_ELEMENTS (names) && names[kind] != NULL)
    return names[kind];
  return "?";
}

/**
 * ns_record_next_item:
 * @self: a record
 * @state: (inout): all zero for the first item
 * @item: (out): the next extended item
 *
 * Returns: %FALSE when there are no more
 */
gboolean
ns_record_next_item (const NsRecord *self, NsCursor *state, NsExtItem *item)
{
  if (state->data == NULL)
    ns_cursor_init (state, self->extended, self->extended_size);
  if (self->n_extended == 0 || ns_cursor_left (state) < 8)
    return FALSE;

  ns_cursor_skip (state, 2);
  item->type = ns_cursor_u16 (state);
  ns_cursor_skip (state, 2);
  item->size = ns_cursor_u16 (state);
  item->data = ns_cursor_take (state, item->size);
  ns_cursor_skip (state, MIN (-(gsize) item->size & 7, ns_cursor_left (state)));
  return ns_cursor_ok (state);
}

/**
 * ns_record_find_item:
 * @self: a record
 * @type: an extended item type
 * @item: (out): the first item of that type
 *
 * Returns: %FALSE if there is none
 */
gboolean
ns_record_find_item (const NsRecord *self, guint16 type, NsExtItem *item)
{
  NsCursor state = { NULL };

  while (ns_record_next_item (self, &state, item))
    if (item->type == type)
      return TRUE;
  return FALSE;
}

/**
 * ns_record_get_related_activity:
 * @self: a record
 * @guid: (out): the related activity, all zero if there is none
 *
 * Returns: %TRUE if there is one
 */
gboolean
ns_record_get_related_activity (const NsRecord *self, NsGuid *guid)
{
  NsExtItem item;
  NsCursor cursor;

  memset (guid, 0, sizeof *guid);
  if (!ns_record_find_item (self, NS_EXT_RELATED_ACTIVITY, &item))
    return FALSE;

  ns_cursor_init (&cursor, item.data, item.size);
  ns_cursor_guid (&cursor, guid);
  return ns_cursor_ok (&cursor);
}
