/* Card of the trace information that lists the questions a trace can answer, each with its evidence
 * or with what to record.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-questions.h"
#include "ui/ns-accessible.h"
#include "ui/ns-theme.h"
#include "ui/ns-words.h"
#include "ui/sheets/ns-questions-card.h"

#include <glib/gi18n.h>

/* Returns a rounded percentage; 0 and 100 are returned only for none and all. */
static guint
get_percent (const NsQuestion *question)
{
  guint64 all = question->n_all;
  guint64 percent = (100 * (guint64) question->n_answered + all / 2) / all;

  if (question->n_answered == 0 || question->n_answered >= all)
    return question->n_answered == 0 ? 0 : 100;
  return (guint) CLAMP (percent, 1, 99);
}

/* For each question: what to add to a recording that cannot answer it, and the layers of the recipe
 * that record it, or "packets". @layers is empty if the basic recipe is sufficient, NULL if a
 * recording profile does not help. */
static const struct
{
  const char *question;
  const char *add;
  const char *layers;
} words[NS_N_QUESTIONS] = {
  [NS_QUESTION_PROCESS] = { N_ ("Which process did it?"), N_ ("the kernel's Process events"), "" },
  [NS_QUESTION_CODE] = { N_ ("Which code caused it?"), N_ ("stacks of the providers"), "" },
  [NS_QUESTION_QUEUE] = { N_ ("How long was it queued?"),
                          N_ ("the kernel's ThreadPool events"),
                          "" },
  [NS_QUESTION_CONNECT] = { N_ ("How long did connect and TLS take?"),
                            "Microsoft-Windows-WebIO",
                            "http" },
  [NS_QUESTION_REUSE] = { N_ ("Was the connection reused?"), "Microsoft-Windows-WebIO", "http" },
  [NS_QUESTION_STATUS] = { N_ ("Which status came back?"), "Microsoft-Windows-WebIO", "http" },
  [NS_QUESTION_REFUSAL] = { N_ ("Was it refused, reset or timed out?"),
                            "Microsoft-Windows-TCPIP",
                            "connections" },
  [NS_QUESTION_DNS] = { N_ ("How long did DNS take?"), "Microsoft-Windows-DNS-Client", "names" },
  [NS_QUESTION_LDAP] = { N_ ("Which LDAP search ran?"), "Microsoft-Windows-LDAP-Client", "ldap" },
  [NS_QUESTION_BROWSER] = { N_ ("What did Edge and WebView2 do?"),
                            N_ ("the category netlog"),
                            "browsers" },
  [NS_QUESTION_LOSSES] = { N_ ("Is the trace complete?"), N_ ("more or larger buffers"), NULL },
  [NS_QUESTION_MODULES] = { N_ ("Are all function names known?"),
                            N_ ("merge on the same computer"),
                            NULL },
  [NS_QUESTION_PACKETS] = { N_ ("What did the packets contain?"),
                            N_ ("pktmon or ndiscap"),
                            "packets" },
  [NS_QUESTION_PROCESSOR] = { N_ ("Was the computer busy?"), N_ ("thread switches"), "processor" },
};

/* Margin of the first and last column; the separators extend to the edges. */
#define EDGE_PX 12

/* Describes the evidence for an answer. */
static char *
describe (NsQuestionId id, const NsQuestion *question)
{
  g_autofree char *n_answered = ns_words_count (question->n_answered);
  g_autofree char *n_all = ns_words_count (question->n_all);
  g_autofree char *n_missing = ns_words_count (question->n_missing);
  guint n_damaged = (guint) question->n_damaged;

  switch (id)
    {
    case NS_QUESTION_LOSSES:
      if (question->n_answered > 0)
        return g_strdup_printf (ngettext ("%s lost", "%s lost", question->n_answered), n_answered);
      if (question->is_cut)
        return g_strdup (_ ("the file is cut off"));
      if (question->n_damaged > 0)
        return g_strdup_printf (ngettext ("%u damaged place", "%u damaged places", n_damaged),
                                n_damaged);
      if (question->n_missing > 0)
        return g_strdup_printf (ngettext ("%s buffer missing",
                                          "%s buffers missing",
                                          (gulong) question->n_missing),
                                n_missing);
      return g_strdup (_ ("nothing was lost"));
    case NS_QUESTION_MODULES:
      if (question->n_all == 0)
        return g_strdup (_ ("no modules"));
      return g_strdup_printf (_ ("%s of %s modules"), n_answered, n_all);
    case NS_QUESTION_PROCESSOR:
      if (question->n_all == 0)
        return g_strdup (_ ("not recorded"));
      return g_strdup_printf (ngettext ("%s thread", "%s threads", (gulong) question->n_all),
                              n_all);
    case NS_QUESTION_PROCESS:
    case NS_QUESTION_CODE:
    case NS_QUESTION_CONNECT:
    case NS_QUESTION_REUSE:
    case NS_QUESTION_STATUS:
      if (question->n_all == 0)
        return g_strdup (_ ("no such rows"));
      return g_strdup_printf (_ ("%u %% of %s rows"), get_percent (question), n_all);
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

  gtk_image_set_pixel_size (GTK_IMAGE (mark), (int) (14 * ns_theme_get_scale ()));
  gtk_widget_add_css_class (mark, styles[answer]);
  ns_accessible_set_name (GTK_WIDGET (mark), _ (names[answer]));
  return mark;
}

/* Returns a link to the recipe that records the missing events, or to the help if there is none. */
static GtkWidget *
link_new (NsQuestionId id)
{
  GtkWidget *label = gtk_label_new (_ (words[id].add));
  GtkWidget *link = gtk_button_new ();

  gtk_label_set_xalign (GTK_LABEL (label), 1);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_button_set_child (GTK_BUTTON (link), label);
  gtk_widget_add_css_class (link, "inline-link");
  gtk_widget_set_valign (link, GTK_ALIGN_CENTER);
  gtk_widget_set_margin_end (link, EDGE_PX);
  gtk_widget_set_tooltip_text (
      link,
      words[id].layers != NULL
          ? _ ("Choose what to record, and create a profile or commands for it")
          : _ ("How to record it"));
  ns_accessible_set_name (link, _ (words[id].add));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (link),
                                  words[id].layers != NULL ? "win.recipe" : "app.help-page");
  gtk_actionable_set_action_target (GTK_ACTIONABLE (link),
                                    "s",
                                    words[id].layers != NULL ? words[id].layers : "record");
  return link;
}

static void
add_question (GtkGrid *grid, int line, NsQuestionId id, const NsQuestion *question, GString *report)
{
  g_autofree char *note = describe (id, question);
  const char *title = _ (words[id].question);
  GtkWidget *text = label_new (note, "dim");
  GtkWidget *mark = mark_new (question->answer);

  gtk_widget_set_hexpand (text, TRUE);
  if (line > 0)
    gtk_grid_attach (grid, gtk_separator_new (GTK_ORIENTATION_HORIZONTAL), 0, 2 * line - 1, 4, 1);
  gtk_widget_set_margin_start (mark, EDGE_PX);
  gtk_grid_attach (grid, mark, 0, 2 * line, 1, 1);
  gtk_grid_attach (grid, label_new (title, NULL), 1, 2 * line, 1, 1);
  gtk_grid_attach (grid, text, 2, 2 * line, 1, 1);
  if (question->answer != NS_ANSWER_YES)
    gtk_grid_attach (grid, link_new (id), 3, 2 * line, 1, 1);
  g_string_append_printf (report, "%s %s", title, note);
  if (question->answer != NS_ANSWER_YES)
    g_string_append_printf (report, " (%s)", _ (words[id].add));
  g_string_append_c (report, '\n');
}

/* Adds a text to a list unless the list already contains it. */
static void
add_to_list (GPtrArray *list, const char *text)
{
  if (*text != '\0' && !g_ptr_array_find_with_equal_func (list, text, g_str_equal, NULL))
    g_ptr_array_add (list, (gpointer) text);
}

static char *
join_list (GPtrArray *list, const char *separator)
{
  g_ptr_array_add (list, NULL);
  return g_strjoinv (separator, (char **) list->pdata);
}

/**
 * ns_questions_card_fill:
 * @grid: an empty grid
 * @trace: a trace
 * @report: the string to append the list to, as plain text
 * @adds: (out): what a profile should record for the unanswered questions
 * @layers: (out): the layers of the recipe that record it
 *
 * Lists the questions that a trace can answer, and what to record for those that it cannot: first
 * the answered ones, then the partly answered ones, then the rest.
 *
 * Returns: (transfer full): a sentence with the number of questions of each kind
 */
char *
ns_questions_card_fill (GtkGrid *grid,
                        const NsTrace *trace,
                        GString *report,
                        char **adds,
                        char **layers)
{
  NsQuestion questions[NS_N_QUESTIONS];
  guint n_answers[NS_ANSWER_YES + 1] = { 0 };
  g_autoptr (GPtrArray) all_adds = g_ptr_array_new ();
  g_autoptr (GPtrArray) all_layers = g_ptr_array_new ();
  int line = 0;
  int answer;
  guint i;

  ns_questions_ask (trace, questions);
  for (answer = NS_ANSWER_YES; answer >= NS_ANSWER_NO; answer--)
    for (i = 0; i < NS_N_QUESTIONS; i++)
      {
        if ((int) questions[i].answer != answer)
          continue;
        n_answers[answer]++;
        add_question (grid, line++, (NsQuestionId) i, &questions[i], report);
        if (answer == NS_ANSWER_YES)
          continue;
        /* Packets need other recording tools than a profile. */
        if (words[i].layers == NULL || i == NS_QUESTION_PACKETS)
          continue;
        add_to_list (all_adds, _ (words[i].add));
        add_to_list (all_layers, words[i].layers);
      }
  *adds = join_list (all_adds, ", ");
  *layers = join_list (all_layers, ",");
  /* Translators: three numbers of questions. */
  return g_strdup_printf (ngettext ("%u question can be answered, %u in part, %u not.",
                                    "%u questions can be answered, %u in part, %u not.",
                                    n_answers[NS_ANSWER_YES]),
                          n_answers[NS_ANSWER_YES],
                          n_answers[NS_ANSWER_PART],
                          n_answers[NS_ANSWER_NO]);
}
