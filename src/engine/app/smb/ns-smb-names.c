/* Names of servers, shares and files; times of session and share setup (`providers.md` 1 J4 and
 * L1).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-hash.h"
#include "engine/app/smb/ns-smb-private.h"
#include "engine/net/names/ns-host-names.h"
#include "engine/trace/ns-interval-index.h"

#include <string.h>

#define SYSTEM_PID 4

typedef struct
{
  NsBuilder *builder;
  NsIntervalIndex sessions; /* names by session */
  NsIntervalIndex trees;    /* by session and tree */
  NsIntervalIndex ips;      /* names by address */
  NsIntervalIndex setups;   /* commands by session, tree and message ID */
  NsMap *last;              /* session and tree → last row that mentioned it */
  GHashTable *servers;      /* (element-type utf8 utf8): lower-case names */
} Names;

static const NsSmbName *
get_name (const Names *self, guint number)
{
  return &g_array_index (self->builder->smb->names, NsSmbName, number - 1);
}

static guint64
setup_key (guint number, guint32 tree)
{
  return (guint64) tree << 16 | number;
}

/* Adds a server name, with which file paths begin. */
static void
add_server (Names *self, NsString server)
{
  if (server != NS_STRING_NONE)
    g_hash_table_add (self->servers,
                      g_ascii_strdown (ns_trace_text (self->builder->trace, server), -1));
}

static void
names_init (Names *self, NsBuilder *builder)
{
  guint i;

  self->builder = builder;
  ns_interval_index_init (&self->sessions);
  ns_interval_index_init (&self->trees);
  ns_interval_index_init (&self->ips);
  ns_interval_index_init (&self->setups);
  self->last = ns_map_new ();
  self->servers = g_hash_table_new_full (ns_hash_text, g_str_equal, g_free, NULL);
  for (i = 1; i <= builder->smb->names->len; i++)
    {
      const NsSmbName *name = get_name (self, i);

      if (name->server == NS_STRING_NONE)
        continue;
      if (name->session != 0)
        ns_interval_index_add (&self->sessions, name->session, 0, i, name->time_ns);
      if (name->share != NS_STRING_NONE)
        ns_interval_index_add (&self->trees, name->session, name->tree, i, name->time_ns);
      if (!ns_ip_is_empty (&name->remote.ip))
        ns_interval_index_add (&self->ips, ns_ip_hash (&name->remote.ip), 0, i, name->time_ns);
      add_server (self, name->server);
    }
  for (i = 1; i <= builder->trace->smb->len; i++)
    {
      const NsSmbRow *row = ns_smb_row (builder, i);
      guint number = ns_smb_extra (builder, i)->number;

      if (row->kind == NS_SMB_COMMAND && row->response_ns != NS_TIME_NONE &&
          (number == NS_SMB_SESSION_SETUP || number == NS_SMB_TREE_CONNECT))
        ns_interval_index_add (&self->setups,
                               row->session,
                               setup_key (number, number == NS_SMB_TREE_CONNECT ? row->tree : 0),
                               i,
                               row->response_ns);
    }
  ns_interval_index_settle (&self->sessions);
  ns_interval_index_settle (&self->trees);
  ns_interval_index_settle (&self->ips);
  ns_interval_index_settle (&self->setups);
}

static void
names_clear (Names *self)
{
  ns_interval_index_clear (&self->sessions);
  ns_interval_index_clear (&self->trees);
  ns_interval_index_clear (&self->ips);
  ns_interval_index_clear (&self->setups);
  ns_map_free (self->last);
  g_hash_table_unref (self->servers);
}

/* Returns whether the servers are equal: two servers may use the same session ID. */
static gboolean
is_same_server (const NsEndpoint *a, const NsEndpoint *b)
{
  return ns_ip_is_empty (&a->ip) || ns_ip_is_empty (&b->ip) || ns_ip_equal (&a->ip, &b->ip);
}

/* Returns the newest earlier name, else the first later one. */
static const NsSmbName *
find_name (const Names *self,
           const NsIntervalIndex *by,
           guint64 a,
           guint64 b,
           const NsEndpoint *remote,
           gint64 time_ns)
{
  guint n_left = NS_INTERVAL_INDEX_MAX_LOOK_BACK;
  const NsLife *lives;
  guint n_lives;
  guint n;
  guint i;

  lives = ns_interval_index_get (by, a, b, &n_lives);
  n = ns_interval_index_count_until (lives, n_lives, time_ns);
  for (i = n; i > 0 && n_left > 0; i--, n_left--)
    if (is_same_server (&get_name (self, lives[i - 1].row)->remote, remote))
      return get_name (self, lives[i - 1].row);
  for (i = n; i < n_lives && n_left > 0; i++, n_left--)
    if (is_same_server (&get_name (self, lives[i].row)->remote, remote))
      return get_name (self, lives[i].row);
  return NULL;
}

static NsString
resolve (Names *self, NsSmbVc *vc, const NsSmbRow *row)
{
  NsNameAnswer answer;

  if (vc != NULL && vc->is_named)
    return vc->name;
  if (ns_ip_is_empty (&row->remote.ip))
    return NS_STRING_NONE;
  ns_host_names_resolve (self->builder,
                         SYSTEM_PID,
                         NS_STRING_NONE,
                         &row->remote.ip,
                         row->layer.open_ns,
                         &answer);
  if (vc != NULL)
    {
      vc->is_named = TRUE;
      vc->name = answer.server;
    }
  return answer.server;
}

static void
name_row (Names *self, NsRow number)
{
  NsBuilder *builder = self->builder;
  NsSmbRow *row = ns_smb_row (builder, number);
  guint32 vc = ns_smb_extra (builder, number)->vc;
  gint64 time_ns = row->sent_ns != NS_TIME_NONE ? row->sent_ns : row->layer.open_ns;
  const NsSmbName *name = NULL;

  if (row->session != 0 && row->tree != 0 && row->share == NS_STRING_NONE)
    {
      name = find_name (self, &self->trees, row->session, row->tree, &row->remote, time_ns);
      if (name != NULL)
        row->share = name->share;
    }
  if (row->server != NS_STRING_NONE)
    {
      add_server (self, row->server);
      return;
    }
  if (row->session != 0)
    name = find_name (self, &self->sessions, row->session, 0, &row->remote, time_ns);
  if (name == NULL && !ns_ip_is_empty (&row->remote.ip))
    name = find_name (self, &self->ips, ns_ip_hash (&row->remote.ip), 0, &row->remote, time_ns);
  if (name != NULL)
    row->server = name->server;
  else
    row->server = resolve (self, vc != 0 ? ns_smb_vc (builder, vc) : NULL, row);
  add_server (self, row->server);
}

/* Splits `\srv1\data\a.docx` if the server is known; otherwise keeps it as a file path. */
static void
name_file (Names *self, NsRow number)
{
  NsBuilder *builder = self->builder;
  NsStrings *strings = builder->trace->strings;
  NsSmbRow *row = ns_smb_row (builder, number);
  NsString path = ns_smb_extra (builder, number)->path;
  g_autofree char *server = NULL;
  g_autofree char *key = NULL;
  const char *text;
  char *share;
  char *file;

  if (path == NS_STRING_NONE)
    return;
  text = ns_strings_get (strings, path);
  server = g_strdup (text + strspn (text, "\\"));
  share = strchr (server, '\\');
  if (share != NULL)
    *share++ = '\0';
  key = g_ascii_strdown (server, -1);
  if (*server == '\0' || !g_hash_table_contains (self->servers, key))
    {
      row->file = path;
      return;
    }
  row->server = ns_strings_add (strings, server);
  file = share != NULL ? strchr (share, '\\') : NULL;
  if (file != NULL)
    *file++ = '\0';
  row->share = share != NULL && *share != '\0' ? ns_strings_add (strings, share) : NS_STRING_NONE;
  if (file != NULL && *file != '\0')
    row->file = ns_strings_add (strings, file);
}

/* L1: finds the begin of a session or share setup: the first such command since the previous row
 * for it. */
static void
begin_session (Names *self, NsRow number)
{
  NsBuilder *builder = self->builder;
  NsSmbRow *row = ns_smb_row (builder, number);
  gboolean is_tree = row->kind == NS_SMB_TREE;
  guint command = is_tree ? NS_SMB_TREE_CONNECT : NS_SMB_SESSION_SETUP;
  guint n_left = NS_INTERVAL_INDEX_MAX_LOOK_BACK;
  guint64 tree = is_tree ? (guint64) row->tree + 1 : 0;
  guint64 last_key = tree << 1 | ns_smb_extra (builder, number)->is_lost;
  NsRow last = ns_map_swap (self->last, row->session, last_key, number);
  gint64 after_ns = last != 0 ? ns_smb_row (builder, last)->layer.close_ns : G_MININT64;
  const NsLife *lives;
  guint n_lives;
  guint i;

  lives = ns_interval_index_get (&self->setups,
                                 row->session,
                                 setup_key (command, is_tree ? row->tree : 0),
                                 &n_lives);
  i = after_ns != G_MININT64 ? ns_interval_index_count_until (lives, n_lives, after_ns) : 0;
  for (; i < n_lives && lives[i].open_ns <= row->layer.close_ns && n_left > 0; i++, n_left--)
    {
      const NsSmbRow *setup = ns_smb_row (builder, lives[i].row);

      if (!is_same_server (&setup->remote, &row->remote))
        continue;
      row->connection = setup->connection;
      if (row->transport == NS_SMB_N_TRANSPORTS)
        row->transport = setup->transport;
      row->tcp = setup->tcp;
      row->quic = setup->quic;
      row->layer.confidence = setup->layer.confidence;
      row->layer.evidence[0] =
          setup->parent != 0 ? setup->layer.evidence[1] : setup->layer.evidence[0];
      if (setup->sent_ns != NS_TIME_NONE)
        row->layer.open_ns = setup->sent_ns;
      else
        {
          row->layer.open_ns = 0;
          row->layer.opened_before_trace = TRUE;
        }
      return;
    }
}

/* Copies missing names from the row's operation, or from its first command. */
static void
share_names (NsSmbRow *to, const NsSmbRow *from)
{
  if (to->server == NS_STRING_NONE)
    to->server = from->server;
  if (to->share == NS_STRING_NONE)
    to->share = from->share;
}

/**
 * ns_smb_link_names: (skip)
 * @builder: the builder; commands have connections and operations
 *
 * Sets the names of servers, shares and files.
 */
void
ns_smb_link_names (NsBuilder *builder)
{
  GArray *table = builder->trace->smb;
  Names self;
  guint i;

  names_init (&self, builder);
  for (i = 1; i <= table->len; i++)
    {
      const NsSmbRow *row = ns_smb_row (builder, i);

      if (row->kind != NS_SMB_OPERATION)
        name_row (&self, i);
      if (row->session != 0 && (row->kind == NS_SMB_SESSION || row->kind == NS_SMB_TREE))
        begin_session (&self, i);
    }
  /* Runs last, once all servers are known. */
  for (i = 1; i <= table->len; i++)
    if (ns_smb_row (builder, i)->kind == NS_SMB_OPERATION)
      name_file (&self, i);
  for (i = 1; i <= table->len; i++)
    {
      NsSmbRow *row = ns_smb_row (builder, i);
      NsSmbRow *op = row->parent != 0 ? ns_smb_row (builder, row->parent) : NULL;

      if (op == NULL)
        continue;
      share_names (op, row);
      row->file = op->file;
      share_names (row, op);
    }
  names_clear (&self);
}
