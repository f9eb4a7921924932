/* Parses names of Windows Filtering Platform filters from the XML that `netsh wfp` writes.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define NS_SCHEMA_FILTERS_MAX_BYTES (64 * 1024 * 1024)
#define NS_SCHEMA_FILTERS_MAX_DEPTH 64
#define NS_SCHEMA_FILTERS_MAX_TAG_BYTES (64 * 1024)
#define NS_SCHEMA_FILTERS_MAX_TEXT 1024 /* maximum size of a name or a key, in bytes */
#define NS_SCHEMA_FILTERS_MAX 262144    /* maximum number of filters, of providers and of layers */

typedef struct _NsSchemaFilters NsSchemaFilters;

NsSchemaFilters *ns_schema_filters_new (const char *data, gsize n_bytes, GError **error);
void ns_schema_filters_free (NsSchemaFilters *self);
const char *ns_schema_filters_get_name (const NsSchemaFilters *self, guint64 filter);
const char *ns_schema_filters_get_provider (const NsSchemaFilters *self, guint64 filter);
const char *ns_schema_filters_get_layer (const NsSchemaFilters *self, guint layer);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsSchemaFilters, ns_schema_filters_free)

G_END_DECLS
