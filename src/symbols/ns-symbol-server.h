/* Downloads symbol files from symbol servers. Callers need the user's consent first.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <gio/gio.h>

#include "symbols/ns-symbol-error.h"

G_BEGIN_DECLS

typedef struct _NsSymbolServers NsSymbolServers;

#define NS_SYMBOL_SERVER_MAX_HOPS 5
#define NS_SYMBOL_SERVER_TIMEOUT_SECONDS 30
/* Default size limit of a download, in bytes. */
#define NS_SYMBOL_SERVER_MAX_BYTES (G_GUINT64_CONSTANT (500) << 20)

/**
 * NsSymbolProgress:
 * @n_done: bytes received so far
 * @n_total: size in bytes; 0: unknown
 * @user_data: the caller's data
 */
typedef void (*NsSymbolProgress) (guint64 n_done, guint64 n_total, gpointer user_data);

/**
 * NsSymbolFetch:
 * @server: address of a server
 * @name: safe name of a file
 * @key: key of the build
 * @fd: file descriptor to write to
 * @max_bytes: size limit; 0: %NS_SYMBOL_SERVER_MAX_BYTES
 * @is_compressed: (out): whether a cabinet that holds the file was received
 * @progress: (nullable): called as bytes arrive
 * @user_data: for @progress
 * @cancellable: (nullable): cancels the download
 *
 * A file to download.
 */
typedef struct
{
  const char *server;
  const char *name;
  const char *key;
  int fd;
  guint64 max_bytes;
  gboolean is_compressed;
  NsSymbolProgress progress;
  gpointer user_data;
  GCancellable *cancellable;
} NsSymbolFetch;

NsSymbolServers *ns_symbol_servers_new (void);
void ns_symbol_servers_free (NsSymbolServers *self);
gboolean ns_symbol_servers_fetch (NsSymbolServers *self, NsSymbolFetch *fetch, GError **error);
char *ns_symbol_server_build_uri (const char *server,
                                  const char *name,
                                  const char *key,
                                  const char *file);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsSymbolServers, ns_symbol_servers_free)

G_END_DECLS
