/* Fetching from a server on this machine that behaves, and that does not.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ns-test-pdb.h"
#include "ns-test-place.h"
#include "symbols/ns-symbol-server.h"

#include <libsoup/soup.h>

#define FOUND "found outer::other+0x4"

/* How the server answers. */
typedef enum
{
  ANSWER_GOOD,
  ANSWER_REDIRECT,
  ANSWER_CIRCLE,
  ANSWER_UNSAFE,
  ANSWER_NOT_FOUND,
  ANSWER_COMPRESSED_ONLY,
  ANSWER_LOGIN,
  ANSWER_ERROR,
  ANSWER_LATER,
  ANSWER_PAGE,
  ANSWER_TEXT,
  ANSWER_OTHER_BUILD,
  ANSWER_EMPTY,
  ANSWER_CUT,
  ANSWER_STALL,
} Answer;

typedef struct
{
  GThread *thread;
  GMainContext *context;
  GMainLoop *loop;
  SoupServer *server;
  char *uri;
  GMutex lock;
  GCond ready;
  GString *requests; /* paths, each with a space behind */
  gint answer;       /* #Answer, atomic */
  GByteArray *good;
  GByteArray *other;
  GPtrArray *stalled; /* (element-type SoupServerMessage) */
} Server;

static void
send_bytes (SoupServerMessage *message, const GByteArray *bytes)
{
  soup_server_message_set_response (message,
                                    "application/octet-stream",
                                    SOUP_MEMORY_COPY,
                                    (const char *) bytes->data,
                                    bytes->len);
  soup_server_message_set_status (message, SOUP_STATUS_OK, NULL);
}

static void
send_text (SoupServerMessage *message, const char *type, const char *text)
{
  soup_server_message_set_response (message, type, SOUP_MEMORY_COPY, text, strlen (text));
  soup_server_message_set_status (message, SOUP_STATUS_OK, NULL);
}

/* Says more than it sends, and ends the connection. */
static void
send_cut (SoupServerMessage *message, const GByteArray *bytes)
{
  SoupMessageHeaders *headers = soup_server_message_get_response_headers (message);

  soup_message_headers_append (headers, "Content-Type", "application/octet-stream");
  soup_message_headers_set_encoding (headers, SOUP_ENCODING_CONTENT_LENGTH);
  soup_message_headers_set_content_length (headers, bytes->len + 1000);
  soup_message_headers_append (headers, "Connection", "close");
  soup_message_body_append (soup_server_message_get_response_body (message),
                            SOUP_MEMORY_COPY,
                            bytes->data,
                            bytes->len);
  soup_message_body_complete (soup_server_message_get_response_body (message));
  soup_server_message_set_status (message, SOUP_STATUS_OK, NULL);
}

static void
answer_badly (Server *self, SoupServerMessage *message, Answer answer)
{
  SoupMessageHeaders *headers = soup_server_message_get_response_headers (message);

  switch (answer)
    {
    case ANSWER_CIRCLE:
      soup_server_message_set_redirect (message, SOUP_STATUS_FOUND, "/again");
      break;
    case ANSWER_UNSAFE:
      soup_server_message_set_redirect (message, SOUP_STATUS_FOUND, "ftp://127.0.0.1/x");
      break;
    case ANSWER_LOGIN:
      soup_server_message_set_status (message, SOUP_STATUS_FORBIDDEN, NULL);
      break;
    case ANSWER_ERROR:
      soup_server_message_set_status (message, SOUP_STATUS_INTERNAL_SERVER_ERROR, NULL);
      break;
    case ANSWER_LATER:
      soup_message_headers_append (headers, "Retry-After", "30");
      soup_server_message_set_status (message, SOUP_STATUS_SERVICE_UNAVAILABLE, NULL);
      break;
    case ANSWER_PAGE:
      send_text (message, "text/html", "<html>Please log in</html>");
      break;
    case ANSWER_TEXT:
      send_text (message, "application/octet-stream", "<html>Please log in</html>");
      break;
    case ANSWER_OTHER_BUILD:
      send_bytes (message, self->other);
      break;
    case ANSWER_CUT:
      send_cut (message, self->good);
      break;
    case ANSWER_STALL:
      soup_server_message_pause (message);
      g_ptr_array_add (self->stalled, g_object_ref (message));
      break;
    case ANSWER_EMPTY:
      soup_server_message_set_status (message, SOUP_STATUS_OK, NULL);
      break;
    case ANSWER_GOOD:
    case ANSWER_REDIRECT:
    case ANSWER_NOT_FOUND:
    case ANSWER_COMPRESSED_ONLY:
    default:
      soup_server_message_set_status (message, SOUP_STATUS_NOT_FOUND, NULL);
      break;
    }
}

static void
request_cb (SoupServer *server,
            SoupServerMessage *message,
            const char *path,
            GHashTable *query,
            gpointer user_data)
{
  Server *self = user_data;
  Answer answer = (Answer) g_atomic_int_get (&self->answer);

  g_mutex_lock (&self->lock);
  g_string_append_printf (self->requests, "%s ", path);
  g_mutex_unlock (&self->lock);
  if (answer == ANSWER_REDIRECT && !g_str_has_prefix (path, "/moved"))
    soup_server_message_set_redirect (message, SOUP_STATUS_FOUND, "/moved");
  else if (answer == ANSWER_GOOD || answer == ANSWER_REDIRECT)
    send_bytes (message, self->good);
  else
    answer_badly (self, message, answer);
}

static gpointer
server_thread (gpointer data)
{
  Server *self = data;
  GSList *uris;

  g_main_context_push_thread_default (self->context);
  self->server = soup_server_new (NULL, NULL);
  soup_server_add_handler (self->server, NULL, request_cb, self, NULL);
  g_assert_true (soup_server_listen_local (self->server, 0, SOUP_SERVER_LISTEN_IPV4_ONLY, NULL));
  uris = soup_server_get_uris (self->server);
  g_mutex_lock (&self->lock);
  self->uri = g_uri_to_string (uris->data);
  g_cond_signal (&self->ready);
  g_mutex_unlock (&self->lock);
  g_slist_free_full (uris, (GDestroyNotify) g_uri_unref);
  g_main_loop_run (self->loop);
  for (guint i = 0; i < self->stalled->len; i++)
    soup_server_message_unpause (g_ptr_array_index (self->stalled, i));
  soup_server_disconnect (self->server);
  g_clear_object (&self->server);
  g_main_context_pop_thread_default (self->context);
  return NULL;
}

static Server *
server_new (void)
{
  Server *self = g_new0 (Server, 1);
  g_autoptr (NsTestPdb) good = ns_test_pdb_new ();
  g_autoptr (NsTestPdb) other = ns_test_pdb_new ();

  self->good = ns_test_pdb_write (good, 0);
  ns_test_set (ns_test_pdb_get (other, NS_TEST_PDB_INFO), 12, 4, 0xdeadbeef);
  self->other = ns_test_pdb_write (other, 0);
  self->requests = g_string_new (NULL);
  self->stalled = g_ptr_array_new_with_free_func (g_object_unref);
  self->context = g_main_context_new ();
  self->loop = g_main_loop_new (self->context, FALSE);
  g_mutex_init (&self->lock);
  g_cond_init (&self->ready);
  self->thread = g_thread_new ("server", server_thread, self);
  g_mutex_lock (&self->lock);
  while (self->uri == NULL)
    g_cond_wait (&self->ready, &self->lock);
  g_mutex_unlock (&self->lock);
  return self;
}

static gboolean
quit_cb (gpointer data)
{
  g_main_loop_quit (data);
  return G_SOURCE_REMOVE;
}

static void
server_free (Server *self)
{
  g_main_context_invoke (self->context, quit_cb, self->loop);
  g_thread_join (self->thread);
  g_main_loop_unref (self->loop);
  g_main_context_unref (self->context);
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->ready);
  g_byte_array_unref (self->good);
  g_byte_array_unref (self->other);
  g_ptr_array_unref (self->stalled);
  g_string_free (self->requests, TRUE);
  g_free (self->uri);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Server, server_free)

static char *
take_requests (Server *self)
{
  char *requests;

  g_mutex_lock (&self->lock);
  requests = g_strdup (self->requests->str);
  g_string_truncate (self->requests, 0);
  g_mutex_unlock (&self->lock);
  return requests;
}

static NsResolver *
new_resolver (Server *server, NsTestPlace *place, gboolean allow_network)
{
  g_autofree char *path = g_strdup_printf ("srv**%s", server->uri);
  NsResolverOptions options = { .path = path,
                                .cache_folder = place->cache,
                                .allow_network = allow_network };

  return ns_resolver_new (&options);
}

/* Looks for a PDB in a cache that is empty; @files is what is in it afterwards. */
static void
assert_answer (Answer answer,
               const char *pdb,
               const char *state,
               const char *requests,
               const char *files)
{
  g_autoptr (Server) server = server_new ();
  g_autoptr (NsTestPlace) place = ns_test_place_new ();
  g_autoptr (NsResolver) resolver = new_resolver (server, place, TRUE);
  g_autofree char *got = NULL;
  g_autofree char *asked = NULL;
  g_autofree char *cached = NULL;

  g_atomic_int_set (&server->answer, (gint) answer);
  got = ns_test_resolve (resolver, pdb);
  asked = take_requests (server);
  cached = ns_test_place_list (place->cache);
  g_assert_cmpstr (got, ==, state);
  g_assert_cmpstr (asked, ==, requests);
  g_assert_cmpstr (cached, ==, files);
}

#define IN_STORE "/app.pdb/" NS_TEST_PDB_KEY "/app.pdb "
#define IN_CACHE "app.pdb/" NS_TEST_PDB_KEY "/app.pdb "

static void
test_fetches_and_keeps (void)
{
  assert_answer (ANSWER_GOOD, "C:\\b\\app.pdb", FOUND, IN_STORE, IN_CACHE);
  assert_answer (ANSWER_REDIRECT, "app.pdb", FOUND, IN_STORE "/moved ", IN_CACHE);
}

static void
test_keeps_nothing_wrong (void)
{
  assert_answer (ANSWER_PAGE, "app.pdb", "failed", IN_STORE, "");
  assert_answer (ANSWER_TEXT, "app.pdb", "failed", IN_STORE, "");
  assert_answer (ANSWER_OTHER_BUILD, "app.pdb", "no match", IN_STORE, "");
  assert_answer (ANSWER_EMPTY, "app.pdb", "failed", IN_STORE, "");
  assert_answer (ANSWER_ERROR, "app.pdb", "failed", IN_STORE, "");
  assert_answer (ANSWER_LATER, "app.pdb", "failed", IN_STORE, "");
  assert_answer (ANSWER_LOGIN, "app.pdb", "failed", IN_STORE, "");
  assert_answer (ANSWER_UNSAFE, "app.pdb", "refused", IN_STORE, "");
  assert_answer (ANSWER_CUT, "app.pdb", "failed", IN_STORE, "");
  assert_answer (ANSWER_CIRCLE,
                 "app.pdb",
                 "failed",
                 IN_STORE "/again /again /again /again /again ",
                 "");
}

static void
test_asks_nothing_without_consent (void)
{
  g_autoptr (Server) server = server_new ();
  g_autoptr (NsTestPlace) place = ns_test_place_new ();
  g_autoptr (NsResolver) resolver = new_resolver (server, place, FALSE);
  g_autofree char *got = ns_test_resolve (resolver, "app.pdb");
  g_autofree char *asked = take_requests (server);

  g_assert_cmpstr (got, ==, "refused");
  g_assert_cmpstr (asked, ==, "");
}

static void
test_remembers_what_is_missing (void)
{
  g_autoptr (Server) server = server_new ();
  g_autoptr (NsTestPlace) place = ns_test_place_new ();
  const char *const wanted[] = { IN_STORE "/app.pdb/" NS_TEST_PDB_KEY "/app.pd_ ", "" };

  g_atomic_int_set (&server->answer, ANSWER_NOT_FOUND);
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (NsResolver) resolver = new_resolver (server, place, TRUE);
      g_autofree char *got = ns_test_resolve (resolver, "app.pdb");
      g_autofree char *asked = take_requests (server);

      g_assert_cmpstr (got, ==, "not found");
      g_assert_cmpstr (asked, ==, wanted[i]);
      if (i == 1)
        {
          g_autofree char *later = NULL;

          g_atomic_int_set (&server->answer, ANSWER_GOOD);
          ns_resolver_retry (resolver);
          later = ns_test_resolve (resolver, "app.pdb");
          g_assert_cmpstr (later, ==, FOUND);
        }
    }
}

static void
test_uses_the_cache_first (void)
{
  g_autoptr (Server) server = server_new ();
  g_autoptr (NsTestPlace) place = ns_test_place_new ();

  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (NsResolver) resolver = new_resolver (server, place, i == 0);
      g_autofree char *got = ns_test_resolve (resolver, "app.pdb");
      g_autofree char *asked = take_requests (server);

      g_assert_cmpstr (got, ==, FOUND);
      g_assert_cmpstr (asked, ==, i == 0 ? IN_STORE : "");
    }
}

/* Waits until the server was asked, stops, and waits for the end. */
static void
test_stops (void)
{
  g_autoptr (Server) server = server_new ();
  g_autoptr (NsTestPlace) place = ns_test_place_new ();
  g_autoptr (NsResolver) resolver = new_resolver (server, place, TRUE);
  NsSymbolId id = { "app.exe", "app.pdb", NS_TEST_PDB_GUID, NS_TEST_PDB_AGE, TRUE, 0, 0 };
  g_auto (NsModuleInfo) info = { 0 };
  g_autofree char *cached = NULL;
  guint module = ns_resolver_add (resolver, &id);
  gboolean is_asked = FALSE;

  g_atomic_int_set (&server->answer, ANSWER_STALL);
  ns_resolver_request (resolver, module);
  while (!is_asked)
    {
      g_mutex_lock (&server->lock);
      is_asked = server->requests->len > 0;
      g_mutex_unlock (&server->lock);
      g_thread_yield ();
    }
  ns_resolver_cancel (resolver);
  ns_resolver_load (resolver, module);
  ns_resolver_get_info (resolver, module, &info);
  cached = ns_test_place_list (place->cache);
  g_assert_cmpint (info.state, ==, NS_MODULE_WAITING);
  g_assert_cmpstr (cached, ==, "");
}

static void
test_addresses (void)
{
  g_autofree char *plain = ns_symbol_server_build_uri ("https://x.org/s/", "a.pdb", "K1", "a.pdb");
  g_autofree char *query =
      ns_symbol_server_build_uri ("https://x.org/s?sas=1", "a b.pdb", "K1", "a b.pd_");

  g_assert_cmpstr (plain, ==, "https://x.org/s/a.pdb/K1/a.pdb");
  g_assert_cmpstr (query, ==, "https://x.org/s/a%20b.pdb/K1/a%20b.pd_?sas=1");
}

int
main (int argc, char *argv[])
{
  /* The desktop's settings of proxies are not there in a folder of one's own. */
  g_setenv ("GIO_USE_PROXY_RESOLVER", "dummy", TRUE);
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/symbol-server/fetches-and-keeps", test_fetches_and_keeps);
  g_test_add_func ("/symbol-server/keeps-nothing-wrong", test_keeps_nothing_wrong);
  g_test_add_func ("/symbol-server/asks-nothing-without-consent",
                   test_asks_nothing_without_consent);
  g_test_add_func ("/symbol-server/remembers-what-is-missing", test_remembers_what_is_missing);
  g_test_add_func ("/symbol-server/uses-the-cache-first", test_uses_the_cache_first);
  g_test_add_func ("/symbol-server/stops", test_stops);
  g_test_add_func ("/symbol-server/addresses", test_addresses);
  return g_test_run ();
}
