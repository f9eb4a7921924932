/* The conditions that a user makes the filter of each table of.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-session.h"

G_BEGIN_DECLS

/**
 * NsConditionsChange:
 * @NS_CONDITIONS_SET: a table has other conditions
 * @NS_CONDITIONS_TYPED: it has, while somebody is typing
 * @NS_CONDITIONS_PUT: they are written otherwise, are as they were before, or belong to a step that
 *   was told of already: nothing to go back over
 */
typedef enum
{
  NS_CONDITIONS_SET,
  NS_CONDITIONS_TYPED,
  NS_CONDITIONS_PUT,
} NsConditionsChange;

/**
 * NsValueFilter:
 * @NS_FILTER_ONLY_VALUE: keeps only rows with a value
 * @NS_FILTER_WITHOUT_VALUE: keeps those without it
 * @NS_FILTER_ALSO_VALUE: keeps those with it, too
 */
typedef enum
{
  NS_FILTER_ONLY_VALUE,
  NS_FILTER_WITHOUT_VALUE,
  NS_FILTER_ALSO_VALUE,
} NsValueFilter;

/* What ns_session_dup_conditions() gives: those of each table by its name. */
#define NS_CONDITIONS_FORMAT "a{s" NS_FILTER_CHIPS_STATE "}"

gboolean ns_session_apply_conditions (NsSession *self,
                                      NsTableId table,
                                      NsConditionsChange how,
                                      GError **error);
void ns_session_conditions_changed (NsSession *self, NsTableId table, NsConditionsChange how);
gboolean
ns_session_add_condition (NsSession *self, const char *condition, const char *name, GError **error);
gboolean ns_session_filter_value (NsSession *self,
                                  NsValueFilter how,
                                  const char *field,
                                  const char *condition,
                                  GError **error);
void ns_session_take_filters (NsSession *self);
GVariant *ns_session_dup_conditions (NsSession *self);
void ns_session_restore_conditions (NsSession *self, GVariant *conditions);
void ns_session_put_conditions (NsSession *self, GVariant *conditions);
void ns_session_forget_followed (NsSession *self);
void ns_session_count_conditions (NsSession *self);
void ns_session_count_due (NsSession *self);
void ns_session_stop_counting (NsSession *self);

G_END_DECLS
