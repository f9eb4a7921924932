/* Paints the rows of a hex pane: offsets, bytes, characters, and the marks of fields.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "draw/ns-hex-layout.h"
#include "draw/ns-paint.h"

G_BEGIN_DECLS

/* Some bytes of the pane. */
typedef struct
{
  guint32 offset;
  guint32 size; /* 0: none */
} NsHexRun;

/**
 * NsHexPicture:
 * @layout: where everything stands
 * @bytes: the bytes
 * @known: (array): one for each byte, whether a field has it
 * @chosen: bytes of the chosen field
 * @hovered: bytes of the field under the pointer
 * @cursor: the byte of the cursor, or %NS_HEX_NONE
 * @has_focus: whether the cursor is shown
 *
 * What is to be painted.
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
