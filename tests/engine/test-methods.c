/* Tests code outside images: JIT-compiled .NET and script methods, by address and time.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/trace/ns-methods.h"
#include "stitch-fixture.h"

#define PID 100
#define NS_OF_MS 1000000
#define NO_MODULE 0

static const NsGuid clr =
    NS_GUID_INIT (0xe13c0d23, 0xccbc, 0x4e12, 0x93, 0x1b, 0xd9, 0xcc, 0x2e, 0xee, 0x27, 0xe4);
static const NsGuid clr_rundown =
    NS_GUID_INIT (0xa669021c, 0xc450, 0x4609, 0xa0, 0x35, 0x5a, 0xf5, 0x9a, 0xf4, 0xdf, 0x18);
static const NsGuid script =
    NS_GUID_INIT (0x57277741, 0x3638, 0x4a4b, 0xbd, 0xba, 0x0a, 0xc6, 0xe4, 0x5d, 0xa5, 0x6c);

typedef struct
{
  NsEtlWriter *writer;
  GByteArray *payload;
} Fixture;

static void
set_up (Fixture *self)
{
  static const NsEtlWriterOptions options = { 0 };

  self->writer = ns_etl_writer_new (&options);
  self->payload = g_byte_array_new ();
}

/* Writes the event with the collected payload and starts a new payload. */
static void
add (Fixture *self, guint ms, const NsGuid *provider, guint16 id)
{
  NsEtlWriterEvent event = {
    .raw = ns_etl_writer_get_base_raw (self->writer) + ms * STITCH_MS,
    .guid = *provider,
    .id = id,
    .version = 1,
    .pid = PID,
    .tid = 7,
    .payload = self->payload,
  };

  g_assert_true (ns_etl_writer_add_event (self->writer, &event));
  g_byte_array_set_size (self->payload, 0);
}

static void
add_method (Fixture *self,
            guint ms,
            const NsGuid *provider,
            guint16 id,
            guint64 module,
            guint64 start,
            guint32 size,
            const char *name)
{
  ns_etl_bytes_u64 (self->payload, 0x7777);
  ns_etl_bytes_u64 (self->payload, module);
  ns_etl_bytes_u64 (self->payload, start);
  ns_etl_bytes_u32 (self->payload, size);
  ns_etl_bytes_u32 (self->payload, 0x6000001);
  ns_etl_bytes_u32 (self->payload, 8);
  ns_etl_bytes_wstr (self->payload, "Shop.Cart");
  ns_etl_bytes_wstr (self->payload, name);
  ns_etl_bytes_wstr (self->payload, "void ()");
  ns_etl_bytes_u16 (self->payload, 9);
  add (self, ms, provider, id);
}

static void
add_module (Fixture *self, guint ms, const NsGuid *provider, guint16 id, guint64 module)
{
  ns_etl_bytes_u64 (self->payload, module);
  ns_etl_bytes_zero (self->payload, 16);
  ns_etl_bytes_wstr (self->payload, "C:\\shop\\Shop.Core.dll");
  ns_etl_bytes_wstr (self->payload, "");
  add (self, ms, provider, id);
}

static void
add_script (Fixture *self,
            guint ms,
            guint16 id,
            guint64 source,
            guint64 start,
            guint64 size,
            guint32 line,
            const char *name)
{
  ns_etl_bytes_u64 (self->payload, 0x5555);
  ns_etl_bytes_u64 (self->payload, start);
  ns_etl_bytes_u64 (self->payload, size);
  ns_etl_bytes_u32 (self->payload, 1);
  ns_etl_bytes_u32 (self->payload, 0);
  ns_etl_bytes_u64 (self->payload, source);
  ns_etl_bytes_u32 (self->payload, line);
  ns_etl_bytes_u32 (self->payload, 1);
  ns_etl_bytes_wstr (self->payload, name);
  add (self, ms, &script, id);
}

static void
add_source (Fixture *self, guint ms, guint64 source, const char *address)
{
  ns_etl_bytes_u64 (self->payload, source);
  ns_etl_bytes_u64 (self->payload, 0x5555);
  ns_etl_bytes_u32 (self->payload, 0);
  ns_etl_bytes_wstr (self->payload, address);
  add (self, ms, &script, 41);
}

static NsTrace *
finish (Fixture *self)
{
  NsTrace *trace = stitch_trace_from_writer (self->writer);

  g_byte_array_unref (self->payload);
  ns_etl_writer_free (self->writer);
  return trace;
}

static void
assert_frame (const NsTrace *trace, guint ms, guint64 address, const char *wanted)
{
  g_autofree char *text = ns_trace_frame_to_text (trace, PID, address, (gint64) ms * NS_OF_MS);

  g_assert_cmpstr (text, ==, wanted);
}

static void
test_a_compiled_method_has_a_name (void)
{
  Fixture self;
  NsTrace *trace;

  set_up (&self);
  add_method (&self, 1, &clr, 143, 0x44, 0x7ff000001000, 0x80, "Pay");
  /* The module event may come after its methods. */
  add_module (&self, 2, &clr, 152, 0x44);
  add_method (&self, 3, &clr, 143, NO_MODULE, 0x7ff000002000, 0x10, "Stub");
  trace = finish (&self);
  assert_frame (trace, 5, 0x7ff000001000, "Shop.Core!Shop.Cart.Pay+0x0");
  assert_frame (trace, 5, 0x7ff00000107f, "Shop.Core!Shop.Cart.Pay+0x7f");
  assert_frame (trace, 5, 0x7ff000001080, "0x7ff000001080");
  assert_frame (trace, 5, 0x7ff000000fff, "0x7ff000000fff");
  assert_frame (trace, 5, 0x7ff000002001, "Shop.Cart.Stub+0x1");
  ns_trace_unref (trace);
}

/* Maximum number of methods that are tried for an address (ns-methods.c). */
#define MAX_STEPS 512

/* The lookup tries at most MAX_STEPS methods with a higher start before the method that contains
 * the address. */
static void
test_methods_are_searched_so_far_only (void)
{
  guint n;

  for (n = MAX_STEPS - 1; n <= MAX_STEPS; n++)
    {
      Fixture self;
      NsTrace *trace;
      guint i;

      set_up (&self);
      add_method (&self, 1, &clr, 143, NO_MODULE, 0x10000000, 0x1000000, "All");
      for (i = 0; i < n; i++)
        add_method (&self, 2, &clr, 143, NO_MODULE, 0x10100000 + i * 0x100, 0x10, "One");
      trace = finish (&self);
      assert_frame (trace, 5, 0x10ff0000, n < MAX_STEPS ? "Shop.Cart.All+0xff0000" : "0x10ff0000");
      ns_trace_unref (trace);
    }
}

static void
test_the_newest_code_at_that_time_is_the_one (void)
{
  Fixture self;
  NsTrace *trace;

  set_up (&self);
  add_method (&self, 1, &clr, 143, NO_MODULE, 0x1000, 0x80, "First");
  add_method (&self, 5, &clr, 144, NO_MODULE, 0x1000, 0x80, "First");
  add_method (&self, 7, &clr, 143, NO_MODULE, 0x1000, 0x40, "Second");
  /* Another method at the same address, without an unload event of the first one. */
  add_method (&self, 9, &clr, 143, NO_MODULE, 0x1000, 0x60, "Third");
  /* Overlaps the second half of a method that is still loaded. */
  add_method (&self, 11, &clr, 143, NO_MODULE, 0x1030, 0x30, "Over");
  trace = finish (&self);
  assert_frame (trace, 3, 0x1010, "Shop.Cart.First+0x10");
  assert_frame (trace, 8, 0x1010, "Shop.Cart.Second+0x10");
  assert_frame (trace, 10, 0x1010, "Shop.Cart.Third+0x10");
  assert_frame (trace, 10, 0x1035, "Shop.Cart.Third+0x35");
  assert_frame (trace, 12, 0x1035, "Shop.Cart.Over+0x5");
  /* The nearest in time, if there is none at the time itself. */
  assert_frame (trace, 6, 0x1070, "Shop.Cart.First+0x70");
  ns_trace_unref (trace);
}

static void
test_a_rundown_tells_what_was_there (void)
{
  Fixture self;
  NsTrace *trace;

  set_up (&self);
  add_method (&self, 4, &clr, 143, 0x44, 0x3000, 0x20, "Late");
  add_method (&self, 5, &clr_rundown, 143, 0x44, 0x4000, 0x20, "Early");
  add_method (&self, 9, &clr_rundown, 144, 0x44, 0x2000, 0x20, "Old");
  add_method (&self, 9, &clr_rundown, 144, 0x44, 0x3000, 0x20, "Late");
  add_module (&self, 9, &clr_rundown, 154, 0x44);
  trace = finish (&self);
  g_assert_cmpuint (trace->methods->len, ==, 3);
  assert_frame (trace, 1, 0x2004, "Shop.Core!Shop.Cart.Old+0x4");
  assert_frame (trace, 6, 0x3004, "Shop.Core!Shop.Cart.Late+0x4");
  assert_frame (trace, 1, 0x4004, "Shop.Core!Shop.Cart.Early+0x4");
  ns_trace_unref (trace);
}

static void
test_a_script_has_a_function_and_a_line (void)
{
  Fixture self;
  NsTrace *trace;

  set_up (&self);
  add_source (&self, 1, 3, "https://shop.example.com/js/cart.js?v=7");
  add_script (&self, 2, 9, 3, 0x5010100, 0x40, 12, "total");
  add_script (&self, 2, 9, 99, 0x5010200, 0x40, 1, "");
  trace = finish (&self);
  assert_frame (trace, 5, 0x5010110, "total (cart.js:12)");
  assert_frame (trace, 5, 0x5010210, "(anonymous)");
  /* An address among compiled scripts, and one elsewhere. */
  assert_frame (trace, 5, 0x5010180, "[JS] 0x5010180");
  assert_frame (trace, 5, 0x5020180, "0x5020180");
  ns_trace_unref (trace);
}

static void
test_another_process_has_its_own_code (void)
{
  Fixture self;
  NsTrace *trace;
  g_autofree char *text = NULL;

  set_up (&self);
  add_method (&self, 1, &clr, 143, NO_MODULE, 0x1000, 0x80, "Mine");
  trace = finish (&self);
  text = ns_trace_frame_to_text (trace, PID + 1, 0x1010, 5 * NS_OF_MS);
  g_assert_cmpstr (text, ==, "0x1010");
  ns_trace_unref (trace);
}

/* Truncated payloads; sizes and addresses that overflow. */
static void
test_any_payload_is_survived (void)
{
  Fixture self;
  NsTrace *trace;
  guint n;

  set_up (&self);
  for (n = 0; n < 60; n++)
    {
      ns_etl_bytes_zero (self.payload, n);
      add (&self, 1, &clr, 143);
      ns_etl_bytes_zero (self.payload, n);
      add (&self, 1, &clr, 152);
      ns_etl_bytes_zero (self.payload, n);
      add (&self, 1, &script, 9);
      ns_etl_bytes_zero (self.payload, n);
      add (&self, 1, &script, 41);
    }
  add_method (&self, 2, &clr, 143, NO_MODULE, G_MAXUINT64 - 3, 0x80, "Wraps");
  add_script (&self, 2, 9, 3, 0x1000, G_MAXUINT64, 1, "Huge");
  trace = finish (&self);
  g_assert_cmpuint (trace->methods->len, ==, 0);
  ns_trace_unref (trace);
}

/* Numbers of methods and of stack frames inside methods in these traces. */
static void
test_real_traces_name_their_managed_frames (void)
{
  static const struct
  {
    const char *name;
    guint n_methods;
    guint n_frames;
    const char *frame;
  } files[] = {
    { "net.4.5.2.x64.etl", 16990, 9800, "PerfView!PerfView.CommandProcessor.Collect+0x152" },
    { "net.4.5.2.x86.etl", 14064, 16954, "PerfView!PerfView.CommandProcessor.Start+0x735" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autofree char *path =
          g_build_filename (g_getenv ("NETSTITCH_TEST_TRACES"), files[i].name, NULL);
      g_autoptr (NsTrace) trace = ns_trace_open (path, NULL, NULL, NULL, NULL);
      gboolean is_seen = FALSE;
      guint n_frames = 0;

      if (trace == NULL)
        {
          g_test_skip ("the real traces are not here");
          return;
        }
      for (NsStackId stack = 1; stack <= ns_stacks_get_size (trace->stacks); stack++)
        {
          guint32 pid = ns_stacks_get_pid (trace->stacks, stack);
          guint n;
          const guint64 *frames = ns_stacks_get (trace->stacks, stack, &n);

          for (guint k = 0; k < n; k++)
            {
              g_autofree char *text = NULL;

              if (ns_methods_find (trace, pid, frames[k], trace->end_ns / 2) == NULL)
                continue;
              n_frames++;
              if (is_seen)
                continue;
              text = ns_trace_frame_to_text (trace, pid, frames[k], trace->end_ns / 2);
              is_seen = strcmp (text, files[i].frame) == 0;
            }
        }
      g_assert_cmpuint (trace->methods->len, ==, files[i].n_methods);
      g_assert_cmpuint (n_frames, ==, files[i].n_frames);
      g_assert_true (is_seen);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/methods/methods-are-searched-so-far-only",
                   test_methods_are_searched_so_far_only);
  g_test_add_func ("/methods/a-compiled-method-has-a-name", test_a_compiled_method_has_a_name);
  g_test_add_func ("/methods/the-newest-code-at-that-time-is-the-one",
                   test_the_newest_code_at_that_time_is_the_one);
  g_test_add_func ("/methods/a-rundown-tells-what-was-there", test_a_rundown_tells_what_was_there);
  g_test_add_func ("/methods/a-script-has-a-function-and-a-line",
                   test_a_script_has_a_function_and_a_line);
  g_test_add_func ("/methods/another-process-has-its-own-code",
                   test_another_process_has_its_own_code);
  g_test_add_func ("/methods/any-payload-is-survived", test_any_payload_is_survived);
  g_test_add_func ("/methods/real-traces-name-their-managed-frames",
                   test_real_traces_name_their_managed_frames);
  return g_test_run ();
}
