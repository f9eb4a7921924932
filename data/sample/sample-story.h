/* Functions that add events to the sample trace, at a time and in any order.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "etl/ns-etl-writer.h"

G_BEGIN_DECLS

typedef struct _SampleStory SampleStory;

/* Process and thread that write an event. */
typedef struct
{
  guint32 pid;
  guint32 tid;
} SampleActor;

/* A connection: kernel addresses and endpoints. */
typedef struct
{
  SampleActor actor;
  guint64 tcb;
  guint64 endpoint;
  guint64 process;
  const char *local;
  const char *remote;
  guint32 sequence;
} SampleConnection;

/* A WinHTTP request. */
typedef struct
{
  SampleActor actor;
  guint64 request;
  guint64 handle;
  guint64 connection;
  guint64 socket;
  const char *method;
  const char *url;
  const char *host;
  const char *address;
} SampleRequest;

/* Values of the trace header; 0: those of the sample. */
typedef struct
{
  guint64 start_filetime;
  guint32 events_lost;
  guint32 buffers_lost;
} SampleHeader;

SampleStory *sample_story_new (void);
gboolean sample_story_write_as (SampleStory *self,
                                const char *path,
                                const SampleHeader *header,
                                GError **error);
gboolean sample_story_write (SampleStory *self, const char *path, GError **error);

/* Times are in microseconds from the start of the trace. */
void sample_machine (SampleStory *self, const char *name);
void sample_process (SampleStory *self,
                     guint64 us,
                     guint32 pid,
                     guint32 parent,
                     const char *image,
                     const char *command);
void sample_program (SampleStory *self,
                     guint64 us,
                     guint32 pid,
                     guint32 parent,
                     const char *image,
                     const char *command,
                     const char *package);
void sample_thread (SampleStory *self,
                    guint64 us,
                    SampleActor actor,
                    SampleActor creator,
                    guint64 start,
                    gboolean rundown);
void sample_image (SampleStory *self, guint32 pid, guint64 base, guint64 size, const char *path);
void sample_stack (SampleStory *self,
                   guint64 us,
                   SampleActor actor,
                   const guint64 *frames,
                   guint n_frames);
void sample_pool (SampleStory *self, guint64 us, SampleActor actor, guint8 opcode, guint64 task);

void sample_dns (SampleStory *self,
                 guint64 us,
                 guint64 took_us,
                 SampleActor actor,
                 const char *name,
                 const char *result,
                 guint32 status);

void sample_dns_asked (SampleStory *self,
                       guint64 us,
                       SampleActor actor,
                       const char *name,
                       const char *server);

void sample_socket (SampleStory *self,
                    guint64 us,
                    const SampleConnection *c,
                    gboolean is_udp,
                    const guint64 *stack,
                    guint n_stack);
void sample_connect (SampleStory *self, guint64 us, guint64 took_us, SampleConnection *c);
void sample_connect_failed (SampleStory *self,
                            guint64 us,
                            guint64 took_us,
                            SampleConnection *c,
                            guint32 status);
void sample_send (SampleStory *self, guint64 us, SampleConnection *c, guint32 n_bytes);
void sample_receive (SampleStory *self, guint64 us, SampleConnection *c, guint32 n_bytes);
void sample_send_again (SampleStory *self, guint64 us, const SampleConnection *c);
void sample_reset (SampleStory *self, guint64 us, const SampleConnection *c);
void sample_close (SampleStory *self, guint64 us, SampleConnection *c);
void sample_datagram (SampleStory *self,
                      guint64 us,
                      const SampleConnection *c,
                      guint32 n_bytes,
                      gboolean is_receive);

void sample_request (SampleStory *self,
                     guint64 us,
                     const SampleRequest *r,
                     const guint64 *stack,
                     guint n_stack);
void sample_request_resolve (SampleStory *self,
                             guint64 us,
                             guint64 took_us,
                             const SampleRequest *r,
                             const char *address);
void sample_request_connect (SampleStory *self,
                             guint64 us,
                             guint64 took_us,
                             const SampleRequest *r,
                             guint32 error);
void sample_request_tls (SampleStory *self, guint64 us, guint64 took_us, const SampleRequest *r);
void
sample_request_tls_failed (SampleStory *self, guint64 us, guint64 took_us, const SampleRequest *r);
void sample_request_send (SampleStory *self, guint64 us, const SampleRequest *r, guint32 n_bytes);
void
sample_request_answer (SampleStory *self, guint64 us, const SampleRequest *r, const char *headers);
void
sample_request_receive (SampleStory *self, guint64 us, const SampleRequest *r, guint32 n_bytes);
void sample_request_end (SampleStory *self, guint64 us, const SampleRequest *r);

void sample_ldap_search (SampleStory *self,
                         guint64 us,
                         SampleActor actor,
                         const char *base,
                         const char *filter);

G_END_DECLS
