/* Tests the replacement of names in exported rows.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ns-test-trace.h"

#include "export/ns-export-table.h"
#include "export/ns-redact-headers.h"
#include "export/ns-redact-names.h"
#include "export/ns-redact.h"

#include <string.h>

/* Puts each match in brackets with the initial of its kind; plain words are omitted. */
static char *
mark (const char *text)
{
  static const char letters[] = "saput";
  g_autoptr (GArray) spans = g_array_new (FALSE, FALSE, sizeof (NsRedactSpan));
  GString *out = g_string_new (NULL);
  gsize from = 0;
  guint i;

  ns_redact_scan (text, spans);
  for (i = 0; i < spans->len; i++)
    {
      const NsRedactSpan *span = &g_array_index (spans, NsRedactSpan, i);

      g_assert_cmpuint (span->begin, >=, from);
      g_assert_cmpuint (span->end, >, span->begin);
      g_assert_cmpuint (span->end, <=, strlen (text));
      if (span->kind == NS_REDACT_WORD)
        continue;
      g_string_append_len (out, text + from, (gssize) (span->begin - from));
      g_string_append_printf (out,
                              "[%c:%.*s]",
                              letters[span->kind],
                              (int) (span->end - span->begin),
                              text + span->begin);
      from = span->end;
    }
  g_string_append (out, text + from);
  return g_string_free (out, FALSE);
}

static void
test_forms_are_recognized (void)
{
  static const char *const expected[][2] = {
    { "https://a.example:8443/x/y?z=1#q then", "https://[s:a.example]:8443/[p:x/y?z=1#q] then" },
    { "http://bob@[fe80::1%3]/", "http://[u:bob]@[[a:fe80::1]%3]/" },
    { "ws://10.1.2.3", "ws://[a:10.1.2.3]" },
    { "to 10.1.2.3:443, ::1.", "to [a:10.1.2.3]:443, [a:::1]." },
    { "[2001:db8::5]:80", "[[a:2001:db8::5]]:80" },
    { "at 12:30:45 in 1.2.3.4.5", "at 12:30:45 in 1.2.3.4.5" },
    { "std::vector<int>", "std::vector<int>" },
    { "mail to ann.b@corp.example!", "mail to [u:ann.b@corp.example]!" },
    { "\"C:\\Program Files\\A B\\c.exe\" /q", "\"[p:C:\\Program Files\\A B]\\c.exe\" /q" },
    { "\\\\fs1\\share\\x.txt", "[p:\\\\fs1\\share\\x.txt]" },
    { "\\??\\D:\\Users\\bob\\n.docx is open", "[p:\\??\\D:\\Users\\bob\\n.docx] is open" },
    { "CORP\\bob did", "[p:CORP\\bob] did" },
    { "file:///C:/Users/bob/a.txt", "file:///[p:C:/Users/bob/a.txt]" },
    { "a.dll!Sync<int>+0x10", "a.dll!Sync<int>+0x10" },
    { "a \\ b", "a \\ b" },
    { "(see https://a.example.)", "(see https://[s:a.example].)" },
    { "http://fe80::1/x", "http://[a:fe80::1]/[p:x]" },
    { "http://a.example:secret/x", "http://[s:a.example:secret]/[p:x]" },
    { "of S-1-5-21-1-2-3-1001, not S-1-5-18", "of [u:S-1-5-21-1-2-3-1001], not S-1-5-18" },
    { "in /home/bob/x.txt; TCP/IP, 3 KB/s, /q", "in [p:/home/bob/x.txt]; TCP/IP, 3 KB/s, /q" },
    { "of //fs1/share/x", "of [p://fs1/share/x]" },
    { "search (cn=*smith*) below DC=corp,DC=test took",
      "search [t:(cn=*smith*)] below [t:DC=corp,DC=test] took" },
    { "(&(objectClass=user)(!(cn=a))) and (a = b)",
      "[t:(&(objectClass=user)(!(cn=a)))] and (a = b)" },
    { "CN=John Smith,OU=Sales team,DC=x is", "[t:CN=John Smith,OU=Sales team,DC=x] is" },
    { "(times: 1) (cn=open", "(times: 1) ([t:cn=open]" },
    { "count=3, l (x)", "count=3, l (x)" },
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (expected); i++)
    {
      g_autofree char *marked = mark (expected[i][0]);

      g_assert_cmpstr (marked, ==, expected[i][1]);
    }
}

/* For any text, matches are ordered and within bounds, which mark() asserts. */
static void
test_any_text_can_be_scanned (void)
{
  static const char *const pieces[] = { "/", "\\", ":",   ".",  "a",    "1", " ",    "@",
                                        "[", "]",  "%",   "::", "://",  "?", "C:\\", "S-1-5-21-",
                                        "é", ",",  "f80", "(",  ".dll", "~", "\t",   "10.1.2.3" };
  g_autoptr (GArray) spans = g_array_new (FALSE, FALSE, sizeof (NsRedactSpan));
  guint i;

  for (i = 0; i < 20000; i++)
    {
      g_autoptr (GString) text = g_string_new (NULL);
      g_autofree char *marked = NULL;
      gint n = g_test_rand_int_range (0, 14);

      while (n-- > 0)
        g_string_append (text, pieces[g_test_rand_int_range (0, G_N_ELEMENTS (pieces))]);
      marked = mark (text->str);
      g_assert_cmpuint (strlen (marked), >=, text->len);
      if (ns_redact_scan_url (text->str, spans) && spans->len > 0)
        g_assert_cmpuint (g_array_index (spans, NsRedactSpan, spans->len - 1).end, <=, text->len);
    }
}

/* Texts of the maximum length in which a search could restart at each character. */
static void
test_no_text_takes_long (void)
{
  static const char *const pieces[] = { ":",     "\\ ",  "a ",     "::", "C:\\",
                                        "://",   "a@",   "\\??\\", "/",  "/a",
                                        "x/a/,", "a.b/", "/a/ ",   "[",  "a://b." };
  g_autoptr (GArray) spans = g_array_new (FALSE, FALSE, sizeof (NsRedactSpan));
  guint i;

  for (i = 0; i < G_N_ELEMENTS (pieces); i++)
    {
      g_autofree char *text = g_strnfill (1 << 20, 'x');
      gsize size = strlen (pieces[i]);
      gsize at;

      for (at = 0; at + size < 1 << 20; at += size)
        memcpy (text + at, pieces[i], size);
      ns_redact_scan (text, spans);
      g_assert_cmpuint (spans->len, <=, 1 << 20);
    }
}

static NsTrace *
make_trace (void)
{
  NsTrace *trace = test_trace_new (20000000000);
  NsActivityRow *row = test_trace_add_activity (trace, "mail.corp.example", 1);

  row->url = ns_strings_add (trace->strings, "https://mail.corp.example/inbox/bob");
  row->remote = test_trace_end (trace, "10.20.30.40", 443);
  row = test_trace_add_activity (trace, "Files", 2);
  row->status = ns_strings_add (trace->strings,
                                "sent on to eu.mail.corp.example, files and FILES, not filesystem");
  row->remote = test_trace_end (trace, "127.0.0.1", 80);
  row = test_trace_add_activity (trace, "MAIL.corp.example", 3);
  row->remote = test_trace_end (trace, "10.20.30.41", 80);
  return trace;
}

/* Exports the fields of all activities without names. */
static char *
redact (const NsTrace *trace, const char *columns)
{
  g_autoptr (GPtrArray) fields = ns_export_parse_columns (NS_TABLE_ACTIVITIES, columns, NULL);
  NsExportRows rows = { .trace = trace,
                        .table = NS_TABLE_ACTIVITIES,
                        .n_rows = trace->activities->len,
                        .fields = (const NsField *const *) fields->pdata,
                        .n_fields = fields->len };
  g_autoptr (NsRedact) names = ns_redact_new (&rows, NULL);
  NsExportOptions options = { .format = NS_EXPORT_TSV, .redact = names };
  char *text = ns_export_table_to_text (&rows, &options);

  return text;
}

static NsExportRows
get_rows (const NsTrace *trace, GPtrArray *fields)
{
  return (NsExportRows){ .trace = trace,
                         .table = NS_TABLE_ACTIVITIES,
                         .n_rows = trace->activities->len,
                         .fields = (const NsField *const *) fields->pdata,
                         .n_fields = fields->len };
}

static void
test_names_have_stand_ins_everywhere (void)
{
  NsTrace *trace = make_trace ();
  g_autoptr (GPtrArray) fields =
      ns_export_parse_columns (NS_TABLE_ACTIVITIES, "server,url,status,ip,ip_port,port", NULL);
  NsExportRows rows = get_rows (trace, fields);
  g_autoptr (NsRedact) redact = ns_redact_new (&rows, NULL);
  NsExportOptions options = { .format = NS_EXPORT_TSV, .redact = redact };
  g_autofree char *text = ns_export_table_to_text (&rows, &options);

  g_assert_cmpstr (text,
                   ==,
                   "server\turl\tstatus\tip\tip_port\tport\n"
                   "server-1\thttps://server-1/path-1\t\taddress-1\taddress-1:443\t443\n"
                   "server-2\t\tsent on to server-3, server-2 and server-2, not filesystem\t"
                   "127.0.0.1\t127.0.0.1:80\t80\n"
                   "server-1\t\t\taddress-2\taddress-2:80\t80\n");
  test_trace_free (trace);
}

/* The preview of the window equals the result. */
static void
test_what_is_replaced_is_told_and_counted (void)
{
  NsTrace *trace = make_trace ();
  g_autoptr (GPtrArray) fields = ns_export_parse_columns (NS_TABLE_ACTIVITIES, "server,ip", NULL);
  NsExportRows rows = get_rows (trace, fields);
  g_autoptr (NsRedact) redact = ns_redact_new (&rows, NULL);
  const GPtrArray *servers = ns_redact_get_names (redact, NS_REDACT_SERVER);
  const NsRedactName *first = g_ptr_array_index (servers, 0);

  g_assert_cmpuint (servers->len, ==, 2);
  g_assert_cmpstr (first->text, ==, "mail.corp.example");
  g_assert_cmpstr (first->stand_in, ==, "server-1");
  g_assert_cmpuint (first->n_places, ==, 2);
  g_assert_cmpuint (ns_redact_get_names (redact, NS_REDACT_ADDRESS)->len, ==, 2);
  g_assert_cmpuint (ns_redact_get_names (redact, NS_REDACT_PATH)->len, ==, 0);
  test_trace_free (trace);
}

/* No pseudonym equals a name in the file. */
static void
test_no_stand_in_is_a_name (void)
{
  static const char *const servers[] = { "a.example", "server-2", "b.example", "Server-3" };
  NsTrace *trace = test_trace_new (20000000000);
  g_autofree char *text = NULL;
  guint i;

  for (i = 0; i < G_N_ELEMENTS (servers); i++)
    test_trace_add_activity (trace, servers[i], i + 1);
  text = redact (trace, "server");
  g_assert_cmpstr (text, ==, "server\nserver-1\nserver-4\nserver-5\nserver-6\n");
  test_trace_free (trace);
}

/* The query of a URL may contain characters that end a URL in running text. */
static void
test_urls_are_replaced_to_their_end (void)
{
  static const char *const urls[] = {
    "https://a.example/My Documents/Pay of Ann.docx?x=1 2",
    "https://a.example/it's <this> \"here\"",
    "https://ann secret:word@a.example/",
    "file://fs1/C:/Users/ann/x y.txt",
  };
  NsTrace *trace = test_trace_new (20000000000);
  g_autofree char *text = NULL;
  NsActivityRow *row;
  guint i;

  for (i = 0; i < G_N_ELEMENTS (urls); i++)
    test_trace_add_activity (trace, "a.example", i + 1)->url =
        ns_strings_add (trace->strings, urls[i]);
  row = test_trace_add_activity (trace, "a.example", i + 1);
  row->status =
      ns_strings_add (trace->strings,
                      "a.example:443/My Documents/Pay of Ann.docx was not there, a.example/x was.");
  text = redact (trace, "url,status");
  g_assert_cmpstr (text,
                   ==,
                   "url\tstatus\n"
                   "https://server-1/path-2\t\n"
                   "https://server-1/path-3\t\n"
                   "https://user-1@server-1/\t\n"
                   "file://server-2/path-4\t\n"
                   "\tserver-1:443/path-1 was not there, server-1/path-5 was.\n");
  test_trace_free (trace);
}

/* Names of folders and people may contain spaces and commas. */
static void
test_folders_are_replaced_to_their_end (void)
{
  NsTrace *trace = test_trace_new (20000000000);
  NsProcessRow process = { .path =
                               ns_strings_add (trace->strings, "C:\\Users\\Doe, Ann B\\my app.exe"),
                           .pid = 7 };
  g_autofree char *text = NULL;

  g_array_append_val (trace->processes, process);
  process.path = ns_strings_add (trace->strings, "/home/carl/a program");
  g_array_append_val (trace->processes, process);
  test_trace_add_activity (trace, "a.example", 1)->status =
      ns_strings_add (trace->strings, "C:\\Users\\Doe, Ann B\\my app.exe said no to carl");
  text = redact (trace, "status");
  g_assert_cmpstr (text, ==, "status\npath-1\\my app.exe said no to user-2\n");
  test_trace_free (trace);
}

/* A row may contain a name that is only listed in a later row. */
static void
test_names_that_come_late_are_listed (void)
{
  NsTrace *trace = test_trace_new (20000000000);
  g_autoptr (GPtrArray) fields = ns_export_parse_columns (NS_TABLE_ACTIVITIES, "status", NULL);
  g_autoptr (NsRedact) names = NULL;
  const NsRedactName *user;
  NsExportRows rows;

  test_trace_add_activity (trace, "a.example", 1)->status =
      ns_strings_add (trace->strings, "carl was not let in");
  test_trace_add_activity (trace, "a.example", 2)->status =
      ns_strings_add (trace->strings, "C:\\Users\\carl\\key.txt is missing");
  rows = get_rows (trace, fields);
  names = ns_redact_new (&rows, NULL);
  g_assert_cmpuint (ns_redact_get_names (names, NS_REDACT_USER)->len, ==, 1);
  user = g_ptr_array_index (ns_redact_get_names (names, NS_REDACT_USER), 0);
  g_assert_cmpstr (user->text, ==, "carl");
  g_assert_cmpuint (user->n_places, ==, 1);
  test_trace_free (trace);
}

/* Asserts the redaction of @sentence for a trace with these hosts and this folder. */
static void
assert_told (const char *sentence, const char *wanted)
{
  NsTrace *trace = test_trace_new (20000000000);
  NsProcessRow process = { .path = ns_strings_add (trace->strings, "C:\\Users\\Ann Doeberg\\a.exe"),
                           .pid = 7 };
  g_autofree char *all = NULL;
  g_autofree char *expected = NULL;

  g_array_append_val (trace->processes, process);
  process.path = ns_strings_add (trace->strings, "\\\\nas7\\tools\\b.exe");
  g_array_append_val (trace->processes, process);
  test_trace_add_activity (trace, "fs01.corp.example", 1);
  test_trace_add_activity (trace, "zeus.corp.example", 2);
  test_trace_add_activity (trace, "mail.corp.example", 3);
  test_trace_add_activity (trace, "dc.corp.example", 4)->status =
      ns_strings_add (trace->strings, sentence);
  all = redact (trace, "status");
  expected = g_strdup_printf ("status\n\n\n\n%s\n", wanted);
  g_assert_cmpstr (all, ==, expected);
  test_trace_free (trace);
}

/* Sentences use the short name of a host, the trace its full name. */
static void
test_short_names_of_hosts_are_replaced (void)
{
  assert_told ("FS01 and zeus, not fs011 or zeuses", "server-1 and server-2, not fs011 or zeuses");
  assert_told ("(fs01) \"Zeus\" fs01:445", "(server-1) \"server-2\" server-1:445");
  /* Common words are replaced only where a host name is expected. */
  assert_told ("mail was sent; DC power, e-mail", "mail was sent; DC power, e-mail");
  assert_told ("server mail, host: dc, mail:25, computer 'MAIL'",
               "server server-3, host: server-4, server-3:25, computer 'server-3'");
  /* Function names are no hosts. */
  assert_told ("app.exe!zeus::Run zeus::Run zeus(1)", "app.exe!zeus::Run zeus::Run zeus(1)");
  /* Paths of files. */
  assert_told ("\\\\fs01\\share\\x.txt, \\\\zeus is gone", "path-3, path-4 is gone");
  assert_told ("nas7 did not answer", "server-5 did not answer");
}

/* User names and folders in sentences are replaced, too. */
static void
test_people_are_replaced_in_sentences (void)
{
  assert_told ("Ann Doeberg was not let in", "user-1 was not let in");
  assert_told ("for ANN DOEBERG, Doeberg and Ann", "for user-1, user-1 and Ann");
  assert_told ("Ann Doebergs, doeberg", "Ann Doebergs, doeberg");
}

/* In a large company no single part of these names is long enough to be identifying. */
static void
test_everybody_of_one_first_name_is_known (void)
{
  const guint n_people = 600;
  NsRedactNames *names = ns_redact_names_new ();
  NsRedactName *longer;
  gsize end = 3;
  guint i;

  for (i = 0; i < n_people; i++)
    {
      char text[] = "Ann Aaa";

      text[5] = (char) ('a' + i / 26);
      text[6] = (char) ('a' + i % 26);
      ns_redact_names_add (names, NS_REDACT_USER, text, strlen (text));
    }
  longer = ns_redact_names_add (names, NS_REDACT_USER, "Ann Aab Roy", strlen ("Ann Aab Roy"));
  ns_redact_names_close (names);
  for (i = 0; i < n_people; i++)
    {
      char text[] = "ANN Aaa is away";

      end = 3;
      text[5] = (char) ('a' + i / 26);
      text[6] = (char) ('a' + i % 26);
      g_assert_nonnull (ns_redact_names_find_short (names, text, 0, &end));
      g_assert_cmpuint (end, ==, strlen ("Ann Aaa"));
    }
  /* The longest name wins. */
  end = 3;
  g_assert_true (ns_redact_names_find_short (names, "Ann Aab Roy", 0, &end) == longer);
  g_assert_cmpuint (end, ==, strlen ("Ann Aab Roy"));
  end = 3;
  g_assert_null (ns_redact_names_find_short (names, "Ann Aabc", 0, &end));
  end = 3;
  g_assert_null (ns_redact_names_find_short (names, "Ann", 0, &end));
  ns_redact_names_free (names);
}

static void
test_headers_stay_when_every_word_is_known (void)
{
  static const char *const kept[][2] = {
    { "Content-Type", "text/html; charset=UTF-8" },
    { "cache-control", "no-store, max-age=0" },
    { "Date", "Sun, 06 Nov 1994 08:49:37 GMT" },
    { "ACCEPT-ENCODING", "gzip, deflate;q=0.5, *" },
    { "Content-Length", "1234" },
    { "Pragma", "" },
  };
  static const char *const dropped[][2] = {
    { "Content-Type", "application/vnd.contoso+json" },
    { "Content-Type", "multipart/form-data; boundary=ann" },
    { "Cache-Control", "user=ann" },
    { "X-User", "1234" },
    { "Location", "https://a.example/" },
    { "Age", "10.1.2.3" },
    { "Connection", "keep-alivekeep-alivekeep-alivekeep-alivekeep-alive" },
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (kept); i++)
    g_assert_true (ns_redact_headers_keep_value (kept[i][0], kept[i][1]));
  for (i = 0; i < G_N_ELEMENTS (dropped); i++)
    g_assert_false (ns_redact_headers_keep_value (dropped[i][0], dropped[i][1]));
}

/* Names of custom headers may identify somebody. */
static void
test_names_of_headers_tell_of_nobody (void)
{
  static const char *const kept[] = { "Accept",     "x-xss-protection", "Accept-Language",
                                      "SET-COOKIE", "x-requested-with", "Host" };
  static const char *const dropped[] = {
    "X-Contoso-Id", "contoso", "GET http", "", "Hos", "Hosts"
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (kept); i++)
    g_assert_true (ns_redact_headers_keep_name (kept[i]));
  for (i = 0; i < G_N_ELEMENTS (dropped); i++)
    g_assert_false (ns_redact_headers_keep_name (dropped[i]));
}

static gboolean
stop (double fraction, gpointer user_data)
{
  ++*(guint *) user_data;
  return FALSE;
}

/* Closing the window cancels the search for names. */
static void
test_looking_for_names_can_be_stopped (void)
{
  NsTrace *trace = test_trace_new (20000000000);
  g_autoptr (GPtrArray) fields = ns_export_parse_columns (NS_TABLE_ACTIVITIES, "url", NULL);
  guint n_asked = 0;
  NsRedactOptions options = { .progress = stop, .progress_data = &n_asked };
  NsExportRows rows;
  guint i;

  for (i = 0; i < 10000; i++)
    test_trace_add_activity (trace, "a.example", i + 1);
  rows = get_rows (trace, fields);
  g_assert_null (ns_redact_new (&rows, &options));
  g_assert_cmpuint (n_asked, ==, 1);
  test_trace_free (trace);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/redact/forms-are-recognized", test_forms_are_recognized);
  g_test_add_func ("/redact/any-text-can-be-scanned", test_any_text_can_be_scanned);
  g_test_add_func ("/redact/no-text-takes-long", test_no_text_takes_long);
  g_test_add_func ("/redact/names-have-stand-ins-everywhere", test_names_have_stand_ins_everywhere);
  g_test_add_func ("/redact/what-is-replaced-is-told-and-counted",
                   test_what_is_replaced_is_told_and_counted);
  g_test_add_func ("/redact/no-stand-in-is-a-name", test_no_stand_in_is_a_name);
  g_test_add_func ("/redact/urls-are-replaced-to-their-end", test_urls_are_replaced_to_their_end);
  g_test_add_func ("/redact/folders-are-replaced-to-their-end",
                   test_folders_are_replaced_to_their_end);
  g_test_add_func ("/redact/short-names-of-hosts-are-replaced",
                   test_short_names_of_hosts_are_replaced);
  g_test_add_func ("/redact/people-are-replaced-in-sentences",
                   test_people_are_replaced_in_sentences);
  g_test_add_func ("/redact/everybody-of-one-first-name-is-known",
                   test_everybody_of_one_first_name_is_known);
  g_test_add_func ("/redact/names-that-come-late-are-listed", test_names_that_come_late_are_listed);
  g_test_add_func ("/redact/headers-stay-when-every-word-is-known",
                   test_headers_stay_when_every_word_is_known);
  g_test_add_func ("/redact/names-of-headers-tell-of-nobody", test_names_of_headers_tell_of_nobody);
  g_test_add_func ("/redact/looking-for-names-can-be-stopped",
                   test_looking_for_names_can_be_stopped);
  return g_test_run ();
}
