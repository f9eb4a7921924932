/* The fields of a record that filters know, when records stream by and are no rows.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "query/ns-record-fields.h"

static const NsField fields[] = {
  { .id = "n", .type = NS_TYPE_UINT, .in_json = TRUE },
  { .id = "time_ns", .type = NS_TYPE_TIME, .in_json = TRUE },
  { .id = "cpu", .type = NS_TYPE_UINT, .in_json = TRUE },
  { .id = "pid", .type = NS_TYPE_UINT, .in_json = TRUE },
  { .id = "tid", .type = NS_TYPE_UINT, .in_json = TRUE },
  { .id = "provider", .type = NS_TYPE_GUID, .in_json = TRUE },
  { .id = "provider_name", .type = NS_TYPE_TEXT, .in_json = TRUE },
  { .id = "id", .type = NS_TYPE_UINT, .in_json = TRUE },
  { .id = "version", .type = NS_TYPE_UINT, .in_json = TRUE },
  { .id = "opcode", .type = NS_TYPE_UINT, .in_json = TRUE },
  { .id = "opcode_name", .type = NS_TYPE_TEXT, .in_json = TRUE },
  { .id = "task", .type = NS_TYPE_UINT, .in_json = TRUE },
  { .id = "task_name", .type = NS_TYPE_TEXT, .in_json = TRUE },
  { .id = "level", .type = NS_TYPE_UINT, .in_json = TRUE },
  { .id = "keyword", .type = NS_TYPE_HEX, .in_json = TRUE },
  { .id = "activity", .type = NS_TYPE_GUID, .in_json = TRUE },
  { .id = "related_activity", .type = NS_TYPE_GUID, .in_json = TRUE },
  { .id = "kernel_time", .type = NS_TYPE_UINT, .in_json = TRUE },
  { .id = "user_time", .type = NS_TYPE_UINT, .in_json = TRUE },
  { .id = "header", .type = NS_TYPE_TEXT, .in_json = TRUE },
  { .id = "name", .type = NS_TYPE_TEXT, .in_json = TRUE },
  { .id = "fields", .type = NS_TYPE_OBJECT, .in_json = TRUE },
  { .id = "stack_depth", .type = NS_TYPE_UINT, .in_json = TRUE },
  { .id = "schema", .type = NS_TYPE_TEXT, .in_json = TRUE },
};

/**
 * ns_record_fields_get:
 * @n_fields: (out): how many
 *
 * Returns: (array length=n_fields): the fields of a record, in the order of their JSON keys
 */
const NsField *
ns_record_fields_get (guint *n_fields)
{
  *n_fields = G_N_ELEMENTS (fields);
  return fields;
}

/**
 * ns_record_fields_find:
 * @name: id of a field, or `time`, `thread`, `event` …
 *
 * Returns: (nullable): the field
 */
const NsField *
ns_record_fields_find (const char *name)
{
  static const struct
  {
    const char *name;
    const char *id;
  } aliases[] = {
    { "time", "time_ns" },       { "thread", "tid" },
    { "process", "pid" },        { "event", "id" },
    { "stack", "stack_depth" },  { "related", "related_activity" },
    { "keywords", "keyword" },   { "opcodename", "opcode_name" },
    { "taskname", "task_name" }, { "providername", "provider_name" },
    { "properties", "fields" },
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (aliases); i++)
    if (g_ascii_strcasecmp (aliases[i].name, name) == 0)
      name = aliases[i].id;
  for (i = 0; i < G_N_ELEMENTS (fields); i++)
    if (g_ascii_strcasecmp (fields[i].id, name) == 0)
      return &fields[i];
  return NULL;
}
