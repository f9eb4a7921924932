/* Lines of a call stack as the panel shows them, newest frame first.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-symbol-job.h"

#include <gio/gio.h>

G_BEGIN_DECLS

typedef enum
{
  NS_STACK_LINE_THREAD,
  NS_STACK_LINE_FRAME,
  NS_STACK_LINE_FOLD, /* run of system frames or hidden frames in one line */
  NS_STACK_LINE_THREAD_SWITCH,
  NS_STACK_LINE_MISSING,
  NS_STACK_LINE_NOTE,
} NsStackLineKind;

/**
 * NsStackLine:
 * @kind: kind of the line
 * @text: main text
 * @second: (nullable): text below @text
 * @side: (nullable): text at the end of the line
 * @strong: (nullable): part of @text to emphasize
 * @strong_second: (nullable): part of @second to emphasize
 * @is_named: frames: whether the function is known
 * @is_inferred: thread switches: whether linked by time only, not by an identifier
 * @missing: missing stacks: the reason
 * @first_frame: frames and folds: index of the frame in its stack
 * @element: index of the element of the path
 *
 * One line of a call stack. #NsStackLine::changed is emitted when its texts change.
 */
struct _NsStackLine
{
  GObject parent_instance;

  NsStackLineKind kind;
  char *text;
  char *second;
  char *side;
  char *strong;
  char *strong_second;
  gboolean is_named;
  gboolean is_inferred;
  NsStackMissing missing;
  guint element;
  guint first_frame;
  /* Location named in the line: the frame, or the function that queued the work. */
  gboolean has_location;
  gboolean is_return;
  guint32 pid;
  guint32 tid;
  guint64 address;
  gint64 time_ns;
};

#define NS_TYPE_STACK_LINE (ns_stack_line_get_type ())
G_DECLARE_FINAL_TYPE (NsStackLine, ns_stack_line, NS, STACK_LINE, GObject)

/* Part of the path to show. */
typedef enum
{
  NS_STACK_RANGE_FIRST,
  NS_STACK_RANGE_MIDDLE,
  NS_STACK_RANGE_LAST,
  NS_STACK_RANGE_FULL,
} NsStackRange;

/**
 * NsStackLineOptions:
 * @trace: the trace
 * @symbols: (nullable): job that names frames
 * @part: part of the path to show
 * @is_folding: whether to collapse system frames
 * @unfolded: (nullable): keys of expanded folds, see ns_stack_line_get_key()
 * @reasons: (nullable): reasons of missing names, see ns_stack_reasons_new()
 * @hidden: (nullable): patterns of frames that the user has hidden, see
 * ns_session_get_hidden_frames()
 *
 * Options for the lines of a call stack.
 */
typedef struct
{
  const NsTrace *trace;
  NsSymbolJob *symbols;
  NsStackRange part;
  gboolean is_folding;
  GHashTable *unfolded;
  GHashTable *reasons;
  const char *const *hidden;
} NsStackLineOptions;

void
ns_stack_lines_add_activity (GListStore *lines, const NsStackLineOptions *options, guint32 row);
void ns_stack_lines_add_note (GListStore *lines, const char *text);
void ns_stack_lines_add_task (GListStore *lines, const NsStackLineOptions *options, guint32 row);
void ns_stack_lines_add_event (GListStore *lines, const NsStackLineOptions *options, guint32 row);
void ns_stack_line_update (NsStackLine *self,
                           const NsTrace *trace,
                           NsSymbolJob *symbols,
                           GHashTable *reasons);
char *ns_stack_line_dup_shown (NsStackLine *self, char **strong);
gpointer ns_stack_line_get_key (NsStackLine *self);
char *ns_stack_line_dup_filter (NsStackLine *self, const NsTrace *trace);
char *ns_stack_line_dup_function (NsStackLine *self, const NsTrace *trace);
char *ns_stack_line_dup_module (NsStackLine *self, const NsTrace *trace);

G_END_DECLS
