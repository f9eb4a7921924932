/* Function names embedded in a hand-over file, so that its receiver needs no symbols.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/trace/ns-trace.h"

G_BEGIN_DECLS

/* Magic line of a label file. */
#define NS_EMBEDDED_LABELS_HEAD "netstitch names 1\n"
/* Field value for "unknown". */
#define NS_EMBEDDED_LABELS_NONE "-"

/* Label of an address; the labels own the texts. */
typedef struct
{
  const char *symbol;
  guint32 offset;      /* from the function's begin, in bytes */
  guint32 line;        /* 0: not known */
  const char *file;    /* NULL: not known */
  const char *inlined; /* NULL: nothing is inlined there */
} NsEmbeddedLabel;

gboolean ns_embedded_labels_is_one (GBytes *bytes);
guint ns_embedded_labels_count (GBytes *bytes);
NsEmbeddedLabels *ns_embedded_labels_new (const NsTrace *trace, GBytes *bytes);
void ns_embedded_labels_free (NsEmbeddedLabels *self);
guint ns_embedded_labels_get_size (const NsEmbeddedLabels *self);
char *ns_embedded_labels_dup_identity (const NsTrace *trace, NsRow image);
guint ns_embedded_labels_count_image (const NsTrace *trace, NsRow image);
gboolean ns_trace_find_embedded_label (const NsTrace *self,
                                       NsRow image,
                                       guint64 rva,
                                       gboolean is_return,
                                       NsEmbeddedLabel *name);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsEmbeddedLabels, ns_embedded_labels_free)

G_END_DECLS
