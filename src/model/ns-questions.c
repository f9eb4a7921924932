/* Determines which questions a trace can answer, and what a recording lacks for the others.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-map.h"
#include "engine/activities/ns-activity-below.h"
#include "engine/system/ns-sched.h"
#include "engine/trace/ns-embedded-labels.h"
#include "model/ns-damage.h"
#include "model/ns-questions.h"

#include <string.h>

/* Minimum percentage of rows with an answer; below it, a question is answered in part. */
#define WELL_PERCENT 90

static void
judge (NsQuestion *question, guint64 n_answered, guint64 n_all)
{
  question->n_answered = n_answered;
  question->n_all = n_all;
  if (n_answered == 0)
    question->answer = NS_ANSWER_NO;
  else if (n_answered * 100 < n_all * WELL_PERCENT)
    question->answer = NS_ANSWER_PART;
  else
    question->answer = NS_ANSWER_YES;
}

/* Judges a question by whether a table has rows. */
static void
judge_table (NsQuestion *question, const GArray *table)
{
  judge (question, table->len, table->len);
}

static gboolean
is_web (const NsActivityRow *row)
{
  return (row->layers &
          (NS_LAYER_WINHTTP | NS_LAYER_WININET | NS_LAYER_DOTNET | NS_LAYER_CHROMIUM)) != 0 &&
         row->parent == 0;
}

/* Requests of which the trace can hold a status: of clients, of a web server, and in packets. */
static gboolean
can_have_status (const NsActivityRow *row)
{
  return is_web (row) ||
         ((row->layers & (NS_LAYER_HTTP_SERVER | NS_LAYER_HTTP)) != 0 && row->parent == 0);
}

static void
ask_activities (const NsTrace *trace, NsQuestion *questions)
{
  guint n_process = 0;
  guint n_code = 0;
  guint n_web = 0;
  guint n_connect = 0;
  guint n_reuse = 0;
  guint n_status = 0;
  guint n_requests = 0;
  guint i;

  for (i = 0; i < trace->activities->len; i++)
    {
      const NsActivityRow *row = &g_array_index (trace->activities, NsActivityRow, i);

      n_process += row->pid != NS_PID_UNKNOWN;
      n_code += ns_activity_count_stacks (trace, row) > 0;
      if (can_have_status (row))
        {
          n_requests++;
          n_status += row->http_status != 0 || row->failed;
        }
      if (!is_web (row))
        continue;
      n_web++;
      n_connect +=
          ns_activity_row_get_phase (row, NS_PHASE_CONNECT) != NS_UNKNOWN || row->reused == 1;
      n_reuse += row->reused >= 0;
    }
  judge (&questions[NS_QUESTION_PROCESS], n_process, trace->activities->len);
  judge (&questions[NS_QUESTION_CODE], n_code, trace->activities->len);
  judge (&questions[NS_QUESTION_CONNECT], n_connect, n_web);
  judge (&questions[NS_QUESTION_REUSE], n_reuse, n_web);
  judge (&questions[NS_QUESTION_STATUS], n_status, n_requests);
}

/* Counts name resolutions answered by the network, the cache or the hosts file; others are only
 * mentioned by other components. */
static void
ask_dns (const NsTrace *trace, NsQuestion *question)
{
  guint n_asked = 0;
  guint i;

  for (i = 0; i < trace->dns->len; i++)
    {
      const NsDnsRow *row = &g_array_index (trace->dns, NsDnsRow, i);

      n_asked += row->source == NS_DNS_FROM_NETWORK || row->source == NS_DNS_FROM_CACHE ||
                 row->source == NS_DNS_FROM_HOSTS;
    }
  question->n_answered = n_asked;
  question->n_all = trace->dns->len;
  question->answer = n_asked > 0           ? NS_ANSWER_YES
                     : trace->dns->len > 0 ? NS_ANSWER_PART
                                           : NS_ANSWER_NO;
}

static void
ask_losses (const NsTrace *trace, NsQuestion *question)
{
  g_autoptr (NsDamage) damage = ns_damage_look (trace);
  const NsMissing *missing = &damage->missing;
  guint64 n_lost = MAX (missing->n_events, missing->n_buffers);

  question->n_answered = n_lost;
  question->n_all = trace->n_records + n_lost;
  question->n_missing = ns_missing_has_gaps (missing) ? missing->n_gap_buffers : 0;
  question->is_cut = damage->is_cut;
  question->n_damaged = damage->is_damaged && !damage->is_whole ? damage->n_places : 0;
  question->answer =
      n_lost == 0 && question->n_missing == 0 && !question->is_cut && question->n_damaged == 0
          ? NS_ANSWER_YES
          : NS_ANSWER_PART;
}

/* Counts modules once, in however many processes they are loaded. */
static void
ask_modules (const NsTrace *trace, NsQuestion *question)
{
  g_autoptr (NsMap) met = ns_map_new ();
  guint n_known = 0;
  guint i;

  for (i = 0; i < trace->images->len; i++)
    {
      const NsImageRow *image = &g_array_index (trace->images, NsImageRow, i);
      guint64 file = image->path != NS_STRING_NONE ? image->path : image->name;
      guint64 build = ns_guid_low (&image->guid) ^ ns_guid_high (&image->guid) ^ image->timestamp;

      if (ns_map_swap (met, file, build, 1) == 0)
        n_known += image->has_guid || ns_embedded_labels_count_image (trace, i + 1) > 0;
    }
  judge (question, n_known, ns_map_get_size (met));
  /* Modules without symbol information answer the question in part. */
  if (n_known == 0 && trace->images->len > 0)
    question->answer = NS_ANSWER_PART;
}

/**
 * ns_questions_ask:
 * @trace: an opened trace
 * @questions: (out): for each question whether the trace answers it
 *
 * Determines which questions a trace can answer.
 */
void
ns_questions_ask (const NsTrace *trace, NsQuestion questions[NS_N_QUESTIONS])
{
  g_return_if_fail (trace != NULL);

  ask_activities (trace, questions);
  judge_table (&questions[NS_QUESTION_QUEUE], trace->tasks);
  judge (&questions[NS_QUESTION_REFUSAL],
         trace->tcp->len + trace->winsock->len,
         trace->tcp->len + trace->winsock->len);
  ask_dns (trace, &questions[NS_QUESTION_DNS]);
  judge_table (&questions[NS_QUESTION_LDAP], trace->ldap);
  judge_table (&questions[NS_QUESTION_BROWSER], trace->chromium);
  ask_losses (trace, &questions[NS_QUESTION_LOSSES]);
  ask_modules (trace, &questions[NS_QUESTION_MODULES]);
  judge_table (&questions[NS_QUESTION_PACKETS], trace->packets);
  /* Thread activity is read on demand; whether it was recorded is known before. */
  judge (&questions[NS_QUESTION_PROCESSOR],
         ns_sched_has_states (trace) ? trace->threads->len : 0,
         ns_sched_has_states (trace) ? trace->threads->len : 0);
}
