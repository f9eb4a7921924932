/* Tests the audit: which process talked to which endpoint.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ns-test-trace.h"

#include "analysis/ns-audit.h"
#include "engine/net/flows/ns-flow.h"
#include "engine/trace/ns-trace-lookup.h"

#define PID 300
#define BASE G_GUINT64_CONSTANT (0x7ff700000000)
#define IMAGE_BYTES 0x10000

/* Makes operations with one host, each with another code origin: a.dll, b.dll … */
static NsTrace *
make_trace (guint n_modules)
{
  NsTrace *trace = test_trace_new (NS_PER_SECOND);
  guint i;

  for (i = 0; i < n_modules; i++)
    {
      g_autofree char *name = g_strdup_printf ("%c.dll", 'a' + i);
      guint64 frame = BASE + i * IMAGE_BYTES + 0x100;
      NsImageRow *image = test_trace_add (trace->images);
      NsActivityRow *row;

      image->pid = PID;
      image->base = BASE + i * IMAGE_BYTES;
      image->size = IMAGE_BYTES;
      image->name = image->path = ns_strings_add (trace->strings, name);
      image->load_ns = 0;
      image->unload_ns = NS_TIME_OPEN;
      row = test_trace_add_activity (trace, "host.test", i + 1);
      row->pid = PID;
      row->stack = ns_stacks_add (trace->stacks, PID, &frame, 1);
    }
  ns_trace_index_images (trace);
  return trace;
}

static void
assert_code (guint n_modules, const char *expected)
{
  NsTrace *trace = make_trace (n_modules);
  g_autofree guint32 *rows = g_new (guint32, n_modules);
  g_autoptr (NsAudit) audit = NULL;
  guint i;

  for (i = 0; i < n_modules; i++)
    rows[i] = i;
  audit = ns_audit_new (trace, rows, n_modules, NULL, NULL);
  g_assert_cmpuint (ns_audit_get_n_lines (audit), ==, 2);
  for (i = 0; i < 2; i++)
    g_assert_cmpstr (ns_audit_get_line (audit, i)->code, ==, expected);
  g_assert_cmpuint (ns_audit_get_line (audit, 1)->n_rows, ==, n_modules);
  test_trace_free (trace);
}

static void
test_so_many_modules_are_named_only (void)
{
  assert_code (NS_AUDIT_MAX_MODULES, "a.dll, b.dll, c.dll, d.dll");
  assert_code (NS_AUDIT_MAX_MODULES + 1, "a.dll, b.dll, c.dll, d.dll");
}

/* VPN traffic is counted once, as the outer packets. */
static void
test_bytes_in_a_vpn_count_outside (void)
{
  NsTrace *trace = test_trace_new (NS_PER_SECOND);
  const guint32 rows[] = { 0, 1 };
  g_autoptr (NsAudit) audit = NULL;
  guint i;

  for (i = 0; i < 2; i++)
    {
      NsFlowRow *flow = test_trace_add (trace->flows);
      NsActivityRow *row = test_trace_add_activity (trace, i == 0 ? "in.test" : "vpn.test", i + 1);

      if (i == 0)
        ns_flow_need_more (flow, trace->arena)->outer = 2;
      flow->activity = i + 1;
      row->flow = i + 1;
      row->pid = PID;
      row->sent = 100;
      row->received = 10;
    }
  audit = ns_audit_new (trace, rows, 2, NULL, NULL);
  g_assert_cmpuint (ns_audit_get_n_lines (audit), ==, 3);
  g_assert_cmpuint (ns_audit_get_line (audit, 0)->n_rows, ==, 2);
  g_assert_cmpuint (ns_audit_get_line (audit, 0)->sent, ==, 100);
  g_assert_cmpuint (ns_audit_get_line (audit, 0)->received, ==, 10);
  g_assert_cmpstr (ns_audit_get_line (audit, 1)->host, ==, "vpn.test");
  g_assert_cmpuint (ns_audit_get_line (audit, 2)->sent, ==, 0);
  test_trace_free (trace);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/audit/so-many-modules-are-named-only", test_so_many_modules_are_named_only);
  g_test_add_func ("/audit/bytes-in-a-vpn-count-outside", test_bytes_in_a_vpn_count_outside);
  return g_test_run ();
}
