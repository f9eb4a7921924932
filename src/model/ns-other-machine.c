/* The other machine of a trace, and the requests that both recorded.
 *
 * Who the other machine is: a trace that was opened with this one as files of one case, or one that
 * is open elsewhere with connections of the same ends. Both are paired in a thread once both are
 * there and this one is looked at, so that opening them takes no longer.
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
  NsCaseFiles *files;  /* of this machine */
  NsSession *session;  /* (nullable): of this machine */
  GPtrArray *machines; /* (element-type GFile): opened with this one as files of one case */
  GPtrArray *tried;    /* (element-type GFile): with nothing in common */
  GPtrArray *common;   /* (element-type GFile): of no case with this one, but with something */
  NsPairing *pairing;  /* (nullable): made, or being made */
  GFile *file;         /* (nullable): of the other machine */
  GCancellable *job;   /* (nullable): it is being made */
  GCancellable *probe; /* (nullable): what others have in common is looked for */
  gboolean is_of_case; /* the other machine is, or the user had both paired */
  gboolean is_asked;   /* somebody waits for it */
  gboolean is_chosen;  /* the user wants this one and no other */
  gboolean is_active;  /* the trace is looked at */
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

/* (nullable): the trace of this machine, once all of it was read. */
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
 * Returns: (transfer none) (nullable): the requests that both recorded, once they were paired
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

/* (transfer container) (element-type NsOtherMachine): those of other traces that were read. */
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

/* The next one that was not tried: those of the case first. */
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
 * Returns: (transfer full) (element-type NsMachineChoice): what the trace can be paired with, by
 *   name; what is paired is among them though nothing shows it any more
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

/* Traces that nothing shows any more are of no interest. */
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

/* Whether traces that nobody said to belong to this one have something in common with it, too. */
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

/* Of several machines of one case those with something in common are shown first. */
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

/* Those of one case that have nothing in common are told why; of others nothing is said. */
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

/* @other is %NULL when nothing shows it. */
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

/* Pairs the trace with the next one that was not tried, if there is one and no pairing. */
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
 * Somebody waits for the pairing: it is begun if it was not.
 *
 * Returns: whether it is being made
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
 * @file: what the user wants the trace to be paired with
 *
 * Pairs them; the user is told if they have nothing in common.
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

/* Once nothing else is to be done. */
static void
look_later (NsOtherMachine *self)
{
  if (self->look_id == 0 && self->pairing == NULL && self->is_active && get_trace (self) != NULL)
    self->look_id = g_idle_add_full (G_PRIORITY_LOW, look_cb, self, NULL);
}

/**
 * ns_other_machine_set_active:
 * @self: an other machine
 * @is_active: whether the trace is looked at
 *
 * Nothing is paired for a trace that nobody looks at.
 */
void
ns_other_machine_set_active (NsOtherMachine *self, gboolean is_active)
{
  g_return_if_fail (NS_IS_OTHER_MACHINE (self));

  self->is_active = is_active;
  look_later (self);
}

/* What had nothing in common may have something now, and another one more. */
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
 * The trace was opened or grew: every trace that is open may have another machine now.
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
 * @file: of another machine, and opened with the trace
 */
void
ns_other_machine_add (NsOtherMachine *self, GFile *file)
{
  g_return_if_fail (NS_IS_OTHER_MACHINE (self));

  if (!has_file (self->machines, file))
    g_ptr_array_add (self->machines, g_object_ref (file));
}

/* The trace is shown no more. */
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
 * @session: (nullable): the trace that is shown from now on
 *
 * Lets go of the pairing of the one before.
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
 * @pairing: one that was made
 * @file: of the other machine
 *
 * Shows what the user had paired, its clock set by hand or not, if it is of the trace.
 */
void
ns_other_machine_take (NsOtherMachine *self, NsPairing *pairing, GFile *file)
{
  NsOtherMachine *other;

  g_return_if_fail (NS_IS_OTHER_MACHINE (self));

  if (!ns_pairing_is_of (pairing, get_trace (self)))
    return;
  other = find_other (self, file);
  /* What was shown is gone already where it is the same pairing. */
  stop (self);
  g_set_object (&self->pairing, pairing);
  g_set_object (&self->file, file);
  self->is_of_case = TRUE;
  self->is_chosen = TRUE;
  show (self, pairing, FALSE);
  look_for_common (self);
  /* It finds the clock that was set by hand when it is in front. */
  if (other != NULL && other->file != NULL && g_file_equal (other->file, get_file (self)))
    forget (other);
}

/**
 * ns_other_machine_has_trace:
 * @self: an other machine
 *
 * Returns: whether there is a trace that was read, of this machine
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
 * Returns: (transfer none) (nullable): the pairing that was made, or is being made
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
 * Returns: whether the pairing is being made
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
 * Returns: whether there is something to say of it
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
   * Asks for all that are there.
   *
   * Returns: (transfer container) (element-type NsOtherMachine): those of all traces that are open
   */
  signals[SIGNAL_LIST] = ns_signal_new (NS_TYPE_OTHER_MACHINE, "list", G_TYPE_PTR_ARRAY, 0);
  /**
   * NsOtherMachine::shown:
   * @self: the other machine
   * @pairing: (nullable): what is to be shown from now on
   * @is_asked: whether somebody waits for it
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
   * A pairing was begun or forgotten, or there are others to choose.
   */
  signals[SIGNAL_CHANGED] = ns_signal_new (NS_TYPE_OTHER_MACHINE, "changed", G_TYPE_NONE, 0);
  /**
   * NsOtherMachine::message:
   * @self: the other machine
   * @text: what to tell the user in passing
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
 * @opening: what opens the trace of this machine
 * @files: what it is opened from
 *
 * Returns: (transfer full): the other machine of no trace yet
 */
NsOtherMachine *
ns_other_machine_new (NsOpening *opening, NsCaseFiles *files)
{
  NsOtherMachine *self = g_object_new (NS_TYPE_OTHER_MACHINE, NULL);

  self->opening = g_object_ref (opening);
  self->files = g_object_ref (files);
  return self;
}
