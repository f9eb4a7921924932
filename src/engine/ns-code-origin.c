/* Which code wanted something: the first frame of a stack that is not part of Windows.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/ns-code-origin.h"

#include <string.h>

/* What Windows brings along stands below its folder. */
static gboolean
is_of_windows (const NsTrace *trace, NsRow image)
{
  static const char folder[] = "\\windows\\";
  const char *path =
      image != 0 ? ns_trace_text (trace, g_array_index (trace->images, NsImageRow, image - 1).path)
                 : NULL;

  for (; path != NULL && *path != '\0'; path++)
    if (*path == '\\' && g_ascii_strncasecmp (path, folder, sizeof folder - 1) == 0)
      return TRUE;
  return FALSE;
}

/**
 * ns_code_origin_find:
 * @trace: a trace
 * @stack: a stack, or 0
 * @pid: the process it is of
 * @time_ns: when it was taken
 *
 * Code of Windows does its work for somebody, who stands further up the stack.
 *
 * Returns: that frame; the innermost one of the process when all of them are of Windows
 */
NsCodeOrigin
ns_code_origin_find (const NsTrace *trace, NsStackId stack, guint32 pid, gint64 time_ns)
{
  NsCodeOrigin origin = { 0 };
  guint n_frames = 0;
  const guint64 *frames = stack != 0 ? ns_stacks_get (trace->stacks, stack, &n_frames) : NULL;
  guint i;

  for (i = 0; i < n_frames; i++)
    {
      NsRow image;

      if (ns_trace_is_kernel_address (trace, frames[i]))
        continue;
      image = ns_trace_find_image (trace, pid, frames[i], time_ns);
      if (!is_of_windows (trace, image))
        return (NsCodeOrigin){ frames[i], i > 0, image, FALSE };
      if (origin.address == 0)
        origin = (NsCodeOrigin){ frames[i], i > 0, image, TRUE };
    }
  if (origin.address == 0 && n_frames > 0)
    origin = (NsCodeOrigin){ frames[0], FALSE, 0, TRUE };
  return origin;
}
