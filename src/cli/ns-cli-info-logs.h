/* Part of the verb `info`: logs of other tools beside a trace.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "cli/ns-cli.h"

G_BEGIN_DECLS

GPtrArray *ns_cli_info_list_logs (const NsCli *cli, const NsEtlFile *file);
void ns_cli_info_append_logs_json (GString *json, const GPtrArray *logs, const char *line);
void ns_cli_info_append_logs_people (GString *text, const GPtrArray *logs);

G_END_DECLS
