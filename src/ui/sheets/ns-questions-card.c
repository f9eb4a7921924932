/* The questions a trace can answer, as a list: each with what it stands on, or what to record.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-questions.h"
#include "ui/ns-words.h"
#include "ui/sheets/ns-questions-card.h"

#include <glib/gi18n.h>

/* In the order of their numbers; what to add to a recording that does not answer them. */
static const struct
{
  const char *question;
  const char *add;
} words[NS_N_QUESTIONS] = {
  [NS_QUESTION_PROCESS] = { N_ ("Which process did it?"), N_ ("the kernel's Process events") },
  [NS_QUESTION_CODE] = { N_ ("Which code caused it?"), N_ ("stacks of the providers") },
  [NS_QUESTION_QUEUE] = { N_ ("How long was it queued?"), N_ ("the kernel's ThreadPool events") },
  [NS_QUESTION_CONNECT] = { N_ ("How long did connect and TLS take?"), "Microsoft-Windows-WebIO" },
  [NS_QUESTION_REUSE] = { N_ ("Was the connection reused?"), "Microsoft-Windows-WebIO" },
  [NS_QUESTION_STATUS] = { N_ ("Which status came back?"), "Microsoft-Windows-WebIO" },
  [NS_QUESTION_REFUSAL] = { N_ ("Was it refused, reset or timed out?"), "Microsoft-Windows-TCPIP" },
  [NS_QUESTION_DNS] = { N_ ("How long did DNS take?"), "Microsoft-Windows-DNS-Client" },
  [NS_QUESTION_LDAP] = { N_ ("Which LDAP search ran?"), "Microsoft-Windows-LDAP-Client" },
  [NS_QUESTION_BROWSER] = { N_ ("What did Edge and WebView2 do?"), N_ ("the category netlog") },
  [NS_QUESTION_LOSSES] = { N_ ("Is all of it there?"), N_ ("more or larger buffers") },
  [NS_QUESTION_MODULES] = { N_ ("Are all names of code known?"),
                            N_ ("merge on the same computer") },
  [NS_QUESTION_PACKETS] = { N_ ("What stood in the packets?"), N_ ("pktmon or ndiscap") },
};

/* What the answer stands on. */
static char *
describe (NsQuestionId id, const NsQuestion *question)
{
  g_autofree char *n_told = ns_words_count (question->n_told);
  g_autofree char *n_all = ns_words_count (question->n_all);

  switch (id)
    {
    case NS_QUESTION_LOSSES:
      return question->n_told == 0 ? g_strdup (_ ("nothing was lost"))
                                   : g_strdup_printf (_ ("%s lost"), n_told);
    case NS_QUESTION_MODULES:
      if (question->n_all == 0)
        return g_strdup (_ ("no modules"));
      return g_strdup_printf (_ ("%s of %s modules"), n_told, n_all);
    case NS_QUESTION_PROCESS:
    case NS_QUESTION_CODE:
    case NS_QUESTION_CONNECT:
    case NS_QUESTION_REUSE:
    case NS_QUESTION_STATUS:
      if (question->n_all == 0)
        return g_strdup (_ ("no such rows"));
      return g_strdup_printf (_ ("%u %% of %s rows"),
                              (guint) (100 * question->n_told / question->n_all),
                              n_all);
    default:
      if (question->n_all == 0)
        return g_strdup (_ ("not recorded"));
      return g_strdup_printf (ngettext ("%s row", "%s rows", (gulong) question->n_all), n_all);
    }
}

static GtkWidget *
label_new (const char *text, const char *style)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  if (style != NULL)
    gtk_widget_add_css_class (label, style);
  return label;
}

static GtkWidget *
mark_new (NsAnswer answer)
{
  static const char *const icons[] = { "window-close-symbolic",
                                       "dialog-warning-symbolic",
                                       "object-select-symbolic" };
  static const char *const styles[] = { "failure", "warning-text", "ok-mark" };
  static const char *const names[] = { N_ ("no"), N_ ("in part"), N_ ("yes") };
  GtkWidget *mark = gtk_image_new_from_icon_name (icons[answer]);

  gtk_image_set_pixel_size (GTK_IMAGE (mark), 14);
  gtk_widget_add_css_class (mark, styles[answer]);
  gtk_accessible_update_property (GTK_ACCESSIBLE (mark),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ (names[answer]),
                                  -1);
  return mark;
}

static void
add_question (GtkGrid *grid, NsQuestionId id, const NsQuestion *question, GString *report)
{
  g_autofree char *note = describe (id, question);
  const char *title = _ (words[id].question);
  GtkWidget *add = label_new (_ (words[id].add), "dim");
  GtkWidget *text = label_new (note, "dim");

  gtk_widget_set_hexpand (text, TRUE);
  gtk_label_set_xalign (GTK_LABEL (add), 1);
  gtk_label_set_justify (GTK_LABEL (add), GTK_JUSTIFY_RIGHT);
  gtk_grid_attach (grid, mark_new (question->answer), 0, (int) id, 1, 1);
  gtk_grid_attach (grid, label_new (title, NULL), 1, (int) id, 1, 1);
  gtk_grid_attach (grid, text, 2, (int) id, 1, 1);
  if (question->answer != NS_ANSWER_YES)
    gtk_grid_attach (grid, add, 3, (int) id, 1, 1);
  g_string_append_printf (report, "%s %s", title, note);
  if (question->answer != NS_ANSWER_YES)
    g_string_append_printf (report, " (%s)", _ (words[id].add));
  g_string_append_c (report, '\n');
}

/**
 * ns_questions_card_fill:
 * @grid: an empty grid
 * @trace: a trace
 * @report: gets the same as text
 *
 * Lists which questions a trace can answer, and what to record for those it cannot.
 *
 * Returns: (transfer full): how many of each there are, in a sentence
 */
char *
ns_questions_card_fill (GtkGrid *grid, const NsTrace *trace, GString *report)
{
  NsQuestion questions[NS_N_QUESTIONS];
  guint n_answers[NS_ANSWER_YES + 1] = { 0 };
  guint i;

  ns_questions_ask (trace, questions);
  for (i = 0; i < NS_N_QUESTIONS; i++)
    {
      n_answers[questions[i].answer]++;
      add_question (grid, (NsQuestionId) i, &questions[i], report);
    }
  /* Translators: three numbers of questions. */
  return g_strdup_printf (_ ("%u questions can be answered, %u in part, %u not."),
                          n_answers[NS_ANSWER_YES],
                          n_answers[NS_ANSWER_PART],
                          n_answers[NS_ANSWER_NO]);
}
