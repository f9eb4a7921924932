/* Determines which questions a trace can answer, and what a recording lacks for the others.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "query/ns-fields.h"

G_BEGIN_DECLS

typedef enum
{
  NS_QUESTION_PROCESS,
  NS_QUESTION_CODE,
  NS_QUESTION_QUEUE,
  NS_QUESTION_CONNECT,
  NS_QUESTION_REUSE,
  NS_QUESTION_STATUS,
  NS_QUESTION_REFUSAL,
  NS_QUESTION_DNS,
  NS_QUESTION_LDAP,
  NS_QUESTION_BROWSER,
  NS_QUESTION_LOSSES,
  NS_QUESTION_MODULES,
  NS_QUESTION_PACKETS,
  NS_QUESTION_PROCESSOR,
  NS_N_QUESTIONS,
} NsQuestionId;

typedef enum
{
  NS_ANSWER_NO,
  NS_ANSWER_PART,
  NS_ANSWER_YES,
} NsAnswer;

/**
 * NsQuestion:
 * @answer: whether the trace answers it
 * @n_answered: number of rows with an answer, or of lost events
 * @n_all: number of rows
 * @n_missing: number of buffers missing in the file that the session is not known to have lost
 * @is_cut: the file ends before its last buffer does
 * @n_damaged: number of damaged positions in the file
 *
 * How a trace answers one question.
 */
typedef struct
{
  NsAnswer answer;
  guint64 n_answered;
  guint64 n_all;
  guint64 n_missing;
  gboolean is_cut;
  guint64 n_damaged;
} NsQuestion;

void ns_questions_ask (const NsTrace *trace, NsQuestion questions[NS_N_QUESTIONS]);

G_END_DECLS
