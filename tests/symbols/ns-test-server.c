/* A local symbol server with well-behaved and misbehaving modes.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ns-test-server.h"

#include "ns-test-pdb.h"

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
send_packed (SoupServerMessage *message, const GByteArray *bytes)
{
  g_autoptr (GZlibCompressor) zip = g_zlib_compressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP, 6);
  g_autoptr (GByteArray) packed = g_byte_array_new ();
  gsize n_read;
  gsize n_written;

  g_byte_array_set_size (packed, bytes->len + 1000);
  g_assert_cmpint (g_converter_convert (G_CONVERTER (zip),
                                        bytes->data,
                                        bytes->len,
                                        packed->data,
                                        packed->len,
                                        G_CONVERTER_INPUT_AT_END,
                                        &n_read,
                                        &n_written,
                                        NULL),
                   ==,
                   G_CONVERTER_FINISHED);
  g_byte_array_set_size (packed, (guint) n_written);
  soup_message_headers_append (soup_server_message_get_response_headers (message),
                               "Content-Encoding",
                               "gzip");
  send_bytes (message, packed);
}

static void
send_text (SoupServerMessage *message, const char *type, const char *text)
{
  soup_server_message_set_response (message, type, SOUP_MEMORY_COPY, text, strlen (text));
  soup_server_message_set_status (message, SOUP_STATUS_OK, NULL);
}

/* Announces more bytes than it sends, and closes the connection. */
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
answer_badly (NsTestServer *self, SoupServerMessage *message, NsTestAnswer answer)
{
  SoupMessageHeaders *headers = soup_server_message_get_response_headers (message);

  switch (answer)
    {
    case NS_TEST_ANSWER_CIRCLE:
      soup_server_message_set_redirect (message, SOUP_STATUS_FOUND, "/again");
      break;
    case NS_TEST_ANSWER_UNSAFE:
      soup_server_message_set_redirect (message, SOUP_STATUS_FOUND, "ftp://127.0.0.1/x");
      break;
    case NS_TEST_ANSWER_LOGIN:
      soup_server_message_set_status (message, SOUP_STATUS_FORBIDDEN, NULL);
      break;
    case NS_TEST_ANSWER_ERROR:
      soup_server_message_set_status (message, SOUP_STATUS_INTERNAL_SERVER_ERROR, NULL);
      break;
    case NS_TEST_ANSWER_LATER:
      soup_message_headers_append (headers, "Retry-After", "30");
      soup_server_message_set_status (message, SOUP_STATUS_SERVICE_UNAVAILABLE, NULL);
      break;
    case NS_TEST_ANSWER_PAGE:
      send_text (message, "text/html", "<html>Please log in</html>");
      break;
    case NS_TEST_ANSWER_TEXT:
      send_text (message, "application/octet-stream", "<html>Please log in</html>");
      break;
    case NS_TEST_ANSWER_OTHER_BUILD:
      send_bytes (message, self->other);
      break;
    case NS_TEST_ANSWER_CUT:
      send_cut (message, self->good);
      break;
    case NS_TEST_ANSWER_STALL:
      soup_server_message_pause (message);
      g_ptr_array_add (self->stalled, g_object_ref (message));
      break;
    case NS_TEST_ANSWER_PACKED:
      send_packed (message, self->good);
      break;
    case NS_TEST_ANSWER_EMPTY:
      soup_server_message_set_status (message, SOUP_STATUS_OK, NULL);
      break;
    case NS_TEST_ANSWER_GOOD:
    case NS_TEST_ANSWER_REDIRECT:
    case NS_TEST_ANSWER_NOT_FOUND:
    case NS_TEST_ANSWER_COMPRESSED_ONLY:
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
  NsTestServer *self = user_data;
  NsTestAnswer answer = (NsTestAnswer) g_atomic_int_get (&self->answer);

  g_mutex_lock (&self->lock);
  g_string_append_printf (self->requests, "%s ", path);
  g_cond_broadcast (&self->ready);
  g_mutex_unlock (&self->lock);
  if (answer == NS_TEST_ANSWER_REDIRECT && !g_str_has_prefix (path, "/moved"))
    soup_server_message_set_redirect (message, SOUP_STATUS_FOUND, "/moved");
  else if (answer == NS_TEST_ANSWER_GOOD || answer == NS_TEST_ANSWER_REDIRECT)
    send_bytes (message, self->good);
  else
    answer_badly (self, message, answer);
}

static gpointer
server_thread (gpointer data)
{
  NsTestServer *self = data;
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

NsTestServer *
ns_test_server_new (void)
{
  NsTestServer *self = g_new0 (NsTestServer, 1);
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

void
ns_test_server_free (NsTestServer *self)
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

char *
ns_test_server_take_requests (NsTestServer *self)
{
  char *requests;

  g_mutex_lock (&self->lock);
  requests = g_strdup (self->requests->str);
  g_string_truncate (self->requests, 0);
  g_mutex_unlock (&self->lock);
  return requests;
}

/* Waits until the server has received a request. */
void
ns_test_server_wait_for_request (NsTestServer *self)
{
  g_mutex_lock (&self->lock);
  while (self->requests->len == 0)
    g_cond_wait (&self->ready, &self->lock);
  g_mutex_unlock (&self->lock);
}
