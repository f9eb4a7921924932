/* Parses layouts that are written as a line of text, as in the tables of this folder.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "schema/ns-schema-layout.h"

#include <stdlib.h>
#include <string.h>

typedef struct
{
  const char *name;
  guint16 in_type;
  guint16 out_type;
  guint16 length;
} TypeName;

static const TypeName type_names[] = {
  { "u8", NS_IN_UINT8, NS_OUT_NULL, 0 },
  { "u16", NS_IN_UINT16, NS_OUT_NULL, 0 },
  { "u32", NS_IN_UINT32, NS_OUT_NULL, 0 },
  { "u64", NS_IN_UINT64, NS_OUT_NULL, 0 },
  { "i8", NS_IN_INT8, NS_OUT_NULL, 0 },
  { "i16", NS_IN_INT16, NS_OUT_NULL, 0 },
  { "i32", NS_IN_INT32, NS_OUT_NULL, 0 },
  { "i64", NS_IN_INT64, NS_OUT_NULL, 0 },
  { "x32", NS_IN_HEXINT32, NS_OUT_NULL, 0 },
  { "x64", NS_IN_HEXINT64, NS_OUT_NULL, 0 },
  { "bool", NS_IN_BOOLEAN, NS_OUT_NULL, 0 },
  { "ptr", NS_IN_POINTER, NS_OUT_NULL, 0 },
  { "ptr*", NS_IN_POINTERS_TO_END, NS_OUT_NULL, 0 },
  { "pid", NS_IN_UINT32, NS_OUT_PID, 0 },
  { "tid", NS_IN_UINT32, NS_OUT_TID, 0 },
  { "guid", NS_IN_GUID, NS_OUT_GUID, 0 },
  { "ft", NS_IN_FILETIME, NS_OUT_DATETIME, 0 },
  { "st", NS_IN_SYSTEMTIME, NS_OUT_DATETIME, 0 },
  { "ip4", NS_IN_UINT32, NS_OUT_IPV4, 0 },
  { "ip6", NS_IN_BINARY, NS_OUT_IPV6, 16 },
  { "port", NS_IN_UINT16, NS_OUT_PORT, 0 },
  { "wstr", NS_IN_UNICODESTRING, NS_OUT_STRING, 0 },
  { "astr", NS_IN_ANSISTRING, NS_OUT_STRING, 0 },
  { "sid", NS_IN_WBEMSID, NS_OUT_STRING, 0 },
  { "w", NS_IN_UNICODESTRING, NS_OUT_STRING, 0 },
  { "b", NS_IN_BINARY, NS_OUT_HEXBINARY, 0 },
};

static void
apply_type (NsSchemaField *field, const char *word)
{
  gsize n = strcspn (word, "[?");
  const char *bracket = strchr (word, '[');
  guint i;

  for (i = 0; i < G_N_ELEMENTS (type_names); i++)
    if (strlen (type_names[i].name) == n && strncmp (type_names[i].name, word, n) == 0)
      break;
  g_assert (i < G_N_ELEMENTS (type_names));

  field->in_type = type_names[i].in_type;
  field->out_type = type_names[i].out_type;
  field->length = type_names[i].length;
  field->count = 1;
  if (strchr (word, '?') != NULL)
    field->flags |= NS_FIELD_OPTIONAL;
  if (bracket == NULL)
    return;
  if (n == 1)
    {
      field->length = (guint16) atoi (bracket + 1);
      field->flags |= NS_FIELD_FIXED_LENGTH;
    }
  else if (bracket[1] == '#')
    {
      field->count = (guint16) atoi (bracket + 2);
      field->flags |= NS_FIELD_COUNT_REF;
    }
  else
    {
      field->count = (guint16) atoi (bracket + 1);
      field->flags |= NS_FIELD_FIXED_COUNT;
    }
}

/**
 * ns_schema_layout_parse:
 * @layout: types and names of fields alternately
 * @fields: (out): memory for %NS_SCHEMA_LAYOUT_MAX_FIELDS
 *
 * Returns: the number of fields
 */
guint
ns_schema_layout_parse (const char *layout, NsSchemaField *fields)
{
  g_auto (GStrv) words = g_strsplit (layout, " ", -1);
  guint n = 0;
  guint i;

  for (i = 0; words[i] != NULL && words[i + 1] != NULL; i += 2)
    {
      g_assert (n < NS_SCHEMA_LAYOUT_MAX_FIELDS);
      memset (&fields[n], 0, sizeof fields[n]);
      apply_type (&fields[n], words[i]);
      fields[n].name = g_intern_string (words[i + 1]);
      n++;
    }
  return n;
}
