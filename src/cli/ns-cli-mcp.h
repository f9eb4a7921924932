/* The command line: a server of the Model Context Protocol.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-json-doc.h"
#include "cli/ns-cli.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/* Rows of an answer, where a request says nothing, and at most. */
#define NS_MCP_USUAL_ROWS 100
#define NS_MCP_MAX_ROWS 1000
/* Of an answer's rows. */
#define NS_MCP_MAX_BYTES (256 * 1024)
/* A verb that takes longer is ended. */
#define NS_MCP_MAX_SECONDS 300

/* What a tool is to do. */
typedef struct
{
  GPtrArray *words; /* (element-type utf8): command line, %NULL at its end; %NULL: list the files */
  GPtrArray *paths; /* (element-type utf8): of the files, and what the request called them */
  guint n_rows;     /* 0: the answer is one object */
  guint offset;
} NsMcpCall;

void ns_mcp_call_clear (NsMcpCall *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (NsMcpCall, ns_mcp_call_clear)

/* What came of it. */
typedef struct
{
  GString *text;   /* rows as JSON lines, or what went wrong */
  GString *remark; /* one object of JSON about the rows */
  gboolean is_failed;
} NsMcpAnswer;

/* Is told the answer, once. */
typedef void (*NsMcpAnswerFunc) (const NsMcpAnswer *answer, gpointer user_data);

/* ns-cli-mcp-tools.c: what there is, and what a request asks of it. */
void ns_mcp_tools_append_list (const NsCli *cli, GString *json);
gboolean ns_mcp_tools_parse (const NsCli *cli,
                             const NsJsonDoc *request,
                             guint params,
                             NsMcpCall *call,
                             GError **error);

/* ns-cli-mcp-files.c: the files that may be read. */
char *ns_mcp_files_find (const NsCli *cli, const char *name, GError **error);
void ns_mcp_files_list (const NsCli *cli, const NsMcpCall *call, NsMcpAnswer *answer);

/* ns-cli-mcp-run.c: a verb in a process of its own. */
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
