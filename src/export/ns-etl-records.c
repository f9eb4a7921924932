/* Relates records to others that are kept for selected rows, where no key is shared with a row.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/app/dotnet/ns-dotnet-path.h"
#include "engine/catalog/ns-catalog.h"
#include "export/ns-etl-records.h"

#include <string.h>

/* Event IDs of SMB: commands, and the begin and end of an exchange, which begin with the pointer of
 * the operation. */
#define FIRST_SMB_COMMAND_ID 30400
#define LAST_SMB_COMMAND_ID 30499
#define SMB_BEGIN_ID 30103
#define SMB_END_ID 30104
/* The record is the first one of a packet. */
#define KEYWORD_PACKET_START G_GUINT64_CONSTANT (0x40000000)

static const NsGuid smb_client = NS_GUID_SMB_CLIENT;

/**
 * ns_etl_record_is_below:
 * @record: a record
 * @paths: (element-type NsDotnetPath): activities of rows of .NET
 *
 * Returns: whether the record is of one of these activities or of one below them
 */
gboolean
ns_etl_record_is_below (const NsRecord *record, const GArray *paths)
{
  NsDotnetPath path;
  guint i;

  if (paths->len == 0 ||
      ns_dotnet_path_decode (&path, &record->activity, record->pid) != NS_DOTNET_ID_PATH)
    return FALSE;
  for (i = 0; i < paths->len; i++)
    {
      const NsDotnetPath *above = &g_array_index (paths, NsDotnetPath, i);

      if (ns_dotnet_path_is_below (&path, above) ||
          (path.n == above->n &&
           memcmp (path.numbers, above->numbers, path.n * sizeof path.numbers[0]) == 0))
        return TRUE;
    }
  return FALSE;
}

/**
 * ns_etl_record_is_of_packet:
 * @record: a record of captured packets; all records are passed in time order
 * @packets: (time, 0) → 1: kept packets
 * @fragments: (thread, interfaces) → 2 while a kept packet is open, else 1
 *
 * NDIS may write a packet in several records. The time of the packet is that of the first one.
 *
 * Returns: whether the record is of a kept packet
 */
gboolean
ns_etl_record_is_of_packet (const NsRecord *record, const NsMap *packets, NsMap *fragments)
{
  gboolean is_kept = ns_map_get (packets, (guint64) record->time_ns, 0) != 0;
  guint64 owner = (guint64) record->tid << 32 | (guint32) (record->keyword >> 32);
  guint64 interfaces;
  NsCursor cursor;

  if (ns_catalog_find (&record->guid) != NS_PROVIDER_NDIS_PACKET_CAPTURE)
    return is_kept;
  ns_record_cursor (record, &cursor);
  interfaces = ns_cursor_u64 (&cursor);
  if ((record->keyword & KEYWORD_PACKET_START) != 0)
    ns_map_set (fragments, owner, interfaces, is_kept ? 2 : 1);
  return is_kept || ns_map_get (fragments, owner, interfaces) == 2;
}

/**
 * ns_etl_record_is_smb_setup:
 * @record: a record
 *
 * Returns: whether the record is of SMB about a connection or session, not about one command
 */
gboolean
ns_etl_record_is_smb_setup (const NsRecord *record)
{
  return (record->id < FIRST_SMB_COMMAND_ID || record->id > LAST_SMB_COMMAND_ID) &&
         ns_guid_equal (&record->guid, &smb_client);
}

/**
 * ns_etl_record_is_smb_end:
 * @record: a record
 * @contexts: (operation, exchange) → 1: operations whose beginning is kept
 *
 * Returns: whether the record is of SMB about the end of one of these operations
 */
gboolean
ns_etl_record_is_smb_end (const NsRecord *record, const NsMap *contexts)
{
  NsCursor cursor;
  guint64 context;
  guint64 exchange;

  if (record->id != SMB_END_ID || !ns_guid_equal (&record->guid, &smb_client))
    return FALSE;
  ns_record_cursor (record, &cursor);
  context = ns_cursor_ptr (&cursor, record->pointer_size);
  exchange = ns_cursor_ptr (&cursor, record->pointer_size);
  return ns_cursor_ok (&cursor) && ns_map_get (contexts, context, exchange) != 0;
}

/**
 * ns_etl_record_note_smb_begin:
 * @record: a kept record
 * @contexts: (operation, exchange) → 1
 *
 * Adds the operation of the record, if it is of SMB about a beginning.
 */
void
ns_etl_record_note_smb_begin (const NsRecord *record, NsMap *contexts)
{
  NsCursor cursor;
  guint64 context;
  guint64 exchange;

  if (record->id != SMB_BEGIN_ID || !ns_guid_equal (&record->guid, &smb_client))
    return;
  ns_record_cursor (record, &cursor);
  context = ns_cursor_ptr (&cursor, record->pointer_size);
  exchange = ns_cursor_ptr (&cursor, record->pointer_size);
  if (ns_cursor_ok (&cursor))
    ns_map_set (contexts, context, exchange, 1);
}
