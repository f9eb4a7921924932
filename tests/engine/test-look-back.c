/* Tests the limits of backward searches among events with one ID, such as a reused object address.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/app/webio/ns-webio-state.h"

#include "engine/build/ns-builder.h"
#include "engine/net/winsock/ns-winsock-private.h"
#include "engine/tasks/ns-tasks-private.h"
#include "engine/tasks/ns-tasks.h"

#include "ns-test-trace.h"

#define PID 300
#define NAME 0x1b0001000
/* Maximum number of uses of a process object that are searched (ns-winsock-records.c). */
#define MAX_OWNERS 64

/* Searches, in the state of one part, an object that has @n_newer newer objects with the same
 * ID. */
typedef gboolean (*IsFound) (NsBuilder *builder, guint n_newer);

static gboolean
ask (const NsPart *part, IsFound is_found, guint n_newer)
{
  NsTrace *trace = test_trace_new (NS_PER_SECOND);
  NsBuilder builder = { .trace = trace };
  gboolean answer;

  /* Other parts register with the TCPIP part. */
  if (part != &ns_tcpip_part)
    ns_tcpip_part.start (&builder);
  part->start (&builder);
  answer = is_found (&builder, n_newer);
  part->stop (&builder);
  if (part != &ns_tcpip_part)
    ns_tcpip_part.stop (&builder);
  test_trace_free (trace);
  return answer;
}

static void
assert_so_far (const NsPart *part, IsFound is_found, guint max)
{
  g_assert_true (ask (part, is_found, max - 1));
  g_assert_false (ask (part, is_found, max));
}

static gboolean
is_session_found (NsBuilder *builder, guint n_newer)
{
  NsWebioSession *oldest = ns_webio_add_session (builder->webio, PID, NAME, 1);
  guint i;

  for (i = 0; i < n_newer; i++)
    ns_webio_add_session (builder->webio, PID, NAME, 10 + i);
  return ns_webio_find_session (builder->webio, PID, NAME, 5) == oldest;
}

static gboolean
is_request_found_by_its_object (NsBuilder *builder, guint n_newer)
{
  NsWebioRequest *oldest = ns_webio_add_request (builder->webio, PID, NAME, 1, 1);
  guint i;

  for (i = 0; i < n_newer; i++)
    ns_webio_add_request (builder->webio, PID, NAME, 2 + i, 10 + i);
  return ns_webio_find_request (builder->webio, PID, NAME, 5) == oldest;
}

static gboolean
is_request_found_by_its_handle (NsBuilder *builder, guint n_newer)
{
  NsWebioRequest *oldest = ns_webio_add_request (builder->webio, PID, NAME, 1, 1);
  guint i;

  for (i = 0; i < n_newer; i++)
    ns_webio_add_request (builder->webio, PID, NAME + 1 + i, 1, 10 + i)->close_ns = 20 + i;
  return ns_webio_find_open_handle (builder->webio, PID, 1) == oldest;
}

/* The connection of an open request is found although a closed request has @n_newer newer ones. */
static gboolean
is_connection_found (NsBuilder *builder, guint n_newer)
{
  NsWebioRequest *open = ns_webio_add_request (builder->webio, PID, NAME, 1, 1);
  NsWebioRequest *closed = ns_webio_add_request (builder->webio, PID, NAME + 1, 2, 2);
  NsWebioLink *oldest = ns_webio_add_link (builder->webio, open, NAME);
  NsRecord record = { .pid = PID };
  guint i;

  closed->close_ns = 3;
  for (i = 0; i < n_newer; i++)
    ns_webio_add_link (builder->webio, closed, NAME);
  return ns_webio_find_link (builder->webio, &record, NAME) == oldest;
}

/* A connection takes over the socket of an older one; connections without a socket are skipped. */
static gboolean
is_socket_found (NsBuilder *builder, guint n_between)
{
  NsWebioRequest *request = ns_webio_add_request (builder->webio, PID, NAME, 1, 1);
  NsWebioLink *oldest = ns_webio_add_link (builder->webio, request, NAME);
  NsRecord record = { .pid = PID, .tid = 7 };
  NsWebioLink *newest;
  guint i;

  oldest->socket = ns_webio_add_socket (builder->webio, &record, 8, TRUE);
  for (i = 0; i < n_between; i++)
    ns_webio_add_link (builder->webio, request, NAME);
  newest = ns_webio_add_link (builder->webio, request, NAME);
  ns_webio_attach (builder->webio, &record, newest, 8);
  return newest->socket == oldest->socket;
}

/* A tentative connection from event 104 is dropped for the actual one; confirmed ones are
 * skipped. */
static gboolean
is_wrong_one_dropped (NsBuilder *builder, guint n_newer)
{
  NsWebioRequest *request = ns_webio_add_request (builder->webio, PID, NAME, 5, 1);
  NsWebioLink *oldest = ns_webio_add_link (builder->webio, request, NAME);
  NsRecord record = { .pid = PID, .activity = { .bytes = { 5 } } };
  guint i;

  oldest->tentative = TRUE;
  for (i = 0; i < n_newer; i++)
    ns_webio_add_link (builder->webio, request, NAME + 1);
  request->last->tentative = TRUE;
  g_assert_true (ns_webio_find_link (builder->webio, &record, NAME + 2)->request == request);
  return oldest->gone;
}

static void
test_webio_searches_so_far_only (gconstpointer user_data)
{
  assert_so_far (&ns_webio_part, *(const IsFound *) user_data, NS_WEBIO_MAX_LOOK_BACK);
}

/* The search finds the run of a thread at a time, below runs that began inside it later. */
static gboolean
is_run_found (NsBuilder *builder, guint n_newer)
{
  NsRecord record = { .pid = PID, .tid = 7, .time_ns = 10 };
  NsRunId oldest = 0;
  guint i;

  for (i = 0; i <= n_newer; i++)
    {
      NsRow task = ns_tasks_add (builder, NS_TASK_DISPATCH_QUEUE, "q", PID, 1 + i, record.time_ns);
      NsRunId run = ns_tasks_begin (builder, task, &record);

      oldest = i == 0 ? run : oldest;
      record.time_ns += 10;
    }
  g_assert_cmpuint (oldest, !=, 0);
  return ns_tasks_find_link (builder, 7, 15) == oldest;
}

static void
test_runs_of_a_thread_are_searched_so_far_only (void)
{
  assert_so_far (&ns_tasks_part, is_run_found, NS_TASKS_MAX_STEPS);
}

/* The search finds the first process of a process object that was reused later. */
static gboolean
is_owner_found (NsBuilder *builder, guint n_newer)
{
  guint i;

  for (i = 0; i <= n_newer; i++)
    ns_winsock_set_owner (builder, NAME, 1000 + i, 10 * (1 + i));
  return ns_winsock_find_pid (builder, NAME, 15) == 1000;
}

static void
test_winsock_looks_through_so_many_owners_only (void)
{
  assert_so_far (&ns_winsock_part, is_owner_found, MAX_OWNERS);
}

int
main (int argc, char *argv[])
{
  static const IsFound session = is_session_found;
  static const IsFound object = is_request_found_by_its_object;
  static const IsFound handle = is_request_found_by_its_handle;
  static const IsFound connection = is_connection_found;
  static const IsFound socket = is_socket_found;
  static const IsFound wrong = is_wrong_one_dropped;

  g_test_init (&argc, &argv, NULL);
#define CLAIM(name, found)                                                                         \
  g_test_add_data_func ("/look-back/" name, found, test_webio_searches_so_far_only)
  CLAIM ("so-many-sessions-of-one-address-only", &session);
  CLAIM ("so-many-requests-of-one-address-only", &object);
  CLAIM ("so-many-requests-of-one-handle-only", &handle);
  CLAIM ("so-many-connections-of-one-address-only", &connection);
  CLAIM ("so-many-connections-of-one-socket-only", &socket);
  CLAIM ("so-many-wrong-connections-only", &wrong);
  g_test_add_func ("/look-back/so-many-owners-of-one-process-object-only",
                   test_winsock_looks_through_so_many_owners_only);
  g_test_add_func ("/look-back/so-many-runs-of-a-thread-only",
                   test_runs_of_a_thread_are_searched_so_far_only);
  return g_test_run ();
}
