/* Instance structure of the trace page, shared by its source files.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "ui/ns-crumb-bar.h"
#include "ui/ns-filter-bar.h"
#include "ui/ns-go-to.h"
#include "ui/ns-panel-frame.h"
#include "ui/ns-preset-actions.h"
#include "ui/ns-trace-page.h"
#include "ui/ns-view-memory.h"
#include "ui/panel/ns-event-actions.h"
#include "ui/panel/ns-flame-actions.h"
#include "ui/sheets/ns-export-actions.h"
#include "ui/sheets/ns-paired-tab.h"
#include "ui/table/ns-tables-pane.h"
#include "ui/timeline/ns-timeline-pane.h"

G_BEGIN_DECLS

struct _NsTracePage
{
  GtkBox parent_instance;

  NsSession *session; /* (nullable) */
  GSimpleActionGroup *actions;
  NsEventActions *event_actions;
  NsExportActions *export_actions;
  NsFlameActions *call_tree; /* replaces the panes when it is shown */
  NsGoTo *go_to;
  NsPresetActions *preset_actions;
  NsViewMemory *memory;
  NsOtherMachine *machine; /* (nullable): a machine that recorded the same requests */
  NsPairedTab *paired_tab; /* (nullable) */

  NsFilterBar *filter_bar;
  GtkWidget *columns_button;
  NsCrumbBar *crumb_bar;
  NsPanelFrame *panel_frame;
  GtkWidget *main_paned;
  NsTimelinePane *timeline_pane;
  NsTablesPane *tables_pane;
  NsDetailsPanel *panel;
  NsStatusBar *status_bar;
};

G_END_DECLS
