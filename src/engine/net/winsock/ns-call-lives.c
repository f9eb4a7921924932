/* Checks the order of the calls of each socket.
 *
 * A socket is created, bound, connected or made to listen, used and closed. Its kernel address may
 * then be reused by another socket, which is created first. Sockets from before the trace are not
 * checked.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-map.h"
#include "engine/net/winsock/ns-call-lives.h"

#include <string.h>

/* Effects of calls on the state of a socket. */
typedef enum
{
  STEP_NONE, /* no effect: options, shutdown, abort */
  STEP_CREATE,
  STEP_BIND,
  STEP_LISTEN,
  STEP_CONNECT,
  STEP_USE,
  STEP_CLOSE,
} Step;

/* The newest socket of an address. */
typedef struct
{
  guint create; /* number of the call that created it, from 1; 0: open before the trace */
  guint last;   /* number of its last call */
  guint close;  /* number of the call that closed it; 0: none */
  NsBool is_bound;
  NsBool is_used;
  NsBool is_closed;
} Life;

/* By #NsCallKind; STEP_NONE for the others. */
static const guint8 steps[] = {
  [NS_CALL_SOCKET] = STEP_CREATE,   [NS_CALL_BIND] = STEP_BIND,   [NS_CALL_LISTEN] = STEP_LISTEN,
  [NS_CALL_CONNECT] = STEP_CONNECT, [NS_CALL_ACCEPT] = STEP_USE,  [NS_CALL_SEND] = STEP_USE,
  [NS_CALL_RECV] = STEP_USE,        [NS_CALL_SENDTO] = STEP_USE,  [NS_CALL_RECVFROM] = STEP_USE,
  [NS_CALL_SENDMSG] = STEP_USE,     [NS_CALL_RECVMSG] = STEP_USE, [NS_CALL_CLOSE] = STEP_CLOSE,
};

/**
 * ns_call_violation_to_text:
 * @violation: violation found in a call
 *
 * Returns: (nullable): its text; %NULL: nothing is wrong
 */
const char *
ns_call_violation_to_text (NsCallViolation violation)
{
  static const char *const names[] = { NULL,          "bind failed",   "listens unbound",
                                       "after close", "closed unused", "never closed" };

  return violation < G_N_ELEMENTS (names) ? names[violation] : NULL;
}

static Step
step_of (const NsCallRow *call)
{
  return call->kind < G_N_ELEMENTS (steps) ? steps[call->kind] : STEP_NONE;
}

static gboolean
has_failed (const NsCallRow *call)
{
  return call->has_status && (call->status & 0xc0000000) == 0xc0000000;
}

/* Applies the call to the state of the socket, and tests whether it is allowed. */
static NsCallViolation
take_step (Life *life, Step step, const NsCallRow *call)
{
  gboolean is_late = life->is_closed;

  switch (step)
    {
    case STEP_BIND:
      life->is_bound |= !has_failed (call);
      return is_late             ? NS_CALL_AFTER_CLOSE
             : has_failed (call) ? NS_CALL_BIND_FAILED
                                 : NS_CALL_IN_ORDER;
    case STEP_LISTEN:
      life->is_used = TRUE;
      return is_late                                ? NS_CALL_AFTER_CLOSE
             : life->create != 0 && !life->is_bound ? NS_CALL_LISTENS_UNBOUND
                                                    : NS_CALL_IN_ORDER;
    case STEP_CONNECT:
      life->is_used = TRUE;
      return is_late ? NS_CALL_AFTER_CLOSE : NS_CALL_IN_ORDER;
    case STEP_CLOSE:
      life->is_closed = TRUE;
      return life->create != 0 && !life->is_used && !is_late ? NS_CALL_CLOSED_UNUSED
                                                             : NS_CALL_IN_ORDER;
    case STEP_USE: /* may be an operation that the close cancelled */
      life->is_used = TRUE;
      return NS_CALL_IN_ORDER;
    case STEP_NONE:
    case STEP_CREATE:
    default:
      return NS_CALL_IN_ORDER;
    }
}

/* Returns the number, from 1, of the socket that a call belongs to; a new one for a call that
 * creates a socket. */
static guint
get_life (GArray *lives, NsMap *newest, const NsCallRow *call, Step step, guint number)
{
  guint n = ns_map_get (newest, call->endpoint, 0);
  Life life = { .create = step == STEP_CREATE ? number : 0 };

  if (n == 0 || step == STEP_CREATE)
    {
      g_array_append_val (lives, life);
      n = lives->len;
      ns_map_set (newest, call->endpoint, 0, n);
    }
  return n;
}

/* Marks calls without an exit event as complete: a socket with later calls was created, and no
 * call continues after its socket is closed. */
static void
mark_over (GArray *calls, const GArray *life_of, const GArray *lives)
{
  guint i;

  for (i = 0; i < calls->len; i++)
    {
      NsCallRow *call = &g_array_index (calls, NsCallRow, i);
      guint n = g_array_index (life_of, guint, i);
      const Life *life = n != 0 ? &g_array_index (lives, Life, n - 1) : NULL;

      if (life != NULL && call->pending)
        call->is_over = (life->create == i + 1 && life->last > i + 1) || life->close > i + 1;
    }
}

/**
 * ns_call_lives_mark:
 * @calls: (element-type NsCallRow): all calls, in the order of their begin
 *
 * Marks calls that are out of order, and calls that are complete although their exit event is
 * missing.
 */
void
ns_call_lives_mark (GArray *calls)
{
  g_autoptr (GArray) lives = g_array_new (FALSE, TRUE, sizeof (Life));
  g_autoptr (GArray) life_of = g_array_new (FALSE, TRUE, sizeof (guint));
  NsMap *newest = ns_map_new ();
  guint i;

  g_array_set_size (life_of, calls->len);

  for (i = 0; i < calls->len; i++)
    {
      NsCallRow *call = &g_array_index (calls, NsCallRow, i);
      Step step = call->endpoint != 0 ? step_of (call) : STEP_NONE;
      Life *life;
      guint n;

      /* A socket whose creation failed is not tracked. */
      if (step == STEP_NONE || (step == STEP_CREATE && has_failed (call)))
        continue;
      n = get_life (lives, newest, call, step, i + 1);
      life = &g_array_index (lives, Life, n - 1);
      g_array_index (life_of, guint, i) = n;
      call->violation = (guint8) take_step (life, step, call);
      life->last = i + 1;
      if (step == STEP_CLOSE && life->close == 0 && !has_failed (call))
        life->close = i + 1;
    }
  ns_map_free (newest);
  mark_over (calls, life_of, lives);
  for (i = 0; i < lives->len; i++)
    {
      const Life *life = &g_array_index (lives, Life, i);

      if (life->create != 0 && !life->is_closed)
        NS_ROW_AT (calls, NsCallRow, life->create)->violation = NS_CALL_NEVER_CLOSED;
    }
}
