/* Determines whether the trace would contain the events of a failure if there had been one.
 *
 * Events of a provider prove little: it logs what its level and keywords let pass. An event counts
 * as recorded if the trace has one of its kind, if it has an event of the provider that no setting
 * enables without it, or if the session is known to have enabled it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/app/chromium/ns-chromium.h"
#include "engine/catalog/ns-catalog.h"
#include "engine/net/ns-signs.h"
#include "engine/net/packets/ns-packet-row.h"
#include "findings/ns-findings-private.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Keyword bits of manifests; the bits above are the channels that Windows adds. */
#define KEYWORD_BITS G_GUINT64_CONSTANT (0x0000ffffffffffff)
/* Only the event itself proves that it is recorded. */
#define KEYWORD_UNKNOWN G_MAXUINT64
/* Keyword for dropped packets. The other keywords of these events are omitted on purpose: a session
 * that enables data events but not this keyword records none of them. */
#define DROPS G_GUINT64_CONSTANT (0x10000000000)
#define MAX_ALTERNATIVES 24
/* ID of a packet event, of any capturing provider. */
#define PACKET "1001"
/* Keyword of the network log of Chromium browsers. */
#define NETLOG G_GUINT64_CONSTANT (0x80)
#define MAX_ATOMS 4

/* clang-format off */
static const struct
{
  char letter; /* in NsFindingRule.evidence */
  const char *name;
  NsGuid guid;
  const char *layer; /* (nullable): layer of the recipe that records it; NULL: packets, bodies, stacks */
} providers[] = {
  { 'A', "Microsoft-Windows-Winsock-AFD", NS_GUID_WINSOCK_AFD, "sockets" },
  { 'B', "Microsoft-Windows-Bits-Client", NS_GUID_BITS_CLIENT, "http" },
  /* Stands for the providers of all Chromium browsers. */
  { 'C', "Google.Chrome or Microsoft.MSEdge (keyword 0x80)", { { 0 } }, "browsers" },
  { 'D', "Microsoft-Windows-DNS-Client", NS_GUID_DNS_CLIENT, "names" },
  { 'F', "Microsoft-Windows-WFP", NS_GUID_WFP, "environment" },
  { 'H', "Microsoft-Windows-WinHttp", NS_GUID_WINHTTP, "http" },
  { 'I', "Microsoft-Windows-WinINet", NS_GUID_WININET, "http" },
  { 'K', "Microsoft-Windows-PktMon", NS_GUID_PKTMON, NULL },
  { 'L', "Microsoft-Windows-LDAP-Client", NS_GUID_LDAP_CLIENT, "ldap" },
  { 'M', "Microsoft-Windows-SMBClient", NS_GUID_SMB_CLIENT, "files" },
  { 'N', "Microsoft-Windows-Winsock-NameResolution", NS_GUID_WINSOCK_NAME_RESOLUTION, "names" },
  { 'P', "Microsoft-Windows-NDIS-PacketCapture", NS_GUID_NDIS_PACKET_CAPTURE, NULL },
  { 'Q', "ThreadPool", NS_GUID_THREAD_POOL, NULL },
  { 'R', "Microsoft-Windows-RPC", NS_GUID_RPC, "files" },
  { 'T', "Microsoft-Windows-TCPIP", NS_GUID_TCPIP, "connections" },
  { 'W', "Microsoft-Windows-WebIO", NS_GUID_WEBIO, "http" },
  { 'X', "Microsoft-Windows-WinINet-Capture", NS_GUID_WININET_CAPTURE, NULL },
  { 'Y', "Microsoft-Windows-CAPI2", NS_GUID_CAPI2, "tls" },
};

#define N_PROVIDERS G_N_ELEMENTS (providers)

static const struct
{
  char letter;
  guint16 first;
  guint16 last;
  guint8 level;
  guint64 keyword;
} events[] = {
  { 'A', 1032, 1032, 2, 0x4 }, { 'A', 1033, 1033, 2, DROPS }, { 'A', 1000, 1999, 4, 0x4 },
  { 'D', 1013, 1013, 2, 0 }, { 'D', 1014, 1014, 3, 0x10000000 }, { 'D', 1015, 1016, 4, 0 },
  { 'D', 3006, 3018, 4, 0 },
  { 'F', 1001, 1003, 4, 0x10000000000 },
  { 'H', 801, 835, 4, 0x20 }, { 'H', 59995, 59998, 5, 0 },
  { 'I', 200, 200, 4, 0x2 }, { 'I', 203, 203, 4, 0x202 }, { 'I', 206, 208, 4, 0x2 }, { 'I', 701, 702, 4, 0x210 },
  { 'I', 703, 704, 2, 0x110 }, { 'I', 801, 835, 4, 0x20 }, { 'I', 1007, 1008, 4, 0x80 }, { 'I', 1031, 1049, 4, 0x280 },
  { 'L', 30, 30, 0, 0x1 },
  { 'N', 1000, 1001, 4, 0 },
  { 'T', 1002, 1002, 4, 0x400000480 }, { 'T', 1006, 1006, 4, 0x409 },
  { 'T', 1020, 1035, 4, 0x400000484 }, { 'T', 1038, 1038, 4, 0x1000000404 },
  { 'T', 1039, 1048, 4, 0x1000000484 }, { 'T', 1050, 1050, 4, 0x400000484 },
  { 'T', 1077, 1077, 4, 0x100000080 }, { 'T', 1084, 1086, 4, 0x8000000080 },
  { 'T', 1102, 1103, 4, 0x100000080 }, { 'T', 1106, 1106, 4, 0x8000002090 },
  { 'T', 1130, 1130, 4, 0x8000000010 }, { 'T', 1159, 1159, 4, 0x100000000 },
  { 'T', 1183, 1184, 4, 0x600000080 }, { 'T', 1186, 1187, 4, 0x500000080 },
  { 'T', 1190, 1190, 4, 0x200000080 }, { 'T', 1200, 1200, 4, 0x1000000484 },
  { 'T', 1214, 1215, 4, DROPS },
  { 'T', 1332, 1332, 4, 0x100000000 }, { 'T', 1351, 1351, 4, 0x100000080 },
  { 'T', 1352, 1352, 0, 0x200000000000 }, { 'T', 1394, 1394, 4, 0x409 },
  { 'T', 1423, 1423, 4, DROPS }, { 'T', 1454, 1455, 4, 0x80 },
  { 'T', 1477, 1477, 0, 0x200000000000 }, { 'T', 1478, 1478, 4, DROPS },
  { 'W', 17, 17, 4, 0x4000000001 }, { 'W', 101, 101, 4, 0x20200000000 }, { 'W', 102, 104, 4, 0 },
  { 'W', 135, 135, 4, 0x200000001 }, { 'W', 200, 201, 4, 0x400000000 },
  { 'W', 202, 202, 2, 0x400000000 }, { 'W', 213, 214, 4, 0x100000000 },
  { 'W', 215, 216, 4, 0x200000000 }, { 'W', 700, 712, 4, 0x2000000000 },
  { 'W', 713, 713, 2, 0x2000000000 }, { 'W', 59995, 59998, 5, 0 },
  { 'Y', 10, 11, 4, 0x3 }, { 'Y', 40, 41, 4, 0x5 }, { 'Y', 52, 53, 4, 0x36 },
};
/* clang-format on */

/* An event that must be recorded, and the settings that enable it. */
typedef struct
{
  guint provider; /* index in @providers */
  guint16 id;     /* 0: any event of the provider */
  guint8 level;
  guint64 keyword;
  gboolean wants_stack;
} Wanted;

static guint
find_provider (char letter)
{
  guint i;

  for (i = 0; i < N_PROVIDERS; i++)
    if (providers[i].letter == letter)
      return i;
  g_assert_not_reached ();
}

static void
look_up (Wanted *wanted, char letter, guint16 id)
{
  guint i;

  wanted->provider = find_provider (letter);
  wanted->id = id;
  wanted->level = 4;
  wanted->keyword = KEYWORD_UNKNOWN;
  for (i = 0; i < G_N_ELEMENTS (events); i++)
    if (events[i].letter == letter && id >= events[i].first && id <= events[i].last)
      {
        wanted->level = events[i].level;
        wanted->keyword = events[i].keyword;
        return;
      }
}

/* Returns whether every setting that enables events of this kind also enables the wanted one. */
static gboolean
proves (const NsKindRow *kind, const Wanted *wanted)
{
  guint64 keyword = kind->keyword & KEYWORD_BITS;

  if (kind->n_events == 0)
    return FALSE;
  if (wanted->id == 0 || kind->id == wanted->id)
    return !wanted->wants_stack || kind->n_stacks > 0;
  if (!kind->is_manifest || wanted->keyword == KEYWORD_UNKNOWN || wanted->wants_stack ||
      kind->level < wanted->level)
    return FALSE;
  return wanted->keyword == 0 || (keyword != 0 && (keyword & ~wanted->keyword) == 0);
}

static gboolean
was_asked_for (const NsTrace *trace, const Wanted *wanted)
{
  guint i;

  if (wanted->keyword == KEYWORD_UNKNOWN || wanted->wants_stack)
    return FALSE;
  for (i = 0; i < trace->enables->len; i++)
    {
      const NsEnableRow *row = &g_array_index (trace->enables, NsEnableRow, i);

      if (ns_guid_equal (&row->guid, &providers[wanted->provider].guid) &&
          (row->level == 0 || row->level >= wanted->level) &&
          (wanted->keyword == 0 || row->any == 0 || (row->any & wanted->keyword) != 0) &&
          (row->all & KEYWORD_BITS & ~wanted->keyword) == 0)
        return TRUE;
    }
  return FALSE;
}

static gboolean
is_recorded (const NsTrace *trace, const Wanted *wanted)
{
  guint i;

  for (i = 0; i < trace->kinds->len; i++)
    {
      const NsKindRow *kind = &g_array_index (trace->kinds, NsKindRow, i);
      const NsProviderRow *provider;

      if (kind->provider >= trace->providers->len)
        continue;
      provider = &g_array_index (trace->providers, NsProviderRow, kind->provider);
      if (ns_guid_equal (&provider->guid, &providers[wanted->provider].guid) &&
          proves (kind, wanted))
        return TRUE;
    }
  return was_asked_for (trace, wanted);
}

/* Returns whether the trace has the network log of a browser. Other events of browsers share its
 * keyword, so the provider must be that of a browser, too. */
static gboolean
has_browser (const NsTrace *trace)
{
  guint i;

  for (i = 0; i < trace->kinds->len; i++)
    {
      const NsKindRow *kind = &g_array_index (trace->kinds, NsKindRow, i);

      if (kind->n_events > 0 && (kind->keyword & NETLOG) != 0 &&
          kind->provider < trace->providers->len &&
          ns_chromium_is_channel (
              &g_array_index (trace->providers, NsProviderRow, kind->provider).guid))
        return TRUE;
    }
  return trace->chromium->len > 0;
}

/* Missing event IDs of one provider, with their level and keywords if all are the same. */
typedef struct
{
  GString *ids;
  guint64 keyword;
  guint8 level;
  gboolean is_mixed;
  gboolean wants_stack;
} Missing;

/* One alternative that is missing: events of one provider, or of several together. */
typedef struct
{
  guint set; /* bit set of indexes in @providers */
  Missing missing[N_PROVIDERS];
} Need;

static void
need_clear (gpointer data)
{
  Need *self = data;
  guint i;

  for (i = 0; i < N_PROVIDERS; i++)
    if (self->missing[i].ids != NULL)
      g_string_free (self->missing[i].ids, TRUE);
}

static void
add_missing (Need *need, const Wanted *wanted)
{
  g_autofree char *id = g_strdup_printf ("%u", wanted->id);
  Missing *self = &need->missing[wanted->provider];

  if (self->ids == NULL)
    {
      self->ids = g_string_new (NULL);
      self->keyword = wanted->keyword;
      self->level = wanted->level;
    }
  self->is_mixed |= self->keyword != wanted->keyword || self->level != wanted->level;
  self->wants_stack |= wanted->wants_stack;
  if (wanted->id != 0 && strstr (self->ids->str, id) == NULL)
    g_string_append_printf (self->ids, "%s%s", self->ids->len > 0 ? ", " : "", id);
}

static void
append_missing (GString *text, const Missing *missing, const char *provider)
{
  g_string_append_printf (text, "%s%s", text->len > 0 ? _ (" with ") : "", provider);
  if (missing->ids->len > 0)
    g_string_append_printf (text, " %s", missing->ids->str);
  if (missing->wants_stack)
    g_string_append (text, _ (" with stacks"));
  else if (missing->ids->len > 0 && !missing->is_mixed && missing->keyword != KEYWORD_UNKNOWN)
    {
      if (missing->keyword != 0)
        {
          g_autofree char *keyword = g_strdup_printf ("0x%" PRIx64, missing->keyword);

          /* Translators: appended to the name of a provider and its missing events. */
          g_string_append_printf (text, _ (" (level %u, keyword %s)"), missing->level, keyword);
        }
      else
        g_string_append_printf (text, _ (" (level %u)"), missing->level);
    }
}

/* Tests one element of a rule's evidence: “T1186” (event), “C” (browser), “N1000*” (event with
 * stack). Otherwise fills in @wanted with the missing event. */
static gboolean
has_atom (const NsTrace *trace, const char *atom, Wanted *wanted)
{
  *wanted = (Wanted){ 0 };
  if ((*atom == 'P' && ns_packet_row_has_frames (trace)) || (*atom == 'C' && has_browser (trace)))
    return TRUE;
  look_up (wanted, *atom, (guint16) strtoul (*atom == 'P' ? PACKET : atom + 1, NULL, 10));
  wanted->wants_stack = g_str_has_suffix (atom, "*");
  return *atom != 'C' && is_recorded (trace, wanted);
}

static Need *
find_need (GArray *needs, guint set)
{
  Need need = { .set = set };
  guint i;

  for (i = 0; i < needs->len; i++)
    if (g_array_index (needs, Need, i).set == set)
      return &g_array_index (needs, Need, i);
  g_array_append_val (needs, need);
  return &g_array_index (needs, Need, needs->len - 1);
}

static gboolean
has_alternative (const NsTrace *trace, const char *alternative, GArray *needs)
{
  g_auto (GStrv) atoms = g_strsplit (alternative, "+", MAX_ATOMS);
  Wanted missing[MAX_ATOMS];
  guint n_missing = 0;
  guint set = 0;
  Need *need;
  guint i;

  for (i = 0; atoms[i] != NULL; i++)
    if (!has_atom (trace, atoms[i], &missing[n_missing]))
      set |= 1u << missing[n_missing++].provider;
  need = n_missing > 0 ? find_need (needs, set) : NULL;
  for (i = 0; i < n_missing; i++)
    add_missing (need, &missing[i]);
  return n_missing == 0;
}

/* Sorts needs of a single provider first, then in the order of @providers. */
static gint
compare_needs (gconstpointer a, gconstpointer b)
{
  guint left = ((const Need *) a)->set;
  guint right = ((const Need *) b)->set;
  gboolean is_left_one = (left & (left - 1)) == 0;
  gboolean is_right_one = (right & (right - 1)) == 0;

  if (is_left_one != is_right_one)
    return is_left_one ? -1 : 1;
  return (left > right) - (left < right);
}

/**
 * ns_findings_is_recorded: (skip)
 * @trace: a trace
 * @evidence: (nullable): the events that show a failure: alternatives separated by "|", each of one
 *   or more events joined by "+"
 * @needs: (element-type utf8): receives descriptions of what is missing; the texts are static
 *
 * Returns: whether the trace would record the failure
 */
gboolean
ns_findings_is_recorded (const NsTrace *trace, const char *evidence, GPtrArray *needs)
{
  g_auto (GStrv) alternatives = NULL;
  g_autoptr (GArray) missing = NULL;
  guint i;
  guint j;

  if (evidence == NULL)
    return TRUE;
  missing = g_array_new (FALSE, FALSE, sizeof (Need));
  g_array_set_clear_func (missing, need_clear);
  alternatives = g_strsplit (evidence, "|", MAX_ALTERNATIVES);
  for (i = 0; alternatives[i] != NULL; i++)
    if (has_alternative (trace, alternatives[i], missing))
      return TRUE;
  g_array_sort (missing, compare_needs);
  for (i = 0; i < missing->len; i++)
    {
      const Need *need = &g_array_index (missing, Need, i);
      g_autoptr (GString) text = g_string_new (NULL);

      for (j = 0; j < N_PROVIDERS; j++)
        if (need->missing[j].ids != NULL)
          append_missing (text, &need->missing[j], providers[j].name);
      g_ptr_array_add (needs, (gpointer) g_intern_string (text->str));
    }
  return FALSE;
}

/* Appends the layers of the recipe that record the need, without duplicates; returns %FALSE if one
 * of its providers is in no layer. */
static gboolean
append_layers (GString *layers, const Need *need)
{
  guint i;

  for (i = 0; i < N_PROVIDERS; i++)
    if (need->missing[i].ids != NULL && providers[i].layer == NULL)
      return FALSE;
  for (i = 0; i < N_PROVIDERS; i++)
    if (need->missing[i].ids != NULL)
      ns_findings_append_layers (layers, providers[i].layer);
  return TRUE;
}

/**
 * ns_findings_append_layers: (skip)
 * @layers: (inout): comma-separated names of layers, without duplicates
 * @more: comma-separated names; those that are missing in @layers are appended
 */
void
ns_findings_append_layers (GString *layers, const char *more)
{
  g_auto (GStrv) there = g_strsplit (layers->str, ",", -1);
  g_auto (GStrv) names = g_strsplit (more, ",", -1);
  guint i;

  for (i = 0; names[i] != NULL; i++)
    if (*names[i] != '\0' && !g_strv_contains ((const char *const *) there, names[i]))
      g_string_append_printf (layers, "%s%s", layers->len > 0 ? "," : "", names[i]);
}

/**
 * ns_findings_append_missing_layers: (skip)
 * @trace: a trace
 * @evidence: (nullable): the events that show a failure, see ns_findings_is_recorded()
 * @layers: (inout): comma-separated names of the recipe's layers; receives those that would record
 *   what is missing; unchanged if nothing is missing or no layer records it
 */
void
ns_findings_append_missing_layers (const NsTrace *trace, const char *evidence, GString *layers)
{
  g_auto (GStrv) alternatives =
      g_strsplit (evidence != NULL ? evidence : "", "|", MAX_ALTERNATIVES);
  g_autoptr (GArray) missing = g_array_new (FALSE, FALSE, sizeof (Need));
  guint i;

  g_array_set_clear_func (missing, need_clear);
  for (i = 0; alternatives[i] != NULL; i++)
    if (has_alternative (trace, alternatives[i], missing))
      return;
  /* One alternative is enough: the first that layers record. */
  for (i = 0; i < missing->len; i++)
    if (append_layers (layers, &g_array_index (missing, Need, i)))
      return;
}
