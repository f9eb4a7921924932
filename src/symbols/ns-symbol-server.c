/* Downloads symbol files from symbol servers. Callers need the user's consent first.
 *
 * Requests: GET server/name/KEY/name, and with the last letter of the name replaced by `_` for
 * compressed files (Microsoft Learn, "SymStore"). Redirects are followed here, not by libsoup,
 * because some targets are not allowed.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "symbols/ns-symbol-server.h"

#include "base/ns-fd.h"
#include "base/ns-hash.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <libsoup/soup.h>
#include <string.h>

#define AGENT "Microsoft-Symbol-Server/10.0.0.0 (netstitch/" NS_VERSION ")"
#define BLOCK_SIZE (64u << 10)
#define MAX_FAILURES 3
#define N_TRIES 2
#define MAX_RETRY_AFTER_SECONDS 60

/* State of a server while the program runs. */
typedef struct
{
  guint n_failures;
  gboolean needs_login;
  gint64 wait_until; /* monotonic, microseconds */
} ServerState;

struct _NsSymbolServers
{
  GMutex lock;
  GHashTable *states; /* address to ServerState */
};

/**
 * ns_symbol_servers_new:
 *
 * Returns: (transfer full): an empty set of server states
 */
NsSymbolServers *
ns_symbol_servers_new (void)
{
  NsSymbolServers *self = g_new0 (NsSymbolServers, 1);

  g_mutex_init (&self->lock);
  self->states = g_hash_table_new_full (ns_hash_text, g_str_equal, g_free, g_free);
  return self;
}

/**
 * ns_symbol_servers_free:
 * @self: (transfer full) (nullable): a set of server states
 */
void
ns_symbol_servers_free (NsSymbolServers *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->states);
  g_mutex_clear (&self->lock);
  g_free (self);
}

static ServerState *
get_state (NsSymbolServers *self, const char *server)
{
  ServerState *state = g_hash_table_lookup (self->states, server);

  if (state == NULL)
    {
      state = g_new0 (ServerState, 1);
      g_hash_table_insert (self->states, g_strdup (server), state);
    }
  return state;
}

static gboolean
fail (GError **error, NsSymbolError code, const char *server, const char *what)
{
  g_set_error (error, NS_SYMBOL_ERROR, code, "%s: %s", server, what);
  return FALSE;
}

static gboolean
check_state (NsSymbolServers *self, const char *server, GError **error)
{
  ServerState state;

  g_mutex_lock (&self->lock);
  state = *get_state (self, server);
  g_mutex_unlock (&self->lock);
  if (state.needs_login)
    return fail (error, NS_SYMBOL_ERROR_LOGIN, server, _ ("the server requires a login"));
  if (state.n_failures >= MAX_FAILURES)
    return fail (error,
                 NS_SYMBOL_ERROR_NETWORK,
                 server,
                 _ ("the server failed repeatedly; not contacted again"));
  if (state.wait_until > g_get_monotonic_time ())
    return fail (error, NS_SYMBOL_ERROR_NETWORK, server, _ ("the server requested a later retry"));
  return TRUE;
}

/**
 * ns_symbol_server_build_uri:
 * @server: address of the server, maybe with a query such as an access token
 * @name: name of the symbol file
 * @key: key of the build
 * @file: name of the file in that folder
 *
 * Returns: (transfer full): address of the file
 */
char *
ns_symbol_server_build_uri (const char *server, const char *name, const char *key, const char *file)
{
  g_autofree char *name_part = g_uri_escape_string (name, NULL, FALSE);
  g_autofree char *file_part = g_uri_escape_string (file, NULL, FALSE);
  const char *query = strchr (server, '?');
  gsize n_base = query != NULL ? (gsize) (query - server) : strlen (server);

  while (n_base > 0 && server[n_base - 1] == '/')
    n_base--;
  return g_strdup_printf ("%.*s/%s/%s/%s%s",
                          (int) n_base,
                          server,
                          name_part,
                          key,
                          file_part,
                          query != NULL ? query : "");
}

static gboolean
is_private_address (GInetAddress *address)
{
  return g_inet_address_get_is_loopback (address) || g_inet_address_get_is_link_local (address) ||
         g_inet_address_get_is_site_local (address) || g_inet_address_get_is_any (address);
}

/* Returns whether a host name resolves to this machine or a private network. */
static gboolean
is_private_host (const char *host, GCancellable *cancellable)
{
  g_autoptr (GInetAddress) literal = g_inet_address_new_from_string (host);
  g_autoptr (GResolver) resolver = NULL;
  GList *addresses;
  gboolean is_private = FALSE;

  if (literal != NULL)
    return is_private_address (literal);
  resolver = g_resolver_get_default ();
  addresses = g_resolver_lookup_by_name (resolver, host, cancellable, NULL);
  for (GList *at = addresses; at != NULL; at = at->next)
    is_private = is_private || is_private_address (at->data);
  g_resolver_free_addresses (addresses);
  return is_private;
}

/* Returns the target of a redirect; %NULL and @error if it is not allowed. */
static GUri *
follow (GUri *from, gboolean is_private, SoupMessage *message, NsSymbolFetch *fetch, GError **error)
{
  const char *location =
      soup_message_headers_get_one (soup_message_get_response_headers (message), "Location");
  g_autoptr (GUri) to =
      location != NULL ? g_uri_parse_relative (from, location, SOUP_HTTP_URI_FLAGS, NULL) : NULL;

  if (to == NULL || g_uri_get_host (to) == NULL)
    fail (error,
          NS_SYMBOL_ERROR_NETWORK,
          fetch->server,
          _ ("the server redirected without a target"));
  else if (strcmp (g_uri_get_scheme (to), "https") != 0 &&
           (strcmp (g_uri_get_scheme (to), "http") != 0 ||
            strcmp (g_uri_get_scheme (from), "https") == 0))
    fail (error,
          NS_SYMBOL_ERROR_REFUSED,
          fetch->server,
          _ ("the server redirected to an insecure address"));
  else if (!is_private && is_private_host (g_uri_get_host (to), fetch->cancellable))
    fail (error,
          NS_SYMBOL_ERROR_REFUSED,
          fetch->server,
          _ ("the server redirected to the private network"));
  else
    return g_steal_pointer (&to);
  return NULL;
}

static gboolean
receive (SoupMessage *message, GInputStream *body, NsSymbolFetch *fetch, GError **error)
{
  SoupMessageHeaders *headers = soup_message_get_response_headers (message);
  const char *type = soup_message_headers_get_content_type (headers, NULL);
  guint64 max_bytes = fetch->max_bytes != 0 ? fetch->max_bytes : NS_SYMBOL_SERVER_MAX_BYTES;
  guint64 n_total = 0;
  guint64 n_done = 0;
  g_autofree guint8 *block = g_malloc (BLOCK_SIZE);

  if (soup_message_headers_get_encoding (headers) == SOUP_ENCODING_CONTENT_LENGTH &&
      soup_message_headers_get_one (headers, "Content-Encoding") == NULL)
    n_total = (guint64) soup_message_headers_get_content_length (headers);
  if (type != NULL && g_ascii_strcasecmp (type, "text/html") == 0)
    return fail (error,
                 NS_SYMBOL_ERROR_NOT_SYMBOLS,
                 fetch->server,
                 _ ("the server returned a web page, possibly for a login"));
  if (n_total > max_bytes)
    return fail (error, NS_SYMBOL_ERROR_LIMIT, fetch->server, _ ("the file is too large"));

  for (;;)
    {
      gssize n = g_input_stream_read (body, block, BLOCK_SIZE, fetch->cancellable, error);

      if (n < 0)
        return FALSE;
      if (n == 0)
        break;
      n_done += (guint64) n;
      if (n_done > max_bytes)
        return fail (error, NS_SYMBOL_ERROR_LIMIT, fetch->server, _ ("the file is too large"));
      if (!ns_fd_write_all (fetch->fd, block, (gsize) n))
        {
          g_set_error_literal (error, NS_SYMBOL_ERROR, NS_SYMBOL_ERROR_OPEN, g_strerror (errno));
          return FALSE;
        }
      if (fetch->progress != NULL)
        fetch->progress (n_done, n_total, fetch->user_data);
    }
  if (n_done == 0 || (n_total != 0 && n_done != n_total))
    return fail (error,
                 NS_SYMBOL_ERROR_NETWORK,
                 fetch->server,
                 _ ("the file was not received completely"));
  return TRUE;
}

static void
note_retry_after (NsSymbolServers *self, const char *server, SoupMessage *message)
{
  const char *text =
      soup_message_headers_get_one (soup_message_get_response_headers (message), "Retry-After");
  guint64 seconds = text != NULL ? g_ascii_strtoull (text, NULL, 10) : 1;

  g_mutex_lock (&self->lock);
  get_state (self, server)->wait_until =
      g_get_monotonic_time () +
      (gint64) CLAMP (seconds, 1, MAX_RETRY_AFTER_SECONDS) * G_USEC_PER_SEC;
  g_mutex_unlock (&self->lock);
}

/* Maps a status other than 200 to an error. */
static gboolean
take_status (NsSymbolServers *self, SoupMessage *message, NsSymbolFetch *fetch, GError **error)
{
  guint status = soup_message_get_status (message);
  g_autofree char *what = g_strdup_printf (_ ("the server responded with status %u"), status);

  switch (status)
    {
    case SOUP_STATUS_NOT_FOUND:
    case SOUP_STATUS_GONE:
      return fail (error,
                   NS_SYMBOL_ERROR_NOT_FOUND,
                   fetch->server,
                   _ ("the server does not have it"));
    case SOUP_STATUS_UNAUTHORIZED:
    case SOUP_STATUS_FORBIDDEN:
      g_mutex_lock (&self->lock);
      get_state (self, fetch->server)->needs_login = TRUE;
      g_mutex_unlock (&self->lock);
      return fail (error, NS_SYMBOL_ERROR_LOGIN, fetch->server, _ ("the server requires a login"));
    case 429:
    case SOUP_STATUS_SERVICE_UNAVAILABLE:
      note_retry_after (self, fetch->server, message);
      return fail (error,
                   NS_SYMBOL_ERROR_NETWORK,
                   fetch->server,
                   _ ("the server requested a later retry"));
    default:
      return fail (error, NS_SYMBOL_ERROR_NETWORK, fetch->server, what);
    }
}

/* Sends a request and follows redirects; @status is that of the last response. */
static gboolean
fetch_uri (NsSymbolServers *self,
           SoupSession *session,
           const char *text,
           NsSymbolFetch *fetch,
           guint *status,
           GError **error)
{
  g_autoptr (GUri) uri = g_uri_parse (text, SOUP_HTTP_URI_FLAGS, NULL);
  gboolean is_private;

  if (uri == NULL || g_uri_get_host (uri) == NULL)
    return fail (error, NS_SYMBOL_ERROR_NETWORK, fetch->server, _ ("this is not a server address"));
  is_private = is_private_host (g_uri_get_host (uri), fetch->cancellable);
  for (guint hop = 0; hop <= NS_SYMBOL_SERVER_MAX_HOPS; hop++)
    {
      g_autoptr (SoupMessage) message = soup_message_new_from_uri (SOUP_METHOD_GET, uri);
      g_autoptr (GInputStream) body = NULL;
      GUri *next;

      soup_message_add_flags (message, SOUP_MESSAGE_NO_REDIRECT);
      body = soup_session_send (session, message, fetch->cancellable, error);
      if (body == NULL)
        return FALSE;
      *status = soup_message_get_status (message);
      if (*status == SOUP_STATUS_OK)
        return receive (message, body, fetch, error);
      if (!SOUP_STATUS_IS_REDIRECTION (*status))
        return take_status (self, message, fetch, error);
      next = follow (uri, is_private, message, fetch, error);
      if (next == NULL)
        return FALSE;
      g_uri_unref (uri);
      uri = next;
    }
  return fail (error,
               NS_SYMBOL_ERROR_NETWORK,
               fetch->server,
               _ ("the server redirected too many times"));
}

/* Maps errors of libraries to ours, and counts failures of the server. */
static gboolean
map_result (NsSymbolServers *self,
            NsSymbolFetch *fetch,
            gboolean is_done,
            GError *problem,
            GError **error)
{
  gboolean is_cancelled = g_cancellable_is_cancelled (fetch->cancellable);

  g_mutex_lock (&self->lock);
  if (is_done || g_error_matches (problem, NS_SYMBOL_ERROR, NS_SYMBOL_ERROR_NOT_FOUND))
    get_state (self, fetch->server)->n_failures = 0;
  else if (!is_cancelled && !g_error_matches (problem, NS_SYMBOL_ERROR, NS_SYMBOL_ERROR_LIMIT))
    get_state (self, fetch->server)->n_failures++;
  g_mutex_unlock (&self->lock);
  if (is_done)
    return TRUE;
  if (is_cancelled)
    fail (error, NS_SYMBOL_ERROR_CANCELLED, fetch->server, "stopped");
  else if (problem->domain == NS_SYMBOL_ERROR)
    {
      g_propagate_error (error, problem);
      return FALSE;
    }
  else
    fail (error, NS_SYMBOL_ERROR_NETWORK, fetch->server, problem->message);
  g_error_free (problem);
  return FALSE;
}

/* Returns whether to repeat a request: network errors and server errors (5xx) may be temporary,
 * other responses are final. */
static gboolean
is_worth_another_try (const NsSymbolFetch *fetch, guint status, const GError *problem)
{
  if (g_cancellable_is_cancelled (fetch->cancellable))
    return FALSE;
  return status >= SOUP_STATUS_INTERNAL_SERVER_ERROR
             ? status != SOUP_STATUS_SERVICE_UNAVAILABLE
             : problem->domain != NS_SYMBOL_ERROR && problem->domain != G_TLS_ERROR;
}

static gboolean
fetch_form (NsSymbolServers *self,
            SoupSession *session,
            NsSymbolFetch *fetch,
            const char *name,
            const char *file,
            GError **error)
{
  g_autofree char *uri = ns_symbol_server_build_uri (fetch->server, name, fetch->key, file);
  GError *problem = NULL;
  gboolean is_done = FALSE;

  for (guint i = 0; i < N_TRIES && !is_done; i++)
    {
      guint status = 0;

      g_clear_error (&problem);
      if (ftruncate (fetch->fd, 0) != 0 || lseek (fetch->fd, 0, SEEK_SET) != 0)
        return fail (error, NS_SYMBOL_ERROR_OPEN, fetch->server, g_strerror (errno));
      is_done = fetch_uri (self, session, uri, fetch, &status, &problem);
      if (!is_done && !is_worth_another_try (fetch, status, problem))
        break;
    }
  return map_result (self, fetch, is_done, problem, error);
}

/**
 * ns_symbol_servers_fetch:
 * @self: a set of server states
 * @fetch: (inout): the file to download
 * @error: return location
 *
 * Blocks until the file is downloaded; call it outside the main thread.
 *
 * Returns: %FALSE and @error on failure
 */
gboolean
ns_symbol_servers_fetch (NsSymbolServers *self, NsSymbolFetch *fetch, GError **error)
{
  g_autoptr (SoupSession) session = NULL;
  g_autofree char *lower = g_utf8_strdown (fetch->name, -1);
  g_autofree char *compressed = g_strdup (fetch->name);
  const char *names[] = { fetch->name, lower, fetch->name };
  const char *files[] = { fetch->name, lower, compressed };

  compressed[strlen (compressed) - 1] = '_';
  fetch->is_compressed = FALSE;
  if (!check_state (self, fetch->server, error))
    return FALSE;
  session = soup_session_new_with_options ("user-agent",
                                           AGENT,
                                           "timeout",
                                           NS_SYMBOL_SERVER_TIMEOUT_SECONDS,
                                           NULL);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      GError *problem = NULL;

      if (i == 1 && strcmp (lower, fetch->name) == 0)
        continue;
      fetch->is_compressed = i == 2;
      if (fetch_form (self, session, fetch, names[i], files[i], &problem))
        return TRUE;
      if (i + 1 == G_N_ELEMENTS (names) ||
          !g_error_matches (problem, NS_SYMBOL_ERROR, NS_SYMBOL_ERROR_NOT_FOUND))
        {
          g_propagate_error (error, problem);
          return FALSE;
        }
      g_clear_error (&problem);
    }
  return FALSE;
}
