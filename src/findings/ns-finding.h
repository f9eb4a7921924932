/* Findings: problems that rules detect in the rows of a trace.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/trace/ns-trace.h"

G_BEGIN_DECLS

/* Confidence in a finding. */
typedef enum
{
  NS_FINDING_LOW,
  NS_FINDING_MEDIUM,
  NS_FINDING_HIGH,
} NsFindingTrust;

typedef enum
{
  NS_SEVERITY_INFO,
  NS_SEVERITY_WARNING,
  NS_SEVERITY_PROBLEM,
} NsSeverity;

/* Verdict of a rule. NOT_FOUND requires that the trace records what the rule needs; UNJUDGED: it
 * does not. */
typedef enum
{
  NS_VERDICT_FOUND,
  NS_VERDICT_UNJUDGED,
  NS_VERDICT_NOT_FOUND,
} NsVerdict;

/* Maximum number of rules. */
#define NS_FINDING_MAX_RULES 64

/* A row that supports a finding. */
typedef struct
{
  NsTableId table;
  NsRow row;
} NsFindingRef;

/* Cost of one row. Time that several rows lost at once counts for the first of them only. */
typedef struct
{
  NsFindingRef ref;
  gint64 cost_ns;
} NsFindingShare;

/* One part of the reason why a finding was reported. */
typedef struct
{
  const char *text; /* in the user's language */
  gboolean is_recorded;
} NsFindingWhy;

/**
 * NsFindingRow:
 * @rule: the number of the rule: "D08"
 * @title: the name of the rule, in the user's language
 * @process_ns: a time at which @pid was the process meant; process IDs are reused
 * @subject: (nullable): the host, endpoint or name that is affected
 * @text: one sentence with the figures, in the user's language
 * @advice: (nullable): what to try next, in the user's language
 * @cost_ns: lost time, without counting overlaps twice; %NS_UNKNOWN: not known
 * @count: number of occurrences
 * @activities: (element-type NsRow): rows of the master table, ascending, without duplicates
 * @refs: (element-type NsFindingRef): rows of all tables, ascending, without duplicates
 * @shares: (nullable) (element-type NsFindingShare): cost of each row, highest first; the sum is
 *   @cost_ns
 * @evidence: (element-type guint32): rows of the table of events, 0-based, ascending: see
 *   ns_finding_events_find()
 * @marks: (element-type guint32): the part of @evidence that reports the failure itself, ascending
 * @is_evidence_cut: @evidence is, or may be, incomplete
 * @needs: (element-type utf8): providers and their events that the trace lacks for this rule; the
 *   texts are static
 *
 * A finding, or the verdict of a rule that reported none.
 */
typedef struct
{
  const char *rule;
  const char *title;
  NsSeverity severity;
  NsVerdict verdict;
  NsFindingTrust trust;
  guint32 pid;
  gint64 process_ns;
  char *subject;
  char *text;
  const char *advice;
  gint64 open_ns;
  gint64 close_ns;
  gint64 cost_ns;
  guint32 count;
  GArray *activities;
  GArray *refs;
  GArray *shares;
  GArray *evidence;
  GArray *marks;
  gboolean is_evidence_cut;
  GPtrArray *needs;
} NsFindingRow;

/* Returns the findings, sorted by severity and cost, then the rules that could not be judged, then
 * those that found nothing (element-type NsFindingRow). The first call computes them, so it must
 * not happen on the main thread. */
GArray *ns_findings_get (const NsTrace *trace);
gboolean ns_findings_are_known (const NsTrace *trace);
guint ns_findings_get_rules (const NsTrace *trace, NsRow activity, const char **rules, guint max);
guint ns_findings_count (const NsTrace *trace, NsSeverity *worst);

GArray *ns_finding_list_why (const NsTrace *trace, const char *rule);
char *ns_finding_dup_missing_layers (const NsTrace *trace, const char *rule);

const char *ns_severity_to_text (NsSeverity severity);
const char *ns_verdict_to_text (NsVerdict verdict);
const char *ns_finding_trust_to_text (NsFindingTrust trust);

G_END_DECLS
