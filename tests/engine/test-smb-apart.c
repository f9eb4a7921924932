/* Tests the SMB client when two processes use equal IDs at the same time.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/app/smb/ns-smb.h"

#include "story.h"

#define VC P (0xffffd10000001000)
#define VC_OTHER P (0xffffd10000002000)
#define RX P (0xffffd10000003000)
#define EXCHANGE P (0xffffd10000005000)
#define EXCHANGE_OTHER P (0xffffd10000006000)
#define SESSION P (0x400000000011)
#define TREE 5
#define MESSAGE P (7)
#define MS 1000000

static const NsSmbRow *
smb_row (const NsTrace *trace, guint n)
{
  g_assert_cmpuint (trace->smb->len, >, n);
  return &g_array_index (trace->smb, NsSmbRow, n);
}

static void
set_process (Story *story, guint32 pid, guint32 tid)
{
  story->pid = pid;
  story->tid = tid;
}

static void
report_send (Story *story, double ms, guint64 vc, const char *command)
{
  story_write (story,
               ms,
               STORY_SMB,
               30406,
               "daqqdhhdp",
               1,
               command,
               MESSAGE,
               SESSION,
               TREE,
               1,
               1,
               120,
               vc);
}

/* Writes a response, which arrives on a system thread whichever process sent the request. */
static void
report_answer (Story *story, double ms, guint64 vc, guint32 status)
{
  set_process (story, 4, 28);
  story_write (story,
               ms,
               STORY_SMB,
               30407,
               "aqqqdhdp",
               "Read",
               MESSAGE,
               P (0),
               SESSION,
               TREE,
               1,
               status,
               vc);
}

/* Two connections use equal message, session and share IDs. */
static void
test_commands_of_two_processes_are_told_apart (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  set_process (story, 100, 40);
  report_send (story, 10, VC, "Read");
  set_process (story, 101, 41);
  report_send (story, 11, VC_OTHER, "Write");
  report_answer (story, 15, VC_OTHER, 0xc0000022);
  report_answer (story, 20, VC, 0);
  trace = story_open (story, 100);

  g_assert_cmpuint (trace->smb->len, ==, 2);
  g_assert_cmpuint (smb_row (trace, 0)->layer.pid, ==, 100);
  g_assert_cmpint (smb_row (trace, 0)->layer.close_ns, ==, 20 * MS);
  g_assert_cmpint (smb_row (trace, 0)->layer.status, ==, 0);
  story_assert_text (trace, smb_row (trace, 0)->command, "Read");
  g_assert_cmpuint (smb_row (trace, 1)->layer.pid, ==, 101);
  g_assert_cmpint (smb_row (trace, 1)->layer.close_ns, ==, 15 * MS);
  g_assert_cmpint (smb_row (trace, 1)->layer.status, ==, 0xc0000022);
  story_assert_text (trace, smb_row (trace, 1)->command, "Write");
}

/* Contexts are kernel addresses: if another process uses one, it is a new operation. */
static void
test_a_context_goes_to_another_process (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  set_process (story, 100, 40);
  story_write (story, 10, STORY_SMB, 32004, "qUbb", RX, "\\srv\\a\\x", 3, 0);
  report_send (story, 11, VC, "Read");
  story_write (story, 12, STORY_SMB, 30103, "ppp", RX, EXCHANGE, P (0));
  set_process (story, 101, 41);
  story_write (story, 20, STORY_SMB, 32004, "qUbb", RX, "\\srv\\a\\y", 4, 0);
  report_send (story, 21, VC_OTHER, "Write");
  story_write (story, 22, STORY_SMB, 30103, "ppp", RX, EXCHANGE_OTHER, P (0));
  /* The first thread starts another operation. */
  set_process (story, 100, 40);
  report_answer (story, 25, VC_OTHER, 0);
  set_process (story, 101, 41);
  story_write (story, 26, STORY_SMB, 30104, "ppdd", RX, EXCHANGE_OTHER, 0, 0xc0000043);
  trace = story_open (story, 100);

  g_assert_cmpuint (trace->smb->len, ==, 4);
  g_assert_cmpuint (smb_row (trace, 0)->layer.pid, ==, 100);
  g_assert_cmpint (smb_row (trace, 0)->layer.close_ns, ==, 20 * MS - 1);
  g_assert_cmpint (smb_row (trace, 0)->layer.status, ==, NS_UNKNOWN);
  g_assert_cmpuint (smb_row (trace, 0)->n_commands, ==, 1);
  g_assert_cmpuint (smb_row (trace, 1)->parent, ==, 1);
  g_assert_cmpint (smb_row (trace, 1)->layer.close_ns, ==, NS_TIME_OPEN);
  g_assert_cmpuint (smb_row (trace, 2)->layer.pid, ==, 101);
  g_assert_cmpint (smb_row (trace, 2)->layer.status, ==, 0xc0000043);
  g_assert_cmpint (smb_row (trace, 2)->layer.close_ns, ==, 26 * MS);
  g_assert_cmpuint (smb_row (trace, 2)->n_commands, ==, 1);
  g_assert_cmpuint (smb_row (trace, 3)->parent, ==, 3);
  g_assert_cmpint (smb_row (trace, 3)->layer.close_ns, ==, 25 * MS);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/smb-apart/commands-of-two-processes-are-told-apart",
                   test_commands_of_two_processes_are_told_apart);
  g_test_add_func ("/smb-apart/a-context-goes-to-another-process",
                   test_a_context_goes_to_another_process);
  return g_test_run ();
}
