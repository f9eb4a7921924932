/* --help: describes the verbs, their options and the fields they print.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "cli/ns-cli.h"
#include "query/ns-fields.h"

G_BEGIN_DECLS

/**
 * NsCliMember:
 * @verb: name of the verb that prints it
 * @id: its name in JSON
 * @type: type of its values
 * @option: (nullable): the option that enables it; %NULL: always printed
 * @meaning: description, marked for translation
 *
 * A member of the JSON objects of a verb that does not list a table.
 */
typedef struct
{
  const char *verb;
  const char *id;
  NsFieldType type;
  const char *option;
  const char *meaning;
} NsCliMember;

/* ns-cli-members.c */
const NsCliMember *ns_cli_members_next (const char *verb, guint *at);
gboolean ns_cli_members_get_table (const char *verb, NsTableId *table);

/* ns-cli-help.c */
int ns_cli_help_print_program (const NsCliVerb *verbs, guint n_verbs);
int ns_cli_help_print_verb (const NsCliVerb *verb);
int ns_cli_help_refuse_verb (const NsCliVerb *verbs, guint n_verbs, const char *word);

/* ns-cli-complete.c */
int ns_cli_complete (const NsCliVerb *verbs, guint n_verbs, int argc, char *const *argv);

G_END_DECLS
