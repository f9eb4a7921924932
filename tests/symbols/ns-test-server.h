/* A local symbol server with well-behaved and misbehaving modes.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <libsoup/soup.h>

G_BEGIN_DECLS

/* Response mode of the server. */
typedef enum
{
  NS_TEST_ANSWER_GOOD,
  NS_TEST_ANSWER_REDIRECT,
  NS_TEST_ANSWER_CIRCLE,
  NS_TEST_ANSWER_UNSAFE,
  NS_TEST_ANSWER_NOT_FOUND,
  NS_TEST_ANSWER_COMPRESSED_ONLY,
  NS_TEST_ANSWER_LOGIN,
  NS_TEST_ANSWER_ERROR,
  NS_TEST_ANSWER_LATER,
  NS_TEST_ANSWER_PAGE,
  NS_TEST_ANSWER_TEXT,
  NS_TEST_ANSWER_OTHER_BUILD,
  NS_TEST_ANSWER_EMPTY,
  NS_TEST_ANSWER_CUT,
  NS_TEST_ANSWER_STALL,
  NS_TEST_ANSWER_PACKED, /* with Content-Encoding: gzip */
} NsTestAnswer;

typedef struct
{
  GThread *thread;
  GMainContext *context;
  GMainLoop *loop;
  SoupServer *server;
  char *uri;
  GMutex lock;
  GCond ready;
  GString *requests; /* requested paths, each followed by a space */
  gint answer;       /* #NsTestAnswer, atomic */
  GByteArray *good;
  GByteArray *other;
  GPtrArray *stalled; /* (element-type SoupServerMessage) */
} NsTestServer;

NsTestServer *ns_test_server_new (void);
void ns_test_server_free (NsTestServer *self);
char *ns_test_server_take_requests (NsTestServer *self);
void ns_test_server_wait_for_request (NsTestServer *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsTestServer, ns_test_server_free)

G_END_DECLS
