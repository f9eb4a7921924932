/* Function names that are embedded in a hand-over, so that its reader needs no symbols.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/ns-trace.h"

G_BEGIN_DECLS

/* What the file of names begins with. */
#define NS_CARRIED_NAMES_HEAD "netstitch names 1\n"
/* In the place of what is not known. */
#define NS_CARRIED_NAMES_NONE "-"

/* What is known of an address; texts belong to the names. */
typedef struct
{
  const char *symbol;
  guint32 offset;      /* from the begin of the function, bytes */
  guint32 line;        /* 0: not known */
  const char *file;    /* NULL: not known */
  const char *inlined; /* NULL: nothing stands inside it there */
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
