/* Tests which providers must be recorded for a rule to report that it found nothing.
 *
 * Each kind of evidence alone is sufficient; with a part of it missing, none is.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/catalog/ns-catalog.h"
#include "finding-claims.h"
#include "findings/ns-findings-private.h"

#include <string.h>

#define MAX_PARTS 3

/* clang-format off */
static const struct
{
  char letter;
  NsGuid guid;
} providers[] = {
  { 'A', NS_GUID_INIT (0xe53c6823, 0x7bb8, 0x44bb, 0x90, 0xdc, 0x3f, 0x86, 0x09, 0x0d, 0x48, 0xa6) },
  { 'C', NS_GUID_INIT (0xd2d578d9, 0x2936, 0x45b6, 0xa0, 0x9f, 0x30, 0xe3, 0x27, 0x15, 0xf4, 0x2d) },
  { 'D', NS_GUID_INIT (0x1c95126e, 0x7eea, 0x49a9, 0xa3, 0xfe, 0xa3, 0x78, 0xb0, 0x3d, 0xdb, 0x4d) },
  { 'F', NS_GUID_INIT (0x0c478c5b, 0x0351, 0x41b1, 0x8c, 0x58, 0x4a, 0x67, 0x37, 0xda, 0x32, 0xe3) },
  { 'H', NS_GUID_INIT (0x7d44233d, 0x3055, 0x4b9c, 0xba, 0x64, 0x0d, 0x47, 0xca, 0x40, 0xa2, 0x32) },
  { 'I', NS_GUID_INIT (0x43d1a55c, 0x76d6, 0x4f7e, 0x99, 0x5c, 0x64, 0xc7, 0x11, 0xe5, 0xca, 0xfe) },
  { 'K', NS_GUID_INIT (0x4d4f80d9, 0xc8bd, 0x4d73, 0xbb, 0x5b, 0x19, 0xc9, 0x04, 0x02, 0xc5, 0xac) },
  { 'L', NS_GUID_INIT (0x099614a5, 0x5dd7, 0x4788, 0x8b, 0xc9, 0xe2, 0x9f, 0x43, 0xdb, 0x28, 0xfc) },
  { 'N', NS_GUID_INIT (0x55404e71, 0x4db9, 0x4deb, 0xa5, 0xf5, 0x8f, 0x86, 0xe4, 0x6d, 0xde, 0x56) },
  { 'P', NS_GUID_INIT (0x2ed6006e, 0x4729, 0x4609, 0xb4, 0x23, 0x3e, 0xe7, 0xbc, 0xd6, 0x78, 0xef) },
  { 'Q', NS_GUID_INIT (0xc861d0e2, 0xa2c1, 0x4d36, 0x9f, 0x9c, 0x97, 0x0b, 0xab, 0x94, 0x3a, 0x12) },
  { 'T', NS_GUID_INIT (0x2f07e2ee, 0x15db, 0x40f1, 0x90, 0xef, 0x9d, 0x7b, 0xa2, 0x82, 0x18, 0x8a) },
  { 'W', NS_GUID_INIT (0x50b3e73c, 0x9370, 0x461d, 0xbb, 0x9f, 0x26, 0xf3, 0x2d, 0x68, 0x88, 0x7d) },
  { 'X', NS_GUID_INIT (0xa70ff94f, 0x570b, 0x4979, 0xba, 0x5c, 0xe5, 0x9c, 0x9f, 0xea, 0xb6, 0x1b) },
  { 'Y', NS_GUID_INIT (0x5bbca4a8, 0xb209, 0x48dc, 0xa8, 0xc7, 0xb2, 0x3d, 0x3e, 0x52, 0x16, 0xfb) },
};

/* Events, each with the letter of its provider. Each line alone is sufficient to judge the rule,
 * and with a part left out it is not. */
static const struct
{
  const char *rule;
  const char *parts[MAX_PARTS];
} alternatives[] = {
  { "D01", { "D3008" } }, { "D01", { "N1001" } }, { "D01", { "P1001" } },
  { "D02", { "P1001" } }, { "D03", { "P1001" } }, { "D08", { "P1001" } }, { "D11", { "P1001" } },
  { "D24", { "P1001" } }, { "D43", { "P1001" } },
  { "D02", { "D3010" } }, { "D02", { "D1015" } },
  { "D03", { "D3008" } }, { "D03", { "D1013" } }, { "D03", { "D1014" } },
  { "D04", { "D3008" } }, { "D05", { "D3009" } }, { "D06", { "D3008" } }, { "D07", { "D3008" } },
  { "D08", { "A1018" } }, { "D08", { "A1021" } }, { "D08", { "T1034" } }, { "D08", { "W202" } },
  { "D09", { "A1018" } }, { "D09", { "T1034" } }, { "D09", { "W202" } }, { "D09", { "T1002" } },
  { "D10", { "T1186" } }, { "D10", { "T1477" } }, { "D10", { "P1001" } },
  { "D11", { "A1021" } }, { "D11", { "T1034" } }, { "D11", { "T1183" } }, { "D11", { "W202" } },
  { "D12", { "A1003" } }, { "D12", { "A1004" } }, { "D12", { "T1184" } }, { "D12", { "T1044" } },
  { "D12", { "T1039" } }, { "D12", { "W216" } }, { "D12", { "W214" } }, { "D12", { "W135" } },
  { "D12", { "P1001" } },
  { "D13", { "W101", "A1004" } }, { "D13", { "W101", "W216" } }, { "D13", { "I203", "A1004" } },
  { "D13", { "I1008", "A1004" } }, { "D13", { "X1", "A1004" } }, { "D13", { "C0" } },
  { "D14", { "T1044" } }, { "D14", { "T1046" } }, { "D14", { "A1004" } },
  { "D15", { "A1021" } }, { "D15", { "T1020" } }, { "D15", { "F1001" } },
  { "D16", { "A1021" } }, { "D16", { "T1021" } }, { "D16", { "T1130", "W202" } },
  { "D17", { "T1187" } }, { "D17", { "T1351" } }, { "D17", { "T1477" } }, { "D17", { "P1001" } },
  { "D18", { "T1102" } }, { "D18", { "T1200" } }, { "D18", { "P1001" } },
  { "D19", { "T1477" } }, { "D19", { "T1332" } },
  { "D20", { "T1084" } }, { "D20", { "T1332", "T1187" } }, { "D20", { "P1001" } },
  { "D21", { "T1214" } }, { "D21", { "A1033" } }, { "D21", { "K160" } },
  { "D22", { "A1003" } }, { "D23", { "T1159", "T1332" } },
  { "D24", { "W700" } }, { "D24", { "I701" } }, { "D24", { "C0" } },
  { "D25", { "W712", "D3008" } }, { "D25", { "W712", "T1002" } },
  { "D25", { "W700", "Y11" } },
  { "D26", { "W703" } }, { "D26", { "W713" } }, { "D26", { "W135" } }, { "D26", { "I703" } },
  { "D26", { "I704" } }, { "D26", { "C0" } }, { "D26", { "P1001" } },
  { "D27", { "W102" } }, { "D27", { "I801" } }, { "D27", { "I834" } }, { "D27", { "H816" } },
  { "D28", { "W101" } }, { "D28", { "I203" } }, { "D28", { "I1008" } }, { "D28", { "C0" } },
  { "D29", { "A1003", "A1004" } }, { "D29", { "W213", "W216" } },
  { "D30", { "W101" } }, { "D30", { "I203" } }, { "D30", { "X1" } }, { "D30", { "C0" } },
  { "D30", { "P1001" } },
  { "D31", { "W101" } }, { "D31", { "I1049" } }, { "D31", { "C0" } },
  { "D32", { "W200" } }, { "D32", { "W104" } }, { "D32", { "I206" } }, { "D32", { "C0" } },
  { "D33", { "A1000", "A1001" } },
  { "D34", { "W104" } }, { "D34", { "I1045" } }, { "D34", { "C0" } },
  { "D35", { "A1021" } }, { "D35", { "T1002" } }, { "D35", { "T1033" } }, { "D35", { "W200" } },
  { "D36", { "A1021" } }, { "D36", { "T1034" } }, { "D36", { "W202" } },
  { "D37", { "Q32", "Q34" } }, { "D37", { "H59996", "H59998" } },
  { "D37", { "W59996", "W59998" } },
  { "D38", { "N1000" } }, { "D38", { "A1018" } }, { "D38", { "A1004" } },
  { "D39", { "W17" } }, { "D39", { "I200" } }, { "D39", { "I1007" } }, { "D39", { "C0" } },
  { "D40", { "T1187" } }, { "D40", { "T1184" } }, { "D40", { "A1004" } },
  { "D41", { "A1030" } }, { "D41", { "T1050" } }, { "D41", { "T1006" } },
  { "D42", { "L30" } },
  { "D43", { "W213", "W216" } }, { "D43", { "W101" } }, { "D43", { "I1031", "I1037" } },
  { "D43", { "A1003", "A1004" } }, { "D43", { "C0" } },
};

/* Other events in the trace, and whether one proves that the wanted event was enabled: it is of the
 * same provider, and each of its keywords also enables the wanted event. */
static const struct
{
  const char *rule;
  const char *event;
  guint8 level;
  guint64 keyword;
  gboolean proves;
} proofs[] = {
  { "D10", "T1332", 4, 0x100000000, TRUE },
  { "D17", "T1332", 4, 0x100000000, TRUE },
  { "D17", "T1332", 3, 0x100000000, FALSE }, /* a less verbose level passes more easily */
  { "D17", "T1033", 4, 0x400000484, FALSE },
  { "D08", "T1130", 4, 0x8000000010, FALSE },
  { "D08", "T1324", 4, 0x8000000010, FALSE },
  { "D09", "T1130", 4, 0x8000000010, FALSE },
  { "D14", "T1130", 4, 0x8000000010, FALSE },
  { "D08", "A1015", 4, 0x4, TRUE },
  { "D22", "A1015", 4, 0x4, TRUE },
  { "D22", "A3006", 4, 0x8, FALSE },
  { "D22", "A3006", 4, 0, FALSE }, /* passes with any keyword */
  { "D01", "D3006", 4, 0, TRUE },
  { "D07", "D3018", 5, G_GUINT64_CONSTANT (0x8000000000000000), TRUE },
  { "D07", "D1001", 2, 0, FALSE },
  { "D13", "C0", 4, 0x10, FALSE }, /* logged by browsers beside their network log */
  { "D39", "I206", 4, 0x2, TRUE },
  { "D39", "I203", 4, 0x200, FALSE },
};
/* clang-format on */

static const NsGuid *
find_guid (char letter)
{
  guint i;

  for (i = 0; i < G_N_ELEMENTS (providers); i++)
    if (providers[i].letter == letter)
      return &providers[i].guid;
  g_assert_not_reached ();
}

static void
add_part (NsTrace *trace, const char *part)
{
  row_add_kind (trace,
                find_guid (*part),
                (guint16) g_ascii_strtoull (part + 1, NULL, 10),
                4,
                *part == 'C' ? 0x80 : 0);
}

static NsVerdict
judge (guint n, guint left_out)
{
  NsTrace *trace = test_trace_new (600 * SECOND);
  NsVerdict verdict;
  guint i;

  for (i = 0; i < MAX_PARTS && alternatives[n].parts[i] != NULL; i++)
    if (i != left_out)
      add_part (trace, alternatives[n].parts[i]);
  verdict = finding_of (trace, alternatives[n].rule)->verdict;
  test_trace_free (trace);
  return verdict;
}

static void
test_each_kind_of_evidence_is_enough (gconstpointer user_data)
{
  guint n = GPOINTER_TO_UINT (user_data);

  g_assert_cmpint (judge (n, MAX_PARTS), ==, NS_VERDICT_NOT_FOUND);
}

static void
test_a_part_of_evidence_is_not_enough (gconstpointer user_data)
{
  guint n = GPOINTER_TO_UINT (user_data);
  guint i;

  for (i = 0; i < MAX_PARTS && alternatives[n].parts[i] != NULL; i++)
    g_assert_cmpint (judge (n, i), ==, NS_VERDICT_UNJUDGED);
}

static void
test_other_events_prove_it_or_not (gconstpointer user_data)
{
  guint n = GPOINTER_TO_UINT (user_data);
  NsTrace *trace = test_trace_new (600 * SECOND);

  row_add_kind (trace,
                find_guid (*proofs[n].event),
                (guint16) g_ascii_strtoull (proofs[n].event + 1, NULL, 10),
                proofs[n].level,
                proofs[n].keyword);
  g_assert_cmpint (finding_of (trace, proofs[n].rule)->verdict,
                   ==,
                   proofs[n].proves ? NS_VERDICT_NOT_FOUND : NS_VERDICT_UNJUDGED);
  test_trace_free (trace);
}

/* Providers that are needed together are named together, browsers included. */
static void
test_what_is_needed_together_is_named_together (void)
{
  static const char *const needs[] = {
    "Google.Chrome or Microsoft.MSEdge (keyword 0x80)",
    "Microsoft-Windows-NDIS-PacketCapture 1001",
    "Microsoft-Windows-WebIO 101, 216",
    "Microsoft-Windows-Winsock-AFD 1004 (level 4, keyword 0x4) with Microsoft-Windows-WinINet 203, "
    "1008",
    "Microsoft-Windows-Winsock-AFD 1004 (level 4, keyword 0x4) with Microsoft-Windows-WebIO 101 "
    "(level 4, keyword 0x20200000000)",
    "Microsoft-Windows-Winsock-AFD 1004 (level 4, keyword 0x4) with "
    "Microsoft-Windows-WinINet-Capture",
  };
  NsTrace *trace = test_trace_new (600 * SECOND);
  const NsFindingRow *row = finding_of (trace, "D13");
  guint i;

  g_assert_cmpuint (row->needs->len, ==, G_N_ELEMENTS (needs));
  for (i = 0; i < G_N_ELEMENTS (needs); i++)
    g_assert_cmpstr (g_ptr_array_index (row->needs, i), ==, needs[i]);
  test_trace_free (trace);
}

/* The short list of missing providers is complete for providers that are needed together. */
static void
test_the_short_list_tells_what_goes_together (void)
{
  NsTrace *trace = test_trace_new (600 * SECOND);
  const NsFindingRow *row = finding_of (trace, "D45");

  g_assert_nonnull (
      strstr (row->text,
              "Microsoft-Windows-WebIO 101, 216 or Microsoft-Windows-Winsock-AFD 1004 "
              "with Microsoft-Windows-WinINet 203, 1008 or "
              "Microsoft-Windows-Winsock-AFD 1004 with Microsoft-Windows-WebIO 101 or "
              "Microsoft-Windows-Winsock-AFD 1004 with "
              "Microsoft-Windows-WinINet-Capture; "));
  test_trace_free (trace);
}

/* Recorded parts of a kind of evidence are not named as missing. */
static void
test_only_what_is_missing_is_named (void)
{
  NsTrace *trace = test_trace_new (600 * SECOND);
  const NsFindingRow *row;

  add_part (trace, "W712");
  row = finding_of (trace, "D25");
  g_assert_cmpint (row->verdict, ==, NS_VERDICT_UNJUDGED);
  g_assert_cmpuint (row->needs->len, ==, 3);
  g_assert_cmpstr (g_ptr_array_index (row->needs, 2),
                   ==,
                   "Microsoft-Windows-WebIO 700 (level 4, keyword 0x2000000000) with "
                   "Microsoft-Windows-CAPI2 11 (level 4, keyword 0x3)");
  g_assert_cmpstr (g_ptr_array_index (row->needs, 0),
                   ==,
                   "Microsoft-Windows-DNS-Client 3008 (level 4)");
  g_assert_cmpstr (g_ptr_array_index (row->needs, 1),
                   ==,
                   "Microsoft-Windows-TCPIP 1002 (level 4, keyword 0x400000480)");
  test_trace_free (trace);
}

static gboolean
has_layer (const char *layers, const char *layer)
{
  g_auto (GStrv) names = g_strsplit (layers, ",", -1);

  return g_strv_contains ((const char *const *) names, layer);
}

/* Missing layers are named as in the recording recipe, for one rule and for all. Recorded layers
 * are not named, and packets belong to no layer. */
static void
test_missing_layers_are_those_of_the_recipe (void)
{
  NsTrace *trace = test_trace_new (600 * SECOND);
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;
  g_autofree char *all = NULL;
  g_autofree char *packets = NULL;

  add_part (trace, "W712");
  before = ns_finding_dup_missing_layers (trace, "D25");
  g_assert_cmpstr (before, ==, "names,http,tls");
  all = ns_finding_dup_missing_layers (trace, "D45");
  g_assert_true (has_layer (all, "sockets"));
  g_assert_true (has_layer (all, "names"));
  g_assert_true (has_layer (all, "ldap"));
  g_assert_false (has_layer (all, "processor"));
  add_part (trace, "W700");
  add_part (trace, "D3008");
  add_part (trace, "D3009");
  add_part (trace, "D3010");
  add_part (trace, "D3011");
  add_part (trace, "Y11");
  add_part (trace, "Y53");
  after = ns_finding_dup_missing_layers (trace, "D25");
  g_assert_cmpstr (after, ==, "");
  packets = ns_finding_dup_missing_layers (trace, "D44");
  g_assert_cmpstr (packets, ==, "");
  test_trace_free (trace);
}

/* In a trace without events, every rule names each source of evidence by its catalogue name and
 * event IDs, in the sentence and as a list. */
static void
test_all_that_is_missing_is_named_by_every_rule (void)
{
  NsTrace *trace = test_trace_new (600 * SECOND);
  guint n_named = 0;
  guint i;

  for (i = 0; i < NS_N_FINDING_RULES; i++)
    {
      const NsFindingRule *rule = &ns_finding_rules[i];
      g_auto (GStrv) atoms =
          g_strsplit_set (rule->evidence != NULL ? rule->evidence : "", "|+", -1);
      g_autoptr (GString) needs = g_string_new (NULL);
      const NsFindingRow *row;
      guint j;

      /* D47 depends on packets only, and D48 on layers above connections only; both are listed only
       * if those are recorded. */
      if (rule->evidence == NULL || strcmp (rule->evidence, "P") == 0 ||
          strcmp (rule->id, "D48") == 0)
        continue;
      row = finding_of (trace, rule->id);
      g_assert_cmpint (row->verdict, ==, NS_VERDICT_UNJUDGED);
      for (j = 0; j < row->needs->len; j++)
        g_string_append_printf (needs, "%s\n", (char *) g_ptr_array_index (row->needs, j));
      for (j = 0; atoms[j] != NULL; j++)
        {
          const NsGuid *guid = NULL;
          const char *name;
          guint k;

          for (k = 0; k < G_N_ELEMENTS (providers); k++)
            if (providers[k].letter == atoms[j][0])
              guid = &providers[k].guid;
          g_assert_nonnull (guid);
          name = ns_catalog_get_name (ns_catalog_find (guid));
          if (strstr (needs->str, name) == NULL || strstr (row->text, name) == NULL)
            g_error ("%s names no %s: %s", rule->id, name, row->text);
          g_strdelimit (atoms[j], "*", '\0');
          if (atoms[j][1] != '\0' && (strstr (needs->str, atoms[j] + 1) == NULL ||
                                      strstr (row->text, atoms[j] + 1) == NULL))
            g_error ("%s names no %s of %s: %s", rule->id, atoms[j] + 1, name, row->text);
          n_named++;
        }
    }
  g_assert_cmpuint (n_named, >, 100);
  test_trace_free (trace);
}

static char *
dup_parts (const char *const *parts)
{
  GString *text = g_string_new (parts[0]);
  guint i;

  for (i = 1; i < MAX_PARTS && parts[i] != NULL; i++)
    g_string_append_printf (text, "+%s", parts[i]);
  return g_string_free (text, FALSE);
}

int
main (int argc, char *argv[])
{
  guint i;

  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  for (i = 0; i < G_N_ELEMENTS (alternatives); i++)
    {
      g_autofree char *parts = dup_parts (alternatives[i].parts);
      g_autofree char *whole =
          g_strdup_printf ("/findings/%s/recorded/%s", alternatives[i].rule, parts);
      g_autofree char *part = g_strdup_printf ("%s/in-part", whole);

      g_test_add_data_func (whole, GUINT_TO_POINTER (i), test_each_kind_of_evidence_is_enough);
      g_test_add_data_func (part, GUINT_TO_POINTER (i), test_a_part_of_evidence_is_not_enough);
    }
  for (i = 0; i < G_N_ELEMENTS (proofs); i++)
    {
      g_autofree char *path = g_strdup_printf ("/findings/%s/proof/%u", proofs[i].rule, i);

      g_test_add_data_func (path, GUINT_TO_POINTER (i), test_other_events_prove_it_or_not);
    }
  g_test_add_func ("/findings/the-short-list-tells-what-goes-together",
                   test_the_short_list_tells_what_goes_together);
  g_test_add_func ("/findings/what-is-needed-together-is-named-together",
                   test_what_is_needed_together_is_named_together);
  g_test_add_func ("/findings/all-that-is-missing-is-named-by-every-rule",
                   test_all_that_is_missing_is_named_by_every_rule);
  g_test_add_func ("/findings/only-what-is-missing-is-named", test_only_what_is_missing_is_named);
  g_test_add_func ("/findings/missing-layers-are-those-of-the-recipe",
                   test_missing_layers_are_those_of_the_recipe);
  return g_test_run ();
}
