/* Pool of endpoints, each stored once: a million rows of one server share one endpoint.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/trace/ns-endpoint-pool.h"

#include "base/ns-arena.h"
#include "base/ns-map.h"

#include <string.h>

/* Chunks do not move when more are added. */
#define CHUNK_BITS 10
#define CHUNK_SIZE (1u << CHUNK_BITS)

struct _NsEnds
{
  GPtrArray *chunks; /* chunks of CHUNK_SIZE NsEndpoint */
  guint32 n_ends;
  NsMap *by_hash; /* hash, round → number, 1-based */
};

const NsEndpoint ns_endpoint_pool_none;

/* Compare all members, including those that ns_endpoint_equal() ignores, as they are displayed. */
G_STATIC_ASSERT (sizeof (NsEndpoint) == 3 * sizeof (guint64));

/**
 * ns_endpoint_pool_new:
 *
 * Returns: (transfer full): an empty pool
 */
NsEndpointPool *
ns_endpoint_pool_new (void)
{
  NsEndpointPool *self = g_new0 (NsEndpointPool, 1);

  self->chunks = g_ptr_array_new_with_free_func (g_free);
  self->by_hash = ns_map_new ();
  return self;
}

/**
 * ns_endpoint_pool_free:
 * @self: (transfer full) (nullable): a pool
 */
void
ns_endpoint_pool_free (NsEndpointPool *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->chunks);
  ns_map_free (self->by_hash);
  g_free (self);
}

static NsEndpoint *
end_at (const NsEndpointPool *self, guint32 number)
{
  NsEndpoint *chunk = self->chunks->pdata[(number - 1) >> CHUNK_BITS];

  return &chunk[(number - 1) & (CHUNK_SIZE - 1)];
}

/**
 * ns_endpoint_pool_add:
 * @self: a pool
 * @end: an endpoint
 *
 * Returns: (transfer none): an equal endpoint, valid as long as @self; #ns_endpoint_pool_none if
 * all of it is 0
 */
const NsEndpoint *
ns_endpoint_pool_add (NsEndpointPool *self, const NsEndpoint *end)
{
  guint64 words[3];
  guint64 hash;
  guint64 round;
  guint32 number;

  if (memcmp (end, &ns_endpoint_pool_none, sizeof *end) == 0)
    return &ns_endpoint_pool_none;
  memcpy (words, end, sizeof words);
  hash = ns_map_mix (words[0], words[1]);
  for (round = words[2]; (number = ns_map_get (self->by_hash, hash, round)) != 0; round++)
    if (memcmp (end_at (self, number), end, sizeof *end) == 0)
      return end_at (self, number);
  if (self->n_ends % CHUNK_SIZE == 0)
    g_ptr_array_add (self->chunks, g_new (NsEndpoint, CHUNK_SIZE));
  number = ++self->n_ends;
  *end_at (self, number) = *end;
  ns_map_set (self->by_hash, hash, round, number);
  return end_at (self, number);
}

/**
 * ns_endpoint_pool_add_port:
 * @self: a pool
 * @port: a port; the address is unknown
 *
 * Returns: (transfer none): as ns_endpoint_pool_add()
 */
const NsEndpoint *
ns_endpoint_pool_add_port (NsEndpointPool *self, guint16 port)
{
  const NsEndpoint end = { .port = port };

  return ns_endpoint_pool_add (self, &end);
}

/**
 * ns_endpoint_pool_expect:
 * @self: a pool
 * @end: an endpoint that will soon be added
 *
 * Prefetches what that look-up will need.
 */
void
ns_endpoint_pool_expect (const NsEndpointPool *self, const NsEndpoint *end)
{
  guint64 words[3];

  memcpy (words, end, sizeof words);
  ns_map_expect (self->by_hash, ns_map_mix (words[0], words[1]), words[2]);
}
