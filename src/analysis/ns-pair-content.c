/* Pairs connections of two machines by content, for captures that began after them.
 *
 * Some samples of each connection's streams are kept: a sequence number, and the bytes from it on.
 * The selection depends only on the content of the samples, so both machines select the same ones
 * from traffic that both captured. The random numbers of a TLS handshake are the same on both
 * sides even behind devices that translate addresses and sequence numbers.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "analysis/ns-pairs-private.h"
#include "base/ns-map.h"
#include "engine/net/packets/ns-packet-row.h"

#include <string.h>

/* Maximum number of samples per connection, and minimum number in common for a match. */
#define MAX_PLACES 64
#define MIN_PLACES 2
/* Size of a sample; shorter ones are not distinctive. */
#define PLACE_BYTES 16
/* Maximum number of connections examined with the same sample. */
#define MAX_ALIKE 16

/* Position of the random number in a TLS hello: after record header, handshake header and
 * version. */
#define TLS_RANDOM_AT 11
#define TLS_RANDOM_BYTES 32
#define TLS_HANDSHAKE 22
#define TLS_CLIENT_HELLO 1
#define TLS_SERVER_HELLO 2

/* The random value of a server's HelloRetryRequest (RFC 8446, 4.1.3). */
static const guint8 retry[TLS_RANDOM_BYTES] = { 0xcf, 0x21, 0xad, 0x74, 0xe5, 0x9a, 0x61, 0x11,
                                                0xbe, 0x1d, 0x8c, 0x02, 0x1e, 0x65, 0xb8, 0x91,
                                                0xc2, 0xa2, 0x11, 0x16, 0x7a, 0xbb, 0x8c, 0x5e,
                                                0x07, 0x9e, 0x09, 0xe2, 0xc8, 0xa8, 0x33, 0x9c };

typedef struct
{
  guint64 places[MAX_PLACES]; /* the lowest hashes, sorted */
  guint n_places;
  guint64 randoms[2]; /* random numbers of client and server; 0: not captured */
} Content;

static guint64
mix_bytes (const guint8 *bytes, gsize n_bytes, guint64 hash)
{
  for (; n_bytes >= sizeof hash; bytes += sizeof hash, n_bytes -= sizeof hash)
    {
      guint64 word;

      memcpy (&word, bytes, sizeof word);
      hash = ns_map_mix (word, hash);
    }
  return hash;
}

static void
add_place (Content *self, guint64 place)
{
  guint at = self->n_places;

  while (at > 0 && self->places[at - 1] > place)
    at--;
  if (at == MAX_PLACES || (at > 0 && self->places[at - 1] == place))
    return;
  self->n_places = MIN (self->n_places + 1, MAX_PLACES);
  memmove (self->places + at + 1,
           self->places + at,
           (self->n_places - 1 - at) * sizeof self->places[0]);
  self->places[at] = place;
}

static void
add_random (Content *self, const guint8 *bytes, gsize n_bytes)
{
  guint side = bytes[5] == TLS_SERVER_HELLO;

  if (n_bytes < TLS_RANDOM_AT + TLS_RANDOM_BYTES || bytes[0] != TLS_HANDSHAKE || bytes[1] != 3 ||
      (bytes[5] != TLS_CLIENT_HELLO && bytes[5] != TLS_SERVER_HELLO) || bytes[9] != 3 ||
      self->randoms[side] != 0 || memcmp (bytes + TLS_RANDOM_AT, retry, sizeof retry) == 0)
    return;
  self->randoms[side] = mix_bytes (bytes + TLS_RANDOM_AT, TLS_RANDOM_BYTES, side + 1);
}

/* Reads the contents of unmatched connections of @ends. Returns an array of Content, and in
 * @which the 1-based index of each connection's. */
static GArray *
read_contents (const NsTrace *trace, const GArray *ends, const guint8 *marks, guint32 **which)
{
  GArray *contents = g_array_new (FALSE, TRUE, sizeof (Content));
  g_autofree guint32 *by_flow = g_new0 (guint32, (gsize) trace->flows->len + 1);
  guint i;

  *which = g_new0 (guint32, (gsize) ends->len + 1);
  for (i = 0; i < ends->len; i++)
    if (!marks[i])
      by_flow[g_array_index (ends, NsPairEnd, i).flow] = i + 1;
  by_flow[0] = 0;
  for (i = 0; i < trace->packets->len; i++)
    {
      const NsPacketRow *row = &g_array_index (trace->packets, NsPacketRow, i);
      guint32 end = by_flow[row->flow];
      NsWireFrame frame;
      Content *content;

      if (end == 0 || row->dropped || !ns_packet_row_parse (trace, row, &frame) ||
          frame.protocol != NS_IP_TCP || !frame.has_transport || frame.is_fragment ||
          frame.payload == NULL || frame.payload_size < PLACE_BYTES)
        continue;
      if ((*which)[end - 1] == 0)
        {
          g_array_set_size (contents, contents->len + 1);
          (*which)[end - 1] = contents->len;
        }
      content = &g_array_index (contents, Content, (*which)[end - 1] - 1);
      add_place (content, mix_bytes (frame.payload, PLACE_BYTES, frame.seq));
      add_random (content, frame.payload, frame.payload_size);
    }
  return contents;
}

/* Returns whether both may be one connection: one address may have been translated, but not
 * both. */
static gboolean
may_be_one (const NsPairEnd *a, const NsPairEnd *b)
{
  gboolean has_common_end =
      ns_endpoint_equal (&a->server, &b->server) || ns_endpoint_equal (&a->client, &b->client) ||
      ns_endpoint_equal (&a->server, &b->client) || ns_endpoint_equal (&a->client, &b->server);

  return has_common_end && (a->role == NS_PAIR_ROLE_UNKNOWN || a->role != b->role) &&
         !(a->is_numbered && b->is_numbered);
}

static guint
count_common (const Content *a, const Content *b)
{
  guint n = 0;
  guint i = 0;
  guint k = 0;

  while (i < a->n_places && k < b->n_places)
    {
      n += a->places[i] == b->places[k];
      if (a->places[i] <= b->places[k])
        i++;
      else
        k++;
    }
  return n;
}

/* Returns whether both have the same TLS random numbers: a ClientHello may be sent again on
 * another connection, but a ServerHello is unique. */
static gboolean
has_same_randoms (const Content *a, const Content *b)
{
  guint i;

  for (i = 0; i < 2; i++)
    if (a->randoms[i] != b->randoms[i] && a->randoms[i] != 0 && b->randoms[i] != 0)
      return FALSE;
  return a->randoms[1] != 0 ? a->randoms[1] == b->randoms[1]
                            : a->randoms[0] != 0 && a->randoms[0] == b->randoms[0];
}

/* Index of the second trace: samples and random numbers, and the connections that have each. */
typedef struct
{
  NsMap *heads;
  GArray *links; /* guint32 end, guint32 next: 1-based */
} Index;

typedef struct
{
  guint32 end;
  guint32 next;
} Link;

static void
index_add (Index *self, guint64 key, guint kind, guint end)
{
  Link link = { end, 0 };

  link.next = ns_map_swap (self->heads, key, kind, self->links->len + 1);
  g_array_append_val (self->links, link);
}

static void
index_add_content (Index *self, const Content *content, guint end)
{
  guint i;

  for (i = 0; i < content->n_places; i++)
    index_add (self, content->places[i], 0, end);
  for (i = 0; i < 2; i++)
    if (content->randoms[i] != 0)
      index_add (self, content->randoms[i], 1 + i, end);
}

typedef struct
{
  GArray *const *ends;
  GArray *contents[2];
  guint32 *which[2];
  const guint8 *marks; /* marks of the second trace */
  Index index;
} Matching;

/* Examines the connections with a key, and updates the match. Returns: %FALSE if there are two
 * matches */
static gboolean
look (const Matching *self, guint first, guint64 key, guint kind, guint *found, guint *evidence)
{
  const NsPairEnd *end = &g_array_index (self->ends[0], NsPairEnd, first);
  const Content *content = &g_array_index (self->contents[0], Content, self->which[0][first] - 1);
  guint32 at = ns_map_get (self->index.heads, key, kind);
  guint n;

  for (n = 0; at != 0 && n < MAX_ALIKE; n++)
    {
      const Link *link = &g_array_index (self->index.links, Link, at - 1);
      guint second = link->end;
      const Content *other =
          &g_array_index (self->contents[1], Content, self->which[1][second] - 1);
      gboolean has_randoms;

      at = link->next;
      if (self->marks[second] || second + 1 == *found ||
          !may_be_one (end, &g_array_index (self->ends[1], NsPairEnd, second)))
        continue;
      has_randoms = has_same_randoms (content, other);
      if (!has_randoms && count_common (content, other) < MIN_PLACES)
        continue;
      if (*found != 0)
        return FALSE;
      *found = second + 1;
      *evidence = has_randoms ? NS_PAIR_BY_TLS : NS_PAIR_BY_PAYLOAD;
    }
  return TRUE;
}

/* Returns the only match in the second trace; 0: none, or several. */
static guint
find_only (const Matching *self, guint first, guint *evidence)
{
  const Content *content = &g_array_index (self->contents[0], Content, self->which[0][first] - 1);
  guint found = 0;
  guint i;

  for (i = 0; i < 2; i++)
    if (content->randoms[i] != 0 &&
        !look (self, first, content->randoms[i], 1 + i, &found, evidence))
      return 0;
  for (i = 0; i < content->n_places; i++)
    if (!look (self, first, content->places[i], 0, &found, evidence))
      return 0;
  return found;
}

/**
 * ns_pair_content_match: (skip)
 * @traces: the two traces
 * @ends: (element-type NsPairEnd): their connections
 * @marks: (array): a byte for each of them, those of the second trace after those of the first; set
 *   for matched ones
 * @matches: (element-type NsPairMatch): matches are appended
 *
 * Matches connections by content; ambiguous ones stay unmatched. Reads each packet of unmatched
 * connections once.
 */
void
ns_pair_content_match (const NsTrace *const traces[2],
                       GArray *const ends[2],
                       guint8 *marks,
                       GArray *matches)
{
  Matching self = { .ends = ends, .marks = marks + ends[0]->len };
  g_autofree guint32 *taken = g_new0 (guint32, (gsize) ends[1]->len + 1);
  g_autofree guint32 *found = g_new0 (guint32, (gsize) ends[0]->len + 1);
  g_autofree guint8 *evidences = g_new0 (guint8, (gsize) ends[0]->len + 1);
  guint i;

  self.contents[0] = read_contents (traces[0], ends[0], marks, &self.which[0]);
  self.contents[1] = read_contents (traces[1], ends[1], self.marks, &self.which[1]);
  self.index.heads = ns_map_new ();
  self.index.links = g_array_new (FALSE, FALSE, sizeof (Link));
  for (i = 0; i < ends[1]->len; i++)
    if (self.which[1][i] != 0)
      index_add_content (&self.index,
                         &g_array_index (self.contents[1], Content, self.which[1][i] - 1),
                         i);
  for (i = 0; i < ends[0]->len; i++)
    if (self.which[0][i] != 0)
      {
        guint evidence = 0;

        found[i] = find_only (&self, i, &evidence);
        evidences[i] = (guint8) evidence;
        taken[found[i] != 0 ? found[i] - 1 : ends[1]->len]++;
      }
  /* If two connections of the first trace match the same one, they are ambiguous too. */
  for (i = 0; i < ends[0]->len; i++)
    if (found[i] != 0 && taken[found[i] - 1] == 1)
      {
        NsPairMatch match = { { i, found[i] - 1 }, (NsPairEvidence) evidences[i], TRUE };

        g_array_append_val (matches, match);
        marks[i] = 1;
        marks[ends[0]->len + found[i] - 1] = 1;
      }
  for (i = 0; i < 2; i++)
    {
      g_array_unref (self.contents[i]);
      g_free (self.which[i]);
    }
  ns_map_free (self.index.heads);
  g_array_unref (self.index.links);
}
