/* The verb `mcp`: shared types of its parts.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-json-doc.h"
#include "cli/ns-cli.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/* Default and maximum number of rows of an answer. */
#define NS_MCP_USUAL_ROWS 100
#define NS_MCP_MAX_ROWS 1000
/* Maximum size of an answer's rows. */
#define NS_MCP_MAX_BYTES (256 * 1024)
/* Timeout of a call, in seconds. */
#define NS_MCP_MAX_SECONDS 300

/* A call of a tool. */
typedef struct
{
  GPtrArray *words; /* (element-type utf8): command line, %NULL-terminated; %NULL: list the files */
  GPtrArray *paths; /* (element-type utf8): by turns a path, and its name in the request */
  guint n_rows;     /* 0: the answer is one object */
  guint offset;
} NsMcpCall;

void ns_mcp_call_clear (NsMcpCall *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (NsMcpCall, ns_mcp_call_clear)

/* The answer to a call. */
typedef struct
{
  GString *text;   /* rows as JSON lines, or an error message */
  GString *remark; /* one JSON object about the rows */
  gboolean is_failed;
} NsMcpAnswer;

/* Receives the answer, once. */
typedef void (*NsMcpAnswerFunc) (const NsMcpAnswer *answer, gpointer user_data);

/* ns-cli-mcp-tools.c: the list of tools, and the parser of requests. */
void ns_mcp_tools_append_list (const NsCli *cli, GString *json);
gboolean ns_mcp_tools_parse (const NsCli *cli,
                             const NsJsonDoc *request,
                             guint params,
                             NsMcpCall *call,
                             GError **error);

/* ns-cli-mcp-options.c: options for all calls. */
gboolean ns_mcp_options_check (NsCli *cli, GError **error);
void ns_mcp_options_pass (const NsCli *cli, GPtrArray *words);

/* ns-cli-mcp-files.c: access to files. */
char *ns_mcp_files_find (const NsCli *cli, const char *name, GError **error);
void ns_mcp_files_list (const NsCli *cli, const NsMcpCall *call, NsMcpAnswer *answer);

/* ns-cli-mcp-run.c: worker processes. */
typedef struct _NsMcpRun NsMcpRun;

NsMcpRun *
ns_mcp_run_new (const NsMcpCall *call, NsMcpAnswerFunc func, gpointer user_data, GError **error);
void ns_mcp_run_free (NsMcpRun *self);
void ns_mcp_append_remark (GString *json,
                           const NsMcpCall *call,
                           guint n_rows,
                           gboolean has_more,
                           const char *notes);

G_END_DECLS
