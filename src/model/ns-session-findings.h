/* Findings of a session and the rows they refer to.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "findings/ns-finding.h"
#include "model/ns-session.h"

G_BEGIN_DECLS

/* Maximum number of rows named in the filter of a finding; a longer filter is hard to read. */
#define NS_SESSION_MAX_NAMED 500

/**
 * NsFindingSums:
 * @n_findings: number of findings
 * @n_of: number of findings by #NsSeverity
 * @worst: highest severity
 * @n_checks: number of rules; the sum of the next three
 * @n_found: rules that found something
 * @n_unjudged: rules that could not be judged
 * @n_fine: rules that found nothing
 *
 * Number of findings and of rules by verdict; computed in one place.
 */
typedef struct
{
  guint n_findings;
  guint n_of[NS_SEVERITY_PROBLEM + 1];
  NsSeverity worst;
  guint n_checks;
  guint n_found;
  guint n_unjudged;
  guint n_fine;
} NsFindingSums;

/* What activating a step does. */
typedef enum
{
  NS_FINDING_STEP_TEXT,   /* nothing: the step is advice for an action elsewhere */
  NS_FINDING_STEP_FILTER, /* filters the activities */
  NS_FINDING_STEP_EVENTS, /* shows the events */
  NS_FINDING_STEP_COPY,   /* copies the finding with its evidence */
  NS_FINDING_STEP_RECIPE, /* shows the recording recipe */
} NsFindingStepKind;

typedef struct
{
  NsFindingStepKind kind;
  char *text;
  char *filter; /* (nullable) */
  char *layers; /* (nullable): layers to record, see ns_finding_dup_missing_layers() */
} NsFindingStep;

GPtrArray *ns_session_list_steps (NsSession *session, const NsFindingRow *finding);
GArray *ns_session_list_evidence (NsSession *session, const NsFindingRow *finding);
gboolean ns_session_sum_findings (NsSession *session, NsFindingSums *sums);
GPtrArray *ns_session_list_checks (NsSession *session, NsVerdict verdict);
char *ns_session_dup_judged (NsSession *session, const NsFindingRow *finding);
char *ns_session_dup_missing (NsSession *session);
char *ns_session_dup_missing_layers (NsSession *session);
const NsFindingRow *ns_session_get_finding (NsSession *session, guint32 row);
guint32 ns_session_get_selected_finding (NsSession *session);
guint ns_session_count_marked (NsSession *session);

gboolean ns_session_read_thresholds (NsViewContext *view, GError **error);
gboolean ns_session_count_findings (NsSession *session, guint *n_found, gboolean *is_bad);
char *ns_session_dup_finding_filter (NsSession *session, guint32 finding, NsTableId *table);

gboolean ns_session_finding_has_rows (NsSession *session, guint32 finding);
void ns_session_look_for_evidence (NsSession *session);

G_END_DECLS
