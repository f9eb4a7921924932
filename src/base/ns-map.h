/* A hash map from a key of two 64-bit words to a 32-bit number, for hot paths.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _NsMap NsMap;

NsMap *ns_map_new (void);
void ns_map_free (NsMap *self);
guint32 ns_map_get (const NsMap *self, guint64 a, guint64 b);
void ns_map_expect (const NsMap *self, guint64 a, guint64 b);
void ns_map_set (NsMap *self, guint64 a, guint64 b, guint32 value);
guint32 ns_map_swap (NsMap *self, guint64 a, guint64 b, guint32 value);
guint32 ns_map_take (NsMap *self, guint64 a, guint64 b);
guint ns_map_get_size (const NsMap *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsMap, ns_map_free)

static inline guint64
ns_map_mix (guint64 a, guint64 b)
{
  guint64 h =
      (a ^ (b * G_GUINT64_CONSTANT (0xff51afd7ed558ccd))) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);

  h ^= h >> 32;
  h *= G_GUINT64_CONSTANT (0xc4ceb9fe1a85ec53);
  return h ^ (h >> 29);
}

G_END_DECLS
