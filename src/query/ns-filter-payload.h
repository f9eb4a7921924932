/* Compares a payload field in a filter; its type depends on the event.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "query/ns-filter-test.h"

G_BEGIN_DECLS

/* Prefix of payload fields, for names that are also fields of the header. */
#define NS_FILTER_PAYLOAD_PREFIX "fields."

typedef struct _NsFilterPayload NsFilterPayload;

NsFilterPayload *ns_filter_payload_new (const char *name,
                                        NsFilterOp op,
                                        const char *value,
                                        gboolean is_quoted,
                                        GError **error);
void ns_filter_payload_free (NsFilterPayload *self);
void ns_filter_payload_prepare (NsFilterPayload *self);
guint ns_filter_payload_count_given_up (const NsFilterPayload *self);
gboolean ns_filter_payload_matches (const NsFilterPayload *self, const NsTrace *trace, guint row);

G_END_DECLS
