/* The info bars of a window: load progress, removed files, a damaged, incomplete or changed trace,
 * and problems of configuration files.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-session.h"
#include "ui/ns-load-bar.h"

G_BEGIN_DECLS

/**
 * NsFileChange:
 * @NS_FILE_UNCHANGED: the file has not changed since it was read
 * @NS_FILE_CHANGED: the file has changed and can be read again
 * @NS_FILE_GONE: the file no longer exists
 */
typedef enum
{
  NS_FILE_UNCHANGED,
  NS_FILE_CHANGED,
  NS_FILE_GONE,
} NsFileChange;

#define NS_TYPE_NOTICE_BARS (ns_notice_bars_get_type ())
G_DECLARE_FINAL_TYPE (NsNoticeBars, ns_notice_bars, NS, NOTICE_BARS, GtkBox)

NsLoadBar *ns_notice_bars_get_load_bar (NsNoticeBars *self);
void ns_notice_bars_set_config_problems (NsNoticeBars *self, const char *lines);
void ns_notice_bars_set_removed (NsNoticeBars *self, const char *text);
void ns_notice_bars_set_offer (NsNoticeBars *self, const char *text);
void ns_notice_bars_set_change (NsNoticeBars *self, NsFileChange change);
void ns_notice_bars_set_incomplete (NsNoticeBars *self, gboolean is_incomplete);
void ns_notice_bars_set_damage (NsNoticeBars *self, NsSession *session);
const char *ns_notice_bars_get_damage (NsNoticeBars *self);

G_END_DECLS
