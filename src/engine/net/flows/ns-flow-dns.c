/* DNS queries and responses in captured packets.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/net/flows/ns-flow-dns.h"

#include "wire/ns-wire-dns.h"

/* Maximum number of pending queries per conversation; beyond it the oldest gets no response. */
#define MAX_ASKED 256
/* Maximum number of queries per trace, limited by row numbers. */
#define MAX_QUESTIONS (G_MAXUINT32 / 4)

#define FLAG_TRUNCATED 0x0200
/* Error codes of the DNS client (winerror.h). */
#define DNS_ERROR_RCODE 9000
#define DNS_INFO_NO_RECORDS 9501

static void
clear_question (gpointer data)
{
  NsFlowQuestion *question = data;

  g_clear_pointer (&question->ips, g_array_unref);
  g_clear_pointer (&question->aliases, g_array_unref);
}

/**
 * ns_flow_questions_new: (skip)
 *
 * Returns: (transfer full) (element-type NsFlowQuestion): an empty array
 */
GArray *
ns_flow_questions_new (void)
{
  GArray *questions = g_array_new (FALSE, TRUE, sizeof (NsFlowQuestion));

  g_array_set_clear_func (questions, clear_question);
  return questions;
}

/**
 * ns_flow_asked_clear: (skip)
 * @self: pending queries of a conversation
 *
 * Frees its memory.
 */
void
ns_flow_asked_clear (NsFlowAsked *self)
{
  g_clear_pointer (&self->places, g_array_unref);
}

/* Returns the newest pending query with the same question; 1-based. */
static guint
find_question (const GArray *questions,
               const NsFlowAsked *asked,
               const NsTrace *trace,
               const NsWireDns *dns)
{
  guint i;

  for (i = asked->places != NULL ? asked->places->len : 0; i > 0; i--)
    {
      guint place = g_array_index (asked->places, guint32, i - 1);
      const NsFlowQuestion *question = &g_array_index (questions, NsFlowQuestion, place - 1);

      if (question->id == dns->id && question->type == dns->type &&
          g_ascii_strcasecmp (ns_trace_text (trace, question->name), dns->name) == 0)
        return place;
    }
  return 0;
}

static NsFlowQuestion *
add_question (GArray *questions,
              NsFlowAsked *asked,
              NsTrace *trace,
              const NsWireDns *dns,
              const NsFlowMessage *message)
{
  NsFlowQuestion question = { .name = ns_strings_add (trace->strings, dns->name),
                              .open_ns = NS_TIME_NONE,
                              .last_ns = message->time_ns,
                              .close_ns = NS_TIME_NONE,
                              .flow = message->flow,
                              .type = dns->type,
                              .id = dns->id,
                              .is_tcp = message->is_tcp != FALSE };
  guint32 place;

  if (questions->len >= MAX_QUESTIONS)
    return NULL;
  g_array_append_val (questions, question);
  place = questions->len;
  if (asked->places == NULL)
    asked->places = g_array_new (FALSE, FALSE, sizeof place);
  if (asked->places->len >= MAX_ASKED)
    g_array_remove_range (asked->places, 0, MAX_ASKED / 2);
  g_array_append_val (asked->places, place);
  asked->n_asked++;
  return &g_array_index (questions, NsFlowQuestion, place - 1);
}

/* Reads a response, unless it is truncated: missing addresses would look like an empty result. */
static void
read_answer (NsFlowQuestion *question,
             NsTrace *trace,
             const NsWireDns *dns,
             const NsFlowMessage *message)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GArray) ips = g_array_new (FALSE, FALSE, sizeof (NsIp));
  g_autoptr (GArray) aliases = g_array_new (FALSE, FALSE, sizeof (NsString));
  gboolean has_type;
  guint i;

  question->close_ns = message->time_ns;
  question->rcode = dns->rcode;
  question->received = (guint32) message->size;
  question->is_cut = (dns->flags & FLAG_TRUNCATED) != 0;
  question->status = dns->rcode != 0 ? DNS_ERROR_RCODE + dns->rcode : 0;
  if (!ns_wire_dns_read_answers (dns, message->data, message->captured, ips, names, &has_type))
    return;
  if (question->status == 0 && !has_type && !question->is_cut)
    question->status = DNS_INFO_NO_RECORDS;
  for (i = 0; i < names->len; i++)
    {
      NsString alias = ns_strings_add (trace->strings, g_ptr_array_index (names, i));

      g_array_append_val (aliases, alias);
    }
  if (ips->len > 0)
    question->ips = g_steal_pointer (&ips);
  if (aliases->len > 0)
    question->aliases = g_steal_pointer (&aliases);
}

/**
 * ns_flow_questions_add: (skip)
 * @questions: (element-type NsFlowQuestion): queries of the trace
 * @asked: pending queries of the message's conversation
 * @trace: the trace that owns the texts
 * @message: a message, untrusted, possibly truncated
 *
 * A retransmitted query is the same query; the first response counts.
 */
void
ns_flow_questions_add (GArray *questions,
                       NsFlowAsked *asked,
                       NsTrace *trace,
                       const NsFlowMessage *message)
{
  NsFlowQuestion *question = NULL;
  NsWireDns dns;
  guint place;

  if (!ns_wire_dns_parse (&dns, message->data, message->captured))
    return;
  place = find_question (questions, asked, trace, &dns);
  if (place != 0)
    question = &g_array_index (questions, NsFlowQuestion, place - 1);
  if (question == NULL || (!dns.is_answer && question->close_ns != NS_TIME_NONE))
    question = add_question (questions, asked, trace, &dns, message);
  if (question == NULL)
    return;
  if (dns.is_answer)
    {
      if (question->close_ns == NS_TIME_NONE)
        read_answer (question, trace, &dns, message);
      return;
    }
  question->last_ns = message->time_ns;
  if (question->open_ns == NS_TIME_NONE)
    {
      question->open_ns = message->time_ns;
      question->sent = (guint32) message->size;
    }
  else
    question->n_retries++;
}
