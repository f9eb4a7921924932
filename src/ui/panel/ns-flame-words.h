/* Texts of the boxes of a flame graph and of the lines of its table.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "draw/ns-flame-look.h"

G_BEGIN_DECLS

char *ns_flame_words_dup_name (const NsCallTree *tree, guint32 node);
char *ns_flame_words_dup_box (const NsCallTree *tree, const NsFlameBox *box, NsFlameColor color);
char *ns_flame_words_dup_line (const NsCallTree *tree, guint32 node);

G_END_DECLS
