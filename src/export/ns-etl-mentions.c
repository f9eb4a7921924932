/* The keys by which records refer to selected rows.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "export/ns-etl-mentions.h"

#include <string.h>

static void
mention_clear (gpointer data)
{
  g_clear_pointer (&((NsEtlMention *) data)->sign, g_byte_array_unref);
}

/**
 * ns_etl_mentions_new:
 *
 * Returns: (transfer full) (element-type NsEtlMention): an empty array
 */
GArray *
ns_etl_mentions_new (void)
{
  GArray *mentions = g_array_new (FALSE, TRUE, sizeof (NsEtlMention));

  g_array_set_clear_func (mentions, mention_clear);
  return mentions;
}

/**
 * ns_etl_mentions_add_sign:
 * @mentions: (element-type NsEtlMention): the array to add to
 * @row: row with the time span and process in which it is valid
 * @bytes: (array length=size): bytes in records that refer to the row
 * @size: number of bytes
 *
 * Adds a byte pattern, such as a name or an address, in place of a key.
 */
void
ns_etl_mentions_add_sign (GArray *mentions, const NsRowEvents *row, gconstpointer bytes, gsize size)
{
  NsEtlMention mention = { .span = row->span, .pid = row->pid, .sign = g_byte_array_new () };

  g_byte_array_append (mention.sign, bytes, (guint) size);
  g_array_append_val (mentions, mention);
}

/**
 * ns_etl_mention_is_inside:
 * @mention: a key or byte pattern
 * @time_ns: a time
 *
 * Returns: whether it is valid at that time
 */
gboolean
ns_etl_mention_is_inside (const NsEtlMention *mention, gint64 time_ns)
{
  return time_ns >= mention->span.begin_ns && time_ns <= mention->span.end_ns;
}

static gboolean
holds (const NsRecord *record, const GByteArray *sign)
{
  const guint8 *at = record->payload;
  gsize left = record->payload_size;

  while (left >= sign->len)
    {
      const guint8 *found = memchr (at, sign->data[0], left - sign->len + 1);

      if (found == NULL)
        return FALSE;
      if (memcmp (found, sign->data, sign->len) == 0)
        return TRUE;
      left -= (gsize) (found - at) + 1;
      at = found + 1;
    }
  return FALSE;
}

/**
 * ns_etl_mentions_have_sign:
 * @mentions: (element-type NsEtlMention): byte patterns
 * @record: a record of any process, as host names may be resolved on behalf of another
 *
 * Returns: whether the record contains one of them while it is valid
 */
gboolean
ns_etl_mentions_have_sign (const GArray *mentions, const NsRecord *record)
{
  guint i;

  for (i = 0; i < mentions->len; i++)
    {
      const NsEtlMention *mention = &g_array_index (mentions, NsEtlMention, i);

      if (ns_etl_mention_is_inside (mention, record->time_ns) && holds (record, mention->sign))
        return TRUE;
    }
  return FALSE;
}
