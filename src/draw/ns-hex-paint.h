/* Paints the rows of a hex pane: offsets, bytes, characters, and highlighted fields.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "draw/ns-hex-layout.h"
#include "draw/ns-paint.h"

G_BEGIN_DECLS

/* A run of bytes. */
typedef struct
{
  guint32 offset;
  guint32 size; /* 0: empty */
} NsHexRun;

/**
 * NsHexPicture:
 * @layout: the layout
 * @bytes: the bytes
 * @known: (array): for each byte, whether it belongs to a field
 * @chosen: bytes of the selected field
 * @hovered: bytes of the field under the pointer
 * @cursor: the byte at the cursor, or %NS_HEX_NONE
 * @has_focus: whether the cursor is shown
 *
 * The contents of a hex pane.
 */
typedef struct
{
  const NsHexLayout *layout;
  const guint8 *bytes;
  const guint8 *known;
  NsHexRun chosen;
  NsHexRun hovered;
  guint32 cursor;
  gboolean has_focus;
} NsHexPicture;

void ns_hex_paint (NsPaint *paint,
                   const NsHexPicture *picture,
                   const PangoFontDescription *font,
                   double scrolled_px,
                   double height_px);

G_END_DECLS
