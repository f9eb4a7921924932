/* Creates SMB rows, and reads the common parts of SMB payloads.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/app/smb/ns-smb-private.h"
#include "engine/trace/ns-masked.h"

/**
 * ns_smb_add_row: (skip)
 * @builder: the builder
 * @record: its record
 * @kind: its kind
 *
 * Adds a row that begins at the record's time, on its thread, with nothing else known.
 *
 * Returns: (transfer none): the row, the last one
 */
NsSmbRow *
ns_smb_add_row (NsBuilder *builder, const NsRecord *record, NsSmbKind kind)
{
  GArray *table = builder->trace->smb;
  NsSmbExtra extra = { .end_ns = NS_TIME_OPEN,
                       .resumed_ns = NS_TIME_NONE,
                       .number = NS_SMB_NO_NUMBER };
  NsSmbRow row = { .layer = { .pid = record->pid,
                              .tid = record->tid,
                              .open_ns = record->time_ns,
                              .close_ns = NS_TIME_OPEN,
                              .status = NS_UNKNOWN,
                              .confidence = -1 },
                   .sent = NS_UNKNOWN,
                   .received = NS_UNKNOWN,
                   .sent_ns = NS_TIME_NONE,
                   .response_ns = NS_TIME_NONE,
                   .credit_wait_ns = NS_UNKNOWN,
                   .before_wire_ns = NS_UNKNOWN,
                   .wire_ns = NS_UNKNOWN,
                   .after_wire_ns = NS_UNKNOWN,
                   .credit_charge = NS_UNKNOWN,
                   .credits_requested = NS_UNKNOWN,
                   .credits_granted = NS_UNKNOWN,
                   .kind = kind,
                   .transport = NS_SMB_N_TRANSPORTS,
                   .is_signed = -1,
                   .is_encrypted = -1 };

  g_array_append_val (table, row);
  g_array_append_val (builder->smb->extras, extra);
  return &g_array_index (table, NsSmbRow, table->len - 1);
}

NsRow
ns_smb_last_row (NsBuilder *builder)
{
  return builder->trace->smb->len;
}

void
ns_smb_set_before_trace (NsSmbRow *row)
{
  row->layer.open_ns = 0;
  row->layer.opened_before_trace = TRUE;
  row->layer.pid = NS_PID_UNKNOWN;
  row->layer.tid = NS_PID_UNKNOWN;
}

/* Reads a text preceded by its length in characters. */
NsString
ns_smb_take_text (NsBuilder *builder, NsCursor *cursor)
{
  gsize n_bytes = (gsize) ns_cursor_u16 (cursor) * 2;
  const guint8 *text = ns_cursor_take (cursor, n_bytes);
  NsString id;

  if (text == NULL || n_bytes == 0)
    return NS_STRING_NONE;
  id = ns_strings_add_utf16 (builder->trace->strings, text, n_bytes);
  return ns_masked_text (builder->trace, id);
}

NsString
ns_smb_take_ansi (NsBuilder *builder, NsCursor *cursor)
{
  gsize n_bytes = ns_cursor_u16 (cursor);
  const guint8 *text = ns_cursor_take (cursor, n_bytes);

  while (text != NULL && n_bytes > 0 && text[n_bytes - 1] == '\0')
    n_bytes--;
  if (text == NULL || n_bytes == 0)
    return NS_STRING_NONE;
  return ns_masked_text (builder->trace,
                         ns_strings_add_len (builder->trace->strings,
                                             (const char *) text,
                                             n_bytes));
}

/* Reads a 64-bit value or a pointer; in a 32-bit trace both have the same value. */
guint64
ns_smb_take_context (NsCursor *cursor, const NsRecord *record)
{
  guint64 context = ns_cursor_u64 (cursor);

  return record->pointer_size == 4 ? context & G_MAXUINT32 : context;
}

guint64
ns_smb_take_pointer (NsCursor *cursor, const NsRecord *record)
{
  return ns_cursor_ptr (cursor, record->pointer_size);
}
