/* Fixture of the scenario tests: writes short sequences of network events as a trace and opens it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Every payload is spelled out by a format, one letter a field:
 * p pointer, q u64, d u32, h u16, b u8, w UTF-16 with NUL, a 8-bit text with NUL, g GUID as text,
 * c u16 length and 8-bit text, C u32 length and 8-bit text, S u32 length and socket address,
 * U u16 number of units and UTF-16, X u32 length and bytes in hexadecimal, x bytes alone,
 * W u32 number of units and UTF-16 with NUL, A u32 length and socket addresses (all of "a,b").
 * Pointers and u64 are passed as guint64: see P().
 */
#pragma once

#include "engine/trace/ns-trace.h"
#include "etl/ns-etl-writer.h"

G_BEGIN_DECLS

#define P(x) ((guint64) (x))

/* Maximum frames of a stack, including the terminating 0. */
#define STORY_MAX_FRAMES 32

typedef enum
{
  STORY_WEBIO,
  STORY_WININET,
  STORY_TCPIP,
  STORY_AFD,
  STORY_DNS,
  STORY_LDAP,
  STORY_URLMON,
  STORY_NDIS,
  STORY_PKTMON,
  STORY_WAN,
  STORY_RESOLUTION,
  STORY_HTTP_SERVER,
  STORY_KERNEL_NETWORK,
  STORY_CAPTURE, /* WinINet-Capture */
  STORY_DOTNET_HTTP,
  STORY_DOTNET_SOCKETS,
  STORY_DOTNET_NAMES,
  STORY_DOTNET_SECURITY,
  STORY_DOTNET_FRAMEWORK,
  STORY_DOTNET_TASKS,
  STORY_DOTNET_RUNTIME,
  STORY_BITS,
  STORY_CAPI2,
  STORY_WFP,
  STORY_SCHANNEL,
  STORY_SMB,
  STORY_RPC,
  STORY_QUIC,
  STORY_WINQUIC,
} StoryProvider;

typedef struct
{
  NsEtlWriter *writer;
  guint32 pid;
  guint32 tid;
  guint cpu;
  guint64 activity;      /* first half of the activity ID of the next events */
  guint64 activity_high; /* second half */
  guint64 keyword;
  gboolean is_32bit;
  gboolean want_events;    /* opens the trace with the event table */
  gboolean shows_secrets;  /* opens the trace with secrets shown */
  const char *ranges;      /* (nullable): marked ranges in the syntax of --range */
  const char *thresholds;  /* (nullable): lines that override the thresholds */
  gboolean like_reference; /* opens the trace with the rules of the reference tool */
  guint64
      stack[STORY_MAX_FRAMES]; /* stack of the next event, innermost frame first, 0-terminated */
} Story;

Story *story_new (void);
void story_free (Story *self);
void
story_write (Story *self, double ms, StoryProvider provider, guint id, const char *format, ...);
void story_write_version (Story *self,
                          double ms,
                          StoryProvider provider,
                          guint id,
                          guint version,
                          const char *format,
                          ...);
NsTrace *story_open (Story *self, double end_ms);
/* Writes a process that runs at the start of the trace, and an image loaded by it. */
void story_process (Story *self, guint32 pid, const char *image, const char *command_line);
void story_image (Story *self, guint32 pid, guint64 base, guint64 size, const char *path);
/* Returns the trace file, its records in buffers with @options instead of the default ones. */
GBytes *story_finish_as (Story *self, const NsEtlWriterOptions *options);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Story, story_free)

/* WebIO events of the request with handle @h. */
void story_session (Story *self, double ms, guint64 session);
void
story_request (Story *self, double ms, guint64 ptr, guint64 h, guint64 session, const char *url);
void story_wait (Story *self, double ms, guint64 ptr, guint64 h, guint64 connection);
void story_resolve (Story *self,
                    double ms,
                    guint64 h,
                    guint64 connection,
                    const char *host,
                    const char *ips);
void story_connect (Story *self,
                    double ms,
                    guint64 h,
                    guint64 connection,
                    guint64 socket,
                    const char *address);
void story_connected (Story *self,
                      double ms,
                      guint64 h,
                      guint64 connection,
                      guint64 socket,
                      guint error);
void story_disconnect (Story *self, double ms, guint64 h, guint64 connection, guint64 socket);
void story_transfer (Story *self,
                     double ms,
                     guint id,
                     guint64 h,
                     guint64 connection,
                     guint64 socket,
                     guint64 context,
                     guint64 n_bytes);
void
story_send (Story *self, double ms, guint64 h, guint64 connection, guint64 socket, guint64 n_bytes);
void story_receive (Story *self,
                    double ms,
                    guint64 h,
                    guint64 connection,
                    guint64 socket,
                    guint64 n_bytes);
void story_header (Story *self, double ms, guint64 ptr, const char *headers);
void story_request_close (Story *self, double ms, guint64 ptr, guint64 h);

/* Writes a netlog event of Chrome; @params is JSON or "". */
void story_netlog (Story *self,
                   double ms,
                   const char *name,
                   const char *phase,
                   guint id,
                   const char *source,
                   const char *params);

/* WinSock events of a TCP socket: connect, data, close. */
void story_socket (Story *self, double ms, guint64 endpoint, guint local_port, const char *remote);
void story_socket_bytes (Story *self, double ms, guint id, guint64 endpoint, guint n_bytes);
void story_socket_close (Story *self, double ms, guint64 endpoint);

/* TCPIP events 1002 (connect) and 1159 (data posted). */
void story_tcp_connect (Story *self, double ms, guint64 tcb, const char *local, const char *remote);
void story_tcp_posted (Story *self, double ms, guint64 tcb, guint n_bytes);

/* Endpoints of the connection of story_segment(). */
#define STORY_HERE "10.0.0.5:50001"
#define STORY_THERE "1.2.3.4:80"
/* Writes an NDIS capture of a segment of that connection; @seq is relative to 0. */
void
story_segment (Story *self, double ms, gboolean is_in, guint seq, const void *data, gsize size);

/* Results of the opened trace. */
const NsActivityRow *story_activity (const NsTrace *trace, guint n);
void story_assert_text (const NsTrace *trace, NsString text, const char *expected);
void story_assert_remote (const NsActivityRow *row, const char *expected);
/* Asserts the invariants that hold for every trace. */
void story_assert_invariants (const NsTrace *trace);
/* Calls @check for each trace file in the folder @path and returns the number of files. @path may
 * be NULL or the folder empty. */
guint story_check_folder (const char *path, void (*check) (const char *path));

G_END_DECLS
