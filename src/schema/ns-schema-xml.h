/* Restricted XML parser for instrumentation manifests: elements and attributes, but no entities.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Limits. Manifests of Windows have a depth of 9, at most ten attributes per element, and at
 * most 60,000 elements. */
#define NS_SCHEMA_XML_MAX_BYTES (9 * 1024 * 1024)
#define NS_SCHEMA_XML_MAX_DEPTH 64
#define NS_SCHEMA_XML_MAX_ATTRIBUTES 64 /* per element, with its namespaces */
#define NS_SCHEMA_XML_MAX_NAMESPACES 64 /* of all nested elements */
#define NS_SCHEMA_XML_MAX_TAG_BYTES (1024 * 1024)
#define NS_SCHEMA_XML_MAX_ELEMENTS 262144

typedef struct
{
  const char *name; /* with its prefix */
  const char *value;
} NsSchemaXmlAttribute;

typedef struct _NsSchemaXmlNode NsSchemaXmlNode;

/**
 * NsSchemaXmlNode:
 * @name: its name, without a prefix
 * @attributes: (array length=n_attributes): its attributes in their order, without namespace
 *   declarations
 * @n_attributes: number of attributes
 * @first: (nullable): its first child
 * @next: (nullable): its next sibling
 *
 * An element, valid as long as its document.
 */
struct _NsSchemaXmlNode
{
  const char *name;
  const NsSchemaXmlAttribute *attributes;
  guint n_attributes;
  NsSchemaXmlNode *first;
  NsSchemaXmlNode *next;
};

typedef struct _NsSchemaXml NsSchemaXml;

NsSchemaXml *ns_schema_xml_new (const char *xml, gsize n_bytes, GError **error);
void ns_schema_xml_free (NsSchemaXml *self);
const NsSchemaXmlNode *ns_schema_xml_get_root (const NsSchemaXml *self);
gsize ns_schema_xml_get_size (const NsSchemaXml *self);
const char *ns_schema_xml_get (const NsSchemaXmlNode *node, const char *name);
gboolean ns_schema_xml_is (const NsSchemaXmlNode *node, const char *name);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsSchemaXml, ns_schema_xml_free)

G_END_DECLS
