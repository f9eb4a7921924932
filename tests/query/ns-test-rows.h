/* Generates many pseudo-random rows of a trace, always the same ones.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "ns-test-trace.h"

G_BEGIN_DECLS

NsTrace *test_rows_new (guint n_rows);
void test_rows_free (NsTrace *self);

G_END_DECLS
