/* Replaces names in values by stand-ins, depending on the field.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "export/ns-redact-names.h"
#include "query/ns-fields.h"

G_BEGIN_DECLS

/**
 * NsRedactPass:
 * @names: known names
 * @spans: (element-type NsRedactSpan): scratch
 * @is_learning: whether names are added; otherwise nothing changes
 * @is_counting: whether occurrences are counted
 * @has_learned: set when a name is added
 *
 * State of a pass over texts.
 */
typedef struct _NsRedactPass
{
  NsRedactNames *names;
  GArray *spans;
  gboolean is_learning;
  gboolean is_counting;
  gboolean has_learned;
} NsRedactPass;

gboolean ns_redact_look_is_telling (const NsField *field);
gboolean ns_redact_look_is_names (const NsField *field);
char *ns_redact_pass_text (NsRedactPass *pass, const char *text, gboolean is_names);
void ns_redact_pass_value (NsRedactPass *pass, const NsField *field, NsFieldValue *value);

G_END_DECLS
