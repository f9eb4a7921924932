/* GUIDs in binary and in text form.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>
#include <string.h>

G_BEGIN_DECLS

/* A GUID in file order: u32, u16, u16 little endian, then 8 bytes. */
typedef struct
{
  guint8 bytes[16];
} NsGuid;

/* Size of the text form without braces, including the NUL. */
#define NS_GUID_TEXT_SIZE 37

/* Initializes a constant GUID from the parts of its text form. */
#define NS_GUID_INIT(a, b, c, d0, d1, d2, d3, d4, d5, d6, d7)                                      \
  {                                                                                                \
    {                                                                                              \
      (guint8) ((a) &0xff), (guint8) (((a) >> 8) & 0xff), (guint8) (((a) >> 16) & 0xff),           \
          (guint8) (((a) >> 24) & 0xff), (guint8) ((b) &0xff), (guint8) (((b) >> 8) & 0xff),       \
          (guint8) ((c) &0xff), (guint8) (((c) >> 8) & 0xff), (d0), (d1), (d2), (d3), (d4), (d5),  \
          (d6), (d7)                                                                               \
    }                                                                                              \
  }

static inline gboolean
ns_guid_equal (const NsGuid *a, const NsGuid *b)
{
  return memcmp (a->bytes, b->bytes, sizeof a->bytes) == 0;
}

static inline guint64
ns_guid_low (const NsGuid *self)
{
  guint64 value;

  memcpy (&value, self->bytes, sizeof value);
  return GUINT64_FROM_LE (value);
}

static inline guint64
ns_guid_high (const NsGuid *self)
{
  guint64 value;

  memcpy (&value, self->bytes + 8, sizeof value);
  return GUINT64_FROM_LE (value);
}

gboolean ns_guid_is_zero (const NsGuid *self);
guint ns_guid_hash (gconstpointer self);
const char *ns_guid_to_text (const NsGuid *self, char text[NS_GUID_TEXT_SIZE]);
gboolean ns_guid_from_text (NsGuid *self, const char *text);

G_END_DECLS
