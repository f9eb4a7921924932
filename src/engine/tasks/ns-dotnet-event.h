/* Events of .NET's event sources for requests, sockets, name resolution and handshakes.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/build/ns-builder.h"

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

  /* System.Net.NameResolution, .Sockets and .Security: start, stop and failed of each */
  NS_DOTNET_RESOLUTION_START,
  NS_DOTNET_RESOLUTION_STOP,
  NS_DOTNET_RESOLUTION_FAILED,
  NS_DOTNET_CONNECT_START,
  NS_DOTNET_CONNECT_STOP,
  NS_DOTNET_CONNECT_FAILED,
  NS_DOTNET_HANDSHAKE_START,
  NS_DOTNET_HANDSHAKE_STOP,
  NS_DOTNET_HANDSHAKE_FAILED,
  NS_DOTNET_ACCEPT, /* ends a pending connect of the thread */

  /* FrameworkEventSource */
  NS_DOTNET_GET_RESPONSE_START,
  NS_DOTNET_GET_RESPONSE_STOP,
  NS_DOTNET_GET_STREAM_START,
  NS_DOTNET_GET_STREAM_STOP,
} NsDotnetKind;

/* Value of a number that the payload lacks. */
#define NS_DOTNET_NO_NUMBER G_MININT32

/**
 * NsDotnetEvent:
 * @kind: the event
 * @time_ns: its time
 * @activity: its activity ID
 * @pid: its process
 * @tid: its thread
 * @process: row of the process, 0: unknown
 * @major: HTTP major version, 0: unknown
 * @minor: HTTP minor version
 * @is_server: for a handshake: whether it is the accepting side
 * @has_id: whether @id is known
 * @has_success: for FrameworkEventSource: whether @success is known
 * @success: whether there was a response
 * @number: port, status, error, protocol; %NS_DOTNET_NO_NUMBER: unknown
 * @policy: versionPolicy of a request
 * @id: connection, object or content length
 * @wait_ns: time in the queue
 * @text: scheme, exceptionMessage, exception, redirectUri, host, address or URI
 * @host: host of a request or connection
 * @path: pathAndQuery of a request, remoteAddress of a connection
 * @stack: stack of the begin of a request
 * @link: run of the thread, likewise
 *
 * A decoded event.
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
