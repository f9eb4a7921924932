/* Rows of the DNS table, and parsing of address lists in responses.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/net/names/ns-host-names-private.h"

#include <string.h>

/* ETW truncates texts of the DNS client to this length. */
#define NS_HOST_NAMES_CUT_LENGTH 1023
/* Maximum number of addresses in one response: a text of 64 KiB has no more. */
#define NS_HOST_NAMES_MAX_ADDRESSES 16384

enum
{
  TYPE_A = 1,
  TYPE_AAAA = 28,
};

/* A parsed list of results. */
typedef struct
{
  GArray *ips;     /* NsIp */
  GArray *aliases; /* NsString */
} Results;

/* Parses `1.2.3.4`, `::ffff:1.2.3.4`, `fe80::1%12`, or `type: 5 host.example`. */
static void
parse_item (NsBuilder *builder, const char *item, gsize length, Results *results)
{
  g_autofree char *text = g_strndup (item, length);
  char *word = strrchr (g_strstrip (text), ' ');
  NsEndpoint endpoint;

  word = word != NULL ? word + 1 : text;
  if (ns_endpoint_from_text (&endpoint, word))
    {
      NsIp ip = ns_ip_unmapped (&endpoint.ip);

      if (results->ips->len < NS_HOST_NAMES_MAX_ADDRESSES)
        g_array_append_val (results->ips, ip);
    }
  else if (strchr (word, '.') != NULL)
    {
      NsString alias = ns_strings_add (builder->trace->strings, word);

      g_array_append_val (results->aliases, alias);
    }
}

static void
parse_list (NsBuilder *builder, const char *list, Results *results)
{
  gboolean is_cut = g_utf8_strlen (list, -1) >= NS_HOST_NAMES_CUT_LENGTH;
  const char *item = list;

  while (*item != '\0')
    {
      gsize length = strcspn (item, ";");

      /* The last item of a truncated text may be incomplete. */
      if (item[length] == '\0' && is_cut)
        break;
      if (length > 0)
        parse_item (builder, item, length, results);
      item += length;
      item += *item == ';' ? 1 : 0;
    }
}

/* Adds a row for a query without a response. */
NsRow
ns_host_names_append_row (NsBuilder *builder, const NsNameLookup *lookup)
{
  GArray *rows = builder->trace->dns;
  NsDnsRow row = { 0 };
  NsHostNamesPending pending = { 0 };

  row.query = lookup->query;
  row.type = lookup->type;
  row.server = lookup->server;
  row.source = lookup->source;
  row.pid = lookup->pid;
  row.tid = lookup->tid;
  row.activity_id = ns_trace_keep_guid (builder->trace, &lookup->activity_id);
  row.open_ns = lookup->open_ns;
  row.close_ns = NS_TIME_OPEN;
  g_array_append_val (rows, row);

  g_array_set_size (builder->host_names->pending, rows->len - 1);
  pending.tid = lookup->tid;
  g_array_append_val (builder->host_names->pending, pending);
  ns_host_names_link_row (builder, rows->len);
  return rows->len;
}

static void
observe_all (NsBuilder *builder, NsRow row, const NsNameLookup *lookup, NsString alias)
{
  NsNameObs obs = { 0 };
  guint i;

  obs.time_ns = lookup->close_ns;
  obs.pid = lookup->pid;
  obs.name = lookup->query;
  obs.alias = alias;
  obs.dns = row;
  for (i = 0; i < lookup->n_ips; i++)
    {
      obs.ip = lookup->ips[i];
      ns_host_names_observe (builder, &obs);
    }
}

/* Returns a shared copy of the values: many rows have the same results, which no longer change. */
static GArray *
dup_values (NsHostNames *self, const GArray *values, guint element_bytes)
{
  gsize n_bytes = (gsize) values->len * element_bytes;
  guint64 hash = element_bytes;
  guint32 n;
  gsize i;
  GArray *made;

  for (i = 0; i < n_bytes; i++)
    hash = (hash ^ (guint8) values->data[i]) * G_GUINT64_CONSTANT (0x100000001b3);
  n = ns_map_get (self->by_values, hash, n_bytes);
  if (n != 0)
    {
      made = g_ptr_array_index (self->values, n - 1);
      if (made->len == values->len && g_array_get_element_size (made) == element_bytes &&
          memcmp (made->data, values->data, n_bytes) == 0)
        return g_array_ref (made);
    }
  made = g_array_sized_new (FALSE, FALSE, element_bytes, values->len);
  g_array_append_vals (made, values->data, values->len);
  g_ptr_array_add (self->values, g_array_ref (made));
  ns_map_set (self->by_values, hash, n_bytes, self->values->len);
  return made;
}

static void
set_values (NsHostNames *self, GArray **array, const GArray *values, guint element_bytes)
{
  if (values->len == 0)
    return;
  g_clear_pointer (array, g_array_unref);
  *array = dup_values (self, values, element_bytes);
}

/* Writes the response into a row: end, status, addresses and canonical names. @list (nullable) is
 * its text. */
void
ns_host_names_answer_row (NsBuilder *builder,
                          NsRow row,
                          const NsNameLookup *lookup,
                          const char *list)
{
  NsDnsRow *dns = NS_ROW_AT (builder->trace->dns, NsDnsRow, row);
  Results results = { g_array_new (FALSE, FALSE, sizeof (NsIp)),
                      g_array_new (FALSE, FALSE, sizeof (NsString)) };
  NsNameLookup full = *lookup;

  if (lookup->n_ips > 0)
    g_array_append_vals (results.ips, lookup->ips, lookup->n_ips);
  if (lookup->alias != NS_STRING_NONE)
    g_array_append_val (results.aliases, lookup->alias);
  if (list != NULL)
    parse_list (builder, list, &results);

  dns->close_ns = lookup->close_ns;
  dns->status = lookup->status;
  dns->has_status = lookup->has_status;
  set_values (builder->host_names, &dns->addresses, results.ips, sizeof (NsIp));
  set_values (builder->host_names, &dns->aliases, results.aliases, sizeof (NsString));

  full.ips = (const NsIp *) (gpointer) results.ips->data;
  full.n_ips = results.ips->len;
  if (lookup->type == 0 || lookup->type == TYPE_A || lookup->type == TYPE_AAAA)
    observe_all (builder,
                 row,
                 &full,
                 results.aliases->len > 0
                     ? g_array_index (results.aliases, NsString, results.aliases->len - 1)
                     : NS_STRING_NONE);
  g_array_unref (results.ips);
  g_array_unref (results.aliases);
}

/**
 * ns_host_names_add_lookup:
 * @builder: a builder
 * @lookup: the query and its response
 *
 * Adds a row to the DNS table, and learns the names.
 *
 * Returns: the row
 */
NsRow
ns_host_names_add_lookup (NsBuilder *builder, const NsNameLookup *lookup)
{
  NsRow row = ns_host_names_append_row (builder, lookup);

  ns_host_names_answer_row (builder, row, lookup, NULL);
  ns_host_names_end_row (builder, row);
  return row;
}

/**
 * ns_host_names_add_list:
 * @builder: a builder
 * @lookup: the query
 * @list: (nullable): the response, as the DNS client and WinINet write it: items ended by `;`
 *
 * As ns_host_names_add_lookup(), with addresses as text.
 *
 * Returns: the row
 */
NsRow
ns_host_names_add_list (NsBuilder *builder, NsNameLookup *lookup, const char *list)
{
  NsRow row = ns_host_names_append_row (builder, lookup);

  ns_host_names_answer_row (builder, row, lookup, list);
  ns_host_names_end_row (builder, row);
  return row;
}

/* Adds a display name for DNS servers whose addresses have no other. */
void
ns_host_names_add_server (NsBuilder *builder, const char *list, NsString name)
{
  NsHostNames *self = builder->host_names;
  Results results = { g_array_new (FALSE, FALSE, sizeof (NsIp)),
                      g_array_new (FALSE, FALSE, sizeof (NsString)) };
  guint i;

  parse_list (builder, list, &results);
  for (i = 0; i < results.ips->len; i++)
    {
      guint32 ip = ns_ips_add (self->ips, &g_array_index (results.ips, NsIp, i));

      if (ns_map_get (self->servers, ip, 0) == 0)
        ns_map_set (self->servers, ip, 0, name);
    }
  g_array_unref (results.ips);
  g_array_unref (results.aliases);
}
