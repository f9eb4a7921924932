/* Tests the built-in schemas, and that all references in their table are valid.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "schema/ns-schema-builtin.h"
#include "schema/ns-schema-office.h"

#define KERNEL_NETWORK "7dd42a49-5329-4832-8dfd-43d979153a88"
#define TCPIP "2f07e2ee-15db-40f1-90ef-9d7ba282188a"
#define AFD "e53c6823-7bb8-44bb-90dc-3f86090d48a6"
#define WEBIO "50b3e73c-9370-461d-bb9f-26f32d68887d"
#define WININET "43d1a55c-76d6-4f7e-995c-64c711e5cafe"
#define DNS_CLIENT "1c95126e-7eea-49a9-a3fe-a378b03ddb4d"
#define NDIS_CAPTURE "2ed6006e-4729-4609-b423-3ee7bcd678ef"
#define PKTMON "4d4f80d9-c8bd-4d73-bb5b-19c90402c5ac"
#define OFFICE_POOL "a019725f-cff1-47e8-8c9e-8fe2635b6388"
#define OFFICE_DISPATCH "559a5658-8100-4d84-b756-0a47a476280c"
#define OFFICE_IDLE "8736922d-e8b2-47eb-8564-23e77e728cf3"
#define CLR "e13c0d23-ccbc-4e12-931b-d9cc2eee27e4"

static NsSchemaOffice *office;
static NsSchemaData *builtin;

/* Events of Office have a table of their own. */
static const NsSchema *
find (const char *guid_text, guint16 id, guint8 version)
{
  const NsSchema *schema;
  NsGuid guid;

  g_assert_true (ns_guid_from_text (&guid, guid_text));
  schema = ns_schema_office_find (office, &guid, id);
  return schema != NULL ? schema : ns_schema_builtin_find (builtin, &guid, id, version);
}

/* Formats the top-level fields as `name:in-type`, with `[name]` for a referenced length or
 * count. */
static char *
shape (const NsSchema *schema)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < schema->n_top; i++)
    {
      const NsSchemaField *field = &schema->fields[i];

      g_string_append_printf (text, "%s%s:%u", i > 0 ? " " : "", field->name, field->in_type);
      if (field->flags & NS_FIELD_LENGTH_REF)
        g_string_append_printf (text, "[%s]", schema->fields[field->length].name);
      if (field->flags & NS_FIELD_COUNT_REF)
        g_string_append_printf (text, "x[%s]", schema->fields[field->count].name);
    }
  return g_string_free (text, FALSE);
}

static void
assert_shape (const char *guid, guint16 id, guint8 version, const char *expected)
{
  const NsSchema *schema = find (guid, id, version);
  g_autofree char *text = NULL;

  g_assert_nonnull (schema);
  text = shape (schema);
  g_assert_cmpstr (text, ==, expected);
}

static const NsSchemaField *
get_field (const NsSchema *schema, const char *name)
{
  for (guint i = 0; i < schema->n_fields; i++)
    if (g_str_equal (schema->fields[i].name, name))
      return &schema->fields[i];
  g_assert_not_reached ();
}

static void
test_kernel_network_has_readable_labels (void)
{
  const NsSchema *schema = find (KERNEL_NETWORK, 12, 0);

  g_assert_nonnull (schema);
  g_assert_cmpint (schema->source, ==, NS_SCHEMA_BUILTIN);
  g_assert_cmpstr (schema->provider_name, ==, "Microsoft-Windows-Kernel-Network");
  g_assert_cmpstr (schema->task_name, ==, "KERNEL_NETWORK_TASK_TCPIP");
  g_assert_cmpstr (schema->opcode_name, ==, "Connection attempted.");
  g_assert_cmpstr (schema->level_name, ==, "Informational");
  g_assert_cmpstr (schema->keyword_names, ==, "KERNEL_NETWORK_KEYWORD_IPV4");
}

static void
test_kernel_network_connid_is_a_pointer (void)
{
  const NsSchema *ipv4 = find (KERNEL_NETWORK, 12, 0);
  const NsSchema *ipv6 = find (KERNEL_NETWORK, 28, 0);

  g_assert_cmpint (get_field (ipv4, "connid")->in_type, ==, NS_IN_POINTER);
  g_assert_cmpint (get_field (ipv6, "connid")->in_type, ==, NS_IN_POINTER);
  g_assert_cmpint (get_field (ipv4, "daddr")->out_type, ==, NS_OUT_IPV4);
  g_assert_cmpint (get_field (ipv4, "dport")->out_type, ==, NS_OUT_PORT);
  g_assert_cmpint (get_field (ipv6, "daddr")->out_type, ==, NS_OUT_IPV6);
  g_assert_cmpint (get_field (ipv6, "daddr")->length, ==, 16);
}

static void
test_tcpip_addresses_are_socket_addresses (void)
{
  const NsSchema *schema = find (TCPIP, 1002, 0);

  assert_shape (TCPIP,
                1002,
                0,
                "Tcb:16 LocalAddressLength:8 LocalAddress:14[LocalAddressLength] "
                "RemoteAddressLength:8 RemoteAddress:14[RemoteAddressLength] NewState:8 "
                "RexmitCount:8");
  g_assert_cmpint (get_field (schema, "LocalAddress")->out_type, ==, NS_OUT_SOCKETADDRESS);
  g_assert_cmpint (get_field (schema, "RemoteAddress")->out_type, ==, NS_OUT_SOCKETADDRESS);
}

static void
test_tcpip_states_have_names (void)
{
  const NsSchemaMap *map = get_field (find (TCPIP, 1002, 0), "NewState")->map;

  g_assert_nonnull (map);
  g_assert_false (map->is_bitmap);
  g_assert_cmpuint (map->n_entries, ==, 11);
  g_assert_cmpuint (map->values[4], ==, 4);
  g_assert_cmpstr (map->names[4], ==, "EstablishedState");
}

static void
test_drop_reasons_have_words (void)
{
  static const struct
  {
    const char *provider;
    guint16 id;
    const char *field;
  } cases[] = {
    { TCPIP, 1214, "Reason" }, { TCPIP, 1215, "Reason" },     { TCPIP, 1479, "Reason" },
    { AFD, 1033, "Reason" },   { PKTMON, 160, "DropReason" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const NsSchema *schema = find (cases[i].provider, cases[i].id, 0);

      g_assert_nonnull (schema);
      g_assert_nonnull (get_field (schema, cases[i].field)->map);
      g_assert_cmpuint (get_field (schema, cases[i].field)->map->n_entries, >=, 5);
    }
}

static void
test_layouts_are_those_of_the_systems (void)
{
  assert_shape (WEBIO,
                17,
                0,
                "Request:16 RequestHandle:10 Session:16 SessionHandle:10 Method:2 URI:1 "
                "VersionMajor:6 VersionMinor:6 Error:8");
  assert_shape (DNS_CLIENT,
                3008,
                0,
                "QueryName:1 QueryType:8 QueryOptions:10 QueryStatus:8 QueryResults:1");
  assert_shape (WININET,
                1046,
                1,
                "Request:16 Socket:8 Protocol:8 LocalAddressLength:8 "
                "LocalAddress:14[LocalAddressLength] RemoteAddressLength:8 "
                "RemoteAddress:14[RemoteAddressLength]");
  assert_shape (AFD,
                1003,
                0,
                "EnterExit:8 Location:8 Process:16 Endpoint:16 BufferCount:8 Buffer:16 "
                "BufferLength:8 Status:8");
  assert_shape (NDIS_CAPTURE,
                1003,
                0,
                "MiniportIfIndex:8 LowerIfIndex:8 SourcePortId:8 SourcePortName:1 "
                "SourceNicName:1 SourceNicType:1 DestinationCount:8 "
                "Destination:14x[DestinationCount] FragmentSize:8 Fragment:14[FragmentSize] "
                "OOBDataSize:8 OOBData:14[OOBDataSize]");
}

static void
test_wider_length_of_the_referrer_is_kept (void)
{
  const NsSchema *schema = find (WININET, 104, 0);

  g_assert_cmpint (get_field (schema, "_VerbLength")->in_type, ==, NS_IN_UINT16);
  g_assert_cmpint (get_field (schema, "_ReferrerLength")->in_type, ==, NS_IN_UINT32);
}

static void
test_the_longest_of_two_builds_wins (void)
{
  /* NDIS-PacketCapture 1001 has two more numbers without a new version. */
  assert_shape (NDIS_CAPTURE,
                1001,
                0,
                "MiniportIfIndex:8 LowerIfIndex:8 FragmentSize:8 Fragment:14[FragmentSize] "
                "GftFlowEntryId:10 GftOffloadInformation:10");
}

static void
test_structs_have_their_members_behind_the_top (void)
{
  const NsSchema *schema = find (CLR, 19, 0);
  const NsSchemaField *values = get_field (schema, "Values");

  g_assert_true (values->flags & NS_FIELD_STRUCT);
  g_assert_cmpuint (values->first_member, ==, schema->n_top);
  g_assert_cmpuint (values->n_members, ==, 2);
  g_assert_cmpstr (schema->fields[schema->n_top].name, ==, "Value");
}

static void
test_unknown_version_falls_back_to_the_nearest_lower (void)
{
  const NsSchema *v0 = find (TCPIP, 1332, 0);
  const NsSchema *v5 = find (TCPIP, 1332, 5);

  g_assert_nonnull (v0);
  g_assert_nonnull (v5);
  g_assert_true (v0 != v5);
  g_assert_true (find (TCPIP, 1332, 255) == v5);
}

/* A provider that the engine does not use, from the complete sets. */
static void
test_providers_beyond_the_network_are_described (void)
{
  const NsSchema *schema = find ("a0c1853b-5c40-4b15-8766-3cf1c58f985a", 53504, 1);

  g_assert_nonnull (schema);
  g_assert_cmpstr (schema->provider_name, ==, "Microsoft-Windows-PowerShell");
  g_assert_cmpstr (schema->task_name, ==, "PowerShellNamedPipeIPC");
  g_assert_cmpuint (schema->build, ==, 18990);
  g_assert_cmpuint (schema->version, ==, 1);
  assert_shape ("a0c1853b-5c40-4b15-8766-3cf1c58f985a", 53504, 1, "param1:1 param2:1");
}

static void
test_keywords_have_names (void)
{
  NsGuid tcpip, nobody;

  ns_guid_from_text (&tcpip, TCPIP);
  ns_guid_from_text (&nobody, "00000000-0000-0000-0000-000000000001");
  g_assert_cmpstr (ns_schema_builtin_keyword (builtin, &tcpip, 0x100000000), ==, "ut:SendPath");
  g_assert_null (ns_schema_builtin_keyword (builtin, &tcpip, 0x8000000000000));
  g_assert_null (ns_schema_builtin_keyword (builtin, &nobody, 1));
}

static void
test_unknown_events_have_no_schema (void)
{
  g_assert_null (find (TCPIP, 1, 0));
  g_assert_null (find (TCPIP, 65535, 255));
  g_assert_null (find ("00000000-0000-0000-0000-000000000000", 1002, 0));
  g_assert_null (find ("ffffffff-ffff-ffff-ffff-ffffffffffff", 1002, 0));
}

static void
test_providers_are_sorted_and_named (void)
{
  const NsSchemaData *data = builtin;
  NsGuid before, guid;

  g_assert_nonnull (data);
  g_assert_cmpuint (ns_schema_data_get_n_providers (data), ==, 946);
  for (guint i = 0; i < ns_schema_data_get_n_providers (data); i++)
    {
      ns_schema_data_get_guid (data, i, &guid);
      g_assert_cmpstr (ns_schema_builtin_provider_name (data, &guid), !=, "");
      if (i > 0)
        g_assert_cmpint (memcmp (before.bytes, guid.bytes, sizeof guid.bytes), <, 0);
      before = guid;
    }
}

static gboolean
is_count (const NsSchemaField *field)
{
  return field->in_type == NS_IN_UINT8 || field->in_type == NS_IN_UINT16 ||
         field->in_type == NS_IN_UINT32 || field->in_type == NS_IN_HEXINT32;
}

static void
check_field (const NsSchema *schema, guint number)
{
  const NsSchemaField *field = &schema->fields[number];

  g_assert_nonnull (field->name);
  g_assert_cmpuint (strlen (field->name), >, 0);
  if (field->flags & NS_FIELD_LENGTH_REF)
    {
      g_assert_cmpuint (field->length, <, number);
      g_assert_true (is_count (&schema->fields[field->length]));
    }
  if (field->flags & NS_FIELD_COUNT_REF)
    {
      g_assert_cmpuint (field->count, <, number);
      g_assert_true (is_count (&schema->fields[field->count]));
    }
  else if ((field->flags & NS_FIELD_FIXED_COUNT) == 0)
    g_assert_cmpuint (field->count, ==, 1);
  if (field->flags & NS_FIELD_STRUCT)
    {
      g_assert_cmpuint (field->first_member, >=, schema->n_top);
      g_assert_cmpuint (field->first_member + field->n_members, <=, schema->n_fields);
    }
  else
    g_assert_cmpuint (field->in_type, !=, NS_IN_NULL);
  if (field->in_type == NS_IN_BINARY && !(field->flags & NS_FIELD_LENGTH_REF))
    g_assert_cmpuint (field->length, >, 0);
  if (field->map != NULL)
    for (guint i = 0; i < field->map->n_entries; i++)
      {
        g_assert_cmpuint (strlen (field->map->names[i]), >, 0);
        g_assert_true (i == 0 || field->map->values[i - 1] < field->map->values[i]);
      }
}

/* Reads all blocks with all of their content. */
static void
test_every_reference_points_backwards_to_a_number (void)
{
  NsSchemaData *data = builtin;
  guint n_events = 0;
  guint n_fields = 0;

  for (guint p = 0; p < ns_schema_data_get_n_providers (data); p++)
    {
      g_autoptr (GError) error = NULL;
      NsSchemaBlock *block = ns_schema_data_get_block (data, p, &error);

      g_assert_no_error (error);
      for (guint e = 0; e < ns_schema_block_get_n_events (block); e++)
        {
          const NsSchema *schema = ns_schema_block_get (block, e);

          g_assert_cmpuint (schema->n_top, <=, schema->n_fields);
          for (guint i = 0; i < schema->n_fields; i++)
            check_field (schema, i);
          n_fields += schema->n_fields;
          n_events++;
        }
    }
  g_assert_cmpuint (n_events, ==, 57144);
  g_assert_cmpuint (n_fields, >, 140000);
}

/* Computes a number that changes if any schema is found at another address. */
static gpointer
find_all_worker (gpointer user_data)
{
  gsize sum = 0;

  for (guint id = 1000; id < 1500; id++)
    sum += (gsize) find (TCPIP, (guint16) id, 255) * id;
  return (gpointer) sum;
}

/* Runs first, while no schema is initialized. */
static void
test_racing_threads_get_the_same_schemas (void)
{
  GThread *threads[4];
  gpointer sums[4];

  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("find", find_all_worker, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    sums[i] = g_thread_join (threads[i]);
  g_assert_nonnull (sums[0]);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_assert_true (sums[i] == find_all_worker (NULL));
}

/* The Office queue events that chains rely on. */
static void
test_the_queues_of_office_are_described (void)
{
  static const struct
  {
    const char *guid;
    guint n_events;
  } providers[] = { { OFFICE_POOL, 43 }, { OFFICE_DISPATCH, 65 }, { OFFICE_IDLE, 13 } };

  assert_shape (OFFICE_POOL, 32, 0, "worker:16 callback:16 workerType:8");
  assert_shape (OFFICE_POOL, 62, 0, "pointer:16 delay:8 tolerabledelay:8 period:8");
  assert_shape (OFFICE_POOL, 100, 0, "");
  assert_shape (OFFICE_DISPATCH, 56, 0, "callbackContext:16 queue:16 callback:16 isIdle:13");
  assert_shape (OFFICE_DISPATCH, 133, 0, "queue:16 callback:16");
  assert_shape (OFFICE_IDLE, 44, 0, "cookie:10 dwID:8 wzName:1 msecsRunIntervalAvg:10");
  g_assert_cmpstr (find (OFFICE_POOL, 40, 0)->event_name, ==, "TPWorkerStartExec");
  g_assert_cmpstr (find (OFFICE_DISPATCH, 65, 0)->event_name, ==, "UIQueue/Post");
  g_assert_cmpstr (find (OFFICE_DISPATCH, 65, 0)->provider_name, ==, "OfficeDispatchQueue");
  g_assert_true (find (OFFICE_POOL, 40, 0) == find (OFFICE_POOL, 40, 0));
  for (guint i = 0; i < G_N_ELEMENTS (providers); i++)
    {
      guint n = 0;

      for (guint16 id = 0; id < 1000; id++)
        {
          const NsSchema *schema = find (providers[i].guid, id, 0);

          n += schema != NULL && schema->build == 0;
        }
      g_assert_cmpuint (n, ==, providers[i].n_events);
    }
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  office = ns_schema_office_new ();
  builtin = ns_schema_builtin_new ();
  g_test_add_func ("/schema/builtin/threads", test_racing_threads_get_the_same_schemas);
  g_test_add_func ("/schema/builtin/kernel-network-labels",
                   test_kernel_network_has_readable_labels);
  g_test_add_func ("/schema/builtin/kernel-network-connid",
                   test_kernel_network_connid_is_a_pointer);
  g_test_add_func ("/schema/builtin/tcpip-addresses", test_tcpip_addresses_are_socket_addresses);
  g_test_add_func ("/schema/builtin/tcpip-states", test_tcpip_states_have_names);
  g_test_add_func ("/schema/builtin/drop-reasons", test_drop_reasons_have_words);
  g_test_add_func ("/schema/builtin/layouts", test_layouts_are_those_of_the_systems);
  g_test_add_func ("/schema/builtin/referrer", test_wider_length_of_the_referrer_is_kept);
  g_test_add_func ("/schema/builtin/longest", test_the_longest_of_two_builds_wins);
  g_test_add_func ("/schema/builtin/structs", test_structs_have_their_members_behind_the_top);
  g_test_add_func ("/schema/builtin/fallback",
                   test_unknown_version_falls_back_to_the_nearest_lower);
  g_test_add_func ("/schema/builtin/office", test_the_queues_of_office_are_described);
  g_test_add_func ("/schema/builtin/beyond", test_providers_beyond_the_network_are_described);
  g_test_add_func ("/schema/builtin/keywords", test_keywords_have_names);
  g_test_add_func ("/schema/builtin/unknown", test_unknown_events_have_no_schema);
  g_test_add_func ("/schema/builtin/providers", test_providers_are_sorted_and_named);
  g_test_add_func ("/schema/builtin/references", test_every_reference_points_backwards_to_a_number);
  status = g_test_run ();
  ns_schema_office_free (office);
  ns_schema_data_unref (builtin);
  return status;
}
