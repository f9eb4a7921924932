/* Instance structure and internal functions of the window, shared by its source files.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-case-files.h"
#include "model/ns-follower.h"
#include "model/ns-opening.h"
#include "model/ns-other-machine.h"
#include "model/ns-session-history.h"
#include "ui/ns-drop-frame.h"
#include "ui/ns-error-page.h"
#include "ui/ns-head-bar.h"
#include "ui/ns-load-notice.h"
#include "ui/ns-notice-bars.h"
#include "ui/ns-trace-page.h"
#include "ui/ns-window.h"
#include "ui/sheets/ns-trace-info.h"

G_BEGIN_DECLS

/* Why a trace is being loaded. */
typedef enum
{
  NS_READ_NEW,
  NS_READ_AGAIN,           /* reload with other files; the view is kept */
  NS_READ_AGAIN_FROM_INFO, /* the same, while the trace information is shown */
} NsReadReason;

struct _NsWindow
{
  GtkApplicationWindow parent_instance;

  NsSession *session; /* (nullable): of the trace that is shown */
  NsOpening *opening;
  NsCaseFiles *files; /* of the trace that is shown or being loaded */
  NsReadReason reason;
  gboolean is_taking_over; /* swap_trace() is replacing the session; no action updates */
  NsFollower *follower;    /* watches the file of the trace for growth */
  NsOtherMachine *machine; /* a machine that recorded the same requests */
  NsLoadNotice *notice;    /* desktop notification at the end of loading */
  NsSessionHistory *history;

  NsHeadBar *head;
  NsDropFrame *drop_frame;
  NsNoticeBars *bars; /* progress, damage and other messages about the trace */
  GtkWidget *pages;
  NsErrorPage *error_page;
  NsTracePage *trace_page;
  NsTraceInfo *info;
};

void ns_window_add_actions (NsWindow *self);
void ns_window_update_actions (NsWindow *self);
void ns_window_restore_focus (NsWindow *self);
void ns_window_add_files_actions (NsWindow *self);
void ns_window_offer_files (NsWindow *self);
void ns_window_ask_time_column (NsWindow *self);
void ns_window_add_opening (NsWindow *self);
void ns_window_add_follow (NsWindow *self);
gboolean ns_window_is_on (NsWindow *self, const char *page);
void ns_window_show_page (NsWindow *self, const char *page);
void ns_window_show_error (NsWindow *self, const GError *error);
void ns_window_show_session (NsWindow *self, NsSession *session, NsSessionChange turn);
void ns_window_update_title (NsWindow *self);
void ns_window_report (NsWindow *self, const char *text);

G_END_DECLS
