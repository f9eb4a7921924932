/* Writes a trace of random TCP connections: make-traffic SEED PACKETS OPEN EACH FILE.
 *
 * OPEN connections exist at a time, each with about EACH packets. Segments are lost before or after
 * the capture point, duplicated, delayed and split; windows close, are probed and fill up; sequence
 * numbers wrap; keep-alives, resets and port reuse occur. A seed always produces the same trace, so
 * tshark's results can be stored.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "etl/ns-etl-writer.h"
#include "etl/ns-provider-guids.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_TICK 1000100
/* Captured bytes of data per packet; the headers have the original length. */
#define SNAP 32
#define MAX_FRAME (14 + 4 + 40 + 32 + SNAP)
#define N_SENT 8
#define MSS 1460
#define KEYWORD_WHOLE G_GUINT64_CONSTANT (0xc0000000)
#define KEYWORD_SEND G_GUINT64_CONSTANT (0x100000000)
#define KEYWORD_RECEIVE G_GUINT64_CONSTANT (0x200000000)

enum
{
  FIN = 1,
  SYN = 2,
  RST = 4,
  PSH = 8,
  ACK = 16,
};

typedef enum
{
  NOT_BEGUN,
  SYN_SENT,
  SYN_ANSWERED,
  OPEN,
  CLOSING,
} State;

/* One side of a connection. */
typedef struct
{
  guint32 isn;
  guint32 next; /* next sequence number to send */
  guint32 got;  /* next sequence number expected */
  struct
  {
    guint32 seq, size;
  } sent[N_SENT]; /* most recent segments */
  guint n_sent;
  guint16 window;
  guint8 scale;
  gboolean has_scale;
} Side;

typedef struct
{
  Side sides[2];
  guint number;
  guint16 port;
  gboolean is_v6;
  gboolean has_vlan;
  State state;
  guint n_left;
  guint n_closing;
} Connection;

typedef struct
{
  GRand *random;
  NsEtlWriter *writer;
  GByteArray *payload;
  Connection *connections;
  guint n_connections;
  guint n_begun;
  guint n_each;
  guint n_written;
  guint n_wanted;
  guint64 tick;
} Traffic;

static guint
pick (Traffic *self, guint n)
{
  return (guint) g_rand_int_range (self->random, 0, (gint32) n);
}

/* Returns TRUE in @percent percent of the calls. */
static gboolean
happens (Traffic *self, guint percent)
{
  return pick (self, 100) < percent;
}

static void
put16 (guint8 *at, guint value)
{
  at[0] = (guint8) (value >> 8);
  at[1] = (guint8) value;
}

static void
put32 (guint8 *at, guint32 value)
{
  put16 (at, value >> 16);
  put16 (at + 2, value & 0xffff);
}

static gsize
put_link (guint8 *frame, const Connection *connection)
{
  gsize n = 12;

  memset (frame, 2, n);
  if (connection->has_vlan)
    {
      put16 (frame + n, 0x8100);
      put16 (frame + n + 2, 7);
      n += 4;
    }
  put16 (frame + n, connection->is_v6 ? 0x86dd : 0x0800);
  return n + 2;
}

static gsize
put_ip (guint8 *ip, const Connection *connection, guint side, guint size)
{
  guint8 *ends[2];

  memset (ip, 0, 40);
  if (connection->is_v6)
    {
      ip[0] = 0x60;
      put16 (ip + 4, size);
      ip[6] = 6;
      ip[7] = 64;
      ends[side] = ip + 8;
      ends[!side] = ip + 24;
      put32 (ends[0], 0x20010db8);
      put32 (ends[0] + 12, 5);
      put32 (ends[1], 0x20010db8);
      put32 (ends[1] + 12, 0x100 + connection->number % 50);
      return 40;
    }
  ip[0] = 0x45;
  put16 (ip + 2, 20 + size);
  ip[8] = 64;
  ip[9] = 6;
  ends[side] = ip + 12;
  ends[!side] = ip + 16;
  put32 (ends[0], 0x0a000005);
  put32 (ends[1], 0x14000000 + connection->number % 5000);
  return 20;
}

static gsize
put_options (guint8 *at, const Side *side, guint flags)
{
  static const guint8 mss[] = { 2, 4, MSS >> 8, MSS & 0xff };

  if ((flags & SYN) == 0)
    return 0;
  memcpy (at, mss, sizeof mss);
  if (!side->has_scale)
    return sizeof mss;
  at[4] = 1;
  at[5] = 3;
  at[6] = 3;
  at[7] = side->scale;
  return sizeof mss + 4;
}

/* Advances the clock, mostly by a short time, sometimes beyond the time limits of the analysis. */
static void
pass_time (Traffic *self)
{
  static const guint longest[] = { 20, 200, 2000, 15000, 60000, 300000, 4000000 };
  guint how = pick (self, 100);

  self->tick += 1 + pick (self,
                          longest[how < 50   ? 0
                                  : how < 75 ? 1
                                  : how < 88 ? 2
                                  : how < 94 ? 3
                                  : how < 97 ? 4
                                  : how < 99 ? 5
                                             : 6]);
}

/* Writes a segment to the capture. */
static void
write_segment (Traffic *self,
               Connection *connection,
               guint side,
               guint flags,
               guint32 seq,
               guint size)
{
  const Side *sender = &connection->sides[side];
  NsEtlWriterEvent event = { .guid = NS_GUID_NDIS_PACKET_CAPTURE,
                             .id = 1001,
                             .level = 4,
                             .keyword =
                                 KEYWORD_WHOLE | (side == 0 ? KEYWORD_SEND : KEYWORD_RECEIVE),
                             .pid = 4 };
  guint captured = MIN (size, SNAP);
  guint8 frame[MAX_FRAME];
  guint8 options[8];
  gsize n_options = put_options (options, sender, flags);
  gsize n = put_link (frame, connection);
  guint32 head[3] = { GUINT32_TO_LE (7), GUINT32_TO_LE (7) };
  guint8 *tcp;

  pass_time (self);
  n += put_ip (frame + n, connection, side, 20 + (guint) n_options + size);
  tcp = frame + n;
  memset (tcp, 0, 20);
  put16 (tcp, side == 0 ? connection->port : 40000);
  put16 (tcp + 2, side == 0 ? 40000 : connection->port);
  put32 (tcp + 4, seq);
  put32 (tcp + 8, (flags & ACK) != 0 ? sender->got : 0);
  tcp[12] = (guint8) ((20 + n_options) / 4 << 4);
  tcp[13] = (guint8) flags;
  put16 (tcp + 14, sender->window);
  memcpy (tcp + 20, options, n_options);
  memset (tcp + 20 + n_options, '.', captured);
  n += 20 + n_options + captured;

  head[2] = GUINT32_TO_LE ((guint32) n);
  g_byte_array_set_size (self->payload, 0);
  g_byte_array_append (self->payload, (const guint8 *) head, sizeof head);
  g_byte_array_append (self->payload, frame, (guint) n);
  event.payload = self->payload;
  event.raw = FIRST_TICK + self->tick;
  ns_etl_writer_add_event (self->writer, &event);
  self->n_written++;
}

/* Sends a segment, which may be lost before or after the capture point. */
static void
send_segment (Traffic *self,
              Connection *connection,
              guint side,
              guint flags,
              guint32 seq,
              guint size)
{
  Side *sender = &connection->sides[side];
  Side *receiver = &connection->sides[!side];
  guint32 end = seq + size + ((flags & (SYN | FIN)) != 0);

  if (!happens (self, 2))
    write_segment (self, connection, side, flags, seq, size);
  if ((gint32) (end - sender->next) > 0)
    sender->next = end;
  if (size > 0)
    {
      sender->sent[sender->n_sent % N_SENT].seq = seq;
      sender->sent[sender->n_sent++ % N_SENT].size = size;
    }
  if ((gint32) (seq - receiver->got) <= 0 && (gint32) (end - receiver->got) > 0 &&
      !happens (self, 4))
    receiver->got = end;
}

static guint
pick_size (Traffic *self)
{
  return happens (self, 60) ? MSS : happens (self, 15) ? 1 : 1 + pick (self, 600);
}

static void
send_ack (Traffic *self, Connection *connection, guint side, guint n)
{
  guint i;

  for (i = 0; i < n; i++)
    send_segment (self, connection, side, ACK, connection->sides[side].next, 0);
}

static void
send_again (Traffic *self, Connection *connection, guint side)
{
  const Side *sender = &connection->sides[side];
  guint which = pick (self, MAX (1, MIN (sender->n_sent, N_SENT)));
  guint32 seq = sender->sent[which].seq;
  guint size = sender->sent[which].size;

  if (sender->n_sent == 0)
    return;
  if (happens (self, 15))
    size = 1 + pick (self, 2 * MSS);
  if (happens (self, 10))
    seq += pick (self, size);
  send_segment (self, connection, side, ACK, seq, MAX (size, 1));
}

/* Sends two segments, the second one first. */
static void
send_swapped (Traffic *self, Connection *connection, guint side)
{
  guint32 seq = connection->sides[side].next;
  guint first = pick_size (self);
  guint second = pick_size (self);

  send_segment (self, connection, side, ACK, seq + first, second);
  if (happens (self, 50))
    send_ack (self, connection, !side, 1 + pick (self, 3));
  send_segment (self, connection, side, ACK, seq, first);
}

static void
close_window (Traffic *self, Connection *connection, guint side)
{
  Side *closed = &connection->sides[side];
  guint16 before = closed->window;
  guint n = pick (self, 4);
  guint i;

  closed->window = 0;
  send_ack (self, connection, side, 1);
  for (i = 0; i < n; i++)
    {
      send_segment (self,
                    connection,
                    !side,
                    ACK,
                    connection->sides[!side].next - (happens (self, 20) ? 1 : 0),
                    happens (self, 90) ? 1 : 0);
      if (happens (self, 80))
        send_ack (self, connection, side, 1);
    }
  if (happens (self, 90))
    closed->window = before;
  send_ack (self, connection, side, 1);
}

/* Fills the receive window exactly. */
static void
fill_window (Traffic *self, Connection *connection, guint side)
{
  const Side *receiver = &connection->sides[!side];
  Side *sender = &connection->sides[side];
  guint room = (guint) receiver->window
               << (sender->has_scale && receiver->has_scale ? receiver->scale : 0);
  guint32 end = receiver->got + room;
  guint32 left = end - sender->next;

  if (left > 0 && left <= MSS)
    send_segment (self, connection, side, ACK | PSH, sender->next, left);
  else
    send_segment (self, connection, side, ACK | PSH, sender->next, pick_size (self));
}

static void
keep_alive (Traffic *self, Connection *connection, guint side)
{
  send_segment (self, connection, side, ACK, connection->sides[side].next - 1, pick (self, 2));
  if (happens (self, 80))
    send_ack (self, connection, !side, 1);
}

static void
begin_anew (Traffic *self, Connection *connection)
{
  guint i;

  for (i = 0; i < 2; i++)
    {
      Side *side = &connection->sides[i];

      memset (side, 0, sizeof *side);
      side->isn = happens (self, 5)    ? 0u - pick (self, 3)
                  : happens (self, 40) ? 0u - pick (self, 20000)
                                       : g_rand_int (self->random);
      side->next = side->isn;
      side->has_scale = happens (self, 80);
      side->scale = (guint8) pick (self, 9);
      side->window = (guint16) (happens (self, 30) ? 1 + pick (self, 4000) : 64240);
    }
  connection->state = NOT_BEGUN;
  connection->n_closing = 0;
}

/* Sets new endpoints, which had no packets before. */
static void
begin_elsewhere (Traffic *self, Connection *connection)
{
  connection->number = self->n_begun;
  connection->port = (guint16) (10000 + self->n_begun / 50 % 20000);
  connection->is_v6 = happens (self, 10);
  connection->has_vlan = happens (self, 5);
  connection->n_left = 1 + pick (self, 2 * self->n_each);
  self->n_begun++;
  begin_anew (self, connection);
}

static void
open_both (Connection *connection)
{
  guint i;

  for (i = 0; i < 2; i++)
    {
      connection->sides[i].next = connection->sides[i].isn + 1;
      connection->sides[!i].got = connection->sides[i].isn + 1;
    }
  connection->state = OPEN;
}

static void
shake_hands (Traffic *self, Connection *connection)
{
  Side *client = &connection->sides[0];
  Side *server = &connection->sides[1];

  if (happens (self, 10))
    {
      /* The connection was opened before the capture. */
      open_both (connection);
      return;
    }
  switch (connection->state)
    {
    case NOT_BEGUN:
      send_segment (self, connection, 0, SYN, client->isn, 0);
      connection->state = SYN_SENT;
      break;
    case SYN_SENT:
      if (happens (self, 10))
        {
          client->next = client->isn;
          send_segment (self, connection, 0, SYN, client->isn, 0);
          break;
        }
      server->got = client->isn + 1;
      if (happens (self, 3))
        {
          send_segment (self, connection, 1, RST | ACK, 0, 0);
          begin_anew (self, connection);
          break;
        }
      send_segment (self, connection, 1, SYN | ACK, server->isn, 0);
      connection->state = SYN_ANSWERED;
      break;
    default:
      if (happens (self, 10))
        {
          send_segment (self, connection, 1, SYN | ACK, server->isn, 0);
          break;
        }
      open_both (connection);
      send_ack (self, connection, 0, 1);
      break;
    }
}

static void
hang_up (Traffic *self, Connection *connection)
{
  guint side = pick (self, 2);

  if (happens (self, 20))
    send_segment (self,
                  connection,
                  side,
                  RST | (happens (self, 50) ? ACK : 0),
                  connection->sides[side].next,
                  0);
  else
    send_segment (self,
                  connection,
                  side,
                  FIN | ACK,
                  connection->sides[side].next -
                      (connection->n_closing > 0 && happens (self, 20) ? 1 : 0),
                  happens (self, 20) ? pick_size (self) : 0);
  if (happens (self, 80))
    send_ack (self, connection, !side, 1);
  connection->n_closing++;
}

static void
go_on (Traffic *self, Connection *connection)
{
  guint side = happens (self, 70);
  guint what = pick (self, 100);

  if (what < 45)
    send_segment (self,
                  connection,
                  side,
                  ACK | (happens (self, 30) ? PSH : 0),
                  connection->sides[side].next,
                  pick_size (self));
  else if (what < 70)
    send_ack (self, connection, !side, 1);
  else if (what < 75)
    send_ack (self, connection, !side, 2 + pick (self, 3));
  else if (what < 82)
    send_again (self, connection, side);
  else if (what < 86)
    send_swapped (self, connection, side);
  else if (what < 89)
    close_window (self, connection, side);
  else if (what < 92)
    fill_window (self, connection, side);
  else if (what < 95)
    keep_alive (self, connection, side);
  else
    {
      connection->sides[side].window = (guint16) (1 + pick (self, 65535));
      send_ack (self, connection, side, 1);
    }
}

static void
step (Traffic *self)
{
  Connection *connection = &self->connections[pick (self, self->n_connections)];
  guint before = self->n_written;

  if (connection->state < OPEN)
    shake_hands (self, connection);
  else if (connection->state == OPEN)
    go_on (self, connection);
  else
    hang_up (self, connection);
  connection->n_left -= MIN (connection->n_left, self->n_written - before);
  if (connection->n_left == 0 && connection->state == OPEN)
    connection->state = CLOSING;
  else if (connection->n_closing >= 3)
    {
      if (happens (self, 20))
        {
          /* Reuses the ports. */
          begin_anew (self, connection);
          connection->n_left = 1 + pick (self, 2 * self->n_each);
        }
      else
        begin_elsewhere (self, connection);
    }
}

int
main (int argc, char *argv[])
{
  NsEtlWriterOptions options = { 0 };
  g_autoptr (GError) error = NULL;
  Traffic self = { 0 };
  guint i;

  if (argc != 6)
    g_error ("usage: make-traffic SEED PACKETS OPEN EACH FILE");
  self.random = g_rand_new_with_seed ((guint32) g_ascii_strtoull (argv[1], NULL, 10));
  self.n_wanted = (guint) g_ascii_strtoull (argv[2], NULL, 10);
  self.n_connections = MAX (1, (guint) g_ascii_strtoull (argv[3], NULL, 10));
  self.n_each = MAX (1, (guint) g_ascii_strtoull (argv[4], NULL, 10));
  self.writer = ns_etl_writer_new (&options);
  self.payload = g_byte_array_new ();
  self.connections = g_new0 (Connection, self.n_connections);
  for (i = 0; i < self.n_connections; i++)
    begin_elsewhere (&self, &self.connections[i]);
  while (self.n_written < self.n_wanted)
    step (&self);
  if (!ns_etl_writer_finish_to_file (self.writer, argv[5], &error))
    g_error ("%s: %s", argv[5], error->message);
  ns_etl_writer_free (self.writer);
  g_byte_array_unref (self.payload);
  g_rand_free (self.random);
  g_free (self.connections);
  return EXIT_SUCCESS;
}
