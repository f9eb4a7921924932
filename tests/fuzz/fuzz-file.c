/* Fuzz target: a whole trace file, walked in both orders and read event by event.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "etl/ns-etl-file.h"
#include "fuzz/ns-fuzz.h"

typedef struct
{
  guint64 n_records;
  guint64 sum;
  guint64 last_raw;
  gboolean is_by_time;
  NsEtlReader *reader;
} Walk;

static gboolean
look (const NsRecord *record, gpointer user_data)
{
  Walk *self = user_data;
  NsCursor state = { NULL };
  NsRecord again;
  NsExtItem item;
  NsGuid guid;
  gsize i;

  if (self->is_by_time && record->raw < self->last_raw)
    ns_fuzz_fail ("records are not in order of time");
  self->last_raw = record->raw;
  self->n_records++;
  for (i = 0; i < record->payload_size; i++)
    self->sum += record->payload[i];
  while (ns_record_next_item (record, &state, &item))
    for (i = 0; i < item.size; i++)
      self->sum += item.data[i];
  self->sum += ns_record_get_related_activity (record, &guid);
  if (self->n_records % 7 == 0)
    {
      if (!ns_etl_reader_read (self->reader, record->ref, &again) || again.raw != record->raw ||
          again.provider != record->provider)
        ns_fuzz_fail ("a record reads differently alone");
    }
  return TRUE;
}

static guint64
walk (NsEtlFile *file, NsEtlWalkFlags flags)
{
  Walk state = { .is_by_time = flags != 0, .reader = ns_etl_reader_new (file) };

  ns_etl_file_walk (file, flags, NULL, look, &state, NULL, NULL, NULL);
  ns_etl_reader_free (state.reader);
  return state.n_records;
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autoptr (GBytes) bytes = g_bytes_new (data, size);
  g_autoptr (NsEtlFile) file = ns_etl_file_open_bytes (bytes, "fuzz", NULL);
  guint64 by_place;
  guint64 by_time;

  if (file == NULL)
    return 0;
  by_place = walk (file, NS_ETL_WALK_FILE_ORDER);
  by_time = walk (file, NS_ETL_WALK_TIME_ORDER);
  if (by_place != by_time || by_place != ns_etl_file_get_report (file)->n_records)
    ns_fuzz_fail ("the merge lost or made records");
  return 0;
}
