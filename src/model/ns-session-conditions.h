/* Filter conditions of each table.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-session.h"

G_BEGIN_DECLS

/**
 * NsConditionsChange:
 * @NS_CONDITIONS_SET: the conditions of a table have changed
 * @NS_CONDITIONS_TYPED: they have changed while the user is typing
 * @NS_CONDITIONS_PUT: they were rewritten, restored, or are part of a recorded step; not a step of
 *   the history
 */
typedef enum
{
  NS_CONDITIONS_SET,
  NS_CONDITIONS_TYPED,
  NS_CONDITIONS_PUT,
} NsConditionsChange;

/**
 * NsValueFilter:
 * @NS_FILTER_ONLY_VALUE: show only rows with the value
 * @NS_FILTER_WITHOUT_VALUE: hide rows with the value
 * @NS_FILTER_ALSO_VALUE: show rows with the value in addition
 */
typedef enum
{
  NS_FILTER_ONLY_VALUE,
  NS_FILTER_WITHOUT_VALUE,
  NS_FILTER_ALSO_VALUE,
} NsValueFilter;

/* Format of ns_session_dup_conditions(): the state of the conditions by table name. */
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
