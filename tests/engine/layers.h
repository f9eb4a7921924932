/* Scripted events of the layers above TCP, written by make-layers and used by tests.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "story.h"

/* Base addresses of the images loaded by each process. */
#define LAYERS_EXE G_GUINT64_CONSTANT (0x7ff610000000)
#define LAYERS_NTDLL G_GUINT64_CONSTANT (0x7ffc10000000)

G_BEGIN_DECLS

void layers_set_process (Story *story, guint32 pid, guint32 tid);
void layers_begin_tcp (Story *story, double ms, guint64 tcb, const char *local, const char *remote);
/* Writes the TCPIP event @id: 1033 connected; 1020, 1034, 1035 connect failed; 1038, 1044
 * closed. */
void layers_end_tcp (Story *story,
                     double ms,
                     guint id,
                     guint64 tcb,
                     const char *local,
                     const char *remote,
                     guint status);
void layers_set_stack (Story *story, guint function);

void layers_write_dotnet (Story *story, double ms);
void layers_write_smb (Story *story, double ms);
void layers_write_tls (Story *story, double ms);
void layers_write_wfp (Story *story, double ms);
void layers_write_quic (Story *story, double ms);
void layers_write_rpc (Story *story, double ms);
void layers_write_bits (Story *story, double ms);
void layers_write_vpn (Story *story, double ms);

G_END_DECLS
