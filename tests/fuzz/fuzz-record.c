/* Fuzz target: the records of one buffer, without a file.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "etl/ns-etl-lz77.h"
#include "etl/ns-etl-parse.h"
#include "fuzz/ns-fuzz.h"

/* Walks the data as records of a plain and of an expanded buffer. */
static void
walk (const guint8 *data, gsize size)
{
  NsEtlParser parser = { .providers = ns_etl_providers_new (), .pointer_size = 8 };
  NsEtlHeader header = { .clock = NS_CLOCK_QPC, .frequency = 3579545 };
  gsize pos = 0;
  NsEtlStepKind kind;
  NsEtlStep step;

  ns_etl_clock_init (&parser.clock, &header);
  while ((kind = ns_etl_parse_step (data, size, pos, &step)) <= NS_ETL_STEP_UNKNOWN)
    {
      NsRecord record = { .raw = 0 };
      NsCursor state = { NULL };
      NsExtItem item;

      if (kind == NS_ETL_STEP_RECORD)
        {
          ns_etl_parse_record (&parser, data, &step, &record);
          if (record.payload + record.payload_size > data + size)
            ns_fuzz_fail ("a payload ends outside the buffer");
          while (ns_record_next_item (&record, &state, &item))
            if (item.data + item.size > data + size)
              ns_fuzz_fail ("an item ends outside the buffer");
        }
      if (ns_etl_step_next (&step) <= pos)
        ns_fuzz_fail ("a step does not go on");
      pos = ns_etl_step_next (&step);
    }
  ns_etl_providers_free (parser.providers);
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autofree guint8 *room = g_malloc (4096);

  walk (data, size);
  if (ns_etl_lz77_expand (data, size, room, 4096))
    walk (room, 4096);
  return 0;
}
