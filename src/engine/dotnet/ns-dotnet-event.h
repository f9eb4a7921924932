/* Events of .NET's sources for requests, sockets, names and handshakes, read by length.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/ns-builder.h"

G_BEGIN_DECLS

typedef enum
{
  NS_DOTNET_NOTHING,

  /* System.Net.Http */
  NS_DOTNET_REQUEST_START,
  NS_DOTNET_REQUEST_STOP,
  NS_DOTNET_REQUEST_FAILED,
  NS_DOTNET_ESTABLISHED,
  NS_DOTNET_CLOSED,
  NS_DOTNET_LEFT_QUEUE,
  NS_DOTNET_REQUEST_HEADERS_START,
  NS_DOTNET_REQUEST_HEADERS_STOP,
  NS_DOTNET_REQUEST_CONTENT_START,
  NS_DOTNET_REQUEST_CONTENT_STOP,
  NS_DOTNET_RESPONSE_HEADERS_START,
  NS_DOTNET_RESPONSE_HEADERS_STOP,
  NS_DOTNET_RESPONSE_CONTENT_START,
  NS_DOTNET_RESPONSE_CONTENT_STOP,
  NS_DOTNET_FAILED_DETAILED,
  NS_DOTNET_REDIRECT,

  /* System.Net.NameResolution, .Sockets and .Security, each kind as start, stop, failed */
  NS_DOTNET_RESOLUTION_START,
  NS_DOTNET_RESOLUTION_STOP,
  NS_DOTNET_RESOLUTION_FAILED,
  NS_DOTNET_CONNECT_START,
  NS_DOTNET_CONNECT_STOP,
  NS_DOTNET_CONNECT_FAILED,
  NS_DOTNET_HANDSHAKE_START,
  NS_DOTNET_HANDSHAKE_STOP,
  NS_DOTNET_HANDSHAKE_FAILED,
  NS_DOTNET_ACCEPT, /* ends what a thread may have been connecting */

  /* FrameworkEventSource */
  NS_DOTNET_GET_RESPONSE_START,
  NS_DOTNET_GET_RESPONSE_STOP,
  NS_DOTNET_GET_STREAM_START,
  NS_DOTNET_GET_STREAM_STOP,
} NsDotnetKind;

/* What a payload ends before. */
#define NS_DOTNET_NO_NUMBER G_MININT32

/**
 * NsDotnetEvent:
 * @kind: what happened
 * @time_ns: when
 * @activity: under which id
 * @pid: in which process
 * @tid: on which thread
 * @process: row of the process, 0: unknown
 * @major: of the version of HTTP, 0: not told
 * @minor: likewise
 * @is_server: of a handshake: the side that accepted
 * @has_id: @id is told
 * @has_success: of FrameworkEventSource: @success is told
 * @success: whether it answered
 * @number: port, status, error, protocol; %NS_DOTNET_NO_NUMBER: not told
 * @policy: versionPolicy of a request
 * @id: connection, object or length of the content
 * @wait_ns: time on the queue
 * @text: scheme, exceptionMessage, exception, redirectUri, host, address or URI
 * @host: host of a request or connection
 * @path: pathAndQuery of a request, remoteAddress of a connection
 * @stack: of what begins a request
 * @link: likewise
 *
 * One event, as its payload tells it.
 */
typedef struct
{
  gint64 time_ns;
  NsGuid activity;
  guint64 id;
  gint64 wait_ns;
  guint32 pid;
  guint32 tid;
  NsRow process;
  gint32 number;
  gint32 policy;
  NsString text;
  NsString host;
  NsString path;
  NsStackId stack;
  NsRunId link;
  guint8 kind; /* an NsDotnetKind */
  guint8 major;
  guint8 minor;
  NsBool is_server;
  NsBool has_id;
  NsBool has_success;
  NsBool success;
} NsDotnetEvent;

gboolean ns_dotnet_event_read (NsDotnetEvent *self, const NsTrace *trace, const NsRecord *record);
const char *ns_dotnet_event_name (const NsRecord *record);
gboolean ns_dotnet_read_address (const char *text, NsEndpoint *end);

G_END_DECLS
