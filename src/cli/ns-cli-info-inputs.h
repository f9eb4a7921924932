/* Part of the verb `info`: the files that a trace is read from.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "etl/ns-etl-file.h"

G_BEGIN_DECLS

void ns_cli_info_append_inputs_json (GString *json, const NsEtlFile *file, const char *line);
void ns_cli_info_append_pairs_json (GString *json, const NsEtlFile *file, const char *line);
void ns_cli_info_append_gaps_json (GString *json, const NsEtlFile *file, const char *line);
void ns_cli_info_append_gaps_people (GString *text, const NsEtlFile *file);
void ns_cli_info_append_left_out_json (GString *json, const NsEtlFile *file, const char *line);
void ns_cli_info_append_inputs_people (GString *text, const NsEtlFile *file);

G_END_DECLS
