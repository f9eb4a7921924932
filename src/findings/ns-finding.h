/* What went wrong in a trace, told by rules over its rows.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/ns-trace.h"

G_BEGIN_DECLS

/* How sure a finding is. */
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

/* What a rule says; "not found" is said only when it could have been. */
typedef enum
{
  NS_VERDICT_FOUND,
  NS_VERDICT_UNJUDGED,
  NS_VERDICT_NOT_FOUND,
} NsVerdict;

/* So many rules there are. */
#define NS_FINDING_MAX_RULES 48

/* A row a finding stands on. */
typedef struct
{
  NsTableId table;
  NsRow row;
} NsFindingRef;

/* What one row cost; a moment that several rows lost counts for the first of them only. */
typedef struct
{
  NsFindingRef ref;
  gint64 cost_ns;
} NsFindingShare;

/* What tells why something was found. */
typedef struct
{
  const char *text; /* in the user's language */
  gboolean is_recorded;
} NsFindingWhy;

/**
 * NsFindingRow:
 * @rule: its number: "D08"
 * @title: what it is called, in the user's language
 * @process_ns: a moment at which @pid was the process meant
 * @subject: (nullable): host, endpoint or name it is about
 * @text: one sentence with the figures, in the user's language
 * @advice: (nullable): what to try, likewise
 * @cost_ns: time that was lost, no moment counted twice; %NS_UNKNOWN: not told
 * @count: how often
 * @activities: (element-type NsRow): rows of the master table, ascending, none twice
 * @refs: (element-type NsFindingRef): rows of all tables, likewise
 * @shares: (nullable) (element-type NsFindingShare): what each row cost, the dearest first; they
 * add up to @cost_ns
 * @evidence: (element-type guint32): rows of the table of events, 0-based, ascending: see
 *   ns_finding_events_find()
 * @marks: (element-type guint32): those of them that tell the failure itself, likewise
 * @is_evidence_cut: there are more, or may be
 * @needs: (element-type utf8): providers and their events that the rule lacks; the texts are static
 *
 * One finding, or why there is none.
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

/* The findings first, by severity and cost; then the rules that could not be judged; then
 * those that found nothing. Computed by the first caller: not to be called first on a main thread.
 * (element-type NsFindingRow) */
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
