/* The lines of a code path as the panel shows it, newest first.
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
  NS_STACK_LINE_FOLD, /* frames of the system, or hidden ones, in one line */
  NS_STACK_LINE_SEAM,
  NS_STACK_LINE_MISSING,
  NS_STACK_LINE_NOTE,
} NsStackLineKind;

/**
 * NsStackLine:
 * @kind: what it is
 * @text: what it says
 * @second: (nullable): the line below it
 * @side: (nullable): at its end
 * @strong: (nullable): what of @text is read first
 * @strong_second: (nullable): what of @second is read first
 * @is_named: frames: a function is known
 * @is_inferred: seams: no identifier says so
 * @missing: stacks that are not there: why
 * @first_frame: frames and folds: number of the frame in its stack
 * @element: number of the element of the path it belongs to
 *
 * One line. #NsStackLine::changed tells that its texts have.
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
  /* What is named in it: of frames the frame, of seams who queued. */
  gboolean has_place;
  gboolean is_return;
  guint32 pid;
  guint32 tid;
  guint64 address;
  gint64 time_ns;
};

#define NS_TYPE_STACK_LINE (ns_stack_line_get_type ())
G_DECLARE_FINAL_TYPE (NsStackLine, ns_stack_line, NS, STACK_LINE, GObject)

/* Which part of a path is shown. */
typedef enum
{
  NS_STACK_PART_FIRST,
  NS_STACK_PART_MIDDLE,
  NS_STACK_PART_LAST,
  NS_STACK_PART_FULL,
} NsStackPart;

/**
 * NsStackLineOptions:
 * @trace: the trace
 * @symbols: (nullable): who names frames
 * @part: what is shown
 * @is_folding: frames of the system are one line
 * @unfolded: (nullable): keys of folds that are open, see ns_stack_line_get_key()
 * @reasons: (nullable): why frames have no name, see ns_stack_reasons_new()
 * @hidden: (nullable): frames that the user hid, see ns_session_get_hidden_frames()
 *
 * How to make lines.
 */
typedef struct
{
  const NsTrace *trace;
  NsSymbolJob *symbols;
  NsStackPart part;
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
