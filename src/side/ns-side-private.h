/* Shared parts of the log readers.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "side/ns-side.h"

G_BEGIN_DECLS

/* Maximum size of a line's texts, in bytes. */
#define NS_SIDE_MAX_TEXT 4096

typedef struct
{
  const NsSideOptions *options;
  NsSideLog *log;
  NsSideLineFunc func;
  gpointer user_data;
  const char *at; /* the rest of the text, which is valid UTF-8 */
  const char *end;
  guint32 line; /* number of the last line taken */
  guint part;   /* NsSideLine.part of all lines; 0: the reader sets it */
} NsSideReader;

/* A row of a table; its cells are NUL-terminated. */
typedef struct
{
  GString *text;  /* all cells */
  GArray *begins; /* (element-type gsize): start of each cell */
  guint32 line;   /* line where the row begins */
  char separator; /* between cells */
} NsSideRow;

/* ns-side */
NsSideKind ns_side_kind_from_text (const char *text);
NsSideLog *ns_side_log_new (const char *name, NsSideKind kind);

/* ns-side-reader */
void ns_side_line_init (NsSideLine *line, guint32 number);
void ns_side_reader_report (NsSideReader *self, NsSideLine *line);
void ns_side_reader_refuse (NsSideReader *self, guint32 line, const char *what);
gboolean ns_side_reader_is_full (const NsSideReader *self);
gboolean ns_side_reader_take_line (NsSideReader *self, GString *line);
gboolean ns_side_parse_u32 (const char *text, guint32 *number);
gboolean ns_side_parse_endpoint (const char *ip, const char *port, NsEndpoint *end);
char *ns_side_dup_host (const char *url);

/* ns-side-options */
char *ns_side_options_dup_value (const char *lines, const char *path, const char *name);
char *ns_side_dup_time_column (const NsSideOptions *options, const NsSideLog *log);

/* ns-side-text */
char *ns_side_text_read (const char *path, gsize max_bytes, gsize *n_bytes, GError **error);
char *ns_side_text_from_bytes (char *bytes, gsize n_bytes, gsize *n_text);

/* ns-side-time */
typedef enum
{
  NS_SIDE_CLOCK_LOCAL, /* local time of the traced machine */
  NS_SIDE_CLOCK_UTC,
} NsSideClock;

gboolean ns_side_time_parse (const char *text,
                             NsSideClock clock,
                             const NsSideOptions *options,
                             guint64 *filetime,
                             gint64 *uncertainty_ns);
gboolean ns_side_time_parse_of_day (const char *text,
                                    const NsSideOptions *options,
                                    guint64 *filetime,
                                    gint64 *uncertainty_ns);
gboolean ns_side_time_parse_short (const char *text,
                                   const NsSideOptions *options,
                                   const char **end,
                                   guint64 *filetime);

/* ns-side-row */
void ns_side_row_init (NsSideRow *self, char separator);
void ns_side_row_clear (NsSideRow *self);
gboolean ns_side_row_take (NsSideRow *self, NsSideReader *reader);
const char *ns_side_row_get (const NsSideRow *self, guint cell);
guint ns_side_row_find (const NsSideRow *self, const char *title);

/* A missing cell. */
#define NS_SIDE_NO_CELL G_MAXUINT

/* One reader per kind. */
void ns_side_read_w3c (NsSideReader *self);
void ns_side_read_syslog (NsSideReader *self);
void ns_side_read_har (NsSideReader *self);
void ns_side_read_netlog (NsSideReader *self);
void ns_side_read_table (NsSideReader *self);

/* ns-side-secrets */
typedef enum
{
  NS_SIDE_COLUMN_PLAIN,
  NS_SIDE_COLUMN_SECRET,
  NS_SIDE_COLUMN_COMMAND, /* command line of a program */
  NS_SIDE_COLUMN_QUERY,   /* query of a URL, without the question mark */
} NsSideColumn;

NsSideColumn ns_side_secrets_find_column (const NsSecrets *secrets, const char *title);
void ns_side_secrets_append (const NsSecrets *secrets,
                             GString *text,
                             NsSideColumn column,
                             const char *value);
void ns_side_secrets_mask_commands (const NsSecrets *secrets, GString *text);
void
ns_side_secrets_mask_data (const NsSecrets *secrets, GString *text, gsize begin, const char *path);
void ns_side_secrets_mask_cookie (const NsSecrets *secrets, GString *text, const char *type);

gboolean ns_side_is_syslog (const char *line);
gboolean ns_side_is_table (const char *text);

G_END_DECLS
