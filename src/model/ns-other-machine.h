/* Finds a trace of another machine and pairs the requests that both machines recorded.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-case-files.h"
#include "model/ns-opening.h"
#include "model/ns-pairing.h"
#include "model/ns-session.h"

G_BEGIN_DECLS

/* A trace that the user can choose. */
typedef struct
{
  char *name;
  GFile *file;
} NsMachineChoice;

#define NS_TYPE_OTHER_MACHINE (ns_other_machine_get_type ())
G_DECLARE_FINAL_TYPE (NsOtherMachine, ns_other_machine, NS, OTHER_MACHINE, GObject)

NsOtherMachine *ns_other_machine_new (NsOpening *opening, NsCaseFiles *files);
void ns_other_machine_set_session (NsOtherMachine *self, NsSession *session);
void ns_other_machine_set_active (NsOtherMachine *self, gboolean is_active);
void ns_other_machine_add (NsOtherMachine *self, GFile *file);
void ns_other_machine_look_around (NsOtherMachine *self);
gboolean ns_other_machine_ask (NsOtherMachine *self);
void ns_other_machine_choose (NsOtherMachine *self, GFile *file);
void ns_other_machine_take (NsOtherMachine *self, NsPairing *pairing, GFile *file);
GArray *ns_other_machine_list_choices (NsOtherMachine *self);
gboolean ns_other_machine_has_trace (NsOtherMachine *self);
NsPairing *ns_other_machine_get_pairing (NsOtherMachine *self);
const NsPairs *ns_other_machine_get_pairs (NsOtherMachine *self);
GFile *ns_other_machine_get_file (NsOtherMachine *self);
gboolean ns_other_machine_is_busy (NsOtherMachine *self);
gboolean ns_other_machine_is_wanted (NsOtherMachine *self);

G_END_DECLS
