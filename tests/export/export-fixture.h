/* Fixture of the export tests: two packets, a sink, and access to numbers of JSON documents.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-json-doc.h"

#include "../engine/story.h"

G_BEGIN_DECLS

/* An Ethernet frame of 54 bytes with a TCP SYN. */
#define EXPORT_FIXTURE_FRAME_SIZE 54

NsTrace *export_fixture_open_packets (void);
gboolean
export_fixture_collect (const char *data, gsize n_bytes, gpointer user_data, GError **error);
double export_fixture_get_number (const NsJsonDoc *json, guint object, const char *key);

G_END_DECLS
