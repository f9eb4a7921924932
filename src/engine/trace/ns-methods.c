/* Finds methods by address and time, and formats their names.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/trace/ns-methods.h"

/* Maximum number of rows before the nearest one that are examined for a method with the address. */
#define MAX_STEPS 512

/* Windows allocates address space in multiples of this size, so that one granule belongs to one
 * allocation. */
#define GRANULE (G_GUINT64_CONSTANT (64) << 10)

static const NsMethodRow *
method_at (const NsTrace *trace, guint i)
{
  return &g_array_index (trace->methods, NsMethodRow, i);
}

static int
compare_methods (gconstpointer a, gconstpointer b)
{
  const NsMethodRow *x = a;
  const NsMethodRow *y = b;

  if (x->pid != y->pid)
    return x->pid < y->pid ? -1 : 1;
  if (x->start != y->start)
    return x->start < y->start ? -1 : 1;
  return x->load_ns < y->load_ns ? -1 : x->load_ns > y->load_ns;
}

/**
 * ns_methods_index: (skip)
 * @trace: a trace that is being built
 */
void
ns_methods_index (NsTrace *trace)
{
  guint64 reach = 0;

  g_array_sort (trace->methods, compare_methods);
  for (guint i = 0; i < trace->methods->len; i++)
    {
      NsMethodRow *method = &g_array_index (trace->methods, NsMethodRow, i);

      if (i > 0 && method_at (trace, i - 1)->pid != method->pid)
        reach = 0;
      reach = MAX (reach, method->start + method->size);
      method->reach = reach;
    }
}

/* Returns the number of methods sorted up to this address of this process. */
static guint
count_before (const NsTrace *trace, guint32 pid, guint64 address)
{
  guint low = 0;
  guint high = trace->methods->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      const NsMethodRow *method = method_at (trace, middle);

      if (method->pid < pid || (method->pid == pid && method->start <= address))
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

static guint64
get_distance (const NsMethodRow *method, gint64 time_ns)
{
  if (time_ns < method->load_ns)
    return (guint64) method->load_ns - (guint64) time_ns;
  if (time_ns > method->unload_ns)
    return (guint64) time_ns - (guint64) method->unload_ns;
  return 0;
}

/**
 * ns_methods_find:
 * @trace: a trace
 * @pid: process whose address it is
 * @address: an address
 * @time_ns: a time
 *
 * If code was recompiled, the newest at that time is returned.
 *
 * Returns: (transfer none) (nullable): the method that contained the address then, or at the
 *   nearest time
 */
const NsMethodRow *
ns_methods_find (const NsTrace *trace, guint32 pid, guint64 address, gint64 time_ns)
{
  guint i = count_before (trace, pid, address);
  const NsMethodRow *best = NULL;
  guint64 best_distance = G_MAXUINT64;

  for (guint n = 0; i > 0 && n < MAX_STEPS; i--, n++)
    {
      const NsMethodRow *method = method_at (trace, i - 1);
      guint64 distance;

      if (method->pid != pid || method->reach <= address)
        break;
      if (address - method->start >= method->size)
        continue;
      distance = get_distance (method, time_ns);
      if (best != NULL &&
          (distance > best_distance ||
           (distance == best_distance && (distance > 0 || method->load_ns <= best->load_ns))))
        continue;
      best = method;
      best_distance = distance;
    }
  return best;
}

static gboolean
shares_granule (const NsTrace *trace, guint i, guint32 pid, guint64 address)
{
  const NsMethodRow *method;

  if (i >= trace->methods->len)
    return FALSE;
  method = method_at (trace, i);
  return method->pid == pid && method->is_script && method->start / GRANULE <= address / GRANULE &&
         (method->start + method->size - 1) / GRANULE >= address / GRANULE;
}

/**
 * ns_methods_is_script:
 * @trace: a trace
 * @pid: process whose address it is
 * @address: an address outside of every known method and image
 *
 * Returns: whether it lies in memory that a script engine uses for compiled code
 */
gboolean
ns_methods_is_script (const NsTrace *trace, guint32 pid, guint64 address)
{
  guint i = count_before (trace, pid, address);

  return (i > 0 && shares_granule (trace, i - 1, pid, address)) ||
         shares_granule (trace, i, pid, address);
}

/**
 * ns_method_append_name:
 * @method: a method
 * @trace: its trace
 * @text: (inout): appended to
 *
 * Appends `assembly!Namespace.Type.Method`, or `function (script.js:12)`.
 */
void
ns_method_append_name (const NsMethodRow *method, const NsTrace *trace, GString *text)
{
  const char *module =
      method->module != NS_STRING_NONE ? ns_trace_text (trace, method->module) : NULL;
  const char *name = ns_trace_text (trace, method->name);

  if (!method->is_script)
    {
      if (module != NULL)
        g_string_append_printf (text, "%s!", module);
      g_string_append (text, name);
      return;
    }
  g_string_append (text, name);
  if (module != NULL && method->line != 0)
    g_string_append_printf (text, " (%s:%u)", module, method->line);
  else if (module != NULL)
    g_string_append_printf (text, " (%s)", module);
}

/**
 * ns_method_append_text:
 * @method: a method
 * @trace: its trace
 * @address: an address in it
 * @text: (inout): appended to
 *
 * Appends the name and, for native code, the offset of the address.
 */
void
ns_method_append_text (const NsMethodRow *method,
                       const NsTrace *trace,
                       guint64 address,
                       GString *text)
{
  ns_method_append_name (method, trace, text);
  if (!method->is_script)
    g_string_append_printf (text, "+0x%" G_GINT64_MODIFIER "x", address - method->start);
}
