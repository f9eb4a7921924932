/* Finds a trace of another machine and pairs the requests that both machines recorded.
 *
 * Candidates are traces opened together with this one as files of one case, and other open traces
 * with connections between the same endpoints. Pairing runs in a thread once both are loaded and
 * this trace is visible, so it does not delay opening.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-other-machine.h"

#include "model/ns-pair-probe.h"
#include "model/ns-signal.h"

#include <string.h>

struct _NsOtherMachine
{
  GObject parent_instance;

  NsOpening *opening;
  NsCaseFiles *files;  /* of this trace */
  NsSession *session;  /* (nullable): of this trace */
  GPtrArray *machines; /* (element-type GFile): traces opened together with this one */
  GPtrArray *tried;    /* (element-type GFile): traces without common requests */
  GPtrArray *common;   /* (element-type GFile): unrelated traces with common connections */
  NsPairing *pairing;  /* (nullable): finished or running */
  GFile *file;         /* (nullable): the other machine's trace */
  GCancellable *job;   /* (nullable): the running pairing */
  GCancellable *probe; /* (nullable): the running search for common connections */
  gboolean is_of_case; /* the other trace was opened together with this one, or was chosen by the
                        * user */
  gboolean is_asked;   /* the result was requested */
  gboolean is_chosen;  /* the user chose this trace */
  gboolean is_active;  /* this trace is visible */
  guint look_id;
};

enum
{
  SIGNAL_LIST,
  SIGNAL_SHOWN,
  SIGNAL_CHANGED,
  SIGNAL_MESSAGE,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (NsOtherMachine, ns_other_machine, G_TYPE_OBJECT)

static GFile *
get_file (NsOtherMachine *self)
{
  return ns_case_files_get_first (self->files);
}

/* Returns the trace once it is completely loaded; (nullable). */
static NsTrace *
get_trace (NsOtherMachine *self)
{
  return self->session != NULL && !ns_opening_is_busy (self->opening)
             ? ns_session_get_trace (self->session)
             : NULL;
}

/**
 * ns_other_machine_get_pairs:
 * @self: an other machine
 *
 * Returns: (transfer none) (nullable): the requests recorded by both, once they are paired
 */
const NsPairs *
ns_other_machine_get_pairs (NsOtherMachine *self)
{
  g_return_val_if_fail (NS_IS_OTHER_MACHINE (self), NULL);

  return self->pairing != NULL ? ns_pairing_get_pairs (self->pairing) : NULL;
}

static gboolean
has_file (GPtrArray *files, GFile *file)
{
  return g_ptr_array_find_with_equal_func (files, file, (GEqualFunc) g_file_equal, NULL);
}

static void
changed (NsOtherMachine *self)
{
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
}

static void
show (NsOtherMachine *self, NsPairing *pairing, gboolean is_asked)
{
  g_signal_emit (self, signals[SIGNAL_SHOWN], 0, pairing, is_asked);
}

static void
stop_probe (NsOtherMachine *self)
{
  g_cancellable_cancel (self->probe);
  g_clear_object (&self->probe);
}

static void
stop (NsOtherMachine *self)
{
  stop_probe (self);
  g_cancellable_cancel (self->job);
  g_clear_object (&self->job);
  g_clear_handle_id (&self->look_id, g_source_remove);
}

static void
forget (NsOtherMachine *self)
{
  stop (self);
  show (self, NULL, FALSE);
  g_clear_object (&self->pairing);
  g_clear_object (&self->file);
  self->is_of_case = FALSE;
  self->is_asked = FALSE;
  self->is_chosen = FALSE;
  changed (self);
}

/* Lists the instances of all other loaded traces; (transfer container) (element-type
 * NsOtherMachine). */
static GPtrArray *
list_others (NsOtherMachine *self)
{
  g_autoptr (GPtrArray) all = NULL;
  GPtrArray *others = g_ptr_array_new ();
  guint i;

  g_signal_emit (self, signals[SIGNAL_LIST], 0, &all);
  for (i = 0; all != NULL && i < all->len; i++)
    {
      NsOtherMachine *other = g_ptr_array_index (all, i);

      if (other != self && get_trace (other) != NULL && get_file (other) != NULL &&
          !g_file_equal (get_file (other), get_file (self)))
        g_ptr_array_add (others, other);
    }
  return others;
}

static NsOtherMachine *
find_other (NsOtherMachine *self, GFile *file)
{
  g_autoptr (GPtrArray) others = list_others (self);
  guint i;

  for (i = 0; i < others->len; i++)
    if (g_file_equal (get_file (g_ptr_array_index (others, i)), file))
      return g_ptr_array_index (others, i);
  return NULL;
}

static gboolean
is_of_case (NsOtherMachine *self, NsOtherMachine *other)
{
  return has_file (self->machines, get_file (other)) || has_file (other->machines, get_file (self));
}

/* Returns the next candidate that was not tried, with those opened together first. */
static NsOtherMachine *
find_next (NsOtherMachine *self)
{
  g_autoptr (GPtrArray) others = list_others (self);
  guint round;
  guint i;

  for (round = 0; round < 2; round++)
    for (i = 0; i < others->len; i++)
      {
        NsOtherMachine *other = g_ptr_array_index (others, i);

        if (is_of_case (self, other) == (round == 0) && !has_file (self->tried, get_file (other)) &&
            ns_pairs_check (get_trace (self), get_trace (other), NULL))
          return other;
      }
  return NULL;
}

static void
choice_clear (gpointer data)
{
  NsMachineChoice *choice = data;

  g_free (choice->name);
  g_object_unref (choice->file);
}

static int
compare_choices (gconstpointer a, gconstpointer b)
{
  const NsMachineChoice *one = a;
  const NsMachineChoice *other = b;
  g_autofree char *one_uri = g_file_get_uri (one->file);
  g_autofree char *other_uri = g_file_get_uri (other->file);
  int by_name = g_utf8_collate (one->name, other->name);

  return by_name != 0 ? by_name : strcmp (one_uri, other_uri);
}

/**
 * ns_other_machine_list_choices:
 * @self: an other machine
 *
 * Returns: (transfer full) (element-type NsMachineChoice): the traces it can be paired with, by
 *   name, including the currently paired one even if it was closed
 */
GArray *
ns_other_machine_list_choices (NsOtherMachine *self)
{
  g_autoptr (GPtrArray) others = list_others (self);
  GArray *choices = g_array_new (FALSE, FALSE, sizeof (NsMachineChoice));
  gboolean is_there = FALSE;
  guint i;

  g_array_set_clear_func (choices, choice_clear);
  for (i = 0; i < others->len; i++)
    {
      NsOtherMachine *other = g_ptr_array_index (others, i);
      gboolean is_paired = self->file != NULL && g_file_equal (self->file, get_file (other));

      is_there = is_there || is_paired;
      if (is_paired || ((is_of_case (self, other) || has_file (self->common, get_file (other))) &&
                        ns_pairs_check (get_trace (self), get_trace (other), NULL)))
        {
          NsMachineChoice choice = { ns_pairs_dup_machine (get_trace (other)),
                                     g_object_ref (get_file (other)) };

          g_array_append_val (choices, choice);
        }
    }
  if (!is_there && ns_other_machine_get_pairs (self) != NULL)
    {
      NsMachineChoice choice = { ns_pairing_dup_machine (self->pairing, 1),
                                 g_object_ref (self->file) };

      g_array_append_val (choices, choice);
    }
  g_array_sort (choices, compare_choices);
  return choices;
}

/* Adds the traces with common connections that are still open. */
static void
probed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (NsOtherMachine) self = user_data;
  g_autoptr (GPtrArray) found = ns_pair_probe_finish (result, NULL);
  g_autoptr (GPtrArray) others = NULL;
  guint i;

  if (found == NULL || self->opening == NULL)
    return;
  g_clear_object (&self->probe);
  others = list_others (self);
  for (i = 0; i < others->len; i++)
    {
      NsOtherMachine *other = g_ptr_array_index (others, i);

      if (g_ptr_array_find (found, get_trace (other), NULL) &&
          !has_file (self->common, get_file (other)))
        g_ptr_array_add (self->common, g_object_ref (get_file (other)));
    }
  changed (self);
}

/* Searches the open traces that were not opened together with this one for common connections. */
static void
look_for_common (NsOtherMachine *self)
{
  NsTrace *trace = get_trace (self);
  g_autoptr (GPtrArray) others = list_others (self);
  g_autoptr (GPtrArray) traces = g_ptr_array_new ();
  guint i;

  for (i = 0; i < others->len; i++)
    {
      NsOtherMachine *other = g_ptr_array_index (others, i);

      if (!is_of_case (self, other) && !has_file (self->tried, get_file (other)) &&
          !has_file (self->common, get_file (other)) &&
          ns_pairs_check (trace, get_trace (other), NULL))
        g_ptr_array_add (traces, get_trace (other));
    }
  stop_probe (self);
  self->probe = g_cancellable_new ();
  ns_pair_probe_async (trace, traces, self->probe, probed_cb, g_object_ref (self));
}

/* Returns whether to show the result. If it is empty, further traces opened together are tried
 * first. */
static gboolean
is_worth_showing (NsOtherMachine *self)
{
  g_autoptr (GPtrArray) others = list_others (self);
  guint i;

  if (ns_other_machine_get_pairs (self)->rows->len > 0 || self->is_chosen)
    return TRUE;
  for (i = 0; i < others->len; i++)
    {
      NsOtherMachine *other = g_ptr_array_index (others, i);

      if (is_of_case (self, other) && !has_file (self->tried, get_file (other)) &&
          !g_file_equal (get_file (other), self->file) &&
          ns_pairs_check (get_trace (self), get_trace (other), NULL))
        return FALSE;
    }
  return self->is_of_case;
}

static void begin (NsOtherMachine *self);

/* Shows the result. If nothing was found, the reason is reported for traces opened together
 * only. */
static void
made_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (NsOtherMachine) self = user_data;
  g_autoptr (GError) error = NULL;
  gboolean is_made = ns_pairing_run_finish (NS_PAIRING (source), result, &error);
  gboolean is_asked = self->is_asked;

  if (NS_PAIRING (source) != self->pairing || self->job == NULL)
    return;
  g_clear_object (&self->job);
  if (is_made && is_worth_showing (self))
    {
      self->is_asked = FALSE;
      show (self, self->pairing, is_asked);
      look_for_common (self);
      return;
    }
  if (!is_made && self->is_of_case)
    g_signal_emit (self, signals[SIGNAL_MESSAGE], 0, error->message);
  g_ptr_array_add (self->tried, g_object_ref (self->file));
  forget (self);
  begin (self);
}

/* Starts a pairing; @other is %NULL if the trace is not open. */
static void
begin_with (NsOtherMachine *self, GFile *file, NsOtherMachine *other, gboolean is_of_case)
{
  self->file = g_object_ref (file);
  self->is_of_case = is_of_case;
  self->pairing = ns_pairing_new (get_trace (self), file, other != NULL ? get_trace (other) : NULL);
  ns_pairing_set_needs_ends (self->pairing, !is_of_case);
  self->job = g_cancellable_new ();
  changed (self);
  ns_pairing_run_async (self->pairing, self->job, made_cb, g_object_ref (self));
}

/* Starts a pairing with the next candidate, unless there is one already. */
static void
begin (NsOtherMachine *self)
{
  NsOtherMachine *other = self->pairing == NULL ? find_next (self) : NULL;

  if (other != NULL)
    begin_with (self, get_file (other), other, is_of_case (self, other));
}

/**
 * ns_other_machine_ask:
 * @self: an other machine
 *
 * Requests the pairing and starts it if needed.
 *
 * Returns: whether it is running
 */
gboolean
ns_other_machine_ask (NsOtherMachine *self)
{
  g_return_val_if_fail (NS_IS_OTHER_MACHINE (self), FALSE);

  self->is_asked = TRUE;
  if (self->job == NULL)
    begin (self);
  return self->job != NULL;
}

/**
 * ns_other_machine_choose:
 * @self: an other machine
 * @file: the trace chosen by the user
 *
 * Starts a pairing with @file; reports to the user if there are no common requests.
 */
void
ns_other_machine_choose (NsOtherMachine *self, GFile *file)
{
  g_return_if_fail (NS_IS_OTHER_MACHINE (self));

  if (get_trace (self) == NULL || (self->file != NULL && g_file_equal (file, self->file)))
    return;
  stop (self);
  self->is_of_case = TRUE;
  show (self, NULL, FALSE);
  g_clear_object (&self->pairing);
  g_clear_object (&self->file);
  self->is_chosen = TRUE;
  begin_with (self, file, find_other (self, file), TRUE);
}

static gboolean
look_cb (gpointer data)
{
  NsOtherMachine *self = data;

  self->look_id = 0;
  if (get_trace (self) != NULL && get_file (self) != NULL)
    begin (self);
  return G_SOURCE_REMOVE;
}

/* Schedules a search for a candidate when idle. */
static void
look_later (NsOtherMachine *self)
{
  if (self->look_id == 0 && self->pairing == NULL && self->is_active && get_trace (self) != NULL)
    self->look_id = g_idle_add_full (G_PRIORITY_LOW, look_cb, self, NULL);
}

/**
 * ns_other_machine_set_active:
 * @self: an other machine
 * @is_active: whether the trace is visible
 *
 * A trace that is not visible is not paired.
 */
void
ns_other_machine_set_active (NsOtherMachine *self, gboolean is_active)
{
  g_return_if_fail (NS_IS_OTHER_MACHINE (self));

  self->is_active = is_active;
  look_later (self);
}

/* Clears the list of tried traces and searches again, because a trace was opened or has grown. */
static void
try_again (NsOtherMachine *self)
{
  const NsPairs *pairs = ns_other_machine_get_pairs (self);

  g_ptr_array_set_size (self->tried, 0);
  if (pairs != NULL && pairs->rows->len == 0 && !self->is_chosen)
    forget (self);
  look_later (self);
  if (ns_other_machine_get_pairs (self) != NULL)
    {
      changed (self);
      look_for_common (self);
    }
}

/**
 * ns_other_machine_look_around:
 * @self: an other machine
 *
 * Searches again for all open traces, because this trace was opened or has grown.
 */
void
ns_other_machine_look_around (NsOtherMachine *self)
{
  g_autoptr (GPtrArray) others = NULL;
  guint i;

  g_return_if_fail (NS_IS_OTHER_MACHINE (self));

  others = list_others (self);
  try_again (self);
  for (i = 0; i < others->len; i++)
    try_again (g_ptr_array_index (others, i));
}

/**
 * ns_other_machine_add:
 * @self: an other machine
 * @file: a trace of another machine, opened together with this one
 */
void
ns_other_machine_add (NsOtherMachine *self, GFile *file)
{
  g_return_if_fail (NS_IS_OTHER_MACHINE (self));

  if (!has_file (self->machines, file))
    g_ptr_array_add (self->machines, g_object_ref (file));
}

/* Releases the pairings with a trace that is no longer shown. */
static void
drop (NsOtherMachine *self)
{
  g_autoptr (GPtrArray) others = list_others (self);
  guint i;

  forget (self);
  g_ptr_array_set_size (self->tried, 0);
  g_ptr_array_set_size (self->common, 0);
  for (i = 0; i < others->len; i++)
    {
      NsOtherMachine *other = g_ptr_array_index (others, i);

      if (other->file != NULL && get_file (self) != NULL &&
          g_file_equal (other->file, get_file (self)))
        forget (other);
    }
}

/**
 * ns_other_machine_set_session:
 * @self: an other machine
 * @session: (nullable): the session of the shown trace
 *
 * Releases the pairing of the previous session.
 */
void
ns_other_machine_set_session (NsOtherMachine *self, NsSession *session)
{
  g_return_if_fail (NS_IS_OTHER_MACHINE (self));

  if (self->session != NULL && session != self->session)
    drop (self);
  g_set_object (&self->session, session);
}

/**
 * ns_other_machine_take:
 * @self: an other machine
 * @pairing: a finished pairing
 * @file: the trace of the other machine
 *
 * Shows a pairing requested by the user, perhaps with a manual clock offset, if it is for this
 * trace.
 */
void
ns_other_machine_take (NsOtherMachine *self, NsPairing *pairing, GFile *file)
{
  NsOtherMachine *other;

  g_return_if_fail (NS_IS_OTHER_MACHINE (self));

  if (!ns_pairing_is_of (pairing, get_trace (self)))
    return;
  other = find_other (self, file);
  /* The previous pairing may be the same object. */
  stop (self);
  g_set_object (&self->pairing, pairing);
  g_set_object (&self->file, file);
  self->is_of_case = TRUE;
  self->is_chosen = TRUE;
  show (self, pairing, FALSE);
  look_for_common (self);
  /* The other trace is paired again when it becomes visible, and then reads the stored clock
   * offset. */
  if (other != NULL && other->file != NULL && g_file_equal (other->file, get_file (self)))
    forget (other);
}

/**
 * ns_other_machine_has_trace:
 * @self: an other machine
 *
 * Returns: whether the trace of this machine is loaded
 */
gboolean
ns_other_machine_has_trace (NsOtherMachine *self)
{
  g_return_val_if_fail (NS_IS_OTHER_MACHINE (self), FALSE);

  return get_trace (self) != NULL;
}

/**
 * ns_other_machine_get_pairing:
 * @self: an other machine
 *
 * Returns: (transfer none) (nullable): the finished or running pairing
 */
NsPairing *
ns_other_machine_get_pairing (NsOtherMachine *self)
{
  g_return_val_if_fail (NS_IS_OTHER_MACHINE (self), NULL);

  return self->pairing;
}

/**
 * ns_other_machine_get_file:
 * @self: an other machine
 *
 * Returns: (transfer none) (nullable): the file of the other machine, if there is one
 */
GFile *
ns_other_machine_get_file (NsOtherMachine *self)
{
  g_return_val_if_fail (NS_IS_OTHER_MACHINE (self), NULL);

  return self->file;
}

/**
 * ns_other_machine_is_busy:
 * @self: an other machine
 *
 * Returns: whether a pairing is running
 */
gboolean
ns_other_machine_is_busy (NsOtherMachine *self)
{
  g_return_val_if_fail (NS_IS_OTHER_MACHINE (self), FALSE);

  return self->job != NULL;
}

/**
 * ns_other_machine_is_wanted:
 * @self: an other machine
 *
 * Returns: whether there is a result to show
 */
gboolean
ns_other_machine_is_wanted (NsOtherMachine *self)
{
  const NsPairs *pairs;

  g_return_val_if_fail (NS_IS_OTHER_MACHINE (self), FALSE);

  pairs = ns_other_machine_get_pairs (self);
  return self->is_of_case || (pairs != NULL && pairs->rows->len > 0);
}

static void
ns_other_machine_dispose (GObject *object)
{
  NsOtherMachine *self = NS_OTHER_MACHINE (object);

  stop (self);
  g_clear_object (&self->pairing);
  g_clear_object (&self->file);
  g_clear_object (&self->session);
  g_clear_object (&self->files);
  g_clear_object (&self->opening);
  G_OBJECT_CLASS (ns_other_machine_parent_class)->dispose (object);
}

static void
ns_other_machine_finalize (GObject *object)
{
  NsOtherMachine *self = NS_OTHER_MACHINE (object);

  g_ptr_array_unref (self->machines);
  g_ptr_array_unref (self->tried);
  g_ptr_array_unref (self->common);
  G_OBJECT_CLASS (ns_other_machine_parent_class)->finalize (object);
}

static void
ns_other_machine_class_init (NsOtherMachineClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = ns_other_machine_dispose;
  object_class->finalize = ns_other_machine_finalize;
  /**
   * NsOtherMachine::list:
   * @self: the other machine
   *
   * Emitted to get all instances.
   *
   * Returns: (transfer container) (element-type NsOtherMachine): the instances of all open traces
   */
  signals[SIGNAL_LIST] = ns_signal_new (NS_TYPE_OTHER_MACHINE, "list", G_TYPE_PTR_ARRAY, 0);
  /**
   * NsOtherMachine::shown:
   * @self: the other machine
   * @pairing: (nullable): the pairing to show
   * @is_asked: whether it was requested
   *
   * Emitted when another pairing is to be shown.
   */
  signals[SIGNAL_SHOWN] = ns_signal_new (NS_TYPE_OTHER_MACHINE,
                                         "shown",
                                         G_TYPE_NONE,
                                         2,
                                         NS_TYPE_PAIRING,
                                         G_TYPE_BOOLEAN);
  /**
   * NsOtherMachine::changed:
   * @self: the other machine
   *
   * Emitted when a pairing was started or released, or the choices have changed.
   */
  signals[SIGNAL_CHANGED] = ns_signal_new (NS_TYPE_OTHER_MACHINE, "changed", G_TYPE_NONE, 0);
  /**
   * NsOtherMachine::message:
   * @self: the other machine
   * @text: a message to show to the user for a moment
   */
  signals[SIGNAL_MESSAGE] =
      ns_signal_new (NS_TYPE_OTHER_MACHINE, "message", G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
ns_other_machine_init (NsOtherMachine *self)
{
  self->machines = g_ptr_array_new_with_free_func (g_object_unref);
  self->tried = g_ptr_array_new_with_free_func (g_object_unref);
  self->common = g_ptr_array_new_with_free_func (g_object_unref);
}

/**
 * ns_other_machine_new:
 * @opening: the opening of this trace
 * @files: the files of this trace
 *
 * Returns: (transfer full): an instance without a session
 */
NsOtherMachine *
ns_other_machine_new (NsOpening *opening, NsCaseFiles *files)
{
  NsOtherMachine *self = g_object_new (NS_TYPE_OTHER_MACHINE, NULL);

  self->opening = g_object_ref (opening);
  self->files = g_object_ref (files);
  return self;
}
