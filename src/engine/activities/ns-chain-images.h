/* Lists the images in the stacks of the master table, whose symbols are worth loading.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/trace/ns-trace.h"

G_BEGIN_DECLS

typedef struct
{
  NsRow image;
  guint32 n_frames; /* number of frames in the image, over all distinct stacks */
} NsChainImage;

GArray *ns_chain_list_images (const NsTrace *trace);

G_END_DECLS
