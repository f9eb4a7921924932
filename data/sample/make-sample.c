/* Writes the sample trace: twenty seconds of invented network activity of an office desktop.
 *
 * A mail program fetches mail over a few connections, one of which is reused and one refused; a
 * spreadsheet program downloads a large file and searches a directory; a helper process posts
 * telemetry to a server whose name is not resolved at first. Names and addresses are from the
 * ranges reserved for documentation.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "sample-story.h"

#include <string.h>

#define MS 1000u
#define SECOND (1000u * MS)

enum
{
  OUTLOOK = 4312,
  EXCEL = 7720,
  HELPER = 9036,
  SERVICES = 1840,
};

/* Base addresses of the modules; a frame is a base plus an offset. */
#define NTDLL G_GUINT64_CONSTANT (0x7ffc10000000)
#define KERNEL32 G_GUINT64_CONSTANT (0x7ffc0f000000)
#define WINHTTP G_GUINT64_CONSTANT (0x7ffbf0000000)
#define WEBIO G_GUINT64_CONSTANT (0x7ffbe8000000)
#define WS2 G_GUINT64_CONSTANT (0x7ffc0e000000)
#define WLDAP G_GUINT64_CONSTANT (0x7ffc09000000)
#define OLMAPI G_GUINT64_CONSTANT (0x7ffb20000000)
#define OUTLOOK_EXE G_GUINT64_CONSTANT (0x7ff610000000)
#define EXCEL_EXE G_GUINT64_CONSTANT (0x7ff620000000)
#define HELPER_EXE G_GUINT64_CONSTANT (0x7ff630000000)

/* Stack of a request in a worker of the Windows thread pool, innermost frame first. */
static const guint64 worker_stack[] = { WEBIO + 0x1f20,     WINHTTP + 0x2e4a4, OLMAPI + 0x53c1,
                                        OLMAPI + 0x4488,    NTDLL + 0x2c10e,   NTDLL + 0x1f3a6,
                                        KERNEL32 + 0x1257d, NTDLL + 0x5aa48 };
/* Stack of the main thread when it queues the work. */
static const guint64 queue_stack[] = { NTDLL + 0x2ab80,     OLMAPI + 0x3c1,     OLMAPI + 0x1100,
                                       OUTLOOK_EXE + 0x1f0, KERNEL32 + 0x1257d, NTDLL + 0x5aa48 };
static const guint64 excel_stack[] = { WEBIO + 0x1f20,    WINHTTP + 0x2e4a4,  EXCEL_EXE + 0x9a310,
                                       EXCEL_EXE + 0x1f0, KERNEL32 + 0x1257d, NTDLL + 0x5aa48 };
static const guint64 ldap_stack[] = { WS2 + 0x10a40,     WLDAP + 0x7331,     EXCEL_EXE + 0xa2040,
                                      EXCEL_EXE + 0x1f0, KERNEL32 + 0x1257d, NTDLL + 0x5aa48 };
static const guint64 helper_stack[] = { WEBIO + 0x1f20,     WINHTTP + 0x2e4a4,  HELPER_EXE + 0x7410,
                                        HELPER_EXE + 0x300, KERNEL32 + 0x1257d, NTDLL + 0x5aa48 };

static void
add_images (SampleStory *story, guint32 pid, guint64 exe, const char *path)
{
  sample_image (story, pid, exe, 0x400000, path);
  sample_image (story,
                pid,
                NTDLL,
                0x1f8000,
                "\\Device\\HarddiskVolume3\\Windows\\System32\\ntdll.dll");
  sample_image (story,
                pid,
                KERNEL32,
                0xc2000,
                "\\Device\\HarddiskVolume3\\Windows\\System32\\kernel32.dll");
  sample_image (story,
                pid,
                WS2,
                0x71000,
                "\\Device\\HarddiskVolume3\\Windows\\System32\\ws2_32.dll");
  sample_image (story,
                pid,
                WINHTTP,
                0x119000,
                "\\Device\\HarddiskVolume3\\Windows\\System32\\winhttp.dll");
  sample_image (story,
                pid,
                WEBIO,
                0xa6000,
                "\\Device\\HarddiskVolume3\\Windows\\System32\\webio.dll");
}

static void
add_machine (SampleStory *story)
{
  static const struct
  {
    guint32 pid;
    guint64 exe;
    const char *image;
    const char *path;
    const char *command;
  } processes[] = {
    { OUTLOOK,
      OUTLOOK_EXE,
      "OUTLOOK.EXE",
      "\\Device\\HarddiskVolume3\\Program Files\\Office\\OUTLOOK.EXE",
      "\"C:\\Program Files\\Office\\OUTLOOK.EXE\"" },
    { EXCEL,
      EXCEL_EXE,
      "EXCEL.EXE",
      "\\Device\\HarddiskVolume3\\Program Files\\Office\\EXCEL.EXE",
      "\"C:\\Program Files\\Office\\EXCEL.EXE\" \"C:\\Work\\budget.xlsx\"" },
    { HELPER,
      HELPER_EXE,
      "updatehelper.exe",
      "\\Device\\HarddiskVolume3\\Program Files\\Helper\\updatehelper.exe",
      "updatehelper.exe --quiet" },
  };
  SampleActor none = { 0, 0 };
  guint i;
  guint j;

  sample_process (story, 0, 4, 0, "System", "");
  sample_process (story,
                  0,
                  SERVICES,
                  4,
                  "svchost.exe",
                  "svchost.exe -k NetworkService -s Dnscache");
  for (i = 0; i < G_N_ELEMENTS (processes); i++)
    {
      sample_process (story, 0, processes[i].pid, 4, processes[i].image, processes[i].command);
      add_images (story, processes[i].pid, processes[i].exe, processes[i].path);
      for (j = 0; j < 8; j++)
        sample_thread (story,
                       0,
                       (SampleActor){ processes[i].pid, processes[i].pid + 4 * j },
                       none,
                       j == 0 ? processes[i].exe + 0x1f0 : NTDLL + 0x1f200,
                       TRUE);
    }
  sample_image (story,
                OUTLOOK,
                OLMAPI,
                0x600000,
                "\\Device\\HarddiskVolume3\\Program Files\\Office\\OLMAPI32.DLL");
  sample_image (story,
                EXCEL,
                WLDAP,
                0x62000,
                "\\Device\\HarddiskVolume3\\Windows\\System32\\Wldap32.dll");
}

/* Adds a callback that the main thread queues and a worker starts after @wait_us. */
static guint64
add_queued (SampleStory *story,
            guint64 us,
            guint64 wait_us,
            guint32 pid,
            SampleActor worker,
            guint64 task)
{
  SampleActor main_thread = { pid, pid };

  sample_pool (story, us, main_thread, 32, task);
  sample_stack (story, us, main_thread, queue_stack, G_N_ELEMENTS (queue_stack));
  sample_pool (story, us + wait_us, worker, 33, task);
  sample_pool (story, us + wait_us + 5, worker, 34, task);
  return us + wait_us + 10;
}

/* Adds a response that is received in parts. */
static guint64
add_answer (SampleStory *story,
            guint64 us,
            SampleRequest *r,
            SampleConnection *c,
            const char *headers,
            guint32 n_bytes,
            guint n_parts)
{
  guint i;

  sample_receive (story, us, c, n_bytes / n_parts);
  sample_request_answer (story, us + 60, r, headers);
  sample_request_receive (story, us + 100, r, n_bytes / n_parts);
  for (i = 1; i < n_parts; i++)
    {
      us += 23 * MS;
      sample_receive (story, us, c, n_bytes / n_parts);
      sample_request_receive (story, us + 100, r, n_bytes / n_parts);
    }
  return us + 700;
}

/* Adds the mail program: the first request resolves the name and connects, the others reuse its
 * connection. */
static void
add_mail (SampleStory *story)
{
  SampleConnection c = { { OUTLOOK, OUTLOOK + 8 },
                         G_GUINT64_CONSTANT (0xffffaa0000001000),
                         G_GUINT64_CONSTANT (0xffffcc0000000100),
                         G_GUINT64_CONSTANT (0xffffbb0000010000),
                         "192.168.17.23:50114",
                         "203.0.113.24:443",
                         0 };
  static const struct
  {
    guint64 at_us;
    guint64 server_us;
    const char *method;
    const char *path;
    const char *headers;
    guint32 sent;
    guint32 received;
  } requests[] = {
    { 900 * MS,
      160 * MS,
      "POST",
      "/EWS/Exchange.asmx",
      "HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\n\r\n",
      2148,
      48770 },
    { 2200 * MS,
      90 * MS,
      "GET",
      "/owa/prefetch?n=1",
      "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n",
      412,
      18204 },
    { 3100 * MS,
      40 * MS,
      "GET",
      "/owa/",
      "HTTP/1.1 302 Found\r\nLocation: /owa/?b=1\r\n\r\n",
      388,
      702 },
    { 3400 * MS,
      310 * MS,
      "GET",
      "/owa/api/v2/folders",
      "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n",
      540,
      96331 },
    { 7800 * MS,
      750 * MS,
      "POST",
      "/EWS/Exchange.asmx",
      "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 2\r\n\r\n",
      2148,
      1012 },
    { 10900 * MS,
      230 * MS,
      "POST",
      "/EWS/Exchange.asmx",
      "HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\n\r\n",
      2148,
      48770 },
    { 14200 * MS,
      120 * MS,
      "GET",
      "/owa/sync?cookie=7",
      "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n",
      448,
      7300 },
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (requests); i++)
    {
      g_autofree char *url = g_strconcat ("https://mail.example.com", requests[i].path, NULL);
      guint64 task = 0x2a0000 + i * 0x100;
      SampleRequest r = {
        c.actor, 0x1a0000 + i * 0x1000, 100 + i,           0x1c0000, 0x800, requests[i].method,
        url,     "mail.example.com",    "203.0.113.24:443"
      };
      guint64 us = add_queued (story,
                               requests[i].at_us,
                               i == 4 ? 38 * MS : 2 * MS + i * 500,
                               OUTLOOK,
                               c.actor,
                               task);

      sample_request (story, us, &r, worker_stack, G_N_ELEMENTS (worker_stack));
      us += 500;
      if (i == 0)
        {
          sample_request_resolve (story, us, 41 * MS, &r, "203.0.113.24:443");
          sample_dns (story, us + 100, 40 * MS, c.actor, "mail.example.com", "203.0.113.24;", 0);
          us += 42 * MS;
          sample_request_connect (story, us, 29 * MS, &r, 0);
          sample_socket (story, us + 50, &c, FALSE, worker_stack, G_N_ELEMENTS (worker_stack));
          sample_connect (story, us + 150, 28 * MS, &c);
          sample_request_tls (story, us + 30 * MS, 62 * MS, &r);
          sample_send (story, us + 31 * MS, &c, 517);
          sample_receive (story, us + 60 * MS, &c, 3200);
          us += 93 * MS;
        }
      sample_request_send (story, us, &r, requests[i].sent);
      sample_send (story, us + 50, &c, requests[i].sent);
      us = add_answer (story,
                       us + requests[i].server_us,
                       &r,
                       &c,
                       requests[i].headers,
                       requests[i].received,
                       1 + requests[i].received / 20000);
      sample_request_end (story, us, &r);
      sample_pool (story, us + 50, c.actor, 35, task);
    }
  sample_close (story, 17500 * MS, &c);
}

/* Adds automatic discovery: the first address refuses the connection, the second one responds. */
static void
add_discovery (SampleStory *story)
{
  SampleActor worker = { OUTLOOK, OUTLOOK + 12 };
  SampleConnection refused = { worker,
                               G_GUINT64_CONSTANT (0xffffaa0000002000),
                               G_GUINT64_CONSTANT (0xffffcc0000000200),
                               G_GUINT64_CONSTANT (0xffffbb0000010000),
                               "192.168.17.23:50115",
                               "198.51.100.7:443",
                               0 };
  SampleConnection second = { worker,
                              G_GUINT64_CONSTANT (0xffffaa0000003000),
                              G_GUINT64_CONSTANT (0xffffcc0000000300),
                              G_GUINT64_CONSTANT (0xffffbb0000010000),
                              "192.168.17.23:50118",
                              "198.51.100.8:443",
                              0 };
  SampleRequest r = { worker,
                      0x1b0000,
                      200,
                      0x1d0000,
                      0x900,
                      "GET",
                      "https://autodiscover.example.com/autodiscover.xml",
                      "autodiscover.example.com",
                      "198.51.100.7:443" };
  guint64 us = add_queued (story, 4 * SECOND, 4 * MS, OUTLOOK, worker, 0x2b0000);

  sample_request (story, us, &r, worker_stack, G_N_ELEMENTS (worker_stack));
  sample_request_resolve (story, us + 400, 112 * MS, &r, "198.51.100.7:443");
  sample_dns (story,
              us + 500,
              110 * MS,
              worker,
              "autodiscover.example.com",
              "198.51.100.7;198.51.100.8;",
              0);
  us += 113 * MS;
  sample_request_connect (story, us, 488 * MS, &r, 12029);
  sample_socket (story, us + 50, &refused, FALSE, worker_stack, G_N_ELEMENTS (worker_stack));
  sample_connect_failed (story, us + 150, 487 * MS, &refused, 0xc0000236);
  sample_close (story, us + 490 * MS, &refused);
  sample_request_end (story, us + 492 * MS, &r);
  sample_pool (story, us + 493 * MS, worker, 35, 0x2b0000);

  us = add_queued (story, 9 * SECOND, 3 * MS, OUTLOOK, worker, 0x2b0100);
  r = (SampleRequest){ worker,
                       0x1b1000,
                       201,
                       0x1d1000,
                       0x904,
                       "GET",
                       "https://autodiscover.example.com/autodiscover.xml",
                       "autodiscover.example.com",
                       "198.51.100.8:443" };
  sample_request (story, us, &r, worker_stack, G_N_ELEMENTS (worker_stack));
  sample_request_connect (story, us + 500, 61 * MS, &r, 0);
  sample_socket (story, us + 550, &second, FALSE, worker_stack, G_N_ELEMENTS (worker_stack));
  sample_connect (story, us + 650, 60 * MS, &second);
  sample_request_tls (story, us + 62 * MS, 124 * MS, &r);
  sample_request_send (story, us + 190 * MS, &r, 610);
  sample_send (story, us + 190 * MS + 50, &second, 610);
  us = add_answer (story,
                   us + 430 * MS,
                   &r,
                   &second,
                   "HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\n\r\n",
                   4096,
                   1);
  sample_request_end (story, us, &r);
  sample_pool (story, us + 50, worker, 35, 0x2b0100);
  sample_close (story, us + 3 * SECOND, &second);
}

/* Adds a large download on the spreadsheet program's main thread, and an LDAP search. */
static void
add_spreadsheet (SampleStory *story)
{
  SampleActor main_thread = { EXCEL, EXCEL };
  SampleConnection files = { main_thread,
                             G_GUINT64_CONSTANT (0xffffaa0000004000),
                             G_GUINT64_CONSTANT (0xffffcc0000000400),
                             G_GUINT64_CONSTANT (0xffffbb0000020000),
                             "192.168.17.23:50131",
                             "192.0.2.81:443",
                             0 };
  SampleConnection directory = { { EXCEL, EXCEL + 4 },
                                 G_GUINT64_CONSTANT (0xffffaa0000005000),
                                 G_GUINT64_CONSTANT (0xffffcc0000000500),
                                 G_GUINT64_CONSTANT (0xffffbb0000020000),
                                 "192.168.17.23:50133",
                                 "10.20.0.11:389",
                                 0 };
  static const char *const filters[] = { "(mail=*)",
                                         "(&(objectClass=user)(cn=a*))",
                                         "(memberOf=CN=Budget,DC=corp,DC=example)" };
  SampleRequest r = { main_thread,
                      0x3a0000,
                      300,
                      0x3c0000,
                      0xa00,
                      "GET",
                      "https://files.example.net/sites/fin/budget.xlsx",
                      "files.example.net",
                      "192.0.2.81:443" };
  guint64 us = 5 * SECOND;
  guint i;

  sample_request (story, us, &r, excel_stack, G_N_ELEMENTS (excel_stack));
  sample_request_resolve (story, us + 300, 18 * MS, &r, "192.0.2.81:443");
  sample_dns (story,
              us + 350,
              17 * MS,
              main_thread,
              "files.example.net",
              "type:  5 files-eu.example.net;192.0.2.81;",
              0);
  sample_request_connect (story, us + 19 * MS, 22 * MS, &r, 0);
  sample_socket (story, us + 19 * MS + 50, &files, FALSE, excel_stack, G_N_ELEMENTS (excel_stack));
  sample_connect (story, us + 19 * MS + 150, 21 * MS, &files);
  sample_request_tls (story, us + 42 * MS, 48 * MS, &r);
  sample_request_send (story, us + 91 * MS, &r, 1020);
  sample_send (story, us + 91 * MS + 50, &files, 1020);
  us = add_answer (story,
                   us + 290 * MS,
                   &r,
                   &files,
                   "HTTP/1.1 200 OK\r\nContent-Length: 34811904\r\n\r\n",
                   34811904,
                   40);
  sample_request_end (story, us, &r);
  sample_close (story, us + 900 * MS, &files);

  us = 6500 * MS;
  sample_dns (story, us, 9 * MS, directory.actor, "dc01.corp.example", "10.20.0.11;", 0);
  sample_socket (story, us + 10 * MS, &directory, FALSE, ldap_stack, G_N_ELEMENTS (ldap_stack));
  sample_connect (story, us + 10 * MS + 200, 4 * MS, &directory);
  for (i = 0; i < G_N_ELEMENTS (filters); i++)
    {
      us = 6600 * MS + i * 1700 * MS;
      sample_ldap_search (story, us, directory.actor, "DC=corp,DC=example", filters[i]);
      sample_send (story, us + 500, &directory, 214);
      sample_receive (story, us + 120 * MS + i * 40 * MS, &directory, 1880 + i * 700);
    }
  sample_close (story, 15 * SECOND, &directory);
}

/* Adds telemetry: the name is not resolved at first; then a POST every two seconds, each on a new
 * connection. */
static void
add_helper (SampleStory *story)
{
  SampleActor actor = { HELPER, HELPER + 4 };
  guint i;

  sample_dns (story, 1500 * MS, 1900 * MS, actor, "telemetry.example.org", "", 9003);
  sample_dns (story, 4500 * MS, 30 * MS, actor, "telemetry.example.org", "198.51.100.40;", 0);
  for (i = 0; i < 7; i++)
    {
      g_autofree char *local = g_strdup_printf ("192.168.17.23:%u", 50200 + i);
      SampleConnection c = { actor,
                             G_GUINT64_CONSTANT (0xffffaa0000006000) + i * 0x1000,
                             G_GUINT64_CONSTANT (0xffffcc0000000600) + i * 0x100,
                             G_GUINT64_CONSTANT (0xffffbb0000030000),
                             local,
                             "198.51.100.40:443",
                             0 };
      SampleRequest r = { actor,
                          0x4a0000 + i * 0x1000,
                          400 + i,
                          0x4c0000 + i * 0x1000,
                          0xb00 + i * 4,
                          "POST",
                          "https://telemetry.example.org/v1/batch",
                          "telemetry.example.org",
                          "198.51.100.40:443" };
      guint64 us = 5200 * MS + i * 1900 * MS;
      gboolean times_out = i == 3;

      sample_request (story, us, &r, helper_stack, G_N_ELEMENTS (helper_stack));
      sample_request_connect (story,
                              us + 500,
                              times_out ? 1500 * MS : 70 * MS,
                              &r,
                              times_out ? 12002 : 0);
      sample_socket (story, us + 550, &c, FALSE, helper_stack, G_N_ELEMENTS (helper_stack));
      if (times_out)
        {
          sample_connect_failed (story, us + 650, 1499 * MS, &c, 0xc00000b5);
          sample_close (story, us + 1501 * MS, &c);
          sample_request_end (story, us + 1502 * MS, &r);
          continue;
        }
      sample_connect (story, us + 650, 69 * MS, &c);
      sample_request_tls (story, us + 72 * MS, 60 * MS, &r);
      sample_request_send (story, us + 135 * MS, &r, 1200 + i * 37);
      sample_send (story, us + 135 * MS + 50, &c, 1200 + i * 37);
      us = add_answer (story,
                       us + 190 * MS + i * 11 * MS,
                       &r,
                       &c,
                       "HTTP/1.1 204 No Content\r\n\r\n",
                       212,
                       1);
      if (i < 6)
        sample_request_end (story, us, &r);
      if (i < 5)
        sample_close (story, us + 300 * MS, &c);
    }
}

/* Adds queries of the DNS client service to its server and on the local network. */
static void
add_services (SampleStory *story)
{
  SampleActor actor = { SERVICES, SERVICES + 8 };
  guint i;

  for (i = 0; i < 6; i++)
    {
      g_autofree char *local = g_strdup_printf ("192.168.17.23:%u", 61000 + i);
      SampleConnection c = { actor,
                             0,
                             G_GUINT64_CONSTANT (0xffffcc0000010000) + i * 0x1000,
                             G_GUINT64_CONSTANT (0xffffbb0000040000),
                             local,
                             i % 3 == 2 ? "224.0.0.251:5353" : "192.168.17.1:53",
                             0 };
      guint64 us = 905 * MS + i * 800 * MS;

      sample_socket (story, us, &c, TRUE, NULL, 0);
      sample_datagram (story, us + 200, &c, 42 + i, FALSE);
      if (i % 3 != 2)
        sample_datagram (story, us + 16 * MS, &c, 120 + i * 8, TRUE);
      sample_close (story, us + 300 * MS, &c);
    }
}

/* Adds a request to a server with an untrusted certificate. */
static void
add_untrusted (SampleStory *story)
{
  SampleActor worker = { OUTLOOK, OUTLOOK + 12 };
  SampleConnection c = { worker,
                         G_GUINT64_CONSTANT (0xffffaa000000f000),
                         G_GUINT64_CONSTANT (0xffffcc0000000f00),
                         G_GUINT64_CONSTANT (0xffffbb0000010000),
                         "192.168.17.23:50160",
                         "10.20.0.30:443",
                         0 };
  SampleRequest r = { worker,
                      0x5a0000,
                      500,
                      0x5c0000,
                      0xc00,
                      "GET",
                      "https://intranet.corp.example/people/photo.jpg",
                      "intranet.corp.example",
                      "10.20.0.30:443" };
  guint64 us = add_queued (story, 13200 * MS, 6 * MS, OUTLOOK, worker, 0x2b0200);

  sample_request (story, us, &r, worker_stack, G_N_ELEMENTS (worker_stack));
  sample_request_resolve (story, us + 300, 7 * MS, &r, "10.20.0.30:443");
  sample_dns (story, us + 350, 6 * MS, worker, "intranet.corp.example", "10.20.0.30;", 0);
  sample_request_connect (story, us + 8 * MS, 3 * MS, &r, 0);
  sample_socket (story, us + 8 * MS + 50, &c, FALSE, worker_stack, G_N_ELEMENTS (worker_stack));
  sample_connect (story, us + 8 * MS + 150, 2 * MS, &c);
  sample_request_tls_failed (story, us + 12 * MS, 31 * MS, &r);
  sample_close (story, us + 44 * MS, &c);
  sample_request_end (story, us + 45 * MS, &r);
  sample_pool (story, us + 46 * MS, worker, 35, 0x2b0200);
}

int
main (int argc, char *argv[])
{
  g_autoptr (GError) error = NULL;
  SampleStory *story = sample_story_new ();

  gboolean is_shown = argc == 3 && strcmp (argv[2], "--shown") == 0;

  if (argc != 2 && !is_shown)
    {
      g_printerr ("usage: make-sample FILE.etl [--shown]\n");
      return 2;
    }
  add_machine (story);
  add_mail (story);
  add_discovery (story);
  add_spreadsheet (story);
  add_helper (story);
  add_services (story);
  /* Only for pictures: tests count the rows of the sample without it. */
  if (is_shown)
    add_untrusted (story);
  if (!sample_story_write (story, argv[1], &error))
    {
      g_printerr ("%s: %s\n", argv[1], error->message);
      return 1;
    }
  return 0;
}
