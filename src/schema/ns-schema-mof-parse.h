/* The parsed classes of a `.mof` text, before they become layouts.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-strings.h"

G_BEGIN_DECLS

typedef struct
{
  const char *text; /* %NULL: a number */
  gint64 number;
} NsMofValue;

/* A range of another array. */
typedef struct
{
  guint first;
  guint n;
} NsMofRun;

typedef struct
{
  const char *name;
  NsMofRun values;
} NsMofQualifier;

typedef struct
{
  const char *type;
  const char *name;
  guint line;
  guint n_elements; /* of a fixed array, else 0 */
  gboolean is_array;
  NsMofRun qualifiers;
} NsMofProperty;

typedef struct
{
  const char *name;
  const char *base; /* %NULL: none */
  guint line;
  NsMofRun qualifiers;
  NsMofRun properties;
} NsMofClass;

typedef struct
{
  NsStrings *strings;
  GArray *values;     /* (element-type NsMofValue) */
  GArray *qualifiers; /* (element-type NsMofQualifier) */
  GArray *properties; /* (element-type NsMofProperty) */
  GArray *classes;    /* (element-type NsMofClass) */
} NsMofText;

NsMofText *ns_mof_text_parse (const char *text, gsize n_bytes, GError **error);
void ns_mof_text_free (NsMofText *self);
const NsMofQualifier *
ns_mof_text_find (const NsMofText *self, const NsMofRun *qualifiers, const char *name);
const NsMofValue *
ns_mof_text_get_value (const NsMofText *self, const NsMofQualifier *qualifier, guint i);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsMofText, ns_mof_text_free)

G_END_DECLS
