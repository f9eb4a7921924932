/* Classifies events: errors, packet drops and state changes. The results are not stored: the
 * record is read when a column or a filter needs it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/catalog/ns-catalog.h"
#include "query/ns-event-mark.h"

#include "findings/ns-codes.h"
#include "schema/ns-payload.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

#define LEVEL_CRITICAL 1
#define LEVEL_ERROR 2
/* Maximum length of a state's text. */
#define MAX_TEXT_BYTES 200

/* clang-format off */
static const NsGuid tcpip = NS_GUID_TCPIP;
static const NsGuid afd = NS_GUID_WINSOCK_AFD;
static const NsGuid wfp = NS_GUID_WFP;
static const NsGuid pktmon = NS_GUID_PKTMON;
static const NsGuid correlation = NS_GUID_NETWORKING_CORRELATION;
static const NsGuid event_metadata = NS_GUID_EVENT_METADATA;

/* Providers whose events are all about network connectivity. */
static const struct
{
  NsGuid guid;
  const char *lane;
} connectivity[] = {
  { NS_GUID_NCSI, "ncsi" },
  { NS_GUID_NETWORK_PROFILE, "network-profile" },
  { NS_GUID_NLASVC, "network-profile" },
  { NS_GUID_DHCP_CLIENT, "dhcp" },
  { NS_GUID_DHCPV6_CLIENT, "dhcp" },
  { NS_GUID_WLAN_AUTOCONFIG, "wlan" },
};

/* TCPIP events about state changes: subject, old state and new state. */
static const struct
{
  guint16 id;
  const char *lane;
  const char *subject;
  const char *before;
  const char *after;
} states[] = {
  { 1051, "tcp-state", "Tcb", "OldState", "NewState" },
  { 1106, "media", "InterfaceIndex", NULL, "TraceString" },
  { 1130, "interface", "Interface", NULL, "OperationalStatus" },
  { 1324, "neighbor", "IPAddress", "OldNeighborState", "NewNeighborState" },
};

/* Packet drop events. */
static const struct
{
  const NsGuid *provider;
  guint16 id;
  const char *source;
  const char *reason; /* field with the reason */
} drops[] = {
  { &tcpip, 1214, "TCPIP", "Reason" },
  { &tcpip, 1215, "TCPIP", "Reason" },
  { &tcpip, 1423, "TCPIP", "DropReason" },
  { &tcpip, 1478, "TCPIP", "Reason" },
  { &afd, 1033, "AFD", "Reason" },
  { &wfp, 1001, "WFP", "FilterId" },      /* blocked by a filter */
  { &wfp, 1003, "WFP", "FailureStatus" }, /* IPsec */
  { &wfp, 1011, "WFP", "FailureStatus" }, /* flood protection */
  { &wfp, 1029, "WFP", "FilterId" },      /* blocked by a link-layer filter */
};
/* clang-format on */

/* Fields with a status that the schema does not describe as one. */
static const char *const status_fields[] = {
  "Status",     "NtStatus",         "StatusCode",  "ErrorCode", "Error",      "FailureStatus",
  "ReturnCode", "FailureErrorCode", "QueryStatus", "LastError", "Win32Error", "HResult",
};

typedef struct
{
  const NsEvent *event;
  NsCodeFamily family;
  gint64 value;
  const char *name;
} Status;

static gboolean
is_of (const NsEvent *event, const NsGuid *provider)
{
  return ns_guid_equal (&event->record->guid, provider);
}

/* Returns the status family of a field; NS_CODE_NONE: it is not a status. Drivers only use
 * NTSTATUS, whose small positive values mean that an operation is pending. */
static NsCodeFamily
get_family (const NsEvent *event, const NsSchemaField *field, guint64 value)
{
  gboolean is_driver = is_of (event, &tcpip) || is_of (event, &afd) || is_of (event, &wfp);

  guint i;

  switch (field->out_type)
    {
    case NS_OUT_NTSTATUS:
      return NS_CODE_NTSTATUS;
    case NS_OUT_HRESULT:
      return NS_CODE_HRESULT;
    case NS_OUT_WIN32ERROR:
    case NS_OUT_ERRORCODE:
      return NS_CODE_WIN32;
    default:
      break;
    }
  if (field->map != NULL || field->name == NULL)
    return NS_CODE_NONE;
  for (i = 0; i < G_N_ELEMENTS (status_fields); i++)
    if (g_ascii_strcasecmp (field->name, status_fields[i]) == 0)
      return g_ascii_strcasecmp (field->name, "StatusCode") == 0 && value >= 100 && value < 600
                 ? NS_CODE_HTTP
             : is_driver ? NS_CODE_NTSTATUS
                         : ns_codes_guess_family ((gint64) value);
  return NS_CODE_NONE;
}

/* Stops at the first error status. */
static gboolean
look_for_status_cb (const NsPayloadItem *item, gpointer user_data)
{
  Status *status = user_data;
  guint64 value;

  if (item->kind != NS_ITEM_VALUE || item->size != 4 || !ns_value_get_uint (item, &value))
    return TRUE;
  value &= G_MAXUINT32;
  if (value == 0)
    return TRUE;
  status->family = get_family (status->event, item->field, value);
  status->value = (gint64) value;
  status->name = item->field->name;
  if (status->family != NS_CODE_NONE && ns_codes_is_error (status->family, status->value))
    return FALSE;
  status->family = NS_CODE_NONE;
  return TRUE;
}

static gboolean
find_status (const NsEvent *event, Status *status)
{
  status->event = event;
  status->family = NS_CODE_NONE;
  ns_payload_walk (event->schema, event->record, look_for_status_cb, status);
  return status->family != NS_CODE_NONE;
}

/* Returns whether the level is that of an error. Networking-Correlation logs all its events at
 * level Critical, so that no filter drops them. */
static gboolean
has_level_of_error (const NsEvent *event)
{
  const NsRecord *record = event->record;

  return ns_event_has_level (record) && record->level >= LEVEL_CRITICAL &&
         record->level <= LEVEL_ERROR && !is_of (event, &correlation);
}

/**
 * ns_event_mark_is_error:
 * @event: an event
 *
 * Returns: %TRUE if its level is Error or Critical, or if one of its fields holds an error status
 */
gboolean
ns_event_mark_is_error (const NsEvent *event)
{
  Status status;

  return has_level_of_error (event) || find_status (event, &status);
}

/**
 * ns_event_mark_dup_error:
 * @event: an event
 *
 * Returns: (transfer full) (nullable): the error as text; %NULL: no error
 */
char *
ns_event_mark_dup_error (const NsEvent *event)
{
  g_autofree char *words = NULL;
  Status status;

  if (find_status (event, &status))
    {
      words = ns_codes_describe (status.family, status.value);
      return g_strdup_printf ("%s: %s", status.name, words);
    }
  if (!has_level_of_error (event))
    return NULL;
  return g_strdup (event->record->level == LEVEL_CRITICAL ? _ ("logged at level critical")
                                                          : _ ("logged at level error"));
}

static const char *
find_reason_field (const NsEvent *event, const char **source)
{
  NsPayloadItem item;
  guint64 reason;
  guint i;

  for (i = 0; i < G_N_ELEMENTS (drops); i++)
    if (event->record->id == drops[i].id && is_of (event, drops[i].provider))
      {
        *source = drops[i].source;
        return drops[i].reason;
      }
  /* PktMon events are drops if they have a drop reason; one event is for drops only. */
  if (!is_of (event, &pktmon) ||
      !ns_payload_find (event->schema, event->record, "DropReason", &item) ||
      !ns_value_get_uint (&item, &reason) || (reason == 0 && event->record->id != 170))
    return NULL;
  *source = "PktMon";
  return "DropReason";
}

/**
 * ns_event_mark_get_drop_source:
 * @event: an event
 *
 * Returns: (nullable): the component that dropped a packet; %NULL: not a drop event
 */
const char *
ns_event_mark_get_drop_source (const NsEvent *event)
{
  const char *source = NULL;

  return find_reason_field (event, &source) != NULL ? source : NULL;
}

/**
 * ns_event_mark_get_drop_code:
 * @event: an event
 * @code: (out): number of the reason; for a WFP drop number of the filter
 *
 * Returns: %TRUE if it is a drop event with a reason
 */
gboolean
ns_event_mark_get_drop_code (const NsEvent *event, guint64 *code)
{
  const char *source;
  const char *field = find_reason_field (event, &source);
  NsPayloadItem item;

  return field != NULL && ns_payload_find (event->schema, event->record, field, &item) &&
         ns_value_get_uint (&item, code);
}

static gboolean
append_field (const NsEvent *event, const char *name, GString *text)
{
  NsPayloadItem item;
  gsize begin = text->len;

  if (name == NULL || !ns_payload_find (event->schema, event->record, name, &item))
    return FALSE;
  ns_value_append_text (&item, event->secrets, text);
  return text->len > begin;
}

static char *
describe_filter (const NsEvent *event, guint64 filter)
{
  g_autoptr (GString) layer = g_string_new (NULL);

  if (!append_field (event, "LayerId", layer))
    g_string_append_c (layer, '?');
  /* Translators: numbers of a firewall's filter and of the layer it stands in. */
  return g_strdup_printf (_ ("Blocked by filter %" PRIu64 " in layer %s"), filter, layer->str);
}

/**
 * ns_event_mark_dup_drop_reason:
 * @event: an event
 *
 * Returns: (transfer full) (nullable): text and number of the drop reason
 */
char *
ns_event_mark_dup_drop_reason (const NsEvent *event)
{
  const char *source;
  const char *field = find_reason_field (event, &source);
  g_autoptr (GString) text = NULL;
  NsPayloadItem item;
  guint64 code;

  if (field == NULL || !ns_payload_find (event->schema, event->record, field, &item) ||
      !ns_value_get_uint (&item, &code))
    return NULL;
  if (strcmp (field, "FilterId") == 0)
    return describe_filter (event, code);
  if (strcmp (field, "FailureStatus") == 0)
    return ns_codes_describe (ns_codes_guess_family ((gint64) code), (gint64) code);
  text = g_string_new (NULL);
  if (item.field->map != NULL)
    ns_value_append_text (&item, event->secrets, text);
  /* A number without a name in the value map is displayed as a number. */
  if (text->len == 0 || g_ascii_isdigit (text->str[0]))
    g_string_printf (text, _ ("%s reports an unnamed reason"), source);
  g_string_append_printf (text, " (%" G_GUINT64_FORMAT ")", code);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/**
 * ns_event_mark_is_schema:
 * @record: a record
 *
 * Returns: %TRUE if it is a schema record: embedded by a merge, or a manifest sent as an event
 */
gboolean
ns_event_mark_is_schema (const NsRecord *record)
{
  if (ns_guid_equal (&record->guid, &event_metadata))
    return TRUE;
  return (record->flags & NS_RECORD_MANIFEST) != 0 && record->id == 0xfffe &&
         record->opcode == 0xfe;
}

static gint
find_state (const NsEvent *event)
{
  guint i;

  if (!is_of (event, &tcpip))
    return -1;
  for (i = 0; i < G_N_ELEMENTS (states); i++)
    if (states[i].id == event->record->id)
      return (gint) i;
  return -1;
}

/**
 * ns_event_mark_can_have:
 * @provider: a provider
 *
 * Returns: whether it has events that are marks in a lane
 */
gboolean
ns_event_mark_can_have (const NsGuid *provider)
{
  guint i;

  if (ns_guid_equal (provider, &tcpip))
    return TRUE;
  for (i = 0; i < G_N_ELEMENTS (connectivity); i++)
    if (ns_guid_equal (provider, &connectivity[i].guid))
      return TRUE;
  return FALSE;
}

/**
 * ns_event_mark_get_lane:
 * @event: an event
 *
 * Returns: (nullable): the lane of its mark: `tcp-state`, `interface`, `media`, `neighbor`, `dhcp`,
 *   `wlan`, `ncsi` or `network-profile`
 */
const char *
ns_event_mark_get_lane (const NsEvent *event)
{
  gint state = find_state (event);
  guint i;

  if (state >= 0)
    return states[state].lane;
  for (i = 0; i < G_N_ELEMENTS (connectivity); i++)
    if (is_of (event, &connectivity[i].guid))
      return connectivity[i].lane;
  return NULL;
}

/**
 * ns_event_mark_dup_subject:
 * @event: an event of a lane
 *
 * Returns: (transfer full) (nullable): the object whose state changes: a TCB, an interface, a
 *   neighbor's address
 */
char *
ns_event_mark_dup_subject (const NsEvent *event)
{
  static const char *const names[] = { "InterfaceGuid", "InterfaceId", "InterfaceIndex", "IfLuid" };
  g_autoptr (GString) text = g_string_new (NULL);
  gint state = find_state (event);
  guint i;

  if (state >= 0)
    append_field (event, states[state].subject, text);
  else if (ns_event_mark_get_lane (event) != NULL)
    for (i = 0; i < G_N_ELEMENTS (names); i++)
      if (append_field (event, names[i], text))
        break;
  return text->len > 0 ? g_string_free (g_steal_pointer (&text), FALSE) : NULL;
}

/* Appends a TCP state; the map's names end in "State", as in EstablishedState. */
static void
append_state (const NsEvent *event, const char *name, GString *text)
{
  if (append_field (event, name, text) && text->len > 5 &&
      strcmp (text->str + text->len - 5, "State") == 0)
    g_string_truncate (text, text->len - 5);
}

/* Appends the name of the event, and the state in it, if any. */
static void
append_news (const NsEvent *event, GString *text)
{
  static const char *const names[] = { "NewState",  "CurrentOrNextState",
                                       "NextState", "Capability",
                                       "State",     "SSID",
                                       "Address",   "Address1" };
  const char *name = ns_event_get_name (event);
  const char *step = event->schema->opcode_name;
  guint i;

  if (name != NULL && strcmp (name, "Info") != 0)
    g_string_append (text, name);
  else
    /* Translators: the number of an event without a name. */
    g_string_append_printf (text, _ ("Event %u"), event->record->id);
  if (step != NULL && strcmp (step, "Info") != 0 && strcmp (step, text->str) != 0)
    g_string_append_printf (text, "/%s", step);
  for (i = 0; i < G_N_ELEMENTS (names); i++)
    {
      gsize begin = text->len;

      g_string_append (text, ": ");
      if (append_field (event, names[i], text))
        return;
      g_string_truncate (text, begin);
    }
}

/**
 * ns_event_mark_dup_text:
 * @event: an event of a lane
 *
 * Returns: (transfer full) (nullable): old and new state, or the event's name
 */
char *
ns_event_mark_dup_text (const NsEvent *event)
{
  g_autoptr (GString) text = g_string_new (NULL);
  gint state = find_state (event);

  if (state < 0 && ns_event_mark_get_lane (event) == NULL)
    return NULL;
  if (state < 0)
    append_news (event, text);
  else
    {
      append_state (event, states[state].before, text);
      if (text->len > 0)
        g_string_append (text, " → ");
      append_state (event, states[state].after, text);
    }
  if (text->len > MAX_TEXT_BYTES)
    {
      char *end = g_utf8_find_prev_char (text->str, text->str + MAX_TEXT_BYTES);

      g_string_truncate (text, (gsize) (end - text->str));
      g_string_append (text, "…");
    }
  return text->len > 0 ? g_string_free (g_steal_pointer (&text), FALSE) : NULL;
}

static gboolean
get_number (const NsEvent *event, const char *name, guint64 *value)
{
  NsPayloadItem item;

  return ns_payload_find (event->schema, event->record, name, &item) &&
         ns_value_get_uint (&item, value);
}

/**
 * ns_event_mark_get_tcp_change:
 * @event: an event
 * @tcb: (out): address of the connection's TCB
 * @before: (out): number of the old state
 * @after: (out): number of the new state
 *
 * Returns: whether the event is a state change of a TCP connection
 */
gboolean
ns_event_mark_get_tcp_change (const NsEvent *event, guint64 *tcb, guint8 *before, guint8 *after)
{
  gint state = find_state (event);
  guint64 numbers[2];

  if (state < 0 || strcmp (states[state].lane, "tcp-state") != 0 ||
      !get_number (event, states[state].subject, tcb) ||
      !get_number (event, states[state].before, &numbers[0]) ||
      !get_number (event, states[state].after, &numbers[1]))
    return FALSE;
  *before = (guint8) MIN (numbers[0], G_MAXUINT8);
  *after = (guint8) MIN (numbers[1], G_MAXUINT8);
  return TRUE;
}

/**
 * ns_event_mark_dup_lane_providers:
 *
 * Returns: (transfer full): names of the providers with state change events, separated by commas
 */
char *
ns_event_mark_dup_lane_providers (void)
{
  GString *names = g_string_new (ns_catalog_get_name (ns_catalog_find (&tcpip)));
  guint i;

  for (i = 0; i < G_N_ELEMENTS (connectivity); i++)
    {
      const char *name = ns_catalog_get_name (ns_catalog_find (&connectivity[i].guid));

      if (name != NULL && strstr (names->str, name) == NULL)
        g_string_append_printf (names, ", %s", name);
    }
  return g_string_free (names, FALSE);
}
