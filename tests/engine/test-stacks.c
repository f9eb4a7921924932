/* Tests the store of stacks, and path names of the kernel.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "engine/system/ns-kernel-paths.h"
#include "engine/trace/ns-stacks.h"

static void
test_equal_stacks_are_one (void)
{
  g_autoptr (NsStacks) stacks = ns_stacks_new ();
  const guint64 frames[] = { 0x1000, 0x2000, 0x3000 };
  const guint64 swapped[] = { 0x2000, 0x1000, 0x3000 };
  const guint64 *got;
  guint n_frames;
  NsStackId first = ns_stacks_add (stacks, 100, frames, 3);

  g_assert_cmpuint (first, !=, 0);
  g_assert_cmpuint (ns_stacks_add (stacks, 100, frames, 3), ==, first);
  g_assert_cmpuint (ns_stacks_add (stacks, 200, frames, 3), !=, first);
  g_assert_cmpuint (ns_stacks_add (stacks, 100, frames, 2), !=, first);
  g_assert_cmpuint (ns_stacks_add (stacks, 100, swapped, 3), !=, first);
  g_assert_cmpuint (ns_stacks_get_size (stacks), ==, 4);

  got = ns_stacks_get (stacks, first, &n_frames);
  g_assert_cmpuint (n_frames, ==, 3);
  g_assert_cmpmem (got, n_frames * sizeof *got, frames, sizeof frames);
  g_assert_cmpuint (ns_stacks_get_pid (stacks, first), ==, 100);
}

static void
test_no_frames_are_no_stack (void)
{
  g_autoptr (NsStacks) stacks = ns_stacks_new ();
  guint n_frames = 7;

  g_assert_cmpuint (ns_stacks_add (stacks, 100, NULL, 0), ==, 0);
  g_assert_null (ns_stacks_get (stacks, 0, &n_frames));
  g_assert_cmpuint (n_frames, ==, 0);
  g_assert_null (ns_stacks_get (stacks, 9, &n_frames));
}

#define MAX_VOLUMES 256

static void
test_volumes_are_so_many_only (void)
{
  g_autoptr (NsKernelPaths) paths = ns_kernel_paths_new ();
  g_autofree char *last = NULL;
  g_autofree char *behind = NULL;
  guint i;

  for (i = 0; i <= MAX_VOLUMES; i++)
    {
      g_autofree char *volume = g_strdup_printf ("\\Device\\Volume%u", i);

      ns_kernel_paths_add_volume (paths, volume, "C:");
    }
  last = ns_kernel_paths_to_dos (paths, "\\Device\\Volume255\\a.exe");
  behind = ns_kernel_paths_to_dos (paths, "\\Device\\Volume256\\a.exe");
  g_assert_cmpstr (last, ==, "C:\\a.exe");
  g_assert_cmpstr (behind, !=, "C:\\a.exe");
}

static void
test_a_million_stacks_stay_small (void)
{
  g_autoptr (NsStacks) stacks = ns_stacks_new ();
  guint64 frames[40];
  guint i;
  guint j;

  for (i = 0; i < 1000000; i++)
    {
      for (j = 0; j < G_N_ELEMENTS (frames); j++)
        frames[j] = 0x7ff800000000 + (guint64) (i % 10000) * 64 + j;
      g_assert_cmpuint (ns_stacks_add (stacks, 1, frames, 40), ==, i % 10000 + 1);
    }
  g_assert_cmpuint (ns_stacks_get_size (stacks), ==, 10000);
  g_assert_cmpuint (ns_stacks_get_bytes (stacks), <, 8 * 1024 * 1024);
}

static void
test_too_many_frames_are_cut (void)
{
  g_autoptr (NsStacks) stacks = ns_stacks_new ();
  g_autofree guint64 *frames = g_new0 (guint64, NS_STACK_MAX_FRAMES + 5);
  guint n_frames;

  ns_stacks_get (stacks, ns_stacks_add (stacks, 1, frames, NS_STACK_MAX_FRAMES + 5), &n_frames);
  g_assert_cmpuint (n_frames, ==, NS_STACK_MAX_FRAMES);
}

static void
assert_dos (const NsKernelPaths *paths, const char *nt, const char *dos)
{
  g_autofree char *got = ns_kernel_paths_to_dos (paths, nt);

  g_assert_cmpstr (got, ==, dos);
}

static void
test_volumes_become_drives (void)
{
  g_autoptr (NsKernelPaths) paths = ns_kernel_paths_new ();

  assert_dos (paths, "\\Device\\HarddiskVolume1\\a.dll", "\\Device\\HarddiskVolume1\\a.dll");
  ns_kernel_paths_add_volume (paths, "\\Device\\HarddiskVolume1", "C:");
  ns_kernel_paths_add_volume (paths, "\\Device\\HarddiskVolume10\\", "D:\\");
  ns_kernel_paths_set_windows (paths, "C:\\Windows");
  assert_dos (paths, "\\Device\\HarddiskVolume1\\x\\a.dll", "C:\\x\\a.dll");
  assert_dos (paths, "\\device\\harddiskvolume10\\a.dll", "D:\\a.dll");
  assert_dos (paths, "\\Device\\HarddiskVolume100\\a.dll", "\\Device\\HarddiskVolume100\\a.dll");
  assert_dos (paths, "\\SystemRoot\\system32\\ntoskrnl.exe", "C:\\Windows\\system32\\ntoskrnl.exe");
  assert_dos (paths, "\\Windows\\System32\\ntdll.dll", "C:\\Windows\\System32\\ntdll.dll");
  assert_dos (paths, "\\??\\E:\\b.exe", "E:\\b.exe");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/stacks/equal-stacks-are-one", test_equal_stacks_are_one);
  g_test_add_func ("/stacks/no-frames-are-no-stack", test_no_frames_are_no_stack);
  g_test_add_func ("/kernel-paths/volumes-are-so-many-only", test_volumes_are_so_many_only);
  g_test_add_func ("/stacks/a-million-stacks-stay-small", test_a_million_stacks_stay_small);
  g_test_add_func ("/stacks/too-many-frames-are-cut", test_too_many_frames_are_cut);
  g_test_add_func ("/kernel-paths/volumes-become-drives", test_volumes_become_drives);
  return g_test_run ();
}
