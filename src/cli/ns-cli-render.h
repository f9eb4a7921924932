/* The verb `render`: draws the timeline as the window does.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "cli/ns-cli.h"
#include "draw/ns-timeline-lanes.h"

G_BEGIN_DECLS

NsTimelineTexts ns_cli_render_get_words (void);
gboolean ns_cli_render (NsCli *cli, GError **error);

G_END_DECLS
