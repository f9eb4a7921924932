/* Fields of the headers of event records.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "etl/ns-etl-record.h"

G_BEGIN_DECLS

typedef enum
{
  NS_HEADER_UINT,
  NS_HEADER_HEX,
  NS_HEADER_GUID,
} NsHeaderForm;

/**
 * NsHeaderField:
 * @name: its name, marked for translation
 * @offset: first byte, from the start of the record
 * @size: number of bytes: 1, 2, 4, 8 or 16
 * @form: output format
 *
 * One field of a header.
 */
typedef struct
{
  const char *name;
  guint16 offset;
  guint16 size;
  NsHeaderForm form;
} NsHeaderField;

/* Maximum number of fields of a header, with the options of a message. */
#define NS_HEADER_MAX_FIELDS 20

guint ns_event_header_list (const NsRecord *record, NsHeaderField fields[NS_HEADER_MAX_FIELDS]);
void ns_event_header_append_value (const NsHeaderField *field,
                                   const guint8 *record,
                                   gsize record_size,
                                   GString *text);
const char *ns_event_header_get_type (const NsHeaderField *field);
const char *ns_event_header_get_item_name (guint16 type);

G_END_DECLS
