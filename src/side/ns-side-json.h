/* Streaming JSON reader without a tree.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Maximum depth of values; deeper ones are malformed. */
#define NS_SIDE_JSON_MAX_DEPTH 256

/* The reader; @is_broken: malformed JSON was found. */
typedef struct
{
  const char *begin;
  const char *at;
  const char *end;
  const char *counted; /* lines are counted up to here */
  guint32 line;        /* number of the line of @counted, from 1 */
  gboolean is_broken;
} NsSideJson;

void ns_side_json_init (NsSideJson *self, const char *text, gsize size);
guint32 ns_side_json_get_line (NsSideJson *self);
gboolean ns_side_json_enter (NsSideJson *self, char bracket);
gboolean ns_side_json_next (NsSideJson *self, char bracket, gboolean *is_first);
gboolean ns_side_json_next_key (NsSideJson *self, gboolean *is_first, GString *key);
gboolean ns_side_json_take_text (NsSideJson *self, GString *text);
gboolean ns_side_json_take_number (NsSideJson *self, double *number);
void ns_side_json_skip (NsSideJson *self);
char ns_side_json_peek (NsSideJson *self);
gboolean ns_side_json_resume (NsSideJson *self);

G_END_DECLS
