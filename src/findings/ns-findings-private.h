/* Types shared by the rules: groups of rows that support one finding, connection attempts, the
 * state of a run over one trace.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-map.h"
#include "engine/net/ns-signs.h"
#include "engine/net/packets/ns-packet-facts.h"
#include "engine/trace/ns-thresholds.h"
#include "findings/ns-finding.h"
#include "findings/ns-findings-rules.h"

G_BEGIN_DECLS

#define NS_PER_MS (NS_PER_SECOND / 1000)
/* Idle time after which devices on the path may drop the state of a connection. */
#define NS_IDLE_NS(self) ns_findings_limit_ns (self, NS_THRESHOLD_D40_IDLE)

typedef struct _NsFindings NsFindings;
typedef struct _NsFindingRule NsFindingRule;

/* A span of lost time, and the row that lost it. */
typedef struct
{
  NsTimeSpan span;
  NsFindingRef ref;
} NsFindingOwner;

/**
 * NsFindingGroup:
 * @key: process, subject and further key; unique within a rule
 * @subject: host, endpoint or name
 * @pid: process; NS_PID_UNKNOWN: not known
 * @process_ns: a time at which @pid was the process meant
 * @count: number of rows added
 * @worst_ns: length of the longest of @spans
 * @sum_a: for the rule
 * @sum_b: for the rule
 * @spans: (element-type NsTimeSpan): when each of its rows lost time
 * @owners: (element-type NsFindingOwner): the same spans, each with its row
 * @refs: (element-type NsFindingRef): those rows, and others that support the finding
 * @activities: (element-type NsRow): the operations they belong to
 * @moments: (element-type NsFindingMoment): items that the rule examines in order of time
 * @marks: (element-type guint32): rows of the table of events that report the failure itself
 * @none: the shared empty array that stands for every list without elements
 * @local: local endpoint concerned
 * @n_filter: ID of a WFP filter, or a string ID; 0: not recorded
 * @text: the reason of the failure, as the layer words it
 * @n_syns: number of SYNs sent; 0: not captured
 * @has_failed: for the rule
 * @is_absence: the finding claims that something did not happen, so lost events make it uncertain
 *
 * Rows of one process and one subject that support the same finding.
 */
typedef struct
{
  char *key;
  char *subject;
  guint32 pid;
  gint64 process_ns;
  guint32 count;
  gint64 worst_ns;
  guint64 sum_a;
  guint64 sum_b;
  GArray *spans;
  GArray *owners;
  GArray *refs;
  GArray *activities;
  GArray *moments;
  GArray *marks;
  GArray *none;
  NsEndpoint local;
  guint64 n_filter;
  NsString text;
  guint n_syns;
  gboolean has_failed;
  gboolean is_absence;
} NsFindingGroup;

typedef struct
{
  gint64 open_ns;
  gint64 close_ns;
  NsTableId table;
  NsRow row;
  NsRow activity;
  guint64 value;
  gboolean flag;
} NsFindingMoment;

/* Result of a connection attempt. */
typedef enum
{
  NS_ATTEMPT_OPEN, /* no end recorded */
  NS_ATTEMPT_OK,
  NS_ATTEMPT_NO_HOST,
  NS_ATTEMPT_NO_NETWORK,
  NS_ATTEMPT_TIMEOUT,
  NS_ATTEMPT_REFUSED,
  NS_ATTEMPT_DENIED,
  NS_ATTEMPT_NO_ROUTE, /* detected before anything is sent */
  NS_ATTEMPT_NO_PORTS,
  NS_ATTEMPT_CANCELLED,
  NS_ATTEMPT_OTHER,
} NsAttemptEnd;

typedef struct
{
  guint32 pid;
  NsString server;
  NsEndpoint remote;
  gint64 open_ns;
  gint64 close_ns;
  NsAttemptEnd end;
  gboolean is_overtaken; /* another address of the same server was reached soon after */
  NsTableId table;
  NsRow row;
  NsRow activity;
  guint32 event;  /* event that reports the result; G_MAXUINT32: only the row reports it */
  guint32 n_syns; /* 0: not captured */
} NsAttempt;

/**
 * NsFindingSieve:
 * @counts: number of rows by hash, at most %G_MAXUINT16
 * @mask: the bits of a hash that are used
 *
 * Tells which rows cannot belong to a group with a minimum number of rows.
 */
typedef struct
{
  guint16 *counts;
  guint32 mask;
} NsFindingSieve;

/* An HTTP request, see ns_findings_is_request(). */
typedef struct
{
  guint row;    /* of the master table, 0-based */
  guint32 peer; /* hash of process and host, see ns_findings_hash_peer() */
  guint n_peer; /* at least the number of requests of the process to the host; ≤ %G_MAXUINT16 */
} NsFindingRequest;

/**
 * NsFindingOperations:
 * @requests: (element-type NsFindingRequest): the requests
 * @exchanges: (element-type guint): 0-based rows of the requests, and of HTTP of all layers
 * @timed: (element-type guint): 0-based rows without a parent that have phases or a WinHTTP row
 * @failed: (element-type guint): 0-based rows that failed or have an error
 *
 * Lists of operations, all in the order of their rows.
 */
typedef struct
{
  GArray *requests;
  GArray *exchanges;
  GArray *timed;
  GArray *failed;
} NsFindingOperations;

/**
 * NsFindingCalls:
 * @first: the calls of socket s are @rows[@first[s]] … @rows[@first[s + 1] - 1]
 * @rows: rows of calls with a socket, by socket, then in order of the table
 * @n_sends: number of sends by socket
 * @has_sends: the start of a send was recorded
 * @connects: (element-type NsRow): connects with a peer and a result
 * @odd: (element-type NsRow): calls that are out of order
 * @failed: (element-type NsRow): calls with a status other than 0
 *
 * The calls of the sockets of a trace.
 */
typedef struct
{
  guint *first;
  NsRow *rows;
  guint *n_sends;
  gboolean has_sends;
  GArray *connects;
  GArray *odd;
  GArray *failed;
} NsFindingCalls;

/* The state of one run of all rules over a trace. */
struct _NsFindings
{
  const NsTrace *trace;
  const NsFindingRule *rule; /* the current rule */
  GHashTable *groups;        /* of the current rule: (element-type utf8 NsFindingGroup) */
  GPtrArray *blocks;         /* memory blocks of the groups */
  guint n_blocks;            /* number of @blocks in use */
  gsize n_block_bytes;       /* bytes used of the last one in use */
  GPtrArray *large;          /* allocations too large for a block */
  GString *key;              /* scratch buffer for the key of a group */
  GPtrArray *order;          /* the groups, in order of their creation */
  GArray *none;              /* the empty array that groups share as long as a list is empty */
  GHashTable *by_ports;      /* connections by their ports; NULL until needed */
  GHashTable *filters;       /* dropped packets by filter; NULL until needed */
  NsMap *webio;              /* numbers of entries by key and process; NULL until needed */
  GArray *webio_entries;     /* rows by key, see ns_findings_find_webio() */
  GHashTable *last;          /* last requests of URLs; NULL until needed */
  guint32 *heads;            /* events of answers by WinHTTP row; NULL until needed */
  guint32 *summaries;        /* TCPIP summary events by TCP row; NULL until needed */
  const NsFindingCalls *calls;
  GArray *attempts; /* NsAttempt, sorted by process, server and time */
  const NsFindingOperations *operations;
  GArray *ends;           /* aborted connections; NULL until needed */
  NsPacketFacts *packets; /* NULL until needed, or without packets */
  GArray *losses;         /* NsTimeSpan, see ns_findings_list_losses() */
  char *aside;            /* a sentence about what the rule set aside; nullable */
  GArray *rows;           /* NsFindingRow */
};

/* Returns a threshold of this trace, see ns_threshold_get_ns() and ns_threshold_get(). */
static inline gint64
ns_findings_limit_ns (const NsFindings *self, NsThreshold threshold)
{
  return ns_threshold_get_ns (self->trace->thresholds, threshold);
}

static inline guint
ns_findings_limit (const NsFindings *self, NsThreshold threshold)
{
  return ns_threshold_get (self->trace->thresholds, threshold);
}

typedef void (*NsFindingFunc) (NsFindings *self);
/* Reports a finding for a group that the rule has gathered, unless it misses the thresholds. */
typedef void (*NsFindingReportFunc) (NsFindings *self, NsFindingGroup *group);

/**
 * NsFindingRule:
 * @id: number of the rule: "D08"
 * @title: its name, translatable
 * @advice: (nullable): what to try, translatable
 * @evidence: (nullable): what the trace must record, see ns_findings_is_recorded()
 * @find: gathers and reports the findings
 *
 * One rule.
 */
struct _NsFindingRule
{
  const char *id;
  const char *title;
  const char *advice;
  const char *evidence;
  NsFindingFunc find;
};

/* One function for each rule of ns-findings-rules.h. */
#define NS_COUNT_RULE(id, title, advice, evidence, find) +1
#define NS_DECLARE_RULE(id, title, advice, evidence, find) void find (NsFindings *self);
enum
{
  NS_N_FINDING_RULES = 0 NS_FINDING_RULES (NS_COUNT_RULE)
};
NS_FINDING_RULES (NS_DECLARE_RULE)
#undef NS_COUNT_RULE
#undef NS_DECLARE_RULE

/* ns-findings.c */
extern const NsFindingRule ns_finding_rules[NS_N_FINDING_RULES];

/* ns-findings-of.c */
/* The findings of a trace, and the index from operations to rules. */
typedef struct
{
  GArray *rows;      /* NsFindingRow */
  GByteArray *rules; /* rule numbers from 1, per operation; 0 fills unused places */
  guint32 *places;   /* offsets in @rules, by operation */
} NsFindingsKept;

void ns_findings_index (const NsTrace *trace, NsFindingsKept *kept);

/* ns-findings-shares.c */
GArray *ns_findings_share (GArray *owners);

/* ns-findings-recorded.c */
gboolean ns_findings_is_recorded (const NsTrace *trace, const char *evidence, GPtrArray *needs);
void ns_findings_append_layers (GString *layers, const char *more);
void
ns_findings_append_missing_layers (const NsTrace *trace, const char *evidence, GString *layers);

NsFindingGroup *
ns_findings_group (NsFindings *self, guint32 pid, const char *subject, const char *extra);
void ns_findings_add (NsFindingGroup *group,
                      NsTableId table,
                      NsRow row,
                      NsRow activity,
                      gint64 open_ns,
                      gint64 close_ns);
void ns_findings_add_activity (NsFindingGroup *group, NsRow activity);
void ns_findings_add_ref (NsFindingGroup *group, NsTableId table, NsRow row);
void ns_findings_mark (NsFindingGroup *group, guint32 event);
void ns_findings_mark_summary (NsFindings *self, NsFindingGroup *group, NsRow tcp);
void ns_findings_mark_at (const NsFindings *self, NsFindingGroup *group, gint64 time_ns);
void ns_findings_init_verdict (const NsFindings *self, NsFindingRow *row);
void ns_findings_add_unjudged (NsFindings *self, const char *need, const char *text);
void ns_findings_add_moment (NsFindingGroup *group, const NsFindingMoment *moment);
gint ns_findings_compare_moments (gconstpointer a, gconstpointer b);
void ns_findings_sort_moments (NsFindingGroup *group);
void ns_findings_clear_groups (NsFindings *self);
void ns_findings_group_free (gpointer data);
void ns_findings_set_subject (NsFindings *self, NsFindingGroup *group, const char *subject);
char *ns_findings_add_notes (NsFindings *self, char *text);
void ns_findings_report_groups (NsFindings *self, NsFindingReportFunc tell);
gint64 ns_findings_get_cost (const NsFindingGroup *group);
void ns_findings_report (NsFindings *self,
                         NsFindingGroup *group,
                         NsSeverity severity,
                         NsFindingTrust trust,
                         const char *format,
                         ...) G_GNUC_PRINTF (5, 6);

void ns_findings_report_sentence (NsFindings *self,
                                  NsFindingGroup *group,
                                  NsSeverity severity,
                                  NsFindingTrust trust,
                                  const char *sentence,
                                  ...) G_GNUC_NULL_TERMINATED;

/* Phrases for the sentences; (transfer full). */
char *ns_findings_dup_process (const NsFindings *self, const NsFindingGroup *group);
char *ns_findings_dup_span (gint64 span_ns);
char *ns_findings_dup_times (guint32 count);
char *ns_findings_dup_host (const NsFindings *self, NsString server, const NsEndpoint *remote);
guint32 ns_findings_hash_peer (const NsTrace *trace,
                               guint32 pid,
                               NsString server,
                               const NsEndpoint *remote);
char *ns_findings_dup_endpoint (const NsFindings *self, NsString server, const NsEndpoint *remote);
char *ns_findings_dup_path (const char *url);
char *
ns_findings_dup_function (const NsFindings *self, NsStackId stack, guint32 pid, gint64 time_ns);
const char *ns_findings_text (const NsFindings *self, NsString text);

gint64 ns_findings_end (const NsFindings *self, gint64 close_ns);
gint64 ns_findings_connection_rtt (const NsFindings *self, NsRow tcp);
gint64 ns_findings_rtt (const NsFindings *self, const NsActivityRow *activity);
gboolean ns_findings_is_request (const NsActivityRow *activity);
gboolean ns_findings_was_unanswered_at (const NsActivityRow *row, gint64 end_ns);
gboolean ns_findings_gets_in_later (NsFindings *self, const NsActivityRow *row);
void ns_findings_mark_answer (NsFindings *self, NsFindingGroup *group, NsRow activity);
gboolean ns_findings_is_held_back (const NsFindings *self, const NsActivityRow *activity);
gboolean ns_findings_blames_server (const NsFindings *self, const NsDnsRow *dns);
NsRow ns_findings_find_connection (NsFindings *self,
                                   const NsEndpoint *local,
                                   const NsEndpoint *remote,
                                   gint64 time_ns);
NsRow ns_findings_find_webio (NsFindings *self, const NsSign *sign, const NsWebioConn **conn);
NsRow ns_findings_find_wininet (const NsTrace *trace, NsMap *rows, guint *at, const NsSign *sign);
gboolean ns_findings_has_slept (const NsFindings *self, gint64 from_ns, gint64 to_ns);
gboolean ns_findings_is_wpad (const char *name);
gboolean ns_findings_is_wanted_in_vain (const char *path);

/* ns-findings-losses.c */
GArray *ns_findings_list_losses (const NsTrace *trace);
gboolean ns_findings_has_losses (const NsFindings *self, gint64 begin_ns, gint64 end_ns);

/* ns-findings-operations.c */
NsFindingOperations *ns_finding_operations_new (const NsTrace *trace);
void ns_finding_operations_free (NsFindingOperations *self);

/* ns-findings-calls.c */
NsFindingCalls *ns_finding_calls_new (const NsTrace *trace);
void ns_finding_calls_free (NsFindingCalls *self);

/* ns-findings-sieve.c */
NsFindingSieve *ns_finding_sieve_new (guint n_rows);
void ns_finding_sieve_free (NsFindingSieve *self);

/* Returns a hash of both. */
static inline guint32
ns_finding_sieve_mix (guint32 hash, guint32 number)
{
  return (guint32) ((((guint64) number << 32 | hash) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15)) >>
                    32) ^
         hash;
}

static inline void
ns_finding_sieve_add (NsFindingSieve *self, guint32 hash)
{
  guint16 *count = &self->counts[hash & self->mask];

  *count += *count < G_MAXUINT16;
}

/* Returns at least the number of rows with this hash, but no more than %G_MAXUINT16. */
static inline guint
ns_finding_sieve_get (const NsFindingSieve *self, guint32 hash)
{
  return self->counts[hash & self->mask];
}

/* Returns whether a count of a sieve, which is limited, may stand for @n_least or more rows. */
static inline gboolean
ns_finding_sieve_may_be (guint count, guint n_least)
{
  return count >= MIN (n_least, G_MAXUINT16);
}

/* ns-findings-packets.c */
const NsPacketFacts *ns_findings_get_packets (NsFindings *self);
guint *ns_findings_list_conversations (NsFindings *self);
void ns_findings_mark_packet (const NsFindings *self, NsFindingGroup *group, NsRow packet);
void ns_findings_mark_facts (NsFindings *self,
                             NsFindingGroup *const *groups,
                             NsPacketFactKind kind,
                             gboolean is_sent);
void ns_findings_add_alerts (NsFindings *self);
void ns_findings_add_answers (NsFindings *self);
char *ns_findings_dup_alert (guint64 number);

/* ns-findings-layers.c */
/* Suffixes of the group keys for SMB, RPC and QUIC. */
#define NS_FINDINGS_OF_FILES "files"
#define NS_FINDINGS_OF_CALLS "calls"
#define NS_FINDINGS_OF_QUIC "quic"
void ns_findings_add_slow_calls (NsFindings *self);
void ns_findings_add_handshakes (NsFindings *self);
void ns_findings_add_lost_packets (NsFindings *self);
char *ns_findings_dup_filter (NsFindings *self, guint64 filter);
char *ns_findings_dup_filter_layer (NsFindings *self, guint64 filter, guint layer);
guint64 ns_findings_find_filter (const NsFindings *self, NsRow tcp, gint64 time_ns);

/* ns-findings-capture.c */
void ns_findings_report_weak_tls (NsFindings *self);
void ns_findings_report_icmp (NsFindings *self);

/* ns-findings-servers.c */
GHashTable *ns_findings_index_questions (const NsFindings *self);
NsRow ns_findings_find_other_server (const NsFindings *self,
                                     GHashTable *questions,
                                     NsRow dns,
                                     gint64 later_ns);

/* ns-findings-connect.c */
void
ns_findings_mark_attempt (const NsFindings *self, NsFindingGroup *group, const NsAttempt *attempt);

/* ns-finding-attempts.c */
GArray *ns_attempts_new (const NsTrace *trace, const NsFindingCalls *calls);
void ns_attempt_set_key (GString *key, const NsAttempt *attempt);
NsAttemptEnd ns_attempt_end_of (NsCodeFamily family, guint32 status);

/* ns-findings-closed.c: of the rule “A name server did not answer”. */
void ns_find_closed_name_servers (NsFindings *self);

/* Returns whether the name was asked over the network, instead of answered from the cache or the
 * hosts file. */
static inline gboolean
ns_findings_is_asked (const NsDnsRow *dns)
{
  return ns_time_is_set (dns->close_ns) && ns_time_is_set (dns->open_ns) &&
         dns->query > NS_STRING_EMPTY && dns->source != NS_DNS_FROM_CACHE &&
         dns->source != NS_DNS_FROM_HOSTS;
}

/* Returns whether the row is the look-up of a socket, which contains the one that the DNS client
 * makes for it. */
static inline gboolean
ns_findings_is_outer (const NsDnsRow *dns)
{
  return dns->source == NS_DNS_FROM_WINSOCK;
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsFindingSieve, ns_finding_sieve_free)

G_END_DECLS
